"""From Document to Chunks: the strategies by the names that a user types."""

from lens_tui.chunking.paragraph import ParagraphChunker

STRATEGIES: dict[str, type[ParagraphChunker]] = {
    ParagraphChunker.strategy: ParagraphChunker,
}
"""Name → class; each takes a tokenizer, then its sizes, and is a protocols.Chunker."""
