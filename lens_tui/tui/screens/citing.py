"""The citations of the main screen: which one is current, walking them, and the file that one leads to."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from textual import on
from textual.screen import Screen

from lens_tui.text.display import one_line
from lens_tui.tui.keymap import keys_of, shown
from lens_tui.tui.messages import CitationChosen, EditWish, OpenFileWish
from lens_tui.tui.widgets.chat import Chat
from lens_tui.tui.widgets.question import QuestionBox
from lens_tui.tui.widgets.sources import Sources

if TYPE_CHECKING:
    from lens_tui.tui.screens.main import MainScreen

SECOND_DIGIT_SECONDS = 0.5
"""A digit that follows within this time belongs to the number before it."""
CHOOSE_FIRST = "Choose a citation first: n goes to the next one."


class Citing(Screen[None], inherit_bindings=False):
    """What a person does with citations; the main screen is made of it."""

    _digits: tuple[str, float] = ("", 0.0)
    """What was typed of a number, and when."""

    @property
    def _main(self) -> MainScreen:
        return cast("MainScreen", self)

    # Which is current

    def choose(self, chosen: tuple[int, int] | None) -> None:
        """Make a citation current: in the answer, in the sources, and in the sheet where there is no column."""
        main = self._main
        if chosen is None:
            main.say("Nothing is cited yet.")
            return
        main.talk.chosen = chosen
        if self.has_class("-narrow"):
            turn = main.talk.turns[chosen[0]]
            self.set_class(turn.excerpt(turn.citations[chosen[1]].number) is not None, "-sheet")
            # The sheet takes rows from the chat: look again once it has.
            self.call_after_refresh(main.chat.choose, chosen)
        main.chat.choose(chosen)
        main.show_sources()
        main.show_heads()

    def _walk(self, by: int) -> None:
        """Go on by one citation; at the last one say so, and bring it back into sight."""
        main = self._main
        wanted, here = main.talk.step(by), main.talk.chosen
        if wanted is None and here is not None:
            self.choose(here)
            main.say("This is the last citation." if by > 0 else "This is the first citation.")
        else:
            self.choose(wanted)
            if wanted is not None and main.part == "question":
                main.say(self._way_to_open())

    def _way_to_open(self) -> str:
        """The keys that open the current citation from the question box."""
        main, keys = self._main, getattr(self.app, "keys", None)
        enter, tab = (shown(keys_of(id_, keys)[0]) for id_ in ("ask.send", "focus.next"))
        then = shown(keys_of("open.file", keys)[0])
        return f"{tab}, then {then} opens it" if main.question.text.strip() else f"{enter} opens it"

    def action_cite_next(self) -> None:
        """Go to the next citation."""
        self._walk(1)

    def action_cite_previous(self) -> None:
        """Go to the citation before."""
        self._walk(-1)

    def action_cite_number(self, key: int | str) -> None:
        """Go to the citation of a number; a second digit within half a second belongs to the first."""
        main = self._main
        before, at = self._digits
        now = main.clock()
        typed = f"{before}{key}" if before and now - at < SECOND_DIGIT_SECONDS else str(key)
        self._digits = (typed, now)
        wanted = main.talk.numbered(int(typed)) if int(typed) else None
        if wanted is not None:
            self.choose(wanted)
        elif len(typed) == 1:
            main.say(f"Nothing here cites [{typed}].")

    @on(CitationChosen)
    def _citation_chosen(self, event: CitationChosen) -> None:
        self.choose((event.turn, event.index))

    @on(Sources.Chosen)
    def _source_chosen(self, event: Sources.Chosen) -> None:
        if (wanted := self._main.talk.numbered(event.number)) is not None:
            self.choose(wanted)
        if event.twice:
            self._open_excerpt(event.number)

    # Where it leads

    @on(QuestionBox.Empty)
    def _nothing_asked(self) -> None:
        """Enter in the empty question: open what F7 and F8 led to."""
        if self._main.talk.chosen is not None:
            self.action_open_file()
        else:
            self._main.say("Write a question first, then Enter asks it.")

    @on(Chat.Opened)
    def action_open_file(self) -> None:
        """Open the file of the current citation at its line; without one unfold what the model thought."""
        talk = self._main.talk
        citation, shown = talk.citation(), talk.shown
        if citation is not None and citation.verdict == "invented":
            self._main.say(f"There is no excerpt {citation.number} to open.")
        elif citation is not None:
            self._open_excerpt(citation.number)
        elif shown is not None and talk.turns[shown].thinking:
            self._main.chat.unfold(shown)
        else:
            self._main.say("Nothing is cited here that could be opened.")

    def _open_excerpt(self, number: int) -> None:
        """Wish a file opened at an excerpt, and at its carrying sentence where one is known."""
        talk = self._main.talk
        excerpt = talk.turns[talk.shown].excerpt(number) if talk.shown is not None else None
        if excerpt is None:
            self._main.say(f"There is no excerpt {number} to open.")
            return
        citation = talk.citation()
        carried = citation if citation is not None and citation.number == number else None
        span, lines = (carried.span, carried.lines) if carried is not None else (None, None)
        fate = talk.turns[talk.shown or 0].fates_by_number(talk.chosen[1] if talk.chosen else None).get(number)
        if fate is not None and fate.line is not None:
            here = (fate.start, fate.end)
            self.post_message(OpenFileWish(fate.path, fate.line, here, here))
        elif fate is not None and fate.file_gone:
            self._main.say(f"{one_line(excerpt.path)} is gone; the source shows its text as it was.")
        else:
            whole = (excerpt.start, excerpt.end)
            self.post_message(OpenFileWish(excerpt.path, (lines or excerpt.lines)[0], whole, span))

    def place_of_current(self) -> tuple[str, int] | None:
        """Path and line of the current citation, as they are now; None where there is none."""
        talk = self._main.talk
        citation, shown = talk.citation(), talk.shown
        if citation is None or shown is None or (excerpt := talk.turns[shown].source(citation)) is None:
            return None
        fate = talk.turns[shown].fates.get(talk.chosen[1]) if talk.chosen is not None else None
        if fate is not None and fate.line is not None:
            return fate.path, fate.line
        return excerpt.path, (citation.lines or excerpt.lines)[0]

    def action_open_editor(self) -> None:
        """Edit the file of the current citation."""
        place = self.place_of_current()
        if place is None:
            self._main.say(CHOOSE_FIRST)
        else:
            self.post_message(EditWish(*place))
