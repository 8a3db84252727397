"""What the vectors name for a question, or the sentence that says why they are not asked."""

import threading
import time
from typing import TYPE_CHECKING

from lens_tui.errors import ModelError
from lens_tui.index.dense import Dense, DenseBroken
from lens_tui.index.filling import Filling
from lens_tui.index.filtering import Ranges
from lens_tui.index.store import Store
from lens_tui.index.vectors import VectorShelf
from lens_tui.protocols import Embedder
from lens_tui.types import Retriever

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

MOST_STALE = 200
"""Places gone from the store, and still in the collection, that a vector search makes up for."""

MOST_COMPARED = 2_000
"""Chunks within a filter that are compared one by one, exactly: 10 ms. Of more, Chroma's nearest are passed through."""

MOST_ASKED = 1_000
"""Nearest chunks that Chroma is asked for, where a filter lets few of them pass."""

OPENING_SECONDS = 3.0
"""Longest that a hybrid search waits for Chroma to open; after that it answers by words and says so."""

PATIENT_SECONDS = 60.0
"""The same of a search by vectors alone."""


class Unasked(Exception):
    """The vectors have no say in this search; the message says why."""


class Nearest:
    """Searches of one index by its vectors. Safe from any thread."""

    def __init__(self, store: Store, shelf: VectorShelf, dense: Dense, embedder: Embedder, filling: Filling) -> None:
        """Take what is open."""
        self._store, self._shelf, self._dense = store, shelf, dense
        self._embedder, self._filling = embedder, filling
        self._opening: threading.Thread | None = None

    def votes(self, retriever: Retriever) -> bool:
        """Whether vectors have a say in a search by this retriever: the built-in ones do where they are alone."""
        return retriever == "vector" or self._embedder.semantic

    def rows(
        self, text: str, limit: int, retriever: Retriever, among: Ranges | None = None
    ) -> tuple[list[tuple[int, float]], list[str]]:
        """(Chunk id, cosine) of the nearest ``limit`` chunks, nearest first, and sentences on them.

        With ``among``, only of these.

        Raises:
            Unasked: They cannot be had, or would say nothing of this question.
        """
        alone = retriever == "vector"
        notes: list[str] = []
        chunks = self._store.totals.chunks
        if not chunks:
            return [], notes
        try:
            if not self.opened(PATIENT_SECONDS if alone else OPENING_SECONDS):
                raise Unasked(self._dense.problem or "The vector index is still being opened.")
            notes.extend(self._dense.take_notes())
            without = self._filling.without()
            if without >= chunks:
                raise Unasked(f"None of {chunks} chunks has a vector yet: this is by words alone.")
            if not self._embedder.knows(text):
                unread = f"{readable(self._embedder.name)} was not trained to read this language"
                if not alone:
                    raise Unasked(f"{unread}: this is by words alone.")
                notes.append(f"{unread}, so its vectors say little here.")
            vector = self._embedder.query(text)
            found = self._named(vector, limit, among)
        except ModelError as error:
            raise Unasked(f"By words alone: {error.message}") from error
        except DenseBroken as error:
            raise Unasked(f"By words alone: {error}") from error
        if without:
            notes.append(f"{without} of {chunks} chunks have no vector yet and are found by words only.")
        if not self._embedder.semantic:
            notes.append("The built-in vectors know what texts look like, not what they mean.")
        return found, notes

    def _named(self, vector: "Vectors", limit: int, among: Ranges | None) -> list[tuple[int, float]]:
        if among is not None and len(among) <= MOST_COMPARED:
            import numpy as np

            kept = self._shelf.of(list(among))
            cosines = ((id_, float(vector[0] @ np.frombuffer(one, "<f4"))) for id_, one in kept.items())
            return sorted(cosines, key=lambda one: (-one[1], one[0]))[:limit]
        ask = limit
        if among is not None:
            ask = min(2 * limit * self._store.totals.chunks // len(among), MOST_ASKED)
        # Places that are gone and not yet taken out stand among the nearest: as many more are asked for.
        named = self._dense.query(vector, ask + len(self._shelf.to_drop(MOST_STALE)))
        ids = self._shelf.places([place for place, _ in named])
        found = [(ids[place], cosine) for place, cosine in named if place in ids]
        return [one for one in found if among is None or one[0] in among][:ask]

    def opened(self, seconds: float) -> bool:
        """Whether Chroma is open, after waiting at most so long for it."""
        if self._dense.is_open:
            return True
        if self._dense.problem:
            return False
        if self._opening is None or not self._opening.is_alive():
            self._opening = threading.Thread(target=_open, args=(self._dense,), name="vectors", daemon=True)
            self._opening.start()
        deadline = time.monotonic() + seconds
        self._opening.join(max(deadline - time.monotonic(), 0.0))
        return self._dense.is_open

    def close(self) -> None:
        """Wait for an opening that is under way."""
        if self._opening is not None:
            self._opening.join()


def readable(embedder: str) -> str:
    """The model in an embedder's name, such as ``all-minilm:latest``."""
    return embedder.removeprefix("ollama/").partition("@")[0]


def _open(dense: Dense) -> None:
    try:
        dense.open()
    except DenseBroken:
        # Told by ``problem``.
        return
