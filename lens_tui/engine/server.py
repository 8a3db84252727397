"""The engine's life: it listens, opens its index, counts faces in and out, and knows when to leave."""

import logging
import os
import select
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Protocol

from lens_tui import __version__, wire
from lens_tui.cancel import CancelToken
from lens_tui.engine import channel, lifecycle
from lens_tui.engine.connection import HELLO_SECONDS, STALL_SECONDS, Connection
from lens_tui.engine.link import order_of
from lens_tui.engine.lock import EngineLock
from lens_tui.errors import EngineError, LensError
from lens_tui.places import Places, prepare
from lens_tui.requests import Event, Request
from lens_tui.types import Failed

LOG = logging.getLogger(__name__)

IDLE_SECONDS = 10.0
"""The engine leaves this long after the last face has gone."""

BATCH_SECONDS = 5.0
"""How much longer it stays for work in hand, should a face come back; ``Serving.close`` finishes the batch anyway."""

LOOK_SECONDS = 1.0
"""How often it looks whether its data directory and its socket are still there."""

FAREWELL_SECONDS = 2.0
"""What requests under way get to say how far they came."""

CLOSE_SECONDS = 60.0
"""Longest wait for the service to close. The store survives worse than an end without it."""

FAILED_SECONDS = 5.0
"""How long an engine that could not open its index waits for the face that started it."""


class Serving(Protocol):
    """What the engine serves: requests in, events out, from any number of threads."""

    @property
    def busy(self) -> bool:
        """Whether something is in hand that is better finished before leaving."""

    def start(self) -> None:
        """Make ready for requests; called once, before the first. Raises LensError."""

    def handle(self, request: Request, cancel: CancelToken) -> Iterator[Event]:
        """Yield the replies. Raises LensError. Ends soon after ``cancel`` is set."""

    def close(self) -> None:
        """Finish the batch in hand and let go of everything; called on every orderly way out, once."""


class Server:
    """Serves one folder until there is a reason to leave. The engine's lock is held throughout."""

    def __init__(
        self,
        places: Places,
        opening: Callable[[], Serving],
        lock: EngineLock,
        *,
        idle_seconds: float = IDLE_SECONDS,
        look_seconds: float = LOOK_SECONDS,
        hello_seconds: float = HELLO_SECONDS,
        stall_seconds: float = STALL_SECONDS,
        program: str = __version__,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Take what is served; nothing happens before ``run``.

        Args:
            places: The folder's.
            opening: Opens the service; called in a thread of its own while faces can already connect.
            lock: Held.
            idle_seconds: See IDLE_SECONDS.
            look_seconds: See LOOK_SECONDS.
            hello_seconds: What a connection gets to say who it is.
            stall_seconds: What a face gets to take something.
            program: This program's version.
            clock: Seconds, never going back.
        """
        self._places = places
        self._opening = opening
        self._lock = lock
        self._idle_seconds = idle_seconds
        self._look_seconds = look_seconds
        self._hello_seconds = hello_seconds
        self._stall_seconds = stall_seconds
        self._program = program
        self._clock = clock
        self._log = lifecycle.log_of(places)
        self._guard = threading.Lock()
        self._faces: set[Connection] = set()
        self._threads: dict[Connection, threading.Thread] = {}
        self._idle_since = clock()
        self._reason = ""
        self._is_open = threading.Event()
        self._service: Serving | None = None
        self._failure: Failed | None = None
        self._failure_told = False
        self._wake_out, self._wake_in = socket.socketpair()
        self._wake_in.setblocking(False)

    def run(self) -> None:
        """Serve until there is a reason to leave, then close in order. Raises EngineError where it cannot listen."""
        listener = channel.listen(self._places.socket)
        seen = os.stat(self._places.socket)  # noqa: PTH116 - the result is compared by samestat
        opener = threading.Thread(target=self._open, name="opening", daemon=True)
        opener.start()
        looked = self._clock()
        try:
            while not self._decide():
                ready, _, _ = select.select([listener, self._wake_out], [], [], self._pause())
                if self._wake_out in ready:
                    self._wake_out.recv(4096)
                if listener in ready and (peer := channel.accept(listener)) is not None:
                    self._welcome(peer)
                if self._clock() - looked >= self._look_seconds:
                    looked = self._clock()
                    self._look_at_log()
                    if not _is_there(self._places, seen):
                        listener.close()
                        listener, seen = self._listen_again(listener, seen)
        finally:
            listener.close()
            if _is_there(self._places, seen):
                self._places.socket.unlink(missing_ok=True)
            self._depart(opener)

    def take_signals(self) -> None:
        """Leave in order on SIGTERM and SIGINT; for the main thread."""

        def leave(number: int, frame: FrameType | None) -> None:
            del frame
            # Only this: a handler runs between any two instructions, and a lock could be held by its own thread.
            self._reason = self._reason or f"The engine was ended by {signal.Signals(number).name}."

        signal.signal(signal.SIGTERM, leave)
        signal.signal(signal.SIGINT, leave)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        signal.set_wakeup_fd(self._wake_in.fileno(), warn_on_full_buffer=False)

    def leave(self, reason: str) -> None:
        """End soon, with ``reason`` as the sentence that faces are told. From any thread."""
        with self._guard:
            self._reason = self._reason or reason
        self._wake()

    def greet(self, face: Connection, hello: wire.Hello) -> wire.Welcome:
        """Count a face in. A newer one makes this engine leave; an older one is told our version and goes by itself."""
        ours = order_of(self._program, wire.WIRE_VERSION)
        mine = str(self._places.folder), str(self._places.data)
        if (hello.folder, hello.data) != mine:
            raise EngineError(
                f"This engine serves {mine[0]}, not {hello.folder}.", hint="Close every lens-tui and retry."
            )
        if order_of(hello.program, hello.wire) > ours:
            self.leave(f"A newer lens-tui ({hello.program}) takes over this folder.")
        with self._guard:
            # One that failed to open has told whoever was there: the next face starts another, things may have changed.
            leaving = bool(self._reason) or self._failure_told
            if not leaving:
                self._faces.add(face)
        return wire.Welcome(self._program, wire.WIRE_VERSION, os.getpid(), leaving)

    def opened(self) -> Failed | None:
        """Wait until the index is open; what kept it from that, else None."""
        self._is_open.wait()
        with self._guard:
            self._failure_told = self._failure is not None
        return self._failure

    def handle(self, request: Request, cancel: CancelToken) -> Iterator[Event]:
        """Answer one request."""
        if self._service is None:
            raise EngineError("The index is not open.", hint=f"The engine's log says why: {self._log}")
        return self._service.handle(request, cancel)

    def gone(self, face: Connection) -> None:
        """Count a face out; the last one starts the clock."""
        with self._guard:
            self._threads.pop(face, None)
            if face in self._faces:
                self._faces.remove(face)
                self._idle_since = self._clock()
        self._wake()

    def _welcome(self, peer: socket.socket) -> None:
        face = Connection(
            peer, self, str(self._log), hello_seconds=self._hello_seconds, stall_seconds=self._stall_seconds
        )
        thread = threading.Thread(target=face.run, name="face", daemon=True)
        with self._guard:
            self._threads[face] = thread
        thread.start()

    def _open(self) -> None:
        try:
            service = self._opening()
            # Kept before it starts, so that one that fails at that is closed too.
            self._service = service
            service.start()
        except LensError as error:
            LOG.error("the index cannot be opened: %s %s", error.message, error.hint)
            self._failure = wire.as_failed(error)
        except Exception as error:
            LOG.exception("the index cannot be opened")
            message = f"The engine could not open the index ({type(error).__name__}: {str(error)[:200]})."
            self._failure = Failed(message=message, hint=f"Its log has the details: {self._log}", kind="EngineError")
        finally:
            self._idle_since = self._clock()
            self._is_open.set()
            self._wake()

    def _decide(self) -> bool:
        """Whether to leave now. Once it is decided, no face is counted in any more."""
        if not self._lock.held:
            self._reason = self._reason or "The index of this folder was removed."
        with self._guard:
            if not self._reason and not self._faces and self._is_open.is_set():
                idle = self._clock() - self._idle_since
                if self._failure is not None:
                    if self._failure_told or idle >= min(FAILED_SECONDS, self._idle_seconds):
                        self._reason = self._failure.message
                elif idle >= self._idle_seconds + (BATCH_SECONDS if self._busy() else 0.0):
                    self._reason = "Nobody was left."
            return bool(self._reason)

    def _pause(self) -> float:
        """Seconds until something is due that no socket announces."""
        left = self._idle_seconds - (self._clock() - self._idle_since)
        # Above zero, so that waiting for a batch to end is no spinning.
        return min(self._look_seconds, max(left, 0.05)) if not self._faces else self._look_seconds

    def _busy(self) -> bool:
        return self._service is not None and self._service.busy

    def _look_at_log(self) -> None:
        try:
            if lifecycle.rotate(self._log):
                lifecycle.reopen(self._log)
        except OSError as error:
            LOG.warning("the log cannot be rotated: %s", error)

    def _listen_again(self, old: socket.socket, seen: os.stat_result) -> tuple[socket.socket, os.stat_result]:
        """Someone tidied the socket away (a log-out empties XDG_RUNTIME_DIR); where it cannot come back, leave."""
        if not self._lock.held:
            return old, seen
        try:
            prepare(self._places)
            listener = channel.listen(self._places.socket)
            return listener, os.stat(self._places.socket)  # noqa: PTH116 - the result is compared by samestat
        except (LensError, OSError) as error:
            LOG.error("the socket is gone and cannot be made again: %s", error)
            self.leave("The engine's socket was removed.")
            return old, seen

    def _depart(self, opener: threading.Thread) -> None:
        LOG.info("leaving: %s", self._reason)
        with self._guard:
            self._reason = self._reason or "The engine failed; its log has the details."
            faces = list(self._threads.items())
        end = time.monotonic() + FAREWELL_SECONDS
        for face, _ in faces:
            face.cancel_all()
        for face, thread in faces:
            face.finish(max(0.0, end - time.monotonic()), self._reason)
            thread.join(max(0.0, end - time.monotonic()))
        closer = threading.Thread(target=self._close, args=(opener,), name="closing", daemon=True)
        closer.start()
        closer.join(CLOSE_SECONDS)
        if closer.is_alive():
            LOG.error("the index did not close within %g s; left as it is", CLOSE_SECONDS)
        self._wake_in.close()
        self._wake_out.close()

    def _close(self, opener: threading.Thread) -> None:
        opener.join()
        if self._service is None:
            return
        try:
            self._service.close()
        except Exception:
            LOG.exception("the index did not close cleanly")

    def _wake(self) -> None:
        try:
            self._wake_in.send(b"\0")
        except OSError:
            return


def _is_there(places: Places, seen: os.stat_result) -> bool:
    """Whether the socket's path still leads to the socket that was seen."""
    try:
        return os.path.samestat(os.stat(places.socket), seen)  # noqa: PTH116 - the result is compared by samestat
    except OSError:
        return False
