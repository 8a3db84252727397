"""Conversations as a list: all of them, or those that hold the words that were typed."""

import sqlite3
import unicodedata
from collections.abc import Sequence

from lens_tui.history import TalkRow

MOST = 200
"""Rows of a list at most: what nobody scrolls through is found by typing."""

MOST_WORDS = 50
"""Words that a turn is searched for; more would be a pasted text, whose first words find it."""

BEFORE, AFTER = 20, 90
"""Characters of a snippet before and after the first word found: few before, so that a narrow row still shows it."""

_ALL = """
SELECT conversation.id, title, turn.asked_at, count FROM conversation
JOIN (SELECT conversation, max(id) AS newest, count(*) AS count FROM turn GROUP BY conversation) AS held
ON held.conversation = conversation.id
JOIN turn ON turn.id = held.newest
WHERE NOT deleted
ORDER BY turn.id DESC
"""


class TalkSearch:
    """Lists conversations. What is searched stays in memory while nothing is written: each letter typed asks anew."""

    def __init__(self) -> None:
        """Nothing is read before the first search."""
        self._said: list[tuple[int, int, str]] | None = None

    def forget(self) -> None:
        """Something was written."""
        self._said = None

    def list(self, db: sqlite3.Connection, query: str) -> tuple[tuple[TalkRow, ...], int]:
        """The conversations that fit, the one with the newest question first, and how many there are in all."""
        words = unicodedata.normalize("NFC", query).lower().split()[:MOST_WORDS]
        if not words:
            rows = db.execute(_ALL).fetchall()
            return tuple(TalkRow(*row) for row in rows[:MOST]), len(rows)
        found = self._found(db, words)
        rows = [row for row in db.execute(_ALL) if row[0] in found or _holds(row[1], words)]
        return tuple(_row(db, row, found.get(row[0]), words) for row in rows[:MOST]), len(rows)

    def _found(self, db: sqlite3.Connection, words: Sequence[str]) -> dict[int, int]:
        """Conversation → its newest turn that holds every word."""
        if self._said is None:
            self._said = db.execute("SELECT turn, conversation, folded FROM said ORDER BY turn").fetchall()
        first, *others = words
        return {
            conversation: turn
            for turn, conversation, folded in self._said
            if first in folded and all(word in folded for word in others)
        }


def _holds(title: str, words: Sequence[str]) -> bool:
    folded = unicodedata.normalize("NFC", title).lower()
    return all(word in folded for word in words)


def _row(db: sqlite3.Connection, row: tuple[int, str, float, int], turn: int | None, words: Sequence[str]) -> TalkRow:
    id_, title, asked_at, count = row
    if turn is None:
        return TalkRow(id_, title, asked_at, count)
    folded, text = db.execute("SELECT folded, text FROM said WHERE turn = ?", (turn,)).fetchone()
    return TalkRow(id_, title, asked_at, count, _snippet(folded, text, words[0]), turn)


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
