"""Paragraphs packed to a size in tokens; longer ones cut between sentences, lines, words, and only then anywhere."""

from collections.abc import Iterable, Iterator
from typing import ClassVar

from lens_tui.chunking.packing import Packer
from lens_tui.chunking.placing import Piece, cut_of
from lens_tui.chunking.sizes import COMMON_OPTIONS, sizes_of
from lens_tui.options import DEFAULTS, ChunkOptions
from lens_tui.protocols import Tokenizer
from lens_tui.types import Cut, Document, Span

SIZE = 220
OVERLAP = "40"
"""LocalLens' sizes, in tokens."""


class ParagraphChunker:
    """Cuts any text; the strategy ``paragraph``."""

    strategy = "paragraph"
    takes: ClassVar[frozenset[str]] = COMMON_OPTIONS

    def __init__(self, tokenizer: Tokenizer, options: ChunkOptions = DEFAULTS) -> None:
        """Take the sizes: size > overlap ≥ 0.

        Raises:
            ChunkingValueError: One is out of its bounds.
        """
        self._tokenizer = tokenizer
        self._sizes = sizes_of(options, size=SIZE, overlap=OVERLAP)

    def told(self, document: Document) -> str:
        """Its name and sizes: it cuts every document."""
        return self._sizes.told(self.strategy)

    def chunk(self, document: Document) -> Cut:
        """Cut a document.

        Each chunk's tokens, counted alone, are at most the size, except where a single character has more; its edges
        are visible characters. A grapheme cluster is cut only where it alone exceeds the size. A heading's line is
        never a chunk's last, except at the document's end or where the heading alone exceeds the size. Takes linear
        time. A blank document has no chunks, and a warning.
        """
        packer = self.packer(document)
        pieces = list(self.pieces(packer, self.spans(packer, packer.counted.start)))
        return cut_of(document, self.strategy, pieces, self._sizes.size)

    def packer(self, document: Document) -> Packer:
        """Make ready to cut a document."""
        return Packer(document, self._tokenizer, self._sizes)

    def spans(self, packer: Packer, start: int) -> Iterator[Span]:
        """Each chunk's own text from ``start`` on."""
        return packer.joined(packer.cut(start, packer.counted.stop))

    def pieces(self, packer: Packer, spans: Iterable[Span], before: Piece | None = None) -> Iterator[Piece]:
        """The spans with what they share."""
        return packer.pieces(spans, before)
