"""The list of a search's hits: one is current, and says why it ranks so where that is wanted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Offset
from textual.message import Message
from textual.timer import Timer

from lens_tui.tui.ink import signs_of
from lens_tui.tui.layout.hits import NUMBER, PATH, SNIPPET_ROWS, Look, explained, hit_lines
from lens_tui.tui.layout.lines import Line, Piece, hung
from lens_tui.tui.widgets.drawn import MOVES
from lens_tui.tui.widgets.rows import RowsView

if TYPE_CHECKING:
    from lens_tui.types import Retriever, SearchHit

_INKS = {NUMBER: ("accent bold", "cursor"), PATH: ("text", "bold")}
"""Inks of a hit's first row: as one of many, as the current one."""


REST_SECONDS = 0.1
"""Pause after which the hits out of sight are laid out too: who still types does not wait for them."""


class Hits(RowsView, can_focus=True):
    """Hits in order, each with its snippet; ``down`` is the next hit, whatever rows it has."""

    BINDINGS: ClassVar[list[BindingType]] = [*MOVES, Binding("enter", "open", show=False)]

    @dataclass
    class Moved(Message):
        """Another hit is current; ``place`` counts from 0."""

        place: int

    class Opened(Message):
        """The current hit is to be opened."""

    def __init__(self, reasons: Callable[[SearchHit], str], *, id: str | None = None) -> None:  # noqa: A002
        """Make an empty list; ``reasons`` is what stands at the right of each hit."""
        super().__init__(id=id)
        self._reasons = reasons
        self._hits: Sequence[SearchHit] = ()
        self._retriever: Retriever = "lexical"
        self._words: Sequence[Piece] = ()
        self._rows = SNIPPET_ROWS
        self._lines: list[Line] = []
        self._firsts: list[int] = []
        self._explains = False
        self._resting: Timer | None = None
        self._top = 0
        self.chosen = 0

    # What the page gives.

    def show(
        self,
        hits: Sequence[SearchHit],
        retriever: Retriever,
        *,
        chosen: int = 0,
        top: int = 0,
        rows: int = SNIPPET_ROWS,
    ) -> None:
        """Show hits, one of them current, a row at the top; of each text at most so many ``rows``."""
        if self._firsts and (hits, retriever, rows) == (self._hits, self._retriever, self._rows):
            # Found again while files are read: what is the same is not painted anew.
            self.choose(chosen)
            self.place(top)
            return
        self._hits, self._retriever, self._words, self._rows = hits, retriever, (), rows
        self.chosen = min(chosen, max(len(hits) - 1, 0))
        self._top = top
        # Wide text takes half a millisecond a hit: what is in sight first, so that it is there in this frame.
        self._lay(len(hits) if top or self.chosen else self.size.height // 2 + 1)
        if len(self._firsts) < len(hits):
            if self._resting is not None:
                self._resting.stop()
            self._resting = self.set_timer(REST_SECONDS, self._lay_rest)
        self.place(top)
        self._see()

    def tell(self, words: Sequence[Piece]) -> None:
        """Show a sentence in the place of hits."""
        self._hits, self._words, self.chosen = (), words, 0
        self._lay()
        self.place(0)

    def explain(self, wanted: bool) -> None:
        """Say, or say no longer, why the current hit ranks so."""
        if wanted == self._explains:
            return
        self._explains = wanted
        self._lay()
        self._see()

    def choose(self, place: int) -> None:
        """Make a hit current and bring it into sight."""
        before, self.chosen = self.chosen, max(0, min(place, len(self._hits) - 1))
        if not self._hits or self.chosen == before:
            return
        self._lay_rest()
        if self._explains:
            self._lay()
        else:
            for changed in (before, self.chosen):
                self.refresh_lines(self._firsts[changed], 3)
        self._see()
        self.post_message(self.Moved(self.chosen))

    # Drawing.

    def line(self, number: int) -> Line | None:
        """A row of the list."""
        return self._lines[number] if 0 <= number < len(self._lines) else None

    def count(self) -> int:
        """Rows in all."""
        return len(self._lines)

    def inked(self, number: int, piece: Piece) -> str:
        """The current hit's number is reversed, its path bold."""
        return _INKS[piece.ink][piece.tag == self.chosen] if piece.ink in _INKS else piece.ink

    def _lay_rest(self) -> None:
        if len(self._firsts) < len(self._hits):
            self._lay()

    def _lay(self, many: int | None = None) -> None:
        """Make the rows of all hits, or of the first so many."""
        if not self.size.width:
            return
        look = Look(self.size.width, signs_of(self), self._reasons, self._rows)
        lines: list[Line] = []
        firsts: list[int] = []
        if self._words:
            lines = hung(self._words, look.width - 1, first=[Piece(" ")], rest=[Piece(" ")])
        for place, hit in enumerate(self._hits[:many]):
            firsts.append(len(lines))
            lines += hit_lines(hit, place, look)
            if self._explains and place == self.chosen:
                lines += explained(hit, place, self._retriever, len(self._hits), look)
        self._lines, self._firsts = lines, firsts
        self.resized(0)

    def _see(self) -> None:
        if not self._hits or not self._firsts:
            return
        first = self._firsts[self.chosen]
        last = self._firsts[self.chosen + 1] if self.chosen + 1 < len(self._firsts) else len(self._lines)
        self.show_rows(first, last - 1)
        if self.has_focus:
            self.app.cursor_position = self.region.offset + Offset(1, first - self.scroll_offset.y)

    # What the person does.

    def on_resize(self) -> None:
        """Rows depend on the width; the current hit stays in sight."""
        self._lay()
        if self._top:
            # What was left is shown again where it stood: there were no rows to scroll before there was a width.
            self.place(self._top)
            self._top = 0
        self._see()

    def on_focus(self) -> None:
        """Put the terminal's cursor on the current hit."""
        self._see()

    def on_click(self, event: events.Click) -> None:
        """A click makes a hit current; a second one opens it."""
        line = self.line(event.y + self.scroll_offset.y)
        if line is not None and self._hits:
            self.choose(line.at[0])
            if event.chain == 2:
                self.post_message(self.Opened())

    def action_open(self) -> None:
        """Wish the current hit opened."""
        self.post_message(self.Opened())

    def action_up(self) -> None:
        """The hit before."""
        self.choose(self.chosen - 1)

    def action_down(self) -> None:
        """The next hit."""
        self.choose(self.chosen + 1)

    def action_page_up(self) -> None:
        """A screen up."""
        self._by(-1)

    def action_page_down(self) -> None:
        """A screen down."""
        self._by(1)

    def _by(self, screens: int) -> None:
        """The hit a screen away, at least the next one."""
        self._lay_rest()
        if not self._firsts:
            return
        row = self._firsts[self.chosen] + screens * max(1, self.size.height - 1)
        place = sum(first <= max(row, 0) for first in self._firsts) - 1
        self.choose(place if place != self.chosen else self.chosen + screens)

    def action_home(self) -> None:
        """The first hit."""
        self.choose(0)

    def action_end(self) -> None:
        """The last hit."""
        self.choose(len(self._hits) - 1)
