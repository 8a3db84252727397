"""Answers every request of every face with one Lens, its index kept current by ``work.py`` and a watcher."""

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Protocol

from lens_tui.cancel import CancelToken
from lens_tui.engine.board import Board
from lens_tui.engine.choosing import Choosing
from lens_tui.engine.folder_file import FolderFile
from lens_tui.engine.recutting import Recutting
from lens_tui.engine.talking import Talking
from lens_tui.engine.tracing import trace
from lens_tui.engine.work import IndexWork
from lens_tui.errors import LensError
from lens_tui.indexer import Run
from lens_tui.lens import Lens
from lens_tui.places import Places
from lens_tui.requests import (
    Ask,
    ChooseModel,
    Control,
    CutFile,
    CutText,
    EditTalk,
    Event,
    ExportTalk,
    FolderNews,
    Index,
    IndexDone,
    IndexProgress,
    IndexState,
    LastTalk,
    ListTalks,
    Models,
    NewTalk,
    OpenFile,
    OpenTalk,
    PullModel,
    Recut,
    Related,
    Remember,
    Request,
    Search,
    Status,
    Trace,
    Traced,
    Watch,
)
from lens_tui.settings import Settings, made_of
from lens_tui.talks.store import Talks
from lens_tui.types import Answered, ModelChoice, Notice, Place

NEWS_SECONDS = 0.1
"""A watching face is told at most this often; a change is on its screen well within a second."""

SETTLE_SECONDS, NAP_SECONDS, FEW_FILES = 2.0, 0.02, 100
"""Longest that a question waits for the first look at a folder, how often that is looked at, and files that are few."""

MODEL_SECONDS, LEAVE_SECONDS = 5.0, 2.0
"""How often a watching face's model server is asked what it has, and how long its last answer is waited for."""


class FolderWatcher(Protocol):
    """Tells which paths may have changed."""

    def start(self) -> None:
        """Begin to watch."""

    def stop(self) -> None:
        """End it."""


class Service:
    """One folder's engine without its socket: requests in, events out, from any number of threads."""

    def __init__(
        self,
        lens: Lens,
        board: Board,
        talks: Talks,
        folder_file: FolderFile,
        watch: Callable[[Callable[[frozenset[str]], None]], FolderWatcher],
        *,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Take the parts, made by ``open_service``.

        Args:
            lens: The folder's Lens.
            board: The board that its indexer writes on.
            talks: The folder's conversations.
            folder_file: The folder's own choices.
            watch: Makes a watcher that calls what it is given with the paths that may have changed.
            clock: Seconds since the epoch.
        """
        self._lens = lens
        self._work = IndexWork(
            lens.indexer, lens.backend, lens.embedder.name, noting=lens.noting, on_run=self._run_ended
        )
        self._board = board
        self._talking = Talking(talks, board, clock)
        self._notes = (*lens.notes, *talks.notes)
        self._folder_file = folder_file
        self._choosing = Choosing(lens, folder_file)
        self._recutting = Recutting(lens, self._work, folder_file, board, clock)
        self._watcher = watch(self._work.hint)
        self._clock = clock
        self._begun = threading.Lock()
        self._watching = False

    def start(self) -> None:
        """Make ready for requests. The folder is looked at with the first request that needs it."""
        for note in (*self._notes, *self._lens.vector_notes()):
            self._board.notice(Notice(self._clock(), note))

    @property
    def busy(self) -> bool:
        """Whether a file or a batch of vectors is in hand."""
        return self._work.busy

    def close(self) -> None:
        """Finish what is in hand, bring everything to disk, let go of it."""
        if self._watching:
            self._watcher.stop()
        self._work.close()
        with contextlib.suppress(LensError):
            self._keep_counts()
        self._talking.close()
        self._lens.close()

    def handle(self, request: Request, cancel: CancelToken) -> Iterator[Event]:
        """Yield the replies that the request's docstring names; ``Leave`` has none. Raises LensError."""
        match request:
            case Index():
                yield from self._index(request, cancel)
            case Search() | Related():
                yield from self._find(request, cancel)
            case Ask():
                yield from self._ask(request, cancel)
            case Watch():
                yield from self._watch(request, cancel)
            case OpenFile():
                yield self._lens.open_file(request.path)
            case Models() | ChooseModel() | PullModel():
                yield from self._choosing.handle(request, cancel)
            case Trace():
                yield Traced(fates=trace(self._lens, request.passages))
            case Status():
                yield from self._status(request, cancel)
            case CutFile() | CutText() | Recut():
                yield from self._recutting.handle(request, cancel)
            case Control():
                self._control(request)
            case LastTalk() | NewTalk() | OpenTalk() | ListTalks() | EditTalk() | ExportTalk() | Remember():
                yield from self._talking.handle(request)

    def _find(self, request: Search | Related, cancel: CancelToken) -> Iterator[Event]:
        yield from self._fresh(request.fresh, cancel)
        if isinstance(request, Search):
            yield self._lens.search(request)
        else:
            yield self._lens.related(Place(request.path, request.line), request.k)

    def _begin(self) -> None:
        with self._begun:
            if not self._watching:
                self._watching = True
                self._watcher.start()
                self._work.begin()
                self._folder_file.keep()

    def _fresh(self, wanted: bool, cancel: CancelToken) -> Iterator[IndexProgress]:
        if not wanted:
            self._begin()
            return
        ticket, _ = self._work.want_everything()
        self._begin()
        yield from self._work.wait_for(ticket, cancel)

    def _status(self, request: Status, cancel: CancelToken) -> Iterator[Event]:
        if request.fresh or request.rows:
            yield from self._fresh(request.fresh, cancel)
        rows = self._board.rows() if request.rows else ()
        yield FolderNews(state=self._state(), rows=rows, all=request.rows)

    def _state(self) -> IndexState:
        return replace(self._work.state(), vector_notes=self._lens.vector_notes())

    def _index(self, request: Index, cancel: CancelToken) -> Iterator[Event]:
        began = time.monotonic()
        ticket, before = self._work.want_everything()
        self._begin()
        yield from self._work.wait_for(ticket, cancel)
        if not request.text_only:
            yield from self._work.wait_for_vectors(cancel)
        if cancel.cancelled:
            self._work.stop()
        self._keep_counts()
        did = self._work.done_since(before)
        files, chunks, vectors, pending = self._lens.backend.counts()
        state = self._work.state()
        problem = () if request.text_only else tuple(filter(None, (state.note_problem, state.vector_problem)))
        yield IndexDone(
            files=files,
            chunks=chunks,
            vectors=vectors,
            vectors_pending=pending,
            added=did.added,
            changed=did.changed,
            removed=did.removed,
            unchanged=min(did.unchanged, max(0, files - did.added - did.changed)),
            left_out=self._lens.indexer.left_out(),
            failed=self._lens.indexer.failed(),
            warnings=self._lens.indexer.warnings(),
            notes_failed=state.notes_failed,
            seconds=round(time.monotonic() - began, 3),
            notes=(*self._lens.notes, *self._lens.vector_notes(), *problem),
        )

    def _ask(self, request: Ask, cancel: CancelToken) -> Iterator[Event]:
        yield from self._fresh(request.fresh, cancel)
        self._settle(cancel)
        before = self._folder_file.model
        events = self._lens.ask(request, before, cancel)
        for event in self._talking.kept(request, events) if request.keep else events:
            # What the person chose while the answer came stands.
            if isinstance(event, Answered) and event.model and self._folder_file.model == before != event.model:
                self._folder_file.keep(model=event.model)
            yield event

    def _settle(self, cancel: CancelToken) -> None:
        """Wait a moment for the first look at a folder, where that is nearly over or nothing can be found before it."""
        end = time.monotonic() + SETTLE_SECONDS
        while not (self._work.seen or cancel.cancelled) and time.monotonic() < end:
            state = self._work.state()
            left = state.run_total - state.done
            if state.phase in ("paused", "stopped") or (state.chunks and left > FEW_FILES):
                return
            time.sleep(NAP_SECONDS)

    def _watch(self, request: Watch, cancel: CancelToken) -> Iterator[FolderNews]:
        self._begin()
        follower = self._board.follow()
        seen: list[ModelChoice | None] = [None]
        over = CancelToken()
        cancel.on_cancel(over.cancel)
        asker = threading.Thread(target=self._follow_model, args=(request, over, seen), name="model", daemon=True)
        asker.start()
        try:
            while not cancel.cancelled:
                news = self._board.news_for(follower, self._state(), seen[0])
                if news is not None:
                    yield news
                cancel.wait(NEWS_SECONDS)
        finally:
            over.cancel()
            self._board.leave(follower)
            # Not left behind to ask a server for a face that is gone, or with an engine that is closed.
            asker.join(LEAVE_SECONDS)

    def _follow_model(self, request: Watch, cancel: CancelToken, seen: list[ModelChoice | None]) -> None:
        """Ask the face's server now and then, apart from the news: it may take seconds to say nothing."""
        while not cancel.cancelled:
            try:
                seen[0] = self._lens.chats.choose(request.host, request.model, self._folder_file.model, fresh=True)
            except LensError as error:
                seen[0] = ModelChoice(None, error.message, request.host, error.hint)
            cancel.wait(MODEL_SECONDS)

    def _control(self, request: Control) -> None:
        self._begin()
        match request.action:
            case "pause":
                self._work.pause()
            case "resume":
                self._work.resume()
            case "stop":
                self._work.stop()
            case "reread":
                self._work.look_again(request.path)
            case "rebuild":
                self._work.rebuild()

    def _run_ended(self, run: Run) -> None:
        """Tell faces what a run did, where it followed a change rather than the first look."""
        if run.changed or run.added or run.removed:
            self._board.notice(Notice(self._clock(), said_of(run)))
            self._keep_counts()

    def _keep_counts(self) -> None:
        files, chunks, _, _ = self._lens.backend.counts()
        self._folder_file.keep(files=files, chunks=chunks)


def said_of(run: Run) -> str:
    """One sentence on what a run did."""
    parts = [(run.added, "new"), (run.changed, "changed"), (run.removed, "gone")]
    return "read the folder: " + ", ".join(f"{count:,} {word}" for count, word in parts if count)


def open_service(places: Places, settings: Settings) -> Service:
    """Open a folder's engine, everything in it made and nothing started.

    Raises:
        StoreError: The index cannot be opened or written.
        SettingsError: A setting names something that there is not.
    """
    from lens_tui.files.watch import Watcher
    from lens_tui.opening import open_lens

    folder_file = FolderFile(places.data / "folder.json", places.folder, time.time)
    board = Board()
    lens = open_lens(places, settings, board, folder_file.embedder)
    folder_file.keep(embedder=lens.embedder.name if lens.embedder.semantic else None, made_of=made_of(settings))
    own = (places.data, places.talks.parent)
    return Service(lens, board, Talks(places.talks), folder_file, lambda hint: Watcher(places.folder, hint, skip=own))
