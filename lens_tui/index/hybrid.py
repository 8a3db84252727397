"""The folder's index as one SearchBackend: the store as the truth, full text and vectors derived from it.

How a search goes stands in searching.py, how hits are ordered and scored in ranking.py, what full text is in
fulltext.py, what related passages are in related.py.
"""

import threading
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace

from lens_tui.beside import beside
from lens_tui.index.dense import Dense
from lens_tui.index.filling import QUIET_SECONDS, Filling, Quiet
from lens_tui.index.fresh import Entry, field_terms
from lens_tui.index.fulltext import FullText
from lens_tui.index.nearest import OPENING_SECONDS, Nearest, Unasked
from lens_tui.index.related import related
from lens_tui.index.searching import CANDIDATES, DenseRows, Search, Searcher
from lens_tui.index.store import Lengths, Store
from lens_tui.index.vectors import VectorShelf
from lens_tui.protocols import Cancel, Embedder
from lens_tui.types import Chunk, Document, FileRecord, Place, Query, Recipe, Retrieved

LEAST_COSINE = {True: 0.25, False: 0.2}
"""Cosine under which a passage shares too little, of a model's vectors and of the built-in ones (unrelated: .10)."""

SWITCHED_OFF = "Vectors are switched off: this is by words alone."

MODEL_LESS = "Without an embedding model this is by words alone."


class HybridBackend:
    """Implements SearchBackend. Safe from any thread."""

    def __init__(
        self, store: Store, fulltext: FullText, shelf: VectorShelf, dense: Dense | None, embedder: Embedder
    ) -> None:
        """Take what is open; ``close`` closes it. Without ``dense`` there are no vectors."""
        self._store, self._fulltext, self._shelf = store, fulltext, shelf
        self._dense, self._embedder = dense, embedder
        self._searcher = Searcher(store, fulltext, LEAST_COSINE[embedder.semantic])
        self._writing = threading.Lock()
        self._quiet = Quiet()
        self._filling: Filling | None = None
        self._nearest: Nearest | None = None
        if dense is not None:
            self._filling = Filling(shelf, dense, embedder, self._quiet)
            self._nearest = Nearest(store, shelf, dense, embedder, self._filling)
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
        found = [field_terms(chunk, document.title, self._fulltext.title_times) for chunk in chunks]
        lengths: list[Lengths] = [(len(words), len(beginnings)) for words, beginnings in found]
        keys = [self._shelf.key_of(chunk, document.title) for chunk in chunks]
        self._fulltext.learn(found)
        with self._writing:
            change = self._store.replace(document, chunks, lengths, keys, self._shelf.embedder)
            entries = (
                Entry(id_, terms, change.added[0], len(found)) for id_, terms in zip(change.added, found, strict=True)
            )
            self._fulltext.apply(change, entries)

    def distrust(self, recipe: Recipe | None = None) -> None:
        """Let every file count as one to be read and cut anew; until then it is found as it was.

        Args:
            recipe: By what it is cut from now on, where that changes.
        """
        with self._writing:
            self._store.distrust()
            kept = self._store.recipe()
            if recipe is not None and kept is not None:
                # How words are analysed stays: with the weight of titles in it, which no recipe of a face names.
                self._store.keep_recipe(replace(recipe, analysis=kept.analysis))

    def touch(self, record: FileRecord) -> None:
        """Keep a file's new size, time, inode and warnings where its content is the same."""
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

    def without_note(self) -> Mapping[str, int]:
        """How many chunks of each file have no note of a model; files in which all have one are left out."""
        return self._store.without_note()

    def counts(self) -> tuple[int, int, int, int]:
        """Files, chunks, chunks that vectors find, chunks that they do not find yet (both 0 where there are none)."""
        totals = self._store.totals
        if self._filling is None:
            return totals.files, totals.chunks, 0, 0
        without = self._filling.without()
        return totals.files, totals.chunks, max(totals.chunks - without, 0), without

    # Search

    def search(self, query: Query, limit: int) -> Retrieved:
        """The best ``limit`` chunks, best first; equally good ones by path and place.

        ``vector`` and ``hybrid`` fall back to words, with a note, wherever vectors cannot be had; ``hybrid`` is by
        words too where the embedder's vectors do not know what texts mean.
        """
        with self._quiet.broken():
            return self._searcher.search(query, limit, self._dense_rows)

    def related(self, place: Place, limit: int) -> Retrieved:
        """Passages near this one by the vectors' measure, itself and near-copies left out.

        Raises:
            NothingFound: The path is not indexed.
            UsageError: It has no such line or chunk.
        """
        with self._quiet.broken():
            dense = self._dense
            if self._nearest is not None and not self._nearest.opened(QUIET_SECONDS + OPENING_SECONDS):
                dense = None
            least = LEAST_COSINE[self._embedder.semantic]
            return related(place, limit, self._store, self._shelf, dense, self._fulltext, self._embedder, least)

    def embed_next(self, cancel: Cancel) -> int:
        """Make and store the next vectors and give the collection what it lacks; 0 when nothing is missing.

        Vectors are stored before the collection gets them. It gets them between searches, not during one.

        Raises:
            ModelError: The embedder failed; what came before is kept.
        """
        return self._filling.step(cancel) if self._filling is not None else 0

    def flush(self) -> None:
        """Bring what is derived to disk. Raises StoreError."""
        self._fulltext.flush()

    def close(self) -> None:
        """Flush, mark the close as clean, let go of every file. A second call does nothing."""
        if self._closed:
            return
        self._closed = True
        if self._nearest is not None:
            self._nearest.close()
        with self._filling.alone if self._filling is not None else nullcontext():
            self._fulltext.close()
            if self._dense is not None:
                self._dense.close()
            self._store.close()

    # Retrieval

    def _dense_rows(self, search: Search) -> DenseRows:
        """Begin to look for what the vectors name; where it cannot be had the search is by words, with a note."""
        nearest = self._nearest
        if search.retriever == "lexical":
            return lambda: []
        if nearest is None or not nearest.votes(search.retriever):
            search.by_words(SWITCHED_OFF if nearest is None else MODEL_LESS)
            return lambda: []
        text, retriever, among = search.query.searched, search.retriever, search.within.ids
        begun = beside(lambda: nearest.rows(text, CANDIDATES, retriever, among), "nearest")

        def rows() -> list[tuple[int, float]]:
            try:
                found, notes = begun.result()
            except Unasked as why:
                search.by_words(str(why))
                return []
            search.notes.extend(notes)
            return found

        return rows
