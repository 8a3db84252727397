"""From Document to Chunks: the strategies by the names that a user types."""

import difflib
from dataclasses import fields, replace
from typing import ClassVar, Protocol

from lens_tui.chunking.auto import AutoChunker
from lens_tui.chunking.code import CodeChunker
from lens_tui.chunking.fixed import FixedChunker
from lens_tui.chunking.hierarchical import HierarchicalChunker
from lens_tui.chunking.markdown import MarkdownChunker
from lens_tui.chunking.paragraph import ParagraphChunker
from lens_tui.chunking.recursive import RecursiveChunker
from lens_tui.chunking.semantic import SemanticChunker
from lens_tui.chunking.sentence import SentenceChunker
from lens_tui.errors import ChunkingValueError
from lens_tui.options import DEFAULTS, ChunkOptions
from lens_tui.protocols import Chunker, Embedder, Tokenizer


class Strategy(Chunker, Protocol):
    """A Chunker that the options make."""

    takes: ClassVar[frozenset[str]]
    """Names of the fields of ChunkOptions that it heeds, beside strategy, type and language."""

    def __init__(self, tokenizer: Tokenizer, options: ChunkOptions = DEFAULTS) -> None:
        """Take what counts and what was asked for. Raises ChunkingValueError for what is out of its bounds."""

    @property
    def largest(self) -> int:
        """Tokens that a chunk can have, but for what cannot be cut."""


STRATEGIES: dict[str, type[Strategy]] = {
    made.strategy: made
    for made in (
        AutoChunker,
        ParagraphChunker,
        FixedChunker,
        SentenceChunker,
        SemanticChunker,
        HierarchicalChunker,
        MarkdownChunker,
        RecursiveChunker,
        CodeChunker,
    )
}
"""Name → class."""

CONTEXT = frozenset(
    {
        "context_template",
        "context_window",
        "context_tokens",
        "context_temperature",
        "context_position",
        "context_cache",
        "context_model",
    }
)
"""Options that count only where a model writes notes."""

LATE = frozenset({"late_boundaries", "late_pooling"})
"""Options that count only where vectors are made late."""

FOR_ALL = frozenset({"strategy", "type", "language", "late", "max_sequence", "contextual"}) | LATE | CONTEXT
"""Options that say what is cut by what, whatever a strategy takes."""

BOUNDARIES = {
    "sentence": SentenceChunker.strategy,
    "token": FixedChunker.strategy,
    "semantic": SemanticChunker.strategy,
}
"""What late excerpts may end at → the strategy that cuts there."""

RULES = "cut-8"
"""Version of all strategies together: another one wherever any cuts a text otherwise than the version before."""


def effective(options: ChunkOptions) -> ChunkOptions:
    """The options without those that have no effect on their strategy."""
    made = STRATEGIES.get(options.strategy)
    taken = FOR_ALL | (made.takes if made is not None else frozenset())
    taken -= frozenset() if options.late else LATE
    taken -= frozenset() if options.contextual else CONTEXT
    idle = {field.name: getattr(DEFAULTS, field.name) for field in fields(ChunkOptions) if field.name not in taken}
    return replace(options, **idle)


def _boundaries(options: ChunkOptions) -> str:
    """The strategy that finds the boundaries: late vectors can have others than the strategy's."""
    return BOUNDARIES[options.late_boundaries] if options.late and options.late_boundaries else options.strategy


def compares(options: ChunkOptions) -> bool:
    """Whether vectors decide where it is cut."""
    return _boundaries(options) == SemanticChunker.strategy


def chunker_for(options: ChunkOptions, tokenizer: Tokenizer, embedder: Embedder | None = None) -> Chunker:
    """Make the chunker that the options name; ``embedder`` makes the vectors that one of them compares.

    Raises:
        ChunkingValueError: There is no such strategy, or an option is out of its bounds.
    """
    options = replace(options, strategy=_boundaries(options))
    made = _named(options.strategy)
    if issubclass(made, SemanticChunker):
        return made(tokenizer, options, embedder=embedder)
    return made(tokenizer, options)


def largest_for(options: ChunkOptions, tokenizer: Tokenizer) -> int:
    """Tokens that a chunk can have by these options, but for what cannot be cut. Raises ChunkingValueError."""
    options = replace(options, strategy=_boundaries(options))
    return _named(options.strategy)(tokenizer, options).largest


def _named(strategy: str) -> type[Strategy]:
    made = STRATEGIES.get(strategy)
    if made is not None:
        return made
    near = difflib.get_close_matches(strategy, STRATEGIES, 1)
    known = f"Known strategies: {', '.join(STRATEGIES)}."
    raise ChunkingValueError(
        f"There is no chunking strategy {strategy!r}.", hint=f"Did you mean {near[0]}? {known}" if near else known
    )
