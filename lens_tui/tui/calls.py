"""Threads that carry requests to the engine and its events back; the app owns them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from lens_tui.errors import LensError

if TYPE_CHECKING:
    from lens_tui.protocols import Call, Engine
    from lens_tui.requests import Event, Request


class Errand:
    """One request under way. ``cancel`` may be called from any thread, at any time, more than once."""

    def __init__(self) -> None:
        """Nothing is under way yet."""
        self._lock = threading.Lock()
        self._call: Call | None = None
        self._done = threading.Event()
        self.cancelled = False

    def cancel(self) -> None:
        """Ask the engine to stop; its stream then ends by itself."""
        with self._lock:
            self.cancelled = True
            call = self._call
        if call is not None:
            call.cancel()

    def wait(self, seconds: float) -> bool:
        """Wait until it is over, at most so long. Returns whether it is."""
        return self._done.wait(seconds)

    def finish(self) -> None:
        """It is over."""
        self._done.set()

    def carry(self, call: Call) -> bool:
        """Take the call that was started. Returns False where it is not wanted any more."""
        with self._lock:
            self._call = call
            wanted = not self.cancelled
        if not wanted:
            call.cancel()
        return wanted


class Calls:
    """Starts a thread for each request. Threads are daemons: quitting waits for none of them."""

    def __init__(self, engine: Engine) -> None:
        """Speak to ``engine``."""
        self._engine = engine
        self._open: set[Errand] = set()
        self._lock = threading.Lock()

    def begin(
        self, request: Request, deliver: Callable[[Event], None], over: Callable[[], None] = lambda: None
    ) -> Errand:
        """Send a request from a thread of its own.

        Args:
            request: What is asked.
            deliver: Called in that thread with every event; a Failed is the last.
            over: Called in that thread after the last event.
        """
        errand = Errand()
        with self._lock:
            self._open.add(errand)
        name = f"lens {request.request}"
        threading.Thread(target=self._run, args=(errand, request, deliver, over), name=name, daemon=True).start()
        return errand

    def close(self) -> None:
        """Cancel everything that is under way."""
        with self._lock:
            errands = list(self._open)
        for errand in errands:
            errand.cancel()

    def _run(
        self, errand: Errand, request: Request, deliver: Callable[[Event], None], over: Callable[[], None]
    ) -> None:
        try:
            call = self._engine.start(request)
            errand.carry(call)
            for event in call:
                deliver(event)
        except LensError as error:
            from lens_tui.types import Failed

            deliver(Failed(message=error.message, hint=error.hint, kind=type(error).__name__))
        finally:
            with self._lock:
                self._open.discard(errand)
            errand.finish()
            over()
