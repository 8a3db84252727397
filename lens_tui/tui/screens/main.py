"""The main screen: files, conversation and sources side by side, the question below; who has the focus, what is current."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from lens_tui.requests import IndexState, Talk
from lens_tui.tui.ink import signs_of
from lens_tui.tui.keymap import bindings_by_id, hints_for, plain_key
from lens_tui.tui.layout.facts import count
from lens_tui.tui.layout.working import QUIET_SECONDS, answering, busy, folder_name, found, indexing, standing
from lens_tui.tui.messages import CitationChosen, CommandChosen, CopyChoice, EditWish, OpenFileWish, StopWish, TurnEvent
from lens_tui.tui.turns import LiveTalk, LiveTurn
from lens_tui.tui.widgets.chat import WIDEST, Chat
from lens_tui.tui.widgets.divider import Divider
from lens_tui.tui.widgets.header import Header
from lens_tui.tui.widgets.hints import Hints
from lens_tui.tui.widgets.question import QuestionBox
from lens_tui.tui.widgets.rule import Rule
from lens_tui.tui.widgets.sources import Sheet, Sources
from lens_tui.tui.widgets.tree import FilesTree
from lens_tui.types import FileRow, ModelChoice

WIDE, MIDDLE = 120, 96
"""Columns from which files and sources, and sources alone, stand beside the chat."""
FILES_WIDTH, SOURCES_WIDTH, SOURCES_WIDEST = 24, 37, 60
SECOND_DIGIT_SECONDS = 0.5
"""A digit that follows within this time belongs to the number before it."""
PARTS: Mapping[str, str] = {
    "question": "question",
    "chat": "answer",
    "sources": "sources",
    "sheet": "sources",
    "tree": "files",
}
"""Widget's id → part of the screen in the key map."""


class MainScreen(Screen[None], inherit_bindings=False):
    """Where a person reads and asks. The app hands it news; it decides what is current and what has room."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings_by_id(
            "cite.next",
            "cite.previous",
            "focus.next",
            "focus.previous",
            "focus.ask",
            "panel.files",
            "panel.sources",
            "panel.zoom",
            "chat.up",
            "chat.down",
            "open.file",
            "open.editor",
        ),
    ]

    def __init__(self, folder: Path, *, clock: Callable[[], float], wanted_model: str = "", blink: bool = True) -> None:
        """Show a folder.

        Args:
            folder: Its real path.
            clock: Seconds, for work that runs.
            wanted_model: The model that settings ask for by name.
            blink: Whether the cursor of the question may blink.
        """
        super().__init__()
        self.talk = LiveTalk()
        self.state: IndexState | None = None
        self.choice: ModelChoice | None = None
        self.engine = ""
        self._folder = folder
        self._clock = clock
        self._wanted = wanted_model
        self._blink = blink
        self._below = 0
        self._busy_since: float | None = None
        self._digits: tuple[str, float] = ("", 0.0)
        self._zoomed = ""

    def compose(self) -> ComposeResult:
        """Lay the parts out; the stylesheet says where."""
        with Horizontal(id="columns"):
            with Vertical(id="files-column", classes="column"):
                yield Header(id="files-head").add_class("head")
                yield FilesTree(id="tree")
            yield Divider(id="files-divider")
            with Vertical(id="chat-column", classes="column"):
                yield Header(id="chat-head").add_class("head")
                yield Chat(id="chat")
                yield Sheet(id="sheet")
            yield Divider(id="sources-divider")
            with Vertical(id="sources-column", classes="column"):
                yield Header(id="sources-head").add_class("head")
                yield Sources(id="sources")
        yield Rule(id="rule")
        with Horizontal(id="asking"):
            yield Static(f"{signs_of(self).ask} ", id="prompt", markup=False)
            yield QuestionBox(id="question", blink=self._blink)
        yield Hints(id="hints")

    def on_mount(self) -> None:
        """Begin in the question; look once a second at what runs."""
        self.chat, self.sources, self.sheet = (
            self.query_one("#chat", Chat),
            self.query_one("#sources", Sources),
            self.query_one("#sheet", Sheet),
        )
        self.question, self.tree_view = self.query_one(QuestionBox), self.query_one(FilesTree)
        self.rule, self.hints = self.query_one(Rule), self.query_one(Hints)
        self.question.focus()
        self.set_interval(1.0, self.show_work)
        self.chat.show(self.talk.turns)
        self.show_all()

    # News, from the app

    def index_moved(self, state: IndexState) -> None:
        """Where the index stands."""
        was, self.state = busy(self.state), state
        if busy(state) and not was:
            self._busy_since = self._clock()
            self.set_timer(QUIET_SECONDS + 0.05, self.show_work)
        self.chat.know(state, self.choice)
        self.show_heads()
        self.show_work()

    def model_chosen(self, choice: ModelChoice) -> None:
        """Who answers from now on."""
        self.choice = choice
        self.chat.know(self.state, choice)
        self.show_work()

    def rows_moved(self, rows: tuple[FileRow, ...], gone: tuple[str, ...], every: bool) -> None:
        """Files that are new, changed or gone."""
        if every:
            self.tree_view.show(rows)
        else:
            self.tree_view.apply(rows, gone)

    def engine_stands(self, text: str) -> None:
        """How the engine does; empty when well."""
        self.engine = text
        self.show_work()

    def talk_loaded(self, talk: Talk) -> None:
        """The last conversation comes back, with what was written and not sent."""
        self.talk.load(talk.conversation.title, talk.conversation.turns)
        self.chat.show(self.talk.turns)
        self.question.remember([turn.question for turn in self.talk.turns])
        unsent = talk.state.get("question")
        if isinstance(unsent, str) and unsent and not self.question.text:
            self.question.write(unsent)
        place = talk.state.get("place")
        if isinstance(place, list | tuple) and len(place) == 3 and all(isinstance(part, int) for part in place):
            self.call_after_refresh(self.chat.stand_at, tuple(place))
        self.show_all()

    def begin(self, turn: LiveTurn) -> None:
        """A question was sent: it stands in the chat at once."""
        self.talk.turns.append(turn)
        self.talk.chosen = None
        self.chat.choose(None)
        self.set_class(False, "-sheet")
        self.chat.show(self.talk.turns)
        self.question.remember([turn.question for turn in self.talk.turns])
        self.set_timer(QUIET_SECONDS + 0.05, self.show_work)
        self.show_all()

    def answer_event(self, number: int, event: TurnEvent) -> None:
        """Something came for a turn."""
        live = self.talk.live(number)
        if live is None:
            return
        was_text = bool(live[1].text)
        live[1].apply(event, self._clock())
        self.chat.changed()
        if event.event != "text" or not was_text:
            self.show_sources()
            self.show_heads()
            self.show_work()

    def answer_over(self, number: int) -> None:
        """Nothing more comes for a turn."""
        live = self.talk.live(number)
        if live is not None:
            live[1].end()
            self.chat.changed()
            self.show_all()

    def say(self, text: str) -> None:
        """A sentence for the hint row."""
        self.hints.say(text)

    def themed(self) -> None:
        """Another theme, or other signs."""
        for part in (self.chat, self.sources, self.sheet):
            part.redraw()
        self.refresh(layout=True)

    @property
    def running(self) -> LiveTurn | None:
        """The turn whose answer is coming."""
        return next((turn for turn in reversed(self.talk.turns) if turn.running), None)

    # What is shown

    def show_all(self) -> None:
        """Bring everything around the chat up to date."""
        self.show_sources()
        self.show_heads()
        self.show_work()
        self.show_hints()

    def show_work(self) -> None:
        """The rule: what runs, how far, who answers."""
        now = self._clock()
        running = self.running
        asking = answering(running, now)
        words, share = indexing(self.state)
        if busy(self.state) and now - (self._busy_since or now) < QUIET_SECONDS:
            words, share = "", None
        right = standing(
            self.state,
            self.choice,
            below=self._below,
            engine=self.engine,
            is_answering=bool(asking),
            wanted=self._wanted,
        )
        self.rule.show(asking or words, share, right)

    def show_heads(self) -> None:
        """The top row of each column; the focused one bold."""
        part = self.part
        files = count(self.state.files, "file") if self.state is not None else ""
        name = folder_name(self._folder, Path.home())
        self.query_one("#files-head", Header).show(
            [(f"{name} · {files}" if files else name, "bold" if part == "files" else "muted")]
        )
        title = self.talk.title or (self.talk.turns[0].question if self.talk.turns else "New conversation")
        title = " ".join(title.split())
        shown = self.talk.shown
        tally = found(self.talk.turns[shown]) if shown is not None else ""
        ink = "muted" if part in ("sources", "files") else "bold"
        if self.has_class("-wide"):
            left, right = [(title, ink)], []
        else:
            left = [(name, "muted"), (title, ink)]
            right = [(tally or files, "muted")] if self.has_class("-narrow") else [(files, "muted")]
        self.query_one("#chat-head", Header).show(left, right)
        self.query_one("#sources-head", Header).show([(tally, "bold" if part == "sources" else "muted")])

    def show_sources(self) -> None:
        """The excerpts of the turn that is read now."""
        shown = self.talk.shown
        if shown is None:
            self.sources.show((), (), None)
            return
        turn, citation = self.talk.turns[shown], self.talk.citation()
        self.sources.show(turn.excerpts, turn.citations, citation, streaming=turn.answered is None)
        if citation is not None and self.has_class("-sheet"):
            cited = list(dict.fromkeys(c.number for c in turn.citations if turn.excerpt(c.number)))
            tally = f"{cited.index(citation.number) + 1} of {len(cited)} cited" if citation.number in cited else ""
            self.sheet.show(turn.excerpt(citation.number), citation, tally)

    def show_hints(self) -> None:
        """Keys of the focused part."""
        self.hints.show(hints_for(self.part, self.size.width, getattr(self.app, "keys", None)))

    @property
    def part(self) -> str:
        """The part of the screen that has the focus, by its name in the key map."""
        focused = self.focused
        return PARTS.get(focused.id or "", "question") if focused is not None else "question"

    # Room

    def on_resize(self, event: events.Resize) -> None:
        """Choose what has room."""
        width, height = event.size
        self.set_class(width >= WIDE, "-wide")
        self.set_class(MIDDLE <= width < WIDE, "-middle")
        self.set_class(width < MIDDLE, "-narrow")
        self.set_class(height < 20, "-low")
        self.set_class(height < 16, "-lower")
        self.set_class(width < 50 or height < 12, "-tiny")
        files = FILES_WIDTH + 1 if width >= WIDE and not self.has_class("-no-files") else 0
        room = width - files - 1
        chat = min(room - SOURCES_WIDTH, WIDEST)
        self.query_one("#sources-column").styles.width = max(min(room - chat, SOURCES_WIDEST), SOURCES_WIDTH)
        if self.focused is not None and not self.focused.display:
            self.question.focus()
        self.call_after_refresh(self.show_all)

    @on(Chat.Moved)
    def _moved(self, event: Chat.Moved) -> None:
        if event.below != self._below:
            self._below = event.below
            self.show_work()

    # Focus

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Entering the answer selects the last citation chosen, else the first of the newest answer."""
        if self.focused is self.chat and self.talk.chosen is None and (first := self.talk.first()) is not None:
            self.choose(first)
        self.show_heads()
        self.show_hints()

    def on_key(self, event: events.Key) -> None:
        """A key takes a notice away; a letter without meaning says how to write."""
        self.hints.hush()
        if self.part == "question" or not event.is_printable or event.character in (None, " "):
            return
        key = plain_key(event.key, event.character)
        if key != event.key and key in ("colon", "question_mark"):
            self.post_message(CommandChosen("app.commands" if key == "colon" else "app.keys"))
        elif key.isdigit():
            self.digit(key)
        elif key not in self.app.active_bindings:
            self.say("i to write a question")

    def on_paste(self, event: events.Paste) -> None:
        """A paste anywhere goes into the question."""
        if self.part != "question":
            self.question.focus()
            self.question.put(event.text)

    def _stops(self) -> list[Widget]:
        """Parts that can have the focus now, in Tab's order."""
        parts: list[Widget] = [self.question, self.chat, self.sheet, self.sources, self.tree_view]
        return [part for part in parts if part.display and all(getattr(up, "display", True) for up in part.ancestors)]

    def action_focus_next(self, by: int = 1) -> None:
        """Go to the next part of the screen."""
        stops = self._stops()
        here = stops.index(self.focused) if self.focused in stops else 0
        stops[(here + by) % len(stops)].focus()

    def action_focus_previous(self) -> None:
        """Go to the part before."""
        self.action_focus_next(-1)

    def action_focus_ask(self) -> None:
        """Go to the question."""
        self.unzoom()
        self.question.focus()

    def back(self) -> None:
        """One step back: close what is on top, else stop the answer, else go to the question."""
        if self.hints.said:
            self.hints.hush()
        if self._zoomed:
            self.unzoom()
        elif self.has_class("-sheet") and self.has_class("-narrow"):
            self.close_sheet()
        elif self.running is not None:
            self.post_message(StopWish())
        elif self.part != "question":
            self.question.focus()

    # Citations

    def choose(self, chosen: tuple[int, int] | None) -> None:
        """Make a citation current: in the answer, in the sources, and in the sheet where there is no column."""
        if chosen is None:
            self.say("Nothing is cited yet.")
            return
        self.talk.chosen = chosen
        if self.has_class("-narrow"):
            turn = self.talk.turns[chosen[0]]
            known = turn.excerpt(turn.citations[chosen[1]].number) is not None
            self.set_class(known, "-sheet")
            self.show_sources()
            self.call_after_refresh(self.chat.choose, chosen)
        self.chat.choose(chosen)
        self.show_sources()
        self.show_heads()

    def close_sheet(self) -> None:
        """Give the chat its rows back."""
        if self.focused is self.sheet:
            self.chat.focus()
        self.set_class(False, "-sheet")

    @on(CitationChosen)
    def _citation_chosen(self, event: CitationChosen) -> None:
        self.choose((event.turn, event.index))

    @on(Sources.Chosen)
    def _source_chosen(self, event: Sources.Chosen) -> None:
        wanted = self.talk.numbered(event.number)
        if wanted is not None:
            self.choose(wanted)
        if event.twice:
            self.open_excerpt(event.number)

    @on(Chat.Opened)
    def action_open_file(self) -> None:
        """Open the file of the current citation at its line; without one unfold what the model thought."""
        citation, shown = self.talk.citation(), self.talk.shown
        if citation is not None:
            self.open_excerpt(citation.number)
        elif shown is not None and self.talk.turns[shown].thinking:
            self.chat.unfold(shown)
        else:
            self.say("Nothing is cited here that could be opened.")

    def open_excerpt(self, number: int) -> None:
        """Wish a file opened at an excerpt, and at its carrying sentence where one is known."""
        shown = self.talk.shown
        excerpt = self.talk.turns[shown].excerpt(number) if shown is not None else None
        if excerpt is None:
            self.say(f"There is no excerpt {number} to open.")
            return
        citation = self.talk.citation()
        carried = citation if citation is not None and citation.number == number else None
        span, lines = (carried.span, carried.lines) if carried is not None else (None, None)
        line = (lines or excerpt.lines)[0]
        self.post_message(OpenFileWish(excerpt.path, line, (excerpt.start, excerpt.end), span))

    def action_open_editor(self) -> None:
        """Wish the file of the current citation opened in the editor."""
        citation, shown = self.talk.citation(), self.talk.shown
        excerpt = (
            self.talk.turns[shown].excerpt(citation.number) if citation is not None and shown is not None else None
        )
        if citation is None or excerpt is None:
            self.say("Choose a citation first: n goes to the next one.")
            return
        self.post_message(EditWish(excerpt.path, (citation.lines or excerpt.lines)[0]))

    def action_cite_next(self) -> None:
        """Go to the next citation."""
        self.walk(1)

    def action_cite_previous(self) -> None:
        """Go to the citation before."""
        self.walk(-1)

    def walk(self, by: int) -> None:
        """Go on by one citation; say so at the last one."""
        wanted = self.talk.step(by)
        if wanted is None and self.talk.chosen is not None:
            self.say("This is the last citation." if by > 0 else "This is the first citation.")
        else:
            self.choose(wanted)

    def digit(self, key: str) -> None:
        """Go to the citation of a number; a second digit within half a second belongs to the first."""
        before, at = self._digits
        now = self._clock()
        typed = before + key if before and now - at < SECOND_DIGIT_SECONDS else key
        self._digits = (typed, now)
        wanted = self.talk.numbered(int(typed)) if int(typed) else None
        if wanted is not None:
            self.choose(wanted)
        elif len(typed) == 1:
            self.say(f"Nothing here cites [{typed}].")

    def action_copy(self) -> None:
        """Ask what is to be copied."""
        self.post_message(CopyChoice())

    # Panels

    def action_panel_sources(self) -> None:
        """Show the sources, go to them, or hide them again."""
        if self.has_class("-narrow"):
            if self.has_class("-sheet"):
                self.close_sheet()
            else:
                self.choose(self.talk.chosen or self.talk.first())
            return
        self._panel("-no-sources", self.sources)

    def action_panel_files(self) -> None:
        """Show the files: beside the chat where there is room, else as a page."""
        if self.has_class("-wide"):
            self._panel("-no-files", self.tree_view)
        else:
            self.post_message(CommandChosen("panel.files.page"))

    def _panel(self, hidden: str, part: Widget) -> None:
        if self.has_class(hidden):
            self.set_class(False, hidden)
            self.call_after_refresh(part.focus)
        elif self.focused is part:
            self.question.focus()
            self.set_class(True, hidden)
        else:
            part.focus()

    def action_panel_zoom(self) -> None:
        """Show the focused part alone, or all parts again."""
        if self._zoomed:
            self.unzoom()
        elif self.focused is not None and self.focused.id in ("chat", "sources", "tree"):
            self._zoomed = f"-zoom-{self.focused.id}"
            self.add_class(self._zoomed)

    def unzoom(self) -> None:
        """Show every part again."""
        if self._zoomed:
            self.remove_class(self._zoomed)
            self._zoomed = ""

    def action_chat_up(self) -> None:
        """Scroll the conversation up by a page."""
        self.chat.page(-1)

    def action_chat_down(self) -> None:
        """Scroll the conversation down by a page."""
        self.chat.page(1)
