"""One connection as a face holds it: the greeting, requests out, events back to the call that each belongs to."""

import contextlib
import re
import socket
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterator
from queue import SimpleQueue

from lens_tui import wire
from lens_tui.engine import channel
from lens_tui.errors import EngineError, LensError, UsageError
from lens_tui.requests import Event, Request
from lens_tui.types import Failed

STALL_SECONDS = 30.0
"""An engine that takes no request for this long is given up."""

FLUSH_SECONDS = 0.5
"""How long ``close`` waits for requests that are not sent yet."""


class GoneEarly(Exception):
    """The engine closed before it had said all of its greeting: it is leaving, or it died."""


def greet(peer: socket.socket, replies: Iterator[bytes], hello: wire.Hello) -> wire.Welcome:
    """Say who we are and read who it is.

    Raises:
        GoneEarly: It closed.
        TimeoutError: It did not answer within the socket's limit.
        EngineError: It serves another folder, or answered something else.
    """
    line = _first(peer, replies, wire.pack(0, hello))
    return wire.read(line, wire.Welcome)  # type: ignore[no-any-return]


def wait_open(peer: socket.socket, replies: Iterator[bytes]) -> None:
    """Wait until the engine has opened its index.

    Raises:
        GoneEarly: It closed.
        TimeoutError: It took longer than the socket's limit.
        LensError: What kept it from opening, in its own class.
    """
    line = _first(peer, replies, b"")
    wire.read(line, wire.Ready)


def _first(peer: socket.socket, replies: Iterator[bytes], data: bytes) -> bytes:
    try:
        channel.send(peer, data, STALL_SECONDS)
        line = next(replies)
    except (channel.PeerGone, StopIteration) as error:
        raise GoneEarly from error
    match wire.head_of(line).event:
        case "error":
            raise wire.as_error(wire.read(line, Failed))
        case "bye":
            raise GoneEarly
        case _:
            return line


def order_of(program: str, wire_version: int) -> tuple[tuple[int, ...], int, str]:
    """What a program's version is compared by: the numbers that it begins with, then the wire's, then the rest."""
    numbers = re.match(r"\d+(?:\.\d+)*", program)
    return tuple(int(part) for part in numbers[0].split(".")) if numbers else (), wire_version, program


class Stream:
    """Lines of one request, from the thread that reads to the thread that asked."""

    def __init__(self) -> None:
        """Begin with none."""
        self._news = threading.Condition()
        self._waiting: deque[tuple[str, bytes] | Failed] = deque()
        self.ended = False
        """No more lines come; those that wait can still be read."""
        self.dropped = False
        """Nobody will read: lines that still come are let go."""

    def put(self, event: str, line: bytes) -> None:
        """Add a line. Progress takes the place of progress that nobody has read: it is a snapshot."""
        if self.dropped:
            return
        with self._news:
            last = self._waiting[-1] if self._waiting else None
            if event == "progress" and isinstance(last, tuple) and last[0] == "progress":
                self._waiting.pop()
            self._waiting.append((event, line))
            self._news.notify()

    def end(self, failed: Failed | None = None) -> None:
        """Say that nothing more comes, ``failed`` being the last."""
        with self._news:
            if failed is not None and not self.ended:
                self._waiting.append(failed)
            self.ended = True
            self._news.notify()

    def next(self) -> Event | None:
        """Wait for the next event; None at the end. Raises EngineError for a line that cannot be read."""
        with self._news:
            while not self._waiting and not self.ended:
                self._news.wait()
            if not self._waiting:
                return None
            item = self._waiting.popleft()
        if isinstance(item, Failed):
            return item
        return wire.read_event(item[1], item[0])


class EngineCall:
    """One request under way. Let go of without being read to its end, it cancels itself."""

    def __init__(self, id_: int, stream: Stream, outbox: "SimpleQueue[bytes | None]") -> None:
        """Take what the link made for it."""
        self._cancel_line = wire.pack(id_, wire.Cancel())
        self._stream = stream
        self._outbox = outbox
        self._cancelled = False

    def __iter__(self) -> Iterator[Event]:
        """Events as they come. A Failed ends the stream: it is yielded, not raised."""
        try:
            while (event := self._stream.next()) is not None:
                yield event
        except EngineError as error:
            # Written by a program that this one does not understand; the rest of it would be no better.
            self._drop()
            yield wire.as_failed(error)
        finally:
            self._drop()

    def cancel(self) -> None:
        """Ask the engine to stop, from any thread, without waiting; the stream then ends by itself."""
        if not (self._stream.ended or self._cancelled):
            self._cancelled = True
            # A SimpleQueue may be put to from a finalizer too, whatever its thread was doing; nothing else is touched.
            self._outbox.put(self._cancel_line)

    def _drop(self) -> None:
        self.cancel()
        self._stream.dropped = True

    def __del__(self) -> None:
        self._drop()


class Link:
    """A greeted connection, with a thread that reads and one that writes."""

    def __init__(
        self,
        peer: socket.socket,
        replies: Generator[bytes, None, None],
        *,
        on_gone: Callable[["Link", str], None],
        log: str,
    ) -> None:
        """Begin to read.

        Args:
            peer: The socket; this link closes it.
            replies: Its lines, the greeting taken off.
            on_gone: Called once from the reading thread when the engine is gone, not after ``close``, with the
                sentence that it left, or empty where it broke off.
            log: Path of the engine's log, for the hint of calls that broke off.
        """
        self._peer = peer
        self._replies = replies
        self._on_gone = on_gone
        self._log = log
        self._guard = threading.Lock()
        self._streams: dict[int, Stream] = {}
        self._next_id = 1
        self._outbox: SimpleQueue[bytes | None] = SimpleQueue()
        self._farewell = ""
        self._closing = False
        self.alive = True
        peer.settimeout(None)
        self._writer = threading.Thread(target=self._write, name="engine-writer", daemon=True)
        self._reader = threading.Thread(target=self._read, name="engine-reader", daemon=True)
        self._writer.start()
        self._reader.start()

    def open(self, request: Request) -> EngineCall | None:
        """Send a request; None where the engine is gone already. Never waits for it.

        Raises:
            UsageError: It is longer than the engine takes.
        """
        stream = Stream()
        with self._guard:
            id_ = self._next_id
            self._next_id += 1
        line = wire.pack(id_, request)
        if len(line) > channel.REQUEST_BYTES:
            raise UsageError(
                f"This is too long to be asked ({len(line):,} bytes; at most {channel.REQUEST_BYTES:,}).",
                hint="Ask for less at once.",
            )
        with self._guard:
            if not self.alive:
                return None
            self._streams[id_] = stream
        self._outbox.put(line)
        return EngineCall(id_, stream, self._outbox)

    def close(self) -> None:
        """Send what is waiting, then hang up: the engine cancels what is still under way."""
        self._closing = True
        self._outbox.put(None)
        self._writer.join(FLUSH_SECONDS)
        channel.shut(self._peer)
        if self._reader is not threading.current_thread():
            self._reader.join(FLUSH_SECONDS)

    def _write(self) -> None:
        while (data := self._outbox.get()) is not None:
            try:
                channel.send(self._peer, data, STALL_SECONDS)
            except channel.PeerGone:
                # The reading thread sees the end of it and tells everybody.
                channel.shut(self._peer)
                return

    def _read(self) -> None:
        problem: LensError | None = None
        try:
            for line in self._replies:
                self._deliver(line)
        except LensError as error:
            problem = error
        self._end(problem)

    def _deliver(self, line: bytes) -> None:
        head = wire.head_of(line)
        if head.id == 0:
            if head.event == "bye":
                self._farewell = wire.read(line, wire.Bye).reason
            elif head.event == "error":
                raise wire.as_error(wire.read(line, Failed))
            return
        with self._guard:
            stream = self._streams.pop(head.id, None) if head.event == "end" else self._streams.get(head.id)
        if stream is None:
            return
        if head.event == "end":
            stream.end()
        else:
            stream.put(head.event, line)

    def _end(self, problem: LensError | None) -> None:
        with self._guard:
            self.alive = False
            streams, self._streams = self._streams, {}
        failed = self._failed(problem)
        for stream in streams.values():
            stream.end(failed)
        self._outbox.put(None)
        channel.shut(self._peer)
        self._writer.join(FLUSH_SECONDS)
        self._replies.close()
        with contextlib.suppress(OSError):
            self._peer.close()
        if not self._closing:
            self._on_gone(self, self._farewell)

    def _failed(self, problem: LensError | None) -> Failed:
        if self._closing:
            return Failed(message="The connection to the engine was closed.", kind="Stopped")
        if problem is not None:
            return wire.as_failed(problem)
        again = "It is started anew with the next request"
        if self._farewell:
            return Failed(message=self._farewell, hint=f"{again}.", kind="EngineError")
        return Failed(
            message="The engine ended before it had answered.",
            hint=f"{again}; its log: {self._log}",
            kind="EngineError",
        )
