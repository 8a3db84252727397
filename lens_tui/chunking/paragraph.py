"""Paragraphs packed to a size in tokens; longer ones cut between sentences, lines, words, and only then anywhere."""

from lens_tui.chunking.packed import PackedChunker
from lens_tui.chunking.sizes import sizes_of
from lens_tui.options import DEFAULTS, ChunkOptions
from lens_tui.protocols import Tokenizer

SIZE = 220
OVERLAP = "40"
"""LocalLens' sizes, in tokens."""


class ParagraphChunker(PackedChunker):
    """Cuts any text; the strategy ``paragraph``.

    Each chunk's tokens, counted alone, are at most the size, except where a single character has more; its edges are
    visible characters. A grapheme cluster is cut only where it alone exceeds the size. A heading's line is never a
    chunk's last, except at the document's end or where the heading alone exceeds the size.
    """

    strategy = "paragraph"

    def __init__(self, tokenizer: Tokenizer, options: ChunkOptions = DEFAULTS) -> None:
        """Take the sizes: size > overlap ≥ 0.

        Raises:
            ChunkingValueError: One is out of its bounds.
        """
        super().__init__(tokenizer, sizes_of(options, size=SIZE, overlap=OVERLAP))
