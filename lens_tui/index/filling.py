"""Makes the vectors that chunks lack, a second's work at a time, and gives them to the collection between searches.

Each batch is stored before the next begins, so that what was made is kept whenever the process ends.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from lens_tui.errors import Stopped
from lens_tui.index.dense import Dense, DenseBroken
from lens_tui.index.vectors import VectorShelf
from lens_tui.protocols import Cancel, Embedder, SpanEmbedder

MODEL_SECONDS = 1.0
"""Work of a model in one batch: what a kill loses at most, and how often progress moves."""

OWN_SECONDS = 0.1
"""Work in one batch of vectors that are made in this process, whose searches wait for Python meanwhile."""

FIRST, MOST = 8, 256
"""Texts in the first batch, and in any: from half a second's work of a slow model to that of a fast one."""

COLLECT_BATCH = 16
"""Vectors given to Chroma in one call: it stalls every thread for about 12 ms."""

QUIET_SECONDS = 2.0
"""Longest that vectors wait for searches to end."""


class Pace:
    """How many texts make a batch of so many seconds, learnt from the batches before."""

    def __init__(self, seconds: float) -> None:
        """Begin carefully."""
        self.size = FIRST
        """Texts of the next batch."""
        self._seconds = seconds
        self._rate = 0.0

    def took(self, texts: int, seconds: float) -> None:
        """Learn from a batch. One that was much faster than those before at most doubles the next."""
        rate = texts / max(seconds, 1e-6)
        self._rate = (self._rate + rate) / 2 if self._rate else rate
        self.size = max(1, min(int(self._rate * self._seconds), 2 * self.size, MOST))


class Quiet:
    """Knows whether a search is under way."""

    def __init__(self) -> None:
        """None is."""
        self._searches = 0
        self._news = threading.Condition()

    @contextmanager
    def broken(self) -> Iterator[None]:
        """A search is under way inside."""
        with self._news:
            self._searches += 1
        try:
            yield
        finally:
            with self._news:
                self._searches -= 1
                self._news.notify_all()

    def wait(self) -> None:
        """Wait until no search is under way, ``QUIET_SECONDS`` at most."""
        with self._news:
            self._news.wait_for(lambda: not self._searches, QUIET_SECONDS)


class Filling:
    """The second job of an index: no chunk without a vector. Safe from any thread; one batch at a time."""

    def __init__(
        self,
        shelf: VectorShelf,
        dense: Dense,
        embedder: Embedder,
        quiet: Quiet,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Take what is open."""
        self._shelf, self._dense, self._embedder = shelf, dense, embedder
        self._quiet, self._clock = quiet, clock
        self._pace = Pace(MODEL_SECONDS if embedder.semantic else OWN_SECONDS)
        self.alone = threading.Lock()
        """Held while a batch is in hand."""

    def without(self) -> int:
        """Chunks that vectors do not find yet."""
        lacking = 0 if self._dense.problem else self._shelf.uncollected()
        return self._shelf.missing() + lacking

    def step(self, cancel: Cancel) -> int:
        """Make and store the next vectors and give the collection what it lacks; 0 when nothing is missing.

        Raises:
            ModelError: The embedder failed; what came before is kept.
        """
        with self.alone:
            made = self._make(cancel)
            return max(made, self._collect(max(made, self._pace.size), cancel))

    def _make(self, cancel: Cancel) -> int:
        if isinstance(self._embedder, SpanEmbedder):
            return self._make_spans(self._embedder, cancel)
        waiting = self._shelf.waiting(self._pace.size)
        if not waiting or cancel.cancelled:
            return 0
        if not self._embedder.semantic:
            self._quiet.wait()
        begun = self._clock()
        try:
            vectors = self._embedder.passages([one.text for one in waiting], cancel)
        except Stopped:
            return 0
        self._pace.took(len(waiting), self._clock() - begun)
        keys = [one.key for one in waiting[: len(vectors)]]
        return self._shelf.keep(keys, vectors) if keys else 0

    def _make_spans(self, embedder: SpanEmbedder, cancel: Cancel) -> int:
        """The next vectors of one document, which is tokenized anew for each batch: cheap beside the model."""
        waiting = self._shelf.waiting_spans(self._pace.size)
        if waiting is None or cancel.cancelled:
            return 0
        begun = self._clock()
        try:
            vectors = embedder.of_spans(waiting.text, [span for _, span in waiting.spans], cancel)
        except Stopped:
            return 0
        self._pace.took(len(vectors), self._clock() - begun)
        return self._shelf.keep([key for key, _ in waiting.spans[: len(vectors)]], vectors)

    def _collect(self, many: int, cancel: Cancel) -> int:
        done = 0
        try:
            while self._dense.let_go() and not cancel.cancelled:
                self._quiet.wait()
            while done < many and not cancel.cancelled:
                self._quiet.wait()
                step = self._dense.collect(COLLECT_BATCH)
                if not step:
                    break
                done += step
        except DenseBroken:
            # The collection says why in ``problem``, and every search that would have used it says it too.
            return done
        return done
