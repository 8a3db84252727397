"""Answers requests about models: which there are, to use another one in this folder, to have one fetched."""

from collections.abc import Iterator

from lens_tui.cancel import CancelToken
from lens_tui.engine.folder_file import FolderFile
from lens_tui.lens import Lens
from lens_tui.requests import ChooseModel, ModelList, Models, Pulling, PullModel


class Choosing:
    """The models of whichever server a face names, and the folder's choice among them. Thread-safe."""

    def __init__(self, lens: Lens, folder_file: FolderFile) -> None:
        """Take the way to the servers, and where the choice is kept."""
        self._lens = lens
        self._folder_file = folder_file

    def handle(self, request: Models | ChooseModel | PullModel, cancel: CancelToken) -> Iterator[ModelList | Pulling]:
        """Yield the replies that the request's docstring names. Raises LensError."""
        match request:
            case Models():
                yield self._list(request.host, request.model)
            case ChooseModel():
                self._folder_file.keep(model=request.model)
                yield self._list(request.host, None)
            case PullModel():
                yield from self._lens.chats.pull(request.host, request.model, cancel)
                if not cancel.cancelled:
                    yield self._list(request.host, None)

    def _list(self, host: str, wanted: str | None) -> ModelList:
        return self._lens.chats.list(host, wanted, self._folder_file.model, self._lens.embedder.name)
