"""Documents, chunks, embedders and indexes for the tests of this room."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from lens_tui.cancel import CancelToken
from lens_tui.errors import ModelUnreachable
from lens_tui.index.hybrid import HybridBackend
from lens_tui.index.opening import open_backend
from lens_tui.options import ChunkOptions
from lens_tui.protocols import Cancel, Embedder
from lens_tui.text.framing import TEXT
from lens_tui.text.words import ANALYSIS
from lens_tui.types import Chunk, Document, Recipe

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]


def document(path: str, text: str, title: str = "") -> Document:
    checksum = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return Document(path, text, checksum, title=title, size=len(text), mtime_ns=1, inode=2)


def chunks(made: Document, heading: tuple[str, ...] = ()) -> list[Chunk]:
    """One chunk for each paragraph (blank lines between)."""
    found: list[Chunk] = []
    start = 0
    for part in made.text.split("\n\n"):
        end = start + len(part)
        if part.strip():
            first = made.text.count("\n", 0, start) + 1
            lines = (first, first + part.count("\n"))
            found.append(
                Chunk(made.path, made.checksum, len(found), start, end, part, lines, len(part.split()), heading=heading)
            )
        start = end + 2
    return found


def put(backend: HybridBackend, path: str, text: str, title: str = "", heading: tuple[str, ...] = ()) -> Document:
    made = document(path, text, title)
    backend.replace(made, chunks(made, heading))
    return made


class Concepts:
    """An embedder that knows a handful of meanings: the axis of each word that it was told."""

    semantic = True
    averaged = 0

    def __init__(self, name: str = "concepts-1", dimensions: int = 8, frame: str = TEXT) -> None:
        self.name = name
        self.frame = frame
        self.unread = ""
        """A text that holds one of these characters is in a script that it does not know."""
        self.dimensions = dimensions
        self.window: int | None = None
        self.asked: list[str] = []
        self.down = False
        self.axes = {"cat": 0, "feline": 0, "katze": 0, "ship": 1, "vessel": 1, "law": 2, "lease": 2, "rain": 3}

    def passages(self, texts: Sequence[str], cancel: Cancel | None = None) -> "Vectors":
        if self.down:
            raise ModelUnreachable("Nothing answers at http://127.0.0.1:9.", hint="Start it with: ollama serve")
        self.asked.extend(texts)
        rows = np.full((len(texts), self.dimensions), 0.01, np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.lower().replace(".", " ").split():
                if word in self.axes:
                    row[self.axes[word]] += 1
            row[-1] += 0.001 * (len(text) % 7)
        unit: Vectors = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return unit

    def knows(self, text: str) -> bool:
        return not set(text) & set(self.unread)

    def query(self, text: str) -> "Vectors":
        return self.passages([text])


def recipe(embedder: Embedder, **changes: object) -> Recipe:
    values: dict[str, object] = {
        "tokenizer": "offline",
        "chunking": ChunkOptions(),
        "rules": "cut-1",
        "analysis": ANALYSIS,
        "embedder": embedder.name,
    }
    return Recipe(**{**values, **changes})  # type: ignore[arg-type]


def opened(directory: Path, embedder: Embedder, *, vector: bool = True, **changes: object) -> HybridBackend:
    backend, _ = open_backend(
        directory, recipe=recipe(embedder, **changes), embedder=embedder, vector=vector, spawn_canary=False
    )
    assert isinstance(backend, HybridBackend)
    return backend


def embed_all(backend: HybridBackend) -> int:
    made = 0
    while step := backend.embed_next(CancelToken()):
        made += step
    return made
