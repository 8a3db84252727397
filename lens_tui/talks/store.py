"""Reads and writes one folder's conversations. The engine alone does.

A question is written before it is answered, so that it outlives whatever ends the answer.
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
from lens_tui.errors import EngineError, LensError, StoreError, UsageError
from lens_tui.history import Conversation, PromptSent, TalkRow, Turn
from lens_tui.talks.opening import is_damage, open_file, said
from lens_tui.talks.searching import TalkSearch
from lens_tui.text.titles import TITLE_CHARACTERS, title_of
from lens_tui.types import Answered, AskRetrieved, Failed

_BROKEN_OFF = Failed(message="The engine ended before it had answered this.", hint="Ask again.", kind="EngineError")
"""What a turn shows whose engine was killed."""

_T = TypeVar("_T", AskRetrieved, Answered, Failed, PromptSent)


class Talks:
    """One folder's conversations, from any number of threads."""

    def __init__(self, file: Path, *, clock: Callable[[], float] = time.time) -> None:
        """Open the file, or make it. A damaged one is set aside and a new one begun; ``notes`` says so.

        Args:
            file: Where they are kept; its directory exists.
            clock: Seconds since the epoch.

        Raises:
            StoreError: It cannot be read or written, or a newer program made it.
        """
        self._file = file
        self._clock = clock
        self._guard = threading.RLock()
        self._search = TalkSearch()
        with self._faults():
            self._db, note = open_file(file)
            self._end_what_broke_off()
            self._purge()
        self.notes: tuple[str, ...] = (note,) if note else ()
        """Sentences on what happened at opening."""

    # Conversations.

    def last(self) -> Conversation:
        """The conversation that was opened or begun last; an empty one is begun where there is none."""
        with self._faults():
            identity = self._last()
            return self.begin() if identity is None else self._conversation(identity)

    def begin(self) -> Conversation:
        """Begin a new conversation; the newest one where that is still empty."""
        with self._faults():
            row = self._db.execute(
                "SELECT id FROM conversation WHERE id = (SELECT max(id) FROM conversation) AND NOT deleted"
                " AND NOT EXISTS (SELECT 1 FROM turn WHERE conversation = conversation.id)"
            ).fetchone()
            if row is not None:
                return self.open(row[0])
            with self._db:
                now = self._clock()
                added = self._db.execute(
                    "INSERT INTO conversation (title, begun_at, opened_at) VALUES ('', ?, ?)", (now, now)
                ).lastrowid
            return Conversation(added or 0, "")

    def open(self, conversation: int) -> Conversation:
        """Read a conversation on: it is the last one from now on. Raises UsageError where there is none."""
        with self._faults():
            self._check(conversation)
            with self._db:
                self._db.execute("UPDATE conversation SET opened_at = ? WHERE id = ?", (self._clock(), conversation))
            return self._conversation(conversation)

    def read(self, conversation: int) -> Conversation:
        """A conversation as it is kept. Raises UsageError where there is none."""
        with self._faults():
            self._check(conversation)
            return self._conversation(conversation)

    def list(self, query: str = "") -> tuple[tuple[TalkRow, ...], int]:
        """Conversations that hold every word of ``query`` in one turn or in their title, newest question first.

        Returns:
            At most ``searching.MOST`` of them, and how many there are.
        """
        with self._faults():
            return self._search.list(self._db, query)

    def rename(self, conversation: int, title: str) -> None:
        """Give a conversation a title; an empty one gives it back the one of its first question."""
        with self._faults():
            self._check(conversation)
            words = " ".join(_plain(title).split())[:TITLE_CHARACTERS]
            if not words:
                row = self._db.execute(
                    "SELECT question FROM turn WHERE conversation = ? ORDER BY id LIMIT 1", (conversation,)
                ).fetchone()
                words = title_of(row[0]) if row is not None else ""
            with self._db:
                self._db.execute("UPDATE conversation SET title = ? WHERE id = ?", (words, conversation))

    def delete(self, conversation: int, *, undo: bool = False) -> None:
        """Take a conversation out of every list, or with ``undo`` bring it back.

        Until the file is closed it can be brought back; then nothing of it is left.
        """
        with self._faults(), self._db:
            self._db.execute("UPDATE conversation SET deleted = ? WHERE id = ?", (not undo, conversation))

    # Turns.

    def begin_turn(self, question: str, asked_at: float, conversation: int | None = None) -> int:
        """Write down a question, before anything is done about it.

        Args:
            question: As it was asked.
            asked_at: Seconds since the epoch.
            conversation: Where it belongs; the last one where this is None or deleted meanwhile.

        Returns:
            The turn's id, for ``finish_turn``.
        """
        question = _plain(question)
        with self._faults():
            self._search.forget()
            if conversation is None or not self._is_there(conversation):
                conversation = self._last() or self.begin().id
            with self._db:
                added = self._db.execute(
                    "INSERT INTO turn (conversation, question, asked_at) VALUES (?, ?, ?)",
                    (conversation, question, asked_at),
                ).lastrowid
                self._db.execute("INSERT INTO said VALUES (?, ?, ?, ?)", (added, conversation, *said(question, "")))
                self._db.execute(
                    "UPDATE conversation SET title = ? WHERE id = ? AND title = ''", (title_of(question), conversation)
                )
            return added or 0

    def finish_turn(
        self,
        turn: int,
        retrieved: AskRetrieved | None = None,
        answered: Answered | None = None,
        failed: Failed | None = None,
        sent: PromptSent | None = None,
    ) -> None:
        """Write down how a turn ended; with neither an answer nor a failure it counts as broken off."""
        if answered is None and failed is None:
            failed = _BROKEN_OFF
        values = tuple(None if value is None else wire.to_json(value) for value in (retrieved, answered, failed, sent))
        with self._faults(), self._db:
            self._db.execute(
                "UPDATE turn SET retrieved = ?, answered = ?, failed = ?, sent = ? WHERE id = ?", (*values, turn)
            )
            self._search.forget()
            row = self._db.execute("SELECT question FROM turn WHERE id = ?", (turn,)).fetchone()
            if row is not None and answered is not None:
                found = said(row[0], _plain(answered.text))
                self._db.execute("UPDATE said SET folded = ?, text = ? WHERE turn = ?", (*found, turn))

    # What the app wants back.

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
        """Let go of the file, and of what was deleted."""
        with self._guard:
            with contextlib.suppress(sqlite3.Error):
                self._purge()
            self._db.close()

    def _purge(self) -> None:
        with self._db:
            for table in ("said", "turn"):
                self._db.execute(
                    f"DELETE FROM {table} WHERE conversation IN (SELECT id FROM conversation WHERE deleted)"
                )
            self._db.execute("DELETE FROM conversation WHERE deleted")

    def _end_what_broke_off(self) -> None:
        """Nobody answers the questions of an engine that is dead."""
        with self._db:
            self._db.execute(
                "UPDATE turn SET failed = ? WHERE answered IS NULL AND failed IS NULL", (wire.to_json(_BROKEN_OFF),)
            )

    def _last(self) -> int | None:
        row = self._db.execute(
            "SELECT id FROM conversation WHERE NOT deleted ORDER BY opened_at DESC, id DESC LIMIT 1"
        ).fetchone()
        return None if row is None else int(row[0])

    def _is_there(self, conversation: int) -> bool:
        found = self._db.execute("SELECT 1 FROM conversation WHERE id = ? AND NOT deleted", (conversation,))
        return found.fetchone() is not None

    def _check(self, conversation: int) -> None:
        if not self._is_there(conversation):
            raise UsageError("This conversation was deleted.", hint="Choose another one from the list.")

    def _conversation(self, id_: int) -> Conversation:
        title = self._db.execute("SELECT title FROM conversation WHERE id = ?", (id_,)).fetchone()[0]
        rows = self._db.execute(
            "SELECT id, question, asked_at, retrieved, answered, failed, sent FROM turn"
            " WHERE conversation = ? ORDER BY id",
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
                if isinstance(error, sqlite3.DatabaseError) and is_damage(error):
                    hint = "Close every lens-tui and open it again: the file is then set aside and a new one begun."
                raise StoreError(f"The conversations in {self._file} cannot be used: {error}.", hint=hint) from error


def _turn(row: tuple[int, str, float, str | None, str | None, str | None, str | None]) -> Turn:
    id_, question, asked_at, retrieved, answered, failed, sent = row
    try:
        return Turn(
            id_,
            question,
            asked_at,
            _value(retrieved, AskRetrieved),
            _value(answered, Answered),
            _value(failed, Failed),
            _value(sent, PromptSent),
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
