"""The local channel between faces and engine: listen, connect, who is there, lines in, bytes out.

Everything that knows Unix sockets is here; a system without them needs another file like this one and nothing else.
"""

import errno
import os
import select
import socket
import struct
import sys
import time
from collections.abc import Generator
from pathlib import Path

from lens_tui.errors import EngineError

READ_BYTES = 1 << 18
"""Read at once from the socket: large messages arrive in few system calls."""

REQUEST_BYTES = 16_000_000
"""Longest line from a face: a question of 100,000 characters and a face's remembered state stay far below."""

REPLY_BYTES = 1 << 30
"""Longest line from the engine: a file of 20 MB as text, escaped and with its spans, stays far below."""

BACKLOG = 64
"""Faces that may wait to be accepted."""


class PeerGone(Exception):
    """The other end closed, or took nothing for longer than allowed."""


def listen(path: Path) -> socket.socket:
    """Listen at ``path``, readable by this user alone, in the place of whatever socket file is there.

    Only the holder of the engine's lock may call it: the file that it removes is then a dead engine's.

    Raises:
        EngineError: The path cannot be a socket.
    """
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        path.unlink(missing_ok=True)
        listener.bind(str(path))
        path.chmod(0o600)
        listener.listen(BACKLOG)
        listener.setblocking(False)
    except OSError as error:
        listener.close()
        raise EngineError(
            f"The engine cannot listen at {path}: {error.strerror or error}.",
            hint="Set XDG_RUNTIME_DIR to a directory of your own on a local disk.",
        ) from error
    return listener


def accept(listener: socket.socket) -> socket.socket | None:
    """The next connection, blocking; None where it is gone again or belongs to another user."""
    try:
        peer, _ = listener.accept()
    except OSError as error:
        if error.errno in (errno.EMFILE, errno.ENFILE):
            # The face still waits in the queue: without a pause, asking again would take a whole core.
            time.sleep(0.1)
        return None
    peer.setblocking(True)
    if _is_mine(peer):
        return peer
    peer.close()
    return None


def connect(path: Path, seconds: float) -> socket.socket | None:
    """Connect to the engine that listens at ``path``, with ``seconds`` as the limit of each further read.

    Returns None where none listens there, or too many wait already.

    Raises:
        EngineError: Another user's process listens there.
    """
    peer = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    peer.settimeout(seconds)
    try:
        peer.connect(str(path))
        mine = _is_mine(peer)
    except OSError as error:
        peer.close()
        if error.errno in (errno.EACCES, errno.EPERM):
            raise _not_mine(path) from error
        return None
    if mine:
        return peer
    peer.close()
    raise _not_mine(path)


def lines(peer: socket.socket, limit: int) -> Generator[bytes, None, None]:
    """Yield whole lines until the other end closes; a rest without a line end is a message cut short, and dropped.

    Not read to its end, it has to be closed, as the socket's descriptor stays open as long as it is.

    Raises:
        EngineError: A line is longer than ``limit`` bytes.
        TimeoutError: The socket's limit passed without a byte.
    """
    with peer.makefile("rb", buffering=READ_BYTES) as stream:
        while True:
            try:
                line = stream.readline(limit + 1)
            except TimeoutError:
                raise
            except (OSError, ValueError):
                # Shut down from another thread, or the peer was killed with bytes under way: an end like any other.
                return
            if len(line) > limit:
                raise EngineError(f"A message on the engine's socket is longer than {limit:,} bytes.")
            if not line.endswith(b"\n"):
                return
            yield line


def send(peer: socket.socket, data: bytes, stall_seconds: float) -> None:
    """Send everything. A slow reader is waited for as long as it takes something within ``stall_seconds``.

    Raises:
        PeerGone: It closed, or took nothing for that long.
    """
    rest = memoryview(data)
    try:
        waiting = select.poll()
        waiting.register(peer, select.POLLOUT)
        while rest:
            if not waiting.poll(stall_seconds * 1000):
                raise PeerGone(f"took nothing for {stall_seconds:g} s")
            try:
                rest = rest[peer.send(rest[: 1 << 20], socket.MSG_DONTWAIT) :]
            except BlockingIOError:
                continue
    except (OSError, ValueError) as error:
        raise PeerGone(str(error)) from error


def shut(peer: socket.socket) -> None:
    """End both directions: a read that another thread is inside returns. The descriptor stays until ``close``."""
    try:
        peer.shutdown(socket.SHUT_RDWR)
    except OSError:
        return


def _is_mine(peer: socket.socket) -> bool:
    """Whether the process at the other end is this user's (or root's, who can read everything anyway)."""
    return _user_of(peer) in (os.geteuid(), 0)


def _user_of(peer: socket.socket) -> int:
    if sys.platform == "linux":
        # struct ucred of unix(7): process, user, group.
        size = struct.calcsize("iII")
        return int(struct.unpack("iII", peer.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size))[1])
    # struct xucred of macOS's and BSD's sys/ucred.h, option LOCAL_PEERCRED of SOL_LOCAL: version, user, groups.
    raw = peer.getsockopt(0, 1, 128)
    return int(struct.unpack_from("II", raw)[1])


def _not_mine(path: Path) -> EngineError:
    return EngineError(
        f"The engine's socket {path} belongs to another user.",
        hint="Remove it, or set XDG_RUNTIME_DIR to a directory of your own (mode 0700).",
    )
