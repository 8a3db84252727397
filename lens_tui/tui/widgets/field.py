"""A one-row field with a sign before it: the filter of a list, the find of a page."""

from dataclasses import dataclass

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Input

from lens_tui.tui.widgets.drawn import Words


class _Line(Input):
    """Textual's input without its frame."""


class Field(Horizontal):
    """Where a few words are typed. Posts what is in it at each change, and when Enter sends it."""

    DEFAULT_CSS = """
    Field {
        height: 1;
        width: 1fr;
        Words { width: 2; }
        _Line, _Line:focus {
            height: 1;
            width: 1fr;
            padding: 0 1 0 0;
            border: none;
            background: $lens-background;
            background-tint: transparent;
            color: $lens-text;
        }
        _Line > .input--placeholder { color: $lens-muted; }
    }
    """

    @dataclass
    class Typed(Message):
        """The text has changed."""

        text: str

    @dataclass
    class Sent(Message):
        """Enter was pressed."""

        text: str

    def __init__(self, sign: str, placeholder: str, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        """Make an empty field.

        Args:
            sign: One cell, drawn before the text.
            placeholder: What may be typed.
            id: As every widget.
        """
        super().__init__(id=id)
        self._sign = sign
        self._placeholder = placeholder

    def compose(self) -> ComposeResult:
        """Sign and input."""
        yield Words(((self._sign, "accent"),))
        line = _Line(placeholder=self._placeholder, compact=True, select_on_focus=False)
        line.cursor_blink = False
        yield line

    def ask(self, sign: str, placeholder: str) -> None:
        """Empty the field, show it for another use and take the focus."""
        self.query_one(Words).show(((sign, "accent"),))
        line = self.query_one(_Line)
        line.placeholder = placeholder
        line.value = ""
        self.display = True
        self.focus_line()

    @property
    def text(self) -> str:
        """What is in it."""
        return self.query_one(_Line).value

    @property
    def typing(self) -> bool:
        """Whether letters are typed into it now."""
        # Not has_focus: the input learns of it only with its next message.
        return self.screen.focused is self.query_one(_Line)

    def focus_line(self) -> None:
        """Take the focus; what is in it stays."""
        # At once, not with the next message: keys that were typed after ``/`` are on their way already.
        self.screen.set_focus(self.query_one(_Line))

    def type(self, text: str) -> None:
        """Add text at the end, as if it had been typed."""
        line = self.query_one(_Line)
        line.value += text
        line.cursor_position = len(line.value)

    def write(self, text: str) -> None:
        """Put text in the place of what is in it, the cursor at its end."""
        line = self.query_one(_Line)
        line.value = text
        line.cursor_position = len(text)

    def mark_all(self) -> None:
        """Select what is in it: the next letter takes its place."""
        self.query_one(_Line).action_select_all()

    def send(self) -> None:
        """Do what Enter does."""
        self.post_message(self.Sent(self.text))

    def on_input_changed(self, event: Input.Changed) -> None:
        """Tell the page."""
        event.stop()
        self.post_message(self.Typed(event.value))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Tell the page."""
        event.stop()
        self.post_message(self.Sent(event.value))

    def on_click(self, event: events.Click) -> None:
        """Take the focus, wherever in the row."""
        self.focus_line()
