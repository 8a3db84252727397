"""Excerpts as weighed sentences: which of them has most in common with a claim or a question."""

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from lens_tui.answering.small_words import SMALL_WORDS
from lens_tui.text.sentences import sentences
from lens_tui.text.words import is_cjk, terms
from lens_tui.types import Excerpt, Lines, Span

NUMBER_WEIGHT = 2.0
"""What a number of two digits or more weighs against a word as rare: claims stand or fall with dates and amounts."""

STEM = 6
"""First letters by which two forms of a word are one (``terminate``, ``termination``)."""

SMALL_WEIGHT = 0.1
"""What a word of small_words.py weighs: a few excerpts are too little text to learn from that it tells nothing."""

LENGTH_WEIGHT = 0.3
"""What the words that a sentence has beyond the claim weigh against it: of two that hold it, the tighter one."""


@dataclass(frozen=True, slots=True)
class Line:
    """One sentence of an excerpt."""

    excerpt: Excerpt
    start: int
    """In the excerpt's text."""
    end: int
    roots: frozenset[str]

    @property
    def text(self) -> str:
        """Word for word, with its own line breaks."""
        return self.excerpt.text[self.start : self.end]

    @property
    def span(self) -> Span:
        """In the file's text."""
        return self.excerpt.start + self.start, self.excerpt.start + self.end

    @property
    def lines(self) -> Lines:
        """In the file."""
        first = self.excerpt.lines[0] + self.excerpt.text.count("\n", 0, self.start)
        return first, first + self.excerpt.text.count("\n", self.start, max(self.start, self.end - 1))


class Evidence:
    """The sentences of all excerpts at hand, and how much each word among them tells."""

    def __init__(
        self,
        excerpts: Sequence[Excerpt],
        spans_of: Callable[[Excerpt], Iterable[Span]] = lambda excerpt: sentences(excerpt.text),
    ) -> None:
        """Cut and count; about 2 ms an excerpt of 220 tokens. ``spans_of`` gives what counts as its sentences."""
        self.lines: dict[int, list[Line]] = {}
        """Excerpt number → its sentences, in order; those without a word are left out."""
        self._seen: Counter[str] = Counter()
        count = 0
        for excerpt in excerpts:
            found = [Line(excerpt, a, b, roots(excerpt.text[a:b])) for a, b in spans_of(excerpt)]
            self.lines[excerpt.number] = [line for line in found if line.roots]
            for line in self.lines[excerpt.number]:
                self._seen.update(line.roots)
                count += 1
        self._count = count

    def weight(self, root: str) -> float:
        """Inverse document frequency over the sentences, above 0; what none of them has counts as the rarest."""
        idf = math.log((self._count + 1) / max(1, self._seen[root])) + 0.05
        if root in _SMALL_ROOTS:
            return idf * SMALL_WEIGHT
        return idf * (NUMBER_WEIGHT if root[:2].isdigit() and len(root) > 1 else 1.0)

    def has(self, root: str) -> bool:
        """Whether any sentence holds the word."""
        return root in self._seen

    @staticmethod
    def tells(root: str) -> bool:
        """Whether a word says what a sentence is about, and not only how."""
        return root not in _SMALL_ROOTS

    def total(self, found: Collection[str]) -> float:
        """Weight of several words together."""
        return sum(self.weight(root) for root in found)


@lru_cache(maxsize=4096)
def roots(text: str) -> frozenset[str]:
    """The words of a text, each cut to what its forms share."""
    return frozenset(root(term) for term in terms(text))


def root(term: str) -> str:
    """What the forms of a word share, near enough; other terms are their own."""
    if not term.isalpha() or is_cjk(term[0]):
        return term
    if len(term) > 3 and term.endswith("s") and not term.endswith("ss"):
        term = term[:-1]
    return term[:STEM]


_SMALL_ROOTS = frozenset(map(root, SMALL_WORDS))
