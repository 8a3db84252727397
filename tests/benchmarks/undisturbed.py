"""Searches as they are when nothing else runs: each query in several processes in turn, and the least of its times.

For machines that are shared: what neighbours take falls out, and p99 is of slow queries, not of slow moments. Tantivy's
own time for two words on the same index tells how fast the machine was.

Run: python -m tests.benchmarks.undisturbed DIRECTORY [--retriever lexical|hybrid] [--processes 4] [--queries 150]

DIRECTORY is what ``tests.benchmarks.search --keep`` made, or for ``hybrid`` ``tests.benchmarks.vectors --keep``.
"""

import argparse
import gc
import json
import random
import subprocess
import sys
import time
from pathlib import Path

import tantivy

from lens_tui.index.fresh import FIELDS, WORDS
from lens_tui.index.hybrid import HybridBackend
from lens_tui.text.words import terms
from lens_tui.types import Query, Retriever
from tests.benchmarks import search, vectors
from tests.benchmarks.search import line, question, timed

SEED = 7
"""Of the queries: the same ones in every process."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--retriever", choices=("lexical", "hybrid"), default="lexical")
    parser.add_argument("--processes", type=int, default=4)
    parser.add_argument("--queries", type=int, default=150, help="of each kind")
    parser.add_argument("--once", action="store_true", help="print the times of this process as JSON")
    given = parser.parse_args()
    if given.once:
        print(json.dumps(once(given.directory, given.retriever, given.queries)))
        return
    command = [sys.executable, "-m", __spec__.name, *sys.argv[1:], "--once"]
    runs = [
        json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout) for _ in range(given.processes)
    ]
    least = {kind: [min(times) for times in zip(*(run[kind] for run in runs), strict=True)] for kind in runs[0]}
    bare = least.pop("tantivy")
    line("tantivy alone on the same index, two words", bare)
    beside = {"tantivy, two words": sorted(bare)[len(bare) // 2]}
    for kind, times in least.items():
        line(f"{given.retriever}, {kind}", times, beside)
    line(f"{given.retriever}, mixed", [ms for times in least.values() for ms in times], beside)


def once(directory: Path, retriever: Retriever, count: int) -> dict[str, list[float]]:
    """Milliseconds of each query by its kind, none of them asked before."""
    embedder = None
    if retriever == "hybrid":
        backend, embedder = vectors.opened(directory)
    else:
        backend = search.opened(directory)
    chance = random.Random(SEED)
    paths = sorted(backend.indexed())
    every = [chunk for path in chance.sample(paths, min(300, len(paths))) for chunk in backend.chunks_of(path)]
    queries = [(question(chance, every, 2), question(chance, every, chance.randint(5, 15))) for _ in range(count)]
    if embedder is not None:
        for text in [text for pair in queries for text in pair]:
            embedder.query(text)
    backend.search(Query("how is a socket timeout raised", retriever), 10)
    time.sleep(0.5)
    gc.collect()
    gc.freeze()
    found: dict[str, list[float]] = {"tantivy": [], "two words": [], "5 to 15 words": []}
    for two, many in queries:
        timed(found["tantivy"], bare, backend, two)
        timed(found["two words"], backend.search, Query(two, retriever), 10)
        timed(found["5 to 15 words"], backend.search, Query(many, retriever), 10)
    backend.close()
    return found


def bare(backend: HybridBackend, text: str) -> object:
    """Ten chunks by tantivy alone, as the words stand."""
    reading = backend._fulltext._files.reading
    parts = [
        (tantivy.Occur.Should, tantivy.Query.term_query(reading._schema, FIELDS[WORDS], term)) for term in terms(text)
    ]
    return reading._searcher.search(tantivy.Query.boolean_query(parts), 10, count=False).hits


if __name__ == "__main__":
    main()
