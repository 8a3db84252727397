"""What of a question a text can hold: its words, those alike to them, and every form that begins like one of them."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from lens_tui.index.vocabulary import LEAST_ALIKE, alike
from lens_tui.text.stretches import Mark
from lens_tui.text.words import BEGINNING, LITTLE, Wanted, Word, beginning, is_word, weights

LEAST_WORTH = 0.1
"""Of the rarest word's: a word that stands in every text is still something that was asked for, and is there."""

Alike = Mapping[str, tuple[str, float]]
"""Another form → the term asked for that it stands for, and how well, 0 to 1."""


class _Meaning(NamedTuple):
    """What a word of a text stands for in the question."""

    term: str
    """The term asked for; empty where it is none."""
    worth: float
    is_itself: bool
    is_alike: bool
    """Whether it is merely alike: it does not even begin as the term does."""


class Sought:
    """The terms of one question, made once for all texts that are read for it."""

    def __init__(self, idf: Mapping[str, float], others: Alike | None = None) -> None:
        """Take what each term asked for is worth, and what was searched in their stead."""
        self.idf = idf
        self._others = others or {}
        counts = weights(list(idf))
        little = {term for term, weight in counts.items() if weight <= LITTLE}
        least = LEAST_WORTH * max(idf.values(), default=0.0)
        said = {term: max(worth, least if counts[term] == 1 else 0.0) for term, worth in idf.items()}
        self.worth = {term: worth for term, worth in said.items() if counts[term] != LITTLE} or said
        """What each term weighs in coverage: little words nothing beside others, no other word next to nothing."""
        self.total = sum(self.worth.values())
        self._starts: dict[str, list[str]] = {}
        for term in idf:
            if term not in little and len(term) >= BEGINNING and is_word(term):
                self._starts.setdefault(beginning(term), []).append(term)
        self._forms: dict[str, tuple[str, float]] = {}
        self._meanings: dict[str, _Meaning] = {}
        self.wanted = Wanted((*self.worth, *self._others), self._starts)
        """What is looked for in a text: everything that weighs in coverage, in any form; little words only alone."""

    def everything(self) -> Wanted:
        """What was asked for, little words among it, in any form."""
        return Wanted((*self.idf, *self._others), self._starts)

    def meant(self, term: str) -> tuple[str, float]:
        """The term asked for that a wanted one stands for, and how well: 1 for itself; an empty one for none."""
        if term in self.idf:
            return term, 1.0
        found = self._forms.get(term)
        if found is None:
            begun = [(one, alike(one, term)) for one in self._starts.get(beginning(term), ())]
            known = [*begun, *([self._others[term]] if term in self._others else [])]
            # What the asked word begins is meant by it, however long it is.
            near = [
                one
                for one in known
                if one[1] >= LEAST_ALIKE or term.startswith(one[0]) or one[0] == self._others.get(term, ("",))[0]
            ]
            found = self._forms[term] = max(near, key=lambda one: one[1], default=("", 0.0))
        return found

    def shares(self, terms: Iterable[str]) -> dict[str, float]:
        """How well each term asked for is met by these wanted terms; those that are not met are left out."""
        found: dict[str, float] = {}
        for one in terms:
            term, share = self.meant(one)
            if term and share > found.get(term, 0.0):
                found[term] = share
        return found

    def coverage(self, shares: Mapping[str, float]) -> float:
        """The share of all that was asked for that is met."""
        met = sum(self.worth.get(term, 0.0) * share for term, share in shares.items())
        return met / self.total if self.total else 0.0

    def held(self, shares: Mapping[str, float]) -> float:
        """What a text of average length that holds these, each once, gets for them."""
        return sum(self.idf[term] * share for term, share in shares.items())

    def marks(self, words: Iterable[Word]) -> list[Mark]:
        """Where what was asked for stands in a text, which term of the question each is, and what that weighs.

        Where a word itself is there, only its forms are marked beside it and nothing that is merely alike.

        Args:
            words: Those of the text that are ``wanted``.
        """
        known = self._meanings
        read = [(word, known.get(word.term) or self._meaning(word.term)) for word in words]
        there = {word.term for word, meaning in read if meaning.is_itself}
        return [
            Mark(start, end, meaning.term, meaning.worth)
            for (_, start, end), meaning in read
            if meaning.term and not (meaning.is_alike and meaning.term in there)
        ]

    def _meaning(self, word: str) -> "_Meaning":
        term, _ = self.meant(word)
        is_alike = word != term and beginning(word) != beginning(term)
        found = self._meanings[word] = _Meaning(term, self.worth.get(term, 0.0), word in self.idf, is_alike)
        return found
