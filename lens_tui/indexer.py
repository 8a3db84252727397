"""Keeps the index true to the folder: reads what is new or changed, forgets what is gone.

Knows nothing of threads or faces: one run at a time, told through a ``Board``.
"""

import logging
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from lens_tui.errors import ChunkingError, FileUnreadable, LensError
from lens_tui.files.scan import Found, Scan
from lens_tui.protocols import Cancel, Chunker, SearchBackend
from lens_tui.requests import FileError, FileWarning
from lens_tui.types import UNTRUSTED, Document, FileNote, FileRecord, FileRow

LOG = logging.getLogger(__name__)


class FolderScanner(Protocol):
    """Looks at the folder."""

    def scan(self, cancel: Cancel | None = None) -> Scan:
        """Everything under the folder. Raises FolderUnreadable."""

    def look(self, path: str) -> Scan:
        """What is at and under one path now; nothing where it is gone."""

    def is_rule_file(self, path: str) -> bool:
        """Whether the path holds ignore rules, so that the whole folder must be looked at again."""


class DocumentReader(Protocol):
    """Reads one file."""

    def read(self, found: Found) -> Document | FileNote:
        """Its text, or why it is left out. Raises FileUnreadable."""


class Board(Protocol):
    """Where faces read how the index stands."""

    def put(self, row: FileRow) -> None:
        """A file's new state."""

    def drop(self, path: str) -> None:
        """A file that is gone."""


@dataclass(slots=True)
class Run:
    """What one run did, while it goes on and after."""

    total: int = 0
    """Files to read in this run, but for those that turned out to hold no text: looking at one is no indexing."""
    done: int = 0
    current: str = ""
    added: int = 0
    changed: int = 0
    removed: int = 0
    unchanged: int = 0
    finished: bool = False
    """False while it goes on, and for ever where it was stopped."""


@dataclass(frozen=True, slots=True)
class _Refused:
    """A file that was looked at and is not in the index: not read again until it changes."""

    seen: tuple[int, int, int]
    row: FileRow


class Indexer:
    """Runs over the folder, all of it or some paths."""

    def __init__(
        self,
        scanner: FolderScanner,
        reader: DocumentReader,
        chunker: Chunker,
        backend: SearchBackend,
        board: Board,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Take what it reads with and where it keeps it; ``clock`` counts seconds."""
        self._scanner = scanner
        self._reader = reader
        self._chunker = chunker
        self._backend = backend
        self._board = board
        self._clock = clock
        self._refused: dict[str, _Refused] = {}
        self._passed_over: dict[str, FileRow] = {}
        self._marks: list[tuple[float, int]] = []
        self.run = Run(finished=True)
        self._seen = 0

    @property
    def expected(self) -> int:
        """Files that the index is to hold, by the newest look at the folder: those found less those refused."""
        return self._seen - len(self._refused)

    def left_out(self) -> tuple[FileNote, ...]:
        """Everything left out now, with its reason, by path."""
        return tuple(FileNote(row.path, row.detail) for row in self._rows_that_are("left_out"))

    def failed(self) -> tuple[FileError, ...]:
        """Everything that could not be read, by path."""
        return tuple(FileError(path=row.path, error=row.detail) for row in self._rows_that_are("failed"))

    def _rows_that_are(self, state: str) -> list[FileRow]:
        rows = [*self._passed_over.copy().values(), *(refused.row for refused in self._refused.copy().values())]
        return sorted((row for row in rows if row.state == state), key=lambda row: row.path)

    def warnings(self) -> tuple[FileWarning, ...]:
        """What is to be known of how files were read, whichever run read them, by path."""
        records = sorted(self._backend.indexed().values(), key=lambda record: record.path)
        return tuple(FileWarning(path=record.path, warning=one) for record in records for one in record.warnings)

    def look_again(self, path: str | None = None) -> None:
        """Forget why files were refused (or this one), so that the next run reads them again."""
        if path is None:
            self._refused.clear()
        else:
            self._refused.pop(path, None)

    def distrust(self) -> None:
        """Let the next runs read and cut every file anew, whatever the index holds of it."""
        self._refused.clear()
        self._backend.distrust()

    def rate(self) -> float:
        """Files a second over the last five seconds of the run in hand; 0 where nothing is known."""
        marks = [mark for mark in self._marks if mark[0] >= self._clock() - 5.0]
        self._marks = marks or self._marks[-1:]
        if len(marks) < 2 or marks[-1][0] - marks[0][0] < 0.2:
            return 0.0
        return (marks[-1][1] - marks[0][1]) / (marks[-1][0] - marks[0][0])

    def everything(self, cancel: Cancel) -> Run:
        """Reconcile the whole folder. Raises FolderUnreadable, and then forgets nothing."""
        run = self._begin()
        seen = self._scanner.scan(cancel)
        if cancel.cancelled:
            return run
        known = self._backend.indexed()
        self._seen = len(seen.found)
        self._passed_over = {row.path: row for row in _passed_over(seen)}
        for path in set(self._refused) - set(seen.found):
            del self._refused[path]
        self._show_standing(seen, known)
        self._forget(sorted(known.keys() - seen.found.keys()), run)
        self._read_all(seen.found.values(), known, run, cancel)
        return run

    def some(self, hints: Iterable[str], cancel: Cancel) -> Run:
        """Look at the paths hinted at, and what lies under them."""
        hints = set(hints)
        if "" in hints or any(self._scanner.is_rule_file(hint) for hint in hints):
            return self.everything(cancel)
        run = self._begin()
        known = self._backend.indexed()
        found: dict[str, Found] = {}
        for hint in sorted(hints):
            seen = self._scanner.look(hint)
            found.update(seen.found)
            self._pass_over(hint, _passed_over(seen))
            gone = [path for path in known if _under(path, hint) and path not in seen.found]
            self._forget(sorted(gone), run)
            for path in [path for path in self._refused if _under(path, hint) and path not in seen.found]:
                del self._refused[path]
                self._board.drop(path)
        standing = known.keys() | self._refused.keys()
        self._seen = len({p for p in standing if not any(_under(p, h) for h in hints)} | found.keys())
        self._read_all(found.values(), known, run, cancel)
        return run

    def _begin(self) -> Run:
        self.run = Run()
        self._marks = []
        return self.run

    def _pass_over(self, hint: str, rows: Sequence[FileRow]) -> None:
        for path in [path for path in self._passed_over if _under(path, hint)]:
            del self._passed_over[path]
            self._board.drop(path)
        for row in rows:
            self._passed_over[row.path] = row
            self._board.put(row)

    def _show_standing(self, seen: Scan, known: Mapping[str, FileRecord]) -> None:
        """Give every file of the scan its row before the first one is read."""
        for row in _passed_over(seen):
            self._board.put(row)
        for path, found in seen.found.items():
            record = known.get(path)
            if self._refused_still(found):
                continue
            if record is None:
                self._board.put(FileRow(path, "waiting"))
            elif _same(record, found):
                self._board.put(_indexed(record))
            else:
                self._board.put(FileRow(path, "changed", record.chunks))

    def _forget(self, paths: Iterable[str], run: Run) -> None:
        for path in paths:
            self._backend.forget(path)
            self._board.drop(path)
            run.removed += 1

    def _refused_still(self, found: Found) -> bool:
        refused = self._refused.get(found.path)
        return refused is not None and refused.seen == _stamp(found)

    def _is_left_out(self, path: str) -> bool:
        refused = self._refused.get(path)
        return refused is not None and refused.row.state == "left_out"

    def _read_all(self, files: Iterable[Found], known: Mapping[str, FileRecord], run: Run, cancel: Cancel) -> None:
        waiting: list[Found] = []
        for found in files:
            record = known.get(found.path)
            if record is not None and _same(record, found):
                run.unchanged += 1
                self._board.put(_indexed(record))
            elif self._refused_still(found):
                self._board.put(self._refused[found.path].row)
            else:
                waiting.append(found)
        run.total = len(waiting)
        self._marks = [(self._clock(), 0)]
        for found in waiting:
            if cancel.cancelled:
                return
            run.current = found.path
            self._read(found, known.get(found.path), run)
            if self._is_left_out(found.path):
                run.total -= 1
            else:
                run.done += 1
            self._marks.append((self._clock(), run.done))
            if len(self._marks) > 4000:
                del self._marks[1:2000]
        run.current = ""
        run.finished = True

    def _read(self, found: Found, record: FileRecord | None, run: Run) -> None:
        path = found.path
        self._board.put(FileRow(path, "reading", record.chunks if record else 0))
        try:
            self._take(found, record, run)
        except (FileUnreadable, ChunkingError) as error:
            self._refuse(found, record, FileRow(path, "failed", detail=error.message), run)
            return
        except LensError:
            raise
        except Exception as error:
            # One file that nobody foresaw must not keep all others out of the index.
            LOG.exception("%s cannot be read", path)
            why = f"unforeseen: {type(error).__name__}: {error}"
            self._refuse(found, record, FileRow(path, "failed", detail=why), run)

    def _take(self, found: Found, record: FileRecord | None, run: Run) -> None:
        """Read a file, cut it and put it in. Raises whatever that may raise."""
        path = found.path
        read = self._reader.read(found)
        if isinstance(read, FileNote):
            self._refuse(found, record, FileRow(path, "left_out", detail=read.reason), run)
            return
        cut = self._chunker.chunk(read)
        self._refused.pop(path, None)
        read = replace(read, warnings=(*read.warnings, *cut.warnings))
        now = FileRecord(
            path, read.checksum, read.size, read.mtime_ns, read.inode, len(cut.chunks), warnings=read.warnings
        )
        if record is not None and record.checksum == read.checksum and record.mtime_ns != UNTRUSTED:
            now = replace(now, chunks=record.chunks)
            self._backend.touch(now)
            run.unchanged += 1
            self._board.put(_indexed(now))
            return
        self._backend.replace(read, cut.chunks)
        if record is None:
            run.added += 1
        else:
            run.changed += 1
        self._board.put(_indexed(now))

    def _refuse(self, found: Found, record: FileRecord | None, row: FileRow, run: Run) -> None:
        if record is not None:
            self._backend.forget(row.path)
            run.removed += 1
        self._refused[row.path] = _Refused(_stamp(found), row)
        self._board.put(row)


def _passed_over(seen: Scan) -> list[FileRow]:
    """Rows of what is not read at all."""
    left_out = [FileRow(note.path, "left_out", detail=note.reason) for note in seen.left_out]
    return left_out + [FileRow(note.path, "failed", detail=note.reason) for note in seen.failed]


def _indexed(record: FileRecord) -> FileRow:
    return FileRow(record.path, "indexed", record.chunks, " ".join(record.warnings))


def _stamp(found: Found) -> tuple[int, int, int]:
    return (found.size, found.mtime_ns, found.inode)


def _same(record: FileRecord, found: Found) -> bool:
    return (record.size, record.mtime_ns, record.inode) == _stamp(found)


def _under(path: str, hint: str) -> bool:
    return path == hint or path.startswith(hint + "/") or not hint
