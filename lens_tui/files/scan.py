"""Which files of a folder are to be read, and what is left out and why."""

import copy
import os
import stat
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from lens_tui.errors import FolderUnreadable, Stopped
from lens_tui.files.ignoring import EXCLUDE_SETTING, IGNORE_FILES, Rules, Verdict, judge, read_rules
from lens_tui.files.vendored import count_files, is_vendored
from lens_tui.protocols import Cancel
from lens_tui.types import FileNote


@dataclass(frozen=True, slots=True)
class Found:
    """A file to be read, and what its content would change with."""

    path: str
    """Relative to the folder, with ``/``."""
    size: int
    """Bytes."""
    mtime_ns: int
    inode: int


@dataclass(frozen=True, slots=True)
class Scan:
    """What a folder, or one path in it, holds now."""

    found: dict[str, Found]
    """By path, in the order of a walk by names."""
    left_out: tuple[FileNote, ...]
    """One row a file, or a folder that was not entered; a folder's path ends in ``/``.

    A name that is not UTF-8 is written with ``\\xe9`` and the like for its bytes.
    """
    failed: tuple[FileNote, ...] = ()
    """Files and folders that are meant to be read and cannot be; a folder's path ends in ``/``."""


@dataclass(slots=True)
class _Level:
    """One folder on the way: its path ending in ``/`` (empty for the root), and the rules that hold in it."""

    prefix: str
    folder: str
    rules: tuple[Rules, ...]


class _Listed:
    """The names in one folder, asked one by one: listing it whole would be slow where it holds many."""

    def __init__(self, folder: str) -> None:
        self._folder = folder

    def __contains__(self, name: object) -> bool:
        return os.path.lexists(f"{self._folder}/{name}")


class Scanner:
    """Walks one folder by its rules. Safe to use again and again, from several threads."""

    def __init__(
        self,
        folder: Path,
        *,
        max_bytes: int,
        hidden: bool,
        exclude: Sequence[str],
        skip: Sequence[Path] = (),
    ) -> None:
        """Take the rules.

        Args:
            folder: The real path of the folder.
            max_bytes: Larger files are left out.
            hidden: Whether names that begin with a dot are read too.
            exclude: Patterns in .gitignore's form, above those of every ignore file.
            skip: Paths of lens-tui's own data, in case they lie in the folder.
        """
        self._folder = os.fspath(folder)
        self._max_bytes = max_bytes
        self._hidden = hidden
        self._exclude = Rules("", [(EXCLUDE_SETTING, "\n".join(exclude))]) if exclude else None
        self._skip = frozenset(os.path.realpath(path) for path in skip)
        self._found: dict[str, Found] = {}
        self._left_out: list[FileNote] = []
        self._failed: list[FileNote] = []

    @staticmethod
    def is_rule_file(path: str) -> bool:
        """Whether a change of this file changes what else is read, so that everything must be scanned anew."""
        return path.rpartition("/")[2] in IGNORE_FILES

    def scan(self, cancel: Cancel | None = None) -> Scan:
        """Walk the whole folder.

        Raises:
            FolderUnreadable: The folder is gone or cannot be listed; what was indexed of it must not be forgotten.
            Stopped: ``cancel`` was set.
        """
        # A walk gathers in a copy, so that another thread's walk never mixes with it.
        return copy.copy(self)._scan(cancel)

    def _scan(self, cancel: Cancel | None) -> Scan:
        root = self._begin()
        self._walk(_Level("", self._folder, ()), cancel)
        self._check_root(root)
        return self._result()

    def look(self, path: str) -> Scan:
        """Examine one file or folder again, by the same rules, those of the folders above it among them.

        Args:
            path: Relative to the folder, with ``/``; empty for everything. One that leads out of it finds nothing.

        Returns:
            What is found under it now; nothing where it is gone. Where a folder above it is left out, that folder's
            row.

        Raises:
            FolderUnreadable: The folder itself is gone or cannot be listed.
        """
        parts = [part for part in path.split("/") if part and part != "."]
        if not parts:
            return self.scan()
        return copy.copy(self)._look(path, parts)

    def _look(self, path: str, parts: Sequence[str]) -> Scan:
        root = self._begin()
        if ".." not in parts and not path.startswith("/") and "\0" not in path:
            self._descend(parts)
        self._check_root(root)
        return self._result()

    def _begin(self) -> os.stat_result:
        self._found = {}
        self._left_out = []
        self._failed = []
        return self._root()

    def _result(self) -> Scan:
        return Scan(self._found, tuple(self._left_out), tuple(self._failed))

    def _root(self) -> os.stat_result:
        try:
            with os.scandir(self._folder):
                return os.stat(self._folder)  # noqa: PTH116
        except OSError as error:
            raise self._unreadable(error.strerror or str(error)) from error

    def _check_root(self, before: os.stat_result) -> None:
        """See that the folder is still there: without it every file would look deleted."""
        now = self._root()
        if (now.st_dev, now.st_ino) != (before.st_dev, before.st_ino):
            raise self._unreadable("another folder took its place meanwhile")

    def _unreadable(self, reason: str) -> FolderUnreadable:
        return FolderUnreadable(
            f"{self._folder} cannot be read: {reason}.",
            hint="Bring the folder back, or mend its permissions; what is indexed of it is kept.",
        )

    def _descend(self, parts: Sequence[str]) -> None:
        """Go from the root to the path ``parts`` as a walk would, then examine what is there."""
        level = _Level("", self._folder, ())
        for place, name in enumerate(parts):
            try:
                seen = os.lstat(f"{level.folder}/{name}")
            except OSError:
                return
            if place < len(parts) - 1 and stat.S_ISREG(seen.st_mode):
                return
            has = _Listed(level.folder)
            inner = _Level(level.prefix, level.folder, self._rules(level, has))
            below = self._examine(inner, name, seen, has)
            if below is None:
                return
            level = below
        self._walk(level, None)

    def _walk(self, top: _Level, cancel: Cancel | None) -> None:
        """Collect everything under ``top``, in the order of names."""
        waiting = [top]
        while waiting:
            if cancel is not None and cancel.cancelled:
                raise Stopped("The scan was stopped.", hint="What was indexed before is kept.")
            level = waiting.pop()
            below = list(self._list(level))
            waiting.extend(reversed(below))

    def _list(self, level: _Level) -> Iterator[_Level]:
        """Collect one folder's files and yield the folders in it that are to be entered."""
        try:
            with os.scandir(level.folder) as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
        except OSError as error:
            if not level.prefix:
                raise self._unreadable(error.strerror or str(error)) from error
            if not isinstance(error, FileNotFoundError):
                self._failed.append(FileNote(level.prefix, f"cannot be read: {error.strerror}"))
            return
        names = {entry.name for entry in entries}
        rules = self._rules(level, names)
        inner = _Level(level.prefix, level.folder, rules)
        for entry in entries:
            try:
                below = self._examine(inner, entry.name, entry.stat(follow_symlinks=False), names)
            except FileNotFoundError:
                continue
            except OSError as error:
                self._failed.append(FileNote(level.prefix + entry.name, f"cannot be read: {error.strerror}"))
                continue
            if below is not None:
                yield below

    def _rules(self, level: _Level, names: Container[str]) -> tuple[Rules, ...]:
        """The rules that hold in a folder: those above it and those of its own ignore files."""
        present = [name for name in IGNORE_FILES if name in names]
        if not present:
            return level.rules
        rules, unread = read_rules(Path(level.folder), level.prefix, present)
        for path in unread:
            self._leave(path, "cannot be read, so its rules do not hold; mend its permissions")
        for source, line, text in rules.broken:
            self._leave(source, f"line {line} is no pattern and is passed over: {text}")
        return (*level.rules, rules) if rules else level.rules

    def _examine(self, level: _Level, name: str, seen: os.stat_result, beside: Container[str]) -> _Level | None:
        """Take one entry in or leave it out; returns it where it is a folder to be entered."""
        path = level.prefix + name
        is_folder = stat.S_ISDIR(seen.st_mode)
        shown = path + "/" if is_folder else path
        if not name.isascii() and not _is_utf8(name):
            printable = os.fsencode(shown).decode("utf-8", "backslashreplace")
            self._leave(printable, "its name is not UTF-8; rename it to have it read")
            return None
        verdict = self._verdict(shown, level.rules)
        wanted = verdict is not None and not verdict.ignored and verdict.is_own
        place = f"{level.folder}/{name}"
        if self._skip and place in self._skip:
            self._leave(shown, "lens-tui's own data")
        elif is_folder and not wanted and is_vendored(Path(place), name, beside):
            files, all_of_them = count_files(Path(place))
            number = f"{files:,}" if all_of_them else f"over {files // 1000 * 1000:,}"
            self._leave(shown, f"{number} {'file' if number == '1' else 'files'}, vendored folder")
        elif verdict is not None and verdict.ignored:
            self._leave(shown, f"ignored by {verdict.source}")
        elif name[0] == "." and not self._hidden and not wanted:
            self._leave(shown, "hidden")
        elif is_folder:
            return _Level(shown, place, level.rules)
        else:
            self._take(path, place, seen)
        return None

    def _verdict(self, shown: str, rules: tuple[Rules, ...]) -> Verdict | None:
        if self._exclude is not None:
            verdict = self._exclude.verdict(shown)
            if verdict is not None:
                return verdict
        return judge(shown, rules) if rules else None

    def _take(self, path: str, place: str, seen: os.stat_result) -> None:
        """Take in a regular file of a fair size; leave out anything else."""
        mode = seen.st_mode
        if stat.S_ISREG(mode):
            if seen.st_size > self._max_bytes:
                self._leave(path, too_large(seen.st_size, self._max_bytes))
            else:
                self._found[path] = Found(path, seen.st_size, seen.st_mtime_ns, seen.st_ino)
        elif stat.S_ISLNK(mode):
            self._leave(path, self._link(place))
        else:
            kinds = ((stat.S_ISFIFO, "a named pipe"), (stat.S_ISSOCK, "a socket"))
            kind = next((words for test, words in kinds if test(mode)), "a device")
            self._leave(path, f"{kind}, not a file")

    def _link(self, place: str) -> str:
        """Say where a symbolic link leads. None is followed: what it names in the folder is read in its own place."""
        target = os.path.realpath(place)
        if not os.path.lexists(target):
            return "symbolic link that leads nowhere"
        if target == self._folder or target.startswith(self._folder.rstrip("/") + "/"):
            inside = os.path.relpath(target, self._folder)
            inside = os.fsencode(inside).decode("utf-8", "backslashreplace")
            return f"symbolic link; what it names is looked at in its own place: {inside}"
        return "symbolic link that leads out of the folder"

    def _leave(self, path: str, reason: str) -> None:
        self._left_out.append(FileNote(path, reason))


def too_large(size: int, limit: int) -> str:
    """Say that a file is above the limit, in units in which the two differ."""
    for unit, name in ((1_000_000, "MB"), (1_000, "kB")):
        if limit >= unit and round(size / unit) != round(limit / unit) and limit % unit == 0:
            return f"{size / unit:,.0f} {name}, above the limit of {limit / unit:,.0f} {name}"
    return f"{size:,} bytes, above the limit of {limit:,} bytes"


def _is_utf8(name: str) -> bool:
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
