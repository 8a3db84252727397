"""The shape of a page that lists excerpts of the folder: what was asked, hits, and beside them the file's lines."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.widget import Widget

from lens_tui.requests import FileText, Found, IndexState, OpenFile, Related, Search
from lens_tui.tui.ink import signs_of
from lens_tui.tui.keymap import bindings_by_id
from lens_tui.tui.landing import Landing
from lens_tui.tui.layout.facts import count, seconds
from lens_tui.tui.layout.hits import SECTION_ROWS, SNIPPET_ROWS, line_of, ranks, stand
from lens_tui.tui.layout.lines import Piece
from lens_tui.tui.layout.working import QUIET_SECONDS
from lens_tui.tui.messages import CopyWish, EditWish, FindWish, OpenFileWish
from lens_tui.tui.screens.page import Page
from lens_tui.tui.sought import Sought
from lens_tui.tui.widgets.divider import Divider
from lens_tui.tui.widgets.header import Header
from lens_tui.tui.widgets.hints import Hints
from lens_tui.tui.widgets.hits import Hits
from lens_tui.tui.widgets.preview import Preview
from lens_tui.tui.widgets.rule import Rule
from lens_tui.types import Failed

if TYPE_CHECKING:
    from lens_tui.tui.messages import FindNews
    from lens_tui.types import SearchHit

PREVIEW_FROM = 96
"""Columns from which the file's lines stand beside the hits."""
PREVIEW_SHARE = 0.442
"""Of the columns, for the file's lines: 53 of 120."""
LOOK_SECONDS = 0.08
"""A hit must be current so long before its file is read: arrows held down read none."""
MOST_CHUNKS = 2_000
"""Chunks of a file up to which it is read for its lines beside the hits; of a larger one the excerpt alone stands."""


class FoundPage(Page):
    """Hits and the file's lines. What is sought lives in ``sought``, which may outlive the page."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings_by_id("open.file", "open.editor", "open.related", "explain", "copy", "search.open")
    ]
    DEFAULT_CSS = """
    FoundPage #found { height: 1fr; }
    FoundPage Hits { width: 1fr; height: 1fr; background: $lens-background; color: $lens-text; }
    FoundPage #beside { height: 1fr; }
    """
    part = "hits"
    called: ClassVar[str] = ""
    """The page's name, as drawn."""

    def __init__(self, sought: Sought, state: IndexState) -> None:
        """Show what was found; ``state`` is where the index stands."""
        super().__init__()
        self.sought = sought
        self._state = state
        self._number = 0
        self._answered = 0
        self._slow = False
        self._stay = False

    # What differs from page to page.

    def request(self) -> Search | Related | None:
        """What is to be sent; None where nothing is asked."""
        raise NotImplementedError

    def asked(self) -> Iterable[Widget]:
        """The row that says what is asked."""
        raise NotImplementedError

    def reasons(self, hit: SearchHit) -> str:
        """What stands at the right of a hit."""
        return ranks(hit)

    def ranking(self) -> str:
        """How hits are ordered."""
        raise NotImplementedError

    # The page.

    def compose(self) -> ComposeResult:
        """Header, what is asked, rule, hits beside lines, hints."""
        yield Header(id="title")
        yield from self.asked()
        yield Rule(id="rule")
        with Horizontal(id="found"):
            yield Hits(self.reasons, id="hits")
            yield Divider(id="found-divider")
            with Vertical(id="beside"):
                yield Preview(id="preview")
        yield Hints(id="hints")

    @property
    def hits(self) -> Hits:
        """The list."""
        return self.query_one(Hits)

    @property
    def preview(self) -> Preview:
        """The lines of the current hit's file."""
        return self.query_one(Preview)

    def on_mount(self) -> None:
        """Show what is known, as it was left."""
        self._show()

    def on_resize(self, event: events.Resize) -> None:
        """Give the file's lines their columns, where there are enough."""
        wide = event.size.width >= PREVIEW_FROM
        for name in ("#found-divider", "#beside"):
            self.query_one(name).display = wide
        self.query_one("#beside").styles.width = round(event.size.width * PREVIEW_SHARE)
        if wide:
            self._look()

    def draw(self) -> None:
        """Say what was found, how far the index is, what it cannot tell, and why there is nothing."""
        self.title_row.show(((self.called, "text bold"), (self._tally(), "muted")), ((self.ranking(), "muted"),))
        words = ("searching", "muted") if self._slow else (" ".join(self._notes()) if self.sought.hits else "", "text")
        share, right = None, ""
        if self._state.files < self._state.total:
            share = self._state.files / self._state.total
            right = f"{self._so_far()} so far"
        self.rule_row.show((words,), share, ((right, "muted"),) if right else ())
        super().draw()

    def _so_far(self) -> str:
        return f"{self._state.files:,} of {count(self._state.total, 'file')} read"

    def _tally(self) -> str:
        found = self.sought.found
        if found is None or self.sought.failed is not None:
            return ""
        took = f"{found.milliseconds:.0f} ms" if found.milliseconds >= 1 else "under 1 ms"
        took = took if found.milliseconds < 1000 else seconds(found.milliseconds / 1000)
        if not found.hits:
            return f"nothing found · {took}"
        best = "best " if len(found.hits) == found.k else ""
        files = count(len({hit.path for hit in found.hits}), "file")
        what = "section" if self.sought.section else "excerpt"
        return f"{best}{count(len(found.hits), what)} in {files} · {took}"

    def _notes(self) -> tuple[str, ...]:
        return self.sought.found.notes if self.sought.found is not None else ()

    def _show(self) -> None:
        """Bring list and lines up to date with what is sought."""
        sought = self.sought
        if sought.failed is not None:
            words = f"{sought.failed.message} {sought.failed.hint}".strip()
            self.hits.tell((Piece(signs_of(self).cross, "bad bold"), Piece(f" {words}")))
        elif sought.found is not None and not sought.hits:
            self.hits.tell((Piece(self._why_nothing(), "text"),))
        elif sought.found is not None:
            rows = SECTION_ROWS if sought.section else SNIPPET_ROWS
            self.hits.show(sought.hits, sought.found.retriever, chosen=sought.chosen, top=sought.top, rows=rows)
        else:
            self.hits.tell(())
        self.hits.explain(sought.explained)
        self._look()
        self.draw()

    def _why_nothing(self) -> str:
        sentences = list(self._notes()) or ["Nothing was found."]
        if self._state.files < self._state.total:
            sentences.append(f"{self._so_far()} so far.")
        return " ".join(sentences)

    # Asking.

    def send(self, *, stay: bool = False) -> None:
        """Ask; what was asked before and is not answered yet is dropped. ``stay`` keeps the place in the list."""
        request = self.request()
        self._number += 1
        if request is None:
            self._answered, self._slow = self._number, False
            return
        self._stay = stay
        number = self._number
        self.set_timer(QUIET_SECONDS, lambda: self._wait(number))
        self.post_message(FindWish(self, request, number))

    def _wait(self, number: int) -> None:
        if number == self._number > self._answered:
            self._slow = True
            self.draw()

    @property
    def waiting(self) -> bool:
        """Whether an answer is on its way."""
        return self._answered < self._number

    def find_news(self, news: FindNews) -> None:
        """Take what the engine found, unless something else was asked since; or a file's text."""
        event = news.event
        if isinstance(event, FileText):
            self.preview.know(event)
            return
        if news.number != self._number or isinstance(news.request, OpenFile):
            return
        self._answered, self._slow = news.number, False
        if isinstance(event, Found):
            self.sought.top = self.hits.scroll_offset.y
            self.sought.take(event, stay=self._stay)
        elif isinstance(event, Failed):
            self.sought.failed = event
        self._show()

    def index_moved(self, state: IndexState) -> None:
        """Where the index stands."""
        self._state = state
        self.draw()

    # The current hit.

    def on_hits_moved(self) -> None:
        """Another hit is current, and stays so when more of the same list comes."""
        # What the list says now: others may have come since the message was sent.
        self.sought.chosen, self._stay = self.hits.chosen, True
        self._look()

    def _look(self) -> None:
        """Show the current hit's lines: what is known of them now, the file around them once one stays."""
        if not self.is_mounted or not self.query_one("#beside").display:
            return
        hit = self.sought.hit
        self.preview.show(hit if self.sought.failed is None else None)
        if hit is not None and not self.preview.knows(hit):
            self.set_timer(LOOK_SECONDS, lambda: self._read(hit))

    def _read(self, hit: SearchHit) -> None:
        row = getattr(self.app, "rows", {}).get(hit.path)
        if hit is self.sought.hit and (row is None or row.chunks <= MOST_CHUNKS):
            self.post_message(FindWish(self, OpenFile(path=hit.path), 0))

    def on_hits_opened(self) -> None:
        """Enter, or a double click."""
        self.action_open_file()

    def action_open_file(self) -> None:
        """Open the file of the current hit, at the hit."""
        hit = self.sought.hit
        if hit is not None:
            self.sought.top = self.hits.scroll_offset.y
            self.post_message(OpenFileWish(hit.path, line_of(hit), (hit.start, hit.end)))

    def step(self, by: int) -> bool:
        """Go on by hits while a file is read; whether there was another one."""
        before = self.hits.chosen
        self.hits.choose(before + by)
        self.sought.chosen = self.hits.chosen
        return self.hits.chosen != before

    def landing(self, file: FileText, landing: Landing) -> Landing:
        """What the file page says of the hit that it was opened from; its excerpt only where the text is the same."""
        hit = self.sought.hit
        if hit is None or hit.path != file.path:
            return landing
        if hit.checksum and hit.checksum != file.checksum:
            return replace(landing, excerpt=None, changed="changed since it was searched", hints="hit")
        return replace(
            landing,
            word=hit.start + stand(hit),
            bold=tuple((hit.start + start, hit.start + end) for start, end in hit.marks),
            mark=f" {hit.rank} ",
            why=self.reasons(hit),
            position=f"{self.sought.chosen + 1} of {len(self.sought.hits)}",
            hints="hit",
        )

    def related_place(self) -> tuple[str, int] | None:
        """Where passages like the current hit are looked for from: path and line."""
        hit = self.sought.hit
        return (hit.path, line_of(hit)) if hit is not None else None

    def action_open_editor(self) -> None:
        """Edit the file of the current hit."""
        if (hit := self.sought.hit) is not None:
            self.post_message(EditWish(hit.path, line_of(hit)))

    def action_explain(self) -> None:
        """Say why the current hit ranks so, or stop saying it."""
        if self.sought.hit is not None:
            self.sought.explained = not self.sought.explained
            self.hits.explain(self.sought.explained)

    def action_app_back(self) -> None:
        """Close the reasons of a hit where they stand, else leave the page."""
        sought = self.sought
        if self.is_current and sought.explained and sought.hit is not None and sought.failed is None:
            self.action_explain()
        else:
            super().action_app_back()

    def action_copy(self) -> None:
        """Copy the excerpt or its place, as chosen in the hint row."""
        from lens_tui.tui.screens.choice import Choice

        hit = self.sought.hit
        if hit is None:
            self.say("There is no excerpt to copy yet.")
            return
        texts = {"e": hit.text, "l": f"{hit.path}:{line_of(hit)}"}

        def chosen(key: str | None) -> None:
            if key:
                self.post_message(CopyWish(texts[key], ""))

        self.app.push_screen(Choice({"e": "excerpt", "l": "path:line"}), chosen)
