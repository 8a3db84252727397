"""A scrolling column of lines drawn one by one: what chat and sources have in common."""

import re
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.geometry import Region, Size
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip

from lens_tui.tui.ink import drawn_lines, ink_of
from lens_tui.tui.layout.lines import Line, Piece, cells

_DRAWN = re.compile("(?<=\n) {1,3}| \\[[–-]\\]|(?<=\\d)[≠✗~]+(?=[\\],])")
"""What is drawn and belongs to no text: the indent, the sign of a sentence that cites nothing, signs of citations."""


class RowsView(ScrollView):
    """Draws ``line(number)`` for each visible row. No scrollbar; the wheel and keys move it."""

    DEFAULT_CSS = """
    RowsView { scrollbar-size: 0 0; overflow-x: hidden; overflow-y: auto; }
    """
    ALLOW_SELECT: ClassVar[bool] = True

    def line(self, number: int) -> Line | None:
        """The row of a number; None where there is none."""
        raise NotImplementedError

    def count(self) -> int:
        """How many rows there are."""
        raise NotImplementedError

    def inked(self, number: int, piece: Piece) -> str:
        """The ink of a piece where it is drawn now; for what is current."""
        return piece.ink

    def resized(self, changed: int | None) -> None:
        """Repaint from row ``changed`` on (None: nothing), after the number of rows may have changed."""
        size = Size(self.size.width, self.count())
        if size != self.virtual_size:
            self.virtual_size = size
        if changed is not None:
            top = max(changed, self.scroll_offset.y)
            self.refresh_lines(top, max(self.scroll_offset.y + self.size.height - top, 0) + 1)

    def render_line(self, y: int) -> Strip:
        """Draw one row."""
        number = self.scroll_offset.y + y
        line = self.line(number)
        return strip_of(self, line, number, self.size.width)

    def render_lines(self, crop: Region) -> list[Strip]:
        """Draw the rows of a part of the widget."""
        return drawn_lines(self, crop)

    def piece_at(self, x: int, y: int) -> tuple[int, Piece] | None:
        """The row's number and the piece at a point of the widget; None beside every piece."""
        number = self.scroll_offset.y + y
        line = self.line(number)
        if line is None:
            return None
        column = 0
        for piece in line.pieces:
            column += cells(piece.text)
            if x < column:
                return number, piece
        return None

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """Text between two points that were dragged over."""
        rows = [self.line(number) for number in range(self.count())]
        text = "\n".join(line.text.replace("\u00a0", " ") if line is not None else "" for line in rows)
        return _DRAWN.sub("", selection.extract(text)), "\n"

    def selection_updated(self, selection: Selection | None) -> None:
        """Draw what is selected now."""
        self.refresh()

    def show_rows(self, first: int, last: int) -> None:
        """Scroll as little as needed for these rows to be seen, the first one before all."""
        top, height = self.scroll_offset.y, self.size.height
        if first < top:
            self.place(first)
        elif last >= top + height:
            self.place(min(last - height + 1, first))

    def place(self, row: int) -> None:
        """Put a row at the top, at once."""
        self.scroll_to(y=max(row, 0), animate=False, force=True)


def strip_of(view: RowsView, line: Line | None, number: int, width: int) -> Strip:
    """One row of a view as Textual takes it, filled to its width."""
    ink = ink_of(view)
    ground = ink("text")
    if line is None:
        return Strip([Segment(" " * width, ground)], width)
    selection = view.text_selection
    span = selection.get_span(number) if selection is not None else None
    segments: list[Segment] = []
    used = 0
    for piece in line.pieces:
        text = piece.text.replace("\u00a0", " ")
        segments.append(Segment(text, ink(view.inked(number, piece))))
        used += cells(text)
    if used < width:
        segments.append(Segment(" " * (width - used), ground))
    strip = Strip(segments, max(used, width)).crop(0, width)
    if span is not None:
        start, end = span
        end = width if end == -1 else end
        chosen: Style = ink("cursor") + Style(bold=False)
        parts = strip.divide([min(start, width), min(end, width), width])
        strip = Strip.join([parts[0], Strip([Segment(s.text, chosen) for s in parts[1]]), *parts[2:]])
    return strip.apply_offsets(0, number)
