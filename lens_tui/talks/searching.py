"""Conversations as a list: all of them, or those that hold the words that were typed."""

import sqlite3
import unicodedata
from collections.abc import Sequence

from lens_tui.history import TalkRow

MOST = 500
"""Rows of a list at most: what nobody scrolls through is found by typing."""

MOST_WORDS = 50
"""Words that a turn is searched for; more would be a pasted text, whose first words find it."""

BEFORE, AFTER = 30, 90
"""Characters of a snippet before and after the first word found: a row of 120."""

_ALL = """
SELECT conversation.id, title, turn.asked_at, count FROM conversation
JOIN (SELECT conversation, max(id) AS newest, count(*) AS count FROM turn GROUP BY conversation) AS held
ON held.conversation = conversation.id
JOIN turn ON turn.id = held.newest
WHERE NOT deleted
ORDER BY turn.id DESC
"""


def listed(db: sqlite3.Connection, query: str) -> tuple[tuple[TalkRow, ...], int]:
    """The conversations that fit, the one with the newest question first, and how many there are in all."""
    words = unicodedata.normalize("NFC", query).lower().split()[:MOST_WORDS]
    if not words:
        rows = db.execute(_ALL).fetchall()
        return tuple(TalkRow(*row) for row in rows[:MOST]), len(rows)
    found = _found(db, words)
    rows = [row for row in db.execute(_ALL) if row[0] in found or _holds(row[1], words)]
    return tuple(_row(db, row, found.get(row[0]), words) for row in rows[:MOST]), len(rows)


def _found(db: sqlite3.Connection, words: Sequence[str]) -> dict[int, int]:
    """Conversation → its newest turn that holds every word."""
    holds = " AND ".join("instr(folded, ?) > 0" for _ in words)
    return dict(db.execute(f"SELECT conversation, max(turn) FROM said WHERE {holds} GROUP BY conversation", words))


def _holds(title: str, words: Sequence[str]) -> bool:
    folded = unicodedata.normalize("NFC", title).lower()
    return all(word in folded for word in words)


def _row(db: sqlite3.Connection, row: tuple[int, str, float, int], turn: int | None, words: Sequence[str]) -> TalkRow:
    id_, title, asked_at, count = row
    if turn is None:
        return TalkRow(id_, title, asked_at, count)
    folded, text = db.execute("SELECT folded, text FROM said WHERE turn = ?", (turn,)).fetchone()
    place = db.execute("SELECT count(*) FROM turn WHERE conversation = ? AND id < ?", (id_, turn)).fetchone()[0]
    return TalkRow(id_, title, asked_at, count, _snippet(folded, text, words[0]), place)


def _snippet(folded: str, text: str, word: str) -> str:
    """The words around the first hit, on one line; ``…`` where the text goes on."""
    at = folded.find(word) if len(folded) == len(text) else 0
    start, end = max(0, at - BEFORE), min(len(text), at + len(word) + AFTER)
    if start and " " in text[start:at]:
        start = text.index(" ", start, at) + 1
    if end < len(text) and " " in text[at + len(word) : end]:
        end = text.rindex(" ", at + len(word), end)
    shown = " ".join(text[start:end].split())
    return f"{'…' if start else ''}{shown}{'…' if end < len(text) else ''}"
