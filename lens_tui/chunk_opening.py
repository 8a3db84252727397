"""Puts what cuts together: with ``opening.py`` the only place that knows concrete classes."""

from collections.abc import Callable

from lens_tui.chunking import RULES, chunker_for, effective
from lens_tui.cutting import Cutter
from lens_tui.options import ChunkOptions
from lens_tui.protocols import Chunker, Embedder, Tokenizer
from lens_tui.settings import Settings
from lens_tui.text.words import ANALYSIS
from lens_tui.types import Recipe


def open_chunker(settings: Settings, tokenizer: Tokenizer) -> Chunker:
    """Make the chunker that the settings ask for.

    Raises:
        ChunkingValueError: There is no such strategy, or an option is out of its bounds.
    """
    return chunker_for(settings.chunking, tokenizer)


def cutters(tokenizer: Tokenizer, embedder: Embedder) -> Callable[[ChunkOptions], Cutter]:
    """What makes a cutter of options, with the tokenizer and the embedder of one index."""

    def cutter(options: ChunkOptions) -> Cutter:
        recipe = Recipe(
            tokenizer=tokenizer.name,
            chunking=effective(options),
            rules=RULES,
            analysis=ANALYSIS,
            embedder=embedder.name,
        )
        return Cutter(options, chunker_for(options, tokenizer), recipe)

    return cutter
