"""Listing and removing indexes, with and without an engine at work on them."""

import json
import os
from pathlib import Path

import pytest

from lens_tui.engine import brains
from lens_tui.engine.brains import list_brains, remove_brain
from lens_tui.errors import EngineError, UsageError
from tests.engine.conftest import Bench, is_running, until


def _index(root: Path, name: str, **fields: object) -> Path:
    data = root / "brains" / name
    (data / "chroma").mkdir(parents=True)
    (data / "store.sqlite3").write_bytes(b"x" * 1000)
    (data / "chroma" / "big").write_bytes(b"x" * 2000)
    if fields:
        (data / "folder.json").write_text(json.dumps(fields))
    return data


def test_indexes_are_listed_the_last_used_first_and_broken_ones_too(tmp_path: Path) -> None:
    _index(tmp_path, "old-1", folder="/old", last_used=5, files=1, chunks=2)
    new = _index(tmp_path, "new-1", folder="/new", last_used=9.5, files=10, chunks=20)
    lost = _index(tmp_path, "lost-1")
    odd = _index(tmp_path, "odd-1", folder=5, files="x", chunks=True, last_used="now")
    (lost / "folder.json").write_text("{")
    (tmp_path / "brains" / "a file").write_text("no index")
    (tmp_path / "brains" / "link").symlink_to(new)
    found = list_brains(tmp_path)
    assert [brain.folder for brain in found] == ["/new", "/old", None, None]
    assert (found[0].files, found[0].chunks, found[0].last_used) == (10, 20, 9.5)
    assert found[0].data == str(new)
    assert found[0].bytes == 3000 + (new / "folder.json").stat().st_size
    assert {brain.data for brain in found[2:]} == {str(lost), str(odd)}
    assert found[3].files is None
    assert found[3].chunks is None


def test_no_data_directory_means_no_indexes(tmp_path: Path) -> None:
    assert list_brains(tmp_path / "nowhere") == []


def test_an_index_is_removed_whole_and_the_conversations_stay(tmp_path: Path) -> None:
    data = _index(tmp_path, "notes-1", folder="/notes")
    (data / "link").symlink_to(tmp_path)
    talks = tmp_path / "talks" / "notes-1.sqlite3"
    talks.parent.mkdir()
    talks.write_text("kept")
    assert remove_brain(tmp_path, data) > 3000
    assert not data.exists()
    assert talks.read_text() == "kept"


def test_what_an_interrupted_removal_left_is_no_index_and_goes_with_the_next(tmp_path: Path) -> None:
    rest = _index(tmp_path, ".removed-other-1-5", folder="/other")
    data = _index(tmp_path, "notes-1", folder="/notes")
    assert [brain.folder for brain in list_brains(tmp_path)] == ["/notes"]
    remove_brain(tmp_path, data)
    assert not rest.exists()
    assert list((tmp_path / "brains").iterdir()) == []


@pytest.mark.parametrize("which", ["", "..", "../talks", "missing-1", "link"])
def test_only_an_index_can_be_removed(tmp_path: Path, which: str) -> None:
    _index(tmp_path, "notes-1")
    (tmp_path / "talks").mkdir()
    (tmp_path / "brains" / "link").symlink_to(tmp_path / "talks")
    with pytest.raises(UsageError, match="is no index"):
        remove_brain(tmp_path, tmp_path / "brains" / which)
    assert (tmp_path / "talks").is_dir()
    assert (tmp_path / "brains" / "notes-1").is_dir()


@pytest.mark.network
def test_the_engine_leaves_before_its_index_is_removed(bench: Bench) -> None:
    face = bench.face(environment={**os.environ, "FAKE_IDLE": "30"}, flags={"fake.close_seconds": 0.3})
    pid = bench.pid_of(face)
    remove_brain(bench.places.data.parent.parent, bench.places.data)
    assert f"close {pid}" in bench.noted()
    assert not bench.places.data.exists()
    assert until(lambda: not is_running(pid))
    assert bench.pid_of(face) != pid


@pytest.mark.network
def test_a_newer_programs_engine_keeps_its_index(bench: Bench) -> None:
    program = {**os.environ, "FAKE_PROGRAM": "99.0"}
    face = bench.face(environment=program, program="99.0")
    pid = bench.pid_of(face)
    with pytest.raises(EngineError, match="newer lens-tui"):
        remove_brain(bench.places.data.parent.parent, bench.places.data)
    assert bench.pid_of(face) == pid
    assert brains.list_brains(bench.places.data.parent.parent)
