"""Puts what cuts together: with ``opening.py`` the only place that knows concrete classes."""

from collections.abc import Callable

from lens_tui.chunking import RULES, chunker_for, compares, effective, largest_for
from lens_tui.chunking.contextual import ContextualChunker
from lens_tui.chunking.late import LateChunker
from lens_tui.cutting import Cutter
from lens_tui.embedder_opening import open_directory, open_embedder
from lens_tui.embedder_window import too_large
from lens_tui.errors import ChunkingValueError
from lens_tui.note_opening import noters
from lens_tui.options import ChunkOptions
from lens_tui.protocols import Chunker, Embedder, SpanEmbedder, Tokenizer
from lens_tui.settings import Settings, is_directory
from lens_tui.text.words import ANALYSIS
from lens_tui.types import ModelInfo, Recipe


def open_chunker(settings: Settings, tokenizer: Tokenizer) -> tuple[Chunker, tuple[str, ...]]:
    """Make the chunker that the settings ask for, and a sentence where its embedder was named and cannot be had.

    Raises:
        ChunkingValueError: There is no such strategy, or an option is out of its bounds.
    """
    options = settings.chunking
    embedder: Embedder | None = None
    notes: tuple[str, ...] = ()
    if is_directory(settings.embedder):
        embedder = open_directory(settings)
    elif compares(options) and not options.late:
        embedder, notes = open_embedder(settings, None)
    chunker = _chunker(options, tokenizer, embedder)
    if not (options.contextual or options.summaries):
        return chunker, notes
    open_noter = noters(settings, tokenizer)
    return ContextualChunker(chunker, lambda: open_noter(options), tokenizer), notes


def _chunker(options: ChunkOptions, tokenizer: Tokenizer, embedder: Embedder | None) -> Chunker:
    """What cuts by the options. Raises ChunkingValueError, also for late vectors of what gives a text only one."""
    chunker = chunker_for(options, tokenizer, embedder)
    if not options.late:
        return chunker
    if not isinstance(embedder, SpanEmbedder):
        raise ChunkingValueError(
            "Late chunking needs a vector for each token; Ollama and the built-in vectors give one for a whole text.",
            hint="Name a directory with a model and its tokenizer: --embedder DIR",
        )
    return LateChunker(chunker)


def told_too_large(settings: Settings, tokenizer: Tokenizer, model: ModelInfo) -> tuple[str, str]:
    """What is said, and the next step, where the settings' chunks can be longer than an embedding model reads at once.

    Both empty where they cannot. Raises ChunkingValueError.
    """
    window = model.loaded_context or model.context
    return too_large(settings.chunking, largest_for(settings.chunking, tokenizer), model.name, window)


def cutters(tokenizer: Tokenizer, embedder: Embedder) -> Callable[[ChunkOptions], Cutter]:
    """What makes a cutter of options, with the tokenizer and the embedder of one index."""

    def cutter(options: ChunkOptions) -> Cutter:
        recipe = Recipe(
            tokenizer=tokenizer.name,
            chunking=effective(options),
            rules=f"{RULES} {embedder.name}" if compares(options) else RULES,
            analysis=ANALYSIS,
            embedder=embedder.name,
        )
        chunker = _chunker(options, tokenizer, embedder)
        return Cutter(options, chunker, recipe, largest_for(options, tokenizer))

    return cutter
