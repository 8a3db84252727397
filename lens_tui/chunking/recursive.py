"""Sections of every heading level as far as they fit, then paragraphs, then sentences."""

from collections.abc import Iterable, Iterator, Sequence
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


_Part = tuple[Span, Sequence[Heading]]
"""A stretch, and the headings within it at which it may be cut."""


class RecursiveChunker(PackedChunker):
    """Cuts any text; the strategy ``recursive``.

    A document is cut at its highest headings, and each section that is larger than the size at those below. A section
    without any is cut as ``paragraph`` does. What is under the minimum joins a neighbour in its section, if both fit.
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
        headings = [heading for heading in packer.document.headings if heading.start > start]
        return packer.joined(self._sections(packer, (start, packer.counted.stop), headings), minimum=0)

    def _sections(self, packer: Packer, span: Span, inner: Sequence[Heading]) -> Iterator[Span]:
        """Cut a span at the highest headings within it, and what still does not fit the size at those below."""
        start, stop = span[0], packer.counted.trimmed(*span)
        if start == stop:
            return
        if packer.counted.fits(start, stop, self.sizes.size):
            yield start, stop
        elif not inner:
            yield from packer.joined(packer.cut(start, stop))
        else:
            for section, below in self._gathered(packer, _parts((start, stop), inner)):
                yield from self._sections(packer, section, below)

    def _gathered(self, packer: Packer, parts: Iterable[_Part]) -> list[_Part]:
        """Put parts of one section that are under the minimum with the one beside them, where both fit the size.

        What a section opens with goes with its first part even where that must be cut.
        """
        done: list[_Part] = []
        for span, below in parts:
            before = done[-1][0] if done else span
            short = bool(done) and packer.short(before, self.sizes.minimum)
            fits = packer.counted.fits(before[0], span[1], self.sizes.size)
            if short and (fits or len(done) == 1):
                done[-1] = ((before[0], span[1]), below)
            else:
                done.append((span, below))
        if len(done) > 1 and packer.short(done[-1][0], self.sizes.minimum):
            (start, _), (_, stop) = done[-2][0], done[-1][0]
            if packer.counted.fits(start, stop, self.sizes.size):
                done[-2:] = [((start, stop), ())]
        return done


def _parts(span: Span, inner: Sequence[Heading]) -> Iterator[_Part]:
    """Parts of a span: before its highest headings and under each of them, with the headings within each."""
    top = min(heading.level for heading in inner)
    opened = [span[0], *(heading.start for heading in inner if heading.level == top), span[1]]
    held = 0
    for start, end in pairwise(opened):
        first = held
        while held < len(inner) and inner[held].start < end:
            held += 1
        yield (start, end), tuple(heading for heading in inner[first:held] if heading.start > start)
