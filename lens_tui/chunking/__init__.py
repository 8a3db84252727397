"""From Document to Chunks: the strategies by the names that a user types."""

import difflib

from lens_tui.chunking.paragraph import ParagraphChunker
from lens_tui.errors import ChunkingValueError
from lens_tui.options import ChunkOptions
from lens_tui.protocols import Chunker, Tokenizer

STRATEGIES: dict[str, type[ParagraphChunker]] = {
    ParagraphChunker.strategy: ParagraphChunker,
}
"""Name → class; each takes a tokenizer, then the options, and is a protocols.Chunker."""


def chunker_for(options: ChunkOptions, tokenizer: Tokenizer) -> Chunker:
    """Make the chunker that the options name.

    Raises:
        ChunkingValueError: There is no such strategy, or an option is out of its bounds.
    """
    made = STRATEGIES.get(options.strategy)
    if made is None:
        near = difflib.get_close_matches(options.strategy, STRATEGIES, 1)
        known = f"Known strategies: {', '.join(STRATEGIES)}."
        raise ChunkingValueError(
            f"There is no chunking strategy {options.strategy!r}.",
            hint=f"Did you mean {near[0]}? {known}" if near else known,
        )
    return made(tokenizer, options)
