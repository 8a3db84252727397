"""Full-text search that knows a change at once: tantivy's files for what is committed, memory for what came since.

Derived from the store: what the files lack, or all of it, is taken from there, in the background where it is much.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from lens_tui.errors import StoreError
from lens_tui.index.filtering import Within
from lens_tui.index.fresh import WORDS, Entry, FieldTerms, Fresh, field_terms
from lens_tui.index.gathering import Gathering
from lens_tui.index.lexical import Damaged, Lexical, Reading
from lens_tui.index.matching import ANYTHING, Forms, Matcher, Ranked
from lens_tui.index.store import Change, Row, Store

COMMIT_SECONDS = 1.0
"""From a change to the start of its commit: with the commit itself, on disk well within three seconds."""

COMMIT_CHUNKS = 2_000
"""Chunks in memory that start a commit at once: about 8 MB, and 2 ms of a search."""

MOST_IN_MEMORY = 6_000
"""Chunks in memory above which a writer waits for the commit under way."""

RETRY_SECONDS = 5.0
"""Pause after a commit that failed, such as for want of space."""

REST_SECONDS = 2.0
"""Without a change, after which many small segments are merged: of 50,000 chunks in ten, searches take a fifth more."""

MOST_SEGMENTS, MOST_NUDGES = 5, 8
"""Segments from which on they are merged at rest. tantivy merges eight small ones once it commits, and can be told
neither to do so nor to make it fewer; so at most as many commits of nothing are made until it does."""


LOG = logging.getLogger(__name__)


@dataclass(slots=True)
class _CatchUp:
    """Chunks that the files still lack: those that came after ``generation`` with an id below ``until``."""

    generation: int
    until: int
    total: int
    done: int = 0


class FullText:
    """The full-text index of one store. Safe from any thread; changes are applied in the store's order."""

    def __init__(
        self,
        directory: Path,
        store: Store,
        *,
        analysis: str,
        title_times: int = 3,
        commit_seconds: float = COMMIT_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Open or make the index. Raises StoreError where another process writes to it, or it cannot be written."""
        self.notes: list[str] = []
        """Sentences on what was wrong with the files."""
        self._directory, self._store, self._analysis = directory, store, analysis
        self.title_times = title_times
        """How often the words of path, title and headings stand among those of a chunk."""
        self._commit_seconds, self._clock = commit_seconds, clock
        self._state = threading.Condition()
        self._gone: set[int] = set()
        """Chunks that the files may still have and the store has not: every search passes over them."""
        self._going: set[int] = set()
        """Those of them that the next commit deletes."""
        self._fresh, self._committing = Fresh(), Fresh()
        self._dirty_since: float | None = None
        self._wanted = self._done = 0
        self._nudges = 0
        self._problem = ""
        self._broken = self._closing = self._busy = False
        self._catch_up: _CatchUp | None = None
        self._applied, self._next_id = store.generation, store.next_id
        self._words = Gathering(directory, store, analysis)
        self._files = self._opened()
        self._words.start(self._files.reading, lambda row: self._entry(row).terms)
        self._thread = threading.Thread(target=self._run, name="full text", daemon=True)
        self._thread.start()

    @property
    def problem(self) -> str:
        """A sentence where the index cannot be brought to disk; searching goes on."""
        return self._problem

    @property
    def rebuilding(self) -> tuple[int, int] | None:
        """(Chunks brought in, of how many) while much of the index is made from the store."""
        lack = self._catch_up
        if self._broken:
            return 0, self._store.totals.chunks
        return (lack.done, lack.total) if lack else None

    def learn(self, found: Iterable[FieldTerms]) -> None:
        """Take in the words of chunks that are about to come: ``apply`` follows the store's change without delay."""
        self._words.learn(found)

    def apply(self, change: Change, entries: Iterable[Entry]) -> None:
        """Take over a change of the store: searchable on return.

        Raises:
            StoreError: Memory is full, and what it holds cannot be brought to disk.
        """
        with self._state:
            for id_ in change.gone:
                if not self._fresh.drop(id_):
                    self._gone.add(id_)
                    self._going.add(id_)
            for entry in entries:
                self._fresh.add(entry)
            self._nudges = 0
            self._applied = change.generation
            self._next_id = max(self._next_id, change.added[-1] + 1 if change.added else 0)
            if self._dirty_since is None:
                self._dirty_since = self._clock()
                self._state.notify_all()
            if len(self._fresh) >= COMMIT_CHUNKS:
                self._state.notify_all()
            while len(self._fresh) > MOST_IN_MEMORY and not self._closing:
                if self._problem:
                    raise StoreError(self._problem, hint="Free some space, or mend the directory, and try again.")
                self._state.wait(1.0)

    def search(
        self,
        asked: Sequence[str],
        limit: int,
        within: Within = ANYTHING,
        forms: Forms | None = None,
        *,
        widen: bool = True,
    ) -> Ranked:
        """The ``limit`` best chunks that pass ``within`` and hold any of the terms (each given once), or their forms.

        With ``widen`` the words most alike to a term are meant by it too.

        Where rarer terms are asked for too, those in more than half of 1,000 chunks or more are left out of the
        ranking; they stay in ``idf``. How the rest is ranked stands in matching.py.
        """
        try:
            return self._matcher(widen=widen).search(asked, limit, within, forms or {})
        except Damaged:
            self._break()
            return Ranked((), dict.fromkeys(asked, 0.0), ())

    def beginning(self, start: str, limit: int) -> list[tuple[str, int]]:
        """(term, chunks that have it) of the commonest terms of the texts that begin so, commonest first."""
        try:
            return self._matcher().beginning(start, limit)
        except Damaged:
            self._break()
            return []

    def holding(self, asked: Iterable[str]) -> dict[str, int]:
        """In how many chunks each of the terms stands, in the order given; those in none are left out."""
        with self._state:
            reading, layers = self._files.reading, (self._fresh, self._committing)
        held = {term: reading.holding(WORDS, term) + sum(one.holding(WORDS, term) for one in layers) for term in asked}
        return {term: many for term, many in held.items() if many}

    def rarest(self, asked: Sequence[str], limit: int) -> list[str]:
        """The ``limit`` rarest of the terms that are in the index, in the order given."""
        held = self.holding(asked)
        kept = set(sorted(held, key=lambda term: (held[term], term))[:limit])
        return [term for term in held if term in kept]

    def flush(self) -> None:
        """Bring everything to disk. Raises StoreError where that fails."""
        with self._state:
            if self._dirty_since is None and not (self._catch_up or self._broken or self._busy):
                return
            self._wanted += 1
            mine = self._wanted
            self._state.notify_all()
            while self._done < mine and self._thread.is_alive():
                self._state.wait(0.1)
            if self._problem:
                raise StoreError(self._problem, hint="Free some space, or mend the directory, and try again.")

    def close(self) -> None:
        """Bring what can be to disk and let go of it; the rest is in the store. A second call does nothing."""
        with self._state:
            self._closing = True
            self._state.notify_all()
        self._thread.join()
        if self._catch_up is None:
            self._words.keep(self._applied, closing=True)
        self._files.close()

    def _matcher(self, *, widen: bool = False) -> Matcher:
        vocabulary = self._words.vocabulary() if widen else None
        with self._state:
            reading, gone = self._files.reading, set(self._gone)
            layers = [layer.now() for layer in (self._fresh, self._committing) if len(layer)]
        return Matcher(reading, layers, gone, self._averages(reading), vocabulary)

    def _break(self) -> None:
        with self._state:
            self._broken = True
            self._state.notify_all()

    def _averages(self, reading: Reading) -> tuple[float, ...]:
        """Mean lengths as the last commit had them, as tantivy has them too; the store's before the first."""
        state = reading.state()
        if state and state["chunks"]:
            return tuple(length / (state["chunks"] + 1) for length in state["lengths"])
        totals = self._store.totals
        return tuple(length / max(totals.chunks, 1) for length in totals.lengths)

    # What the files hold, and what they lack

    def _opened(self) -> Lexical:
        """Open the files, and find out what they lack. Raises StoreError."""
        try:
            files = Lexical(self._directory)
            state = files.reading.state()
        except Damaged:
            self.notes.append("The full-text index was damaged, so it is made anew from the store.")
            return self._anew()
        if state.get("store") != self._store.identity or state.get("analysis") != self._analysis:
            if state:
                self.notes.append("The full-text index was unfinished or of another make, so it is made anew.")
            files.close()
            return self._anew()
        generation, next_id = int(state["generation"]), int(state["next_id"])
        came, gone = self._store.lacking(generation)
        expected = self._store.totals.chunks - came + sum(1 for id_ in gone if id_ < next_id)
        if generation > self._store.generation or files.reading.documents != expected:
            self.notes.append("The full-text index did not fit the store, so it is made anew from it.")
            files.close()
            return self._anew()
        self._gone, self._going = set(gone), set(gone)
        self._lacking(generation, came)
        if came or gone:
            self._dirty_since = self._clock()
        return files

    def _anew(self) -> Lexical:
        Lexical.remove(self._directory)
        try:
            files = Lexical(self._directory)
        except Damaged as error:
            raise StoreError(
                f"The full-text index cannot be made in {self._directory}: {error}.",
                hint="Free some space, mend the directory's permissions, or set data_dir to another place.",
            ) from error
        self._gone, self._going = set(), set()
        self._fresh, self._committing = Fresh(), Fresh()
        self._dirty_since = self._clock()
        self._lacking(0, self._store.totals.chunks)
        return files

    def _lacking(self, generation: int, chunks: int) -> None:
        """Bring in what came after ``generation``: a little of it now, much in the background."""
        if chunks > COMMIT_CHUNKS:
            self._catch_up = _CatchUp(generation, self._store.next_id, chunks)
            return
        for rows in self._store.since(generation):
            entries = [self._entry(row) for row in rows]
            self.learn(entry.terms for entry in entries)
            for entry in entries:
                self._fresh.add(entry)

    def _entry(self, row: Row) -> Entry:
        terms = field_terms(row.chunk, row.title, self.title_times)
        return Entry(row.id, terms, row.id - row.chunk.index, row.siblings)

    # The background

    def _run(self) -> None:
        while True:
            with self._state:
                self._state.wait_for(self._due, self._patience())
                closing, wanted = self._closing, self._wanted
                if not (closing or self._due()):
                    if self._dirty_since is None and self._is_scattered():
                        self._nudges += 1
                        self._dirty_since = self._clock() - self._commit_seconds
                    continue
                self._busy = True
            try:
                if self._broken and not closing:
                    self._remake()
                if self._catch_up is not None:
                    self._bring_in()
                self._commit()
                if self._nudges:
                    self._files.settle()
                self._problem = ""
            except (Damaged, StoreError) as error:
                self._problem = f"The full-text index cannot be brought to disk: {error}."
            except Exception as error:
                # The thread must outlive a fault of ours: writers wait for it where memory is full.
                LOG.exception("the full-text index could not be brought to disk")
                self._problem = f"The full-text index cannot be brought to disk: {error}."
            with self._state:
                self._done, self._busy = max(self._done, wanted), False
                self._state.notify_all()
                if closing:
                    return
                if self._problem:
                    self._state.wait_for(lambda: self._closing or self._wanted > self._done, RETRY_SECONDS)

    def _due(self) -> bool:
        due = self._dirty_since is not None and self._clock() - self._dirty_since >= self._commit_seconds
        waiting = self._closing or self._broken or self._catch_up is not None or self._wanted > self._done
        return due or waiting or len(self._fresh) >= COMMIT_CHUNKS

    def _patience(self) -> float | None:
        """Seconds until a commit is due; None while there is nothing to commit or to merge."""
        if self._dirty_since is None:
            return REST_SECONDS if self._is_scattered() else None
        return max(self._dirty_since + self._commit_seconds - self._clock(), 0.01)

    def _is_scattered(self) -> bool:
        return self._files.reading.segments > MOST_SEGMENTS and self._nudges < MOST_NUDGES

    def _remake(self) -> None:
        with self._state:
            self._files.close()
            self._files = self._anew()
            self._broken = False

    def _bring_in(self) -> None:
        """Take from the store what the files lack, committing as it goes; a change meanwhile goes its own way."""
        lack = self._catch_up
        if lack is None:
            return
        batch: list[Entry] = []
        for rows in self._store.since(lack.generation, until=lack.until):
            batch.extend(map(self._entry, rows))
            if self._closing:
                return
            if len(batch) >= COMMIT_CHUNKS:
                self._commit(batch)
                lack.done += len(batch)
                batch = []
        self._commit(batch)
        self._catch_up = None
        with self._state:
            self._dirty_since = self._dirty_since or self._clock()

    def _commit(self, more: Sequence[Entry] = ()) -> None:
        with self._state:
            layer, going = self._fresh, self._going
            if not (layer.entries or going or more or self._dirty_since is not None):
                return
            self._fresh, self._committing, self._going = Fresh(), layer, set()
            self._dirty_since = None
            applied, next_id, totals = self._applied, self._next_id, self._store.totals
        complete = self._catch_up is None
        entries = {entry.id: entry for entry in more if entry.id not in going} | layer.entries
        self.learn(entry.terms for entry in more)
        # While chunks are brought in, one can come from the store and by itself: the later one replaces the earlier.
        doubtful = () if complete else entries
        state = {
            "store": self._store.identity,
            "analysis": self._analysis if complete else "",
            "generation": applied,
            "next_id": next_id,
            "chunks": totals.chunks,
            "lengths": totals.lengths,
        }
        try:
            self._files.write(entries.values(), [*going, *doubtful], state)
        except Exception:
            with self._state:
                for entry in list(self._fresh.entries.values()):
                    layer.add(entry)
                self._fresh, self._committing = layer, Fresh()
                self._going |= going
                self._dirty_since = self._clock()
            raise
        with self._state:
            self._committing = Fresh()
            # Those that went while this commit was under way are deleted by the next one.
            self._gone = set(self._going)
            self._state.notify_all()
        if complete:
            self._store.lexical_has(applied)
            self._words.keep(applied)
