"""Where things lie: a folder's data, its conversations and the engine's socket."""

import errno
import hashlib
import os
import re
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from lens_tui.errors import EngineError, FolderError, FolderUnreadable, SettingsError, StoreError

SOCKET_PATH_LIMIT = 100
"""Longest path of a Unix socket in bytes that every system takes (Linux has 107, macOS 103)."""


@dataclass(frozen=True, slots=True)
class Places:
    """The paths that belong to one indexed folder."""

    folder: Path
    """The folder's real path."""
    data: Path
    """Its index: folder.json, store.sqlite3, lexical/, chroma/, engine.log, engine.lock."""
    talks: Path
    """Its conversations, beside the index: removing an index keeps them."""
    socket: Path


def checked_folder(path: Path) -> Path:
    """Return the real path of a folder that can be listed.

    Raises:
        FolderError: Nothing is there, or a file is.
        FolderUnreadable: It is there, and cannot be listed.
    """
    try:
        # A name that a shell did not expand, such as one in quotes, may still be a folder of that very name.
        real = (path if path.exists() else path.expanduser()).resolve(strict=True)
        if not real.is_dir():
            raise FolderError(f"{path} is a file, not a folder.", hint=f"Name the folder that it is in: {real.parent}")
        with os.scandir(real):
            pass
        if not os.access(real, os.X_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except FileNotFoundError as error:
        raise FolderError(f"There is no folder {path}.", hint="Check the name, or make the folder first.") from error
    except NotADirectoryError as error:
        raise FolderError(f"{path} lies under a file.", hint="Check the name.") from error
    except PermissionError as error:
        raise FolderUnreadable(
            f"{path} cannot be read: {error.strerror}.", hint="Mend its permissions and try again."
        ) from error
    except (OSError, RuntimeError, ValueError) as error:
        # A name that is too long, a circle of links, an unknown ~name: nothing that permissions could mend.
        reason = getattr(error, "strerror", None) or str(error).partition(" from ")[0]
        raise FolderError(f"There is no folder {path}: {reason}.", hint="Check the name.") from error
    return real


def data_root(data_dir: str) -> Path:
    """Directory that holds ``brains/`` and ``talks/``: ``data_dir`` or, where it is empty, the platform's own.

    Raises:
        SettingsError: A path that cannot be one.
    """
    if not data_dir:
        import platformdirs

        return Path(platformdirs.user_data_dir("lens-tui")).resolve()
    try:
        # Resolved: two ways to write one directory must name one socket, or two engines would share an index.
        return Path(data_dir).expanduser().resolve()
    except (OSError, RuntimeError, ValueError) as error:
        raise SettingsError(
            f"data_dir cannot be {data_dir!r}: {error}.", hint="Set it to a directory, such as ~/lens-data."
        ) from error


def places_of(folder: Path, data_dir: str, environment: Mapping[str, str] = os.environ) -> Places:
    """Name the places of a folder; makes nothing. ``folder`` is a real path (see ``checked_folder``)."""
    digest = hashlib.sha256(os.fsencode(folder)).hexdigest()[:12]
    readable = re.sub(r"[^\w.-]+", "-", folder.name).strip("-.")[:40] or "root"
    name = f"{readable}-{digest}"
    root = data_root(data_dir)
    data = root / "brains" / name
    key = hashlib.sha256(os.fsencode(data) + b"\0" + os.fsencode(folder)).hexdigest()[:12]
    return Places(folder, data, root / "talks" / f"{name}.sqlite3", _socket_directory(environment) / f"{key}.sock")


def prepare(places: Places) -> None:
    """Make the directories, readable by this user alone.

    Raises:
        StoreError: The data directory cannot be written.
        EngineError: The socket's directory belongs to someone else.
    """
    try:
        for directory in (places.data.parent, places.data, places.talks.parent):
            directory.mkdir(parents=True, exist_ok=True, mode=0o700)
            directory.chmod(0o700)
            if not os.access(directory, os.W_OK | os.X_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except OSError as error:
        raise StoreError(
            f"The index cannot be kept in {places.data}: {error.strerror}.",
            hint="Choose another place: set data_dir, or LENS_TUI_DATA_DIR.",
        ) from error
    _prepare_socket_directory(places.socket.parent)


def _socket_directory(environment: Mapping[str, str]) -> Path:
    runtime = environment.get("XDG_RUNTIME_DIR", "")
    if runtime and Path(runtime).is_dir() and os.access(runtime, os.W_OK):
        directory = Path(runtime) / "lens-tui"
        if len(os.fsencode(directory)) + 18 <= SOCKET_PATH_LIMIT:
            return directory
    import tempfile  # 5 ms that a system with a runtime directory saves

    directory = Path(tempfile.gettempdir()) / f"lens-tui-{os.getuid()}"
    if len(os.fsencode(directory)) + 18 <= SOCKET_PATH_LIMIT:
        return directory
    return Path("/tmp") / f"lens-tui-{os.getuid()}"


def _prepare_socket_directory(directory: Path) -> None:
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        seen = directory.lstat()
    except OSError as error:
        raise EngineError(
            f"The engine's socket cannot be kept in {directory}: {error.strerror}.",
            hint="Set XDG_RUNTIME_DIR to a directory of your own.",
        ) from error
    if not stat.S_ISDIR(seen.st_mode) or seen.st_uid != os.getuid() or seen.st_mode & 0o077:
        raise EngineError(
            f"{directory} is not a private directory of yours.",
            hint="Remove it, or set XDG_RUNTIME_DIR to a directory of your own (mode 0700).",
        )
