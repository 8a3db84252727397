"""An engine whose service is a fake: ``python fake_engine.py FOLDER --data-dir … --socket … [--set fake.…=…]``.

Questions steer it: see ``FakeService.handle``. It imports nothing that a real index needs.
"""

import json
import os
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from lens_tui import errors
from lens_tui.cancel import CancelToken
from lens_tui.engine.__main__ import main
from lens_tui.places import Places
from lens_tui.requests import (
    Ask,
    Control,
    Event,
    FileText,
    FolderNews,
    Found,
    IndexProgress,
    IndexState,
    OpenFile,
    Remember,
    Request,
    Search,
    Status,
    Watch,
)
from lens_tui.types import Answered, AnswerText


@dataclass
class NewerEvent:
    """What a program of the future might send."""

    event: str = "telepathy"


class FakeService:
    """Obeys ``engine.server.Serving``; writes what is done to it in ``events.txt`` beside the index."""

    def __init__(self, places: Places, flags: Mapping[str, object]) -> None:
        self.places = places
        self.flags = flags
        self.busy = False
        self.remembered: list[object] = []

    def note(self, line: str) -> None:
        with (self.places.data.parent / "events.txt").open("a") as file:
            file.write(f"{line} {os.getpid()}\n")

    def start(self) -> None:
        self.note("start")

    def close(self) -> None:
        time.sleep(float(str(self.flags.get("fake.close_seconds", 0))))
        self.note("close")

    def handle(self, request: Request, cancel: CancelToken) -> Iterator[Event]:
        match request:
            case Search():
                yield Found(query=request.query, k=os.getpid(), retriever="lexical", notes=self._notes(request.query))
            case Ask():
                yield from self._ask(request, cancel)
            case OpenFile(path="newer"):
                yield NewerEvent()  # type: ignore[misc]
                cancel.wait(20)
                self.note("newer cancelled")
            case OpenFile():
                yield FileText(path=request.path, text="é" * int(request.path), checksum="x")
            case Watch():
                yield from self._watch(request, cancel)
            case Remember():
                # The first takes longest: without an order it would be overtaken.
                time.sleep(0.2 if request.state["n"] == 0 else 0.0)
                self.remembered.append(request.state["n"])
            case Control():
                self.busy = request.action == "pause"
            case Status():
                yield FolderNews(state=IndexState(current=json.dumps(self.remembered)))
            case _:
                return

    def _notes(self, query: str) -> tuple[str, ...]:
        if query == "flags":
            return (json.dumps(dict(self.flags)),)
        if query == "environment":
            words = [os.environ.get(name, "") for name in ("LENS_TUI_CONFIG_DIR", "PYTHONPATH")]
            return (os.environ.get("LENS_TEST_WORD", ""), str(Path.cwd()), str(os.getsid(0)), *words)
        if query == "missing":
            raise errors.ModelMissing("Ollama does not have it.", hint="ollama pull it")
        if query == "nothing":
            raise errors.NothingFound("Nothing was found.")
        if query == "bug":
            raise ZeroDivisionError("a bug")
        if query == "print":
            sys.stdout.write("said on stdout\n")
            sys.stdout.flush()
        if query == "die":
            os.kill(os.getpid(), 9)
        return ()

    def _ask(self, request: Ask, cancel: CancelToken) -> Iterator[Event]:
        """Count until stopped, 200 a second; a number as the question is where to end."""
        last = int(request.question) if request.question.isdigit() else 1_000_000
        whole = False
        try:
            for number in range(last):
                if cancel.wait(0.005):
                    yield Answered(text=str(number), model=None, stopped=True)
                    return
                yield AnswerText(text=f"{request.question} {number}")
            yield Answered(text=str(last), model=None)
            whole = True
        finally:
            # Also where the face is gone, and the generator is closed at a yield.
            if not whole:
                self.note("cancelled")

    def _watch(self, request: Watch, cancel: CancelToken) -> Iterator[Event]:
        """Send as fast as the face takes it."""
        number = 0
        try:
            while not cancel.cancelled:
                number += 1
                yield IndexProgress(done=number, total=0, current=request.host * 1000, chunks=0)
        finally:
            self.note("watch ended")


def opening(places: Places, flags: Mapping[str, object]) -> FakeService:
    time.sleep(float(str(flags.get("fake.open_seconds", 0))))
    if kind := flags.get("fake.fails"):
        raise getattr(errors, str(kind))("It cannot be opened.", hint="Do this.")
    if flags.get("fake.crashes"):
        os.kill(os.getpid(), 11)
    if flags.get("fake.bug"):
        raise RuntimeError("an opening bug")
    return FakeService(places, flags)


if __name__ == "__main__":
    if os.environ.get("FAKE_BAD_START"):
        sys.exit("the fake cannot start")
    code = main(
        sys.argv[1:],
        opening,
        idle_seconds=float(os.environ.get("FAKE_IDLE", "0.5")),
        look_seconds=0.1,
        program=os.environ.get("FAKE_PROGRAM", "0.1.0"),
    )
    sys.stdout.flush()
    os._exit(code)
