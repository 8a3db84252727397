"""One face as the engine sees it: its greeting, its requests at work at once, and the one pipe that all answer into."""

import contextlib
import logging
import socket
import threading
import time
from collections.abc import Generator, Iterator
from typing import Protocol

from lens_tui import wire
from lens_tui.cancel import CancelToken
from lens_tui.engine import channel
from lens_tui.errors import EngineError, LensError
from lens_tui.requests import Control, Event, LastTalk, Leave, NewTalk, Remember, Request
from lens_tui.types import Failed

LOG = logging.getLogger(__name__)

HELLO_SECONDS = 5.0
"""A connection that has not said who it is by then is closed."""

STALL_SECONDS = 30.0
"""A face that takes nothing for this long is dropped: what it asked for would wait in the engine's memory."""

REQUESTS_AT_ONCE = 32
"""Of one face. The app has about five; each is a thread."""

IN_ORDER = (Remember, Control, LastTalk, NewTalk)
"""Requests that mean something else in another order; each waits for the one before."""


class Host(Protocol):
    """The engine behind the connection."""

    def greet(self, face: "Connection", hello: wire.Hello) -> wire.Welcome:
        """Count the face in, unless it or the engine has to leave. Raises EngineError where it may not stay."""

    def opened(self) -> Failed | None:
        """Wait until the index is open; what kept it from that, else None."""

    def handle(self, request: Request, cancel: CancelToken) -> Iterator[Event]:
        """Answer. Raises LensError."""

    def leave(self, reason: str) -> None:
        """End the engine soon."""

    def gone(self, face: "Connection") -> None:
        """Count the face out."""


class Connection:
    """Reads one face's lines in the thread that calls ``run``, and answers each request in a thread of its own."""

    def __init__(
        self,
        peer: socket.socket,
        host: Host,
        log: str,
        *,
        hello_seconds: float = HELLO_SECONDS,
        stall_seconds: float = STALL_SECONDS,
    ) -> None:
        """Take an accepted socket; ``log`` is the path that a person is sent to when something unforeseen happens."""
        self._peer = peer
        self._host = host
        self._log = log
        self._hello_seconds = hello_seconds
        self._stall_seconds = stall_seconds
        self._sending = threading.Lock()
        self._guard = threading.Lock()
        self._work: dict[int, tuple[CancelToken, threading.Thread]] = {}
        self._in_order: threading.Thread | None = None

    def run(self) -> None:
        """Serve until the face hangs up, or says what cannot be understood."""
        try:
            self._peer.settimeout(self._hello_seconds)
            with contextlib.closing(channel.lines(self._peer, channel.REQUEST_BYTES)) as lines:
                if self._greeted(lines):
                    for line in lines:
                        self._take(line)
        except LensError as error:
            self._say(0, wire.as_failed(error))
        except (channel.PeerGone, TimeoutError):
            pass
        except Exception:
            LOG.exception("a connection failed")
        finally:
            self.cancel_all()
            self.hang_up()
            self._host.gone(self)
            for _, thread in self._working():
                thread.join()
            self._peer.close()

    def cancel_all(self) -> None:
        """Stop everything that this face asked for."""
        for token, _ in self._working():
            token.cancel()

    def finish(self, seconds: float, reason: str) -> None:
        """Stop what is under way, give it ``seconds`` to say so, take leave with ``reason`` and hang up."""
        self.cancel_all()
        end = time.monotonic() + seconds
        for _, thread in self._working():
            thread.join(max(0.0, end - time.monotonic()))
        self._say(0, wire.Bye(reason))
        self.hang_up()

    def hang_up(self) -> None:
        """End both directions; ``run`` then ends by itself."""
        channel.shut(self._peer)

    def _greeted(self, lines: Iterator[bytes]) -> bool:
        line = next(lines, None)
        if line is None:
            return False
        welcome = self._host.greet(self, wire.read(line, wire.Hello))
        self._send(0, welcome)
        if welcome.leaving:
            return False
        failed = self._host.opened()
        self._send(0, wire.Ready() if failed is None else failed)
        self._peer.settimeout(None)
        return failed is None

    def _take(self, line: bytes) -> None:
        id_, fields = wire.unpack(line)
        if fields.get("request") == "cancel":
            with self._guard:
                work = self._work.get(id_)
            if work is not None:
                work[0].cancel()
            return
        request = wire.request_from(fields)
        if isinstance(request, Leave):
            self._send(id_, wire.End())
            self._host.leave("The engine was asked to leave.")
            return
        token = CancelToken()
        before = self._in_order if isinstance(request, IN_ORDER) else None
        thread = threading.Thread(target=self._answer, args=(id_, request, token, before), daemon=True)
        with self._guard:
            if id_ in self._work or id_ < 1:
                raise EngineError(f"A request cannot have the number {id_}.", hint="Close every lens-tui and retry.")
            crowded = len(self._work) >= REQUESTS_AT_ONCE
            if not crowded:
                self._work[id_] = (token, thread)
                # Inside the guard: whoever finds it in the table may join it.
                thread.start()
        if crowded:
            message = f"More than {REQUESTS_AT_ONCE} requests of one program are under way."
            self._send(id_, Failed(message=message, hint="Wait for one to end.", kind="EngineError"))
            self._send(id_, wire.End())
            return
        if isinstance(request, IN_ORDER):
            self._in_order = thread

    def _answer(self, id_: int, request: Request, token: CancelToken, before: threading.Thread | None) -> None:
        if before is not None:
            before.join()
        try:
            # Closing runs in this thread, whatever happened: a generator cannot be closed from another one.
            with contextlib.closing(_generator(self._host.handle(request, token))) as events:
                for event in events:
                    self._send(id_, event)
        except channel.PeerGone:
            token.cancel()
        except LensError as error:
            self._say(id_, wire.as_failed(error))
        except Exception as error:
            LOG.exception("%s failed", request.request)
            what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
            message = f"The engine failed at this ({what[:200]}); {self._log} has the details."
            self._say(
                id_, Failed(message=message, hint="Try again; if it happens again, report it.", kind="EngineError")
            )
        finally:
            with self._guard:
                del self._work[id_]
            self._say(id_, wire.End())

    def _working(self) -> list[tuple[CancelToken, threading.Thread]]:
        with self._guard:
            return list(self._work.values())

    def _send(self, id_: int, value: object) -> None:
        """Send one line, waiting for the face to take it: so nothing piles up here. Raises PeerGone."""
        data = wire.pack(id_, value)
        with self._sending:
            try:
                channel.send(self._peer, data, self._stall_seconds)
            except channel.PeerGone:
                # Before anyone else may send: half a line may be under way, and nothing can follow it.
                self.hang_up()
                raise

    def _say(self, id_: int, value: object) -> None:
        with contextlib.suppress(channel.PeerGone):
            self._send(id_, value)


def _generator(events: Iterator[Event]) -> Generator[Event, None, None]:
    yield from events
