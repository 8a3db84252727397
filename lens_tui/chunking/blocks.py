"""What should not be torn where it fits a piece: fenced code, rows of tables, ``[[wikilinks]]``."""

import re
from bisect import bisect_right
from functools import lru_cache

from lens_tui.types import Span

_MARKED = r"[ \t>]*+(?:(?:[-*+]|\d{1,9}[.)])[ \t]++)?(?:(?P<fence>`{3,}+(?=[^`\n]*(?:\n|\Z))|~{3,}+)[^\n]*|\|[^\n]*)"
_FIRST_LINE = re.compile(_MARKED)
_LATER_LINE = re.compile(r"\n" + _MARKED)
"""A line end before it, since that is looked for ten times as fast as a line's beginning is."""

_LINK = re.compile(r"\[\[[^\[\]\n]{1,400}\]\]")

LONGEST_FENCE = 12
"""Signs of a fence that are counted: each length that is never closed costs a look through the rest of the text."""


class Blocks:
    """The spans of a text's blocks, in order, none within another."""

    def __init__(self, text: str, start: int = 0) -> None:
        """Find them from ``start`` on. A fence that is never closed is none: it would reach to the end."""
        self.fences: list[Span] = []
        self._spans: list[Span] = []
        self._starts: list[int] = []
        if "```" in text or "~~~" in text or "|" in text:
            self._find_lines(text, text.rfind("\n", 0, start))
            self._starts = [first for first, _ in self._spans]
        if "[[" in text:
            links = [found.span() for found in _LINK.finditer(text, start) if self.holding(found.start() + 1) is None]
            self._spans = sorted(self._spans + links)
            self._starts = [first for first, _ in self._spans]

    def holding(self, at: int) -> Span | None:
        """The block that a cut at ``at`` would tear; None where it tears none."""
        place = bisect_right(self._starts, at - 1) - 1
        return self._spans[place] if place >= 0 and at < self._spans[place][1] else None

    def _find_lines(self, text: str, at: int) -> None:
        """Find fences and rows from the line end ``at`` on, or from the text's beginning where it is -1."""
        unclosed: set[tuple[str, int]] = set()
        found = _FIRST_LINE.match(text) if at < 0 else None
        found = found or _LATER_LINE.search(text, max(at, 0))
        while found is not None:
            first, at = found.start() + (found[0][0] == "\n"), found.end()
            closed = self._closed(text, found["fence"], at, unclosed) if found["fence"] else at
            if closed:
                self._spans.append((first, closed))
                at = closed
                if found["fence"]:
                    self.fences.append((first, closed))
            found = _LATER_LINE.search(text, at)

    def _closed(self, text: str, fence: str, at: int, unclosed: set[tuple[str, int]]) -> int:
        """Where a fence that is opened before ``at`` ends; 0 where it never does, which ``unclosed`` keeps."""
        kind = (fence[0], min(len(fence), LONGEST_FENCE))
        closing = None if kind in unclosed else _closing(*kind).search(text, at)
        if closing is None:
            unclosed.add(kind)
            return 0
        return closing.end()


@lru_cache(2 * LONGEST_FENCE)
def _closing(sign: str, length: int) -> "re.Pattern[str]":
    return re.compile(rf"\n[ \t>]*+{re.escape(sign)}{{{length},}}+[ \t]*+(?=\n|\Z)")
