"""A file's text as rows of a width, made only where they are looked at: 50 MB open at once, a 1 MB line too."""

from array import array
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from itertools import accumulate

from rich.cells import get_character_cell_size

from lens_tui.text.display import printable
from lens_tui.tui.cells import wrapped
from lens_tui.types import Span

LONGEST = 4_096
"""Code points of a line that are wrapped together; a longer line is wrapped piece by piece."""
TAB = 4
"""Cells between tab stops."""
KEPT = 512
"""Stretches whose rows are kept: several screens."""

At = tuple[int, int]
"""A row: number of its stretch, and number of the row in it."""


@dataclass(frozen=True, slots=True)
class Border:
    """A row that is no text: where a chunk begins, or where one ends whose successor began before."""

    number: int
    """Of the chunk, from 0."""
    closing: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """One row as drawn. Offsets count in the file's text."""

    text: str
    """Printable, tabs as blanks."""
    offsets: tuple[int, ...] | range
    """Offset that each character of ``text`` stands for, and the one behind the last."""
    line: int
    """From 1."""
    first: bool
    """Whether the line begins here."""
    hang: int
    """Cells that the row is indented by, to hang under its line's own text."""
    border: Border | None = None
    """Set where it is a border; its line and offsets are those of the row of text beside it."""

    def columns(self, span: Span) -> tuple[int, int]:
        """Places in ``text`` that a span of the file covers; equal where it covers none."""
        size = len(self.text)
        start = min(bisect_left(self.offsets, span[0]), size)
        return start, max(start, min(bisect_left(self.offsets, span[1]), size))


class Stretches:
    """Lines, long ones in pieces. A stretch is what is wrapped together."""

    def __init__(self, text: str) -> None:
        """Find the lines of ``text``: an array of offsets, and no copies."""
        self.text = text
        edges = array("q", accumulate(map(len, text.split("\n")), lambda total, size: total + size + 1, initial=0))
        self._lines, ends = edges[:-1], edges[1:]
        # An empty last line is no line: "a\n" has one.
        if len(self._lines) > 1 and self._lines[-1] == len(text):
            self._lines.pop()
        self._starts = self._lines
        if any(end - start > LONGEST for start, end in zip(self._lines, ends, strict=False)):
            self._starts = self._cut(ends)
        self._width = 0
        self._rows: dict[int, list[Row]] = {}

    def _cut(self, ends: "array[int]") -> "array[int]":
        starts = array("q")
        for start, end in zip(self._lines, ends, strict=False):
            while end - start > LONGEST:
                starts.append(start)
                blank = self.text.rfind(" ", start + LONGEST // 2, start + LONGEST)
                start = blank + 1 if blank > 0 else start + LONGEST
            starts.append(start)
        return starts

    @property
    def lines(self) -> int:
        """Lines in all, at least 1."""
        return len(self._lines)

    def line_at(self, offset: int) -> int:
        """Number of the line, from 1, that holds the offset."""
        return bisect_right(self._lines, max(0, min(offset, len(self.text))))

    def start_of(self, line: int) -> int:
        """Offset of a line's first character; the nearest line where there is none of that number."""
        return self._lines[max(1, min(line, len(self._lines))) - 1]

    def end_of(self, line: int) -> int:
        """Offset behind a line's last character, its line end not counted."""
        if line >= len(self._lines):
            return len(self.text) - self.text.endswith("\n")
        return self._lines[line] - 1

    def set_width(self, width: int) -> None:
        """Wrap at this many cells from now on."""
        if width != self._width:
            self._width = max(8, width)
            self._rows.clear()

    def row(self, at: At) -> Row:
        """One row."""
        return self.rows(at[0])[at[1]]

    def rows(self, stretch: int) -> list[Row]:
        """The rows of one stretch, at least one."""
        found = self._rows.get(stretch)
        if found is None:
            if len(self._rows) >= KEPT:
                self._rows.clear()
            found = self._rows[stretch] = self._wrap(stretch)
        return found

    def _wrap(self, stretch: int) -> list[Row]:
        start = self._starts[stretch]
        line = self.line_at(start)
        end = self._starts[stretch + 1] if stretch + 1 < len(self._starts) else len(self.text)
        end = min(end, max(start, self.end_of(line)))
        text, offsets = _shown(self.text[start:end], start)
        indent = len(text) - len(text.lstrip(" "))
        deepest = self._width * 2 // 3
        hang = min(indent, deepest) if indent < len(text) else 0
        # Text that is indented further keeps the blanks as its first row; else a word that is too long for the room
        # beside them is broken, so that the line begins where its number stands.
        lead = indent if hang == indent else 0
        stop = lead + next(wrapped(text[lead:], self._width - lead))[1]
        head = start == self._lines[line - 1]
        rows = [Row(text[:stop], offsets[: stop + 1], line, head, 0)]
        if stop < len(text):
            for first, last in wrapped(text[stop:], self._width - hang):
                first, last = stop + first, stop + last
                rows.append(Row(text[first:last], offsets[first : last + 1], line, False, hang))
        return rows

    def at(self, offset: int) -> At:
        """The row that holds an offset."""
        offset = max(0, min(offset, len(self.text)))
        stretch = max(0, bisect_right(self._starts, offset) - 1)
        rows = self.rows(stretch)
        number = len(rows) - 1
        while number > 0 and rows[number].offsets[0] > offset:
            number -= 1
        return stretch, number

    def step(self, at: At, rows: int) -> At:
        """The row so many rows further down, or up; the last or first where there are no more."""
        stretch, row = at[0], at[1] + rows
        while row < 0 and stretch > 0:
            stretch -= 1
            row += len(self.rows(stretch))
        while row >= (size := len(self.rows(stretch))):
            if stretch + 1 >= len(self._starts):
                return stretch, size - 1
            row -= size
            stretch += 1
        return stretch, max(0, row)

    @property
    def last(self) -> At:
        """The last row of all."""
        stretch = len(self._starts) - 1
        return stretch, len(self.rows(stretch)) - 1

    def from_row(self, at: At, count: int) -> list[At]:
        """Up to ``count`` rows from one on."""
        found: list[At] = []
        stretch, row = at
        while len(found) < count and stretch < len(self._starts):
            rows = len(self.rows(stretch))
            found.extend((stretch, number) for number in range(row, min(rows, row + count - len(found))))
            stretch, row = stretch + 1, 0
        return found


def _shown(text: str, start: int) -> tuple[str, tuple[int, ...] | range]:
    """A line without its end as one row of printable text, with the offset of each of its characters."""
    text = printable(text)
    if "\t" not in text:
        return text, range(start, start + len(text) + 1)
    parts: list[str] = []
    offsets: list[int] = []
    cells = 0
    for place, character in enumerate(text, start):
        size = TAB - cells % TAB if character == "\t" else 1
        cells += size if character == "\t" else get_character_cell_size(character)
        parts.append(" " * size if character == "\t" else character)
        offsets.extend([place] * size)
    offsets.append(start + len(text))
    return "".join(parts), tuple(offsets)
