"""The chunk lens: a file's rows with the borders of its chunks between them."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import replace

from lens_tui.chunk_requests import ChunkOutline
from lens_tui.tui.stretches import At, Border, Row, Stretches
from lens_tui.types import Span


class BorderedStretches(Stretches):
    """Rows of text; while borders are shown, a row before each chunk, and one after a chunk that reaches into the next.

    A chunk that begins or ends inside a row has its border before or after that whole row.
    """

    def __init__(self, text: str) -> None:
        """Take a text, its borders hidden."""
        super().__init__(text)
        self.chunks: Sequence[ChunkOutline] = ()
        self._begins: list[int] = []
        self._closings: list[tuple[int, int]] = []

    def show_borders(self, chunks: Sequence[ChunkOutline]) -> None:
        """Show the borders of these chunks, which come in reading order; of none to hide them."""
        self.chunks = chunks
        self._begins = [chunk.start for chunk in chunks]
        self._closings = sorted(
            (chunk.end, number) for number, chunk in enumerate(chunks[:-1]) if chunks[number + 1].start < chunk.end
        )
        self._rows.clear()

    def shared(self, low: int, high: int) -> list[Span]:
        """Stretches of ``text[low:high]`` that belong to two neighbouring chunks."""
        found: list[Span] = []
        last = bisect_left(self._begins, high)
        for number in range(last - 1, 0, -1):
            start, end = self._begins[number], min(self.chunks[number - 1].end, self.chunks[number].end)
            if max(start, low) < min(end, high):
                found.append((max(start, low), min(end, high)))
            elif self.chunks[number].end <= low:
                break
        return found

    def _wrap(self, stretch: int) -> list[Row]:
        rows = super()._wrap(stretch)
        if not self.chunks:
            return rows
        made: list[Row] = []
        for place, row in enumerate(rows):
            low = row.offsets[0]
            high = rows[place + 1].offsets[0] if place + 1 < len(rows) else row.offsets[-1] + 1
            begins = range(bisect_left(self._begins, low), bisect_left(self._begins, high))
            made.extend(_border(row, Border(number)) for number in begins)
            made.append(row)
            first, last = (
                bisect_left(self._closings, (low + 1, -1)),
                bisect_right(self._closings, (high, len(self.chunks))),
            )
            made.extend(_border(row, Border(number, closing=True)) for _, number in self._closings[first:last])
        return made

    def at(self, offset: int) -> At:
        """The row of text that holds an offset."""
        stretch, number = super().at(offset)
        rows = self.rows(stretch)
        while number > 0 and rows[number].border is not None:
            number -= 1
        while rows[number].border is not None:
            number += 1
        return stretch, number

    def text_row(self, at: At, step: int) -> At:
        """The row itself, or the nearest of text beyond a border: down with ``step`` 1, up with -1, else the other."""
        for way in (step, -step):
            place = at
            while self.row(place).border is not None:
                following = self.step(place, way)
                if following == place:
                    break
                place = following
            else:
                return place
        return at

    def with_borders_above(self, at: At) -> At:
        """The first of the borders that stand right before a row; the row itself where none does."""
        while (above := self.step(at, -1)) != at and self.row(above).border is not None:
            at = above
        return at


def _border(row: Row, border: Border) -> Row:
    return replace(row, text="", first=False, hang=0, border=border)
