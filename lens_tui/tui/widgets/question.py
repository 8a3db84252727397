"""The question box: a field that grows by a few lines, where Enter asks and history is a key away."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import TextArea

from lens_tui.tui.keymap import bindings_by_id, plain_key
from lens_tui.tui.messages import AskWish, CommandChosen, SearchPageWish

LONGEST = 16_000
"""Characters of a question. The longest prompt that small local models take is shorter; more is refused in words."""
COMMANDS = {"colon": "app.commands", "question_mark": "app.keys", "slash": "search.open"}
"""Keys that are commands while the box is empty."""


class QuestionBox(TextArea, inherit_bindings=False):
    """Where a person writes. Empty, it takes ``/ : ?`` as commands; a blank first, or a paste, writes them."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings_by_id("ask.send", "ask.newline", "ask.earlier", "ask.later"),
        Binding("left", "cursor_left", show=False),
        Binding("right", "cursor_right", show=False),
        Binding("ctrl+left", "cursor_word_left", show=False),
        Binding("ctrl+right", "cursor_word_right", show=False),
        Binding("home,ctrl+a", "cursor_line_start", show=False),
        Binding("end,ctrl+e", "cursor_line_end", show=False),
        Binding("shift+left", "cursor_left(True)", show=False),
        Binding("shift+right", "cursor_right(True)", show=False),
        Binding("shift+up", "cursor_up(True)", show=False),
        Binding("shift+down", "cursor_down(True)", show=False),
        Binding("ctrl+shift+left", "cursor_word_left(True)", show=False),
        Binding("ctrl+shift+right", "cursor_word_right(True)", show=False),
        Binding("shift+home", "cursor_line_start(True)", show=False),
        Binding("shift+end", "cursor_line_end(True)", show=False),
        Binding("backspace", "delete_left", show=False),
        Binding("delete", "delete_right", show=False),
        Binding("ctrl+w", "delete_word_left", show=False),
        Binding("ctrl+u", "empty", show=False),
        Binding("ctrl+k", "delete_to_end_of_line_or_delete_line", show=False),
        Binding("ctrl+underscore", "undo", show=False),
        Binding("ctrl+v", "paste", show=False),
        Binding("ctrl+x", "cut", show=False),
    ]

    @dataclass
    class Refused(Message):
        """What was to be sent cannot be: a sentence for the hint row."""

        text: str

    @dataclass
    class Empty(Message):
        """Enter was pressed, and nothing is written."""

    def __init__(self, *, id: str | None = None, blink: bool = True) -> None:  # noqa: A002
        """Make an empty box."""
        super().__init__(
            id=id,
            soft_wrap=True,
            show_line_numbers=False,
            tab_behavior="focus",
            compact=True,
            highlight_cursor_line=False,
            placeholder="ask your notes",
        )
        self.cursor_blink = blink
        self._history: Sequence[str] = ()
        self._back = 0
        self._unsent = ""

    def remember(self, history: Sequence[str]) -> None:
        """Questions asked before, oldest first."""
        self._history = history
        self._back = 0

    def write(self, text: str) -> None:
        """Put text into the box, the cursor at its end."""
        self.load_text(text)
        self.move_cursor(self.document.end)

    async def _on_key(self, event: events.Key) -> None:
        key = plain_key(event.key, event.character)
        if not self.text:
            if key in COMMANDS:
                event.stop()
                event.prevent_default()
                wish = SearchPageWish(typing=True) if key == "slash" else CommandChosen(COMMANDS[key])
                self.post_message(wish)
                return
        elif key == "ctrl+d":
            event.stop()
            event.prevent_default()
            self.action_delete_right()
        if event.key == "enter":
            event.prevent_default()  # a binding sends; Textual's own handler would write a line end

    def action_ask_send(self) -> None:
        """Send the question."""
        question = self.text.strip()
        if not question:
            self.post_message(self.Empty())
        elif len(question) > LONGEST:
            self._refuse_length()
        else:
            self._back = 0
            self.load_text("")
            self.post_message(AskWish(question))

    def on_text_area_changed(self) -> None:
        """Say that a question is too long before it is sent."""
        if len(self.text) > LONGEST:
            self._refuse_length()

    def _refuse_length(self) -> None:
        size = len(self.text.strip())
        if size > LONGEST:
            self.post_message(self.Refused(f"This question has {size:,} characters; at most {LONGEST:,} can be asked."))

    def action_empty(self) -> None:
        """Take everything out; Ctrl+_ brings it back."""
        self.clear()

    def action_ask_newline(self) -> None:
        """Begin another line."""
        self.insert("\n")

    def action_ask_earlier(self) -> None:
        """On the first line: the question asked before; else the line above."""
        if not self.cursor_at_first_line or not self._history:
            self.action_cursor_up()
        elif self._back < len(self._history):
            if self._back == 0:
                self._unsent = self.text
            self._back += 1
            self.write(self._history[-self._back])

    def action_ask_later(self) -> None:
        """On the last line: the question asked after; else the line below."""
        if not self.cursor_at_last_line or self._back == 0:
            self.action_cursor_down()
            return
        self._back -= 1
        self.write(self._history[-self._back] if self._back else self._unsent)
