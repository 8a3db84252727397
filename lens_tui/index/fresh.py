"""What changed since the full-text index was last committed, searched in memory with that index's own statistics.

BM25 as tantivy computes it (k1 1.2, b .75, lengths rounded down to one of 256 steps), so that a chunk has the same
score before and after it is on disk.
"""

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from lens_tui.text.words import terms
from lens_tui.types import Chunk

K1 = 1.2
B = 0.75
"""tantivy 0.27's constants (query/bm25.rs); Robertson and Zaragoza, 2009, recommend them too."""

FIELDS = ("body", "title", "heading")


def _norm_steps() -> list[int]:
    """Lengths as tantivy keeps them (fieldnorm/code.rs): exact up to 40, then eight steps of each size."""
    steps = list(range(41))
    step = 2
    while len(steps) < 256:
        steps.extend([steps[-1] + step * n for n in range(1, 9)])
        step *= 2
    return steps[:256]


NORM_STEPS = _norm_steps()


FieldTerms = tuple[Sequence[str], Sequence[str], Sequence[str]]
"""A chunk's terms in FIELDS' order."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A chunk as the full-text index takes it."""

    id: int
    terms: FieldTerms


def field_terms(chunk: Chunk, title: str) -> FieldTerms:
    """Analyse a chunk. The title field is the file's name and its title; the context counts as text."""
    body = terms(chunk.text)
    if chunk.context:
        body += terms(chunk.context)
    name = terms(chunk.path.rpartition("/")[2])
    if title:
        name += terms(title)
    return body, name, [term for part in chunk.heading for term in terms(part)]


def idf(documents: int, holding: int) -> float:
    """How much a term tells, of which ``holding`` of ``documents`` have it."""
    return math.log(1 + (documents - holding + 0.5) / (holding + 0.5)) if documents >= holding else 0.0


class Fresh:
    """Chunks by term, in memory. One thread writes at a time; others may read meanwhile."""

    def __init__(self) -> None:
        """Begin empty."""
        self.entries: dict[int, Entry] = {}
        self._postings: tuple[dict[str, list[tuple[int, int]]], ...] = ({}, {}, {})

    def __len__(self) -> int:
        return len(self.entries)

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
        self,
        wanted: Iterable[str],
        weights: Sequence[float],
        averages: Sequence[float],
        tells: Callable[[int, str], float],
    ) -> dict[int, float]:
        """BM25 of every chunk that has one of the terms.

        Args:
            wanted: Terms, each once.
            weights: Of each field.
            averages: Mean length of each field.
            tells: The idf of (field, term).
        """
        found: dict[int, float] = {}
        entries = self.entries
        for term in wanted:
            for field, weight in enumerate(weights):
                postings = self._postings[field].get(term)
                if not postings or not weight:
                    continue
                factor = weight * tells(field, term) * (K1 + 1)
                scale = K1 * B / averages[field] if averages[field] else 0.0
                for id_, times in list(postings):
                    entry = entries.get(id_)
                    if entry is None:
                        continue
                    length = NORM_STEPS[bisect_right(NORM_STEPS, len(entry.terms[field])) - 1]
                    score = factor * times / (times + K1 * (1 - B) + scale * length)
                    found[id_] = found.get(id_, 0.0) + score
        return found
