"""The folder as the tree shows it: files by folder, counts, what is open, and the lines that result."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from lens_tui.types import FileRow


FOLD_ABOVE = 2_000
"""Entries of one folder above which they are folded in groups: more rows than anyone pages through."""
GROUP = 500
"""Entries of one such group."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the tree."""

    kind: Literal["folder", "group", "file"]
    path: str
    """Relative, without a slash at the end; a group's is its folder's."""
    depth: int
    """0 at the top."""
    name: str
    """Its last part, not yet made printable; for a group its first and last names."""
    group: int = -1
    """Number of the group in its folder."""

    @property
    def key(self) -> str:
        """Names the line whatever else comes and goes; also what is kept of an open one."""
        return self.path if self.kind == "file" else f"{self.path}/" + (f"{self.group}" if self.group >= 0 else "")


class _Folder:
    """What lies directly in a folder, and the counts of all that lies below it."""

    __slots__ = ("files", "folders", "order", "pending", "total")

    def __init__(self) -> None:
        self.folders: set[str] = set()
        self.files: set[str] = set()
        self.total = 0
        self.pending = 0
        self.order: tuple[list[str], list[str]] | None = None


class Forest:
    """Every row of a folder, ordered for drawing. Not thread-safe: the screen's own."""

    def __init__(self) -> None:
        """Begin empty."""
        self._rows: dict[str, FileRow] = {}
        self._folders: dict[str, _Folder] = {"": _Folder()}
        self._open: set[str] = set()
        self._filter: tuple[str, ...] = ()
        self._lines: list[Line] | None = None
        self._places: dict[str, int] = {}

    @property
    def lines(self) -> Sequence[Line]:
        """The lines now, in order: folders before files, what was left out last."""
        if self._lines is None:
            self._lines = list(self._matching() if self._filter else self._below("", 0))
            self._places = {line.key: place for place, line in enumerate(self._lines)}
        return self._lines

    @property
    def opened(self) -> tuple[str, ...]:
        """Keys of what is open, in order."""
        return tuple(sorted(self._open))

    def place(self, key: str) -> int | None:
        """Number of the line with this key, from 0; None where it is not drawn."""
        return self._places.get(key) if self.lines else None

    def row(self, path: str) -> FileRow | None:
        """The file's row."""
        return self._rows.get(path)

    def counts(self, folder: str) -> tuple[int, int]:
        """Files below a folder that are done, and all of them; what was left out is in neither."""
        found = self._folders.get(folder)
        return (found.total - found.pending, found.total) if found else (0, 0)

    def is_open(self, line: Line) -> bool:
        """Whether what is in the folder or group stands below it."""
        return bool(self._filter and line.kind == "folder") or line.key in self._open

    def toggle(self, line: Line, *, unfold: bool | None = None) -> bool:
        """Open or close a folder or group (``unfold`` says which). Returns whether anything changed."""
        wanted = line.key not in self._open if unfold is None else unfold
        if line.kind == "file" or wanted == (line.key in self._open):
            return False
        (self._open.add if wanted else self._open.discard)(line.key)
        self._lines = None
        return True

    def open_all(self, keys: Iterable[str]) -> None:
        """Open what ``opened`` had named, and nothing else; what is not there is kept for when it comes."""
        self._open = set(keys)
        self._lines = None

    def reveal(self, path: str) -> None:
        """Open every folder above a file."""
        parts = path.split("/")[:-1]
        self.open_all({*self._open, *("/".join(parts[: end + 1]) + "/" for end in range(len(parts)))})

    def filter(self, text: str) -> None:
        """Show only files whose path holds every word of ``text``, in any case; empty shows all."""
        words = tuple(text.casefold().split())
        if words != self._filter:
            self._filter = words
            self._lines = None

    def show(self, rows: Iterable[FileRow]) -> None:
        """Take these rows for the whole folder; what was open stays open."""
        self._rows = {row.path: row for row in rows}
        self._folders = {"": _Folder()}
        self._lines = None
        for path, row in self._rows.items():
            folder = self._folder_of(path)
            folder.files.add(path)
            if row.state != "left_out":
                folder.total += 1
                folder.pending += row.state in ("waiting", "reading")
        # Deepest first: each folder's counts are whole before they are added to the one above.
        for name in sorted(self._folders, key=lambda name: -name.count("/") if name else 1):
            if name:
                above = self._folders[_parent(name)]
                above.total += self._folders[name].total
                above.pending += self._folders[name].pending

    def apply(self, rows: Iterable[FileRow], gone: Iterable[str]) -> tuple[bool, set[str]]:
        """Take changed rows in.

        Returns:
            Whether lines came, went or moved, and the keys of the lines that must be drawn anew if not.
        """
        moved = False
        touched: set[str] = set()
        for path in gone:
            if (row := self._rows.pop(path, None)) is not None:
                self._remove(row)
                moved = True
        for row in rows:
            before = self._rows.get(row.path)
            if before == row:
                continue
            self._rows[row.path] = row
            folder = self._folder_of(row.path)
            folder.files.add(row.path)
            if before is None or (before.state == "left_out") != (row.state == "left_out"):
                folder.order = None
                moved = True
            touched.add(row.path)
            touched.update(self._count(row.path, before, row))
        if moved:
            self._lines = None
        return moved, touched

    def _folder_of(self, path: str) -> _Folder:
        """The folder that a path lies in, made with all above it where it is new."""
        name = _parent(path)
        found = self._folders.get(name)
        if found is None:
            found = self._folders[name] = _Folder()
            above = self._folder_of(name)
            above.folders.add(name)
            above.order = None
        return found

    def _remove(self, row: FileRow) -> None:
        self._count(row.path, row, None)
        name = _parent(row.path)
        folder = self._folders[name]
        folder.files.discard(row.path)
        folder.order = None
        while name and not folder.files and not folder.folders:
            del self._folders[name]
            child, name = name, _parent(name)
            folder = self._folders[name]
            folder.folders.discard(child)
            folder.order = None

    def _count(self, path: str, before: FileRow | None, after: FileRow | None) -> Iterable[str]:
        """Keep the counts of every folder above; the keys of those that changed."""
        counted = [int(row is not None and row.state != "left_out") for row in (before, after)]
        waiting = [int(row is not None and row.state in ("waiting", "reading")) for row in (before, after)]
        total, pending = counted[1] - counted[0], waiting[1] - waiting[0]
        if not total and not pending:
            return ()
        changed = []
        name = path
        while name:
            name = _parent(name)
            self._folders[name].total += total
            self._folders[name].pending += pending
            changed.append(name + "/")
        return changed

    def _ordered(self, name: str) -> tuple[list[str], list[str]]:
        """Folders and files of one folder, in order of their names; left-out files behind the others."""
        folder = self._folders[name]
        if folder.order is None:
            folder.order = (
                sorted(folder.folders, key=str.casefold),
                sorted(folder.files, key=lambda path: (self._rows[path].state == "left_out", path.casefold(), path)),
            )
        return folder.order

    def _below(self, name: str, depth: int) -> Iterable[Line]:
        folders, files = self._ordered(name)
        entries = [*folders, *files]
        if len(entries) <= FOLD_ABOVE:
            yield from self._entries(entries, len(folders), depth)
            return
        for number, start in enumerate(range(0, len(entries), GROUP)):
            part = entries[start : start + GROUP]
            title = f"{_last(part[0])} … {_last(part[-1])}"
            group = Line("group", name, depth, title, number)
            yield group
            if group.key in self._open:
                yield from self._entries(part, max(0, len(folders) - start), depth + 1)

    def _entries(self, entries: Sequence[str], folders: int, depth: int) -> Iterable[Line]:
        for place, path in enumerate(entries):
            if place >= folders:
                yield Line("file", path, depth, _last(path))
                continue
            line = Line("folder", path, depth, _last(path))
            yield line
            if line.key in self._open:
                yield from self._below(path, depth + 1)

    def group_size(self, line: Line) -> int:
        """Entries in a group."""
        folders, files = self._ordered(line.path)
        return min(GROUP, len(folders) + len(files) - line.group * GROUP)

    def _matching(self) -> Iterable[Line]:
        """Files that the filter lets through, each below the folders that it lies in."""
        hits = sorted(
            (path for path in self._rows if all(word in path.casefold() for word in self._filter)),
            key=lambda path: [part.casefold() for part in path.split("/")],
        )
        drawn: list[str] = []
        for path in hits:
            parts = path.rstrip("/").split("/")[:-1]
            folders = ["/".join(parts[: end + 1]) for end in range(len(parts))]
            same = 0
            while same < min(len(drawn), len(folders)) and drawn[same] == folders[same]:
                same += 1
            for depth in range(same, len(folders)):
                yield Line("folder", folders[depth], depth, parts[depth])
            drawn = folders
            yield Line("file", path, len(folders), _last(path))


def _parent(path: str) -> str:
    """The folder that a path lies in; empty for the top. A folder that was left out may end with a slash."""
    return path.rstrip("/").rpartition("/")[0]


def _last(path: str) -> str:
    """The last part of a path, its slash kept where it ends with one."""
    return path.rstrip("/").rpartition("/")[2] + ("/" if path.endswith("/") else "")
