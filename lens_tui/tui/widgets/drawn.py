"""A widget drawn line by line in the theme's roles: what the tree, the file view and every list are made of."""

from collections.abc import Sequence
from typing import ClassVar

from rich.segment import Segment
from textual.binding import Binding, BindingType
from textual.geometry import Offset, Region, Size
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget

from lens_tui.tui.cells import head, width_of
from lens_tui.tui.ink import drawn_lines, ink_of, signs_of
from lens_tui.tui.signs import Signs

Piece = tuple[str, str]
"""Printable text on one row, and the roles that it is drawn in (see ``tui/ink.py``)."""

MOVES: tuple[BindingType, ...] = (
    Binding("up,k", "up", show=False),
    Binding("down,j", "down", show=False),
    Binding("pageup", "page_up", show=False),
    Binding("pagedown", "page_down", show=False),
    Binding("home", "home", show=False),
    Binding("end", "end", show=False),
)
"""The keys of ``move`` in the key map; a widget answers with the actions."""


def strip_of(widget: Widget, pieces: Sequence[Piece], width: int) -> Strip:
    """Pieces as one row of the screen, filled up to ``width`` cells and cut there."""
    ink = ink_of(widget)
    segments: list[Segment] = []
    used = 0
    for text, roles in pieces:
        cells = width_of(text)
        if used + cells > width:
            text = head(text, width - used)
            cells = width_of(text)
        if text:
            segments.append(Segment(text, ink(roles)))
            used += cells
    if used < width:
        segments.append(Segment(" " * (width - used), ink("text")))
    return Strip(segments, width)


class Words(Widget):
    """One row of pieces that somebody gives it."""

    DEFAULT_CSS = "Words { height: 1; width: 1fr; }"

    def __init__(self, pieces: Sequence[Piece] = (), *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        """Show pieces."""
        super().__init__(id=id)
        self._pieces = tuple(pieces)

    def show(self, pieces: Sequence[Piece]) -> None:
        """Show other pieces."""
        if tuple(pieces) != self._pieces:
            self._pieces = tuple(pieces)
            self.refresh()

    def render_line(self, y: int) -> Strip:
        """Draw the row."""
        return strip_of(self, self._pieces, self.size.width)


class Drawn(ScrollView, can_focus=True):
    """Rows of pieces in roles. No scroll bar takes a column: where one stands is said in words."""

    DEFAULT_CSS = """
    Drawn {
        height: 1fr;
        width: 1fr;
        scrollbar-size: 0 0;
        background: $lens-background;
        color: $lens-text;
        overflow-x: hidden;
    }
    """

    @property
    def signs(self) -> Signs:
        """The set of signs in use."""
        return signs_of(self)

    def pieces(self, line: int, width: int) -> Sequence[Piece]:
        """The pieces of one line, counted from the top of everything, in at most ``width`` cells."""
        raise NotImplementedError

    def count(self) -> int:
        """Lines in all."""
        raise NotImplementedError

    def render_line(self, y: int) -> Strip:
        """Draw one row of the screen (Textual's Line API)."""
        width = self.size.width
        line = self.scroll_offset.y + y
        return strip_of(self, self.pieces(line, width) if 0 <= line < self.count() else (), width)

    def render_lines(self, crop: Region) -> list[Strip]:
        """Draw the rows of a part of the widget."""
        return drawn_lines(self, crop)

    def resized(self) -> None:
        """Tell the scroll view how many lines there are."""
        self.virtual_size = Size(1, self.count())

    def redraw(self, line: int) -> None:
        """Draw one line anew where it is in sight."""
        row = line - self.scroll_offset.y
        if 0 <= row < self.size.height:
            self.refresh(Region(0, row, self.size.width, 1))

    def in_sight(self, line: int, last: int | None = None, *, centre: bool = False) -> None:
        """Scroll, without motion, as little as shows the lines; or put the first a third down the screen."""
        height, top = max(1, self.size.height), self.scroll_offset.y
        last = line if last is None else last
        if centre:
            wanted = line - height // 3
        elif line < top or last - line >= height:
            wanted = line
        elif last >= top + height:
            wanted = last - height + 1
        else:
            return
        limit = max(0, self.count() - height)
        self.scroll_to(y=min(max(0, wanted), limit), animate=False, force=True, immediate=True)

    def put_cursor(self, column: int, line: int) -> None:
        """Put the terminal's own cursor on a cell, for screen readers and magnifiers."""
        row = line - self.scroll_offset.y
        if self.has_focus and 0 <= row < self.size.height:
            self.app.cursor_position = self.content_region.offset + Offset(column, row)


class Walked(Drawn):
    """A column of entries of which one is current; the keys that move change which."""

    BINDINGS: ClassVar[list[BindingType]] = [*MOVES]
    _at = 0
    """Place of the current entry, from 0."""

    def _go(self, place: int) -> None:
        """Make the entry at a place the current one, the nearest where there is none."""
        raise NotImplementedError

    @property
    def _end(self) -> int:
        """Place of the last entry."""
        raise NotImplementedError

    def action_up(self) -> None:
        """The entry before."""
        self._go(self._at - 1)

    def action_down(self) -> None:
        """The next entry."""
        self._go(self._at + 1)

    def action_page_up(self) -> None:
        """One screen up."""
        self._go(self._at - max(1, self.size.height - 1))

    def action_page_down(self) -> None:
        """One screen down."""
        self._go(self._at + max(1, self.size.height - 1))

    def action_home(self) -> None:
        """To the first entry."""
        self._go(0)

    def action_end(self) -> None:
        """To the last entry."""
        self._go(self._end)


class Lines(Drawn):
    """Lines that somebody gives it, to be read and scrolled."""

    BINDINGS: ClassVar[list[BindingType]] = [*MOVES]

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        """Show nothing."""
        super().__init__(id=id)
        self._lines: tuple[Sequence[Piece], ...] = ()

    def show(self, lines: Sequence[Sequence[Piece]]) -> None:
        """Show other lines; where one had scrolled to stays."""
        if tuple(lines) == self._lines:
            return
        self._lines = tuple(lines)
        self.resized()
        self.refresh()

    def pieces(self, line: int, width: int) -> Sequence[Piece]:
        """The line as it was given."""
        return self._lines[line]

    def count(self) -> int:
        """Lines that were given."""
        return len(self._lines)

    def _by(self, rows: int) -> None:
        self.scroll_to(y=self.scroll_offset.y + rows, animate=False, force=True, immediate=True)
        self.put_cursor(0, self.scroll_offset.y)

    def action_up(self) -> None:
        """One row up."""
        self._by(-1)

    def action_down(self) -> None:
        """One row down."""
        self._by(1)

    def action_page_up(self) -> None:
        """One screen up, one row kept."""
        self._by(1 - max(2, self.size.height))

    def action_page_down(self) -> None:
        """One screen down, one row kept."""
        self._by(max(2, self.size.height) - 1)

    def action_home(self) -> None:
        """To the first line."""
        self._by(-len(self._lines))

    def action_end(self) -> None:
        """To the last line."""
        self._by(len(self._lines))
