"""Puts what cuts together: with ``opening.py`` the only place that knows concrete classes."""

from collections.abc import Callable

from lens_tui.chunking import RULES, chunker_for, effective
from lens_tui.chunking.semantic import SemanticChunker
from lens_tui.cutting import Cutter
from lens_tui.embedder_opening import open_embedder
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
    compares = settings.chunking.strategy == SemanticChunker.strategy
    embedder = open_embedder(settings, None)[0] if compares else None
    return chunker_for(settings.chunking, tokenizer, embedder)


def cutters(tokenizer: Tokenizer, embedder: Embedder) -> Callable[[ChunkOptions], Cutter]:
    """What makes a cutter of options, with the tokenizer and the embedder of one index."""

    def cutter(options: ChunkOptions) -> Cutter:
        compares = options.strategy == SemanticChunker.strategy
        recipe = Recipe(
            tokenizer=tokenizer.name,
            chunking=effective(options),
            rules=f"{RULES} {embedder.name}" if compares else RULES,
            analysis=ANALYSIS,
            embedder=embedder.name,
        )
        return Cutter(options, chunker_for(options, tokenizer, embedder), recipe)

    return cutter
