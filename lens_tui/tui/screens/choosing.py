"""The shape of every list page: a field that filters, the list below it, Enter does it."""

from collections.abc import Iterable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widget import Widget

from lens_tui.tui.messages import CommandChosen
from lens_tui.tui.screens.page import Page
from lens_tui.tui.widgets.choices import Choices
from lens_tui.tui.widgets.field import Field
from lens_tui.tui.widgets.header import Header
from lens_tui.tui.widgets.hints import Hints
from lens_tui.tui.widgets.rule import Rule


class ChoosingPage(Page):
    """The field has the focus: letters type, arrows choose, Enter does it, Tab goes to the list and back."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "list('up')", show=False),
        Binding("down", "list('down')", show=False),
        Binding("pageup", "list('page_up')", show=False),
        Binding("pagedown", "list('page_down')", show=False),
        Binding("tab", "other", show=False),
        Binding("shift+tab", "other", show=False),
        Binding("slash", "field", show=False),
    ]

    def compose(self) -> ComposeResult:
        """Header, field, rule, list, rule, hints."""
        yield Header(id="title")
        yield Field("/", "type to filter")
        yield Rule(id="above")
        yield from self.body()
        yield Rule(id="rule")
        yield Hints(id="hints")

    def body(self) -> Iterable[Widget]:
        """The list."""
        raise NotImplementedError

    @property
    def list(self) -> Choices:
        """What is chosen from."""
        return self.query_one(Choices)

    def on_mount(self) -> None:
        """Begin in the field."""
        self.filter("")
        self.query_one(Field).focus_line()

    def filter(self, text: str) -> None:
        """Show what fits ``text``."""
        raise NotImplementedError

    def on_field_typed(self, event: Field.Typed) -> None:
        """Filter at each letter."""
        self.filter(event.text)

    def on_field_sent(self, event: Field.Sent) -> None:
        """Enter in the field does what the list stands on."""
        self.list.action_list_choose()

    def on_choices_chosen(self, event: Choices.Chosen) -> None:
        """Leave, then do it: what it acts on is the screen below."""
        if not self.may_leave(event.id):
            return
        app = self.app
        self.dismiss()
        app.post_message(CommandChosen(event.id))

    def may_leave(self, chosen: str) -> bool:
        """Whether what was chosen can be done from here; a page says why not, and puts back what was only tried."""
        return bool(chosen)

    def action_list(self, move: str) -> None:
        """Move in the list while the field has the focus."""
        getattr(self.list, f"action_{move}")()

    def action_other(self) -> None:
        """From the field to the list, and back."""
        if self.query_one(Field).typing:
            self.set_focus(self.list)
        else:
            self.query_one(Field).focus_line()

    def action_field(self) -> None:
        """To the field."""
        self.query_one(Field).focus_line()
