"""The folder's index as one SearchBackend: the store as the truth, full text and vectors derived from it.

How hits are ordered and scored stands in ranking.py, what full text is in fulltext.py, what related passages are in
related.py.
"""

import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from lens_tui.errors import ModelError, Stopped
from lens_tui.index import ranking
from lens_tui.index.dense import Dense, DenseBroken
from lens_tui.index.fresh import Entry, field_terms
from lens_tui.index.fulltext import FullText
from lens_tui.index.matching import Ranked
from lens_tui.index.ranking import Candidate
from lens_tui.index.related import related
from lens_tui.index.store import Lengths, Store
from lens_tui.index.vectors import VectorShelf, passage, vector_key
from lens_tui.protocols import Cancel, Embedder
from lens_tui.text.words import asked, is_cjk
from lens_tui.types import Chunk, Document, FileRecord, Place, Query, Retrieved, Retriever, SearchHit

CANDIDATES = 50
"""Chunks that each retriever names for fusion; 50 + 50 of 50,000 take 2.2 ms."""

MOST_TERMS = 48
"""Terms of a question that are searched; of a longer one, the rarest. Fifteen words are a long question."""

LEAST_COSINE = {True: 0.25, False: 0.2}
"""Cosine under which a passage shares too little, of a model's vectors and of the built-in ones (unrelated: .10)."""

EMBED_BATCH = 32
"""Texts embedded at a time: half a second to two of an embedding model on two cores."""

COLLECT_BATCH = 16
"""Vectors given to Chroma in one call: it stalls every thread for about 12 ms."""

MOST_STALE = 200
"""Places gone from the store, and still in the collection, that a vector search makes up for."""

QUIET_SECONDS = 2.0
"""Longest that vectors wait for searches to end."""

OPENING_SECONDS = 3.0
"""Longest that a hybrid search waits for Chroma to open; after that it answers by words and says so."""

ATTEMPTS = 3
"""Times that a search is made when what it found was replaced while it ran."""


@dataclass(slots=True)
class _Search:
    """One search under way."""

    text: str
    retriever: Retriever
    limit: int
    notes: list[str] = field(default_factory=list)


class HybridBackend:
    """Implements SearchBackend. Safe from any thread."""

    def __init__(
        self, store: Store, fulltext: FullText, shelf: VectorShelf, dense: Dense | None, embedder: Embedder
    ) -> None:
        """Take what is open; ``close`` closes it. Without ``dense`` there are no vectors."""
        self._store, self._fulltext, self._shelf = store, fulltext, shelf
        self._dense, self._embedder = dense, embedder
        self._writing = threading.Lock()
        self._embedding = threading.Lock()
        self._searches = 0
        self._quiet = threading.Condition()
        self._opening: threading.Thread | None = None
        self._closed = False

    # What is indexed

    def indexed(self) -> Mapping[str, FileRecord]:
        """Every indexed file by path."""
        return self._store.indexed()

    def replace(self, document: Document, chunks: Sequence[Chunk]) -> None:
        """Put a document in the place of whatever its path held; on return it is durable and searchable.

        Raises:
            StoreError: It cannot be written.
        """
        found = [field_terms(chunk, document.title) for chunk in chunks]
        lengths: list[Lengths] = [(len(body), len(title), len(heading)) for body, title, heading in found]
        keys = [vector_key(passage(chunk)) for chunk in chunks]
        with self._writing:
            change = self._store.replace(document, chunks, lengths, keys, self._shelf.embedder)
            entries = (Entry(id_, terms) for id_, terms in zip(change.added, found, strict=True))
            self._fulltext.apply(change, entries)

    def touch(self, record: FileRecord) -> None:
        """Keep a file's new size, time and inode where its content is the same."""
        with self._writing:
            self._store.touch(record)

    def forget(self, path: str) -> None:
        """Take a file out. Nothing happens where it is not in."""
        with self._writing:
            change = self._store.forget(path)
            if change is not None:
                self._fulltext.apply(change, ())

    def chunks_of(self, path: str) -> Sequence[Chunk]:
        """A file's chunks in order; empty where it is not indexed."""
        return [row.chunk for row in self._store.chunks_of(path)]

    def counts(self) -> tuple[int, int, int, int]:
        """Files, chunks, chunks that vectors find, chunks that they do not find yet (both 0 where there are none)."""
        totals = self._store.totals
        if self._dense is None:
            return totals.files, totals.chunks, 0, 0
        without = self._without()
        return totals.files, totals.chunks, max(totals.chunks - without, 0), without

    # Search

    def search(self, query: Query, limit: int) -> Retrieved:
        """The best ``limit`` chunks, best first; equally good ones by path and place.

        ``vector`` and ``hybrid`` fall back to words, with a note, wherever vectors cannot be had; ``hybrid`` is by
        words too where the embedder's vectors do not know what texts mean.
        """
        search = _Search(query.text, query.retriever, max(limit, 1))
        wanted = asked(query.text)
        if not wanted:
            return Retrieved((), "lexical", ("There is no word or number to search for.",))
        with self._answering():
            dense = self._dense_rows(search)
            for _ in range(ATTEMPTS):
                before = self._store.generation
                hits, complete = self._ranked(search, wanted, dense)
                if complete or before == self._store.generation:
                    break
        return Retrieved(hits, search.retriever, tuple(dict.fromkeys(search.notes)))

    def related(self, place: Place, limit: int) -> Retrieved:
        """Passages near this one by the vectors' measure, itself and near-copies left out.

        Raises:
            NothingFound: The path is not indexed.
            UsageError: It has no such line or chunk.
        """
        with self._answering():
            dense = self._dense
            if dense is not None and not self._opened(dense, QUIET_SECONDS + OPENING_SECONDS):
                dense = None
            least = LEAST_COSINE[self._embedder.semantic]
            return related(place, limit, self._store, self._shelf, dense, self._fulltext, self._embedder, least)

    def embed_next(self, cancel: Cancel) -> int:
        """Make and store the next vectors and give the collection what it lacks; 0 when nothing is missing.

        Vectors are stored before the collection gets them. It gets them between searches, not during one.

        Raises:
            ModelError: The embedder failed; what came before is kept.
        """
        if self._dense is None:
            return 0
        with self._embedding:
            made = 0
            waiting = self._shelf.waiting(EMBED_BATCH)
            if waiting and not cancel.cancelled:
                try:
                    vectors = self._embedder.passages([one.text for one in waiting], cancel)
                except Stopped:
                    return 0
                keys = [one.key for one in waiting[: len(vectors)]]
                if keys:
                    made = self._shelf.keep(keys, vectors)
            return max(made, self._collect(self._dense, max(made, EMBED_BATCH), cancel))

    def flush(self) -> None:
        """Bring what is derived to disk. Raises StoreError."""
        self._fulltext.flush()

    def close(self) -> None:
        """Flush, mark the close as clean, let go of every file. A second call does nothing."""
        if self._closed:
            return
        self._closed = True
        if self._opening is not None:
            self._opening.join()
        with self._embedding:
            self._fulltext.close()
            if self._dense is not None:
                self._dense.close()
            self._store.close()

    # Retrieval

    def _ranked(
        self, search: _Search, wanted: list[str], dense: list[tuple[int, float]]
    ) -> tuple[tuple[SearchHit, ...], bool]:
        """Hits, and whether every chunk that was found was still there."""
        pool = CANDIDATES if search.retriever == "hybrid" else search.limit + 10
        words = Ranked((), {}, ()) if search.retriever == "vector" else self._words(search, wanted, pool)
        rankings: dict[str, Sequence[tuple[int, float]]] = {"lexical": words.rows, "vector": dense}
        found = ranking.candidates(rankings)
        if search.retriever == "vector":
            words = Ranked((), dict.fromkeys(wanted, 1.0), ())
        rows = self._store.rows(found)
        there = [found[id_] for id_ in rows]
        for one in there:
            one.row = rows[one.id]
        order = self._order(search.retriever, there, words.idf)
        total = sum(words.idf.values())
        least = LEAST_COSINE[self._embedder.semantic]
        kept: list[tuple[Candidate, float]] = []
        for one in sorted(there, key=lambda one: _key(one, order[one.id])):
            ranking.read(one, words.idf)
            near = one.score_of("vector") >= least
            if near or ranking.words_score(one, total) >= ranking.LEAST_SHARE:
                kept.append((one, ranking.score(one, total)))
            if len(kept) == search.limit:
                break
        hits = tuple(
            ranking.hit(rank, one, one.row, value) for rank, (one, value) in enumerate(kept, 1) if one.row is not None
        )
        self._tell(search, words, len(hits))
        return hits, len(rows) == len(found)

    @staticmethod
    def _order(retriever: Retriever, there: Sequence[Candidate], idf: Mapping[str, float]) -> dict[int, float]:
        if retriever != "hybrid":
            return {one.id: one.score_of(retriever) for one in there}
        best = min(
            (one for one in there if "lexical" in one.why), key=lambda one: one.why["lexical"].rank, default=None
        )
        if best is not None:
            ranking.read(best, idf)
        return ranking.fused(there, best.coverage if best else 0.0)

    def _words(self, search: _Search, wanted: list[str], limit: int) -> Ranked:
        if len(wanted) > MOST_TERMS:
            rarest = self._fulltext.rarest(wanted, MOST_TERMS)
            search.notes.append(f"Of the {len(wanted)} words of the question the {len(rarest)} rarest were searched.")
            wanted = rarest
        ranked = self._fulltext.search(wanted, limit)
        if self._fulltext.rebuilding:
            done, total = self._fulltext.rebuilding
            search.notes.append(f"The full-text index is being made anew: {done} of {total} chunks are found so far.")
        if self._fulltext.problem:
            search.notes.append(self._fulltext.problem)
        return ranked

    def _dense_rows(self, search: _Search) -> list[tuple[int, float]]:
        """What the vectors name, nearest first; none, with a note and by words alone, where they cannot be had."""
        if search.retriever == "lexical":
            return []
        if self._dense is None:
            return self._by_words(search, "Vectors are switched off: this is by words alone.")
        if search.retriever == "hybrid" and not self._embedder.semantic:
            return self._by_words(search, "Without an embedding model this is by words alone.")
        if not self._store.totals.chunks:
            return []
        try:
            if not self._opened(self._dense, 60.0 if search.retriever == "vector" else OPENING_SECONDS):
                return self._by_words(search, self._dense.problem or "The vector index is still being opened.")
            search.notes.extend(self._dense.take_notes())
            without, chunks = self._without(), self._store.totals.chunks
            if without >= chunks:
                return self._by_words(search, f"None of {chunks} chunks has a vector yet: this is by words alone.")
            vector = self._embedder.query(search.text)
            # Places that are gone and not yet taken out stand among the nearest: as many more are asked for.
            named = self._dense.query(vector, CANDIDATES + len(self._shelf.to_drop(MOST_STALE)))
        except ModelError as error:
            return self._by_words(search, f"By words alone: {error.message}")
        except DenseBroken as error:
            return self._by_words(search, f"By words alone: {error}")
        if without:
            search.notes.append(f"{without} of {chunks} chunks have no vector yet and are found by words only.")
        if not self._embedder.semantic:
            search.notes.append("The built-in vectors know what texts look like, not what they mean.")
        ids = self._shelf.places([place for place, _ in named])
        return [(ids[place], cosine) for place, cosine in named if place in ids]

    @staticmethod
    def _by_words(search: _Search, note: str) -> list[tuple[int, float]]:
        search.retriever = "lexical"
        search.notes.append(note)
        return []

    @staticmethod
    def _tell(search: _Search, words: Ranked, hits: int) -> None:
        missing = [term for term in words.unknown if not any(is_cjk(char) for char in term)]
        if missing:
            more = f" and {len(missing) - 5} more" if len(missing) > 5 else ""
            search.notes.append(f"Not in the index: {', '.join(missing[:5])}{more}.")
        if not hits and not missing:
            search.notes.append("Nothing in the index shares enough with this question.")

    # Vectors in the background

    def _without(self) -> int:
        dense = self._dense
        lacking = 0 if dense is None or dense.problem else self._shelf.uncollected()
        return self._shelf.missing() + lacking

    def _collect(self, dense: Dense, many: int, cancel: Cancel) -> int:
        done = 0
        try:
            while dense.let_go() and not cancel.cancelled:
                self._wait_for_quiet()
            while done < many and not cancel.cancelled:
                self._wait_for_quiet()
                step = dense.collect(COLLECT_BATCH)
                if not step:
                    break
                done += step
        except DenseBroken:
            # The collection says why in ``problem``, and every search that would have used it says it too.
            return done
        return done

    @contextmanager
    def _answering(self) -> Iterator[None]:
        with self._quiet:
            self._searches += 1
        try:
            yield
        finally:
            with self._quiet:
                self._searches -= 1
                self._quiet.notify_all()

    def _wait_for_quiet(self) -> None:
        with self._quiet:
            self._quiet.wait_for(lambda: not self._searches, QUIET_SECONDS)

    def _opened(self, dense: Dense, seconds: float) -> bool:
        """Whether Chroma is open, after waiting at most so long for it."""
        if dense.is_open:
            return True
        if dense.problem:
            return False
        if self._opening is None or not self._opening.is_alive():
            self._opening = threading.Thread(target=_open, args=(dense,), name="vectors", daemon=True)
            self._opening.start()
        deadline = time.monotonic() + seconds
        self._opening.join(max(deadline - time.monotonic(), 0.0))
        return dense.is_open


def _open(dense: Dense) -> None:
    try:
        dense.open()
    except DenseBroken:
        # Told by ``problem``.
        return


def _key(candidate: Candidate, value: float) -> tuple[float, str, int]:
    chunk = candidate.row.chunk if candidate.row else None
    return (-round(value, 5), chunk.path if chunk else "", chunk.index if chunk else 0)
