import json
import re
from pathlib import Path

import pytest

from lens_tui.places import places_of, prepare
from tests.cli.running import Shell
from tests.conftest import Home


@pytest.fixture
def data(shell: Shell, home: Home) -> Path:
    """A small index of the shell's folder, no engine beside it, and a conversation."""
    places = places_of(shell.folder.resolve(), str(home.data))
    prepare(places)
    fields = {"folder": str(shell.folder.resolve()), "files": 1200, "chunks": 34567, "last_used": 1_700_000_000.0}
    (places.data / "folder.json").write_text(json.dumps(fields), "utf-8")
    (places.data / "store.sqlite3").write_bytes(b"x" * 5000)
    places.talks.write_bytes(b"talk")
    return places.data


def test_each_index_is_listed_with_what_it_takes(shell: Shell, data: Path) -> None:
    out = shell.run("brains").out
    folder = re.escape(str(shell.folder.resolve()))
    assert re.match(rf"{folder}\n    1,200 files, 34,567 chunks, 5\.\d kB, used 2023-11-1", out)
    assert str(data) in out


def test_json_is_one_object_in_the_promised_shape(shell: Shell, data: Path) -> None:
    (row,) = shell.run("brains", "--json").rows
    (brain,) = row["brains"]
    assert list(brain) == ["folder", "data", "files", "chunks", "bytes", "last_used"]
    assert brain["data"] == str(data)


def test_no_index_at_all_is_said_and_no_failure(shell: Shell) -> None:
    ran = shell.run("brains")
    assert (ran.code, ran.out) == (0, "")
    assert "lens-tui index FOLDER" in ran.err
    assert shell.run("brains", "--json").rows == [{"brains": []}]


def test_an_index_is_removed_and_its_conversations_are_kept(shell: Shell, data: Path) -> None:
    ran = shell.run("brains", "remove", "@")
    assert ran.code == 0
    assert not data.exists()
    talks = data.parent.parent / "talks" / f"{data.name}.sqlite3"
    assert talks.read_bytes() == b"talk"
    assert str(talks) in ran.out


@pytest.mark.parametrize("name", ["folder", "data", "directory"])
def test_the_index_of_a_folder_that_is_gone_is_removed_by_any_of_its_names(shell: Shell, data: Path, name: str) -> None:
    names = {"folder": str(shell.folder.resolve()), "data": str(data), "directory": data.name}
    shell.folder.rename(shell.folder.with_name("moved"))
    assert shell.run("brains", "remove", names[name]).code == 0
    assert not data.exists()


@pytest.mark.parametrize("words", [["remove"], ["remove", "nowhere"], ["remvoe", "@"], ["remove", "@", "more"]])
def test_wrong_words_remove_nothing(shell: Shell, data: Path, words: list[str]) -> None:
    shell.fails(2, "brains", *words)
    assert data.is_dir()
