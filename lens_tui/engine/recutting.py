"""Answers requests about cutting: one file otherwise, or the whole folder from now on, with what that costs."""

import time
from collections.abc import Callable, Iterator
from dataclasses import fields, replace

from lens_tui.cancel import CancelToken
from lens_tui.chunking import STRATEGIES, effective
from lens_tui.engine.board import Board
from lens_tui.engine.folder_file import FolderFile
from lens_tui.engine.work import IndexWork
from lens_tui.errors import ChunkingValueError, FileUnreadable
from lens_tui.files.reading import document_of
from lens_tui.lens import Lens
from lens_tui.options import ChunkOptions
from lens_tui.requests import CutFile, CutText, FileCut, Recut, RecutCost, TextCut
from lens_tui.settings import CHUNKING, set_keys
from lens_tui.types import Document, FileNote, Notice

OF_THE_EMBEDDER = ("late", "late_pooling", "max_sequence", "context_position")
"""Options that say how vectors are made, and not where it is cut."""

BUILTIN_RATE = 900.0
"""Vectors a second of the built-in embedder, made, stored and collected: 1.1 ms of CPU each, of 32,386."""


class Recutting:
    """How the folder's files are cut, and the folder's own choice of it. Thread-safe."""

    def __init__(
        self,
        lens: Lens,
        work: IndexWork,
        folder_file: FolderFile,
        board: Board,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Take what cuts, what reads the folder, where the choice is kept and where it is told."""
        self._lens = lens
        self._work = work
        self._folder_file = folder_file
        self._board = board
        self._clock = clock

    def handle(
        self, request: CutFile | CutText | Recut, cancel: CancelToken
    ) -> Iterator[FileCut | TextCut | RecutCost]:
        """Yield the replies that the request's docstring names. Raises LensError."""
        if isinstance(request, CutFile):
            yield self._lens.cutting.cut(self._lens.read(request.path), request.options)
        elif isinstance(request, CutText):
            yield self._lens.cutting.cut_text(_document(request), _taken(request.options))
        else:
            yield from self._recut(request, cancel)

    def _recut(self, request: Recut, cancel: CancelToken) -> Iterator[RecutCost]:
        if self._reopens(request):
            files, chunks, _, _ = self._lens.backend.counts()
            if not request.ask:
                self._keep(request)
            yield RecutCost(reopens=True, files=files, chunks=chunks, vectors=chunks)
            return
        cost = self._lens.cutting.cost(request.options, self._lens.backend, self._lens.read, cancel)
        rate = self._work.vector_rate or (0.0 if self._lens.embedder.semantic else BUILTIN_RATE)
        yield replace(cost, vector_seconds=round(cost.vectors / rate, 0) if rate else None)
        if not request.ask and not cancel.cancelled:
            self._take_over(request)

    def _reopens(self, request: Recut) -> bool:
        """Whether what makes the vectors is to be another one: it is opened once, with the index."""
        made, now = self._folder_file.made_of, self._lens.cutting.options
        other = request.embedder is not None and request.embedder != made.get("embedder", "")
        return other or any(getattr(now, name) != getattr(request.options, name) for name in OF_THE_EMBEDDER)

    def _keep(self, request: Recut) -> None:
        chosen = set_keys(request.options)
        if request.embedder is not None:
            chosen["embedder"] = request.embedder
        others = {key: value for key, value in self._folder_file.choices.items() if key not in CHUNKING}
        made = {key: value for key, value in self._folder_file.made_of.items() if key not in CHUNKING}
        self._folder_file.keep(choices=others | chosen, made_of=made | chosen)

    def _take_over(self, request: Recut) -> None:
        # Kept first: an engine that ends here finds on opening that its files are cut otherwise.
        self._keep(request)
        lens = self._lens
        if self._work.between(lambda: lens.cutting.take_over(request.options, lens.backend)):
            said = f"Every file is read and cut anew, by {request.options.strategy}."
            self._board.notice(Notice(self._clock(), said))


def _document(request: CutText) -> Document:
    kind = request.options.type or ("code" if request.options.language else "")
    read = document_of(request.name, request.text.encode("utf-8", "replace"), kind=kind)
    if isinstance(read, FileNote):
        raise FileUnreadable(f"{request.name} cannot be cut: {read.reason}.", hint="Send text.")
    return read


def _taken(options: ChunkOptions) -> ChunkOptions:
    """The options, where each has an effect. Raises ChunkingValueError."""
    has = effective(options)
    idle = [field.name for field in fields(ChunkOptions) if getattr(has, field.name) != getattr(options, field.name)]
    if idle and options.strategy in STRATEGIES:
        takes = ", ".join(sorted(STRATEGIES[options.strategy].takes))
        raise ChunkingValueError(f"{options.strategy} would make no use of {idle[0]}.", hint=f"It takes: {takes}.")
    return options
