"""A choice of one key, asked in the hint row while everything above it stays."""

from collections.abc import Mapping

from textual import events
from textual.app import ComposeResult
from textual.screen import ModalScreen

from lens_tui.tui.hinting import Hint
from lens_tui.tui.widgets.hints import Hints


class Choice(ModalScreen[str]):
    """Returns the key that was pressed, or an empty string."""

    DEFAULT_CSS = """
    Choice { background: transparent; }
    Choice Hints { dock: bottom; }
    """

    def __init__(self, choices: Mapping[str, str]) -> None:
        """Offer keys with their words."""
        super().__init__()
        self._choices = choices

    def compose(self) -> ComposeResult:
        """The row itself."""
        yield Hints()

    def on_mount(self) -> None:
        """Draw the choices."""
        entries = [Hint(key, word, "") for key, word in self._choices.items()]
        self.query_one(Hints).show([*entries, Hint("Esc", "back", "")])

    def on_key(self, event: events.Key) -> None:
        """Any key ends it."""
        event.stop()
        event.prevent_default()
        self.dismiss(event.key if event.key in self._choices else "")
