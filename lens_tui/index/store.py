"""The truth about the folder's index: files, chunks, their generations and the recipe, in one SQLite file.

Everything else in the index's directory is derived from here. Every change raises the generation by one; chunks carry
the generation they came with, ``gone`` the one that took them, so each derived index can tell what it lacks.
Chunk ids count up and are never given twice.
"""

import json
import sqlite3
import uuid
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lens_tui.index import recipes
from lens_tui.index.database import Database
from lens_tui.types import UNTRUSTED, Chunk, Document, FileRecord, Recipe

SCHEMA = 2
"""Raised whenever the tables change."""

Lengths = tuple[int, int]
"""Index terms of a chunk: as words, and as their beginnings."""

_TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE files (
    id INTEGER PRIMARY KEY, path NOT NULL UNIQUE, checksum TEXT NOT NULL, size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL, inode INTEGER NOT NULL, kind TEXT NOT NULL, title NOT NULL, tags TEXT NOT NULL,
    body_start INTEGER NOT NULL, pages TEXT NOT NULL, encoding TEXT NOT NULL, warnings TEXT NOT NULL,
    chunks INTEGER NOT NULL, word_terms INTEGER NOT NULL, beginning_terms INTEGER NOT NULL,
    generation INTEGER NOT NULL);
CREATE TABLE chunks (
    id INTEGER PRIMARY KEY, file INTEGER NOT NULL, place INTEGER NOT NULL, start INTEGER NOT NULL,
    stop INTEGER NOT NULL, text NOT NULL, first_line INTEGER NOT NULL, last_line INTEGER NOT NULL,
    tokens INTEGER NOT NULL, strategy TEXT NOT NULL, overlap_before INTEGER NOT NULL, overlap_after INTEGER NOT NULL,
    page INTEGER, heading TEXT NOT NULL, tags TEXT NOT NULL, level INTEGER, parent TEXT, children TEXT NOT NULL,
    context, context_tokens INTEGER NOT NULL, contextualized INTEGER NOT NULL, late INTEGER NOT NULL,
    word_terms INTEGER NOT NULL, beginning_terms INTEGER NOT NULL,
    vector_key BLOB NOT NULL, embedded INTEGER NOT NULL, collected INTEGER NOT NULL, generation INTEGER NOT NULL);
CREATE UNIQUE INDEX chunks_of_file ON chunks (file, place);
CREATE INDEX chunks_since ON chunks (generation);
CREATE INDEX chunks_of_vector ON chunks (vector_key);
CREATE INDEX chunks_waiting ON chunks (id) WHERE embedded = 0;
CREATE INDEX chunks_uncollected ON chunks (id) WHERE embedded = 1 AND collected = 0;
CREATE TABLE gone (
    chunk INTEGER PRIMARY KEY, place_key TEXT NOT NULL, collected INTEGER NOT NULL, generation INTEGER NOT NULL);
CREATE INDEX gone_since ON gone (generation);
CREATE INDEX gone_collected ON gone (chunk) WHERE collected = 1;
CREATE TABLE embedders (id INTEGER PRIMARY KEY, name NOT NULL UNIQUE, dimensions INTEGER NOT NULL);
CREATE TABLE vectors (id INTEGER PRIMARY KEY, embedder INTEGER NOT NULL, key BLOB NOT NULL, vector BLOB NOT NULL);
CREATE UNIQUE INDEX vectors_by_key ON vectors (embedder, key)
"""

_CHUNK = (
    "SELECT c.id, f.path, f.checksum, c.place, c.start, c.stop, c.text, c.first_line, c.last_line, c.tokens,"
    " c.strategy, c.overlap_before, c.overlap_after, c.page, c.heading, c.tags, c.level, c.parent, c.children,"
    " c.context, c.context_tokens, c.contextualized, c.late, f.title, c.generation, c.word_terms,"
    " c.beginning_terms, f.chunks FROM chunks c JOIN files f ON f.id = c.file"
)
AT_ONCE = 500
"""Ids asked for in one statement; SQLite's default limit is 32,766."""


@dataclass(frozen=True, slots=True)
class Row:
    """A chunk as stored."""

    id: int
    chunk: Chunk
    title: str
    """Its file's title; empty where it has none."""
    generation: int
    lengths: Lengths
    siblings: int = 1
    """Chunks of its file, itself among them."""


@dataclass(frozen=True, slots=True)
class Change:
    """What a write did."""

    generation: int
    added: tuple[int, ...] = ()
    """Ids of the new chunks, in order."""
    gone: tuple[int, ...] = ()
    """Ids of those they replaced."""


@dataclass(frozen=True, slots=True)
class Totals:
    """Sums over everything that is indexed now."""

    files: int
    chunks: int
    lengths: Lengths


class Store:
    """The folder's files and chunks. Safe from any thread."""

    def __init__(self, file: Path) -> None:
        """Open or make the store. Raises StoreError (see Database)."""
        self.database = Database(file, _TABLES, SCHEMA)
        with self.database.read() as db:
            meta = dict(db.execute("SELECT key, value FROM meta"))
            sums = db.execute(
                "SELECT count(*), total(chunks), total(word_terms), total(beginning_terms) FROM files"
            ).fetchone()
        self._generation = int(meta.get("generation", 0))
        self._next_id = int(meta.get("next_id", 1))
        self.identity: str = meta.get("identity") or self._named()
        """Names this store: what was derived from another is not taken for its own."""
        self._totals = Totals(sums[0], int(sums[1]), (int(sums[2]), int(sums[3])))

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences on what was wrong with the store's file."""
        return tuple(self.database.notes)

    @property
    def generation(self) -> int:
        """Number of the last change."""
        return self._generation

    @property
    def next_id(self) -> int:
        """The id that the next new chunk gets."""
        return self._next_id

    @property
    def totals(self) -> Totals:
        """Sums over everything, kept as it changes: asking costs nothing."""
        return self._totals

    def close(self) -> None:
        """Let go of the file."""
        self.database.close()

    def recipe(self) -> Recipe | None:
        """What the index was built with; None for a new one."""
        with self.database.read() as db:
            row = db.execute("SELECT value FROM meta WHERE key = 'recipe'").fetchone()
        return recipes.read(row[0]) if row else None

    def keep_recipe(self, recipe: Recipe) -> None:
        """Remember what the index is built with from now on."""
        with self.database.write() as db:
            db.execute("REPLACE INTO meta VALUES ('recipe', ?)", (recipes.written(recipe),))

    def indexed(self) -> dict[str, FileRecord]:
        """Every file by path."""
        with self.database.read() as db:
            rows = db.execute(
                "SELECT path, checksum, size, mtime_ns, inode, chunks, warnings FROM files ORDER BY id"
            ).fetchall()
        fields = ((loaded(path), *row, tuple(json.loads(warnings))) for path, *row, warnings in rows)
        return {path: FileRecord(path, *row) for path, *row in fields}

    def replace(
        self,
        document: Document,
        chunks: Sequence[Chunk],
        lengths: Sequence[Lengths],
        keys: Sequence[bytes],
        embedder: int,
    ) -> Change:
        """Put a document in the place of whatever its path held; durable on return.

        Args:
            document: As read.
            chunks: Its chunks in order.
            lengths: Of each chunk.
            keys: The vector key of each chunk; those whose vector is known under ``embedder`` need no new one.
            embedder: Number of the embedder in use.
        """
        with self.database.write() as db:
            generation = self._generation + 1
            first = self._next_id
            gone, before = self._take_out(db, document.path, generation)
            sums = _sums(lengths)
            file = _insert_file(db, document, len(chunks), sums, generation)
            known = _known_keys(db, embedder, keys)
            db.executemany(
                f"INSERT INTO chunks VALUES ({','.join('?' * 28)})",
                [
                    (first + at, file, *_columns(chunk), *length, key, key in known, 0, generation)
                    for at, (chunk, length, key) in enumerate(zip(chunks, lengths, keys, strict=True))
                ],
            )
            self._count(db, generation, first + len(chunks))
            self._generation, self._next_id = generation, first + len(chunks)
            self._totals = _moved(before, 1, len(chunks), sums)
        return Change(generation, tuple(range(first, first + len(chunks))), gone)

    def forget(self, path: str) -> Change | None:
        """Take a file out; None where it was not in."""
        with self.database.write() as db:
            if not db.execute("SELECT 1 FROM files WHERE path = ?", (stored(path),)).fetchone():
                return None
            generation = self._generation + 1
            gone, before = self._take_out(db, path, generation)
            self._count(db, generation, self._next_id)
            self._generation, self._totals = generation, before
        return Change(generation, (), gone)

    def clear(self) -> None:
        """Take every file out at once and take another identity, so that what was derived is made anew.

        Vectors stay: what comes again with the same content has its own.
        """
        with self.database.write() as db:
            for table in ("chunks", "files", "gone"):
                db.execute(f"DELETE FROM {table}")
            identity = uuid.uuid4().hex
            db.execute("REPLACE INTO meta VALUES ('identity', ?)", (identity,))
            self._count(db, self._generation + 1, self._next_id)
            self.identity = identity
            self._generation += 1
            self._totals = Totals(0, 0, (0, 0))

    def distrust(self) -> None:
        """Let no file's stamp be that of a file on the disk."""
        with self.database.write() as db:
            db.execute("UPDATE files SET mtime_ns = ?", (UNTRUSTED,))

    def touch(self, record: FileRecord) -> None:
        """Keep a file's size, time and inode, and what is to be known of how it was read."""
        with self.database.write() as db:
            db.execute(
                "UPDATE files SET size = ?, mtime_ns = ?, inode = ?, warnings = ? WHERE path = ?",
                (record.size, record.mtime_ns, record.inode, json.dumps(record.warnings), stored(record.path)),
            )

    def chunks_of(self, path: str) -> list[Row]:
        """A file's chunks in order; empty where it is not in."""
        with self.database.read() as db:
            rows = db.execute(f"{_CHUNK} WHERE f.path = ? ORDER BY c.place", (stored(path),)).fetchall()
        return [_row(row) for row in rows]

    def without_note(self) -> dict[str, int]:
        """How many chunks of each file have no note; files in which all have one are left out."""
        sql = (
            "SELECT f.path, count(*) FROM chunks c JOIN files f ON f.id = c.file WHERE c.contextualized = 0"
            " GROUP BY f.id ORDER BY f.path"
        )
        with self.database.read() as db:
            return {loaded(path): many for path, many in db.execute(sql)}

    def rows(self, ids: Iterable[int]) -> dict[int, Row]:
        """The chunks with these ids; those that are gone are left out."""
        wanted = list(ids)
        found: dict[int, Row] = {}
        with self.database.read() as db:
            for at in range(0, len(wanted), AT_ONCE):
                part = wanted[at : at + AT_ONCE]
                marks = ",".join("?" * len(part))
                found.update((row[0], _row(row)) for row in db.execute(f"{_CHUNK} WHERE c.id IN ({marks})", part))
        return found

    def since(self, generation: int, *, until: int | None = None, batch: int = AT_ONCE) -> Iterator[list[Row]]:
        """Chunks that came after ``generation`` with an id below ``until``, by id, in batches.

        Those that go while this runs are left out of the batches that follow.
        """
        with self.database.read() as db:
            sql = "SELECT id FROM chunks WHERE generation > ? AND id < ?"
            ids = sorted(row[0] for row in db.execute(sql, (generation, self.next_id if until is None else until)))
        for at in range(0, len(ids), batch):
            rows = self.rows(ids[at : at + batch])
            yield [rows[id_] for id_ in sorted(rows)]

    def lacking(self, generation: int) -> tuple[int, list[int]]:
        """How many chunks came after ``generation``, and the ids of those that went after it."""
        with self.database.read() as db:
            came = db.execute("SELECT count(*) FROM chunks WHERE generation > ?", (generation,)).fetchone()[0]
            gone = [row[0] for row in db.execute("SELECT chunk FROM gone WHERE generation > ?", (generation,))]
        return came, gone

    def lexical_has(self, generation: int) -> None:
        """Drop the memory of what went before ``generation`` and neither derived index holds any more."""
        with self.database.write() as db:
            db.execute("REPLACE INTO meta VALUES ('lexical', ?)", (generation,))
            db.execute("DELETE FROM gone WHERE generation <= ? AND collected = 0", (generation,))

    def _named(self) -> str:
        identity = uuid.uuid4().hex
        with self.database.write() as db:
            db.execute("INSERT INTO meta VALUES ('identity', ?)", (identity,))
        return identity

    def _take_out(self, db: sqlite3.Connection, path: str, generation: int) -> tuple[tuple[int, ...], Totals]:
        row = db.execute(
            "SELECT id, checksum, chunks, word_terms, beginning_terms FROM files WHERE path = ?",
            (stored(path),),
        ).fetchone()
        if row is None:
            return (), self._totals
        file, checksum, count, *lengths = row
        old = db.execute("SELECT id, place, collected FROM chunks WHERE file = ?", (file,)).fetchall()
        db.executemany(
            "INSERT INTO gone VALUES (?, ?, ?, ?)",
            [(id_, place_key(path, checksum, place), had, generation) for id_, place, had in old],
        )
        db.execute("DELETE FROM chunks WHERE file = ?", (file,))
        db.execute("DELETE FROM files WHERE id = ?", (file,))
        words, beginnings = (-length for length in lengths)
        return tuple(row[0] for row in old), _moved(self._totals, -1, -count, (words, beginnings))

    @staticmethod
    def _count(db: sqlite3.Connection, generation: int, next_id: int) -> None:
        db.execute("REPLACE INTO meta VALUES ('generation', ?), ('next_id', ?)", (generation, next_id))


def place_key(path: str, checksum: str, place: int) -> str:
    """Name a place (path and chunk) for the collection, as text that any database takes.

    A path that is no valid Unicode is written in hex after a ``/``, which no relative path begins with.
    """
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        path = "/" + path.encode("utf-8", "surrogatepass").hex()
    return f"{path}#{checksum[:12]}-{place}"


def stored(text: str) -> str | bytes:
    """Text as SQLite takes it: lone surrogates, which it refuses, make it bytes."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")
    return text


def loaded(value: str | bytes) -> str:
    """The text that ``stored`` was given."""
    return value if isinstance(value, str) else value.decode("utf-8", "surrogatepass")


def _known_keys(db: sqlite3.Connection, embedder: int, keys: Sequence[bytes]) -> set[bytes]:
    known: set[bytes] = set()
    for at in range(0, len(keys), AT_ONCE):
        part = keys[at : at + AT_ONCE]
        marks = ",".join("?" * len(part))
        sql = f"SELECT key FROM vectors WHERE embedder = ? AND key IN ({marks})"
        known.update(row[0] for row in db.execute(sql, (embedder, *part)))
    return known


def _insert_file(db: sqlite3.Connection, document: Document, chunks: int, sums: Lengths, generation: int) -> int:
    row = (
        stored(document.path), document.checksum, document.size, document.mtime_ns, document.inode, document.kind,
        stored(document.title), json.dumps(document.tags), document.body_start,
        json.dumps(document.pages), document.encoding, json.dumps(document.warnings), chunks, *sums, generation,
    )  # fmt: skip
    found = db.execute(f"INSERT INTO files VALUES (NULL, {','.join('?' * 16)})", row).lastrowid
    return int(found or 0)


def _columns(chunk: Chunk) -> tuple[Any, ...]:
    return (
        chunk.index, chunk.start, chunk.end, stored(chunk.text), *chunk.lines, chunk.tokens, chunk.strategy,
        chunk.overlap_before, chunk.overlap_after, chunk.page, json.dumps(chunk.heading), json.dumps(chunk.tags),
        chunk.level, chunk.parent, json.dumps(chunk.children),
        None if chunk.context is None else stored(chunk.context), chunk.context_tokens, chunk.contextualized,
        chunk.late,
    )  # fmt: skip


def _row(row: Sequence[Any]) -> Row:
    chunk = Chunk(
        path=loaded(row[1]), checksum=row[2], index=row[3], start=row[4], end=row[5], text=loaded(row[6]),
        lines=(row[7], row[8]), tokens=row[9], strategy=row[10], overlap_before=row[11], overlap_after=row[12],
        page=row[13], heading=_list(row[14]), tags=_list(row[15]), level=row[16], parent=row[17],
        children=_list(row[18]), context=None if row[19] is None else loaded(row[19]), context_tokens=row[20],
        contextualized=bool(row[21]), late=bool(row[22]),
    )  # fmt: skip
    return Row(row[0], chunk, loaded(row[23]), row[24], (row[25], row[26]), row[27])


def _list(text: str) -> tuple[str, ...]:
    return () if text == "[]" else tuple(json.loads(text))


def _sums(lengths: Sequence[Lengths]) -> Lengths:
    return sum(n[0] for n in lengths), sum(n[1] for n in lengths)


def _moved(totals: Totals, files: int, chunks: int, lengths: Lengths) -> Totals:
    words, beginnings = (a + b for a, b in zip(totals.lengths, lengths, strict=True))
    return Totals(totals.files + files, totals.chunks + chunks, (words, beginnings))
