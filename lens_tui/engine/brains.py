"""The indexed folders of a data directory: which there are, what they take, and how one is removed."""

import contextlib
import json
import os
import shutil
import stat
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from lens_tui import __version__, wire
from lens_tui.engine import channel
from lens_tui.engine.lifecycle import NAP_SECONDS
from lens_tui.engine.link import GoneEarly, greet, order_of
from lens_tui.engine.lock import EngineLock, Holder, holder_of
from lens_tui.errors import EngineError, StoreError, UsageError
from lens_tui.requests import Leave

REMOVED = ".removed-"
"""Before the name of an index while it is deleted; what an interruption left of one is deleted with the next."""

LEAVE_SECONDS = 60.0
"""Longest wait for an engine to leave: the batch in hand is stored first."""


@dataclass(frozen=True, slots=True)
class Brain:
    """One folder's index, in product.md's shape."""

    folder: str | None
    """None where folder.json is missing or broken."""
    data: str
    """Directory of the index."""
    files: int | None
    chunks: int | None
    bytes: int
    """On disk, conversations not among them."""
    last_used: float | None
    """Seconds since the epoch."""


def list_brains(root: Path) -> list[Brain]:
    """Every index under ``root`` (see ``places.data_root``), the last used first. Nothing is written.

    Raises:
        StoreError: The directory is there and cannot be listed.
    """
    try:
        found = [path for path in (root / "brains").iterdir() if path.is_dir() and not path.is_symlink()]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise StoreError(
            f"{root / 'brains'} cannot be listed: {error.strerror}.", hint="Mend its permissions."
        ) from error
    brains = [brain_at(path) for path in found if not path.name.startswith(REMOVED)]
    return sorted(brains, key=lambda brain: (-(brain.last_used or 0.0), brain.data))


def brain_at(data: Path) -> Brain:
    """The index in one directory; what its folder.json does not tell is None."""
    try:
        fields = json.loads((data / "folder.json").read_bytes())
    except (OSError, ValueError):
        fields = None
    if not isinstance(fields, dict):
        fields = {}
    folder, last_used = fields.get("folder"), fields.get("last_used")
    return Brain(
        folder=folder if isinstance(folder, str) else None,
        data=str(data),
        files=_count(fields, "files"),
        chunks=_count(fields, "chunks"),
        bytes=_bytes_of(data),
        last_used=float(last_used) if isinstance(last_used, int | float) else None,
    )


def remove_brain(root: Path, data: Path, *, seconds: float = LEAVE_SECONDS) -> int:
    """Ask the folder's engine to leave, then remove the index. Conversations stay. Returns the bytes it took.

    Raises:
        UsageError: ``data`` is no index of ``root``.
        EngineError: Its engine does not leave within ``seconds``.
        StoreError: Something in it cannot be removed.
    """
    # Parted after ".." is resolved, and before links are: neither may lead the removal out of brains/.
    data = Path(os.path.normpath(data.absolute()))
    home = Path(os.path.normpath((root / "brains").absolute()))
    if data.parent != home or data.is_symlink() or not data.is_dir():
        raise UsageError(f"{data} is no index in {root}.", hint="List them with: lens-tui brains")
    size = _bytes_of(data)
    end = time.monotonic() + seconds
    with EngineLock(data) as lock:
        # Held while it is removed: an engine that a face starts meanwhile waits, and then begins from nothing.
        while not lock.take():
            _ask_to_leave(data, max(0.1, end - time.monotonic()))
            if time.monotonic() > end:
                holder = holder_of(data)
                raise EngineError(
                    f"The engine of this folder does not leave{_process(holder)}.",
                    hint="Close the lens-tui that is open on it, or wait until its batch is stored, then try again.",
                )
            time.sleep(NAP_SECONDS)
        try:
            # Out of the way in one step: whoever wants this index from now on begins a new one.
            shutil.rmtree(data.rename(home / f"{REMOVED}{data.name}-{time.time_ns()}"))
            for rest in home.glob(f"{REMOVED}*"):
                shutil.rmtree(rest, ignore_errors=True)
        except OSError as error:
            raise StoreError(
                f"{error.filename or data} cannot be removed: {error.strerror}.", hint="Mend its permissions."
            ) from error
    return size


def _ask_to_leave(data: Path, seconds: float) -> None:
    """Ask whoever the lock file names; nothing happens where nobody listens there any more.

    Raises:
        EngineError: It is a newer program's, which an older one cannot send away.
    """
    holder = holder_of(data)
    peer = channel.connect(Path(holder.socket), seconds) if holder else None
    if peer is None or holder is None:
        return
    replies = channel.lines(peer, channel.REPLY_BYTES)
    try:
        welcome = greet(peer, replies, wire.Hello(__version__, wire.WIRE_VERSION, holder.folder, str(data)))
        if order_of(welcome.program, welcome.wire) > order_of(__version__, wire.WIRE_VERSION):
            raise EngineError(
                f"A newer lens-tui ({welcome.program}) is at work on {holder.folder}.", hint="Close it, then try again."
            )
        channel.send(peer, wire.pack(1, Leave()), seconds)
        for _ in replies:
            pass
    except (GoneEarly, TimeoutError, channel.PeerGone):
        return
    finally:
        replies.close()
        peer.close()


def _count(fields: Mapping[str, object], key: str) -> int | None:
    value = fields.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _bytes_of(directory: Path) -> int:
    """Sizes of everything in it, links not followed; what vanishes meanwhile counts nothing."""
    total = 0
    waiting = [directory]
    while waiting:
        try:
            entries = list(waiting.pop().iterdir())
        except OSError:
            continue
        for entry in entries:
            with contextlib.suppress(OSError):
                seen = entry.lstat()
                if stat.S_ISDIR(seen.st_mode):
                    waiting.append(entry)
                else:
                    total += seen.st_size
    return total


def _process(holder: Holder | None) -> str:
    return f" (process {holder.pid})" if holder else ""
