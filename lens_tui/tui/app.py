"""The app: it owns the engine's threads, hands their news to the screens and does what a person wishes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events
from textual.binding import BindingType
from textual.driver import Driver
from textual.message import Message
from textual.screen import Screen

from lens_tui.settings import Settings
from lens_tui.tui import messages as news
from lens_tui.tui.burst import Burst
from lens_tui.tui.calls import Errand
from lens_tui.tui.ink import Inks
from lens_tui.tui.keeping import Keeping
from lens_tui.tui.keymap import bindings_by_id, keymap, problems, usable
from lens_tui.tui.layout.names import folder_name
from lens_tui.tui.screens.main import MainScreen
from lens_tui.tui.signs import UNICODE, Signs
from lens_tui.tui.sought import Sought
from lens_tui.tui.themes import LensTheme, load_themes, textual_theme, theme_directories
from lens_tui.tui.turns import LiveTurn

if TYPE_CHECKING:
    from lens_tui.protocols import Engine
    from lens_tui.requests import IndexState
    from lens_tui.tui.link import Link
    from lens_tui.tui.person import Person
    from lens_tui.types import FileRow, ModelChoice, Notice

TWICE_SECONDS = 2.0
"""Ctrl+C twice within this time quits."""
RESTART_SECONDS = 1.0
"""Pause before the engine is asked for again after it went away; doubled each time that it does not come."""
LONGEST_PAUSE_SECONDS = 15.0
"""One face starts an engine three times a minute at most; asking more often would only say the same again."""
LAST_WORD_SECONDS = 0.5
"""Longest wait at the end for the engine to have kept where the person was; it answers in a few milliseconds."""
UNSENT_SECONDS = 1.0
"""What is written is remembered so long after the last key."""


class LensApp(Keeping, inherit_bindings=False):
    """A folder, its engine, and the screens on it."""

    CSS_PATH = Path(__file__).parent / "lens.tcss"
    TITLE = "lens-tui"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings_by_id(
            "app.back", "app.stop", "app.quit", "app.suspend", "app.redraw", "app.commands", "app.keys", "panel.status"
        )
    ]

    def __init__(
        self,
        engine: Engine,
        folder: Path,
        settings: Settings,
        *,
        data: Path | None = None,
        themes: Mapping[str, LensTheme] | None = None,
        theme: LensTheme | None = None,
        person: Person | None = None,
        signs: Signs = UNICODE,
        typed: str = "",
        returning: bool = False,
        notices: tuple[str, ...] = (),
        otherwise: Callable[[], Iterable[str]] = tuple,
        driver_class: type[Driver] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Make the app; nothing is asked of the engine before the first paint.

        Args:
            engine: Where requests go, from threads.
            folder: The folder's real path.
            settings: As read.
            data: The folder's data directory, where copies are kept; None keeps none.
            themes: What there is to draw with, by name; None for those that come with the program.
            theme: The theme to draw with; None for the one that settings name, or dark.
            person: Where a picked theme is kept; None keeps none.
            signs: The signs to draw with.
            typed: What the person typed while the program started.
            returning: Whether conversations are kept for the folder: nothing stands in the place of the last one.
            notices: Sentences to be said first.
            otherwise: Gives sentences on what the index is made of and settings say otherwise, once it is open.
            driver_class: Textual's driver, where not its own.
            clock: Seconds.
        """
        self.themes = themes if themes is not None else load_themes(theme_directories())[0]
        self.look = theme or self.themes.get(settings.theme) or self.themes["lens-dark"]
        super().__init__(driver_class=driver_class, ansi_color=True if self.look.ansi else None)
        self.folder, self.settings, self.data = folder, settings, data
        self.person, self.signs, self.ink = person, signs, Inks(self.look)
        self.keys: Mapping[str, str] = usable(settings.keys)
        self.folder_name = folder_name(folder, Path.home())
        self._state: IndexState | None = None
        self.rows: dict[str, FileRow] = {}
        self.choice: ModelChoice | None = None
        self.notices: list[Notice] = []
        self.sought, self.clock = Sought(), clock
        self._engine = engine
        self._link: Link | None = None
        self._first, self._typed, self._otherwise = [*notices, *problems(settings.keys)], typed, otherwise
        self._turn, self._stopped_at, self._lost, self._leaving = 0, float("-inf"), 0, False
        self._answer: Errand | None = None
        self._burst = Burst(self, super().on_event)
        blink = settings.motion == "full" and not self.is_headless
        self._main = MainScreen(folder, clock=clock, wanted_model=settings.model, blink=blink, returning=returning)
        self.register_theme(textual_theme(self.look))
        self.theme = self.look.name
        if self.keys:
            self.set_keymap(keymap(self.keys))

    def get_default_screen(self) -> Screen[None]:
        """The main screen is the first."""
        return self._main

    @property
    def link(self) -> Link:
        """The way to the engine; loaded after the first paint."""
        if self._link is None:
            from lens_tui.tui.link import Link

            self._link = Link(self._engine, self.settings, self._post)
        return self._link

    @property
    def state(self) -> IndexState:
        """Where the index stands."""
        if self._state is None:
            from lens_tui.requests import IndexState

            self._state = IndexState()
        return self._state

    @property
    def main(self) -> MainScreen:
        """The main screen."""
        return self._main

    @property
    def _background_screens(self) -> list[Screen[Any]]:
        """Screens below the uppermost that show through it.

        Textual counts the one right below always, and whatever changes on that, such as progress, repaints the page
        that covers it: 60 kB a second over a slow line.
        """
        return super()._background_screens if self.screen.styles.background.a < 1 else []

    async def on_ready(self) -> None:
        """After the first paint: reach the engine, and bring the last conversation back."""
        if self._typed[:1] == "/":
            self._main.question.write(self._typed[1:])
            self.on_search_page_wish(news.SearchPageWish(typing=True))
        elif self._typed:
            self._main.question.write(self._typed)
        await self._burst.begin()
        for sentence in self._first:
            self.tell(sentence)
        self.link.follow()
        self.link.last_talk()

    # The engine

    def _post(self, message: Message) -> None:
        """Hand a message over from any thread; nothing where the app has left."""
        if self.is_running and not self._leaving:
            self.post_message(message)

    def _follow(self) -> None:
        if not self._leaving:
            self.link.follow()

    def on_watch_ended(self) -> None:
        """The engine went away: say so, and ask for it again, less often each time that it does not come."""
        if not self._leaving:
            if not self._main.engine:
                self._main.engine_stands("engine restarting")
            self.set_timer(min(RESTART_SECONDS * 2**self._lost, LONGEST_PAUSE_SECONDS), self._follow)

    def on_engine_state(self, message: news.EngineState) -> None:
        """Show how the engine does. Gone once, it is coming back; gone twice, the person must know why."""
        self._lost += 1
        if self._lost == 1 and self._state is not None:
            self._main.engine_stands("engine restarting")
        else:
            self._main.engine_stands("no engine")
            self.tell(f"{message.text} {message.hint}".strip())

    def on_index_moved(self, message: news.IndexMoved) -> None:
        """Hand the state of the index to every screen."""
        if self._state is None:
            for sentence in self._otherwise():
                self.post_message(news.Notice(sentence))
        self._state, self._lost = message.state, 0
        if self._main.engine:
            self._main.engine_stands("")
        for screen in self.screen_stack:
            if (take := getattr(screen, "index_moved", None)) is not None:
                take(message.state)

    def on_rows_moved(self, message: news.RowsMoved) -> None:
        """Hand files that changed to every screen."""
        if message.all:
            self.rows.clear()
        self.rows.update((row.path, row) for row in message.rows)
        for path in message.gone:
            self.rows.pop(path, None)
        for screen in self.screen_stack:
            if (take := getattr(screen, "rows_moved", None)) is not None:
                take(message.rows, message.gone, message.all)
        self.follow_sources(message.rows, message.gone)

    def on_model_chosen(self, message: news.ModelChosen) -> None:
        """Say who answers from now on."""
        self.choice = message.choice
        for screen in self.screen_stack:
            if (take := getattr(screen, "model_chosen", None)) is not None:
                take(message.choice)

    def on_notices_came(self, message: news.NoticesCame) -> None:
        """Keep what happened for Status."""
        self.notices.extend(message.notices)
        for screen in self.screen_stack:
            if (take := getattr(screen, "notices_came", None)) is not None:
                take(message.notices)

    # Answers

    def on_ask_wish(self, message: news.AskWish) -> None:
        """Send a question; one at a time."""
        if self._main.running is not None:
            self._main.question.write(message.question)
            self.tell("An answer is coming: Esc stops it, then Enter asks this.")
            return
        self._turn += 1
        self._main.begin(LiveTurn(self._turn, message.question, began=self.clock()))
        self._answer = self.link.ask(self._turn, message.question, self._main.talk.id)
        self.link.remember({"question": ""})

    def on_answer_event(self, message: news.AnswerEvent) -> None:
        """Draw what came."""
        self._main.answer_event(message.turn, message.event)

    def on_answer_over(self, message: news.AnswerOver) -> None:
        """Nothing more comes for this turn."""
        self._main.answer_over(message.turn)
        self.tracing.newest()

    def on_stop_wish(self) -> None:
        """Stop the answer that is coming."""
        if self._answer is not None:
            self._answer.cancel()

    def on_chat_again(self) -> None:
        """Ask the newest question again."""
        if self._main.talk.turns:
            self.on_ask_wish(news.AskWish(self._main.talk.turns[-1].question))

    # Words and commands

    def tell(self, text: str) -> None:
        """Say a sentence in the hint row of the screen on top."""
        for screen in reversed(self.screen_stack):
            if (say := getattr(screen, "say", None)) is not None:
                say(text)
                return

    def on_notice(self, message: news.Notice) -> None:
        """A sentence for the hint row, kept for Status."""
        from lens_tui.types import Notice

        self.on_notices_came(news.NoticesCame((Notice(time.time(), message.text),)))
        self.tell(message.text)

    def on_question_box_refused(self, message: object) -> None:
        """What was written cannot be asked."""
        self.tell(getattr(message, "text", ""))

    # Keys that work everywhere

    async def on_event(self, event: events.Event) -> None:
        """Hand keys on one at a time, so that each goes where the one before it led."""
        if isinstance(event, events.Key | events.Paste) and not event.is_forwarded:
            await self._burst.take(event)
        else:
            await super().on_event(event)

    def action_app_back(self) -> None:
        """One step back."""
        if self.screen is self._main:
            self._main.back()
        else:
            self.pop_screen()

    def action_app_stop(self) -> None:
        """Copy what is selected, else stop what runs, else quit at the second press."""
        selected = self.screen.get_selected_text() or self._main.question.selected_text
        if selected:
            from lens_tui.tui.taking import take

            self.tell(take(self, selected))
            self.screen.clear_selection()
        elif self._main.running is not None:
            self.on_stop_wish()
        elif self.clock() - self._stopped_at < TWICE_SECONDS:
            self.action_app_quit()
        else:
            self._stopped_at = self.clock()
            self.tell("Ctrl+C once more quits.")

    def action_app_quit(self) -> None:
        """Leave: nothing is asked, nothing is lost."""
        kept = self.link.remember(self._main.kept())
        kept.wait(LAST_WORD_SECONDS)
        self._leaving = True
        self.link.close()
        self.exit(0)

    def action_app_suspend(self) -> None:
        """Leave to the shell for a while."""
        self.action_suspend_process()

    def action_app_redraw(self) -> None:
        """Draw the whole screen anew."""
        self.refresh(repaint=True, layout=True)

    def action_app_commands(self) -> None:
        """Open the list of commands."""
        from lens_tui.tui.opening import show_commands

        show_commands(self)

    def action_app_keys(self) -> None:
        """Open the page of keys."""
        from lens_tui.tui.opening import show_keys

        show_keys(self)

    def action_panel_status(self) -> None:
        """Open the status of the index."""
        from lens_tui.tui.opening import show_status

        show_status(self)

    def on_text_area_changed(self) -> None:
        """Keep what is written and not sent, a moment after the last key."""
        if timer := getattr(self, "_unsent", None):
            timer.stop()
        self._unsent = self.set_timer(UNSENT_SECONDS, self._keep_unsent)

    def _keep_unsent(self) -> None:
        self.link.remember({"question": self._main.question.text})

    def on_unmount(self, event: events.Unmount) -> None:
        """Let go of the engine; it stays for other faces."""
        self._leaving = True
        self.link.close()
