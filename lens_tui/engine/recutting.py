"""Answers requests about cutting: one file otherwise, or the whole folder from now on, with what that costs."""

import time
from collections.abc import Callable, Iterator
from dataclasses import replace

from lens_tui.cancel import CancelToken
from lens_tui.engine.board import Board
from lens_tui.engine.folder_file import FolderFile
from lens_tui.engine.work import IndexWork
from lens_tui.lens import Lens
from lens_tui.requests import CutFile, FileCut, Recut, RecutCost
from lens_tui.settings import CHUNKING, set_keys
from lens_tui.types import Notice


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

    def handle(self, request: CutFile | Recut, cancel: CancelToken) -> Iterator[FileCut | RecutCost]:
        """Yield the replies that the request's docstring names. Raises LensError."""
        if isinstance(request, CutFile):
            yield self._lens.cutting.cut(self._lens.read(request.path), request.options)
            return
        cost = self._lens.cutting.cost(request.options, self._lens.backend, self._lens.read, cancel)
        rate = self._work.vector_rate
        yield replace(cost, vector_seconds=round(cost.vectors / rate, 0) if rate else None)
        if not request.ask and not cancel.cancelled:
            self._take_over(request)

    def _take_over(self, request: Recut) -> None:
        others = {key: value for key, value in self._folder_file.choices.items() if key not in CHUNKING}
        made = {key: value for key, value in self._folder_file.made_of.items() if key not in CHUNKING}
        chosen = set_keys(request.options)
        # Kept first: an engine that ends here finds on opening that its files are cut otherwise.
        self._folder_file.keep(choices=others | chosen, made_of=made | chosen)
        lens = self._lens
        if self._work.between(lambda: lens.cutting.take_over(request.options, lens.backend)):
            said = f"Every file is read and cut anew, by {request.options.strategy}."
            self._board.notice(Notice(self._clock(), said))
