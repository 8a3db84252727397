"""Chooses what makes an index's vectors: like ``opening.py``, it knows concrete classes."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from lens_tui.chunking.late import LateText, Pooling
from lens_tui.errors import ModelError
from lens_tui.index.embedding import OllamaEmbedder
from lens_tui.index.hashing import HashingEmbedder
from lens_tui.index.local import DIRECTORY, LateEmbedder, LocalEmbedder
from lens_tui.ollama.client import OllamaServer
from lens_tui.ollama.models import BUILTIN, choose_embedder
from lens_tui.protocols import Embedder, TokenEmbedder
from lens_tui.settings import Settings, is_directory
from lens_tui.types import Span

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def open_directory(settings: Settings) -> Embedder:
    """The embedder over the model directory that settings name. Raises ModelUnfit."""
    from lens_tui.onnx import ModelDirectory

    options = settings.chunking
    model = ModelDirectory(Path(settings.embedder).expanduser(), options.max_sequence)
    if not options.late:
        return LocalEmbedder(model)
    pooling: Pooling = options.late_pooling or "mean"  # type: ignore[assignment]  # one of the three, by its bounds

    def late(model: TokenEmbedder, text: str) -> Callable[[Span], "NDArray[np.float32]"]:
        return LateText(model, text, pooling).vector

    return LateEmbedder(model, late, pooling)


def open_embedder(settings: Settings, remembered: str | None) -> tuple[Embedder, tuple[str, ...]]:
    """The embedder of the index: the setting, else the folder's own, else what the server has, else the built-in.

    ``remembered`` is an embedder's name: with it, a folder's vectors stay in use while their server is away.
    """
    if settings.vector == "none" or settings.embedder == BUILTIN:
        return HashingEmbedder(), ()
    if is_directory(settings.embedder):
        return open_directory(settings), ()
    if remembered is not None and remembered.startswith(DIRECTORY):
        remembered = None
    server = OllamaServer(settings.ollama_host)
    if not settings.embedder and server.absent():
        # Loading what speaks HTTP takes 0.2 s, which the first search need not wait for.
        return (OllamaEmbedder(server, remembered) if remembered is not None else HashingEmbedder()), ()
    try:
        choice = choose_embedder(server, wanted=settings.embedder, remembered=remembered)
        if choice.name is not None:
            embedder = OllamaEmbedder(server, choice.name)
            _ = embedder.name  # asks the server, so that a model that cannot embed is refused here
            return embedder, ()
    except ModelError as error:
        if remembered is None:
            return HashingEmbedder(), (f"{error.message} Built-in vectors serve until then. {error.hint}".strip(),)
        return OllamaEmbedder(server, remembered), (f"{error.message} {error.hint}".strip(),)
    if remembered is not None and not choice.reachable:
        return OllamaEmbedder(server, remembered), ()
    return HashingEmbedder(), ()
