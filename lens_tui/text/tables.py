"""Tables written with commas, semicolons, tabs or bars between the cells: their rows, and the names of the columns."""

import csv
from collections.abc import Iterator, Sequence

from lens_tui.types import Span

ENDINGS = (".csv", ".tsv", ".tab", ".psv")

DELIMITERS = "\t;|,"
"""The comma last: where it stands as often as another, it is in numbers or words."""

SAMPLE = 65_536
"""Characters by which the delimiter is told."""

MOST_LINES = 100
"""Lines of one row; a quote that is open for longer was none."""

LONGEST_NAMES = 400
"""Characters of the names of columns that are kept."""


def rows_of(text: str) -> Iterator[Span]:
    """Where each row that is not blank begins and ends, without its line break; quotes hold line breaks."""
    start = 0
    while start < len(text):
        end = _row_end(text, start)
        if not text[start:end].isspace() and end > start:
            yield start, end
        start = end + 1


def _row_end(text: str, start: int) -> int:
    """End of the row that begins at ``start``: the first line's where a quote in it is not closed soon."""
    first = end = _line_end(text, start)
    quotes = text.count('"', start, end)
    for _ in range(MOST_LINES):
        if quotes % 2 == 0:
            return end
        if end >= len(text):
            break
        line, end = end + 1, _line_end(text, end + 1)
        quotes += text.count('"', line, end)
    return first


def _line_end(text: str, start: int) -> int:
    end = text.find("\n", start)
    return end if end >= 0 else len(text)


def names_of(text: str, rows: Sequence[Span]) -> str:
    """The cells of the first row where they are names: all there, all different, none a number; else empty."""
    if len(rows) < 2:
        return ""
    delimiter = _delimiter(text, rows)
    try:
        cells = next(csv.reader([text[rows[0][0] : rows[0][1]][:SAMPLE]], delimiter=delimiter), [])
    except csv.Error:
        return ""
    names = [" ".join(cell.split()) for cell in cells]
    if len(names) < 2 or len(set(names)) < len(names) or not all(names) or any(map(_is_number, names)):
        return ""
    return ", ".join(names)[:LONGEST_NAMES]


def _delimiter(text: str, rows: Sequence[Span]) -> str:
    """The sign that stands in most rows equally often, of several the one that stands there most."""
    sample = [text[start:end] for start, end in rows[:20] if end <= SAMPLE]

    def fitness(sign: str) -> tuple[int, int]:
        counts = [row.count(sign) for row in sample]
        usual = max(set(counts), key=counts.count, default=0)
        return (counts.count(usual) if usual else 0, usual)

    return max(DELIMITERS, key=fitness)


def _is_number(cell: str) -> bool:
    try:
        float(cell.replace(",", "."))
    except ValueError:
        return False
    return True
