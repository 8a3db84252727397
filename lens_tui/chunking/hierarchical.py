"""A document's headings as a tree: each section's own text is its chunk, which knows what stands above and below it."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import ClassVar

from lens_tui.chunking.packing import Packer
from lens_tui.chunking.patterns import HeadingPattern
from lens_tui.chunking.placing import Piece, cut_of
from lens_tui.chunking.sections import Section, gathered, sections
from lens_tui.chunking.sizes import COMMON_OPTIONS, bounded, sizes_of
from lens_tui.options import DEFAULTS, ChunkOptions
from lens_tui.protocols import Tokenizer
from lens_tui.types import Chunk, Cut, Document, Heading

SIZE = 512
OVERLAP = "0"
DEPTH = 3
LOWEST, HIGHEST = 128, 4096
"""Sizes, their bounds and the depth of the chunking service (section 3.5)."""


class HierarchicalChunker:
    """Cuts any text with headings, also such as a pattern finds; the strategy ``hierarchical``."""

    strategy = "hierarchical"
    takes: ClassVar[frozenset[str]] = COMMON_OPTIONS | {"depth", "pattern", "inherit", "summaries"}

    def __init__(self, tokenizer: Tokenizer, options: ChunkOptions = DEFAULTS) -> None:
        """Take the sizes, the depth of the tree, what a heading is, and whether chunks inherit the headings above.

        Raises:
            ChunkingValueError: One is out of its bounds, or the pattern cannot be used.
        """
        self._tokenizer = tokenizer
        self._sizes = sizes_of(options, size=SIZE, overlap=OVERLAP, low=LOWEST, high=HIGHEST)
        self._depth = bounded("depth", DEPTH if options.depth is None else options.depth, 1, 6)
        self._pattern = HeadingPattern(options.pattern) if options.pattern else None
        self._inherit = options.inherit is not False

    @property
    def largest(self) -> int:
        """See ``Strategy``."""
        return self._sizes.size

    def told(self, document: Document) -> str:
        """Its name, sizes and depth."""
        return f"{self._sizes.told(self.strategy)}, depth {self._depth}"

    def chunk(self, document: Document) -> Cut:
        """Cut a document, each section for itself, its headings below the depth counting as at the depth.

        A chunk's level is that of its section, 0 before the first heading; its parent is the first chunk of the
        section above; its children are exactly the chunks whose parent it is. Sections go together only where a
        minimum was asked for, and then stand where the first of them does.

        Raises:
            ChunkingValueError: The pattern takes too long on this text.
        """
        document = replace(document, headings=self._headings(document))
        packer = Packer(document, self._tokenizer, self._sizes)
        found = sections(document.headings, packer.counted.start, packer.counted.stop)
        if self._sizes.minimum:
            found = list(gathered(found, packer, self._sizes))
        pieces: list[Piece] = []
        owners: list[int] = []
        for place, section in enumerate(found):
            own = list(packer.pieces(packer.joined(packer.cut(section.start, section.end))))
            pieces += own
            owners += [place] * len(own)
        cut = cut_of(document, self.strategy, pieces, self._sizes.size)
        return replace(cut, chunks=tuple(self._related(cut.chunks, found, owners)))

    def _headings(self, document: Document) -> tuple[Heading, ...]:
        found = document.headings if self._pattern is None else self._pattern.headings(document)
        return tuple(replace(heading, level=min(heading.level, self._depth)) for heading in found)

    def _related(self, chunks: Sequence[Chunk], found: Sequence[Section], owners: Sequence[int]) -> Iterator[Chunk]:
        """The chunks of these sections (``owners``: each chunk's), with what stands above and below them."""
        above = _parents(found)
        first: dict[int, str] = {}
        for chunk, owner in zip(chunks, owners, strict=True):
            first.setdefault(owner, chunk.id)
        parents = [None if (place := above[owner]) is None else first[place] for owner in owners]
        children: dict[str, list[str]] = {}
        for chunk, parent in zip(chunks, parents, strict=True):
            if parent is not None:
                children.setdefault(parent, []).append(chunk.id)
        for chunk, owner, parent in zip(chunks, owners, parents, strict=True):
            yield replace(
                chunk,
                level=found[owner].level,
                parent=parent,
                children=tuple(children.get(chunk.id, ())),
                heading=chunk.heading if self._inherit else chunk.heading[-1:],
            )


def _parents(found: Sequence[Section]) -> list[int | None]:
    """The place of the section above each section; None where none stands above it."""
    path: list[int] = []
    parents: list[int | None] = []
    for place, section in enumerate(found):
        while path and found[path[-1]].level >= section.level:
            path.pop()
        parents.append(path[-1] if path else None)
        if section.level:
            path.append(place)
    return parents
