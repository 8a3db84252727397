"""Headings that an expression of the person's own finds, a line at a time and within a time."""

import re
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from lens_tui.chunking.blocks import Blocks
from lens_tui.errors import ChunkingValueError
from lens_tui.types import Document, Heading

if TYPE_CHECKING:
    import regex

LONGEST_LINE = 1_000
"""Characters; a longer line is no heading."""

SECONDS = 5.0
"""For all of a document's lines together. An expression that needs more would on some line never end."""

DEEPEST = 6

_HINT = r"Write it as ^(?P<level>#+) (?P<title>.+) or ^Chapter (?P<level>\d+): (?P<title>.+), for example."
_NUMBER = re.compile(r"\d+")
_PARTS = re.compile(r"\d+(?:\.\d+)+\.?")


class HeadingPattern:
    """An expression with a group ``title`` and, where headings have levels, a group ``level``."""

    def __init__(self, source: str, *, clock: Callable[[], float] = time.monotonic) -> None:
        """Read an expression in the form of Python's ``re``; it is compared with the beginning of each line.

        Raises:
            ChunkingValueError: It is no such expression.
        """
        import regex

        try:
            self._expression = regex.compile(source)
        except (regex.error, RecursionError, OverflowError) as error:
            raise ChunkingValueError(f"The heading pattern cannot be read: {error}.", hint=_HINT) from error
        if "title" not in self._expression.groupindex:
            raise ChunkingValueError("The heading pattern has no group named title.", hint=_HINT)
        self._levelled = "level" in self._expression.groupindex
        self._clock = clock

    def headings(self, document: Document) -> tuple[Heading, ...]:
        """The headings of a document's body outside fenced code, each on one line.

        A level is the number that stands in its group (``2``), the count of its parts (``2.1.3``), or else the length
        of what stands there (``##``), from 1 to 6; without the group all are of level 1.

        Raises:
            ChunkingValueError: The expression takes too long on this text.
        """
        found: list[Heading] = []
        text, start = document.text, document.body_start
        blocks = Blocks(text, start)
        deadline = self._clock() + SECONDS
        while start < len(text):
            end = text.find("\n", start)
            end = end if end >= 0 else len(text)
            if end - start <= LONGEST_LINE:
                match = self._match(text[start:end], deadline - self._clock())
                if match is not None and match["title"] and blocks.holding(start) is None:
                    found.append(Heading(start, self._level(match), " ".join(match["title"].split())))
            start = end + 1
        return tuple(found)

    def _match(self, line: str, seconds: float) -> "regex.Match[str] | None":
        try:
            return self._expression.match(line, timeout=max(seconds, 0.001))
        except TimeoutError as error:
            shown = line if len(line) <= 40 else f"{line[:39]}…"
            raise ChunkingValueError(
                f"The heading pattern takes too long on the line {shown!r}.",
                hint="Nested repetitions such as (a+)+ take for ever: write it without them.",
            ) from error

    def _level(self, match: "regex.Match[str]") -> int:
        written = (match["level"] or "").strip() if self._levelled else "1"
        if _NUMBER.fullmatch(written):
            level = int(written)
        elif _PARTS.fullmatch(written):
            level = len(written.strip(".").split("."))
        else:
            level = len(written)
        return min(max(level, 1), DEEPEST)
