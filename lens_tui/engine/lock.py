"""``engine.lock``: the one engine of a data directory holds it for life, and it says where that engine listens.

The system frees the lock however the process ends; what the file says is a hint, never the proof.
"""

import fcntl
import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType

from lens_tui.errors import StoreError

NAME = "engine.lock"


@dataclass(frozen=True, slots=True)
class Holder:
    """The engine that wrote the lock file last; it may be dead."""

    pid: int
    socket: str
    """Where it listens: a face with another XDG_RUNTIME_DIR finds it through this."""
    folder: str


class EngineLock:
    """An exclusive lock on one data directory."""

    def __init__(self, data: Path) -> None:
        """Take the data directory; nothing is opened yet."""
        self._file = data / NAME
        self._fd: int | None = None

    def take(self) -> bool:
        """Try once. Returns whether it is held now.

        Raises:
            StoreError: The lock file cannot be opened, or this disk has no locks.
        """
        try:
            fd = os.open(self._file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        except FileNotFoundError:
            return False
        except OSError as error:
            raise self._unusable(error) from error
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(fd)
            return False
        except OSError as error:
            os.close(fd)
            raise self._unusable(error) from error
        self._fd = fd
        if self.held:
            return True
        # The directory was removed between opening and locking: this locks a file that no one else can find.
        self.release()
        return False

    @property
    def held(self) -> bool:
        """Whether the file at the lock's path is the one that is locked: False once the directory was removed."""
        if self._fd is None:
            return False
        try:
            return os.path.samestat(os.fstat(self._fd), self._file.stat())
        except OSError:
            return False

    def say(self, holder: Holder) -> None:
        """Write down who holds it."""
        if self._fd is not None:
            line = json.dumps(asdict(holder)).encode("ascii")
            os.ftruncate(self._fd, 0)
            os.pwrite(self._fd, line, 0)

    def release(self) -> None:
        """Let go."""
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None

    def __enter__(self) -> "EngineLock":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.release()

    def _unusable(self, error: OSError) -> StoreError:
        return StoreError(
            f"{self._file} cannot be locked: {error.strerror}.",
            hint="Choose another place on a local disk: set data_dir, or LENS_TUI_DATA_DIR.",
        )


def holder_of(data: Path) -> Holder | None:
    """Who wrote the lock file last; None where there is none, or it is half written."""
    try:
        fields = json.loads((data / NAME).read_bytes())
        return Holder(int(fields["pid"]), str(fields["socket"]), str(fields["folder"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None
