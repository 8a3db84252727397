"""Vectors at 50,000 chunks: filling the collection, opening it, and searching it, alone and while vectors are added.

The vectors are the built-in ones, voting as a model's would, and each question's is made before it is asked: what an
embedding model takes for a question comes on top.

Run: python -m tests.benchmarks.vectors [--chunks 50000] [--keep DIRECTORY]
"""

import argparse
import random
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

from lens_tui.cancel import CancelToken
from lens_tui.chunking import RULES
from lens_tui.index.hashing import HashingEmbedder
from lens_tui.index.hybrid import HybridBackend
from lens_tui.index.opening import open_backend
from lens_tui.index.store import Store
from lens_tui.options import ChunkOptions
from lens_tui.text.words import ANALYSIS
from lens_tui.types import Chunk, Document, Place, Query, Recipe
from tests.benchmarks.search import QUERIES, corpus, line, question, timed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]


class Given(HashingEmbedder):
    """The built-in vectors with a vote, and a question's vector at once where it was made before."""

    semantic = True

    def __init__(self) -> None:
        super().__init__()
        self.made: dict[str, Vectors] = {}

    def query(self, text: str) -> "Vectors":
        if text not in self.made:
            self.made[text] = super().query(text)
        return self.made[text]


def opened(directory: Path) -> tuple[HybridBackend, Given]:
    """An index as it was made, or a new one."""
    embedder = Given()
    directory.mkdir(parents=True, exist_ok=True)
    store = Store(directory / "store.sqlite3")
    kept = store.recipe()
    store.close()
    recipe = Recipe("offline", kept.chunking if kept else ChunkOptions(overlap="0"), RULES, ANALYSIS, embedder.name)
    backend, notes = open_backend(directory, recipe=recipe, embedder=embedder)
    for note in notes:
        print(note)
    assert isinstance(backend, HybridBackend)
    return backend, embedder


def fill(backend: HybridBackend) -> None:
    """Make every vector that is missing."""
    begin, made = time.perf_counter(), 0
    while step := backend.embed_next(CancelToken()):
        made += step
    if made:
        print(f"{made} vectors made, stored and collected: {made / (time.perf_counter() - begin):.0f} a second")


REOPEN = """
import sys, time
from pathlib import Path
from tests.benchmarks.search import private_megabytes
from tests.benchmarks.vectors import opened
from lens_tui.types import Query
import numpy
empty = private_megabytes()
begin = time.perf_counter()
backend, embedder = opened(Path(sys.argv[1]))
backend.search(Query("how is a socket timeout raised"), 10)
words = time.perf_counter() - begin
begin = time.perf_counter()
found = backend.search(Query("how is a socket timeout raised", "vector"), 10)
print(words, time.perf_counter() - begin, len(found.hits), private_megabytes() - empty)
backend.close()
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chunks", type=int, default=50_000)
    parser.add_argument("--keep", type=Path, default=None)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        run(asked.keep or Path(temporary) / "index", asked.chunks)


def run(directory: Path, wanted: int) -> None:
    chance = random.Random(7)
    backend, embedder = opened(directory)
    if not backend.indexed():
        for document, cut in corpus(wanted):
            backend.replace(document, cut)
        backend.flush()
    fill(backend)
    files, chunks, vectors, _ = backend.counts()
    print(f"{files} files, {chunks} chunks, {vectors} vectors of {embedder.dimensions} values")
    backend.close()
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", REOPEN, str(directory)], capture_output=True, text=True, check=True
        )
        words, opening, hits, memory = (float(part) for part in done.stdout.split())
        print(
            f"reopen to the first search by words {words * 1000:.0f} ms; then to the first by vectors"
            f" {opening * 1000:.0f} ms, Chroma's import among it ({hits:.0f} hits); private memory {memory:.0f} MB"
        )
    backend, embedder = opened(directory)
    searches(backend, embedder, chance)
    backend.close()


def searches(backend: HybridBackend, embedder: Given, chance: random.Random) -> None:
    """Time searches of an idle engine, then of one that adds vectors."""
    paths = sorted(backend.indexed())
    paths = chance.sample(paths, min(300, len(paths)))
    every = [chunk for path in paths for chunk in backend.chunks_of(path)]
    questions = [question(chance, every, count) for _ in range(QUERIES // 2) for count in (2, chance.randint(5, 15))]
    for text in questions:
        embedder.query(text)
    backend.search(Query(questions[0], "hybrid"), 10)
    for name, retriever in (("words alone", "lexical"), ("vectors alone", "vector"), ("hybrid", "hybrid")):
        times: list[float] = []
        for text in questions:
            timed(times, backend.search, Query(text, retriever), 10)  # type: ignore[arg-type]  # one of the three
        line(f"{name}, idle", times)
    times = []
    for chunk in chance.sample(every, min(100, len(every))):
        timed(times, backend.related, Place(chunk.path, chunk=chunk.index), 10)
    line("related passages, idle", times)
    while_adding(backend, questions, every)


def while_adding(backend: HybridBackend, questions: list[str], every: list[Chunk]) -> None:
    """Time hybrid searches while another thread adds the vectors of new files, as fast as it can."""
    stop = threading.Event()
    added = 0

    def add() -> None:
        nonlocal added
        number = 0
        while not stop.is_set():
            number += 1
            texts = [f"{chunk.text}\n{number}" for chunk in every[number * 64 % len(every) :][:64]]
            backend.replace(*_document(f"new/{number}.txt", texts))
            while not stop.is_set() and (step := backend.embed_next(CancelToken())):
                added += step

    thread = threading.Thread(target=add)
    thread.start()
    begin = time.perf_counter()
    times: list[float] = []
    for text in questions:
        timed(times, backend.search, Query(text, "hybrid"), 10)
        time.sleep(0.02)
    took = time.perf_counter() - begin
    stop.set()
    thread.join()
    line(f"hybrid while {added / took:.0f} vectors a second are added", times)
    for path in [path for path in backend.indexed() if path.startswith("new/")]:
        backend.forget(path)


def _document(path: str, texts: list[str]) -> tuple[Document, list[Chunk]]:
    whole = "".join(texts)
    checksum = f"{abs(hash(whole)):064x}"
    document = Document(path, whole, checksum)
    found, at = [], 0
    for number, text in enumerate(texts):
        found.append(Chunk(path, checksum, number, at, at + len(text), text, (number + 1, number + 1), len(text) // 4))
        at += len(text)
    return document, found


if __name__ == "__main__":
    main()
