"""Hints that something in the folder may have changed: from the system's events where it has them, else by polling.

Events are hints and no more: they get lost, come twice, and name a folder where files in it appeared. Whoever is told
looks for itself, and scans everything now and then.
"""

import os
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Literal

STEP_MS = 10
DEBOUNCE_MS = 50
"""18 ms to the event with these two; the library's own 50 and 1,600 are made for restarting servers."""

START_SECONDS = 2.0
"""Longest wait for the system to watch: a folder of 50,000 files takes half a second."""

ALIVE_SECONDS = 0.5
"""How often the folder itself is looked after: its removal and its return come with no event at all."""

IGNORED = frozenset({".git", ".hg", ".svn"})
"""Folders whose changes come by the hundred and concern nobody."""

SLOWEST_POLL = 60.0
"""Seconds between polls at most, where each takes long."""

POLL_SHARE = 20
"""A poll may take one part in this many of the time."""

Mode = Literal["events", "polling"]


class Watcher:
    """Watches one folder in a thread of its own, from ``start`` to ``stop``."""

    def __init__(
        self,
        folder: Path,
        on_hint: Callable[[frozenset[str]], None],
        *,
        poll_seconds: float = 1.0,
        skip: Sequence[Path] = (),
        alive_seconds: float = ALIVE_SECONDS,
        events: bool = True,
    ) -> None:
        """Take the folder and whom to tell.

        Args:
            folder: The real path of the folder.
            on_hint: Called in the watcher's thread with relative paths, with ``/``, of files or folders that may have
                changed; ``""`` means everything. It must not raise.
            poll_seconds: Time between two hints of ``""`` while polling.
            skip: Paths of lens-tui's own data, whose changes are no news.
            alive_seconds: Time between two looks at whether the folder is still the one that is watched.
            events: Whether the system's events are asked for at all.
        """
        self._folder = folder
        self._on_hint = on_hint
        self._poll_seconds = poll_seconds
        self._skip = tuple(os.path.realpath(path) for path in skip)
        self._alive_seconds = alive_seconds
        self._events = events
        self._stop = threading.Event()
        self._ready = threading.Event()
        self._begun = 0.0
        self._returned = False
        """Whether the folder was watched before: then something may have changed in between."""
        self._thread: threading.Thread | None = None
        self._mode: Mode = "events" if events else "polling"
        self.reason = ""
        """Why it polls, in the system's words; empty while events come."""

    @property
    def mode(self) -> Mode:
        """How changes are noticed now."""
        return self._mode

    def start(self) -> None:
        """Begin, and wait up to ``START_SECONDS`` for the system to watch; a second call does nothing.

        What changes after this returns is told: where watching takes longer to set up, ``""`` is hinted then.
        """
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="lens-watch", daemon=True)
            self._begun = time.monotonic()
            self._thread.start()
            self._ready.wait(START_SECONDS)

    def stop(self) -> None:
        """End, and wait for the thread: no hint comes after. May be called from a hint, and then does not wait."""
        self._stop.set()
        thread, self._thread = self._thread, None
        if thread is not None and thread is not threading.current_thread():
            thread.join(timeout=10)

    def _run(self) -> None:
        while not self._stop.is_set():
            identity = self._identity()
            if identity is None:
                self._ready.set()
                self._await_return()
            elif self._events:
                try:
                    self._follow(identity)
                except (OSError, RuntimeError) as error:
                    # Too many folders for the system's limit, most often; RuntimeError is the library's own.
                    if self._identity() is None:
                        continue
                    self._mode, self._events = "polling", False
                    self.reason = getattr(error, "strerror", None) or str(error)
                    self._hint({""})
            else:
                self._ready.set()
                self._poll(identity)

    def _identity(self) -> tuple[int, int] | None:
        """Device and inode of the folder; None while there is none."""
        try:
            seen = self._folder.stat()
        except OSError:
            return None
        return seen.st_dev, seen.st_ino

    def _await_return(self) -> None:
        while not self._stop.wait(self._alive_seconds):
            if self._identity() is not None:
                self._hint({""})
                return

    def _follow(self, identity: tuple[int, int]) -> None:
        """Pass on events until the folder is another one or gone. Raises OSError where events cannot be had."""
        from watchfiles._rust_notify import RustNotify

        timeout = max(1, round(self._alive_seconds * 1000))
        with RustNotify([os.fspath(self._folder)], False, False, 0, True, True) as watcher:
            self._mode = "events"
            self._ready.set()
            if self._returned or time.monotonic() - self._begun >= START_SECONDS:
                self._hint({""})
            self._returned = True
            while True:
                news = watcher.watch(DEBOUNCE_MS, STEP_MS, timeout, self._stop)
                if self._stop.is_set() or news in ("stop", "signal"):
                    return
                if isinstance(news, set):
                    self._hint(self._relative(path for _, path in news))
                if self._identity() != identity:
                    self._hint({""})
                    return

    def _poll(self, identity: tuple[int, int]) -> None:
        """Hint at everything at intervals that leave the machine its time."""
        pause = self._poll_seconds
        while not self._stop.wait(pause):
            begun = time.monotonic()
            self._hint({""})
            pause = min(SLOWEST_POLL, max(self._poll_seconds, POLL_SHARE * (time.monotonic() - begun)))
            if self._identity() != identity:
                return

    def _relative(self, places: Iterable[str]) -> set[str]:
        """Paths as the folder's own; without what nobody needs to know."""
        root = os.fspath(self._folder)
        hints: set[str] = set()
        for place in places:
            if place == root:
                hints.add("")
                continue
            if any(place == skipped or place.startswith(skipped + os.sep) for skipped in self._skip):
                continue
            path = os.path.relpath(place, root).replace(os.sep, "/")
            if IGNORED.isdisjoint(path.split("/")):
                hints.add(path)
        return hints

    def _hint(self, hints: Iterable[str]) -> None:
        told = frozenset(hints)
        if told and not self._stop.is_set():
            self._on_hint(told)
