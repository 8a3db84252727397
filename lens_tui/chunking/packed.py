"""What strategies share that cut a text from its beginning on, and so can stop anywhere and go on from there."""

from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar

from lens_tui.chunking.packing import Packer
from lens_tui.chunking.placing import Piece, cut_of
from lens_tui.chunking.sizes import COMMON_OPTIONS, Sizes
from lens_tui.protocols import Tokenizer
from lens_tui.types import Cut, Document, Span


class PackedChunker:
    """Cuts any text into spans, each found by what comes after the one before, then lets them share."""

    strategy = ""
    takes: ClassVar[frozenset[str]] = COMMON_OPTIONS

    def __init__(self, tokenizer: Tokenizer, sizes: Sizes, target: int | None = None) -> None:
        """Take the sizes, and the target where that is less than the size."""
        self.tokenizer = tokenizer
        self.sizes = sizes
        self.target = sizes.size if target is None else target

    @property
    def largest(self) -> int:
        """See ``Strategy``."""
        return self.sizes.size

    def told(self, document: Document) -> str:
        """Its name and sizes: it cuts every document."""
        return self.sizes.told(self.strategy)

    def chunk(self, document: Document) -> Cut:
        """Cut a document; takes linear time. A blank one has no chunks, and a warning."""
        packer = self.packer(document)
        spans = list(self.spans(packer, packer.counted.start))
        pieces = list(self.pieces(packer, spans))
        return cut_of(document, self.strategy, pieces, self.target, self.warned(pieces))

    def packer(self, document: Document) -> Packer:
        """Make ready to cut a document."""
        return Packer(document, self.tokenizer, self.sizes)

    def spans(self, packer: Packer, start: int, before: Piece | None = None) -> Iterator[Span]:
        """Each chunk's own text from ``start`` on, which is the body's beginning or follows the piece ``before``."""
        return packer.joined(packer.cut(start, packer.counted.stop))

    def pieces(self, packer: Packer, spans: Iterable[Span], before: Piece | None = None) -> Iterator[Piece]:
        """The spans with what they share; ``before`` is the piece before the first of them."""
        return packer.pieces(spans, before)

    def warned(self, pieces: Sequence[Piece]) -> tuple[str, ...]:
        """What is to be told of pieces that are larger than the size."""
        return ()
