"""Vectors from a model directory, without any server: of each text alone, or of a chunk within its whole document."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from lens_tui.errors import Stopped
from lens_tui.index.reads import Reading
from lens_tui.protocols import Cancel, TokenEmbedder
from lens_tui.text.framing import SPAN, TEXT
from lens_tui.types import Span

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from lens_tui.protocols import Vectors

    Row = NDArray[np.float32]

DIRECTORY = "directory/"
"""How the name of every embedder of a model directory begins."""


class LocalEmbedder:
    """Implements Embedder over a model that gives token vectors: their mean, of length 1."""

    semantic = True
    frame = TEXT

    def __init__(self, model: TokenEmbedder) -> None:
        """Take the model; it is loaded on first use."""
        self._model = model
        self.averaged = 0
        """Texts so far that were longer than a sequence."""
        self._reading = Reading(self.passages, self.passages)

    @property
    def name(self) -> str:
        """Directory and digest, such as ``directory/all-minilm@1b226e2802db``."""
        return DIRECTORY + self._model.name

    @property
    def dimensions(self) -> int:
        """Values in a vector. Raises ModelUnfit."""
        return self._model.dimensions

    @property
    def window(self) -> int | None:
        """Tokens of a sequence of the model's."""
        return self._model.room

    def knows(self, text: str) -> bool:
        """Whether the model reads every script that a good part of the text is written in: it is asked, once for each.

        Raises ModelUnfit.
        """
        return self._reading.knows(text)

    def passages(self, texts: Sequence[str], cancel: Cancel | None = None) -> "Vectors":
        """Vectors of texts, float32, rows of length 1; a longer text than the model's sequence as the mean of parts.

        Raises:
            Stopped: It was cancelled between two texts.
            ModelUnfit: The model cannot be loaded, or gives no token vectors.
        """
        import numpy as np

        rows: list[Row] = []
        for text in texts:
            if cancel is not None and cancel.cancelled:
                raise Stopped("Stopped.")
            rows.append(self._row(text))
        return np.stack(rows) if rows else np.zeros((0, self.dimensions), np.float32)

    def query(self, text: str) -> "Vectors":
        """One vector, shape (1, dimensions), of a question. Raises ModelUnfit."""
        return self.passages([text])

    def _row(self, text: str) -> "Row":
        import numpy as np

        ids = self._model.tokens(text).ids
        room = max(self._model.room, 1)
        parts = [self._model.vectors(ids[at : at + room]) for at in range(0, len(ids), room)]
        self.averaged += len(parts) > 1
        sums = sum((part.sum(axis=0) for part in parts), np.zeros(self.dimensions, np.float32))
        length = float(np.linalg.norm(sums))
        if not length:
            sums[0] = length = 1.0
        row: Row = (sums / length).astype(np.float32)
        return row


class LateEmbedder(LocalEmbedder):
    """Implements SpanEmbedder too: a chunk's vector is pooled from the tokens of its whole document.

    Its name differs from the ordinary one's: the two kinds of vectors are unlike (cosine .6 to .9) and never share a
    collection.
    """

    frame = SPAN

    def __init__(
        self, model: TokenEmbedder, late: Callable[[TokenEmbedder, str], Callable[[Span], "Row"]], how: str
    ) -> None:
        """Take the model, what makes a document's vectors (see chunking/late.py), and how it pools, for the name."""
        super().__init__(model)
        self._late, self._how = late, how

    @property
    def name(self) -> str:
        """As of the ordinary vectors, with how tokens are pooled: ``directory/jina@1b226e2802db, late mean``."""
        return f"{super().name}, late {self._how}"

    @property
    def window(self) -> int | None:
        """None: a document is read in windows that overlap, however long its chunks are."""
        return None

    def of_spans(self, text: str, spans: Sequence[Span], cancel: Cancel | None = None) -> "Vectors":
        """See ``protocols.SpanEmbedder``."""
        import numpy as np

        vector = self._late(self._model, text)
        rows: list[Row] = []
        for span in spans:
            if cancel is not None and cancel.cancelled:
                break
            rows.append(vector(span))
        if not rows:
            raise Stopped("Stopped.")
        return np.stack(rows)
