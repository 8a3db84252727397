"""Search, updates, memory and reopening at 50,000 chunks, beside bare tantivy and SQLite FTS5 on the same texts.

Run: python -m tests.benchmarks.search [--chunks 50000] [--queries 400] [--vectors 2000] [--keep DIRECTORY]

The texts are this machine's own: Python's libraries, what packages document, manual pages (500,000 chunks need those of
a few hundred packages). Two-word queries and questions of 5 to 15 words are drawn from them and asked in turn.
"""

import argparse
import gc
import gzip
import hashlib
import random
import re
import sqlite3
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import tantivy

from lens_tui.cancel import CancelToken
from lens_tui.chunking import RULES
from lens_tui.index.hashing import HashingEmbedder
from lens_tui.index.hybrid import HybridBackend
from lens_tui.index.matching import Ranked
from lens_tui.index.opening import open_backend
from lens_tui.options import ChunkOptions
from lens_tui.text.words import ANALYSIS, asked, terms
from lens_tui.types import Chunk, Document, Query, Recipe

CHUNK_CHARACTERS = 900
"""About 220 tokens of English."""

QUERIES = 400
"""Of each kind."""


def corpus(wanted: int) -> Iterator[tuple[Document, list[Chunk]]]:
    """Documents from this machine's own texts, cut at line ends, until there are enough chunks."""
    paths = sysconfig.get_paths()
    shared = ("doc", "perl", "man")
    roots = [Path(paths["stdlib"]), *(Path("/usr/share") / name for name in shared), Path(paths["purelib"])]
    made = 0
    for root in roots:
        for file in sorted(root.rglob("*")):
            if file.suffix not in {".py", ".md", ".txt", ".rst", ".pod", ".pl", ".pm", ".html", ".gz", ""}:
                continue
            if not file.is_file() or file.is_symlink() or not 500 < file.stat().st_size < 400_000:
                continue
            try:
                held = file.read_bytes()
                text = (gzip.decompress(held) if file.suffix == ".gz" else held).decode("utf-8")
            except (UnicodeDecodeError, OSError, EOFError):
                continue
            document = Document(str(file).lstrip("/"), text, hashlib.sha256(text.encode()).hexdigest())
            cut = chunks(document)
            yield document, cut
            made += len(cut)
            if made >= wanted:
                return


def chunks(document: Document) -> list[Chunk]:
    """Lines packed to about CHUNK_CHARACTERS."""
    found: list[Chunk] = []
    start = at = first = 0
    for line, row in enumerate(document.text.splitlines(keepends=True), 1):
        at += len(row)
        if at - start >= CHUNK_CHARACTERS or at == len(document.text):
            text = document.text[start:at]
            lines = (first + 1, line)
            found.append(Chunk(document.path, document.checksum, len(found), start, at, text, lines, len(text) // 4))
            start, first = at, line
    return found


def opened(directory: Path) -> HybridBackend:
    embedder = HashingEmbedder()
    recipe = Recipe("offline", ChunkOptions(overlap="0"), RULES, ANALYSIS, embedder.name)
    backend, _ = open_backend(directory, recipe=recipe, embedder=embedder)
    assert isinstance(backend, HybridBackend)
    return backend


def private_megabytes() -> float:
    """Memory of this process that nobody shares."""
    rollup = Path("/proc/self/smaps_rollup").read_text()
    return sum(int(row.split()[1]) for row in rollup.splitlines() if row.startswith("Private_")) / 1024


def timed(times: list[float], act: Callable[..., object], *given: object) -> None:
    begin = time.perf_counter()
    act(*given)
    times.append((time.perf_counter() - begin) * 1000)


def line(name: str, times: list[float], beside: Mapping[str, float] | None = None) -> None:
    """Print a row, with its ratio to the p50 of others on the same queries, by their names."""
    times = sorted(times)
    p50, p99 = statistics.median(times), times[int(len(times) * 0.99) - 1]
    ratios = "".join(f"   {p50 / other:5.2f} × {of}" for of, other in (beside or {}).items())
    print(f"{name:<46} p50 {p50:8.2f} ms   p99 {p99:8.2f} ms{ratios}", flush=True)


def bare(texts: list[str], directory: Path) -> Callable[[str], object]:
    """A tantivy index of the same terms and nothing else."""
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("body", tokenizer_name="whitespace", index_option="freq")
    schema = builder.build()
    (directory / "bare").mkdir()
    index = tantivy.Index(schema, path=str(directory / "bare"))
    writer = index.writer(15_000_000, 1)
    for text in texts:
        document = tantivy.Document()
        document.add_text("body", " ".join(terms(text)))
        writer.add_document(document)
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    searcher = index.searcher()

    def search(query: str) -> object:
        parts = [(tantivy.Occur.Should, tantivy.Query.term_query(schema, "body", term)) for term in terms(query)]
        return searcher.search(tantivy.Query.boolean_query(parts), 10, count=False).hits

    return search


def fts5(texts: list[str], directory: Path) -> Callable[[str], object]:
    """SQLite's own full text over the same texts, any of the words."""
    database = sqlite3.connect(directory / "fts5.sqlite3")
    database.execute("CREATE VIRTUAL TABLE texts USING fts5(text, tokenize=unicode61)")
    database.executemany("INSERT INTO texts(text) VALUES (?)", ((text,) for text in texts))
    database.commit()

    def search(query: str) -> object:
        wanted = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", query))
        sql = "SELECT rowid, rank FROM texts WHERE texts MATCH ? ORDER BY rank LIMIT 10"
        return database.execute(sql, (wanted,)).fetchall() if wanted else ()

    return search


REOPEN = """
import sys, time
begin = time.perf_counter()
from pathlib import Path
from tests.benchmarks.search import opened, private_megabytes
from lens_tui.types import Query
loaded = time.perf_counter()
empty = private_megabytes()
backend = opened(Path(sys.argv[1]))
found = backend.search(Query("how is a socket timeout raised"), 10)
print(time.perf_counter() - begin, time.perf_counter() - loaded, len(found.hits))
for query in sys.argv[2:]:
    backend.search(Query(query), 10)
print(private_megabytes() - empty)
backend.close()
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chunks", type=int, default=50_000)
    parser.add_argument("--queries", type=int, default=QUERIES)
    parser.add_argument("--vectors", type=int, default=2_000)
    parser.add_argument("--keep", type=Path, default=None)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        run(given.keep or Path(temporary) / "index", Path(temporary), given)


def run(directory: Path, temporary: Path, given: argparse.Namespace) -> None:
    chance = random.Random(7)
    empty = private_megabytes()
    backend = opened(directory)
    documents = list(corpus(given.chunks))
    every = [chunk for _, cut in documents for chunk in cut]
    if not backend.indexed():
        begin = time.perf_counter()
        for document, cut in documents:
            backend.replace(document, cut)
        took = time.perf_counter() - begin
        print(f"{len(documents)} files, {len(every)} chunks put in: {len(every) / took:.0f} chunks/s")
        begin = time.perf_counter()
        backend.flush()
        print(
            f"flush {time.perf_counter() - begin:.2f} s; private memory {private_megabytes() - empty:.0f} MB with texts"
        )
    texts = [chunk.text for chunk in every]
    others = {"bare tantivy": bare(texts, temporary), "FTS5": fts5(texts, temporary)}
    questions = [question(chance, every, chance.randint(5, 15)) for _ in range(given.queries)]
    pairs = [question(chance, every, 2) for _ in range(given.queries)]
    mixed = [question(chance, every, count) for _ in range(given.queries) for count in (2, chance.randint(5, 15))]
    # The benchmark's own texts are no garbage: collecting would walk over them in the middle of a search.
    gc.collect()
    gc.freeze()
    searches(backend, others, {"two words": pairs, "5 to 15 words": questions, "mixed": mixed})
    updates(backend, documents, questions)
    vector_searches(backend, questions, given.vectors)
    backend.close()
    code = [sys.executable, "-c", REOPEN, str(directory), *questions[:100]]
    for _ in range(2):
        done = subprocess.run(code, capture_output=True, text=True, check=True)
        first, memory = done.stdout.splitlines()
        whole, opening, hits = (float(part) for part in first.split())
        print(
            f"reopen to first search: {opening * 1000:.0f} ms, {whole * 1000:.0f} with imports ({hits:.0f} hits);"
            f" private memory after 100 searches {float(memory):.0f} MB above an empty process"
        )


def searches(
    backend: HybridBackend, others: Mapping[str, Callable[[str], object]], queries: Mapping[str, list[str]]
) -> None:
    """Time each kind of query, none of them asked before: by others, by the whole recipe, and then by words alone."""
    for kind, asked_for in queries.items():
        beside: dict[str, float] = {}
        for name, search in others.items():
            times: list[float] = []
            for query in asked_for:
                timed(times, search, query)
            line(f"{name}, {kind}", times)
            beside[name] = statistics.median(times)
        whole: list[float] = []
        for query in asked_for:
            timed(whole, backend.search, Query(query), 10)
        line(f"the whole recipe, {kind}", whole, beside)
        words: list[float] = []
        for query in asked_for:
            timed(words, by_words, backend, query)
        line(f"words alone, {kind}", words, beside)


def by_words(backend: HybridBackend, query: str) -> Ranked:
    """The ten best chunks by their words as typed and their beginnings, without similar words and without texts."""
    return backend._fulltext.search(asked(query), 10, widen=False)


def question(chance: random.Random, every: list[Chunk], words: int) -> str:
    """Words that stand in one chunk, as a person asks who has read it."""
    while True:
        found = [word for word in chance.choice(every).text.split() if any(char.isalpha() for char in word)]
        if len(found) >= words:
            return " ".join(chance.sample(found, words))


def updates(backend: HybridBackend, documents: list[tuple[Document, list[Chunk]]], questions: list[str]) -> None:
    small = [(document, cut) for document, cut in documents if len(cut) <= 12][:200]
    times: list[float] = []
    for document, cut in small:
        timed(times, backend.replace, document, cut)
    line("a file of up to 12 chunks replaced, searchable", times)
    stop = threading.Event()

    def churn() -> None:
        while not stop.is_set():
            for document, cut in small:
                backend.replace(document, cut)
                if stop.wait(0.005):
                    return

    thread = threading.Thread(target=churn)
    thread.start()
    times = []
    for query in questions:
        timed(times, backend.search, Query(query), 10)
    stop.set()
    thread.join()
    line("search while files are replaced", times)
    backend.flush()


def vector_searches(backend: HybridBackend, questions: list[str], wanted: int) -> None:
    made, begin = 0, time.perf_counter()
    while made < wanted:
        step = backend.embed_next(CancelToken())
        if not step:
            break
        made += step
    if made:
        print(f"built-in vectors: {made / (time.perf_counter() - begin):.0f} chunks/s, made, stored and collected")
    times: list[float] = []
    for query in questions[:100]:
        timed(times, backend.search, Query(query, "vector"), 10)
    line("vector search", times)
    stop = threading.Event()

    def embed() -> None:
        while not stop.is_set() and backend.embed_next(CancelToken()):
            pass

    thread = threading.Thread(target=embed)
    thread.start()
    times = []
    for query in questions[:200]:
        timed(times, backend.search, Query(query), 10)
        time.sleep(0.01)
    stop.set()
    thread.join()
    line("search by words while vectors are added", times)


if __name__ == "__main__":
    main()
