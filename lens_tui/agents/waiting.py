"""Waiting for the engine and for stdin in daemon threads, which can never keep a process from leaving."""

import asyncio
import os
import threading
from collections.abc import AsyncGenerator, Callable
from contextlib import suppress
from typing import Any

from lens_tui.protocols import Call
from lens_tui.requests import Event

READ_BYTES = 1 << 16


async def events_of(start: Callable[[], Call]) -> AsyncGenerator[Event, None]:
    """Events of one call, waited for in a thread; let go of early, it is cancelled. Raises what ``start`` raises."""
    arrived: asyncio.Queue[Event | Exception | None] = asyncio.Queue()
    hand = _hander(arrived)
    left = threading.Event()
    calls: list[Call] = []

    def wait() -> None:
        try:
            calls.append(start())
            if left.is_set():
                calls[0].cancel()
            for event in calls[0]:
                hand(event)
            hand(None)
        except Exception as error:  # noqa: BLE001 (it is raised where it is waited for)
            hand(error)

    threading.Thread(target=wait, name="mcp-call", daemon=True).start()
    try:
        while (item := await arrived.get()) is not None:
            if isinstance(item, Exception):
                raise item
            yield item
    finally:
        left.set()
        for call in calls:
            call.cancel()


class Lines:
    """Lines of a descriptor, read in a thread that nobody waits for: a blocked read would outlast Ctrl+C."""

    def __init__(self, descriptor: int) -> None:
        """Take what is read when the lines are asked for."""
        self._descriptor = descriptor

    async def __aiter__(self) -> AsyncGenerator[str, None]:
        """Each line as text, without its end; over where nothing more can be read."""
        arrived: asyncio.Queue[bytes | None] = asyncio.Queue()
        threading.Thread(target=self._read, args=(_hander(arrived),), name="mcp-stdin", daemon=True).start()
        while (line := await arrived.get()) is not None:
            yield line.decode("utf-8", "replace")

    def _read(self, hand: Callable[[bytes | None], None]) -> None:
        parts: list[bytes] = []
        # Not through sys.stdin, whose lock a blocked thread would hold when the interpreter ends.
        with suppress(OSError):
            while data := os.read(self._descriptor, READ_BYTES):
                *ended, rest = data.split(b"\n")
                for piece in ended:
                    hand(b"".join([*parts, piece]))
                    parts.clear()
                parts.append(rest)
        if any(parts):
            hand(b"".join(parts))
        hand(None)


def _hander(arrived: "asyncio.Queue[Any]") -> Callable[[Any], None]:
    """A function that puts things into this loop's queue from another thread."""
    loop = asyncio.get_running_loop()

    def hand(item: Any) -> None:
        # A loop that is closed has nobody left who waits.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(arrived.put_nowait, item)

    return hand
