"""The engine's two jobs and their threads: text (reading what changed) and vectors (embedding what lacks one).

Text goes first: vectors are made only while nothing waits to be read, and never while paused.
"""

import contextlib
import logging
import os
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeVar

from lens_tui.cancel import CancelToken
from lens_tui.errors import LensError, ModelError
from lens_tui.indexer import Indexer, Run
from lens_tui.noting import Noting
from lens_tui.protocols import Cancel, SearchBackend
from lens_tui.requests import IndexProgress, IndexState

RECONCILE_SECONDS = 600.0
"""A full look at the folder this often: events can be lost without an error (queue overflow, network disks)."""

RETRY_SECONDS = 30.0
"""Pause after a run or an embedder failed: a disk is made free, a server started again, within minutes."""

VECTOR_WAIT_SECONDS = 5.0
"""The end of a run wakes the second job at once; this is only for an embedder that failed and may be back."""

BACKGROUND_NICE = 10
"""Of 19: about a tenth of the processor where something else wants all of it, everything where nothing does."""

COUNT_SECONDS = 0.2
"""How long counts read from the store are good for; faces draw at most five times a second."""

T = TypeVar("T")
Phase = Literal["scanning", "reading", "idle", "paused", "stopped"]

LOG = logging.getLogger(__name__)


@dataclass(slots=True)
class Totals:
    """What all runs since some moment did together."""

    added: int = 0
    changed: int = 0
    removed: int = 0
    unchanged: int = 0


class IndexWork:
    """Owns the two threads. Every method may be called from any thread."""

    def __init__(
        self,
        indexer: Indexer,
        backend: SearchBackend,
        embedder: str,
        *,
        noting: Noting | None = None,
        on_run: Callable[[Run], None] = lambda run: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Take what works; ``on_run`` is called after each run, from the text thread."""
        self._indexer = indexer
        self._backend = backend
        self._embedder = embedder
        self._noting = noting
        self._on_run = on_run
        self._clock = clock
        self._news = threading.Condition()
        self._wanted = 0
        self._finished = 0
        self.seen = False
        """Whether the whole folder has been read once."""
        self._hints: set[str] = set()
        self._paused = False
        self._stopped = False
        self._broken_off = False
        self._closing = CancelToken()
        self._run_cancel = CancelToken()
        self._running = False
        self._embedding = False
        self._vectors_due = True
        self._retry_at = 0.0
        self._totals = Totals()
        self._problem: LensError | None = None
        self._vector_problem = ""
        self._vector_marks: deque[tuple[float, int]] = deque(maxlen=200)
        self.vector_rate = 0.0
        """Vectors a second in the last batch; 0 before the first."""
        self._counts = (0.0, (0, 0, 0, 0))
        self._threads = [
            threading.Thread(target=self._text, name="text", daemon=True),
            threading.Thread(target=self._vectors, name="vectors", daemon=True),
        ]

    def begin(self) -> None:
        """Start both threads, once; the folder is looked at as a whole first."""
        with self._news:
            if self._threads[0].ident is not None:
                return
            self._wanted = max(self._wanted, self._finished + 1)
            for thread in self._threads:
                thread.start()

    def hint(self, paths: Iterable[str]) -> None:
        """Something may have changed at these paths."""
        with self._news:
            self._hints.update(paths)
            self._news.notify_all()

    def want_everything(self) -> tuple[int, Totals]:
        """Ask for a run over the whole folder that begins after now; returns its ticket and the totals so far."""
        with self._news:
            now = self._totals
            before = Totals(now.added, now.changed, now.removed, now.unchanged)
            self._stopped = False
            # A run that is wanted and has not begun serves this asker too.
            if self._wanted == self._finished or self._running:
                self._wanted += 1
            self._news.notify_all()
            return self._wanted, before

    def wait_for(self, ticket: int, cancel: Cancel) -> Iterator[IndexProgress]:
        """Yield snapshots until the ticket's run is over. Raises the LensError that ended it."""
        shown: IndexProgress | None = None
        while not cancel.cancelled:
            with self._news:
                self._news.wait_for(lambda: self._finished >= ticket or cancel.cancelled, 0.1)
                over = self._finished >= ticket
                problem = self._problem
            progress = self.progress()
            if progress != shown:
                shown = progress
                yield progress
            if over:
                if problem is not None:
                    raise problem
                return

    def wait_for_vectors(self, cancel: Cancel) -> Iterator[IndexProgress]:
        """Yield snapshots until no chunk lacks a vector, or none can be made."""
        shown: IndexProgress | None = None
        while not cancel.cancelled:
            _, chunks, done, pending = self._backend.counts()
            noted = self._noting.left if self._noting is not None and not self._noting.problem else 0
            if ((pending == 0 or self._vector_problem) and not noted) or self._paused:
                return
            progress = IndexProgress(done=done, total=done + pending, current="vectors", chunks=chunks)
            if noted:
                progress = IndexProgress(done=chunks - noted, total=chunks, current="notes", chunks=chunks)
            if progress != shown:
                shown = progress
                yield progress
            with self._news:
                self._news.wait(0.1)

    def done_since(self, before: Totals) -> Totals:
        """What was done since ``before`` was taken; ``unchanged`` is the last run's."""
        now = self._totals
        return Totals(
            now.added - before.added,
            now.changed - before.changed,
            now.removed - before.removed,
            now.unchanged,
        )

    def progress(self) -> IndexProgress:
        """Where the run in hand stands."""
        run = self._indexer.run
        return IndexProgress(done=run.done, total=run.total, current=run.current, chunks=self._counted()[1])

    def pause(self) -> None:
        """Begin nothing more until ``resume``; the file and the batch in hand are finished."""
        self._paused = True
        self._run_cancel.cancel()
        with self._news:
            self._news.notify_all()

    def resume(self) -> None:
        """Go on where ``pause`` or ``stop`` left off."""
        with self._news:
            self._paused = self._stopped = False
            self._wanted = max(self._wanted, self._finished + 1)
            self._news.notify_all()

    def stop(self) -> None:
        """End the run in hand; what it did stays, and a later hint, ``resume`` or question begins anew."""
        self._stopped = True
        self._run_cancel.cancel()

    def look_again(self, path: str | None) -> None:
        """Read what was refused again."""
        self._indexer.look_again(path)
        if path is None:
            self.resume()
        else:
            self.hint([path])
        self._vector_problem, self._retry_at = "", 0.0

    def between(self, act: Callable[[], T]) -> T:
        """Do something while no file is in hand; the run in hand ends before it, and the folder is looked at after it.

        Nobody who waits for that run is told that it is over before the next one is.
        """
        with self._news:
            self._broken_off = self._running
            self._run_cancel.cancel()
            self._news.wait_for(lambda: not self._running)
            try:
                return act()
            finally:
                self._broken_off = self._stopped = False
                self._wanted = max(self._wanted, self._finished + 1)
                self._news.notify_all()

    def rebuild(self) -> None:
        """Read and cut every file anew; search goes on with what there was until each is replaced."""
        self._indexer.distrust()
        self.resume()

    @property
    def busy(self) -> bool:
        """Whether a file or a batch is in hand."""
        return self._running or self._embedding

    def state(self) -> IndexState:
        """Where both jobs stand: a snapshot."""
        run = self._indexer.run
        files, chunks, vectors, pending = self._counted()
        rate = self._indexer.rate() if self._running else 0.0
        vector_rate = self._vector_rate() if self._embedding or pending else 0.0
        left_out, failed = len(self._indexer.left_out()), len(self._indexer.failed())
        return IndexState(
            phase=self._phase(run),
            files=files,
            total=max(self._indexer.expected, files),
            done=run.done,
            run_total=run.total,
            chunks=chunks,
            rate=round(rate, 1),
            seconds_left=round((run.total - run.done) / rate, 0) if rate else None,
            current=run.current,
            vectors=vectors,
            vectors_total=vectors + pending,
            vector_rate=round(vector_rate, 1),
            vector_seconds_left=round(pending / vector_rate, 0) if vector_rate and pending else None,
            embedder=self._embedder,
            vector_problem=self._vector_problem,
            notes_left=self._noting.left if self._noting is not None else 0,
            notes_failed=self._noting.failed if self._noting is not None else 0,
            note_problem=self._noting.problem if self._noting is not None else "",
            left_out=left_out,
            failed=failed,
            notes=(f"{self._problem.message} {self._problem.hint}".strip(),) if self._problem else (),
        )

    def close(self) -> None:
        """Finish the file and the batch in hand, then end both threads."""
        self._closing.cancel()
        self._run_cancel.cancel()
        with self._news:
            self._news.notify_all()
        for thread in self._threads:
            if thread.ident is not None and thread is not threading.current_thread():
                thread.join(30)

    def _phase(self, run: Run) -> Phase:
        if self._paused:
            return "paused"
        if self._running:
            return "reading" if run.total else "scanning"
        return "stopped" if self._stopped or self._problem is not None else "idle"

    def _counted(self) -> tuple[int, int, int, int]:
        at, counts = self._counts
        if self._clock() - at > COUNT_SECONDS:
            counts = self._backend.counts()
            self._counts = (self._clock(), counts)
        return counts

    def _text(self) -> None:
        _step_back()
        while not self._closing.cancelled:
            with self._news:
                self._news.wait_for(self._text_wanted, RETRY_SECONDS if self._problem else RECONCILE_SECONDS)
                if self._closing.cancelled:
                    return
                if not self._text_wanted() and not (self._paused or self._stopped):
                    self._wanted += 1
                ticket, hints = self._wanted, self._hints
                if self._paused or (ticket == self._finished and not hints):
                    continue
                self._hints = set()
                self._run_cancel = CancelToken()
                self._running = True
            self._one_run(ticket, hints)

    def _text_wanted(self) -> bool:
        wanted = self._wanted > self._finished or (bool(self._hints) and not self._stopped)
        return self._closing.cancelled or (wanted and not self._paused)

    def _one_run(self, ticket: int, hints: set[str]) -> None:
        problem: LensError | None = None
        whole = ticket > self._finished
        try:
            run = self._indexer.everything(self._run_cancel) if whole else self._indexer.some(hints, self._run_cancel)
            self._add(run)
            self._on_run(run)
        except LensError as error:
            problem = error
        except Exception as error:
            LOG.exception("a run over the folder failed")
            problem = LensError(f"Reading the folder failed: {error}.", hint="The engine's log has the details.")
        with self._news:
            self._running = False
            self._vectors_due = True
            if self._noting is not None:
                self._noting.look()
            self._problem = problem
            stopped = self._run_cancel.cancelled and (self._paused or self._broken_off)
            if whole and not stopped:
                self._finished, self.seen = ticket, True
            self._counts = (0.0, self._counts[1])
            self._news.notify_all()

    def _add(self, run: Run) -> None:
        total = self._totals
        total.added += run.added
        total.changed += run.changed
        total.removed += run.removed
        total.unchanged = run.unchanged

    def _vectors(self) -> None:
        _step_back()
        while not self._closing.cancelled:
            with self._news:
                self._news.wait_for(self._vectors_wanted, VECTOR_WAIT_SECONDS)
                if not self._vectors_wanted() or self._closing.cancelled:
                    continue
                self._embedding, self._vectors_due = True, False
            made = self._one_batch()
            with self._news:
                self._embedding = False
                self._vectors_due = self._vectors_due or made > 0 or self._retry_at > self._clock()
                self._counts = (0.0, self._counts[1])
                self._news.notify_all()

    def _vectors_wanted(self) -> bool:
        free = not (self._text_wanted() or self._running or self._paused)
        return self._closing.cancelled or (self._vectors_due and free and self._clock() >= self._retry_at)

    def _one_batch(self) -> int:
        began = self._clock()
        try:
            if self._noting is not None and (written := self._noting.step(self._closing)):
                return written
            made = self._backend.embed_next(self._closing)
            self._vector_problem = ""
        except LensError as error:
            self._vector_problem = f"{error.message} {error.hint}".strip()
            self._retry_at = self._clock() + RETRY_SECONDS
            if not isinstance(error, ModelError):
                LOG.warning("vectors: %s", error)
            return 0
        except Exception as error:
            LOG.exception("a batch of vectors failed")
            self._vector_problem = f"Vectors could not be made: {error}."
            self._retry_at = self._clock() + RETRY_SECONDS
            return 0
        if made:
            self.vector_rate = made / max(self._clock() - began, 0.001)
            self._vector_marks.append((self._clock(), made))
        return made

    def _vector_rate(self) -> float:
        now = self._clock()
        marks = [mark for mark in self._vector_marks if mark[0] >= now - 10.0]
        if len(marks) < 2:
            return 0.0
        return sum(made for _, made in marks[1:]) / max(marks[-1][0] - marks[0][0], 0.001)


def _step_back() -> None:
    """Let every other thread of the machine go first: a key press must not wait for the index.

    Linux gives each thread a priority of its own; elsewhere it would be the whole engine's, searches too.
    """
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), BACKGROUND_NICE)
