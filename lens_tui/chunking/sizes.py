"""Sizes as people write them, and the bounds that they are held to; all in tokens."""

import re
from dataclasses import dataclass

from lens_tui.errors import ChunkingValueError
from lens_tui.options import ChunkOptions

LARGEST = 8192
"""The largest size of any strategy, in tokens."""

COMMON_OPTIONS = frozenset({"size", "minimum", "overlap", "overlap_both"})
"""Options that every strategy takes, by their names in ChunkOptions."""

_SHARE = re.compile(r"(\d+(?:\.\d+)?)\s*%")


@dataclass(frozen=True, slots=True)
class Sizes:
    """How large pieces may be, and what they share."""

    size: int
    """Most tokens of a piece, what it shares included."""
    overlap: int = 0
    """Most tokens that it shares with the piece before; 0 where ``both`` is not."""
    minimum: int = 0
    """A piece of fewer tokens joins a neighbour where the two fit the size."""
    both: int = 0
    """Most tokens that it takes from each neighbour."""

    @property
    def share(self) -> int:
        """Tokens that are left for a piece's own text, between two others."""
        return max(1, self.size - self.overlap - 2 * self.both)

    def told(self, name: str, shared: str = "") -> str:
        """Sizes after a name, such as ``paragraph 220/40``; ``shared`` where that is not in tokens."""
        shared = shared or (f"{self.both}+{self.both}" if self.both else str(self.overlap))
        least = f", minimum {self.minimum}" if self.minimum else ""
        return f"{name} {self.size}/{shared}{least}"


def sizes_of(
    options: ChunkOptions, *, size: int, overlap: str, minimum: int = 0, low: int = 1, high: int = LARGEST
) -> Sizes:
    """Take the sizes that the options name, a strategy's own where they name none.

    A strategy's own overlap and minimum are at most half of a size that was named. ``overlap_both`` stands in the
    place of ``overlap``.

    Args:
        options: What a person asked for.
        size: The strategy's own.
        overlap: The strategy's own, in tokens or as a share of the size.
        minimum: The strategy's own.
        low: The smallest size that it takes.
        high: The largest.

    Raises:
        ChunkingValueError: One is out of its bounds; the message names them.
    """
    own = size
    size = bounded("size", own if options.size is None else options.size, low, high)
    both = bounded("overlap taken from each neighbour", options.overlap_both or 0, 0, (size - 1) // 2)
    shared = 0 if both else _overlap(options.overlap, overlap, size)
    if not shared < size:
        raise ChunkingValueError(
            f"The overlap is {shared} and the size {size} tokens; it must be 0 ≤ overlap < size.",
            hint=f"Choose them so, such as {own} and {overlap}.",
        )
    least = min(minimum, size // 2) if options.minimum is None else bounded("minimum", options.minimum, 0, size)
    return Sizes(size, shared, least, both)


def bounded(name: str, value: int, low: int, high: int) -> int:
    """Return a value that lies within its bounds, both inclusive.

    Raises:
        ChunkingValueError: It does not; the message names the range.
    """
    if low <= value <= high:
        return value
    raise ChunkingValueError(f"The {name} is {value}; it must be {low} to {high}.", hint=f"Choose {low} to {high}.")


def _overlap(asked: str, own: str, size: int) -> int:
    return overlap_tokens(asked, size) if asked else min(overlap_tokens(own, size), size // 2)


def overlap_tokens(overlap: str, size: int) -> int:
    """Tokens of an overlap that is written as a number of them or as a share of the size, such as ``20%``.

    Raises:
        ChunkingValueError: It is neither.
    """
    text = overlap.strip()
    share = _SHARE.fullmatch(text)
    if share:
        return int(size * float(share[1]) / 100)
    if text.isascii() and text.isdigit():
        return int(text)
    raise ChunkingValueError(
        f"The overlap {overlap!r} is neither a number of tokens nor a share of the size.",
        hint="Write it as 40 or as 20%.",
    )
