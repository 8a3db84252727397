"""One connection on a pair of sockets, with a host that the test holds."""

import socket
import threading
import time
from collections.abc import Iterator

import pytest

from lens_tui import wire
from lens_tui.cancel import CancelToken
from lens_tui.engine import channel
from lens_tui.engine.connection import Connection
from lens_tui.requests import Event, IndexProgress, Request, Search, Watch
from lens_tui.types import Failed


class FakeHost:
    """Lets everybody in and sends progress for ever, unless told otherwise."""

    def __init__(self) -> None:
        self.left = threading.Event()
        self.closed = threading.Event()
        self.failure: Failed | None = None

    def greet(self, face: Connection, hello: wire.Hello) -> wire.Welcome:
        return wire.Welcome("1", wire.WIRE_VERSION, 1)

    def opened(self) -> Failed | None:
        return self.failure

    def handle(self, request: Request, cancel: CancelToken) -> Iterator[Event]:
        try:
            while not cancel.cancelled:
                yield IndexProgress(done=1, total=2, current="x" * 10_000, chunks=3)
        finally:
            self.closed.set()

    def leave(self, reason: str) -> None:
        raise AssertionError(reason)

    def gone(self, face: Connection) -> None:
        self.left.set()


def _talk(host: FakeHost, **options: float) -> tuple[socket.socket, threading.Thread]:
    here, there = socket.socketpair()
    thread = threading.Thread(target=Connection(there, host, "engine.log", **options).run)
    thread.start()
    return here, thread


def _hello() -> bytes:
    return wire.pack(0, wire.Hello("1", wire.WIRE_VERSION, "/f", "/d"))


def test_a_face_that_takes_nothing_for_too_long_is_dropped_and_its_work_ends() -> None:
    host = FakeHost()
    here, thread = _talk(host, stall_seconds=0.2)
    with here:
        here.sendall(_hello() + wire.pack(1, Watch()))
        assert host.left.wait(5)
        assert host.closed.wait(5)
        thread.join(5)
        assert not thread.is_alive()


def test_a_face_that_reads_slowly_but_reads_is_kept() -> None:
    host = FakeHost()
    here, thread = _talk(host, stall_seconds=0.3)
    with here:
        here.sendall(_hello() + wire.pack(1, Watch()))
        end = time.monotonic() + 1.0
        while time.monotonic() < end:
            assert here.recv(100_000)
            time.sleep(0.05)
        assert not host.left.is_set()
    thread.join(5)
    assert host.closed.is_set()


def test_a_connection_that_does_not_say_who_it_is_is_closed() -> None:
    host = FakeHost()
    here, thread = _talk(host, hello_seconds=0.1)
    with here:
        here.settimeout(5)
        assert here.recv(10) == b""
    thread.join(5)
    assert not thread.is_alive()


def test_requests_before_a_hello_are_not_answered() -> None:
    here, thread = _talk(FakeHost())
    with here:
        here.sendall(wire.pack(1, Search(query="x")))
        here.settimeout(5)
        [line] = channel.lines(here, 10_000)
        assert wire.head_of(line).event == "error"
    thread.join(5)


def test_a_failure_to_open_takes_the_place_of_ready() -> None:
    host = FakeHost()
    host.failure = Failed(message="No.", kind="StoreError")
    here, thread = _talk(host)
    with here:
        here.sendall(_hello())
        here.settimeout(5)
        assert [wire.head_of(line).event for line in channel.lines(here, 10_000)] == ["welcome", "error"]
    thread.join(5)


def test_a_line_that_is_too_long_is_an_error_before_it_fills_the_memory() -> None:
    here, there = socket.socketpair()
    with here, there:
        here.sendall(b"x" * 2000)
        with pytest.raises(Exception, match="longer than 1,000 bytes"):
            next(channel.lines(there, 1000))


def test_a_message_cut_short_is_dropped() -> None:
    here, there = socket.socketpair()
    with there:
        here.sendall(b"one\ntw")
        here.close()
        assert list(channel.lines(there, 1000)) == [b"one\n"]


def test_the_head_of_a_line_is_read_whatever_names_the_rest_holds() -> None:
    line = wire.pack(3, IndexProgress(done=1, total=2, current="caf\udce9.md", chunks=0))
    assert wire.head_of(line) == wire.Head(3, event="progress")
    event = wire.read_event(line, "progress")
    assert isinstance(event, IndexProgress)
    assert event.current == "caf\udce9.md"
