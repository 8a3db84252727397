"""Conversations of one folder, in a SQLite file beside the index: removing an index keeps them.

The engine alone writes it. A question is written before it is answered, so that it outlives whatever ends the answer.
"""

import contextlib
import json
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TypeVar

from lens_tui import wire
from lens_tui.errors import EngineError, LensError, StoreError
from lens_tui.types import Answered, AskRetrieved, Conversation, Failed, Turn

SCHEMA = 1
"""Kept in ``PRAGMA user_version``."""

TITLE_CHARACTERS = 60
"""A title is the first line of the first question, this long at most."""

_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)

_TABLES = """
CREATE TABLE IF NOT EXISTS conversation (id INTEGER PRIMARY KEY, title TEXT NOT NULL, begun_at REAL NOT NULL);
CREATE TABLE IF NOT EXISTS turn (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    conversation INTEGER NOT NULL REFERENCES conversation (id),
    question TEXT NOT NULL,
    asked_at REAL NOT NULL,
    retrieved TEXT,
    answered TEXT,
    failed TEXT
);
CREATE INDEX IF NOT EXISTS turn_of_conversation ON turn (conversation, id);
CREATE TABLE IF NOT EXISTS state (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
"""

_BROKEN_OFF = Failed(message="The engine ended before it had answered this.", hint="Ask again.", kind="EngineError")
"""What a turn shows whose engine was killed."""

_T = TypeVar("_T", AskRetrieved, Answered, Failed)


class Talks:
    """Reads and writes one folder's conversations, from any number of threads."""

    def __init__(self, file: Path, *, clock: Callable[[], float] = time.time) -> None:
        """Open the file, or make it. A damaged one is set aside and a new one begun; ``notes`` says so.

        Args:
            file: Where they are kept; its directory exists.
            clock: Seconds since the epoch.

        Raises:
            StoreError: It cannot be read or written, or a newer program made it.
        """
        self.notes: tuple[str, ...] = ()
        """Sentences on what happened at opening."""
        self._file = file
        self._clock = clock
        self._guard = threading.RLock()
        with self._faults():
            try:
                self._db = self._open()
            except sqlite3.DatabaseError as error:
                if not _is_damage(error):
                    raise
                kept = self._set_aside()
                self.notes = (f"The conversations could not be read and were set aside as {kept.name}.",)
                self._db = self._open()
            self._end_what_broke_off()

    def last(self) -> Conversation:
        """The newest conversation; an empty one is begun where there is none."""
        with self._faults():
            row = self._db.execute("SELECT id FROM conversation ORDER BY id DESC LIMIT 1").fetchone()
            return self.begin() if row is None else self._conversation(row[0])

    def begin(self) -> Conversation:
        """Begin a new conversation; the newest one where that is still empty."""
        with self._faults():
            row = self._db.execute(
                "SELECT id FROM conversation WHERE id = (SELECT max(id) FROM conversation)"
                " AND NOT EXISTS (SELECT 1 FROM turn WHERE conversation = conversation.id)"
            ).fetchone()
            if row is not None:
                return self._conversation(row[0])
            with self._db:
                added = self._db.execute(
                    "INSERT INTO conversation (title, begun_at) VALUES ('', ?)", (self._clock(),)
                ).lastrowid
            return Conversation(added or 0, "")

    def begin_turn(self, question: str, asked_at: float, conversation: int | None = None) -> int:
        """Write down a question, before anything is done about it.

        Args:
            question: As it was asked.
            asked_at: Seconds since the epoch.
            conversation: Where it belongs; the newest one where this is None.

        Returns:
            The turn's id, for ``finish_turn``.
        """
        question = _plain(question)
        with self._faults():
            home = self.last().id if conversation is None else conversation
            with self._db:
                added = self._db.execute(
                    "INSERT INTO turn (conversation, question, asked_at) VALUES (?, ?, ?)", (home, question, asked_at)
                ).lastrowid
                self._db.execute(
                    "UPDATE conversation SET title = ? WHERE id = ? AND title = ''", (title_of(question), home)
                )
            return added or 0

    def finish_turn(
        self,
        turn: int,
        retrieved: AskRetrieved | None = None,
        answered: Answered | None = None,
        failed: Failed | None = None,
    ) -> None:
        """Write down how a turn ended; with neither an answer nor a failure it counts as broken off."""
        if answered is None and failed is None:
            failed = _BROKEN_OFF
        values = tuple(None if value is None else wire.to_json(value) for value in (retrieved, answered, failed))
        with self._faults(), self._db:
            self._db.execute("UPDATE turn SET retrieved = ?, answered = ?, failed = ? WHERE id = ?", (*values, turn))

    def state(self) -> dict[str, object]:
        """What the app kept: key → value."""
        with self._faults():
            rows = self._db.execute("SELECT key, value FROM state").fetchall()
        kept: dict[str, object] = {}
        for key, value in rows:
            with contextlib.suppress(ValueError):
                kept[key] = json.loads(value)
        return kept

    def remember(self, state: Mapping[str, object]) -> None:
        """Merge ``state`` into what is kept; None takes a key away. Values are builtins that JSON knows."""
        with self._faults(), self._db:
            for key, value in state.items():
                if value is None:
                    self._db.execute("DELETE FROM state WHERE key = ?", (_plain(key),))
                else:
                    self._db.execute(
                        "INSERT INTO state (key, value) VALUES (?, ?)"
                        " ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                        (_plain(key), json.dumps(value)),
                    )

    def close(self) -> None:
        """Let go of the file."""
        with self._guard:
            self._db.close()

    def _open(self) -> sqlite3.Connection:
        db = sqlite3.connect(self._file, check_same_thread=False)
        try:
            version = int(db.execute("PRAGMA user_version").fetchone()[0])
            if version > SCHEMA:
                raise StoreError(
                    f"The conversations in {self._file} were written by a newer lens-tui (schema {version}).",
                    hint="Use that program, or move the file away to begin anew.",
                )
            if db.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
                damage = sqlite3.DatabaseError("quick_check found damage")
                damage.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
                raise damage
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = FULL")
            db.executescript(f"BEGIN IMMEDIATE; {_TABLES} PRAGMA user_version = {SCHEMA}; COMMIT;")
            # A file with our number whose tables are another program's would fail at the first question.
            db.execute("SELECT id, conversation, question, asked_at, retrieved, answered, failed FROM turn LIMIT 0")
            db.execute("SELECT id, title, begun_at FROM conversation LIMIT 0")
            db.execute("SELECT key, value FROM state LIMIT 0")
        except BaseException:
            db.close()
            raise
        return db

    def _set_aside(self) -> Path:
        number = 1
        while (kept := self._file.with_name(f"{self._file.name}.broken-{number}")).exists():
            number += 1
        self._file.rename(kept)
        for end in ("-wal", "-shm"):
            beside = self._file.with_name(self._file.name + end)
            if beside.exists():
                beside.rename(kept.with_name(kept.name + end))
        return kept

    def _end_what_broke_off(self) -> None:
        """Nobody answers the questions of an engine that is dead."""
        with self._db:
            self._db.execute(
                "UPDATE turn SET failed = ? WHERE answered IS NULL AND failed IS NULL", (wire.to_json(_BROKEN_OFF),)
            )

    def _conversation(self, id_: int) -> Conversation:
        title = self._db.execute("SELECT title FROM conversation WHERE id = ?", (id_,)).fetchone()[0]
        rows = self._db.execute(
            "SELECT id, question, asked_at, retrieved, answered, failed FROM turn WHERE conversation = ? ORDER BY id",
            (id_,),
        )
        return Conversation(id_, title, tuple(_turn(row) for row in rows))

    @contextlib.contextmanager
    def _faults(self) -> Iterator[None]:
        """One thread at a time, and SQLite's errors as a sentence."""
        with self._guard:
            try:
                yield
            except (sqlite3.Error, OSError) as error:
                hint = "Free some space, or mend the permissions of its directory."
                if isinstance(error, sqlite3.DatabaseError) and _is_damage(error):
                    hint = "Close every lens-tui and open it again: the file is then set aside and a new one begun."
                raise StoreError(f"The conversations in {self._file} cannot be used: {error}.", hint=hint) from error


def title_of(question: str) -> str:
    """The first line of a question, cut at a word where it is long, with ``…``."""
    line = next((part.strip() for part in question.splitlines() if part.strip()), "")
    if len(line) <= TITLE_CHARACTERS:
        return line
    cut = line[: TITLE_CHARACTERS - 1]
    head, space, _ = cut.rpartition(" ")
    return (head.rstrip() if space and len(head) > TITLE_CHARACTERS // 2 else cut) + "…"


def _turn(row: tuple[int, str, float, str | None, str | None, str | None]) -> Turn:
    id_, question, asked_at, retrieved, answered, failed = row
    try:
        return Turn(
            id_,
            question,
            asked_at,
            _value(retrieved, AskRetrieved),
            _value(answered, Answered),
            _value(failed, Failed),
        )
    except LensError as error:
        lost = Failed(message=f"This answer was kept and cannot be read: {error.message}", hint="Ask again.")
        return Turn(id_, question, asked_at, failed=lost)


def _value(text: str | None, kind: type[_T]) -> _T | None:
    """Raises EngineError where it is of another shape."""
    if text is None:
        return None
    try:
        fields = json.loads(text)
    except ValueError as error:
        raise EngineError(f"it is not JSON ({error}).") from error
    value: _T = wire.value_from(fields, kind)
    return value


def _plain(text: str) -> str:
    """Text that SQLite takes: lone surrogates, as in a pasted name that is not UTF-8, become question marks."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _is_damage(error: sqlite3.DatabaseError) -> bool:
    code = getattr(error, "sqlite_errorcode", None)
    # "no such column": a file of ours by its number, of something else by its tables.
    return (code is not None and code & 0xFF in _DAMAGED) or "no such column" in str(error)
