"""The search page: it finds as one types, by words, by meaning or by both, and stands where one left it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.timer import Timer
from textual.widget import Widget

from lens_tui.requests import IndexState, Search
from lens_tui.tui.keymap import bindings_by_id
from lens_tui.tui.messages import RankingChosen
from lens_tui.tui.screens.found import FoundPage
from lens_tui.tui.sought import RANKINGS, Sought
from lens_tui.tui.widgets.field import Field

if TYPE_CHECKING:
    from lens_tui.tui.messages import FindNews
    from lens_tui.types import Retriever

REST_SECONDS = 0.15
"""Pause after a key before the whole list is asked for, and before a query goes to the embedding model: both take
longer than a key press, the whole list five times as long as its beginning.
"""
FEW = 12
"""Hits that are asked for at each letter, ranked by words alone: as many as 36 rows show."""
SECTIONS = 20
"""Whole sections of a list: each is read from its file."""
AGAIN_SECONDS = 1.0
"""While files are read the list is brought up to date so often, as long as nobody has moved in it."""
LANGUAGE = 'words  "a phrase"  -without  path:drafts/  type:md  tag:name'
"""What may be typed, as the empty field shows it."""
MOST = 50
"""Hits of a list: the most that the engine gives."""


class SearchPage(FoundPage):
    """The field has the focus: letters type, arrows choose, Enter opens; in the list letters are commands."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings_by_id("search.ranking", "search.sections", "focus.next", "focus.previous"),
        Binding("up", "list('up')", show=False),
        Binding("down", "list('down')", show=False),
        Binding("pageup", "list('page_up')", show=False),
        Binding("pagedown", "list('page_down')", show=False),
    ]
    opens_field = ("search.open",)
    called = "Search"

    def __init__(
        self,
        sought: Sought,
        state: IndexState,
        *,
        wanted: Retriever | None = None,
        most: int = MOST,
        vectors: bool = True,
        early: Callable[[], str] = str,
    ) -> None:
        """Open where the last search was left.

        Args:
            sought: That search.
            state: Where the index stands.
            wanted: The retriever that settings name.
            most: Hits to ask for.
            vectors: Whether settings keep any.
            early: Gives, once, what was typed for the page before it was there.
        """
        super().__init__(sought, state)
        self._wanted = wanted
        self._most = min(most, MOST)
        self._vectors = vectors
        self._take_early = early
        self._early = ""
        self._enter_waits = False
        self._fast = False
        self._later: Timer | None = None
        self._again: Timer | None = None

    # The page.

    def asked(self) -> Iterable[Widget]:
        """The field."""
        yield Field("/", LANGUAGE)

    def ranking(self) -> str:
        """What the list was really ordered by, or will be."""
        found = self.sought.found
        by = RANKINGS[found.retriever if found is not None and not self._fast else self._expected()]
        return f"{by} · whole sections" if self.sought.section else by

    @property
    def field(self) -> Field:
        """Where the query is typed."""
        return self.query_one(Field)

    def on_mount(self) -> None:
        """Begin in the field; what is in it is replaced by what is typed."""
        field = self.field
        field.write(self.sought.query)
        field.mark_all()
        field.focus_line()
        if early := self._take_early() + self._early:
            field.write(early)
        elif self.sought.query:
            # The list of last time stands meanwhile.
            self.send(stay=True)

    def hint_part(self) -> str:
        """Keys of the field, or of the list."""
        self.part = "search" if self.is_mounted and self.field.typing else "hits"
        return self.part

    def on_key(self, event: events.Key) -> None:
        """Keep what is typed before the field has the focus."""
        if self.focused is None and event.is_printable and event.character:
            self._early += event.character
            event.stop()
            event.prevent_default()

    def on_paste(self, event: events.Paste) -> None:
        """A paste anywhere goes into the field."""
        if not self.field.typing:
            event.stop()
            self.action_search_open()
            self.field.type(" ".join(event.text.split()))

    # Asking.

    def request(self) -> Search | None:
        """The query; while one types its first hits by words alone, which no model has to read."""
        if not self.sought.query.strip():
            return None
        many = FEW if self._fast else SECTIONS if self.sought.section else self._most
        return Search(
            query=self.sought.query,
            k=min(many, self._most),
            retriever="lexical" if self._fast else self.sought.ranking or self._wanted,
            section=self.sought.section,
            fresh=False,
            typing=True,
            explain=self.sought.explained and not self._fast,
        )

    def on_field_typed(self, event: Field.Typed) -> None:
        """Search at each letter."""
        if event.text == self.sought.query:
            return
        self.sought.query = event.text
        self._enter_waits = False
        if not event.text.strip():
            self.sought.found = self.sought.failed = None
        self._ask()
        if not event.text.strip():
            self._show()

    def _ask(self) -> None:
        """The first hits by words at once; the whole list, by meaning where that counts too, once the keys rest."""
        self._forget_later()
        self._fast = self._expected() != "vector" and not self.sought.section
        if self.sought.query.strip():
            self._later = self.set_timer(REST_SECONDS, self._ask_all)
        if self._fast:
            self.send()

    def _ask_all(self) -> None:
        self._forget_later()
        self._fast = False
        # Words alone keep their order. Who has gone down the list meanwhile stays on the hit.
        self.send(stay=self._expected() == "lexical" or self.sought.chosen > 0)

    def _forget_later(self) -> None:
        if self._later is not None:
            self._later.stop()
            self._later = None

    @property
    def _unsettled(self) -> bool:
        """Whether another hit may still become the first one."""
        begun = self._fast and self._expected() == "lexical"
        return self.waiting or (self._later is not None and not begun)

    def _expected(self) -> Retriever:
        """The retriever that will serve, as far as it is known here."""
        return self.sought.ranking or self._wanted or ("lexical" if self._no_meaning() else "hybrid")

    def _no_meaning(self) -> str:
        """Why there is no ranking by meaning, in a sentence; empty where there is one."""
        state = self._state
        if not self._vectors:
            return 'Only by words: vectors are switched off (vector = "none" in settings.toml).'
        if state.vector_problem:
            return f"Only by words: {state.vector_problem}"
        if not state.embedder or state.embedder.startswith("builtin"):
            return "Only by words. To find by meaning too: ollama pull embeddinggemma"
        return ""

    def find_news(self, news: FindNews) -> None:
        """Open the first hit where Enter was pressed before it came."""
        super().find_news(news)
        if self._enter_waits and not self._unsettled:
            self._enter_waits = False
            self.action_open_file()

    def index_moved(self, state: IndexState) -> None:
        """Search again while files are being read, as long as nobody has moved in the list."""
        more = (state.chunks, state.vectors) != (self._state.chunks, self._state.vectors)
        super().index_moved(state)
        if more and self._again is None and self.sought.query.strip():
            self._again = self.set_timer(AGAIN_SECONDS, self._search_again)

    def _search_again(self) -> None:
        self._again = None
        if not self.waiting and self._later is None and self.sought.chosen == 0 and not self.hits.scroll_offset.y:
            self.send(stay=False)

    # What the person does.

    def on_field_sent(self, event: Field.Sent) -> None:
        """Open the current hit, or the first one as soon as there is one."""
        if self._unsettled:
            self._enter_waits = True
        else:
            self.action_open_file()

    def action_list(self, move: str) -> None:
        """Move in the list while the field has the focus."""
        getattr(self.hits, f"action_{move}")()

    def action_focus_next(self) -> None:
        """From the field to the list, and back."""
        if self.field.typing:
            self.set_focus(self.hits)
        else:
            self.field.focus_line()

    def action_focus_previous(self) -> None:
        """The same way round: there are two parts."""
        self.action_focus_next()

    def action_search_open(self) -> None:
        """To the field; what is in it stays."""
        self.field.focus_line()
        self.show_hints()

    def action_explain(self) -> None:
        """Say why the current hit ranks so, or stop saying it; what the index says of that comes a moment later."""
        super().action_explain()
        hit = self.sought.hit
        if self.sought.explained and hit is not None and hit.explain is None and self._later is None:
            self.send(stay=True)

    def action_search_ranking(self) -> None:
        """Go round words, words and meaning, meaning; or say why there is only one."""
        why = self._no_meaning()
        current = self._expected()
        if why and current == "lexical":
            self.say(why)
            return
        order: list[Retriever] = list(RANKINGS) if not why else ["lexical"]
        self.sought.ranking = order[(order.index(current) + 1) % len(order)] if current in order else order[0]
        self.post_message(RankingChosen(self.sought.ranking))
        self._ask()
        self.draw()

    def action_search_sections(self) -> None:
        """Show the whole sections that hits stand in, or the excerpts again."""
        self.sought.section = not self.sought.section
        self._ask_all()
        self.draw()


def settings_wanted(settings_retriever: str) -> Retriever | None:
    """The retriever that settings name, if they name one."""
    names: Mapping[str, Retriever] = {name: name for name in RANKINGS}
    return names.get(settings_retriever)
