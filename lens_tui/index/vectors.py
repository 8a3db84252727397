"""Every vector that was ever made, in the store: by embedder and by the hash of what was embedded.

They stay when files change, so a chunk that comes back, moves or is found in another file needs no new one.
A chunk is ``embedded`` where its vector is here, ``collected`` where the collection has it too.
"""

import hashlib
import json
import sqlite3
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lens_tui.index.store import AT_ONCE, Store, place_key, stored
from lens_tui.index.store import loaded as loaded_text
from lens_tui.text.framing import SPAN, TEXT, framed
from lens_tui.text.standing import standing, standing_of
from lens_tui.types import Chunk, Span

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

Text = str | bytes
"""As the store keeps it."""

SPARE = 1_000
"""Vectors without a chunk that are always kept: what an evening of edits leaves behind, and 4 MB."""


_EMBEDDED = (
    "c.strategy, f.path, c.heading, c.context, c.text, f.title, f.checksum, c.start, c.stop"
    " FROM chunks c JOIN files f ON f.id = c.file"
)
"""What a chunk's vector is made of."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A chunk's text that has no vector yet."""

    key: bytes
    text: str


@dataclass(frozen=True, slots=True)
class WaitingSpans:
    """A document, and spans of it that have no vector yet."""

    text: str
    spans: list[tuple[bytes, Span]]
    """Key and place of each."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A chunk whose vector the collection lacks."""

    id: int
    place: str
    vector: bytes
    """float32, little-endian."""


NOTE_AT = "prefix"
"""Where a chunk's note stands when it is embedded: ``prefix``, ``suffix`` or ``both``."""


def passage(chunk: Chunk, frame: str = TEXT, title: str = "", note_at: str = NOTE_AT) -> str:
    """What is embedded for a chunk: where it stands, its note and its text, in what its model wants around it.

    Lone surrogates become U+FFFD.
    """
    return _passage(frame, title, standing_of(chunk), chunk.context, chunk.text, note_at)


def _passage(frame: str, title: str, place: str, context: str | None, body: str, note_at: str) -> str:
    before, after = (context or "") if note_at != "suffix" else "", (context or "") if note_at != "prefix" else ""
    parts = (place, before, body, after)
    text = framed(frame, "\n\n".join(part for part in parts if part), title)
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _span(checksum: str, start: int, end: int) -> str:
    """What names a vector that is made of a whole document: it, and the span that is pooled."""
    return f"{checksum} {start}-{end}"


def vector_key(text: str) -> bytes:
    """Hash of what is embedded, 16 bytes."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


class VectorShelf:
    """The store's vectors for one embedder at a time. Safe from any thread."""

    def __init__(self, store: Store, embedder: str, frame: str = TEXT, note_at: str = NOTE_AT) -> None:
        """Turn to the vectors of ``embedder``; where another one was in use, the collection starts anew.

        ``frame`` is what it wants around a passage (see families.py); another one makes other texts to embed.
        """
        self._db = store.database
        self._frame, self._note_at = frame, note_at
        self._lock = threading.Lock()
        with self._db.write() as db:
            db.execute("INSERT OR IGNORE INTO embedders VALUES (NULL, ?, 0)", (stored(embedder),))
            sql = "SELECT id, dimensions FROM embedders WHERE name = ?"
            self.embedder, self._dimensions = db.execute(sql, (stored(embedder),)).fetchone()
            last = db.execute("SELECT value FROM meta WHERE key = 'embedder'").fetchone()
            self.changed = last is not None and last[0] != self.embedder
            before = db.execute("SELECT value FROM meta WHERE key = 'frame'").fetchone()
            reframed = frame != (before[0] if before else TEXT)
            if reframed:
                self._put_in_frames(db)
            if last is None or self.changed or reframed:
                self._turn(db)

    @property
    def dimensions(self) -> int:
        """Values of each kept vector; 0 while there is none."""
        return int(self._dimensions)

    def passage(self, chunk: Chunk, title: str) -> str:
        """What is embedded of a chunk of a file with this title, where it is embedded alone."""
        return passage(chunk, TEXT if self._frame == SPAN else self._frame, title, self._note_at)

    def key_of(self, chunk: Chunk, title: str) -> bytes:
        """Hash of what a chunk's vector is made of."""
        if self._frame == SPAN:
            return vector_key(_span(chunk.checksum, chunk.start, chunk.end))
        return vector_key(self.passage(chunk, title))

    def waiting_spans(self, limit: int) -> WaitingSpans | None:
        """The first document with chunks that lack a vector of their span, its text put together from its chunks.

        What stands in none of them (white space, front matter) is blank in it. None where no vector is missing.
        """
        with self._db.read() as db:
            first = db.execute("SELECT file FROM chunks WHERE embedded = 0 ORDER BY id LIMIT 1").fetchone()
            if first is None:
                return None
            sql = "SELECT start, stop, text, vector_key, embedded FROM chunks WHERE file = ? ORDER BY place"
            rows = db.execute(sql, first).fetchall()
        wanted = [(key, (start, stop)) for start, stop, _, key, embedded in rows if not embedded][:limit]
        return WaitingSpans(_pieced((start, loaded_text(text)) for start, _, text, *_ in rows), wanted)

    def missing(self) -> int:
        """Chunks without a vector."""
        with self._db.read() as db:
            return int(db.execute("SELECT count(*) FROM chunks WHERE embedded = 0").fetchone()[0])

    def uncollected(self) -> int:
        """Chunks whose vector is here and not yet in the collection."""
        with self._db.read() as db:
            sql = "SELECT count(*) FROM chunks WHERE embedded = 1 AND collected = 0"
            return int(db.execute(sql).fetchone()[0])

    def collected(self) -> int:
        """Places that the collection is known to hold, those to be deleted among them."""
        with self._db.read() as db:
            sql = (
                "SELECT (SELECT count(*) FROM chunks) - (SELECT count(*) FROM chunks WHERE embedded = 0)"
                " - (SELECT count(*) FROM chunks WHERE embedded = 1 AND collected = 0)"
                " + (SELECT count(DISTINCT place_key) FROM gone WHERE collected = 1)"
            )
            return int(db.execute(sql).fetchone()[0])

    def mostly_gone(self) -> bool:
        """Whether more of what the collection holds is gone from the store than is still in it."""
        with self._db.read() as db:
            gone = int(db.execute("SELECT count(DISTINCT place_key) FROM gone WHERE collected = 1").fetchone()[0])
        return 2 * gone > self.collected()

    def worn(self) -> bool:
        """Whether it has dropped so many places, whose room Chroma never uses again, that it is best made anew."""
        with self._db.read() as db:
            row = db.execute("SELECT value FROM meta WHERE key = 'dropped'").fetchone()
            chunks = db.execute("SELECT count(*) FROM chunks").fetchone()[0]
        return row is not None and row[0] > max(SPARE, 2 * chunks)

    def waiting(self, limit: int) -> list[Waiting]:
        """Texts of the first chunks without a vector, each once."""
        with self._db.read() as db:
            sql = f"SELECT c.vector_key, {_EMBEDDED} WHERE c.embedded = 0 ORDER BY c.id LIMIT ?"
            rows = db.execute(sql, (limit,)).fetchall()
        found: dict[bytes, Waiting] = {}
        for key, *parts in rows:
            found.setdefault(key, Waiting(key, self._text(*parts)))
        return list(found.values())

    def keep(self, keys: Sequence[bytes], vectors: "Vectors") -> int:
        """Store the vectors of these keys, durably. Returns how many chunks have one now that had none.

        A model that gives another number of values than before, under the same name, makes its old vectors void.
        """
        dimensions = int(vectors.shape[1])
        with self._lock, self._db.write() as db:
            if self._dimensions != dimensions:
                if self._dimensions:
                    db.execute("DELETE FROM vectors WHERE embedder = ?", (self.embedder,))
                    self._turn(db)
                db.execute("UPDATE embedders SET dimensions = ? WHERE id = ?", (dimensions, self.embedder))
                self._dimensions = dimensions
            rows = [
                (self.embedder, key, vector.astype("<f4").tobytes()) for key, vector in zip(keys, vectors, strict=True)
            ]
            sql = "INSERT OR REPLACE INTO vectors (embedder, key, vector) VALUES (?, ?, ?)"
            db.executemany(sql, rows)
            sql = "UPDATE chunks SET embedded = 1 WHERE vector_key = ? AND embedded = 0"
            return int(db.executemany(sql, [(key,) for key in keys]).rowcount)

    def to_collect(self, limit: int) -> list[Kept]:
        """The first chunks that the collection lacks, but for places that it must let go of before."""
        sql = (
            "SELECT c.id, f.path, f.checksum, c.place, v.vector FROM chunks c CROSS JOIN files f ON f.id = c.file"
            " CROSS JOIN vectors v ON v.embedder = ? AND v.key = c.vector_key"
            " WHERE c.embedded = 1 AND c.collected = 0 ORDER BY c.id LIMIT ?"
        )
        with self._db.read() as db:
            # One snapshot for both, so that no change comes between them.
            db.execute("BEGIN")
            try:
                rows = db.execute(sql, (self.embedder, limit)).fetchall()
                held = {row[0] for row in db.execute("SELECT place_key FROM gone WHERE collected = 1")}
            finally:
                db.execute("COMMIT")
        kept = (Kept(id_, place_key(loaded_text(path), *rest), vector) for id_, path, *rest, vector in rows)
        return [one for one in kept if one.place not in held]

    def mark_collected(self, kept: Sequence[Kept]) -> None:
        """The collection has these. One that went meanwhile is remembered, to be taken out of it again."""
        with self._db.write() as db:
            for one in kept:
                if db.execute("UPDATE chunks SET collected = 1 WHERE id = ?", (one.id,)).rowcount:
                    continue
                generation = db.execute("SELECT value FROM meta WHERE key = 'generation'").fetchone()[0]
                db.execute("REPLACE INTO gone VALUES (?, ?, 1, ?)", (one.id, one.place, generation))

    def to_drop(self, limit: int) -> list[tuple[int, str]]:
        """Ids and places of chunks that are gone and still in the collection."""
        with self._db.read() as db:
            sql = "SELECT chunk, place_key FROM gone WHERE collected = 1 ORDER BY chunk LIMIT ?"
            return [(row[0], row[1]) for row in db.execute(sql, (limit,)).fetchall()]

    def mark_dropped(self, ids: Sequence[int]) -> None:
        """The collection has let go of these."""
        with self._db.write() as db:
            db.executemany("UPDATE gone SET collected = 0 WHERE chunk = ?", [(id_,) for id_ in ids])
            db.execute("INSERT OR IGNORE INTO meta VALUES ('dropped', 0)")
            db.execute("UPDATE meta SET value = value + ? WHERE key = 'dropped'", (len(ids),))
            db.execute(
                "DELETE FROM gone WHERE collected = 0 AND generation <= coalesce("
                "(SELECT value FROM meta WHERE key = 'lexical'), 0)"
            )

    def mark_none_collected(self) -> None:
        """The collection is empty."""
        with self._db.write() as db:
            _empty_collection(db)

    def places(self, keys: Sequence[str]) -> dict[str, int]:
        """Ids of the chunks at these places; those that are gone are left out."""
        wanted: list[tuple[str, str | bytes, str, int]] = []
        for key in keys:
            path, _, rest = key.rpartition("#")
            text = bytes.fromhex(path[1:]).decode("utf-8", "surrogatepass") if path.startswith("/") else path
            checksum, _, place = rest.rpartition("-")
            wanted.append((key, stored(text), checksum, int(place)))
        found: dict[str, int] = {}
        with self._db.read() as db:
            for at in range(0, len(wanted), AT_ONCE):
                part = wanted[at : at + AT_ONCE]
                # One statement for all, joined in the order that needs one look into each index a place.
                sql = (
                    f"WITH wanted (key, path, checksum, place) AS (VALUES {','.join(['(?, ?, ?, ?)'] * len(part))})"
                    " SELECT w.key, c.id FROM wanted w CROSS JOIN files f ON f.path = w.path"
                    " AND substr(f.checksum, 1, 12) = w.checksum"
                    " CROSS JOIN chunks c ON c.file = f.id AND c.place = w.place"
                )
                found.update(db.execute(sql, [value for row in part for value in row]).fetchall())
        return found

    def of(self, ids: Sequence[int]) -> dict[int, bytes]:
        """Vectors of these chunks, float32, little-endian; those without one are left out."""
        found: dict[int, bytes] = {}
        with self._db.read() as db:
            for at in range(0, len(ids), AT_ONCE):
                part = ids[at : at + AT_ONCE]
                sql = (
                    # CROSS: chunks first. SQLite would go through every vector of the embedder (0.2 s of 50,000).
                    "SELECT c.id, v.vector FROM chunks c CROSS JOIN vectors v"
                    " ON v.embedder = ? AND v.key = c.vector_key"
                    f" WHERE c.id IN ({','.join('?' * len(part))})"
                )
                found.update(db.execute(sql, (self.embedder, *part)).fetchall())
        return found

    def prune(self) -> int:
        """Drop the oldest vectors that no chunk needs, where they are more than the needed ones and SPARE."""
        with self._db.write() as db:
            kept = db.execute("SELECT count(*) FROM vectors").fetchone()[0]
            chunks = db.execute("SELECT count(*) FROM chunks").fetchone()[0]
            spare = kept - 2 * chunks - SPARE
            if spare <= 0:
                return 0
            sql = (
                "DELETE FROM vectors WHERE id IN (SELECT v.id FROM vectors v WHERE NOT (v.embedder = ? AND EXISTS"
                " (SELECT 1 FROM chunks c WHERE c.vector_key = v.key)) ORDER BY v.id LIMIT ?)"
            )
            return int(db.execute(sql, (self.embedder, spare)).rowcount)

    def _text(
        self,
        strategy: str,
        path: Text,
        heading: str,
        context: Text | None,
        text: Text,
        title: Text,
        checksum: str,
        start: int,
        stop: int,
    ) -> str:
        if self._frame == SPAN:
            return _span(checksum, start, stop)
        body = loaded_text(text)
        place = standing(strategy, loaded_text(path), json.loads(heading), body)
        noted = None if context is None else loaded_text(context)
        return _passage(self._frame, loaded_text(title), place, noted, body, self._note_at)

    def _put_in_frames(self, db: sqlite3.Connection) -> None:
        """Give every chunk the key of its text in this embedder's frame."""
        db.execute("REPLACE INTO meta VALUES ('frame', ?)", (self._frame,))
        ids = [row[0] for row in db.execute("SELECT id FROM chunks ORDER BY id")]
        for at in range(0, len(ids), AT_ONCE):
            part = ids[at : at + AT_ONCE]
            sql = f"SELECT c.id, {_EMBEDDED} WHERE c.id IN ({','.join('?' * len(part))})"
            rows = db.execute(sql, part).fetchall()
            keys = [(vector_key(self._text(*parts)), id_) for id_, *parts in rows]
            db.executemany("UPDATE chunks SET vector_key = ? WHERE id = ?", keys)

    def _turn(self, db: sqlite3.Connection) -> None:
        db.execute("REPLACE INTO meta VALUES ('embedder', ?)", (self.embedder,))
        _empty_collection(db)
        db.execute(
            "UPDATE chunks SET embedded = EXISTS"
            " (SELECT 1 FROM vectors v WHERE v.embedder = ? AND v.key = chunks.vector_key)",
            (self.embedder,),
        )


def _pieced(parts: Iterable[tuple[int, str]]) -> str:
    """A text of its pieces, each at its offset, which may overlap; blank between them."""
    made: list[str] = []
    at = 0
    for start, text in parts:
        if start > at:
            made.append("\n" * (start - at))
            at = start
        if start + len(text) > at:
            made.append(text[at - start :])
            at = start + len(text)
    return "".join(made)


def _empty_collection(db: sqlite3.Connection) -> None:
    db.execute("UPDATE chunks SET collected = 0 WHERE collected = 1")
    db.execute("UPDATE gone SET collected = 0 WHERE collected = 1")
    db.execute("REPLACE INTO meta VALUES ('dropped', 0)")
