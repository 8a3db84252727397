"""The vector index: one embedded Chroma collection, given vectors only, derived from the store's.

Chroma is opened when it is first needed (its import takes 0.7 s) and is thrown away and made anew from the store
wherever it is missing, behind or broken. After an engine that did not close it, a child process asks it a question
first: a broken index can take the process that opens it down.
"""

import hashlib
import re
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lens_tui.index.vectors import Kept, VectorShelf

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

CANARY_SECONDS = 60.0
"""Longest wait for the child: opening 50,000 vectors takes it 2 s."""

CANARY_CODE = "import sys; from lens_tui.index.dense import canary; canary(*sys.argv[1:])"
"""What the child runs; its arguments are the directory, the collection's name and the vectors' dimensions."""

SLACK = 128
"""Places that the collection may have over what the store knows: batches that a crash left unacknowledged."""

DROP_AT_ONCE = 500
"""Places deleted in one call; Chroma's limit is 5,461."""


class DenseBroken(Exception):
    """Chroma cannot be used; the message says why."""


class Dense:
    """The collection of one embedder. Safe from any thread."""

    def __init__(self, directory: Path, embedder: str, shelf: VectorShelf, *, spawn_canary: bool = True) -> None:
        """Open nothing yet.

        Args:
            directory: Chroma's own; made when it is first needed.
            embedder: Its name gives the collection's.
            shelf: The vectors that the collection is derived from.
            spawn_canary: Whether a child process may be started after an unclean close.
        """
        self.notes: list[str] = []
        """Sentences on what was wrong with the collection and what became of it."""
        self._directory, self._shelf = directory, shelf
        self._name = collection_name(embedder)
        self._marker = directory.with_name(directory.name + ".open")
        self._spawn_canary = spawn_canary
        self._lock = threading.RLock()
        self._client: Any = None
        self._collection: Any = None
        self._failure = ""
        self._resets = 0

    @property
    def problem(self) -> str:
        """Why Chroma cannot be used; empty while it can, or was not asked yet."""
        return self._failure

    @property
    def is_open(self) -> bool:
        """Whether a query is answered at once."""
        return self._collection is not None

    def take_notes(self) -> list[str]:
        """The notes since they were taken last, so that each is told once."""
        with self._lock:
            notes, self.notes = self.notes, []
            return notes

    def open(self) -> None:
        """Open the collection, made anew where it does not hold what the store says. Raises DenseBroken."""
        with self._lock:
            if self._collection is not None:
                return
            if self._failure:
                raise DenseBroken(self._failure)
            try:
                self._open()
            except DenseBroken as error:
                self._reset(str(error))

    def query(self, vector: "Vectors", limit: int) -> list[tuple[str, float]]:
        """(place, cosine) of the nearest ``limit`` places, nearest first. ``vector`` has shape (1, dimensions).

        Raises:
            DenseBroken: Chroma cannot be used, or was just thrown away and is empty now.
        """
        self.open()
        collection = self._collection
        try:
            with _chroma():
                found = collection.query(query_embeddings=vector, n_results=max(limit, 1), include=["distances"])
        except DenseBroken as error:
            with self._lock:
                # One that was thrown away while it was asked proves nothing against the one that is there now.
                if collection is self._collection:
                    self._reset(str(error))
            raise
        ids, distances = found["ids"][0], found["distances"][0]
        return [(place, 1.0 - float(distance)) for place, distance in zip(ids, distances, strict=True)]

    def let_go(self) -> int:
        """Take out places that are gone from the store. Returns how many; 0 when none is left.

        Where most go (the folder was cut otherwise), an empty collection is begun: that takes no time, and Chroma never
        uses the room of what was deleted again.

        Raises:
            DenseBroken: Chroma cannot be used.
        """
        with self._lock:
            gone = self._shelf.to_drop(DROP_AT_ONCE)
            if not gone:
                return 0
            if len(gone) == DROP_AT_ONCE and self._shelf.mostly_gone():
                self._reset("")
                return 0
            self.open()
            try:
                with _chroma():
                    self._collection.delete(ids=sorted({place for _, place in gone}))
            except DenseBroken as error:
                self._reset(str(error))
                return 0
            self._shelf.mark_dropped([id_ for id_, _ in gone])
            return len(gone)

    def collect(self, batch: int) -> int:
        """Put the next vectors in that it lacks. Returns how many; 0 when none is missing. Raises DenseBroken.

        Chroma holds Python's lock for the whole call: a batch of 10 for about 10 ms, one of 32 for 20.
        """
        with self._lock:
            self.open()
            kept = self._shelf.to_collect(batch)
            if not kept:
                return 0
            try:
                self._add(kept)
            except DenseBroken as error:
                self._reset(str(error))
                self._add(kept)
            self._shelf.mark_collected(kept)
            return len(kept)

    def close(self) -> None:
        """Close Chroma and mark the close as clean."""
        with self._lock:
            if self._client is None:
                return
            self._let_go_of_files()
            self._marker.unlink(missing_ok=True)

    def _add(self, kept: Sequence[Kept]) -> None:
        import numpy as np

        vectors = np.stack([np.frombuffer(one.vector, "<f4") for one in kept])
        with _chroma():
            # Not add: it leaves a place that is there already as it is, without a word.
            self._collection.upsert(ids=[one.place for one in kept], embeddings=vectors)

    def _open(self) -> None:
        unclean = self._marker.exists()
        if unclean and self._directory.exists() and self._spawn_canary and not self._canary_lives():
            raise DenseBroken("it did not survive the end of the engine before")
        with _chroma():
            self._directory.mkdir(parents=True, exist_ok=True)
            self._marker.touch()
            _set_write_ahead(self._directory / "chroma.sqlite3")
            self._client = _client(self._directory)
            names = {collection.name for collection in self._client.list_collections()}
            if names - {self._name} or self._shelf.worn():
                raise DenseBroken("")
            self._collection = self._client.get_or_create_collection(
                self._name, embedding_function=_guard(), configuration={"hnsw": {"space": "cosine"}}
            )
            there = self._collection.count()
        expected = self._shelf.collected()
        if not expected <= there <= expected + SLACK:
            raise DenseBroken("it did not hold what the store says" if there else "")

    def _canary_lives(self) -> bool:
        command = [sys.executable, "-c", CANARY_CODE, str(self._directory), self._name, str(self._shelf.dimensions)]
        try:
            done = subprocess.run(command, capture_output=True, timeout=CANARY_SECONDS, check=False)
        except (OSError, subprocess.TimeoutExpired):
            return False
        return done.returncode == 0

    def _reset(self, why: str) -> None:
        """Throw everything away and begin an empty collection; ``why`` is what broke it, if anything did.

        Raises:
            DenseBroken: Even that fails.
        """
        if why:
            self._resets += 1
            self.notes.append(f"The vector index is made anew from the stored vectors: {why}.")
        self._let_go_of_files()
        try:
            if self._resets > 3:
                raise DenseBroken(why)
            shutil.rmtree(self._directory, ignore_errors=True)
            self._shelf.mark_none_collected()
            self._open()
        except DenseBroken as error:
            self._failure = f"The vector index cannot be used: {error}."
            self._let_go_of_files()
            raise DenseBroken(self._failure) from error

    def _let_go_of_files(self) -> None:
        client, self._client, self._collection = self._client, None, None
        if client is not None:
            with suppress(DenseBroken), _chroma():
                client.close()
            with suppress(ImportError):
                _forget_system(self._directory)


def _set_write_ahead(file: Path) -> None:
    """Give Chroma's database a write-ahead log, which stays set: adding ten vectors takes 7 ms with it, 13 without.

    Before Chroma opens it: its SQLite and Python's do not see each other's locks within one process, so that closing
    this connection would take the log away under Chroma's (``disk I/O error``, code 522, and a collection made anew).
    """
    with suppress(sqlite3.Error), closing(sqlite3.connect(file)) as db:
        db.execute("PRAGMA journal_mode=WAL")


def collection_name(embedder: str) -> str:
    """Name the collection of an embedder: readable, in the characters and the length that Chroma takes."""
    readable = re.sub(r"[^A-Za-z0-9]+", "-", embedder).strip("-")[:40]
    return f"lens-{readable}-{hashlib.sha256(embedder.encode('utf-8', 'replace')).hexdigest()[:8]}"


def canary(directory: str, name: str, dimensions: str) -> None:
    """Ask the collection a question, in a process that may die of it."""
    client = _client(Path(directory))
    if name in {collection.name for collection in client.list_collections()} and int(dimensions):
        collection = client.get_collection(name, embedding_function=_guard())
        if collection.count():
            collection.query(query_embeddings=[[1.0] * int(dimensions)], n_results=10, include=["distances"])
            collection.get(limit=10, include=["embeddings"])
    client.close()


def _client(directory: Path) -> Any:
    import chromadb
    from chromadb.config import Settings

    try:
        return chromadb.PersistentClient(path=str(directory), settings=Settings(anonymized_telemetry=False))
    except BaseException:
        _forget_system(directory)
        raise


def _forget_system(directory: Path) -> None:
    """Drop what Chroma (1.5) keeps for a path in this process: it would give a half-started system again for ever."""
    from chromadb.api.shared_system_client import SharedSystemClient

    SharedSystemClient._identifier_to_system.pop(str(directory), None)
    SharedSystemClient._identifier_to_refcount.pop(str(directory), None)


def _guard() -> Any:
    """An embedding function that refuses: Chroma's own would download a model on the first text it is given."""
    from chromadb import EmbeddingFunction
    from chromadb.utils.embedding_functions import register_embedding_function

    class LensGuard(EmbeddingFunction[Any]):
        def __init__(self) -> None:
            pass

        def __call__(self, input: Any) -> Any:  # noqa: A002
            raise RuntimeError("lens-tui gives Chroma vectors, never texts")

        @staticmethod
        def name() -> str:
            return "lens_tui_guard"

        @staticmethod
        def build_from_config(config: dict[str, Any]) -> Any:
            return LensGuard()

        def get_config(self) -> dict[str, Any]:
            return {}

    register_embedding_function(LensGuard)  # type: ignore[no-untyped-call]
    return LensGuard()


@contextmanager
def _chroma() -> Iterator[None]:
    """Turn whatever Chroma throws, panics of its Rust part among it, into DenseBroken."""
    try:
        yield
    except DenseBroken:
        raise
    except ImportError as error:
        raise DenseBroken(f"chromadb cannot be loaded ({error})") from error
    except Exception as error:
        raise DenseBroken(f"{type(error).__name__}: {error}".strip(" :.")) from error
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        raise DenseBroken(f"Chroma broke off: {error}") from error
