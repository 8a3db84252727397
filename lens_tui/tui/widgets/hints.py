"""The last row: keys of the focused part, or for a few seconds a sentence."""

from collections.abc import Sequence

from rich.segment import Segment
from textual import events
from textual.strip import Strip
from textual.timer import Timer
from textual.widget import Widget

from lens_tui.tui.cells import cut_end
from lens_tui.tui.hinting import Hint
from lens_tui.tui.ink import ink_of, signs_of
from lens_tui.tui.layout.lines import cells
from lens_tui.tui.messages import CommandChosen

NOTICE_SECONDS = 5.0
"""A sentence stays so long, or until a key."""


class Hints(Widget):
    """One row of ``key word`` entries; a click on one does what the key does."""

    DEFAULT_CSS = "Hints { height: 1; width: 1fr; }"

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        """Show nothing."""
        super().__init__(id=id)
        self._entries: tuple[Hint, ...] = ()
        self._said = ""
        self._timer: Timer | None = None

    @property
    def said(self) -> str:
        """The sentence that stands there now; empty where there is none."""
        return self._said

    def show(self, entries: Sequence[Hint]) -> None:
        """Show what keys do here; a sentence that stands there stays."""
        if tuple(entries) != self._entries:
            self._entries = tuple(entries)
            self.refresh()

    def say(self, text: str) -> None:
        """Show a sentence for a few seconds; empty takes one away."""
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        if text:
            self._timer = self.set_timer(NOTICE_SECONDS, self.hush)
        if text != self._said:
            self._said = text
            self.refresh()

    def hush(self) -> None:
        """Show the keys again."""
        self.say("")

    def render_line(self, y: int) -> Strip:
        """Draw the row."""
        width, ink, signs = self.size.width, ink_of(self), signs_of(self)
        segments = [Segment(" ", ink("text"))]
        if self._said:
            segments.append(Segment(cut_end(signs.said(self._said), width - 2, signs.ellipsis), ink("text")))
        else:
            for entry in self._entries:
                segments.append(Segment(f"{entry.keys} ", ink("text")))
                segments.append(Segment(f"{entry.word}   ", ink("muted")))
        return Strip(segments).adjust_cell_length(width, ink("text"))

    def on_click(self, event: events.Click) -> None:
        """Do what the entry under the pointer says."""
        if self._said:
            return
        column = 1
        for entry in self._entries:
            column += cells(f"{entry.keys} {entry.word}") + 3
            if event.x < column:
                self.post_message(CommandChosen(entry.id))
                return
