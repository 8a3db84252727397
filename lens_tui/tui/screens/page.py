"""The shape that every page has: a row that names it, a field where there is one, the body, a rule, the hints."""

from collections.abc import Iterable, Mapping
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import Screen
from textual.widget import Widget

from lens_tui.tui.hinting import hints_for
from lens_tui.tui.keymap import bindings_by_id, keys_of
from lens_tui.tui.widgets.field import Field
from lens_tui.tui.widgets.header import Header
from lens_tui.tui.widgets.hints import Hints
from lens_tui.tui.widgets.rule import Rule

HINTS_FROM = 20
"""Rows under which a page has no hint row (screens.md, 'Widths')."""
HEADER_FROM = 16
"""Rows under which it has no top row either."""


class Page(Screen[None]):
    """A full page over the main screen. Esc leaves it, and what was there before is there again."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings_by_id("app.back")]
    DEFAULT_CSS = """
    Page { background: $lens-background; color: $lens-text; layout: vertical; overflow: hidden; }
    """
    part: str = ""
    """Its row in the table of hints."""
    opens_field: ClassVar[tuple[str, ...]] = ()
    """Ids of keys that open its field."""

    def compose(self) -> ComposeResult:
        """Draw the rows of a page, the body between them."""
        yield Header(id="title")
        yield from self.body()
        yield Rule(id="rule")
        yield from self.below()
        yield Hints(id="hints")

    def body(self) -> Iterable[Widget]:
        """What the page is about."""
        raise NotImplementedError

    def below(self) -> Iterable[Widget]:
        """What stands between rule and hints."""
        return ()

    @property
    def title_row(self) -> Header:
        """The row that names the page."""
        return self.query_one("#title", Header)

    @property
    def rule_row(self) -> Rule:
        """The rule above the hints."""
        return self.query_one("#rule", Rule)

    @property
    def hint_row(self) -> Hints:
        """The last row."""
        return self.query_one("#hints", Hints)

    @property
    def overrides(self) -> Mapping[str, str]:
        """The person's own keys, as far as they can be used."""
        return getattr(self.app, "keys", {})

    def hint_part(self) -> str:
        """The row of the table of hints that holds now."""
        return self.part

    def show_hints(self) -> None:
        """Draw the hints that hold now."""
        self.hint_row.show(hints_for(self.hint_part(), self.size.width, self.overrides))

    def on_mount(self) -> None:
        """Draw what the page knows."""
        self.draw()

    def on_resize(self, event: events.Resize) -> None:
        """Drop rows where there are few."""
        self.hint_row.display = event.size.height >= HINTS_FROM
        self.title_row.display = event.size.height >= HEADER_FROM
        self.draw()

    def on_descendant_focus(self) -> None:
        """Keys change with what has the focus."""
        self.show_hints()

    def on_key(self, event: events.Key) -> None:
        """Take a sentence from the hint row, and put what was typed too early for the field into it.

        Keys that come in one burst are all on their way to the widget that had the focus when the first of them opened
        the field. A binding would be looked up only after that, when letters have long been taken for commands.
        """
        self.hint_row.hush()
        field = next(iter(self.query(Field)), None)
        if field is None:
            return
        taken = True
        if field.typing and event.is_printable and event.character:
            field.type(event.character)
        elif field.typing and event.key == "enter":
            field.send()
        elif not field.typing and (opens := self._opens(event.key)):
            getattr(self, f"action_{opens.replace('.', '_')}")()
        else:
            taken = False
        if taken:
            event.stop()
            event.prevent_default()

    def _opens(self, key: str) -> str:
        return next((each for each in self.opens_field if key in keys_of(each, self.overrides)), "")

    def draw(self) -> None:
        """Draw title, rule and hints anew; pages add theirs."""
        self.show_hints()

    def say(self, text: str) -> None:
        """Show a sentence in the hint row for a few seconds."""
        self.hint_row.say(text)

    def action_app_back(self) -> None:
        """Leave the page."""
        if self.is_current:
            self.dismiss()
