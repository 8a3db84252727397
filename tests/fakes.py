"""Stand-ins that obey protocols.py: an engine that plays what a test wrote down, and a few ready-made nouns."""

import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from lens_tui.requests import ChunkOutline, Event, Request
from lens_tui.types import Answered, AskRetrieved, Citation, Excerpt, Reason, SearchHit, Span

Script = Iterable[Event] | Callable[[Request], Iterable[Event]]


@dataclass
class ScriptedCall:
    """One request's reply, as written down; cancelled, it ends before the next event."""

    events: Iterable[Event]
    cancelled: threading.Event = field(default_factory=threading.Event)

    def __iter__(self) -> Iterator[Event]:
        for event in self.events:
            if self.cancelled.is_set():
                return
            yield event

    def cancel(self) -> None:
        self.cancelled.set()


class ScriptedEngine:
    """Obeys ``protocols.Engine``: answers every request with its script and keeps what it was asked."""

    def __init__(self, script: Script = ()) -> None:
        """Take the events that every request gets, or a function that gives them for a request."""
        self._script = script
        self.asked: list[Request] = []
        self.calls: list[ScriptedCall] = []
        self.closed = False

    def start(self, request: Request) -> ScriptedCall:
        self.asked.append(request)
        call = ScriptedCall(self._script(request) if callable(self._script) else self._script)
        self.calls.append(call)
        return call

    def close(self) -> None:
        self.closed = True


LEASE = "The lease ends on 31 March 2027.\nNotice must be given in writing."


def lease_hit(rank: int = 1, path: str = "house/lease.md") -> SearchHit:
    """A hit on ``LEASE``, the whole of lines 9 to 10 of a file."""
    return SearchHit(
        rank=rank,
        score=0.8312,
        path=path,
        id="0123456789ab-0",
        chunk=0,
        start=100,
        end=100 + len(LEASE),
        lines=(9, 10),
        page=None,
        heading=("House", "4 Term"),
        tags=("home",),
        text=LEASE,
        snippet=LEASE.splitlines()[0],
        marks=((4, 9),),
        why={"lexical": Reason(1, 12.31)},
        checksum="0123456789ab" + "0" * 52,
    )


def lease_retrieved(path: str = "house/lease.md") -> AskRetrieved:
    """What an answer on the lease rests on: one excerpt of one hit."""
    hit = lease_hit(path=path)
    excerpt = Excerpt(1, path, hit.start, hit.end, hit.lines, (1,), LEASE, (0, 0), hit.checksum)
    return AskRetrieved(hits=(hit,), excerpts=(excerpt,))


def lease_answered(text: str = "It ends on 31 March 2027 [1].", model: str | None = "cites") -> Answered:
    """An answer whose last mark is ``[1]``, carried by the first sentence of ``LEASE``."""
    start = text.rindex("[1]")
    mark = Citation(start, start + 3, 1, (0, len(text)), "house/lease.md", (100, 132), (9, 9))
    return Answered(text=text, model=model, citations=(mark,))


def outlines(*spans: Span) -> tuple[ChunkOutline, ...]:
    """Chunks of a file, where only their spans matter."""
    return tuple(ChunkOutline(start, end, (1, 1), end - start) for start, end in spans)
