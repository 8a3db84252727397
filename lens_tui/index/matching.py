"""Full-text ranking over what is on disk and what is in memory, as if they were one index.

A word can be meant in several forms (a beginning that is still being typed, say): the best form that a chunk holds
counts, weighed by how good it is, and all forms of a word are as rare as they are together.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from lens_tui.index.filtering import Within
from lens_tui.index.fresh import Fresh, idf
from lens_tui.index.lexical import Reading

COMMON_SHARE = 0.5
"""A term in more than this share of the chunks is left out of the retrieval where a rarer one is asked for."""

COMMON_FROM = 1_000
"""Chunks from which on COMMON_SHARE holds: in a small folder a common word is still what somebody looks for."""

MOST_PUSHED = 24
"""Ranges of ids that tantivy is given; more are looked up for each chunk that it names, which is faster then."""

Forms = Mapping[str, Sequence[tuple[str, float]]]
"""Term asked for → other terms that are meant by it, each with its weight against the term's own 1."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """What a full-text search found."""

    rows: tuple[tuple[int, float], ...]
    """(chunk id, BM25), best first; the same score by id."""
    idf: dict[str, float]
    """Of every term asked for, in the text field; one that is nowhere has the highest."""
    unknown: tuple[str, ...]
    """Terms that are nowhere in the index, in no form."""
    alike: dict[str, tuple[str, float]] = field(default_factory=dict)
    """Another form → the term asked for, and the weight with which it stands for that."""


class Matcher:
    """One search's view of the index: what was there when it began."""

    def __init__(
        self,
        reading: Reading,
        layers: Sequence[Fresh],
        gone: set[int],
        weights: Sequence[float],
        averages: Sequence[float],
    ) -> None:
        """Take the files, the chunks in memory, the ids to pass over, weight and mean length of each field."""
        self._reading, self._layers, self._gone = reading, layers, gone
        self._weights, self._averages = weights, averages
        self._fields = [field for field, weight in enumerate(weights) if weight]
        self._on_disk = reading.documents
        # One more on disk: tantivy counts the document that holds the state.
        self._documents = self._on_disk + 1 if self._on_disk else sum(len(layer) for layer in layers)
        self._disk: dict[tuple[int, str], int] = {}
        self._fresh: dict[tuple[int, str], int] = {}

    def search(self, asked: Sequence[str], limit: int, within: Within, forms: Forms) -> Ranked:
        """The ``limit`` best chunks that pass ``within`` and hold any of the terms (each given once), in any form."""
        meant = {term: [(term, 1.0), *forms.get(term, ())] for term in asked}
        for several in meant.values():
            for term, _ in several:
                self._look_up(term)
        known = [term for term in asked if any(self._held(form) for form, _ in meant[term])]
        tells = {term: self._tells_together([form for form, _ in meant[term]]) for term in asked}
        wanted = known
        if self._documents >= COMMON_FROM:
            common = COMMON_SHARE * self._documents
            wanted = [term for term in known if self._holding(0, term) <= common] or known
        words = [self._weighed(meant[term], tells[term]) for term in wanted]
        scores = self._from_disk(words, limit, within)
        for layer in self._layers:
            if len(layer):
                scores.update(self._from_memory(layer, words, within))
        rows = sorted((-score, id_) for id_, score in scores.items() if id_ not in self._gone)[:limit]
        return Ranked(
            tuple((id_, -score) for score, id_ in rows),
            tells,
            tuple(term for term in asked if term not in known),
            {form: (term, weight) for term in known for form, weight in meant[term][1:]},
        )

    def beginning(self, start: str, limit: int) -> list[tuple[str, int]]:
        """(term, chunks) of the text's commonest terms that begin so, ``start`` itself left out, commonest first."""
        found = dict(self._reading.beginning(0, start, limit + 1)) if self._on_disk else {}
        for layer in self._layers:
            if len(layer):
                for term, count in layer.beginning(0, start):
                    found[term] = found.get(term, 0) + count
        found.pop(start, None)
        return sorted(found.items(), key=lambda one: (-one[1], one[0]))[:limit]

    def _look_up(self, term: str) -> None:
        for at in self._fields:
            if (at, term) not in self._disk:
                self._disk[at, term] = self._reading.holding(at, term) if self._on_disk else 0
                self._fresh[at, term] = sum(layer.holding(at, term) for layer in self._layers)

    def _held(self, term: str) -> bool:
        return any(self._disk[at, term] or self._fresh[at, term] for at in self._fields)

    def _holding(self, at: int, term: str) -> int:
        return min((self._disk if self._on_disk else self._fresh)[at, term], self._documents)

    def _tells(self, at: int, term: str) -> float:
        return idf(self._documents, self._holding(at, term))

    def _tells_together(self, forms: Sequence[str]) -> float:
        if self._holding(0, forms[0]) or len(forms) == 1:
            return self._tells(0, forms[0])
        return idf(self._documents, min(sum(self._holding(0, form) for form in forms), self._documents))

    def _weighed(self, forms: Sequence[tuple[str, float]], tells: float) -> list[tuple[str, float]]:
        """Forms with weights such that another form than the first, rare as it may be, tells no more than the word."""
        found = []
        for place, (form, weight) in enumerate(forms):
            own = self._tells(0, form)
            found.append((form, weight if not place or own <= tells else weight * tells / own))
        return found

    def _from_disk(self, words: Sequence[Sequence[tuple[str, float]]], limit: int, within: Within) -> dict[int, float]:
        """Scores of the ``limit`` best chunks in the files that may be found: more are asked for until they suffice."""
        parts = [
            [
                [(at, form, weight * self._weights[at]) for at in self._fields if self._disk[at, form]]
                for form, weight in forms
            ]
            for forms in words
        ]
        parts = [kept for forms in parts if (kept := [fields for fields in forms if fields])]
        if not parts:
            return {}
        ids = within.ids
        if ids is not None and not ids.spans:
            return {}
        pushed = ids is None or len(ids.spans) <= MOST_PUSHED
        ask = limit + min(len(self._gone), limit)
        if ids is not None and not pushed:
            ask = max(ask, min(limit * self._on_disk // max(len(ids), 1), 2_000))
        while True:
            hits = self._reading.search(parts, ask, within, push_ids=pushed)
            scores = {
                id_: score for id_, score in hits if id_ not in self._gone and (pushed or ids is None or id_ in ids)
            }
            if len(scores) >= limit or len(hits) < ask:
                return scores
            ask *= 4

    def _from_memory(
        self, layer: Fresh, words: Sequence[Sequence[tuple[str, float]]], within: Within
    ) -> dict[int, float]:
        total: dict[int, float] = {}
        for forms in words:
            best: dict[int, float] = {}
            for form, weight in forms:
                for id_, score in layer.scores([form], self._weights, self._averages, self._tells).items():
                    best[id_] = max(best.get(id_, 0.0), weight * score)
            for id_, score in best.items():
                total[id_] = total.get(id_, 0.0) + score
        if within == ANYTHING:
            return total
        return {
            id_: score
            for id_, score in total.items()
            if (entry := layer.entries.get(id_)) is not None and within.takes(id_, entry.terms)
        }


ANYTHING = Within()
