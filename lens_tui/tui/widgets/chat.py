"""The conversation: one widget that draws its rows, follows the end while an answer streams, and knows citations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Offset, Size
from textual.message import Message

from lens_tui.tui.ink import signs_of
from lens_tui.tui.keymap import bindings_by_id
from lens_tui.tui.layout.lines import UNFOLD, Drawing, Line, Piece, cells
from lens_tui.tui.layout.talk import Rows
from lens_tui.tui.layout.welcome import welcome_lines
from lens_tui.tui.messages import CitationChosen
from lens_tui.tui.turns import LiveTalk
from lens_tui.tui.widgets.rows import RowsView

if TYPE_CHECKING:
    from lens_tui.requests import IndexState
    from lens_tui.types import ModelChoice

WIDEST = 88
"""Columns that the chat takes at most: 84 of text, its indent and one free at the right."""
FRAME_SECONDS = 1 / 30
"""What arrives within this time is drawn at once; more often no eye can follow."""


class Chat(RowsView, can_focus=True):
    """Rows of every turn. Given turns, it lays out what changed and repaints only that."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "rows(-1)", show=False),
        Binding("down,j", "rows(1)", show=False),
        Binding("home", "top", show=False),
        Binding("end", "bottom", show=False),
        *bindings_by_id("ask.again"),
    ]

    @dataclass
    class Moved(Message):
        """The part that is seen has changed; ``below`` counts the rows under it."""

        below: int

    @dataclass
    class Opened(Message):
        """The current citation is to be opened in its file."""

    @dataclass
    class Again(Message):
        """The newest question is to be asked again."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        """Make an empty conversation."""
        super().__init__(id=id)
        self._rows = Rows()
        self._talk = LiveTalk()
        self._welcome: list[Line] | None = []
        self._known: tuple[IndexState | None, ModelChoice | None] = (None, None)
        self._chosen: tuple[int, int] | None = None
        self._hint = ""
        self._due = False
        self._placing = False
        self.following = True

    def line(self, number: int) -> Line | None:
        """A row of the conversation, or of what stands in its place."""
        if self._welcome is not None:
            return self._welcome[number] if number < len(self._welcome) else None
        found = self._rows.row(number)
        return found[1] if found is not None else None

    def count(self) -> int:
        """Rows in all."""
        return len(self._welcome) if self._welcome is not None else len(self._rows)

    def inked(self, number: int, piece: Piece) -> str:
        """The current citation is reversed."""
        if self._chosen is None or piece.tag != self._chosen[1] or "muted" in piece.ink:
            return piece.ink
        found = self._rows.row(number)
        return "cursor" if found is not None and found[0] == self._chosen[0] else piece.ink

    # What the screen says to it

    def show(self, talk: LiveTalk) -> None:
        """Take another conversation, seen from its end."""
        self._talk = talk
        self.following = True
        self._draw()

    def changed(self) -> None:
        """Something came for a turn: draw it within a frame."""
        if not self._due:
            self._due = True
            self.set_timer(FRAME_SECONDS, self._draw)

    def ended(self, place: int) -> None:
        """Nothing more comes for a turn. Quotes came all at once, so they are read from their beginning."""
        seen = self.following and self._chosen is None
        self._draw()
        if seen and self._talk.turns[place].quoted:
            self.stand_at((place, 0, 0))

    def know(self, state: IndexState | None, choice: ModelChoice | None) -> None:
        """What the empty conversation tells of folder and model, and quoted answers of how to get one."""
        self._known = (state, choice)
        hint = choice.hint.splitlines()[0].strip() if choice is not None and not choice.name and choice.hint else ""
        if hint != self._hint:
            self._hint = hint
            self.changed()
        elif self._welcome is not None:
            self.changed()

    def choose(self, chosen: tuple[int, int] | None, room: int = 0) -> None:
        """Make a citation current and bring it into sight, at least ``room`` rows from the bottom."""
        before, self._chosen = self._chosen, chosen
        for citation in (before, chosen):
            rows = self._rows.of_tag(*citation) if citation is not None else None
            if rows is not None:
                self.refresh_lines(rows[0], rows[1] - rows[0] + 1)
        if chosen is not None and (rows := self._rows.of_tag(*chosen)) is not None:
            self.show_rows(rows[0], rows[0] + room)
            self._stand()

    def top_place(self) -> tuple[int, int, int] | None:
        """Where the uppermost row stands, whatever the width."""
        return None if self.following else self._rows.place(self.scroll_offset.y)

    def stand_at(self, place: tuple[int, int, int]) -> None:
        """Put a place at the top, and stay there."""
        self._move(self._rows.find(place))
        self.following = self.scroll_offset.y >= self.max_scroll_y

    def page(self, by: int) -> None:
        """Scroll by whole pages, one row kept."""
        self.place(self.scroll_offset.y + by * max(self.size.height - 1, 1))

    # Drawing

    def _draw(self) -> None:
        self._due = False
        if not self.is_mounted or self.size.width == 0:
            return
        width = min(self.size.width, WIDEST) - 1
        if not self._talk.turns:
            welcome = [] if self._talk.expected else welcome_lines(*self._known, width)
            before, self._welcome = self._welcome, welcome
            self.resized(0 if self._welcome != before else None)
            return
        was_welcome, self._welcome = self._welcome is not None, None
        changed = self._rows.update(self._talk.turns, Drawing(width, signs_of(self), self._hint))
        self.resized(0 if was_welcome else changed)
        if self.following and self._chosen is None:
            self._move(self.count())
        self._tell()

    def _move(self, row: int) -> None:
        self._placing = True
        self.scroll_to(y=min(row, self.max_scroll_y), animate=False, force=True)
        self._placing = False

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Notice that the person has left the end, or come back to it."""
        super().watch_scroll_y(old_value, new_value)
        if not self._placing:
            self.following = round(new_value) >= self.max_scroll_y
        self._tell()

    def _tell(self) -> None:
        self.post_message(self.Moved(max(self.count() - self.scroll_offset.y - self.size.height, 0)))

    def on_resize(self, event: events.Resize) -> None:
        """Lay out anew and keep the line at the top where it is."""
        place = self._rows.place(self.scroll_offset.y) if self._welcome is None else None
        following = self.following
        self._draw()
        if place is not None and not following:
            self._move(self._rows.find(place))
        if self._chosen is not None and (rows := self._rows.of_tag(*self._chosen)) is not None:
            self.show_rows(*rows)
        self.following = following
        self.refresh()

    def _stand(self) -> None:
        """Put the terminal's own cursor on the current citation, for readers that follow it."""
        if not self.has_focus or self._chosen is None:
            return
        rows = self._rows.of_tag(*self._chosen)
        line = self.line(rows[0]) if rows is not None else None
        if rows is None or line is None:
            return
        column = 0
        for piece in line.pieces:
            if piece.tag == self._chosen[1]:
                break
            column += cells(piece.text)
        x, y = self.region.offset
        self.app.cursor_position = Offset(x + column, y + rows[0] - self.scroll_offset.y)

    def redraw(self) -> None:
        """Lay everything out anew: other signs, another theme."""
        self._rows = Rows()
        self._welcome = None if self._talk.turns else []
        self._draw()
        self.refresh()

    # What the person does

    def on_click(self, event: events.Click) -> None:
        """A click makes a citation current, or unfolds; a double click opens the file."""
        found = self.piece_at(event.x, event.y)
        row = self._rows.row(found[0]) if found is not None and self._welcome is None else None
        if found is None or row is None or found[1].tag < 0:
            return
        if found[1].tag == UNFOLD:
            self.unfold(row[0])
            return
        self.post_message(CitationChosen(row[0], found[1].tag))
        if event.chain > 1:
            self.post_message(self.Opened())

    def unfold(self, place: int) -> None:
        """Show the thinking of a turn, or hide it again."""
        turn = self._talk.turns[place]
        turn.unfolded = not turn.unfolded
        turn.version += 1
        self._draw()

    def action_rows(self, by: int) -> None:
        """Scroll by rows."""
        self.place(self.scroll_offset.y + by)

    def action_top(self) -> None:
        """Go to the first question."""
        self.place(0)

    def action_bottom(self) -> None:
        """Go to the end, and follow it again."""
        self.following = True
        self._move(self.count())

    def action_ask_again(self) -> None:
        """Wish the newest question asked again."""
        self.post_message(self.Again())

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As tall as there is room."""
        return container.height
