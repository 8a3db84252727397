"""Notes of chunks, kept for the person: a folder that is indexed anew asks the model for none of them again."""

import sqlite3
import threading
from pathlib import Path

from lens_tui.errors import StoreError

MOST = 500_000
"""Notes kept; beyond, the oldest go. At 300 bytes each, 150 MB."""


class NoteFile:
    """One file of notes, shared by every engine of the person. Thread-safe."""

    def __init__(self, file: Path) -> None:
        """Open or make it. Raises StoreError."""
        self._lock = threading.Lock()
        try:
            file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._db = sqlite3.connect(file, timeout=30, check_same_thread=False, isolation_level=None)
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute(
                "CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, key BLOB UNIQUE, note TEXT NOT NULL)"
            )
            file.chmod(0o600)
        except (OSError, sqlite3.Error) as error:
            raise StoreError(f"{file} cannot be opened: {error}.", hint="Remove it: it is only a cache.") from error

    def get(self, key: bytes) -> str | None:
        """The note of a key; None where there is none or the file cannot be read."""
        with self._lock:
            try:
                row = self._db.execute("SELECT note FROM notes WHERE key = ?", (key,)).fetchone()
            except sqlite3.Error:
                return None
        return row[0] if row else None

    def put(self, key: bytes, note: str) -> None:
        """Keep a note; where the file cannot be written, it is written anew next time."""
        clean = note.encode("utf-8", "replace").decode("utf-8")
        with self._lock:
            try:
                self._db.execute("INSERT OR REPLACE INTO notes (key, note) VALUES (?, ?)", (key, clean))
                self._db.execute("DELETE FROM notes WHERE id <= (SELECT max(id) FROM notes) - ?", (MOST,))
            except sqlite3.Error:
                return

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._db.close()
