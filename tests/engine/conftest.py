"""Real engine processes with a fake service, in directories of this test's own."""

import contextlib
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from lens_tui.engine.client import EngineClient
from lens_tui.engine.lock import holder_of
from lens_tui.places import Places, places_of
from lens_tui.requests import Event, Found, Request, Search
from lens_tui.settings import Settings

COMMAND = (sys.executable, str(Path(__file__).with_name("fake_engine.py")))


def until(true: Callable[[], bool], seconds: float = 10.0) -> bool:
    """Wait for something that another process does; whether it came true."""
    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def is_running(pid: int) -> bool:
    """Whether a process is there and no zombie."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        # It went this moment, or this system has no /proc.
        return not Path("/proc/self/stat").exists()


@dataclass
class Bench:
    """One folder, and the faces that a test opens on it."""

    places: Places
    faces: list[EngineClient] = field(default_factory=list)
    pids: set[int] = field(default_factory=set)

    def face(self, **options: Any) -> EngineClient:
        options.setdefault("command", COMMAND)
        client = EngineClient(options.pop("places", self.places), Settings(), **options)
        self.faces.append(client)
        return client

    def all_of(self, client: EngineClient, request: Request) -> list[Event]:
        return list(client.start(request))

    def pid_of(self, client: EngineClient) -> int:
        """The process that answers this face."""
        event = self.all_of(client, Search(query="x"))[0]
        assert isinstance(event, Found), event
        self.pids.add(event.k)
        return event.k

    def noted(self) -> list[str]:
        """What engines wrote about themselves: ``start PID``, ``close PID`` and so on."""
        file = self.places.data.parent / "events.txt"
        return file.read_text().splitlines() if file.exists() else []

    def log(self) -> str:
        return (self.places.data / "engine.log").read_text()


@pytest.fixture
def bench(home: Any) -> Iterator[Bench]:
    folder = home.root / "notes"
    folder.mkdir()
    bench = Bench(places_of(folder, str(home.data)))
    yield bench
    for client in bench.faces:
        client.close()
    if holder := holder_of(bench.places.data):
        bench.pids.add(holder.pid)
    for number in (signal.SIGTERM, signal.SIGKILL):
        for pid in filter(is_running, bench.pids):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)
        if until(lambda: not any(map(is_running, bench.pids)), 3.0):
            break
