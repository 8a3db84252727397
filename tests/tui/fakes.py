"""An engine that says what a test tells it to: obeys the Engine protocol, speaks from other threads, can be held."""

import queue
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from lens_tui.answering.citations import cite
from lens_tui.history import Conversation
from lens_tui.requests import (
    Ask,
    Event,
    FileText,
    FolderNews,
    IndexState,
    LastTalk,
    OpenFile,
    Request,
    Talk,
    Watch,
)
from lens_tui.types import (
    Answered,
    AnswerText,
    AskRetrieved,
    Citation,
    Excerpt,
    Failed,
    FileRow,
    ModelChoice,
)

R = TypeVar("R")

LEASE = """## 4 Term and renewal
The term is two years. The lease runs until 31 March 2027 and renews by one year unless either party gives three \
months' notice in writing. The rent may be raised once in each period, by at most the change of the index."""
LETTER = "We confirm three months' notice, in writing, as agreed on the telephone. The keys are left with the agent."
DEPOSIT = (
    "Interest belongs to the tenant. The deposit is kept in an account of its own until the end. It is three rents."
)
QUESTION = "When does the lease end, and what notice do I owe?"
ANSWER = (
    "The lease ends on 13 March 2027 [1]. Notice must be given three months before the end [1][3], in writing [3]. "
    "The deposit is returned within six weeks [2]. You should also tell the neighbours. "
    "A late notice costs one month's rent [9]."
)


def excerpt(number: int, path: str, text: str, line: int, start: int = 0) -> Excerpt:
    last = line + text.count("\n") + (len(text) // 80)
    return Excerpt(number, path, start, start + len(text), (line, last), (number,), text, (0, 0), "c0ffee")


EXCERPTS = (
    excerpt(1, "house/lease.md", LEASE, 9, 400),
    excerpt(2, "house/deposit.md", DEPOSIT, 40),
    excerpt(3, "house/letters/2024.md", LETTER, 3),
    excerpt(4, "house/repairs.md", "The roof is to be repaired before October.", 40),
    excerpt(5, "work/flat/offers.md", "Flat 3: notice of one month, deposit of two.", 112),
    excerpt(6, "日記/2024-03.md", "大家さんに三か月前のnoticeを書面で送ること。返事は四月まで待つ。", 7),
    excerpt(7, "work/flat/long/correspondence/agent.md", "Dear Ms Okafor, thank you for the keys.", 19),
    excerpt(8, "ideas.md", "A garden on the roof.", 2),
)
RETRIEVED = AskRetrieved(hits=(), excerpts=EXCERPTS)


RUNS = (
    "The lease runs until 31 March 2027 and renews by one year unless either party gives three months' notice in "
    "writing."
)
CITATIONS, UNCITED = cite(ANSWER, EXCERPTS)
ANSWERED = Answered(
    text=ANSWER,
    model="qwen3:4b",
    citations=CITATIONS,
    uncited=UNCITED,
    prompt_tokens=1850,
    context_tokens=4096,
    answer_tokens=62,
    seconds=8.1,
)
QUOTE_TEXT = f"{RUNS} [1]\n\nWe confirm three months' notice, in writing, as agreed on the telephone. [3]"
QUOTED = Answered(
    text=QUOTE_TEXT,
    model=None,
    citations=(
        Citation(
            len(RUNS) + 1, len(RUNS) + 4, 1, (0, len(RUNS)), "house/lease.md",
            (400 + LEASE.index(RUNS), 400 + LEASE.index(RUNS) + len(RUNS)), (12, 12),
        ),
        Citation(
            len(QUOTE_TEXT) - 3, len(QUOTE_TEXT), 3, (len(RUNS) + 6, len(QUOTE_TEXT) - 4), "house/letters/2024.md",
            (0, 72), (3, 3),
        ),
    ),
    notes=("No model answered: nothing answers at http://localhost:11434.",),
    seconds=0.02,
)  # fmt: skip
MODEL = ModelChoice("qwen3:4b", "it is the one already loaded", "http://localhost:11434", reachable=True)
NO_MODEL = ModelChoice(
    None, "nothing answers at http://localhost:11434", "http://localhost:11434", "ollama serve\nollama pull qwen3:4b"
)
ROWS = (
    FileRow("house/lease.md", "indexed", 11),
    FileRow("house/repairs.md", "indexed", 23),
    FileRow("house/scans.pdf", "reading", 0, "12/80"),
    FileRow("house/letters.eml", "waiting"),
    *(FileRow(f"letters/{number:02}.md", "indexed", 2) for number in range(31)),
    *(FileRow(f"work/{number:03}.md", "indexed" if number < 97 else "waiting", 3) for number in range(214)),
    *(FileRow(f"日記/2024-{number:02}.md", "indexed", 3) for number in range(96)),
    FileRow("ideas.md", "indexed", 4),
    FileRow("todo.md", "changed", 2),
    FileRow("broken.pdf", "failed", 0, "not a PDF, it starts with <html"),
    FileRow("old.zip", "left_out", 0, "binary"),
)
IDLE = IndexState(phase="idle", files=412, total=412, chunks=4120, vectors=4120, vectors_total=4120)
INDEXING = IndexState(
    phase="reading", files=312, total=412, done=312, run_total=412, chunks=3100, rate=64.0, seconds_left=62.0
)
EMPTY = Talk(conversation=Conversation(1, ""))


class ScriptedCall:
    """One request: yields what is put into it until it is ended or cancelled."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.cancelled = threading.Event()
        self._events: queue.Queue[Event | None] = queue.Queue()
        self.on_cancel: Callable[[], None] = self.end

    def put(self, *events: Event) -> None:
        for event in events:
            self._events.put(event)

    def end(self) -> None:
        self._events.put(None)

    def __iter__(self) -> Iterator[Event]:
        while True:
            event = self._events.get()
            if event is None:
                return
            yield event

    def cancel(self) -> None:
        if not self.cancelled.is_set():
            self.cancelled.set()
            self.on_cancel()


class ScriptedEngine:
    """Answers what is scripted; ``calls`` keeps every request that was started."""

    def __init__(
        self,
        *,
        news: Sequence[Event] = (FolderNews(state=IDLE, rows=ROWS, all=True, model=MODEL),),
        talk: Talk = EMPTY,
        answer: Sequence[Event] | None = (RETRIEVED, AnswerText(text=ANSWER), ANSWERED),
        files: dict[str, FileText] | None = None,
    ) -> None:
        """``answer`` None leaves every question open: the test puts its events and ends it."""
        self._news, self._talk, self._answer, self._files = news, talk, answer, files or {}
        self.calls: list[ScriptedCall] = []
        self.closed = False

    def start(self, request: Request) -> ScriptedCall:
        call = ScriptedCall(request)
        self.calls.append(call)
        if isinstance(request, Watch):
            call.put(*self._news)
            return call
        if isinstance(request, Ask) and self._answer is None:
            return call
        call.put(*self._replies(request))
        call.end()
        return call

    def _replies(self, request: Request) -> Sequence[Event]:
        if isinstance(request, LastTalk):
            return (self._talk,)
        if isinstance(request, Ask):
            return self._answer or ()
        if isinstance(request, OpenFile):
            known = self._files.get(request.path)
            return (known or Failed(message=f"{request.path} is not there any more."),)
        return ()

    def close(self) -> None:
        self.closed = True

    def of(self, kind: type) -> list[ScriptedCall]:
        """The calls of one kind of request, oldest first."""
        return [call for call in self.calls if isinstance(call.request, kind)]

    def sent(self, kind: type[R]) -> list[R]:
        """The requests of one kind, oldest first."""
        return [call.request for call in self.calls if isinstance(call.request, kind)]

    def one(self, kind: type, seconds: float = 5.0) -> ScriptedCall:
        """The newest call of a kind, waited for."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if found := self.of(kind):
                return found[-1]
            time.sleep(0.005)
        raise AssertionError(f"no {kind.__name__} was started")


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now
