"""One SQLite file: opened, guarded and, where it is broken, set aside so that the index heals without a person."""

import queue
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from lens_tui.errors import StoreError

BUSY_SECONDS = 10.0
"""How long a write waits for another process. None should be there: the engine holds the directory's lock."""

LOG_BYTES = 16_000_000
"""Write-ahead log that stays on the disk between writes; without a bound it stays as long as it ever was."""

UNUSED_PAGES = 1_000
"""Pages (4 kB each) that are not worth giving back."""

_CORRUPT = ("malformed", "not a database", "disk image", "corrupt", "unsupported file format")


class Database:
    """One writer and as many readers as threads want, over one file in WAL mode.

    ``synchronous=NORMAL``: a commit survives the process's death at any moment; after a power cut the last ones may be
    missing, and the next scan brings them back.
    """

    def __init__(self, file: Path, schema: str, version: int) -> None:
        """Open or make ``file``.

        Args:
            file: Its directory exists.
            schema: Statements that make an empty file ready.
            version: Kept in the file. An older one's file is removed and made anew, a newer one's refused.

        Raises:
            StoreError: It cannot be opened or written, or a newer version made it.
        """
        self.file = file
        self.notes: list[str] = []
        """Sentences on what was wrong with the file and what became of it."""
        self._schema, self._version = schema, version
        self._lock = threading.RLock()
        self._readers: queue.LifoQueue[sqlite3.Connection] = queue.LifoQueue()
        self._suspect = file.with_name(file.name + ".suspect")
        self._closed = False
        if self._suspect.exists():
            self._set_aside("was found damaged")
        try:
            self._writer = self._opened()
        except sqlite3.Error as error:
            if not _is_corrupt(error):
                raise self._failure(error) from error
            self._set_aside("is damaged")
            try:
                self._writer = self._opened()
            except sqlite3.Error as again:
                raise self._failure(again) from again

    @contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """One transaction, alone; what it did is durable when the block ends. Raises StoreError."""
        with self._lock:
            try:
                self._writer.execute("BEGIN IMMEDIATE")
                yield self._writer
                self._writer.execute("COMMIT")
            except BaseException as error:
                with suppress(sqlite3.Error):
                    if self._writer.in_transaction:
                        self._writer.execute("ROLLBACK")
                if isinstance(error, sqlite3.Error):
                    raise self._failure(error) from error
                raise

    @contextmanager
    def read(self) -> Iterator[sqlite3.Connection]:
        """A connection for this thread's reads; take every row before the block ends. Raises StoreError."""
        connection: sqlite3.Connection | None = None
        try:
            try:
                connection = self._readers.get_nowait()
            except queue.Empty:
                connection = self._connected()
            yield connection
        except sqlite3.Error as error:
            raise self._failure(error) from error
        finally:
            if connection is not None:
                if self._closed:
                    connection.close()
                else:
                    self._readers.put(connection)

    def shrink(self) -> None:
        """Give room back to the disk where more than half of the file is unused: SQLite keeps it for what may come.

        It takes as long as writing what is left. Where that has no room on the disk, or a reader is in the way, all
        stays as it was.
        """
        with self._lock, suppress(sqlite3.OperationalError):
            pages, unused = (
                self._writer.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count")
            )
            if unused > max(pages / 2, UNUSED_PAGES):
                self._writer.execute("VACUUM")
                self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        """Bring everything into the file itself and let go of it. A second call does nothing."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            while not self._readers.empty():
                self._readers.get_nowait().close()
            with suppress(sqlite3.Error):
                # A search that is still reading is not waited for: what is in the log is read from there.
                self._writer.execute("PRAGMA busy_timeout=200")
                self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            self._writer.close()

    def _connected(self) -> sqlite3.Connection:
        if self._closed:
            raise StoreError("The index is closed.", hint="Open it again.")
        # Not mapped: it is no faster here, and what is mapped counts as memory of the process.
        return sqlite3.connect(self.file, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)

    def _opened(self) -> sqlite3.Connection:
        connection = self._connected()
        try:
            found = connection.execute("PRAGMA user_version").fetchone()[0]
            if found > self._version:
                raise StoreError(
                    f"The index in {self.file.parent} was made by a newer lens-tui.",
                    hint="Update lens-tui, or remove that directory to index anew.",
                )
            has_tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] > 0
            if has_tables and found < self._version:
                connection.close()
                self._remove()
                self.notes.append("The index was made by an older lens-tui, so it is made anew from the files.")
                return self._opened()
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=NORMAL")
            connection.execute(f"PRAGMA journal_size_limit={LOG_BYTES}")
            if not has_tables:
                statements = f"BEGIN IMMEDIATE; {self._schema}; PRAGMA user_version={self._version}; COMMIT;"
                connection.executescript(statements)
            # A write that changes nothing: a read-only file or directory shows itself now, not in mid-index.
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("COMMIT")
            return connection
        except BaseException:
            connection.close()
            raise

    def _set_aside(self, what: str) -> None:
        kept = self.file.with_name(self.file.name + ".broken")
        try:
            if self.file.exists():
                self.file.replace(kept)
            for end in ("-wal", "-shm"):
                self.file.with_name(self.file.name + end).unlink(missing_ok=True)
            self._suspect.unlink(missing_ok=True)
        except OSError as error:
            raise self._failure(error) from error
        self.notes.append(f"The index {what}: it was set aside as {kept.name} and is made anew from the files.")

    def _remove(self) -> None:
        for end in ("", "-wal", "-shm"):
            self.file.with_name(self.file.name + end).unlink(missing_ok=True)

    def _failure(self, error: sqlite3.Error | OSError) -> StoreError:
        """Say what happened and what to do; damage is remembered, so that the next opening heals it."""
        words = str(error)
        where = self.file.parent
        if _is_corrupt(error):
            with suppress(OSError):
                self._suspect.touch()
            return StoreError(
                f"The index in {where} is damaged ({words}).",
                hint="Close lens-tui and open it again: the index is then made anew from your files.",
            )
        if "full" in words:
            return StoreError(f"No space is left for the index in {where}.", hint="Free some space and try again.")
        if "readonly" in words or "unable to open" in words or isinstance(error, PermissionError):
            return StoreError(
                f"The index in {where} cannot be written ({words}).",
                hint="Mend the permissions of that directory, or set data_dir to another place.",
            )
        if "locked" in words:
            return StoreError(
                f"Another program holds the index in {where}.",
                hint="Close every lens-tui on this folder and try again.",
            )
        return StoreError(f"The index in {where} failed: {words}.", hint="Try again; lens-tui doctor tells more.")


def _is_corrupt(error: BaseException) -> bool:
    return isinstance(error, sqlite3.DatabaseError) and any(word in str(error) for word in _CORRUPT)
