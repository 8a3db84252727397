"""Vectors from an embedding model on an Ollama server. Nothing is cut: what is too long is embedded in parts."""

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

from lens_tui.errors import ModelUnfit, PromptTooLong
from lens_tui.index import reads
from lens_tui.index.families import family_of
from lens_tui.ollama import faults
from lens_tui.ollama.models import EMBED, can, embedder_name, model_of, unfit
from lens_tui.ollama.server import OllamaServer
from lens_tui.protocols import Cancel
from lens_tui.text.framing import framed

if TYPE_CHECKING:
    from lens_tui.protocols import Vectors

BATCH = 32
"""Texts a request: about 1.5 s of work for a small model on two cores (22 passages a second, measured)."""

SHORTEST_PART = 8
"""Characters below which a text is not halved any more: a model that cannot take those is not an embedder."""

SAME_SECONDS = 60.0
"""How long a model is taken to be the same; asking takes 10 ms."""

PROBE = "dimensions"
"""A text that is embedded once, to learn how long the vectors are."""


class OllamaEmbedder:
    """Implements Embedder. Thread-safe; asks the server nothing before it is used."""

    semantic = True

    def __init__(self, server: OllamaServer, name: str) -> None:
        """Name the model as the server lists it, or an embedder as ``name`` gave it.

        The latter is known by its name while the server is away; that it is still the same model is seen on first use.
        """
        self.model = model_of(name)
        self._family = family_of(self.model)
        self._reading = reads.Reading(
            lambda texts: self.passages([framed(self._family.passage, text) for text in texts]), self._queries
        )
        self.averaged = 0
        """Texts so far that were longer than the model's context: embedded in parts, and averaged."""
        self.window: int | None = None
        """Tokens of the model's context, once the server was asked: of that in force, where the model is loaded."""
        self._server = server
        self._lock = threading.Lock()
        self._name = name if self.model != name else ""
        self._checked_at: float | None = None
        self._dimensions = 0

    @property
    def name(self) -> str:
        """Model and the first digits of its digest, such as ``ollama/all-minilm:latest@1b226e2802db``.

        Raises:
            ModelUnfit: The model answers and does not embed.
            ModelMissing: The server does not have it.
            ModelError: Anything else.
        """
        if not self._name:
            self._check()
        return self._name

    @property
    def dimensions(self) -> int:
        """Values in a vector. Asks the server once. Raises ModelError."""
        if not self._dimensions:
            self.query(PROBE)
        return self._dimensions

    @property
    def frame(self) -> str:
        """What the model's family wants around a passage."""
        return self._family.passage

    def knows(self, text: str) -> bool:
        """Whether the model reads every script that a good part of the text is written in, and its language.

        By its family; one that is not known is asked, once for each script. Raises ModelError.
        """
        if self._family.english:
            return not reads.scripts(text) - {reads.LATIN} and reads.is_english(text)
        if self._family.known:
            return True
        return self._reading.knows(text)

    def passages(self, texts: Sequence[str], cancel: Cancel | None = None) -> "Vectors":
        """Vectors of passages, in order, float32, rows of length 1.

        Raises:
            Stopped: It was cancelled between or inside its batches.
            ModelError: As the server's embed tells.
        """
        import numpy as np

        self._check()
        rows = [self._batch(texts[at : at + BATCH], cancel) for at in range(0, len(texts), BATCH)]
        if not rows:
            return np.zeros((0, self.dimensions), np.float32)
        self._same_length([part.shape[1] for part in rows])
        return np.concatenate(rows)

    def query(self, text: str) -> "Vectors":
        """One vector, shape (1, dimensions), of a question. Raises ModelError."""
        return self._queries([text])

    def _queries(self, texts: Sequence[str]) -> "Vectors":
        return self.passages([framed(self._family.query, text) for text in texts])

    def _batch(self, texts: Sequence[str], cancel: Cancel | None) -> "Vectors":
        """Vectors of one request's texts; where one is too long, the batch is halved until it stands alone."""
        import numpy as np

        try:
            return self._server.embed(self.model, texts, cancel)
        except PromptTooLong:
            if len(texts) == 1:
                return self._in_parts(texts[0], cancel, outermost=True)
        half = len(texts) // 2
        return np.concatenate([self._batch(texts[:half], cancel), self._batch(texts[half:], cancel)])

    def _in_parts(self, text: str, cancel: Cancel | None, *, outermost: bool = False) -> "Vectors":
        """The mean of both halves' vectors, each weighing what it is long, made length 1 again."""
        import numpy as np

        if len(text) < 2 * SHORTEST_PART:
            raise PromptTooLong(
                f"{self.model} cannot take a text of {len(text)} characters.", hint="Choose another embedding model."
            )
        cut = _near_middle(text)
        sum_ = np.zeros(0, np.float64)
        for part in (text[:cut], text[cut:]):
            try:
                row = self._server.embed(self.model, [part], cancel)
            except PromptTooLong:
                row = self._in_parts(part, cancel)
            weighed = row[0].astype(np.float64) * len(part)
            sum_ = sum_ + weighed if sum_.size else weighed
        length = float(np.linalg.norm(sum_))
        if length == 0:
            raise faults.garbled(self._server.address, "vectors that cancel each other out")
        if outermost:
            with self._lock:
                self.averaged += 1
        return (sum_ / length).astype(np.float32)[None, :]

    def _same_length(self, lengths: Sequence[int]) -> None:
        with self._lock:
            self._dimensions = self._dimensions or lengths[0]
            known = self._dimensions
        if any(length != known for length in lengths):
            raise faults.garbled(self._server.address, f"vectors of {max(lengths)} values after {known}")

    def _check(self) -> None:
        """Learn the model's digest, and that it embeds: a chat model gives vectors too, that mean nothing.

        The digest is looked at again now and then: a model can be pulled anew while its vectors are being made.
        """
        now = self._server.clock()
        if self._checked_at is not None and now - self._checked_at < SAME_SECONDS:
            return
        info = self._server.find(self.model)
        if not can(info, EMBED):
            raise unfit(info, EMBED)
        found = embedder_name(info, self._server.digest(self.model))
        if self._name and found != self._name:
            raise ModelUnfit(
                f"{info.name} is not the model any more that this index was made with.",
                hint="Open the folder again: its vectors are then made anew.",
            )
        self._name, self._checked_at = found, now
        self.window = info.loaded_context or info.context


def _near_middle(text: str) -> int:
    """Where to halve a text: at the white space nearest its middle, within a quarter of it, else in the middle."""
    middle, reach = len(text) // 2, len(text) // 4
    for away in range(reach):
        for at in (middle - away, middle + away):
            if text[at].isspace():
                return at
    return middle
