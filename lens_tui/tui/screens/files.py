"""Every file of the folder on a page of its own, with how each one stands in words."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import ClassVar

from textual.binding import BindingType
from textual.widget import Widget

from lens_tui.requests import IndexState
from lens_tui.tui.cells import cut_end, fitted
from lens_tui.tui.ink import signs_of
from lens_tui.tui.keymap import bindings_by_id
from lens_tui.tui.layout.facts import count
from lens_tui.tui.layout.working import indexing, standing
from lens_tui.tui.messages import CommandChosen
from lens_tui.tui.screens.page import Page
from lens_tui.tui.widgets.drawn import Words
from lens_tui.tui.widgets.field import Field
from lens_tui.tui.widgets.tree import FilesTree
from lens_tui.types import FileRow, ModelChoice


class FilesPage(Page):
    """The tree over the whole width. The question stays below it, and ``i`` goes back to it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings_by_id("files.filter", "panel.files", "panel.status", "focus.ask")
    ]
    part = "files"
    opens_field = ("files.filter",)

    def __init__(
        self,
        rows: Iterable[FileRow],
        state: IndexState,
        folder: str,
        *,
        choice: ModelChoice | None = None,
        opened: Iterable[str] = (),
        chosen: str = "",
        question: str = "",
        filtering: bool = False,
    ) -> None:
        """Show a folder.

        Args:
            rows: Every file.
            state: Where the index stands.
            folder: Its name as drawn.
            choice: Which model answers.
            opened: What is open in the tree (``FilesTree.opened``).
            chosen: The file to stand on.
            question: What is written in the question box.
            filtering: Whether the filter is open at once.
        """
        super().__init__()
        self._rows = tuple(rows)
        self._state = state
        self._folder = folder
        self._choice = choice
        self._opened = tuple(opened)
        self._chosen = chosen
        self._question = question
        self._filtering = filtering

    @property
    def files(self) -> FilesTree:
        """The files."""
        return self.query_one(FilesTree)

    def body(self) -> Iterable[Widget]:
        """The tree."""
        yield FilesTree(words=True, id="files")

    def below(self) -> Iterable[Widget]:
        """The question as it stands, or the filter in its place."""
        yield Words(id="asking")
        yield Field("/", "part of a file's name or path")

    def on_mount(self) -> None:
        """Show what the page was given."""
        self.query_one(Field).display = False
        self.files.open_folders(self._opened)
        self.files.show(self._rows)
        if self._chosen:
            self.files.choose(self._chosen)
        self.set_focus(self.files)
        if self._filtering:
            self.action_files_filter()

    def draw(self) -> None:
        """Say how many files there are and how far they are read."""
        state, signs = self._state, signs_of(self)
        facts = [count(max(state.total, state.files), "file"), count(state.chunks, "chunk")]
        facts += [f"{state.left_out:,} left out"] if state.left_out else []
        facts += [f"{state.failed:,} failed"] if state.failed else []
        self.title_row.show((("Files", "text bold"), (" · ".join(facts), "muted")), ((self._folder, "muted"),))
        words, share = indexing(state)
        # How many failed is in the top row already.
        right = standing(replace(state, failed=0), self._choice, below=0, engine="", is_answering=False, wanted="")
        self.rule_row.show(words, share, right)
        asked = fitted(self._question.partition("\n")[0]) or "ask your notes"
        ink = "text" if self._question else "muted"
        shown = cut_end(asked, self.size.width - 3, signs.ellipsis)
        self.query_one("#asking", Words).show(((signs.ask, "accent"), (f" {shown}", ink)))
        super().draw()

    def index_moved(self, state: IndexState) -> None:
        """Where the index stands."""
        self._state = state
        self.draw()

    def model_chosen(self, choice: ModelChoice) -> None:
        """Who answers from now on."""
        self._choice = choice
        self.draw()

    def rows_moved(self, rows: Sequence[FileRow], gone: Sequence[str], everything: bool = False) -> None:
        """Files that are new, changed or gone."""
        if everything:
            self.files.show(rows)
        else:
            self.files.apply(rows, gone)

    def hint_part(self) -> str:
        """Hints of the filter while it is open."""
        return "filtering" if self.is_mounted and self.query_one(Field).typing else "files"

    def on_field_typed(self, event: Field.Typed) -> None:
        """Filter at each letter."""
        self.files.filter(event.text)

    def on_field_sent(self, event: Field.Sent) -> None:
        """Go to what the filter left."""
        self.set_focus(self.files)
        self.draw()

    def _show_field(self, shown: bool) -> None:
        self.query_one(Field).display = shown
        self.query_one("#asking", Words).display = not shown

    def action_files_filter(self) -> None:
        """Open the filter; what is in it stays."""
        field = self.query_one(Field)
        if field.display:
            field.focus_line()
        else:
            self._show_field(True)
            field.ask("/", "part of a file's name or path")
        self.show_hints()

    def action_panel_files(self) -> None:
        """The same key that opened the page closes it."""
        self.dismiss()

    def action_panel_status(self) -> None:
        """Open Status over it."""
        self.post_message(CommandChosen("panel.status"))

    def action_focus_ask(self) -> None:
        """Leave for the question."""
        app = self.app
        self.dismiss()
        app.post_message(CommandChosen("focus.ask"))

    def action_app_back(self) -> None:
        """Take the filter away, else leave."""
        if self.query_one(Field).display:
            self._show_field(False)
            self.files.filter("")
            self.set_focus(self.files)
            self.draw()
        else:
            super().action_app_back()
