"""How a folder's files are cut, as one Chunker that the index reads with, and what it takes to cut them otherwise."""

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from lens_tui.chunk_requests import FileCut, RecutCost, TextCut, outline_of
from lens_tui.errors import ChunkingError, FileUnreadable
from lens_tui.options import ChunkOptions
from lens_tui.protocols import Cancel, Chunker, SearchBackend
from lens_tui.types import Chunk, Cut, Document, FileRecord, Recipe

SAMPLED_FILES = 40
SAMPLED_SECONDS = 1.5
"""What is cut at most to tell what cutting everything costs; a person waits for the answer."""

CHUNK_SECONDS, CHARACTER_SECONDS = 0.00012, 0.0000003
"""To analyse, store and index one chunk and each of its characters, beside reading and cutting it: .14 ms of CPU for
a chunk of 22 characters, of 32,386, and .41 ms for one of 950, of 3,585."""


@dataclass(frozen=True, slots=True)
class Cutter:
    """One way to cut."""

    options: ChunkOptions
    chunker: Chunker
    recipe: Recipe
    """Of an index that is cut so."""
    largest: int
    """Tokens that a chunk can have."""


class Cutting:
    """The way to cut that holds for a folder; it can change while the index is read. Is a ``protocols.Chunker``."""

    def __init__(self, options: ChunkOptions, make: Callable[[ChunkOptions], Cutter]) -> None:
        """Take the options and what makes a cutter of any. Raises ChunkingValueError."""
        self._make = make
        self._now = make(options)
        self.strategy = self._now.chunker.strategy

    @property
    def options(self) -> ChunkOptions:
        """By which files are cut now."""
        return self._now.options

    @property
    def recipe(self) -> Recipe:
        """Of the index that is cut so."""
        return self._now.recipe

    @property
    def largest(self) -> int:
        """Tokens that a chunk can have."""
        return self._now.largest

    def told(self, document: Document) -> str:
        """See ``protocols.Chunker``."""
        return self._now.chunker.told(document)

    def chunk(self, document: Document) -> Cut:
        """See ``protocols.Chunker``."""
        return self._now.chunker.chunk(document)

    def cut(self, document: Document, options: ChunkOptions) -> FileCut:
        """Cut a file of the folder by other options. Raises ChunkingError."""
        made = self.cut_text(document, options)
        return FileCut(
            path=document.path,
            checksum=document.checksum,
            told=made.told,
            tokenizer=made.tokenizer,
            chunks=tuple(map(outline_of, made.chunks)),
            warnings=made.warnings,
            milliseconds=made.milliseconds,
        )

    def cut_text(self, document: Document, options: ChunkOptions) -> TextCut:
        """Cut any document by other options. Raises ChunkingError."""
        cutter = self._make(options)
        began = time.perf_counter()
        cut = cutter.chunker.chunk(document)
        spent = (time.perf_counter() - began) * 1000
        return TextCut(
            strategy=options.strategy,
            told=cutter.chunker.told(document),
            tokenizer=cutter.recipe.tokenizer,
            chunks=cut.chunks,
            warnings=cut.warnings,
            milliseconds=round(spent, 2),
        )

    def cost(
        self, options: ChunkOptions, backend: SearchBackend, read: Callable[[str], Document], cancel: Cancel
    ) -> RecutCost:
        """Tell what cutting every indexed file by other options costs, by cutting some of them.

        Raises:
            ChunkingValueError: They are no options to cut by.
        """
        cutter = self._make(options)
        if cutter.recipe == self.recipe:
            return RecutCost(same=True)
        records = backend.indexed()
        began = time.perf_counter()
        size = chunks = other = characters = 0
        for document in _sampled(records, read):
            before = {_embedded(chunk) for chunk in backend.chunks_of(document.path)}
            try:
                made = [_embedded(chunk) for chunk in cutter.chunker.chunk(document).chunks]
            except ChunkingError:
                continue
            size += document.size
            chunks += len(made)
            other += sum(one not in before for one in made)
            characters += sum(len(text) for text, _ in made)
            if cancel.cancelled or time.perf_counter() - began > SAMPLED_SECONDS:
                break
        spent = time.perf_counter() - began + chunks * CHUNK_SECONDS + characters * CHARACTER_SECONDS
        times = sum(record.size for record in records.values()) / size if size else 0.0
        _, _, with_vectors, without = backend.counts()
        return RecutCost(
            files=len(records),
            chunks=round(chunks * times),
            seconds=round(spent * times, 1),
            vectors=round(other * times) if with_vectors + without else 0,
        )

    def take_over(self, options: ChunkOptions, backend: SearchBackend) -> bool:
        """Cut by these options from now on; nothing else may be cut meanwhile. Returns whether that changes anything.

        Raises:
            ChunkingValueError: They are no options to cut by.
            StoreError: It cannot be written down.
        """
        now = self._make(options)
        changes = now.recipe != self.recipe
        if changes:
            backend.distrust(now.recipe)
        self._now = now
        self.strategy = now.chunker.strategy
        return changes


def _sampled(records: Mapping[str, FileRecord], read: Callable[[str], Document]) -> Iterator[Document]:
    """Documents from all over the folder, as far as they can be read and cut."""
    paths = sorted(records)
    for path in paths[:: max(1, len(paths) // SAMPLED_FILES)]:
        try:
            yield read(path)
        except FileUnreadable:
            continue


def _embedded(chunk: Chunk) -> tuple[str, tuple[str, ...]]:
    """What a chunk's vector is made of."""
    return chunk.text, chunk.heading
