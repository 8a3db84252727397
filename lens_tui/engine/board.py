"""What faces read of a folder: a row a file, kept by the indexer, taken as news by every face that watches."""

import threading
from collections import deque

from lens_tui.requests import FolderNews, IndexState
from lens_tui.types import FileRow, ModelChoice, Notice

NOTICES_KEPT = 200
"""Notices that Status can list; older ones are dropped."""


class Board:
    """Rows by path, the newest notices and the model in use. Thread-safe."""

    def __init__(self) -> None:
        """Begin with no row."""
        self._lock = threading.Lock()
        self._rows: dict[str, FileRow] = {}
        self._notices: deque[Notice] = deque(maxlen=NOTICES_KEPT)
        self._followers: list[Follower] = []

    def put(self, row: FileRow) -> None:
        """Set a file's row; nothing happens where it is the same."""
        with self._lock:
            if self._rows.get(row.path) == row:
                return
            self._rows[row.path] = row
            for follower in self._followers:
                follower.dirty[row.path] = None

    def drop(self, path: str) -> None:
        """Take a file's row away."""
        with self._lock:
            if self._rows.pop(path, None) is not None:
                for follower in self._followers:
                    follower.dirty[path] = None

    def rows(self) -> tuple[FileRow, ...]:
        """Every row, in the order in which the files were first met."""
        with self._lock:
            return tuple(self._rows.values())

    def notice(self, notice: Notice) -> None:
        """Keep something that happened."""
        with self._lock:
            self._notices.append(notice)
            for follower in self._followers:
                follower.notices.append(notice)

    def follow(self) -> "Follower":
        """Begin to watch: the first news has every row."""
        with self._lock:
            follower = Follower()
            follower.notices.extend(self._notices)
            self._followers.append(follower)
        return follower

    def leave(self, follower: "Follower") -> None:
        """Stop watching."""
        with self._lock:
            if follower in self._followers:
                self._followers.remove(follower)

    def news_for(self, follower: "Follower", state: IndexState, model: ModelChoice | None) -> FolderNews | None:
        """What is new since this follower asked last, beside where the index stands now; None where nothing is."""
        with self._lock:
            first = not follower.begun
            if first:
                rows, gone = tuple(self._rows.values()), tuple[str, ...]()
            else:
                rows = tuple(self._rows[path] for path in follower.dirty if path in self._rows)
                gone = tuple(path for path in follower.dirty if path not in self._rows)
            notices = tuple(follower.notices)
            fresh_model = model if model != follower.model else None
            if not (first or rows or gone or notices or fresh_model or state != follower.state):
                return None
            follower.begun, follower.state = True, state
            follower.model = model
            follower.dirty.clear()
            follower.notices.clear()
        return FolderNews(state=state, rows=rows, gone=gone, all=first, model=fresh_model, notices=notices)


class Follower:
    """What one watching face has not been told yet."""

    def __init__(self) -> None:
        """Begin with nothing told."""
        self.begun = False
        self.dirty: dict[str, None] = {}
        self.notices: list[Notice] = []
        self.state: IndexState | None = None
        self.model: ModelChoice | None = None
