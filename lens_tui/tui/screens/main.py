"""The main screen: files, conversation and sources side by side, the question below; who has the focus."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import Static

from lens_tui.tui.hinting import hints_for
from lens_tui.tui.ink import signs_of
from lens_tui.tui.keymap import bindings_by_id, plain_key
from lens_tui.tui.layout.names import folder_name
from lens_tui.tui.layout.working import QUIET_SECONDS, busy
from lens_tui.tui.messages import CommandChosen, CopyChoice, FilesPageWish, SentWish, StopWish
from lens_tui.tui.screens import room, showing
from lens_tui.tui.screens.citing import Citing
from lens_tui.tui.turns import LiveTalk, LiveTurn
from lens_tui.tui.widgets.chat import Chat
from lens_tui.tui.widgets.divider import Column, Columns, Divider
from lens_tui.tui.widgets.header import Header
from lens_tui.tui.widgets.hints import Hints
from lens_tui.tui.widgets.question import COMMANDS, QuestionBox
from lens_tui.tui.widgets.rule import Rule
from lens_tui.tui.widgets.sources import Sheet, Sources
from lens_tui.tui.widgets.tree import FilesTree

if TYPE_CHECKING:
    from lens_tui.requests import IndexState, Talk
    from lens_tui.tui.messages import TurnEvent
    from lens_tui.tui.pulls import LivePull
    from lens_tui.types import FileRow, ModelChoice


class MainScreen(Citing, inherit_bindings=False):
    """Where a person reads and asks. The app hands it news; it decides what is current and what has room."""

    BLANK = True
    AUTO_FOCUS = ""  # The question takes the focus; Textual would give it to the files for a moment.
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings_by_id("cite.next", "cite.previous", "focus.next", "focus.previous", "focus.ask"),
        *bindings_by_id("panel.files", "panel.sources", "panel.zoom", "chat.up", "chat.down"),
        *bindings_by_id("open.file", "open.editor", "open.related", "files.filter", "search.open", "copy", "explain"),
        *bindings_by_id("talk.list", "model.pick"),
    ]

    def __init__(
        self,
        folder: Path,
        *,
        clock: Callable[[], float],
        wanted_model: str = "",
        blink: bool = True,
        returning: bool = False,
    ) -> None:
        """Show a folder.

        Args:
            folder: Its real path.
            clock: Seconds, for work that runs.
            wanted_model: The model that settings ask for by name.
            blink: Whether the cursor of the question may blink.
            returning: Whether conversations are kept for the folder, so that one of them will come.
        """
        super().__init__()
        self.talk = LiveTalk(expected=returning)
        self.state: IndexState | None = None
        self.choice: ModelChoice | None = None
        self.engine = ""
        self.pull: LivePull | None = None
        self._folder = folder
        self.clock = clock
        self._wanted = wanted_model
        self._blink = blink
        self._below = 0
        self._busy_since: float | None = None
        self._zoomed = ""

    def compose(self) -> ComposeResult:
        """Lay the parts out; the stylesheet says where."""
        with Columns(id="columns"):
            with Column(id="files-column", classes="column"):
                yield Header(id="files-head").add_class("head")
                yield FilesTree(id="tree")
            yield Divider(id="files-divider")
            with Column(id="chat-column", classes="column"):
                yield Header(id="chat-head").add_class("head")
                yield Chat(id="chat")
                yield Sheet(id="sheet")
            yield Divider(id="sources-divider")
            with Column(id="sources-column", classes="column"):
                yield Header(id="sources-head").add_class("head")
                yield Sources(id="sources")
        yield Rule(id="rule")
        with Columns(id="asking"):
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
        # Before the first paint: Resize comes after it, and what has no room would be seen for a moment.
        room.share(self, *self.app.size)
        self.question.focus()
        self.set_interval(1.0, self.show_work)
        self.chat.show(self.talk)
        self.show_all()

    # News, from the app

    def index_moved(self, state: IndexState) -> None:
        """Where the index stands."""
        was, self.state = busy(self.state), state
        if busy(state) and not was:
            self._busy_since = self.clock()
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

    def talk_loaded(self, talk: Talk, *, first: bool = True, turn: int | None = None) -> None:
        """A conversation is read on: the one of last time where ``first``, seen from a turn where one is named."""
        showing.show_talk(self, talk, first=first, turn=turn)

    def pull_moved(self, pull: LivePull | None) -> None:
        """How far the download of a model is; None where none runs."""
        self.pull = pull
        self.show_work()

    def kept(self) -> dict[str, object]:
        """What the app wants back next time."""
        return {"question": self.question.text, **room.kept(self)}

    def begin(self, turn: LiveTurn) -> None:
        """A question was sent: it stands in the chat at once."""
        self.talk.turns.append(turn)
        self.talk.chosen = None
        self.chat.choose(None)
        self.set_class(False, "-sheet")
        self.chat.show(self.talk)
        self.question.remember([turn.question for turn in self.talk.turns])
        self.set_timer(QUIET_SECONDS + 0.05, self.show_work)
        self.show_all()

    def answer_event(self, number: int, event: TurnEvent) -> None:
        """Something came for a turn."""
        live = self.talk.live(number)
        if live is None:
            return
        was_text = bool(live[1].text)
        live[1].apply(event, self.clock())
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
            self.chat.ended(live[0])
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
        showing.show_work(self, below=self._below, busy_since=self._busy_since, now=self.clock(), wanted=self._wanted)

    def show_heads(self) -> None:
        """The top row of each column; the focused one bold."""
        showing.show_heads(self, folder_name(self._folder, Path.home()))

    def show_sources(self) -> None:
        """The excerpts of the turn that is read now."""
        showing.show_sources(self)

    def show_hints(self) -> None:
        """Keys of the focused part."""
        self.hints.show(hints_for(self.part, self.size.width, getattr(self.app, "keys", None)))

    @property
    def part(self) -> str:
        """The part of the screen that has the focus, by its name in the key map."""
        focused = self.focused
        return room.PARTS.get(focused.id or "", "question") if focused is not None else "question"

    # Room

    def on_resize(self, event: events.Resize) -> None:
        """Choose what has room."""
        room.share(self, event.size.width, event.size.height)
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
        if key != event.key and key in COMMANDS:
            self.post_message(CommandChosen(COMMANDS[key]))
        elif key.isdigit():
            self.action_cite_number(key)
        elif key not in self.app.active_bindings:
            self.say("i to write a question")

    def on_paste(self, event: events.Paste) -> None:
        """A paste anywhere goes into the question."""
        if self.part != "question":
            event.stop()
            self.question.focus()
            self.question.insert(event.text)

    def action_focus_next(self, by: int = 1) -> None:
        """Go to the next part of the screen."""
        stops = room.stops(self)
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

    # What was said

    def action_copy(self) -> None:
        """Ask what is to be copied."""
        self.post_message(CopyChoice())

    def action_explain(self) -> None:
        """Show what the model was sent."""
        self.post_message(SentWish())

    # Panels

    def close_sheet(self) -> None:
        """Give the chat its rows back."""
        if self.focused is self.sheet:
            self.chat.focus()
        self.set_class(False, "-sheet")

    def action_panel_sources(self) -> None:
        """Show the sources, go to them, or hide them again."""
        if self.has_class("-narrow"):
            room.toggle_sheet(self)
        else:
            room.toggle(self, "-no-sources", self.sources)

    def action_panel_files(self) -> None:
        """Show the files: beside the chat where there is room, else as a page."""
        if self.has_class("-wide"):
            room.toggle(self, "-no-files", self.tree_view)
        else:
            self.post_message(FilesPageWish())

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """The key that searches filters in the files, as on their page."""
        return self.part == "files" if action == "files_filter" else super().check_action(action, parameters)

    def action_files_filter(self) -> None:
        """Filter the files, on a page of their own."""
        self.post_message(FilesPageWish(filtering=True))

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
