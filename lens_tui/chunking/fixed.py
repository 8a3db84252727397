"""Windows of a fixed number of tokens, cut wherever a token begins and no character is torn."""

from collections.abc import Iterator, Sequence

from lens_tui.chunking.borders import Borders
from lens_tui.chunking.packed import PackedChunker
from lens_tui.chunking.packing import Packer
from lens_tui.chunking.placing import Piece
from lens_tui.chunking.sizes import LARGEST, Sizes, sizes_of
from lens_tui.errors import ChunkingValueError
from lens_tui.options import DEFAULTS, ChunkOptions
from lens_tui.protocols import Tokenizer
from lens_tui.text.graphemes import is_border
from lens_tui.types import Document, Span

SIZE = 512
OVERLAP = "64"
MINIMUM = 50
SMALLEST = 128
"""The chunking service's sizes, in tokens (section 3.2)."""


class FixedChunker(PackedChunker):
    """Cuts any text; the strategy ``fixed``.

    Each window has the size in tokens, or up to a few less where a token or character would be torn, white space fell
    away at its edges, or a heading would come last. A tail shorter than the minimum joins the window before, which
    gives up overlap for it and only then exceeds the size, with a warning.
    """

    strategy = "fixed"

    def __init__(self, tokenizer: Tokenizer, options: ChunkOptions = DEFAULTS) -> None:
        """Take the sizes: 128 to 8192, an overlap of at most half.

        Raises:
            ChunkingValueError: One is out of its bounds.
        """
        super().__init__(tokenizer, fixed_sizes(options))

    def packer(self, document: Document) -> Packer:
        """Make ready to cut a document."""
        return Packer(document, self.tokenizer, self.sizes, borders=TokenBorders, evenly=True)

    def spans(self, packer: Packer, start: int, before: Piece | None = None) -> Iterator[Span]:
        """Each chunk's own text from ``start`` on, after the piece ``before``."""
        counted, held = packer.counted, None
        for span in packer.cut(start, counted.stop):
            if held is not None and span[1] == counted.stop and counted.fits(*span, self.sizes.minimum - 1):
                span = (held[0], span[1])
            elif held is not None:
                yield held
            held = span
        if held is not None:
            yield held

    def warned(self, pieces: Sequence[Piece]) -> tuple[str, ...]:
        """Tell of a last window that a short tail made larger than the size."""
        if not pieces or pieces[-1].tokens <= self.sizes.size:
            return ()
        return (
            f"The last chunk has {pieces[-1].tokens} tokens, above the size of {self.sizes.size}: "
            f"a tail shorter than the minimum of {self.sizes.minimum} joined it.",
        )


def fixed_sizes(options: ChunkOptions) -> Sizes:
    """Sizes of windows, within their bounds.

    Raises:
        ChunkingValueError: One is out of its bounds.
    """
    sizes = sizes_of(options, size=SIZE, overlap=OVERLAP, minimum=MINIMUM, low=SMALLEST)
    if sizes.overlap > sizes.size // 2:
        raise ChunkingValueError(
            f"The overlap is {sizes.overlap} tokens; it must be 0 to {sizes.size // 2}, or 0 % to 50 %.",
            hint=f"It is at most half of the size, which may be {SMALLEST} to {LARGEST}.",
        )
    return sizes


class TokenBorders(Borders):
    """Borders between tokens: as late as the limit lets, and an overlap as early."""

    def end(self, start: int, least: int, limit: int, whole: int) -> int:
        """Last place up to the limit where a token begins and nothing is torn."""
        counted = self._counted
        for token in range(counted.token(limit), counted.token(start), -1):
            end = counted.offset(token)
            after = counted.visible(end)
            trimmed = counted.trimmed(start, end)
            if end <= limit and self._allowed(start, trimmed, after):
                return trimmed
        return self.beside_block(start, limit, whole) or self.anywhere(start, limit, whole)

    def reach(self, start: int, limit: int) -> int:
        """Last place up to the limit where nothing is torn; ``start`` where there is none."""
        for end in range(limit, start, -1):
            trimmed = self._counted.trimmed(start, end)
            if self._allowed(start, trimmed, end):
                return trimmed
        return start

    def opening(self, low: int, end: int, known: int) -> int:
        """First visible place in ``text[low:end]`` where nothing is torn; ``end`` where there is none."""
        text = self._text
        places = (place for place in range(low, end) if not text[place].isspace() and is_border(text, place, known))
        return next(places, end)
