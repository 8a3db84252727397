"""The top row of a column: what it shows, bold where the column has the focus."""

from collections.abc import Sequence

from rich.segment import Segment
from textual.strip import Strip
from textual.widget import Widget

from lens_tui.tui.cells import cut_end
from lens_tui.tui.ink import ink_of, signs_of
from lens_tui.tui.layout.lines import cells

Word = tuple[str, str]
"""Words and their ink."""


class Header(Widget):
    """One row: words from the left, and words at the right where there is room for them."""

    DEFAULT_CSS = "Header { height: 1; width: 1fr; }"

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        """Show nothing."""
        super().__init__(id=id)
        self._left: tuple[Word, ...] = ()
        self._right: tuple[Word, ...] = ()

    def show(self, left: Sequence[Word], right: Sequence[Word] = ()) -> None:
        """Show words, two blanks between two of one side."""
        if (tuple(left), tuple(right)) != (self._left, self._right):
            self._left, self._right = tuple(left), tuple(right)
            self.refresh()

    def render_line(self, y: int) -> Strip:
        """Draw the row."""
        width, ink, signs = self.size.width, ink_of(self), signs_of(self)
        right: list[Segment] = []
        for place, (words, name) in enumerate((signs.said(w), n) for w, n in self._right if w):
            right.append(Segment(("  " if place else "") + words, ink(name)))
        taken = sum(cells(segment.text) for segment in right)
        if right and taken + 12 > width:
            right, taken = [], 0
        left: list[Segment] = [Segment(" ", ink("text"))]
        room = width - 2 - (taken + 2 if right else 0)
        for place, (words, name) in enumerate((signs.said(w), n) for w, n in self._left if w):
            shown = cut_end(("  " if place else "") + words, room, signs.ellipsis)
            room -= cells(shown)
            left.append(Segment(shown, ink(name)))
        gap = width - sum(cells(segment.text) for segment in left) - taken - (1 if right else 0)
        middle = Segment(" " * max(gap, 0), ink("text"))
        return Strip([*left, middle, *right]).adjust_cell_length(width, ink("text"))
