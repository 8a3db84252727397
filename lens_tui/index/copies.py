"""Passages that say the same, so that ten hits are ten different passages.

A copy differs from the passage before it in nothing but white space, case, width and the shape of quotes and dashes,
or stands wholly inside it. One changed word or number makes another passage: it can be the one that matters.
"""

import unicodedata

from lens_tui.types import Chunk, Place

LEAST = 100
"""Characters without white space below which a passage has no copies: a short one says another thing in each file."""

CONTAINED = 0.8
"""Share of the longer passage that one inside it must make up."""

_SHAPES = str.maketrans("‘’‚“”„«»‐‑‒–—―", '\'\'\'"""""------')


class Copies:
    """Passages seen so far, numbered from 0."""

    def __init__(self) -> None:
        """Begin with none."""
        self._seen: dict[str, int] = {}
        self._long: list[tuple[int, str]] = []

    def of(self, text: str) -> int | None:
        """The number of the passage seen that this one is a copy of, None where it says something new."""
        bare = folded(text)
        if len(bare) < LEAST:
            return None
        same = self._seen.get(bare)
        if same is not None:
            return same
        for number, longer in self._long:
            if CONTAINED * len(longer) <= len(bare) < len(longer) and bare in longer:
                return number
        return None

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
    plain = text if text.isascii() else unicodedata.normalize("NFKC", text).translate(_SHAPES)
    return "".join(plain.casefold().split())
