"""Sections of every heading level as far as they fit, then paragraphs, then sentences."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from lens_tui.chunking.packed import PackedChunker
from lens_tui.chunking.packing import Packer
from lens_tui.chunking.placing import Piece
from lens_tui.chunking.sizes import sizes_of
from lens_tui.options import DEFAULTS, ChunkOptions
from lens_tui.protocols import Tokenizer
from lens_tui.types import Heading, Span

SIZE = 400
MINIMUM = 200
OVERLAP = "20%"
"""Dialogoi's sizes: 200 to 400 tokens (its section 3), a fifth of them shared (section 7)."""


class RecursiveChunker(PackedChunker):
    """Cuts any text; the strategy ``recursive``.

    A document is cut at its highest headings, and each section that is larger than the size at those below. A section
    without any is cut as ``paragraph`` does. What is under the minimum joins a neighbour where both fit the size.
    """

    strategy = "recursive"

    def __init__(self, tokenizer: Tokenizer, options: ChunkOptions = DEFAULTS) -> None:
        """Take the sizes: size > overlap ≥ 0.

        Raises:
            ChunkingValueError: One is out of its bounds.
        """
        super().__init__(tokenizer, sizes_of(options, size=SIZE, overlap=OVERLAP, minimum=MINIMUM))

    def spans(self, packer: Packer, start: int, before: Piece | None = None) -> Iterator[Span]:
        """Each chunk's own text from ``start`` on, after the piece ``before``."""
        headings = [heading for heading in packer.document.headings if heading.start >= start]
        return packer.joined(self._sections(packer, (start, packer.counted.stop), headings))

    def _sections(self, packer: Packer, span: Span, headings: Sequence[Heading]) -> Iterator[Span]:
        """Cut a span that begins with the first of its headings, or before it, where it does not fit the size."""
        start, stop = span[0], packer.counted.trimmed(*span)
        inner = [heading for heading in headings if heading.start > start]
        if start == stop:
            return
        if packer.counted.fits(start, stop, self.sizes.size):
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
