"""What changed since the full-text index was last committed, searched in memory with that index's own statistics.

BM25 as tantivy computes it (k1 1.2, b .75, lengths rounded down to one of 256 steps), so that a chunk has the same
score before and after it is on disk.
"""

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from lens_tui.text.standing import defined
from lens_tui.text.words import DEFINES, beginning, terms
from lens_tui.types import Chunk

K1 = 1.2
B = 0.75
"""tantivy 0.27's constants (query/bm25.rs); Robertson and Zaragoza, 2009, recommend them too."""

FIELDS = ("words", "beginnings")
"""A chunk's terms as they are; and the beginnings of its words, where all forms of a word are one."""

WORDS, BEGINNINGS = range(2)

Words = Iterable[Sequence[Sequence[tuple[int, str, float]]]]
"""What is searched for: words; of each its forms, the best of which counts; of each (field, term, weight), summed."""


def _norm_steps() -> list[int]:
    """Lengths as tantivy keeps them (fieldnorm/code.rs): exact up to 40, then eight steps of each size."""
    steps = list(range(41))
    step = 2
    while len(steps) < 256:
        steps.extend([steps[-1] + step * n for n in range(1, 9)])
        step *= 2
    return steps[:256]


NORM_STEPS = _norm_steps()


FieldTerms = tuple[Sequence[str], Sequence[str]]
"""A chunk's terms in FIELDS' order."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A chunk as the full-text index takes it."""

    id: int
    terms: FieldTerms
    first: int
    """Id of its file's first chunk; the others follow."""
    siblings: int
    """Chunks of its file, itself among them."""


def field_terms(chunk: Chunk, title: str, title_times: int) -> FieldTerms:
    """Analyse a chunk, with its file's path and title and its heading path ``title_times`` among its words.

    Numbers and a file's ending stand there once: ``notes/01.txt`` is about neither.

    One field for both, not one for each: a short field of its own makes one word of a title worth more than all that a
    text says (reciprocal rank of English manuals .335 against .555). Pairs of characters have no beginning.
    """
    found = terms(chunk.text)
    if chunk.context:
        found += terms(chunk.context)
    if title_times:
        named = [term for text in beside(chunk, title) for term in terms(text)]
        ending = PurePosixPath(chunk.path).suffix[1:].casefold()
        found += named
        found += (title_times - 1) * [term for term in named if term != ending and not term[0].isdigit()]
    starts = [start for term in found if (start := beginning(term))]
    names = (terms(name) for name in defined(chunk))
    return found + [DEFINES + name[0] for name in names if name], starts


def beside(chunk: Chunk, title: str) -> list[str]:
    """What a chunk is found by beside its text and context: path, headings, and the title where no heading says it."""
    headings = [part for part in (title, *chunk.heading) if part]
    return [chunk.path.replace("/", " "), *dict.fromkeys(headings)]


def idf(documents: int, holding: int) -> float:
    """How much a term tells, of which ``holding`` of ``documents`` have it."""
    return math.log(1 + (documents - holding + 0.5) / (holding + 0.5)) if documents >= holding else 0.0


class Fresh:
    """Chunks by term, in memory. One thread writes at a time; others read what ``now`` gave them meanwhile."""

    def __init__(self) -> None:
        """Begin empty."""
        self.entries: dict[int, Entry] = {}
        self._postings: tuple[dict[str, list[tuple[int, int]]], ...] = tuple({} for _ in FIELDS)

    def __len__(self) -> int:
        return len(self.entries)

    def now(self) -> "Fresh":
        """The layer as it is, for reading: what comes or goes from now on does not touch it."""
        view = Fresh()
        view.entries, view._postings = dict(self.entries), self._postings
        return view

    def add(self, entry: Entry) -> None:
        """Take a chunk in, under an id that was never in."""
        for postings, found in zip(self._postings, entry.terms, strict=True):
            for term, times in Counter(found).items():
                postings.setdefault(term, []).append((entry.id, times))
        self.entries[entry.id] = entry

    def drop(self, id_: int) -> bool:
        """Take a chunk out. Returns whether it was in. Its postings stay and are passed over."""
        return self.entries.pop(id_, None) is not None

    def holding(self, field: int, term: str) -> int:
        """Chunks that have the term, those that went since included (as on disk)."""
        return len(self._postings[field].get(term, ()))

    def beginning(self, field: int, start: str) -> list[tuple[str, int]]:
        """(term, chunks that have it) of the field's terms that begin so."""
        postings = self._postings[field]
        return [(term, len(postings[term])) for term in list(postings) if term.startswith(start)]

    def scores(
        self, wanted: Words, averages: Sequence[float], tells: Callable[[int, str], float]
    ) -> dict[int, tuple[float, int, int]]:
        """(BM25, first, siblings) of every chunk that has one of the words.

        Args:
            wanted: What is searched for.
            averages: Mean length of each field.
            tells: The idf of (field, term).
        """
        total: dict[int, float] = {}
        for forms in wanted:
            best: dict[int, float] = {}
            for form in forms:
                sums: dict[int, float] = {}
                for field, term, weight in form:
                    self._add(sums, field, term, weight * tells(field, term), averages[field])
                for id_, score in sums.items():
                    if score > best.get(id_, 0.0):
                        best[id_] = score
            for id_, score in best.items():
                total[id_] = total.get(id_, 0.0) + score
        found = {}
        for id_, score in total.items():
            entry = self.entries.get(id_)
            if entry is not None:
                found[id_] = (score, entry.first, entry.siblings)
        return found

    def _add(self, sums: dict[int, float], field: int, term: str, weight: float, average: float) -> None:
        postings = self._postings[field].get(term)
        if not postings or not weight:
            return
        factor = weight * (K1 + 1)
        scale = K1 * B / average if average else 0.0
        for id_, times in list(postings):
            entry = self.entries.get(id_)
            if entry is None:
                continue
            length = NORM_STEPS[bisect_right(NORM_STEPS, len(entry.terms[field])) - 1]
            sums[id_] = sums.get(id_, 0.0) + factor * times / (times + K1 * (1 - B) + scale * length)
