"""Opening: what a changed recipe makes anew, what stays, what is said; and what a kill leaves."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest

from lens_tui.cancel import CancelToken
from lens_tui.errors import StoreError
from lens_tui.index.database import UNUSED_PAGES
from lens_tui.index.hashing import HashingEmbedder
from lens_tui.index.hybrid import HybridBackend
from lens_tui.index.opening import open_backend
from lens_tui.index.vectors import SPARE
from lens_tui.options import ChunkOptions
from lens_tui.text.words import ANALYSIS
from lens_tui.types import UNTRUSTED, Query
from tests.index.making import Concepts, embed_all, opened, put, recipe


def notes_of(directory: Path, embedder: Concepts, **changes: object) -> tuple[HybridBackend, str]:
    backend, notes = open_backend(directory, recipe=recipe(embedder, **changes), embedder=embedder, spawn_canary=False)
    assert isinstance(backend, HybridBackend)
    return backend, " ".join(notes)


@pytest.fixture
def filled(tmp_path: Path) -> tuple[Path, Concepts]:
    embedder = Concepts()
    backend = opened(tmp_path / "index", embedder)
    put(backend, "cat.md", "A cat sleeps.")
    put(backend, "ship.md", "A ship sails.")
    embed_all(backend)
    backend.close()
    return tmp_path / "index", embedder


def test_the_same_recipe_opens_what_is_there_and_says_nothing(filled: tuple[Path, Concepts]) -> None:
    backend, notes = notes_of(*filled)
    assert notes == ""
    assert backend.counts() == (2, 2, 2, 0)
    assert [hit.path for hit in backend.search(Query("feline", "vector"), 5).hits] == ["cat.md"]
    assert len(filled[1].asked) == 3
    backend.close()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"chunking": ChunkOptions(size=100)}, "Chunk.size (its default → 100) has changed"),
        (
            {"chunking": ChunkOptions(strategy="fixed", overlap="0")},
            "Chunk.strategy (auto → fixed) and chunk.overlap (its default → 0) have changed",
        ),
        ({"chunking": ChunkOptions(levels=(1, 3))}, "Chunk.levels (its default → 1 3) has changed"),
        ({"rules": "cut-0"}, "The way texts are cut has changed"),
        ({"tokenizer": "cl100k_base"}, "The tokenizer has changed"),
    ],
)
def test_a_recipe_that_cuts_otherwise_has_every_file_cut_anew_and_found_until_then(
    filled: tuple[Path, Concepts], change: dict[str, object], words: str
) -> None:
    directory, embedder = filled
    backend, notes = notes_of(directory, embedder, **change)
    assert words in notes
    assert "every file is read and cut anew" in notes
    assert {record.mtime_ns for record in backend.indexed().values()} == {UNTRUSTED}
    assert [hit.path for hit in backend.search(Query("cat"), 5).hits] == ["cat.md"]
    put(backend, "cat.md", "A cat sleeps.")
    backend.close()
    backend, notes = notes_of(directory, embedder, **change)
    assert notes == ""
    assert {path: record.mtime_ns == UNTRUSTED for path, record in backend.indexed().items()} == {
        "cat.md": False,
        "ship.md": True,
    }
    backend.close()


def test_another_analysis_of_words_takes_every_file_out_and_keeps_vectors(filled: tuple[Path, Concepts]) -> None:
    directory, embedder = filled
    backend, notes = notes_of(directory, embedder, analysis="words-0")
    assert notes == "The analysis of words has changed, so every file is read and cut anew."
    assert backend.counts() == (0, 0, 0, 0)
    assert backend.search(Query("cat"), 5).hits == ()
    asked = len(embedder.asked)
    put(backend, "cat.md", "A cat sleeps.")
    embed_all(backend)
    assert len(embedder.asked) == asked
    assert backend.counts() == (1, 1, 1, 0)
    backend.close()


def test_an_index_of_an_older_program_is_cut_anew(filled: tuple[Path, Concepts]) -> None:
    directory, embedder = filled
    kept = recipe(embedder, analysis=f"{ANALYSIS}, names ×3")
    older = {"tokenizer": kept.tokenizer, "strategy": "paragraph", "size": 220, "overlap": 40}
    older |= {"analysis": kept.analysis, "embedder": kept.embedder}
    with closing(sqlite3.connect(directory / "store.sqlite3")) as db, db:
        db.execute("UPDATE meta SET value = ? WHERE key = 'recipe'", (json.dumps(older),))
    backend, notes = notes_of(directory, embedder)
    assert notes == "The way texts are cut has changed, so every file is read and cut anew."
    assert backend.counts() == (2, 2, 2, 0)
    backend.close()


def test_a_recipe_taken_over_by_an_open_index_is_the_one_it_is_opened_with(filled: tuple[Path, Concepts]) -> None:
    directory, embedder = filled
    other = {"chunking": ChunkOptions(size=100)}
    backend, _ = notes_of(directory, embedder)
    backend.distrust(recipe(embedder, **other))
    assert {record.mtime_ns for record in backend.indexed().values()} == {UNTRUSTED}
    backend.close()
    backend, notes = notes_of(directory, embedder, **other)
    assert notes == ""
    backend.close()


def test_another_embedder_makes_only_vectors_anew_and_going_back_makes_none(filled: tuple[Path, Concepts]) -> None:
    directory, embedder = filled
    other = Concepts("concepts-2", dimensions=12)
    backend, notes = notes_of(directory, other)
    assert "concepts-2 (it was concepts-1)" in notes
    assert backend.counts() == (2, 2, 0, 2)
    assert [hit.path for hit in backend.search(Query("cat"), 5).hits] == ["cat.md"]
    embed_all(backend)
    assert len(other.asked) == 2
    assert [hit.path for hit in backend.search(Query("feline", "vector"), 5).hits] == ["cat.md"]
    backend.close()
    asked = len(embedder.asked)
    backend, notes = notes_of(directory, embedder)
    assert "concepts-1 (it was concepts-2)" in notes
    embed_all(backend)
    assert len(embedder.asked) == asked
    assert [hit.path for hit in backend.search(Query("vessel", "vector"), 5).hits] == ["ship.md"]
    backend.close()


def test_a_second_opening_of_the_same_directory_is_refused(filled: tuple[Path, Concepts]) -> None:
    backend, _ = notes_of(*filled)
    with pytest.raises(StoreError, match="Another lens-tui") as caught:
        notes_of(*filled)
    assert caught.value.hint
    backend.close()


def test_a_directory_that_cannot_be_is_one_sentence_and_a_step(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError) as caught:
        opened(tmp_path / "file" / "index", HashingEmbedder())
    assert caught.value.hint


def test_a_broken_store_is_set_aside_and_everything_is_made_anew(filled: tuple[Path, Concepts]) -> None:
    directory, embedder = filled
    for end in ("", "-wal", "-shm"):
        (directory / f"store.sqlite3{end}").unlink(missing_ok=True)
    (directory / "store.sqlite3").write_bytes(b"nothing of a database in here " * 300)
    backend, notes = notes_of(directory, embedder)
    assert "set aside as store.sqlite3.broken" in notes
    assert backend.counts() == (0, 0, 0, 0)
    assert backend.search(Query("cat"), 5).hits == ()
    put(backend, "cat.md", "A cat sleeps.")
    embed_all(backend)
    assert [hit.path for hit in backend.search(Query("feline", "vector"), 5).hits] == ["cat.md"]
    backend.close()


def test_an_unfinished_embedding_goes_on_where_it_was(filled: tuple[Path, Concepts]) -> None:
    directory, embedder = filled
    backend, _ = notes_of(directory, embedder)
    put(backend, "more.md", "A lease.\n\nMuch rain.")
    backend.close()
    backend, notes = notes_of(directory, embedder)
    assert notes == ""
    assert backend.counts() == (3, 4, 2, 2)
    embed_all(backend)
    assert backend.counts() == (3, 4, 4, 0)
    backend.close()


def test_opening_and_searching_by_words_loads_no_chroma(filled: tuple[Path, Concepts]) -> None:
    code = (
        "import sys, pathlib; from tests.index.making import Concepts, opened; from lens_tui.types import Query\n"
        "backend = opened(pathlib.Path(sys.argv[1]), Concepts())\n"
        "print(len(backend.search(Query('cat'), 5).hits), 'chromadb' in sys.modules); backend.close()"
    )
    run = subprocess.run(
        [sys.executable, "-c", code, str(filled[0])], capture_output=True, text=True, check=True, timeout=60
    )
    assert run.stdout.split() == ["1", "False"]


CHILD = """
import sys, pathlib, itertools, threading
from tests.index.making import Concepts, opened, put
from lens_tui.cancel import CancelToken
backend = opened(pathlib.Path(sys.argv[1]), Concepts())
def embed():
    while True:
        backend.embed_next(CancelToken())
threading.Thread(target=embed, daemon=True).start()
for number in itertools.count(int(sys.argv[2])):
    put(backend, f"{number}.md", f"The lease of house{number}.\\n\\nA cat in house{number}.")
    if number % 3 == 0:
        put(backend, "changing.md", f"State number{number}.")
    if number % 5 == 0 and number > 5:
        backend.forget(f"{number - 5}.md")
    print(number, flush=True)
"""


@pytest.mark.timeout(180)
def test_a_kill_at_any_moment_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    directory = tmp_path / "index"
    first = 1
    for round_, seconds in enumerate((0.9, 1.6, 0.7)):
        child = subprocess.Popen(
            [sys.executable, "-c", CHILD, str(directory), str(first)], stdout=subprocess.PIPE, text=True
        )
        assert child.stdout is not None
        last = int(child.stdout.readline())
        threading.Timer(seconds, os.kill, (child.pid, signal.SIGKILL)).start()
        for line in child.stdout:
            # A line that the kill cut short acknowledges nothing.
            last = int(line) if line.endswith("\n") else last
        child.wait()
        child.stdout.close()
        backend, notes = notes_of(directory, Concepts())
        assert notes == ""
        forgotten = {n - 5 for n in range(10, last + 1) if n % 5 == 0}
        for number in [*range(1, min(last, 40)), *range(max(1, last - 60), last + 1)]:
            if number == last - 4 and (last + 1) % 5 == 0:
                # The step that the kill cut short may have forgotten it: nobody was told either way.
                continue
            found = [hit.path for hit in backend.search(Query(f"house{number}"), 5).hits]
            assert set(found) <= {f"{number}.md"}
            assert bool(found) is (number not in forgotten), (round_, number, last)
        # Replaced in one step: whatever of the next round was written, one whole state of it is there.
        assert len(backend.chunks_of("changing.md")) == (1 if last >= 3 else 0)
        embed_all(backend)
        files, chunks, with_vector, without = backend.counts()
        assert (with_vector, without) == (chunks, 0)
        found = [hit.path for hit in backend.search(Query("feline", "vector"), 50).hits]
        assert found
        assert set(found) <= set(backend.indexed())
        backend.close()
        first = last + 1
        assert files > 0


def test_searching_from_one_thread_while_another_replaces(tmp_path: Path) -> None:
    backend = opened(tmp_path, Concepts())
    for number in range(20):
        put(backend, f"{number}.md", "The steady lease.")
    stop = threading.Event()
    broken: list[BaseException] = []

    def churn() -> None:
        number = 0
        try:
            while not stop.is_set():
                put(backend, "a.md", f"The moving harbour {number}.\n\nA second harbour {number}.")
                backend.embed_next(CancelToken())
                number += 1
        except BaseException as error:
            broken.append(error)
            raise

    put(backend, "a.md", "The moving harbour.\n\nA second harbour.")
    thread = threading.Thread(target=churn)
    thread.start()
    until = time.monotonic() + 4.0
    try:
        while time.monotonic() < until:
            steady = backend.search(Query("steady"), 50)
            assert len(steady.hits) == 20
            moving = backend.search(Query("harbour"), 50)
            assert [hit.path for hit in moving.hits] == ["a.md", "a.md"]
            assert len({hit.checksum for hit in moving.hits}) == 1
    finally:
        stop.set()
        thread.join()
        backend.close()
    assert broken == []


def test_room_that_dropped_vectors_leave_goes_back_to_the_disk_and_nothing_else_goes(
    filled: tuple[Path, Concepts],
) -> None:
    directory, embedder = filled
    many = 3 * SPARE + UNUSED_PAGES
    with closing(sqlite3.connect(directory / "store.sqlite3")) as db, db:
        # What other ways to cut left behind.
        rows = [(7, str(number).encode(), bytes(2048)) for number in range(many)]
        db.executemany("INSERT INTO vectors (embedder, key, vector) VALUES (?, ?, ?)", rows)
    before = (directory / "store.sqlite3").stat().st_size
    backend, notes = notes_of(directory, embedder)
    assert (directory / "store.sqlite3").stat().st_size < before / 2
    assert (directory / "store.sqlite3-wal").stat().st_size < before / 10
    assert notes == ""
    assert backend.counts() == (2, 2, 2, 0)
    assert [hit.path for hit in backend.search(Query("feline", "vector"), 5).hits] == ["cat.md"]
    backend.close()
    with closing(sqlite3.connect(directory / "store.sqlite3")) as db:
        assert db.execute("SELECT count(*) FROM vectors").fetchone()[0] == 4 + SPARE
