"""Passages like one that stands somewhere: the search page's shape, with a place in the place of a query."""

from __future__ import annotations

from collections.abc import Iterable

from textual.widget import Widget

from lens_tui.requests import IndexState, Related
from lens_tui.tui.cells import cut_path, fitted
from lens_tui.tui.ink import signs_of
from lens_tui.tui.layout.hits import NAMES, ranks
from lens_tui.tui.screens.found import FoundPage
from lens_tui.tui.sought import Sought
from lens_tui.tui.widgets.drawn import Words
from lens_tui.types import SearchHit


class RelatedPage(FoundPage):
    """The list has the focus: letters are commands."""

    called = "Related"

    def __init__(self, path: str, line: int | None, state: IndexState, *, most: int) -> None:
        """Show passages near a line of a file (the whole file where none is named), at most so many."""
        super().__init__(Sought(), state)
        self._path, self._line, self._most = path, line, most

    def asked(self) -> Iterable[Widget]:
        """What they are like."""
        yield Words(id="asked")

    def reasons(self, hit: SearchHit) -> str:
        """Where words and vectors put it: its place in the list is made of both ranks, and of no score."""
        return ranks(hit, {**NAMES, "vector": self._likeness()})

    def ranking(self) -> str:
        """What they are ordered by."""
        found = self.sought.found
        if found is None:
            return ""
        if found.retriever == "lexical":
            return "shared words"
        return f"words and {self._likeness()} together"

    def _likeness(self) -> str:
        """What the vectors of this folder tell; the built-in ones know of no meaning."""
        return "likeness" if self._state.embedder.startswith("builtin") else "meaning"

    def request(self) -> Related:
        """The place."""
        return Related(path=self._path, line=self._line, k=self._most, fresh=False)

    def on_mount(self) -> None:
        """Ask at once."""
        self.set_focus(self.hits)
        self.send()

    def hint_part(self) -> str:
        """Keys of a list that has no field."""
        return "related"

    def draw(self) -> None:
        """Say what they are like."""
        line = f":{self._line}" if self._line is not None else ""
        path = cut_path(fitted(self._path), max(self.size.width - 8 - len(line), 12), signs_of(self).ellipsis)
        self.query_one("#asked", Words).show(((" like ", "muted"), (path, "text"), (line, "muted")))
        super().draw()

    def action_search_ranking(self) -> None:
        """There is nothing to choose from."""
        self.say("Related passages are found in one way only.")

    def action_search_sections(self) -> None:
        """A passage is what it is like another by."""
        self.say("Related passages stand as they are: Enter opens the file around one.")
