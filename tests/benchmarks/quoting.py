"""How well sentences are chosen where no model answers, beside plain idf-weighted overlap of words, in the same run.

Run: python -m tests.benchmarks.quoting SET [-k 8] [--show 5]

SET is a directory with ``corpus.jsonl`` ({"path", "text"}) and ``questions.jsonl`` ({"question", "relevant": [{"path",
"start", "end"}]}; without offsets the whole file is relevant). A sentence is right where it touches what is relevant.
Of both ways the first choice is compared, and as many choices as were quoted: how many of them are right, whether any
is, and what share of the relevant passages they touch.
"""

import argparse
import json
import math
import re
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from lens_tui.answering.prompt import excerpts_of
from lens_tui.answering.quoting import ranked
from lens_tui.text.sentences import sentences
from lens_tui.types import Excerpt, Query, Span
from tests.benchmarks.ranking import indexed, read

Quote = tuple[str, Span]
"""A path, and a span in that file."""


def plain(question: str, excerpts: Sequence[Excerpt]) -> list[Quote]:
    """Sentences by the summed rarity of the words that they share with the question, best first."""
    pieces = [(one, at) for one in excerpts for at in sentences(one.text)]
    held = [frozenset(_words(one.text[at[0] : at[1]])) for one, at in pieces]
    seen = Counter(word for words in held for word in words)
    asked = frozenset(_words(question))
    weights = [sum(math.log((len(held) + 1) / seen[word]) for word in asked & words) for words in held]
    order = sorted(range(len(pieces)), key=lambda at: -weights[at])
    return [(pieces[at][0].path, _moved(pieces[at][1], pieces[at][0].start)) for at in order if weights[at] > 0]


def _words(text: str) -> Iterable[str]:
    for word in re.findall(r"\w+", text.casefold()):
        if word.isascii() or word[0] < "\u3040":
            yield word
        else:
            yield from (word[at : at + 2] for at in range(max(1, len(word) - 1)))


def _moved(span: Span, by: int) -> Span:
    return span[0] + by, span[1] + by


def touches(quote: Quote, wanted: Mapping[str, Any]) -> bool:
    path, (start, end) = quote
    return path == wanted["path"] and ("start" not in wanted or (start < wanted["end"] and wanted["start"] < end))


class Tally:
    """Figures of one way to choose."""

    def __init__(self) -> None:
        self.questions = self.first = self.any = 0
        self.precision = self.recall = 0.0

    def add(self, chosen: Sequence[Quote], wanted: Sequence[Mapping[str, Any]]) -> bool:
        """Count one question's sentences, the best first. Returns whether the first is right."""
        right = [any(touches(quote, one) for one in wanted) for quote in chosen]
        met = [any(touches(quote, one) for quote in chosen) for one in wanted]
        self.questions += 1
        self.first += bool(right and right[0])
        self.any += any(right)
        self.precision += sum(right) / len(right) if right else 0.0
        self.recall += sum(met) / len(met)
        return bool(right and right[0])

    def told(self, name: str) -> str:
        shares = (self.first, self.any, self.precision, self.recall)
        return name.ljust(16) + "".join(f"{share / self.questions:>10.3f}" for share in shares)


def unpacked(given: Path, folder: Path) -> None:
    for row in (given / "corpus.jsonl").read_text("utf-8").splitlines():
        fields = json.loads(row)
        file = folder / fields["path"]
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(fields["text"], "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("set", type=Path)
    parser.add_argument("-k", type=int, default=8)
    parser.add_argument("--show", type=int, default=0, help="Print so many questions whose first choice was wrong.")
    given = parser.parse_args()
    questions = [json.loads(row) for row in (given.set / "questions.jsonl").read_text("utf-8").splitlines()]
    ours, theirs = Tally(), Tally()
    spent = 0.0
    with tempfile.TemporaryDirectory() as directory:
        folder = Path(directory) / "folder"
        unpacked(given.set, folder)
        documents = read(folder)
        texts = {document.path: document.text for document in documents}
        backend = indexed(Path(directory) / "index", documents)

        def text_of(path: str, start: int, end: int) -> str:
            return texts[path][start:end]

        for question in questions:
            asked, wanted = question["question"], question["relevant"]
            excerpts = excerpts_of(backend.search(Query(asked), given.k).hits)
            began = time.perf_counter()
            lines = ranked(asked, excerpts, text_of)
            spent += time.perf_counter() - began
            right = ours.add([(line.excerpt.path, line.span) for line in lines], wanted)
            theirs.add(plain(asked, excerpts)[: len(lines)], wanted)
            if not right and given.show:
                given.show -= 1
                print(f"? {asked}", *(f"  - {' '.join(line.text.split())}" for line in lines), sep="\n")
        backend.close()
    print(f"{ours.questions} questions, {spent / ours.questions * 1000:.1f} ms each to choose")
    print(" " * 16 + "".join(name.rjust(10) for name in ("first", "any", "precision", "recall")))
    print(ours.told("quoted"))
    print(theirs.told("idf overlap"))


if __name__ == "__main__":
    main()
