"""Answers requests about conversations, and writes turns into them while they are answered."""

import time
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from lens_tui.engine.board import Board
from lens_tui.errors import LensError, StoreError
from lens_tui.history import PromptSent
from lens_tui.lens import AskEvent
from lens_tui.requests import (
    Ask,
    EditTalk,
    ExportTalk,
    LastTalk,
    ListTalks,
    NewTalk,
    OpenTalk,
    Remember,
    Talk,
    TalkList,
    TalkText,
)
from lens_tui.talks.exporting import as_json, as_markdown
from lens_tui.talks.store import Talks
from lens_tui.types import Answered, AskRetrieved, Failed, Notice
from lens_tui.wire import as_failed

T = TypeVar("T")

TalkRequest = LastTalk | NewTalk | OpenTalk | ListTalks | EditTalk | ExportTalk | Remember


class Talking:
    """The folder's conversations as faces ask for them, from any number of threads."""

    def __init__(self, talks: Talks, board: Board, clock: Callable[[], float]) -> None:
        """Take where they are kept, and the board for what cannot be kept; ``clock`` is seconds since the epoch."""
        self._talks = talks
        self._board = board
        self._clock = clock

    def handle(self, request: TalkRequest) -> Iterator[Talk | TalkList | TalkText]:
        """Yield the replies that the request's docstring names. Raises LensError."""
        talks = self._talks
        match request:
            case LastTalk():
                yield Talk(conversation=talks.last(), state=talks.state())
            case NewTalk():
                yield Talk(conversation=talks.begin(), state=talks.state())
            case OpenTalk():
                yield Talk(conversation=talks.open(request.talk), state=talks.state())
            case ListTalks():
                yield self._listed(request.query)
            case EditTalk():
                if request.title is not None:
                    talks.rename(request.talk, request.title)
                if request.deleted is not None:
                    talks.delete(request.talk, undo=not request.deleted)
                yield self._listed(request.query)
            case ExportTalk():
                talk = talks.read(request.talk)
                yield TalkText(text=as_json(talk) if request.form == "json" else as_markdown(talk))
            case Remember():
                talks.remember(request.state)

    def _listed(self, query: str) -> TalkList:
        began = time.perf_counter()
        rows, total = self._talks.list(query)
        spent = (time.perf_counter() - began) * 1000
        return TalkList(query=query, talks=rows, total=total, milliseconds=spent)

    def kept(self, request: Ask, events: Iterable[AskEvent]) -> Iterator[AskEvent]:
        """Write the turn down: the question before the search, the rest at its end, also when it breaks off."""
        turn = self._write(lambda: self._talks.begin_turn(request.question, self._clock(), request.talk))
        retrieved: AskRetrieved | None = None
        answered: Answered | None = None
        failed: Failed | None = None
        sent: PromptSent | None = None
        try:
            for event in events:
                match event:
                    case AskRetrieved():
                        retrieved = event
                    case PromptSent():
                        sent = event
                    case Answered():
                        answered = event
                    case Failed():
                        failed = event
                yield event
        except LensError as error:
            failed = as_failed(error)
            raise
        finally:
            if turn is not None:
                self._write(lambda: self._talks.finish_turn(turn, retrieved, answered, failed, sent))

    def _write(self, act: Callable[[], T]) -> T | None:
        """Write a turn down. On a full disk the answer goes on without being kept, and Status says so."""
        try:
            return act()
        except StoreError as error:
            self._board.notice(Notice(self._clock(), f"This answer is not kept. {error.message} {error.hint}"))
            return None

    def close(self) -> None:
        """Let go of the file."""
        self._talks.close()
