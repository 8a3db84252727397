"""Vectors are made a second's work at a time, stored before the next batch begins, and go on where they stopped."""

import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from lens_tui.cancel import CancelToken
from lens_tui.index.dense import Dense
from lens_tui.index.filling import FIRST, MODEL_SECONDS, MOST, Filling, Pace, Quiet
from lens_tui.index.store import Store
from lens_tui.index.vectors import VectorShelf, vector_key
from lens_tui.protocols import Cancel
from lens_tui.types import Query
from tests.index.making import Concepts, chunks, document, embed_all, opened, put

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]


class Slow(Concepts):
    """Takes so many seconds of its own clock a text."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self.seconds = seconds
        self.now = 0.0
        self.batches: list[int] = []

    def passages(self, texts: Sequence[str], cancel: Cancel | None = None) -> "Vectors":
        self.batches.append(len(texts))
        self.now += self.seconds * len(texts)
        return super().passages(texts, cancel)


@pytest.mark.parametrize(("rate", "size"), [(0.2, 1), (22, 22), (100, 100), (5_000, MOST)])
def test_a_batch_grows_or_shrinks_to_a_second_of_work(rate: float, size: int) -> None:
    pace = Pace(1.0)
    assert pace.size == FIRST
    for _ in range(12):
        pace.took(pace.size, pace.size / rate)
    assert abs(pace.size - size) <= 1


def test_one_fast_batch_at_most_doubles_the_next() -> None:
    pace = Pace(1.0)
    pace.took(8, 1.0)
    assert pace.size == 8
    pace.took(8, 0.0)
    assert pace.size == 16


def test_the_batches_of_an_index_follow_the_models_own_speed(tmp_path: Path) -> None:
    embedder = Slow(MODEL_SECONDS / 20)
    store = Store(tmp_path / "store.sqlite3")
    shelf = VectorShelf(store, embedder.name)
    made = document("a.md", "\n\n".join(f"The lease of house{number}." for number in range(100)))
    cut = chunks(made)
    keys = [vector_key(shelf.passage(chunk, "")) for chunk in cut]
    store.replace(made, cut, [(1, 1)] * len(cut), keys, shelf.embedder)
    dense = Dense(tmp_path / "chroma", embedder.name, shelf, spawn_canary=False)
    filling = Filling(shelf, dense, embedder, Quiet(), clock=lambda: embedder.now)
    while filling.step(CancelToken()):
        pass
    assert embedder.batches[0] == FIRST
    assert embedder.batches[2] == 20
    assert sum(embedder.batches) == 100
    dense.close()
    store.close()


CHILD = """
import sys, os, pathlib
from lens_tui.cancel import CancelToken
from tests.index.making import Concepts, opened
backend = opened(pathlib.Path(sys.argv[1]), Concepts())
made = backend.embed_next(CancelToken())
print(made, flush=True)
os.kill(os.getpid(), 9)
"""


def test_embedding_that_was_killed_goes_on_with_what_is_missing(tmp_path: Path) -> None:
    directory = tmp_path / "index"
    embedder = Concepts()
    backend = opened(directory, embedder)
    for number in range(40):
        put(backend, f"{number}.md", f"The lease of house{number}.")
    put(backend, "cat.md", "A cat sleeps.")
    backend.close()
    killed = subprocess.run(
        [sys.executable, "-c", CHILD, str(directory)], capture_output=True, text=True, check=False, timeout=120
    )
    assert killed.returncode == -9, killed.stderr
    made = int(killed.stdout)
    assert 0 < made < 41
    backend = opened(directory, embedder)
    found = backend.search(Query("cat lease", "hybrid"), 3)
    assert found.retriever == "hybrid"
    assert f"{41 - made} of 41 chunks have no vector yet and are found by words only." in found.notes
    assert "cat.md" in [hit.path for hit in found.hits]
    embedder.asked.clear()
    embed_all(backend)
    assert len(embedder.asked) == 41 - made
    assert backend.counts() == (41, 41, 41, 0)
    backend.close()


def test_vectors_wait_for_a_search_that_is_under_way() -> None:
    quiet, done = Quiet(), threading.Event()

    def wait() -> None:
        quiet.wait()
        done.set()

    with quiet.broken():
        thread = threading.Thread(target=wait)
        thread.start()
        assert not done.wait(0.1)
    assert done.wait(2)
    thread.join()


def test_what_stands_around_a_passage_is_part_of_what_is_embedded_and_of_its_key(tmp_path: Path) -> None:
    frame = "title: {title} | text: {text}"
    directory = tmp_path / "index"
    plain = Concepts()
    backend = opened(directory, plain)
    put(backend, "a.md", "A cat sleeps.", title="Of cats", heading=("Pets",))
    embed_all(backend)
    assert plain.asked == ["Pets\n\nA cat sleeps."]
    backend.close()
    framed = Concepts(frame=frame)
    backend = opened(directory, framed)
    assert backend.counts() == (1, 1, 0, 1)
    put(backend, "b.md", "A ship sails.")
    embed_all(backend)
    assert framed.asked == ["title: Of cats | text: Pets\n\nA cat sleeps.", "title: none | text: A ship sails."]
    assert [hit.path for hit in backend.search(Query("vessel", "vector"), 1).hits] == ["b.md"]
    backend.close()
    backend = opened(directory, plain)
    embed_all(backend)
    assert plain.asked[1:] == ["A ship sails."]
    backend.close()


def test_where_a_chunk_stands_is_embedded_before_it_as_its_strategy_tells(tmp_path: Path) -> None:
    embedder = Concepts()
    backend = opened(tmp_path / "index", embedder)
    for strategy, path in (("code", "src/cats.py"), ("hierarchical", "cats.md")):
        read = document(path, "A cat sleeps.")
        cut = [replace(chunk, strategy=strategy, heading=("Cat", "sleep")) for chunk in chunks(read)]
        backend.replace(read, cut)
    embed_all(backend)
    assert embedder.asked == ["cats.py › Cat › sleep\n\nA cat sleeps.", "Context: Cat > sleep\n\nA cat sleeps."]
    assert backend.counts()[3] == 0
    backend.close()


def test_vectors_of_a_model_that_cannot_read_the_question_have_no_vote(tmp_path: Path) -> None:
    embedder = Concepts()
    embedder.unread = "猫"
    backend = opened(tmp_path / "index", embedder)
    put(backend, "cat.md", "A cat sleeps.")
    put(backend, "neko.md", "猫が眠る。")
    embed_all(backend)
    asked = len(embedder.asked)
    found = backend.search(Query("猫", "hybrid"), 5)
    assert (found.retriever, [hit.path for hit in found.hits]) == ("lexical", ["neko.md"])
    assert found.notes == ("concepts-1 was not trained to read this language: this is by words alone.",)
    assert len(embedder.asked) == asked
    alone = backend.search(Query("猫", "vector"), 5)
    assert alone.retriever == "vector"
    assert "concepts-1 was not trained to read this language, so its vectors say little here." in alone.notes
    backend.close()
