"""A folder's engine as a face holds it: found or started, noticed when it dies, started again within reason.

Imports sockets and types only: the screen loads this before its first paint.
"""

import contextlib
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence

from lens_tui import __version__, wire
from lens_tui.engine import channel, lifecycle
from lens_tui.engine.link import EngineCall, GoneEarly, Link, greet, order_of, wait_open
from lens_tui.engine.lock import holder_of
from lens_tui.errors import EngineError, LensError
from lens_tui.places import Places, prepare
from lens_tui.requests import Request
from lens_tui.settings import Settings

START_SECONDS = 20.0
"""Longest wait for an engine that answers: one that leaves may have a batch of vectors in hand."""

OPEN_SECONDS = 180.0
"""Longest wait for a greeted engine to open its index: one of an older schema is rebuilt first."""

RESTARTS = 3
"""Restarts allowed to one face within RESTART_SECONDS: an engine that dies at once must not spin."""

RESTART_SECONDS = 60.0


class EngineClient:
    """Implements ``protocols.Engine``. Nothing happens before the first request, or ``connect``."""

    def __init__(
        self,
        places: Places,
        settings: Settings,
        *,
        flags: Mapping[str, object] | None = None,
        on_engine: Callable[[str], None] | None = None,
        command: Sequence[str] = lifecycle.COMMAND,
        environment: Mapping[str, str] = os.environ,
        clock: Callable[[], float] = time.monotonic,
        start_seconds: float = START_SECONDS,
        program: str = __version__,
    ) -> None:
        """Take what is needed to find or start the engine.

        Args:
            places: The folder's.
            settings: The face's; the engine reads its own, with ``flags`` above them.
            flags: Keys and values of the face's command line that the index depends on.
            on_engine: Told ``up``, ``gone`` or ``restarting``, from whichever thread notices; must not block.
            command: The engine's program and first arguments.
            environment: What a started engine inherits.
            clock: Seconds, for the count of restarts.
            start_seconds: Longest wait for an engine that answers.
            program: This program's version.
        """
        self.places = places
        self.settings = settings
        self._flags = dict(flags or {})
        self._on_engine = on_engine or (lambda _: None)
        self._command = tuple(command)
        self._environment = environment
        self._clock = clock
        self._start_seconds = start_seconds
        self._program = program
        self._attaching = threading.Lock()
        self._link: Link | None = None
        self._was_up = False
        self._closed = False
        self._restarts: deque[float] = deque()

    def connect(self) -> None:
        """Attach to the engine, or start it, and wait until its index is open.

        Raises:
            EngineError: None can be started or reached, or a newer program's runs.
            LensError: What kept the engine from opening the index, in its own class.
        """
        self._attached()

    def start(self, request: Request) -> EngineCall:
        """Send a request; attaches first where that was not done. Raises what ``connect`` raises."""
        for _ in range(2):
            if (call := self._attached().open(request)) is not None:
                return call
        raise EngineError("The engine ended as it was asked.", hint=f"Its log: {lifecycle.log_of(self.places)}")

    def close(self) -> None:
        """Let go of the connection; the engine stays for other faces. Calls under way end."""
        self._closed = True
        link = self._link
        if link is not None:
            link.close()

    def _attached(self) -> Link:
        link = self._link
        if link is not None and link.alive:
            return link
        with self._attaching:
            if self._closed:
                raise EngineError("The connection to the engine was closed.", hint="Start lens-tui again.")
            if self._link is None or not self._link.alive:
                self._link = self._attach()
                if self._closed:
                    self._link.close()
            return self._link

    def _attach(self) -> Link:
        prepare(self.places)
        end = time.monotonic() + self._start_seconds
        child: lifecycle.Child | None = None
        while True:
            link = self._try()
            if link is not None:
                self._was_up = True
                self._on_engine("up")
                return link
            if child is not None and child.exit_code:
                raise self._died(child)
            if time.monotonic() > end:
                raise self._unanswered()
            if child is None or child.exit_code is not None:
                self._count_restart(again=child is not None)
                prepare(self.places)
                child = lifecycle.spawn(
                    self.places, flags=self._flags, command=self._command, environment=self._environment
                )
            time.sleep(lifecycle.NAP_SECONDS)

    def _try(self) -> Link | None:
        """Greet whoever listens. None: nobody does, or it is on its way out, and another try is worth it."""
        peer = lifecycle.knock(self.places, self._start_seconds)
        if peer is None:
            return None
        hello = wire.Hello(self._program, wire.WIRE_VERSION, str(self.places.folder), str(self.places.data))
        with contextlib.ExitStack() as held:
            held.callback(peer.close)
            replies = held.enter_context(contextlib.closing(channel.lines(peer, channel.REPLY_BYTES)))
            try:
                welcome = greet(peer, replies, hello)
                self._check(welcome)
                if welcome.leaving:
                    return None
                peer.settimeout(OPEN_SECONDS)
                wait_open(peer, replies)
            except GoneEarly:
                return None
            except TimeoutError as error:
                raise self._unanswered() from error
            held.pop_all()
            return Link(peer, replies, on_gone=self._gone, log=str(lifecycle.log_of(self.places)))

    def _check(self, welcome: wire.Welcome) -> None:
        if order_of(welcome.program, welcome.wire) > order_of(self._program, wire.WIRE_VERSION):
            raise EngineError(
                f"A newer lens-tui ({welcome.program}) is at work on this folder; this one is {self._program}.",
                hint="Close the other one, or use the newer program here too.",
            )

    def _count_restart(self, *, again: bool) -> None:
        """Allow one more start. The very first is free; raises EngineError where there were too many of late."""
        if not self._was_up and not again and not self._restarts:
            self._restarts.append(float("-inf"))
            return
        now = self._clock()
        while self._restarts and self._restarts[0] <= now - RESTART_SECONDS:
            self._restarts.popleft()
        if len(self._restarts) >= RESTARTS:
            raise EngineError(
                f"The engine ended {RESTARTS + 1} times within a minute.",
                hint=f"Its log says why: {lifecycle.log_of(self.places)}",
            )
        self._restarts.append(now)
        self._on_engine("restarting")

    def _gone(self, link: Link, reason: str) -> None:
        del link, reason
        self._on_engine("gone")

    def _died(self, child: lifecycle.Child) -> LensError:
        code = child.exit_code or 0
        how = f"was ended by signal {-code}" if code < 0 else "ended at once"
        words = child.last_words()
        return EngineError(f"The engine {how}" + (f": {words}" if words else "."), hint=f"Its log: {child.log}")

    def _unanswered(self) -> LensError:
        holder = holder_of(self.places.data)
        who = f" (process {holder.pid})" if holder else ""
        return EngineError(
            f"The engine of this folder{who} does not answer.",
            hint=f"Its log: {lifecycle.log_of(self.places)}" + (f"; end it with: kill {holder.pid}" if holder else ""),
        )
