"""What should not be torn where it fits a piece: fenced code, rows of tables, ``[[wikilinks]]``."""

import re
from bisect import bisect_right

from lens_tui.types import Span

_MARKED = re.compile(
    r"^[ \t>]*+(?:(?:[-*+]|\d{1,9}[.)])[ \t]++)?(?:(?P<fence>`{3,}+(?=[^`\n]*$)|~{3,}+).*|\|.*)$"
    r"|\[\[[^\[\]\n]{1,400}\]\]",
    re.MULTILINE,
)
_CLOSING = r"^[ \t>]*+{sign}{{{length},}}+[ \t]*$"

LONGEST_FENCE = 12
"""Signs of a fence that are counted: each length that is never closed costs a look through the rest of the text."""


class Blocks:
    """The spans of a text's blocks, in order, none within another."""

    def __init__(self, text: str, start: int = 0) -> None:
        """Find them from ``start`` on. A fence that is never closed is none: it would reach to the end."""
        self.fences: list[Span] = []
        self._spans: list[Span] = []
        if "```" in text or "~~~" in text or "|" in text or "[[" in text:
            self._find(text, start)
        self._starts = [first for first, _ in self._spans]

    def holding(self, at: int) -> Span | None:
        """The block that a cut at ``at`` would tear; None where it tears none."""
        place = bisect_right(self._starts, at - 1) - 1
        return self._spans[place] if place >= 0 and at < self._spans[place][1] else None

    def _find(self, text: str, start: int) -> None:
        unclosed: set[tuple[str, int]] = set()
        at = start
        while (found := _MARKED.search(text, at)) is not None:
            first, at = found.span()
            fence = found["fence"]
            if fence is None:
                self._spans.append((first, at))
                continue
            kind = (fence[0], min(len(fence), LONGEST_FENCE))
            closing = None if kind in unclosed else _closing(*kind).search(text, at)
            if closing is None:
                unclosed.add(kind)
                continue
            at = closing.end()
            self.fences.append((first, at))
            self._spans.append((first, at))


def _closing(sign: str, length: int) -> "re.Pattern[str]":
    return re.compile(_CLOSING.format(sign=re.escape(sign), length=length), re.MULTILINE)
