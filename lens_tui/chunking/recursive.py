"""Sections of every heading level as far as they fit, then paragraphs, then sentences."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import ClassVar

from lens_tui.chunking.packing import Packer
from lens_tui.chunking.placing import Piece, cut_of
from lens_tui.chunking.sizes import COMMON_OPTIONS, sizes_of
from lens_tui.options import DEFAULTS, ChunkOptions
from lens_tui.protocols import Tokenizer
from lens_tui.types import Cut, Document, Heading, Span

SIZE = 400
MINIMUM = 200
OVERLAP = "20%"
"""Dialogoi's sizes: 200 to 400 tokens (its section 3), a fifth of them shared (section 7)."""


class RecursiveChunker:
    """Cuts any text; the strategy ``recursive``."""

    strategy = "recursive"
    takes: ClassVar[frozenset[str]] = COMMON_OPTIONS

    def __init__(self, tokenizer: Tokenizer, options: ChunkOptions = DEFAULTS) -> None:
        """Take the sizes: size > overlap ≥ 0.

        Raises:
            ChunkingValueError: One is out of its bounds.
        """
        self._tokenizer = tokenizer
        self._sizes = sizes_of(options, size=SIZE, overlap=OVERLAP, minimum=MINIMUM)

    def told(self, document: Document) -> str:
        """Its name and sizes: it cuts every document."""
        return self._sizes.told(self.strategy)

    def chunk(self, document: Document) -> Cut:
        """Cut a document at the highest headings, and each section that is larger than the size at those below.

        A section without any is cut as ``paragraph`` does. What is under the minimum joins a neighbour where both fit
        the size. Takes linear time.
        """
        packer = self.packer(document)
        pieces = list(self.pieces(packer, self.spans(packer, packer.counted.start)))
        return cut_of(document, self.strategy, pieces, self._sizes.size)

    def packer(self, document: Document) -> Packer:
        """Make ready to cut a document."""
        return Packer(document, self._tokenizer, self._sizes)

    def spans(self, packer: Packer, start: int) -> Iterator[Span]:
        """Each chunk's own text from ``start`` on."""
        headings = [heading for heading in packer.document.headings if heading.start >= start]
        return packer.joined(self._sections(packer, (start, packer.counted.stop), headings))

    def pieces(self, packer: Packer, spans: Iterable[Span], before: Piece | None = None) -> Iterator[Piece]:
        """The spans with what they share."""
        return packer.pieces(spans, before)

    def _sections(self, packer: Packer, span: Span, headings: Sequence[Heading]) -> Iterator[Span]:
        """Cut a span that begins with the first of its headings, or before it, where it does not fit the size."""
        start, stop = span[0], packer.counted.trimmed(*span)
        inner = [heading for heading in headings if heading.start > start]
        if start == stop:
            return
        if packer.counted.fits(start, stop, self._sizes.size):
            yield start, stop
        elif not inner:
            yield from packer.cut(start, stop)
        else:
            top = min(heading.level for heading in inner)
            opened = [start, *(heading.start for heading in inner if heading.level == top), stop]
            held = 0
            for first, end in pairwise(opened):
                below = []
                while held < len(inner) and inner[held].start < end:
                    below.append(inner[held])
                    held += 1
                yield from self._sections(packer, (first, end), below)
