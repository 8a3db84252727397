"""One person's wish to stop, handed to everything that works for them."""

import threading
from collections.abc import Callable


class CancelToken:
    """Set once, from any thread; whoever waits on something that blocks registers how to break it."""

    def __init__(self) -> None:
        """Make a token that is not cancelled."""
        self._set = threading.Event()
        self._lock = threading.Lock()
        self._acts: list[Callable[[], None]] = []

    @property
    def cancelled(self) -> bool:
        """Whether it was stopped."""
        return self._set.is_set()

    def cancel(self) -> None:
        """Stop. Calls every registered act once; a second call does nothing."""
        with self._lock:
            if self._set.is_set():
                return
            self._set.set()
            acts, self._acts = self._acts, []
        for act in acts:
            act()

    def wait(self, seconds: float) -> bool:
        """Sleep until cancelled, at most ``seconds``. Returns whether it was cancelled."""
        return self._set.wait(seconds)

    def on_cancel(self, act: Callable[[], None]) -> Callable[[], None]:
        """Call ``act`` once when it is stopped (at once if it was). Returns a function that withdraws it."""
        with self._lock:
            if not self._set.is_set():
                self._acts.append(act)

                def withdraw() -> None:
                    with self._lock:
                        if act in self._acts:
                            self._acts.remove(act)

                return withdraw
        act()
        return lambda: None
