"""Turns as the screen holds them while their events arrive: what is known of each question and its answer by now."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lens_tui.text.display import printable

if TYPE_CHECKING:
    from lens_tui.history import Conversation, Fate, PromptSent, Turn
    from lens_tui.tui.messages import TurnEvent
    from lens_tui.types import Answered, AskRetrieved, Citation, Excerpt, Failed


@dataclass(eq=False)
class LiveTurn:
    """One question, and what has come of its answer. Grows by ``apply``; never shrinks."""

    number: int
    """The app's number of the turn; 0 for one that was loaded."""
    question: str
    began: float = 0.0
    """When it was sent, by the app's clock; seconds."""
    retrieved: AskRetrieved | None = None
    text: str = ""
    """The answer so far, printable."""
    step: str = ""
    """What is being waited for."""
    thinking: str = ""
    thought_since: float | None = None
    thought_seconds: float = 0.0
    answering_since: float | None = None
    """When the first word came."""
    pieces: int = 0
    """Pieces of text that came: tokens, near enough for a rate."""
    answered: Answered | None = None
    failed: Failed | None = None
    sent: PromptSent | None = None
    """What the model was sent; None where none was asked."""
    kept_id: int | None = None
    """Its id in the conversation that it was loaded from."""
    fates: dict[int, Fate] = field(default_factory=dict)
    """Index of a citation → what became of its source since, where the file is not the same any more."""
    over: bool = False
    """Nothing more will come."""
    unfolded: bool = False
    """Whether the thinking is shown."""
    version: int = 0
    """Raised by every change, so that what was drawn of it can be kept until then."""

    @classmethod
    def kept(cls, turn: Turn) -> LiveTurn:
        """A turn of a conversation that was loaded."""
        live = cls(0, turn.question, retrieved=turn.retrieved, answered=turn.answered, failed=turn.failed, over=True)
        live.sent, live.kept_id = turn.sent, turn.id
        if turn.answered is not None:
            live._finish(turn.answered)
        return live

    @property
    def running(self) -> bool:
        """Whether more may come."""
        return not self.over

    @property
    def citations(self) -> tuple[Citation, ...]:
        """Citations of the finished answer, in order; empty while it streams."""
        return self.answered.citations if self.answered is not None else ()

    @property
    def excerpts(self) -> tuple[Excerpt, ...]:
        """What the answer rests on."""
        return self.retrieved.excerpts if self.retrieved is not None else ()

    @property
    def quoted(self) -> bool:
        """Whether no model answered."""
        return self.answered is not None and self.answered.model is None

    def excerpt(self, number: int) -> Excerpt | None:
        """The excerpt of a number; None where there is none."""
        return next((excerpt for excerpt in self.excerpts if excerpt.number == number), None)

    def source(self, citation: Citation) -> Excerpt | None:
        """The excerpt that a citation stands for; none of an invented one, whatever has its number."""
        return None if citation.verdict == "invented" else self.excerpt(citation.number)

    def fates_by_number(self, current: int | None) -> dict[int, Fate]:
        """What became of excerpts, by number: as their first stale citation tells, or the current one (an index)."""
        told: dict[int, Fate] = {}
        for index, fate in sorted(self.fates.items()):
            number = self.citations[index].number
            if number not in told or index == current:
                told[number] = fate
        return told

    def apply(self, event: TurnEvent, now: float) -> None:
        """Take an event in. ``now`` is the app's clock in seconds."""
        self.version += 1
        if event.event == "text":
            self._settle_thought(now)
            if self.answering_since is None:
                self.answering_since = now
            self.pieces += 1
            self.text += printable(event.text)
        elif event.event == "step":
            if event.step:
                self.step = event.step
            if event.thinking:
                self.thought_since = now if self.thought_since is None else self.thought_since
                self.thinking += printable(event.thinking)
        elif event.event == "retrieved":
            self.retrieved = event
        elif event.event == "sent":
            self.sent = event
        elif event.event == "answered":
            self._settle_thought(now)
            self._finish(event)
        elif event.event == "error":
            self.failed = event

    def end(self) -> None:
        """Nothing more will come."""
        self.over = True
        self.version += 1

    def _settle_thought(self, now: float) -> None:
        if self.thought_since is not None and not self.thought_seconds:
            self.thought_seconds = max(now - self.thought_since, 0.001)

    def _finish(self, answered: Answered) -> None:
        self.answered = answered
        self.text = printable(answered.text)
        if answered.thinking:
            self.thinking = printable(answered.thinking)
            self.thought_seconds = answered.thinking_seconds or self.thought_seconds


@dataclass(eq=False)
class LiveTalk:
    """The conversation on the screen, and where the person is in it."""

    id: int | None = None
    """Under which the engine keeps it; None before it is known."""
    title: str = ""
    turns: list[LiveTurn] = field(default_factory=list)
    chosen: tuple[int, int] | None = None
    """The current citation: place of its turn, and its index there."""
    expected: bool = False
    """Whether the one of last time may still come: until then nothing stands in its place."""
    on_choice: Callable[[], None] = lambda: None

    def load(self, talk: Conversation) -> None:
        """Take the place of what was there, but for a turn whose answer is coming."""
        self.id, self.title, self.chosen, self.expected = talk.id, talk.title, None, False
        asked = [turn for turn in self.turns if turn.running]
        self.turns = [*(LiveTurn.kept(turn) for turn in talk.turns), *asked]

    def live(self, number: int) -> tuple[int, LiveTurn] | None:
        """The turn of a number, and its place; None where there is none (a stale event)."""
        for place in range(len(self.turns) - 1, -1, -1):
            if self.turns[place].number == number:
                return place, self.turns[place]
        return None

    @property
    def shown(self) -> int | None:
        """Place of the turn whose sources are shown: the chosen citation's, else the newest."""
        if self.chosen is not None:
            return self.chosen[0]
        return len(self.turns) - 1 if self.turns else None

    def citation(self) -> Citation | None:
        """The current citation."""
        if self.chosen is None:
            return None
        turn, index = self.chosen
        return self.turns[turn].citations[index]

    def first(self) -> tuple[int, int] | None:
        """The first citation of the newest turn that has any."""
        for place in range(len(self.turns) - 1, -1, -1):
            if self.turns[place].citations:
                return place, 0
        return None

    def step(self, by: int) -> tuple[int, int] | None:
        """The citation after (1) or before (-1) the current one, across turns; None where there is none."""
        if self.chosen is None:
            return self.first()
        turn, index = self.chosen
        index += by
        while not 0 <= index < len(self.turns[turn].citations):
            turn += by
            if not 0 <= turn < len(self.turns):
                return None
            index = 0 if by > 0 else len(self.turns[turn].citations) - 1
        return turn, index

    def numbered(self, number: int) -> tuple[int, int] | None:
        """The citation with a number in the turn that is shown: the next one after the current, round to the first."""
        turn = self.shown
        if turn is None:
            return None
        if not self.turns[turn].citations and self.chosen is None and (first := self.first()) is not None:
            turn = first[0]
        found = [index for index, citation in enumerate(self.turns[turn].citations) if citation.number == number]
        if not found:
            return None
        here = self.chosen[1] if self.chosen is not None and self.chosen[0] == turn else -1
        return turn, next((index for index in found if index > here), found[0])
