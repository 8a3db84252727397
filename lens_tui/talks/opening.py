"""The file that conversations are kept in: its tables, an older one brought up to date, a damaged one set aside."""

import json
import sqlite3
import unicodedata
from pathlib import Path

from lens_tui.errors import StoreError

SCHEMA = 2
"""Kept in ``PRAGMA user_version``. 2: titles that a person gave, deleting, searching, what a model was sent."""

_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)

_TABLES = """
CREATE TABLE IF NOT EXISTS conversation (
    id INTEGER PRIMARY KEY,
    title TEXT NOT NULL,
    begun_at REAL NOT NULL,
    opened_at REAL NOT NULL DEFAULT 0,
    deleted INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE IF NOT EXISTS turn (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    conversation INTEGER NOT NULL REFERENCES conversation (id),
    question TEXT NOT NULL,
    asked_at REAL NOT NULL,
    retrieved TEXT,
    answered TEXT,
    failed TEXT,
    sent TEXT
);
CREATE INDEX IF NOT EXISTS turn_of_conversation ON turn (conversation, id);
CREATE TABLE IF NOT EXISTS said (
    turn INTEGER PRIMARY KEY, conversation INTEGER NOT NULL, folded TEXT NOT NULL, text TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS said_in_conversation ON said (conversation);
CREATE TABLE IF NOT EXISTS state (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
"""
"""``said`` holds what a search looks through, apart from the turns: those are twenty times as large."""

_FROM_1 = """
ALTER TABLE conversation ADD COLUMN opened_at REAL NOT NULL DEFAULT 0;
ALTER TABLE conversation ADD COLUMN deleted INTEGER NOT NULL DEFAULT 0;
ALTER TABLE turn ADD COLUMN sent TEXT;
"""


def open_file(file: Path) -> tuple[sqlite3.Connection, str]:
    """Open the file, or make it; a damaged one is set aside and a new one begun.

    Returns:
        The connection, usable from any thread, and a sentence on what was set aside, or an empty one.

    Raises:
        StoreError: A newer program wrote it.
        sqlite3.Error: It cannot be read or written.
    """
    try:
        return _open(file), ""
    except sqlite3.DatabaseError as error:
        if not is_damage(error):
            raise
        kept = _set_aside(file)
        return _open(file), f"The conversations could not be read and were set aside as {kept.name}."


def is_damage(error: sqlite3.DatabaseError) -> bool:
    """Whether an error tells of a file that no later try will read."""
    code = getattr(error, "sqlite_errorcode", None)
    # "no such column", "no such table": a file of ours by its number, of something else by its tables.
    return (code is not None and code & 0xFF in _DAMAGED) or str(error).startswith("no such ")


def said(question: str, answer: str) -> tuple[str, str]:
    """A turn's text as it is searched and as it is shown: one form for each letter, whatever system it comes from."""
    text = unicodedata.normalize("NFC", f"{question}\n{answer}")
    return text.lower(), text


def _open(file: Path) -> sqlite3.Connection:
    db = sqlite3.connect(file, check_same_thread=False)
    try:
        version = int(db.execute("PRAGMA user_version").fetchone()[0])
        if version > SCHEMA:
            raise StoreError(
                f"The conversations in {file} were written by a newer lens-tui (schema {version}).",
                hint="Use that program, or move the file away to begin anew.",
            )
        if db.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
            damage = sqlite3.DatabaseError("quick_check found damage")
            damage.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
            raise damage
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        # A conversation that a person deleted is not left readable in the file.
        db.execute("PRAGMA secure_delete = ON")
        older = _FROM_1 if version == 1 else ""
        db.executescript(f"BEGIN IMMEDIATE; {older} {_TABLES} PRAGMA user_version = {SCHEMA}; COMMIT;")
        # A file with our number whose tables are another program's would fail at the first question.
        db.execute("SELECT id, conversation, question, asked_at, retrieved, answered, failed, sent FROM turn LIMIT 0")
        db.execute("SELECT id, title, begun_at, opened_at, deleted FROM conversation LIMIT 0")
        db.execute("SELECT key, value FROM state LIMIT 0")
        if version == 1:
            _fill_said(db)
    except BaseException:
        db.close()
        raise
    return db


def _fill_said(db: sqlite3.Connection) -> None:
    """Make turns of an older program findable."""
    with db:
        db.execute("UPDATE conversation SET opened_at = begun_at")
        turns = db.execute("SELECT id, conversation, question, answered FROM turn")
        for turn, conversation, question, answered in turns:
            db.execute(
                "INSERT OR REPLACE INTO said VALUES (?, ?, ?, ?)",
                (turn, conversation, *said(question, _text_in(answered))),
            )


def _text_in(answered: str | None) -> str:
    try:
        fields = json.loads(answered or "{}")
    except ValueError:
        return ""
    text = fields.get("text") if isinstance(fields, dict) else None
    return text if isinstance(text, str) else ""


def _set_aside(file: Path) -> Path:
    number = 1
    while (kept := file.with_name(f"{file.name}.broken-{number}")).exists():
        number += 1
    file.rename(kept)
    for end in ("-wal", "-shm"):
        beside = file.with_name(file.name + end)
        if beside.exists():
            beside.rename(kept.with_name(kept.name + end))
    return kept
