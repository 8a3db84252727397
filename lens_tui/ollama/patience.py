"""How long a model's server is waited for, and how often it is asked again."""

import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from lens_tui.errors import ModelError
from lens_tui.ollama import faults
from lens_tui.protocols import Cancel


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds of silence allowed."""

    connect: float = 3.0
    """A listening server takes a connection at once, also while it loads a model."""
    reply: float = 10.0
    """For what needs no model: lists and the like."""
    first: float = 120.0
    """Until the first word, or the vectors of a batch: loading a large model from disk can take over a minute."""
    between: float = 120.0
    """Between two words. A machine that swaps can pause for long and go on."""
    pull: float = 900.0
    """Between two lines of a pull: at its end the server reads the whole model again to verify it."""
    reading: float = 10.0
    """Tokens of the prompt a second, at the slowest: time to read it is allowed on top of ``first``."""


def pause(seconds: float, cancel: Cancel | None) -> None:
    """Sleep, but no longer than until ``cancel``."""
    if cancel is None:
        time.sleep(seconds)
        return
    stopped = threading.Event()
    withdraw = cancel.on_cancel(stopped.set)
    stopped.wait(seconds)
    withdraw()


@dataclass(frozen=True, slots=True)
class Tries:
    """How often a request is sent for a fault that can pass, and how long is waited between (product.md, 'Chunks')."""

    count: int = 3
    base: float = 1.0
    """Seconds before the second try; doubled before each later one, times a random half to one and a half."""
    sleep: Callable[[float, Cancel | None], None] = pause
    chance: Callable[[], float] = random.random
    """0 to 1, for the random part."""

    def wait(self, done: int, cancel: Cancel | None) -> None:
        """Sleep before the next try; ``done`` tries failed already, from 1."""
        self.sleep(self.base * 2 ** (done - 1) * (0.5 + self.chance()), cancel)

    def again(self, fault: ModelError, done: int, cancel: Cancel | None) -> bool:
        """Whether to try once more, after the wait that comes before it."""
        if done >= self.count or not faults.passes(fault) or (cancel is not None and cancel.cancelled):
            return False
        self.wait(done, cancel)
        return cancel is None or not cancel.cancelled


PATIENCE = Patience()
TRIES = Tries()
