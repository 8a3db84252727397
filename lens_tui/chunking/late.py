"""Late chunking: the tokens of a whole document get their vectors first, and are pooled by chunk only then.

Günther et al., Late Chunking, 2024 (arXiv 2409.04701). A document longer than the model's sequence is read in windows
that overlap; each token's vector is taken from the window in which most stands around it.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from lens_tui.protocols import Chunker, TokenEmbedder
from lens_tui.types import Cut, Document, Span

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float32]

Pooling = Literal["mean", "cls", "attention"]

SHARED = 4
"""One part in so many of a window is shared with the next."""

KEPT = 4
"""Windows whose vectors are kept: a chunk seldom reaches into more."""


class LateChunker:
    """Cuts as another strategy does, for vectors that are made of whole documents."""

    def __init__(self, chunker: Chunker) -> None:
        """Take what finds the boundaries."""
        self._chunker = chunker
        self.strategy = chunker.strategy

    def told(self, document: Document) -> str:
        """What cuts it, and that its vectors are late."""
        return f"{self._chunker.told(document)}, late"

    def chunk(self, document: Document) -> Cut:
        """Cut it, each chunk marked. Raises ChunkingError."""
        cut = self._chunker.chunk(document)
        return replace(cut, chunks=tuple(replace(chunk, late=True) for chunk in cut.chunks))


class LateText:
    """One document, tokenized whole; its windows are computed when a chunk asks for them."""

    def __init__(self, model: TokenEmbedder, text: str, pooling: Pooling = "mean") -> None:
        """Take the text and how tokens become a chunk's vector.

        Args:
            model: Gives a vector for each token of a sequence.
            text: All of it.
            pooling: ``mean`` of the chunk's tokens; ``cls``: that of its first token, as the whole document shaped it;
                ``attention``: the mean weighed by how much each token attends to the mean, softmax(tokens · mean / √d).
        """
        self._model, self._pooling = model, pooling
        tokens = model.tokens(text)
        self._ids = tokens.ids
        self._starts = [start for start, _ in tokens.spans]
        self._ends = [end for _, end in tokens.spans]
        self._room = max(model.room, 1)
        self._stride = max(self._room - self._room // SHARED, 1)
        self._window = lru_cache(maxsize=KEPT)(self._computed)

    def vector(self, span: Span) -> "Array":
        """The vector of ``text[start:end]``, of length 1; the nearest token's where none begins or ends in it.

        Raises:
            ModelUnfit: The model cannot be loaded, or gives no token vectors.
        """
        import numpy as np

        first, last = bisect_left(self._ends, span[0] + 1), bisect_left(self._starts, span[1])
        if not self._ids:
            row = np.zeros(self._model.dimensions, np.float32)
            row[0] = 1.0
            return row
        if last <= first:
            first = min(first, len(self._ids) - 1)
            last = first + 1
        pooled = self._pooled(self._tokens(first, last))
        length = float(np.linalg.norm(pooled))
        unit: Array = (pooled / length if length else pooled).astype(np.float32)
        return unit

    def _pooled(self, tokens: "Array") -> "Array":
        import numpy as np

        first: Array = tokens[0]
        if self._pooling == "cls":
            return first
        mean: Array = tokens.mean(axis=0)
        if self._pooling == "mean":
            return mean
        weights = tokens @ mean / np.sqrt(tokens.shape[1])
        weights = np.exp(weights - weights.max())
        attended: Array = (weights / weights.sum()) @ tokens
        return attended

    def _tokens(self, first: int, last: int) -> "Array":
        """Vectors of some tokens, each from its own window."""
        import numpy as np

        parts = []
        while first < last:
            number = self._window_of(first)
            end = min(last, self._border(number))
            begin = number * self._stride
            parts.append(self._window(number)[first - begin : end - begin])
            first = end
        return np.concatenate(parts)

    def _window_of(self, token: int) -> int:
        """The window in which the token is farthest from the edges."""
        number = max(0, (token - self._room // SHARED // 2) // self._stride)
        while token >= self._border(number):
            number += 1
        return number

    def _border(self, number: int) -> int:
        """The first token that belongs to the window after: the middle of what they share."""
        end = number * self._stride + self._room
        if end >= len(self._ids):
            return len(self._ids)
        return end - (self._room - self._stride) // 2

    def _computed(self, number: int) -> "Array":
        begin = number * self._stride
        return self._model.vectors(self._ids[begin : begin + self._room])


def late_vectors(model: TokenEmbedder, text: str, spans: Sequence[Span], pooling: Pooling = "mean") -> "Array":
    """Vectors of a document's chunks, shape (chunks, dimensions), rows of length 1. Raises ModelUnfit."""
    import numpy as np

    late = LateText(model, text, pooling)
    rows = [late.vector(span) for span in spans]
    return np.stack(rows) if rows else np.zeros((0, model.dimensions), np.float32)
