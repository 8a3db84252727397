"""How well words alone find: the measures of ``lens-tui eval`` on a folder with known answers, and with typing errors.

Run: python -m tests.benchmarks.ranking FOLDER QUESTIONS.jsonl [--strategy auto] [--size N] [--overlap N] [--typos]

The folder is read, cut and indexed as the app does it, in a directory of its own. With ``--typos`` every content word
of every question gets one typing error, and SQLite FTS5 is asked too, both clean and with the errors.
"""

import argparse
import random
import re
import sqlite3
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from lens_tui.chunking import RULES, chunker_for
from lens_tui.evaluation import DEPTH, Question, Trial, figures, parse_questions, place
from lens_tui.files.reading import Reader
from lens_tui.files.scan import Scanner
from lens_tui.index.hashing import HashingEmbedder
from lens_tui.index.opening import open_backend
from lens_tui.options import DEFAULTS, ChunkOptions
from lens_tui.protocols import SearchBackend
from lens_tui.text.stopwords import STOP_WORDS
from lens_tui.text.tokens import open_tokenizer
from lens_tui.text.words import ANALYSIS
from lens_tui.types import Document, Query, Recipe, SearchHit

SHOWN = ("recall@1", "recall@5", "mrr@10", "ndcg@10", "char_recall@4000", "iou@5")

LETTERS = ("abcdefghijklmnopqrstuvwxyz", "абвгдежзийклмнопрстуфхцчшщъыьэюя", "αβγδεζηθικλμνξοπρστυφχψω")


def read(folder: Path) -> list[Document]:
    """The folder's files as the app reads them."""
    reader = Reader(folder)
    scanned = Scanner(folder, max_bytes=20_000_000, hidden=False, exclude=()).scan()
    read = (reader.read(found) for _, found in sorted(scanned.found.items()))
    return [document for document in read if isinstance(document, Document)]


def indexed(directory: Path, documents: Sequence[Document], options: ChunkOptions = DEFAULTS) -> SearchBackend:
    tokenizer, embedder = open_tokenizer("offline"), HashingEmbedder()
    chunker = chunker_for(options, tokenizer)
    recipe = Recipe(tokenizer.name, options, RULES, ANALYSIS, embedder.name)
    backend, _ = open_backend(directory, recipe=recipe, embedder=embedder, vector=False)
    for document in documents:
        backend.replace(document, chunker.chunk(document).chunks)
    backend.flush()
    return backend


def misspelled(text: str, chance: random.Random) -> str:
    """The text with one typing error in each word of four letters or more that is no stop word."""

    def wrong(match: re.Match[str]) -> str:
        word = match[0]
        if len(word) < 4 or word.casefold() in STOP_WORDS:
            return word
        letters = next((one for one in LETTERS if word[0].casefold() in one), "")
        kind = chance.randrange(4) if letters else chance.choice((0, 3))
        at = chance.randrange(1, len(word))
        if kind == 0:
            return word[:at] + word[at + 1 :]
        if kind == 1:
            return word[:at] + chance.choice(letters) + word[at:]
        if kind == 2:
            return word[:at] + chance.choice([letter for letter in letters if letter != word[at]]) + word[at + 1 :]
        at = min(at, len(word) - 2)
        return word[:at] + word[at + 1] + word[at] + word[at + 2 :]

    return re.sub(r"[^\W\d_]+", wrong, text)


def asked(
    questions: Sequence[Question], texts: dict[str, str], search: Callable[[str], tuple[SearchHit, ...]], seed: int
) -> list[Trial]:
    """Every question's hits; with ``seed`` other than 0 they are asked with typing errors."""
    trials = []
    for at, question in enumerate(questions):
        text = misspelled(question.text, random.Random(seed * 100_003 + at)) if seed else question.text
        begin = time.perf_counter()
        hits = search(text)
        took = (time.perf_counter() - begin) * 1000
        trials.append(Trial(question, place(question, texts.get)[0], hits, took))
    return trials


def fts5(backend: SearchBackend) -> Callable[[str], tuple[SearchHit, ...]]:
    """SQLite's own full text over the same chunks, each with its path, any of the question's words."""
    database = sqlite3.connect(":memory:")
    database.execute("CREATE VIRTUAL TABLE texts USING fts5(text, tokenize=unicode61)")
    chunks = [chunk for path in backend.indexed() for chunk in backend.chunks_of(path)]
    rows = ((at, f"{chunk.path}\n{chunk.text}") for at, chunk in enumerate(chunks))
    database.executemany("INSERT INTO texts(rowid, text) VALUES (?, ?)", rows)

    def search(text: str) -> tuple[SearchHit, ...]:
        words = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", text))
        if not words:
            return ()
        sql = f"SELECT rowid, rank FROM texts WHERE texts MATCH ? ORDER BY rank LIMIT {DEPTH}"
        hits = []
        for rank, (at, score) in enumerate(database.execute(sql, (words,)), 1):
            one = chunks[at]
            hits.append(
                SearchHit(rank, -score, one.path, one.id, one.index, one.start, one.end, one.lines, one.page,
                          one.heading, one.tags, one.text, "", (), {})
            )  # fmt: skip
        return tuple(hits)

    return search


def told(name: str, trials: Sequence[Trial]) -> float:
    """Print a row. Returns ``recall@1``."""
    found = figures(trials)
    shown = "".join(f"  {found[measure]:>{len(measure)}.4f}" for measure in SHOWN)
    print(f"{name:<24}{shown}  {found['p50_ms']:7.2f}  {found['p99_ms']:7.2f}", flush=True)
    return found["recall@1"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--strategy", default=DEFAULTS.strategy)
    parser.add_argument("--size", type=int)
    parser.add_argument("--overlap", default=DEFAULTS.overlap)
    parser.add_argument("--typos", action="store_true")
    given = parser.parse_args()
    documents = read(given.folder)
    questions = parse_questions(given.questions.read_text("utf-8").splitlines(), given.questions.name)
    texts = {document.path: document.text for document in documents}
    with tempfile.TemporaryDirectory() as directory:
        options = ChunkOptions(strategy=given.strategy, size=given.size, overlap=given.overlap)
        backend = indexed(Path(directory), documents, options)
        files, chunks, *_ = backend.counts()
        print(f"{files:,} files, {chunks:,} chunks, {len(questions)} questions")
        print(f"{'':<24}{''.join(f'  {measure}' for measure in SHOWN)}   p50 ms   p99 ms")

        def search(text: str) -> tuple[SearchHit, ...]:
            return backend.search(Query(text), DEPTH).hits

        told("lens-tui", asked(questions, texts, search, 0))
        if given.typos:
            wrong = told("lens-tui, typing errors", asked(questions, texts, search, 1))
            plain = fts5(backend)
            told("SQLite FTS5", asked(questions, texts, plain, 0))
            theirs = told("SQLite FTS5, errors", asked(questions, texts, plain, 1))
            ratio = f"{wrong / theirs:.2f} ×" if theirs else "many times"
            print(f"with typing errors the right one comes first {ratio} as often as with SQLite FTS5")
        backend.close()


if __name__ == "__main__":
    main()
