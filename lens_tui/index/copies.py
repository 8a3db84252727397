"""Passages that say the same, so that ten hits are ten different passages.

A copy differs from the passage before it in nothing but white space, case, width and the shape of quotes and dashes,
or stands wholly inside it. One changed word or number makes another passage: it can be the one that matters.
"""

import re
import unicodedata

from lens_tui.types import Chunk, Place

LEAST = 100
"""Characters without white space below which a passage has no copies: a short one says another thing in each file."""

CONTAINED = 0.8
"""Share of the longer passage that one inside it must make up."""

BIT = 24
"""Characters on each side of a passage's middle by which it is told from most others."""

_SHAPES = (("[‘’‚]", "'"), ("[“”„«»]", '"'), ("[‐‑‒–—―]", "-"))
"""Of quotes and dashes, and what stands for each."""


class Copies:
    """Passages seen so far, numbered from 0."""

    def __init__(self) -> None:
        """Begin with none."""
        self._seen: dict[str, int] = {}
        self._long: list[tuple[int, str]] = []

    def of(self, text: str) -> int | None:
        """The number of the passage seen that this one is a copy of, None where it says something new."""
        if not self._holds_middle(text):
            return None
        bare = folded(text)
        size = len(bare)
        if size < LEAST:
            return None
        same = self._seen.get(bare)
        if same is not None:
            return same
        for number, longer in self._long:
            if CONTAINED * len(longer) <= size < len(longer) and bare in longer:
                return number
        return None

    def _holds_middle(self, text: str) -> bool:
        """Whether a bit of the text stands in a passage seen: most do not, and need not be folded whole to tell."""
        middle = len(text) // 2
        # What is cut off at its ends can be half of what folding makes one.
        bit = folded(text[max(middle - BIT, 0) : middle + BIT])[4:-4]
        return any(bit in longer for _, longer in self._long)

    def add(self, text: str, number: int) -> None:
        """See a passage under its number."""
        bare = folded(text)
        if len(bare) >= LEAST:
            self._seen.setdefault(bare, number)
            self._long.append((number, bare))


def place_of(chunk: Chunk) -> Place:
    """Where a chunk begins."""
    return Place(chunk.path, chunk.lines[0], chunk.index)


def folded(text: str) -> str:
    """A text without what copies may differ in."""
    plain = text
    if not text.isascii():
        plain = unicodedata.normalize("NFKC", text)
        for shapes, sign in _SHAPES:
            plain = re.sub(shapes, sign, plain)
    return "".join(plain.casefold().split())
