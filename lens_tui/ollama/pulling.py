"""Having a server fetch a model: how far it is, what went wrong, and going on where it was."""

import time
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from lens_tui.errors import ModelError
from lens_tui.ollama import faults
from lens_tui.ollama.server import OllamaServer
from lens_tui.protocols import Cancel
from lens_tui.requests import Pulling

RATE_SECONDS = 5.0
"""The rate is that of the last seconds: downloads come and go in bursts."""


def pull(
    server: OllamaServer, name: str, *, cancel: Cancel, clock: Callable[[], float] = time.monotonic
) -> Iterator[Pulling]:
    """Yield snapshots until the server has the model. Ends quietly when cancelled: the connection is closed then.

    What the server has fetched of a model it keeps, so that the next pull goes on where this one ended.

    Raises:
        ModelMissing: The registry does not have it.
        ModelUnreachable: Nothing answers at the server's address, or the server cannot reach the registry.
        ModelError: Anything else that went wrong.
    """
    progress = _Progress(name, clock)
    lines = server.stream(
        "/api/pull",
        {"model": name, "stream": True},
        cancel=cancel,
        is_last=lambda line: line.get("status") == "success",
        between_seconds=server.patience.pull,
    )
    for line in lines:
        if line is not None:
            yield progress.after(line)


class _Progress:
    """Adds up a pull's layers: each is told apart by its digest and comes with its own size."""

    def __init__(self, name: str, clock: Callable[[], float]) -> None:
        self._name = name
        self._clock = clock
        self._layers: dict[str, tuple[int, int]] = {}
        self._marks: deque[tuple[float, int]] = deque()

    def after(self, line: dict[str, Any]) -> Pulling:
        total, completed = line.get("total"), line.get("completed")
        if isinstance(total, int) and total > 0:
            done = completed if isinstance(completed, int) else 0
            self._layers[str(line.get("digest"))] = (min(done, total), total)
        done = sum(done for done, _ in self._layers.values())
        return Pulling(
            model=self._name,
            step=faults.quoted(str(line.get("status") or "")),
            done=done,
            total=sum(total for _, total in self._layers.values()),
            rate=self._rate(done),
        )

    def _rate(self, done: int) -> float:
        now = self._clock()
        self._marks.append((now, done))
        while len(self._marks) > 2 and now - self._marks[1][0] >= RATE_SECONDS:
            self._marks.popleft()
        then, before = self._marks[0]
        return max(0.0, (done - before) / (now - then)) if now > then else 0.0


def name_of(text: str) -> str:
    """A model's name as a person types it, ``ollama pull`` before it or not.

    Raises:
        ModelError: It cannot be one.
    """
    name = text.strip().removeprefix("ollama ").strip().removeprefix("pull ").strip()
    if not name or any(sign.isspace() or not sign.isprintable() for sign in name):
        raise ModelError(f"{faults.quoted(text) or 'Nothing'} is no model's name.", hint="Type one, such as qwen3:4b.")
    return name
