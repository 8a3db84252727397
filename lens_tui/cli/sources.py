"""What a command reads that takes one file, or standard input in its place."""

import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from lens_tui.cli import output
from lens_tui.errors import FileUnreadable, UsageError

PIECE = 1_048_576
"""Bytes of standard input that are taken at a time."""


@contextmanager
def opened(file: str, limit: int, *, instead_of_a_folder: str) -> Iterator[tuple[BinaryIO, bool]]:
    """A file, or standard input for ``-``, as a stream that can be read from its start more than once.

    Args:
        file: As it was named.
        limit: Bytes above which it is told to be large; standard input above it is kept on the disk meanwhile.
        instead_of_a_folder: The hint for who names a folder, with ``{}`` for it.

    Yields:
        The stream, and whether it is above the limit.

    Raises:
        UsageError: There is no such file, or it is a folder.
        FileUnreadable: It cannot be read.
    """
    if file == "-":
        with _kept(output.stdin_stream("text"), limit) as kept:
            yield kept
        return
    path = Path(file)
    if path.is_dir():
        raise UsageError(f"{path} is a folder, not a file.", hint=instead_of_a_folder.format(path))
    try:
        stream = path.open("rb")
    except (FileNotFoundError, NotADirectoryError) as error:
        raise UsageError(f"There is no file {path}.", hint="Check the name; - reads standard input.") from error
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from error
    try:
        with stream:
            seen = os.fstat(stream.fileno())
            if stat.S_ISREG(seen.st_mode):
                yield stream, seen.st_size > limit
            elif stat.S_ISFIFO(seen.st_mode) or stat.S_ISSOCK(seen.st_mode):
                with _kept(stream, limit) as kept:
                    yield kept
            else:
                raise UsageError(f"{path} is a device, not a file.", hint="Name a file; - reads standard input.")
    except OSError as error:
        raise _unreadable(path, error) from error


@contextmanager
def _kept(source: BinaryIO, limit: int) -> Iterator[tuple[BinaryIO, bool]]:
    """A pipe as a stream that can be read again, and whether it is above the limit; then it lies on the disk."""
    with tempfile.SpooledTemporaryFile(max_size=limit) as kept:
        while data := source.read(PIECE):
            kept.write(data)
        large = kept.tell() > limit
        kept.seek(0)
        yield cast(BinaryIO, kept), large


def _unreadable(path: Path, error: Exception) -> FileUnreadable:
    reason = getattr(error, "strerror", None) or str(error)
    return FileUnreadable(f"{path} cannot be read: {reason}.", hint="Mend its permissions, or name another.")
