"""Tables of Markdown: each cell of a row as a sentence, from what its row's first cell and its column's name tell."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from lens_tui.answering.alignment import SAYS, Alignment
from lens_tui.answering.evidence import Line
from lens_tui.types import Span

MOST_COLUMNS = 32
"""Columns of a table whose cells are read; a sentence on one cell of so many is none that a person writes."""

_BAR = re.compile(r"(?<!\\)\|")
_RULE = re.compile(r"[|:\s-]*-[|:\s-]*")
"""What stands between a table's names and its rows."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell, read as ``Sungold First ripe 2026-07-04``."""

    text: str
    subject: int
    """Where the row's first cell ends in the text."""
    value: int
    """Where the cell itself begins in the text."""
    place: int
    """Where it begins in the row."""

    def is_meant(self, laid: Alignment) -> bool:
        """Whether a claim over the text holds all of the row's first cell, and something of the column's name."""
        taken = {place for place in laid.at if place is not None}
        telling = [(at in taken, piece) for at, piece in enumerate(laid.source.pieces) if piece.weight >= SAYS]
        subject = [held for held, piece in telling if piece.end <= self.subject]
        name = [held for held, piece in telling if self.subject <= piece.start and piece.end <= self.value]
        return bool(subject) and all(subject) and any(name)

    def in_row(self, span: Span) -> Span | None:
        """Where a stretch of the text stands in the row; None where it is not of the cell itself."""
        away = self.place - self.value
        return (span[0] + away, span[1] + away) if self.value <= span[0] < span[1] else None


def cells_of(row: Line) -> list[Cell]:
    """The cells of a table's row behind its first; none of another sentence, or where two rows are of one thing."""
    names, firsts = _table(row)
    if not names:
        return []
    cells = _split(row.text)
    subject = row.text[slice(*cells[0])]
    if not any(char.isalpha() for char in subject) or firsts.count(subject.casefold()) > 1:
        return []
    found: list[Cell] = []
    for name, (start, end) in zip(names[1:MOST_COLUMNS], cells[1:], strict=False):
        if name and start < end:
            lead = f"{subject} {name} "
            found.append(Cell(lead + row.text[start:end], len(subject), len(lead), start))
    return found


def outside(row: Line, lines: Sequence[Line]) -> list[Line]:
    """The sentences that are no rows of the row's own table."""
    first, last = _extent(row)
    return [line for line in lines if line.excerpt is not row.excerpt or not first <= _at(line) <= last]


def _table(row: Line) -> tuple[list[str], list[str]]:
    """The names of a row's columns, and the first cells of all rows of its table; nothing where it stands in none."""
    if not _is_row(row.text) or "\n" in row.text.strip():
        return [], []
    first, last = _extent(row)
    lines = row.excerpt.text.split("\n")[first : last + 1]
    if _at(row) < first + 2 or not _RULE.fullmatch(lines[1]):
        return [], []
    names = [lines[0][slice(*span)] for span in _split(lines[0])]
    return names, [line[slice(*_split(line)[0])].casefold() for line in lines[2:]]


def _extent(row: Line) -> tuple[int, int]:
    """The first and the last line of the row's table, counted in its excerpt."""
    lines = row.excerpt.text.split("\n")
    first = last = _at(row)
    while first > 0 and _is_row(lines[first - 1]):
        first -= 1
    while last + 1 < len(lines) and _is_row(lines[last + 1]):
        last += 1
    return first, last


def _at(line: Line) -> int:
    """The line of the excerpt in which a sentence begins."""
    return line.excerpt.text.count("\n", 0, line.start + len(line.text) - len(line.text.lstrip()))


def _is_row(line: str) -> bool:
    return line.lstrip().startswith("|")


def _split(row: str) -> list[Span]:
    """Where each cell of a row stands, without the space around it."""
    bars = [bar.start() for bar in _BAR.finditer(row)]
    ends = bars[1:] if not row[bars[-1] + 1 :].strip() and len(bars) > 1 else [*bars[1:], len(row)]
    found: list[Span] = []
    for bar, end in zip(bars, ends, strict=False):
        cell = row[bar + 1 : end]
        start = bar + 1 + len(cell) - len(cell.lstrip())
        found.append((start, max(start, bar + 1 + len(cell.rstrip()))))
    return found
