"""The vector index is derived: missing, behind, foreign or broken, it is made anew from the stored vectors."""

import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from lens_tui.index.dense import DROP_AT_ONCE, Dense, DenseBroken, collection_name
from lens_tui.index.store import Store
from lens_tui.index.vectors import VectorShelf, passage, vector_key
from tests.index.making import Concepts, chunks, document


class Room:
    """A store with its shelf, and the collection that is derived from it."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.embedder = Concepts()
        self.store = Store(directory / "store.sqlite3")
        self.shelf = VectorShelf(self.store, self.embedder.name)
        self.dense = self.opened()

    def opened(self, *, canary: bool = False) -> Dense:
        return Dense(self.directory / "chroma", self.embedder.name, self.shelf, spawn_canary=canary)

    def put(self, path: str, text: str) -> None:
        made = document(path, text)
        cut = chunks(made)
        keys = [vector_key(passage(chunk)) for chunk in cut]
        self.store.replace(made, cut, [(1, 1)] * len(cut), keys, self.shelf.embedder)
        waiting = self.shelf.waiting(100)
        if waiting:
            vectors = self.embedder.passages([one.text for one in waiting])
            self.shelf.keep([one.key for one in waiting], vectors)

    def sync(self, dense: Dense | None = None) -> None:
        dense = dense or self.dense
        while dense.let_go() or dense.collect(16):
            pass

    def found(self, text: str, dense: Dense | None = None) -> list[str]:
        named = (dense or self.dense).query(self.embedder.query(text), 10)
        return [place.rpartition("#")[0] for place, cosine in named if cosine > 0.5]


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    made = Room(tmp_path)
    made.put("cat.md", "A cat sleeps.")
    made.put("ship.md", "A ship sails.")
    made.sync()
    yield made
    made.dense.close()
    made.store.close()


def test_what_is_collected_is_found_by_its_vector(room: Room) -> None:
    assert room.found("feline") == ["cat.md"]
    (place, cosine), *_ = room.dense.query(room.embedder.query("cat"), 2)
    assert place.startswith("cat.md#")
    assert cosine == pytest.approx(1.0, abs=0.01)


def test_a_replaced_place_is_let_go_and_one_that_comes_back_is_there_again(room: Room) -> None:
    room.store.forget("cat.md")
    room.put("cat.md", "A cat sleeps.")
    room.sync()
    assert room.found("feline") == ["cat.md"]
    room.put("cat.md", "Much rain falls.")
    room.sync()
    assert room.found("feline") == []
    assert room.found("rain") == ["cat.md"]
    assert (room.shelf.uncollected(), room.shelf.to_drop(10)) == (0, [])


def test_a_chunk_that_goes_while_it_is_being_collected_is_taken_out_again(room: Room) -> None:
    room.put("late.md", "A lease.")
    kept = room.shelf.to_collect(10)
    room.store.forget("late.md")
    room.dense._add(kept)
    room.shelf.mark_collected(kept)
    assert room.found("law") != []
    room.sync()
    assert room.found("law") == []


@pytest.mark.parametrize("harm", ["gone", "empty", "foreign", "garbage", "behind"])
def test_whatever_became_of_the_directory_it_is_made_anew_without_embedding(room: Room, harm: str) -> None:
    room.dense.close()
    directory = room.directory / "chroma"
    asked = len(room.embedder.asked)
    if harm == "gone":
        shutil.rmtree(directory)
    elif harm == "empty":
        shutil.rmtree(directory)
        directory.mkdir()
    elif harm == "foreign":
        shutil.rmtree(directory)
        other = Dense(directory, "another-embedder", room.shelf, spawn_canary=False)
        other.open()
        room.sync(other)
        other.close()
    elif harm == "garbage":
        (directory / "chroma.sqlite3").write_bytes(b"no database at all " * 500)
    else:
        with room.store.database.write() as db:
            db.execute("UPDATE chunks SET collected = 1")
        room.put("new.md", "A lease.")
        with room.store.database.write() as db:
            db.execute("UPDATE chunks SET collected = 1")
    dense = room.opened()
    room.sync(dense)
    assert room.found("feline", dense) == ["cat.md"]
    assert room.found("vessel", dense) == ["ship.md"]
    assert room.shelf.uncollected() == 0
    assert len(room.embedder.asked) - asked <= 4
    dense.close()


def test_a_close_leaves_no_mark_and_a_death_does(room: Room) -> None:
    marker = room.directory / "chroma.open"
    assert marker.exists()
    room.dense.close()
    assert not marker.exists()


def test_after_an_unclean_close_a_child_looks_first_and_a_good_index_stays(room: Room) -> None:
    code = (
        "import os, pathlib, sys; from tests.index.test_dense import Room\n"
        "room = Room(pathlib.Path(sys.argv[1])); room.dense.open(); os._exit(9)"
    )
    room.dense.close()
    run = subprocess.run([sys.executable, "-c", code, str(room.directory)], check=False, timeout=60)
    assert run.returncode == 9
    assert (room.directory / "chroma.open").exists()
    dense = room.opened(canary=True)
    assert room.found("feline", dense) == ["cat.md"]
    assert dense.notes == []
    dense.close()


def test_an_index_that_kills_who_opens_it_is_thrown_away(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    room.dense.close()
    (room.directory / "chroma.open").touch()
    dense = room.opened(canary=True)
    # As where the child is ended by a signal: what is in it is then not even looked at.
    monkeypatch.setattr("lens_tui.index.dense.CANARY_CODE", "import os; os.kill(os.getpid(), 11)")
    assert room.found("feline", dense) == []
    assert "did not survive" in dense.notes[0]
    room.sync(dense)
    assert room.found("feline", dense) == ["cat.md"]
    dense.close()


def test_the_collection_takes_no_texts(room: Room) -> None:
    with pytest.raises(RuntimeError, match="never texts"):
        room.dense._collection.query(query_texts=["cat"])
    with pytest.raises(RuntimeError, match="never texts"):
        room.dense._collection.add(ids=["x"], documents=["cat"])


def test_a_model_with_other_dimensions_under_the_same_name_starts_anew(room: Room) -> None:
    room.embedder = Concepts(dimensions=16)
    room.put("new.md", "A lease.")
    assert room.shelf.missing() == 2
    waiting = room.shelf.waiting(10)
    room.shelf.keep([one.key for one in waiting], room.embedder.passages([one.text for one in waiting]))
    room.sync()
    assert room.found("feline") == ["cat.md"]
    assert room.found("law") == ["new.md"]


def test_a_chroma_that_never_works_says_so_and_is_not_tried_for_ever(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    room.dense.close()

    def refuse(*_: object) -> None:
        raise ImportError("no chromadb here")

    monkeypatch.setattr("lens_tui.index.dense._client", refuse)
    dense = room.opened()
    for _ in range(3):
        with pytest.raises(DenseBroken, match="no chromadb here"):
            dense.open()
    assert "cannot be used" in dense.problem


def test_a_collection_that_dropped_many_places_is_made_anew_without_a_word(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lens_tui.index.vectors.SPARE", 5)
    for number in range(8):
        room.put("cat.md", f"A cat and {number} others.")
        room.sync()
    assert room.shelf.worn()
    room.dense.close()
    dense = room.opened()
    room.sync(dense)
    assert (dense.notes, room.shelf.worn()) == ([], False)
    assert room.found("feline", dense) == ["cat.md"]
    dense.close()


def test_a_collection_most_of_which_goes_begins_anew_instead_of_deleting_and_says_nothing(room: Room) -> None:
    text = "\n\n".join(f"A lease of house {number}." for number in range(2 * DROP_AT_ONCE))
    for _ in range(4):
        room.put("many.md", text)
        while waiting := room.shelf.waiting(1000):
            room.shelf.keep([one.key for one in waiting], room.embedder.passages([one.text for one in waiting]))
        room.sync()
        assert room.shelf.collected() == 2 * DROP_AT_ONCE + 2
        room.store.forget("many.md")
        room.sync()
        assert (room.shelf.collected(), room.shelf.to_drop(1), room.shelf.worn()) == (2, [], False)
        assert room.found("feline") == ["cat.md"]
        assert room.found("law") == []
    assert (room.dense.problem, room.dense.notes) == ("", [])


def test_few_places_are_deleted_from_the_collection_that_there_is(room: Room) -> None:
    room.put("cat.md", "Much rain falls.")
    room.sync()
    with room.store.database.read() as db:
        assert db.execute("SELECT value FROM meta WHERE key = 'dropped'").fetchone()[0] == 1


@pytest.mark.parametrize("name", ["a", "nomic-embed-text:latest@sha256:0123", "日本", "x" * 300, "a..b--"])
def test_every_embedder_has_a_collection_of_its_own_in_a_name_that_chroma_takes(name: str) -> None:
    made = collection_name(name)
    assert 3 <= len(made) <= 63
    assert made.replace("-", "").isalnum()
    assert made.isascii()
    assert made != collection_name(name + "2")


def test_spare_vectors_are_kept_up_to_a_bound(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(20):
        room.put("cat.md", f"A cat and {number} others.")
    with room.store.database.read() as db:
        assert db.execute("SELECT count(*) FROM vectors").fetchone()[0] == 22
    assert room.shelf.prune() == 0
    monkeypatch.setattr("lens_tui.index.vectors.SPARE", 3)
    assert room.shelf.prune() == 22 - 2 * 2 - 3
    assert room.shelf.missing() == 0
    room.sync()
    assert room.found("feline") == ["cat.md"]


def test_chroma_keeps_a_write_ahead_log_which_halves_the_time_of_an_add(room: Room) -> None:
    with sqlite3.connect(room.directory / "chroma" / "chroma.sqlite3") as db:
        assert db.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
    db.close()


def test_the_log_is_never_taken_away_under_chroma(room: Room) -> None:
    """A connection of Python's that is closed while Chroma has the file open takes the log from the disk."""
    room.dense.close()
    again = room.opened()
    again.open()
    room.put("new.md", "A lease.")
    room.sync(again)
    assert (room.directory / "chroma" / "chroma.sqlite3-wal").stat().st_size > 0
    for number in range(30):
        room.put(f"more{number}.md", f"A ship of number{number}.")
        room.sync(again)
        assert again.notes == []
    again.close()
    with sqlite3.connect(room.directory / "chroma" / "chroma.sqlite3") as db:
        assert db.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
    db.close()
    reopened = room.opened()
    assert room.found("law", reopened) == ["new.md"]
    reopened.close()
