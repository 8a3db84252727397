"""Lines of the screen: pieces of text with an ink, measured in cells, and the wrapping that makes them."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rich.cells import cell_len

from lens_tui.tui.signs import Signs

NO_START = frozenset(
    "、。，．・：；？！」』）】〕］｝〉》’”…‥ー々ゝゞ" + "ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ" + ")],.;:!?%"
)
"""Characters that may not begin a line, after JIS X 4051 (and their Latin kin, which a space keeps apart anyway)."""
NO_END = frozenset("「『（【〔［｛〈《‘“([")
"""Characters that may not end a line."""
_WORD = re.compile(r"[ \t\n]+|[^ \t\n]+")


UNFOLD = 1_000_000
"""Tag of the row that unfolds a model's thinking; citations count from 0, far below it."""


class Piece(NamedTuple):
    """Text of one ink."""

    text: str
    ink: str = "text"
    tag: int = -1
    """What a click on it means to its widget; in answers the index of a citation. -1: nothing. Never broken inside."""
    at: int = -1
    """Offset of its first character in what it was made from; -1 where it was not there (signs, bars)."""


@dataclass(frozen=True, slots=True)
class Line:
    """One row of the screen."""

    pieces: tuple[Piece, ...] = ()
    at: tuple[int, int] = (0, 0)
    """Where it stands in what it was made from, ascending: (part, offset). Finds the row again at another width."""

    @property
    def text(self) -> str:
        """Its characters, as drawn."""
        return "".join(piece.text for piece in self.pieces)


@dataclass(frozen=True, slots=True)
class Drawing:
    """What a turn is drawn with."""

    width: int
    """Columns, the indent included."""
    signs: Signs
    model_hint: str = ""
    """The first command that gets a model, where there is none."""


def cells(text: str) -> int:
    """Columns that ``text`` takes on a terminal."""
    return len(text) if text.isascii() else cell_len(text)


def wrap(pieces: Sequence[Piece], width: int) -> list[list[Piece]]:
    """Break pieces into rows of at most ``width`` cells, at spaces and between wide characters.

    A tagged piece stays whole (unless it is wider than a row). Spaces where a row breaks are dropped. The result has
    at least one row.
    """
    width = max(width, 1)
    text = "".join(piece.text for piece in pieces)
    if text.isascii() and len(text) <= width and "\n" not in text:
        return [list(pieces)]
    bars = _tagged(pieces)
    rows: list[tuple[int, int]] = []
    start = end = used = gap = 0
    for first, last, wide in _units(text, bars):
        if text[first] in " \t\n":
            gap += wide if used or first == 0 else 0
            continue
        if used and used + gap + wide > width:
            rows.append((start, end))
            start, used, gap = first, 0, 0
        elif not used:
            gap = gap if gap < width else 0  # blanks that fill a row before its first word are none
            start = first if gap == 0 else 0
        while wide + gap > width and not used:
            cut = _fitting(text, first, last, width - gap)
            rows.append((start, cut))
            start, first, gap = cut, cut, 0
            wide = cells(text[first:last])
        used += gap + wide
        end, gap = last, 0
    if used or not rows:
        rows.append((start, end))
    return _slices(pieces, rows)


def _tagged(pieces: Sequence[Piece]) -> frozenset[int]:
    """Positions inside tagged pieces at which no row may end."""
    inside: set[int] = set()
    position = 0
    for piece in pieces:
        if piece.tag >= 0:
            inside.update(range(position + 1, position + len(piece.text)))
        position += len(piece.text)
    return frozenset(inside)


def _units(text: str, bars: frozenset[int]) -> Iterable[tuple[int, int, int]]:
    """What may not be broken, with its width: runs of spaces, words, single wide characters with their punctuation."""
    for match in _WORD.finditer(text):
        first, last = match.span()
        word = match[0]
        if word.isascii():
            yield first, last, len(word)
            continue
        start = first
        for position in range(first + 1, last):
            before, after = text[position - 1], text[position]
            if position in bars or after in NO_START or before in NO_END:
                continue
            if (not before.isascii() and cell_len(before) == 2) or (not after.isascii() and cell_len(after) == 2):
                yield start, position, cells(text[start:position])
                start = position
        yield start, last, cells(text[start:last])


def _fitting(text: str, first: int, last: int, width: int) -> int:
    """End of the longest part of ``text[first:last]`` within ``width`` cells, at least one character."""
    used = 0
    for position in range(first, last):
        used += cells(text[position])
        if used > width:
            return max(position, first + 1)
    return last


def _slices(pieces: Sequence[Piece], rows: Sequence[tuple[int, int]]) -> list[list[Piece]]:
    """Cut the pieces into the rows' ranges of characters."""
    result: list[list[Piece]] = []
    index = position = 0
    for start, end in rows:
        row: list[Piece] = []
        while index < len(pieces) and position + len(pieces[index].text) <= start:
            position += len(pieces[index].text)
            index += 1
        here, at = index, position
        while here < len(pieces) and at < end:
            piece = pieces[here]
            low, high = max(start - at, 0), min(end - at, len(piece.text))
            if high > low:
                row.append(piece._replace(text=piece.text[low:high], at=piece.at + low if piece.at >= 0 else -1))
            at += len(piece.text)
            here += 1
        result.append(row)
    return result


def hung(
    pieces: Sequence[Piece], width: int, *, first: Sequence[Piece], rest: Sequence[Piece], part: int = 0
) -> list[Line]:
    """Wrap pieces with ``first`` before the first row and ``rest`` (of the same width) before the others."""
    room = width - sum(cells(piece.text) for piece in first)
    lines = []
    last = 0
    for number, row in enumerate(wrap(pieces, room)):
        last = next((piece.at for piece in row if piece.at >= 0), last)
        lines.append(Line((*(first if number == 0 else rest), *row), (part, last)))
    return lines


def shortened_path(path: str, width: int, ellipsis: str = "…") -> str:
    """Take folders out of the middle of a path until it fits ``width`` cells; the file's name is never cut."""
    if cells(path) <= width:
        return path
    parts = path.split("/")
    name = parts[-1]
    for keep_first in (True, False):
        for kept in range(len(parts) - 2, 0, -1):
            tail = "/".join(parts[len(parts) - kept :])
            short = f"{parts[0]}/{ellipsis}/{tail}" if keep_first else f"{ellipsis}/{tail}"
            if cells(short) <= width:
                return short
    return f"{ellipsis}/{name}" if len(parts) > 1 else name
