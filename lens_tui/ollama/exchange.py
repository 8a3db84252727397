"""One request whose answer is read by a thread of its own, so that waiting for it can be broken off at any moment.

A socket that another thread waits on cannot be closed, only shut down, and a host name that is being looked up or a
connection that is being made cannot be broken at all. So the caller waits on a queue: it is free at once, and the
thread shuts the socket down as soon as there is one, which makes Ollama stop generating.
"""

import contextlib
import queue
import socket
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import httpx

MOST_OF_AN_ERROR = 65_536
"""Bytes of an error's body that are read: Ollama's own are a sentence."""


@dataclass(frozen=True, slots=True)
class Head:
    """The beginning of an answer."""

    status: int
    location: str
    """Where a redirect leads; it is never followed."""


@dataclass(frozen=True, slots=True)
class Broken:
    """What httpx raised instead of the next piece."""

    error: Exception


class HungUp(Exception):
    """The caller itself broke the request off."""


class Exchange:
    """A POST under way. ``next`` gives its head, then the bytes of its body, then None."""

    def __init__(self, client: "httpx.Client", path: str, body: bytes, timeout: "httpx.Timeout") -> None:
        """Send ``body`` (JSON) to ``path``, on a connection that nothing else uses."""
        self._news: queue.SimpleQueue[Head | bytes | Broken | HungUp | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self._over = False
        arguments = (client, path, body, timeout)
        threading.Thread(target=self._read, args=arguments, name="ollama", daemon=True).start()

    def next(self, seconds: float) -> Head | bytes | None:
        """Wait for what comes next; None is the end of the body.

        Raises:
            TimeoutError: Nothing came within ``seconds``; ask again to go on waiting.
            HungUp: ``hang_up`` was called.
            httpx.HTTPError: What the connection did.
        """
        try:
            news = self._news.get(timeout=seconds)
        except queue.Empty:
            raise TimeoutError from None
        if isinstance(news, HungUp) or self._over:
            raise HungUp
        if isinstance(news, Broken):
            raise news.error
        return news

    def hang_up(self) -> None:
        """Break the connection off, from any thread. The server sees it closed. A second call does nothing."""
        with self._lock:
            self._over = True
            held, self._socket = self._socket, None
        _shut(held)
        self._news.put(HungUp())

    def _read(self, client: "httpx.Client", path: str, body: bytes, timeout: "httpx.Timeout") -> None:
        try:
            with client.stream(
                "POST", path, content=body, timeout=timeout, extensions={"trace": self._trace}
            ) as answer:
                self._news.put(Head(answer.status_code, answer.headers.get("location", "")))
                left = MOST_OF_AN_ERROR if answer.status_code != 200 else None
                for piece in answer.iter_bytes():
                    self._news.put(piece)
                    if left is not None and (left := left - len(piece)) <= 0:
                        break
            self._news.put(None)
        except Exception as error:  # noqa: BLE001  (whatever it is, the caller raises it, where it can be told)
            self._news.put(Broken(error))
        finally:
            with self._lock:
                self._socket = None

    def _trace(self, name: str, info: Mapping[str, Any]) -> None:
        """Learn the socket from httpx's trace extension; the later one, with TLS, replaces the bare one."""
        if not name.endswith(("connect_tcp.complete", "start_tls.complete")):
            return
        made = info["return_value"].get_extra_info("socket")
        with self._lock:
            over = self._over
            if not over:
                self._socket = made
        if over:
            _shut(made)


def _shut(held: socket.socket | None) -> None:
    if held is not None:
        with contextlib.suppress(OSError):
            held.shutdown(socket.SHUT_RDWR)
