"""How files are cut into chunks: every option under the one name that flags, settings and the app know it by.

None and empty mean: the strategy's own default. What a strategy takes, and within which bounds, it says itself.
"""

from dataclasses import dataclass
from typing import Annotated


@dataclass(frozen=True, slots=True)
class Key:
    """What belongs to one setting beside its value; it annotates the setting's field."""

    name: str
    """As a user writes it, such as ``ollama.host``."""
    about: str
    """What it does, in a few words that the README's table shows."""
    low: float | None = None
    high: float | None = None
    """Bounds, both inclusive."""
    one_of: tuple[str, ...] = ()
    """The only values beside the default; empty where any will do."""
    or_number: bool = False
    """Whether a bare number stands for the text that writes it."""
    between: str = ""
    """What separates the parts of a list in a variable or a flag: a space for white space, else the system's own."""

    @property
    def variable(self) -> str:
        """The environment variable that sets it."""
        return "LENS_TUI_" + self.name.upper().replace(".", "_")


STRATEGY_NAMES = (
    "auto",
    "paragraph",
    "fixed",
    "sentence",
    "semantic",
    "hierarchical",
    "markdown",
    "recursive",
    "code",
)
"""What ``chunking.STRATEGIES`` has, for those who do not load it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkOptions:
    """What a person may say about cutting; sizes in tokens, overlap included."""

    strategy: Annotated[str, Key("chunk.strategy", "how files are cut into excerpts", one_of=STRATEGY_NAMES)] = "auto"
    size: Annotated[int | None, Key("chunk.size", "tokens in an excerpt that are aimed at", 1, 8192)] = None
    maximum: Annotated[int | None, Key("chunk.maximum", "most tokens in an excerpt", 1, 8192)] = None
    minimum: Annotated[int | None, Key("chunk.minimum", "fewest tokens that stand alone", 0, 8192)] = None
    overlap: Annotated[
        str, Key("chunk.overlap", "tokens shared with the excerpt before, or a share such as `20%`", or_number=True)
    ] = ""
    overlap_sentences: Annotated[
        int | None, Key("chunk.overlap_sentences", "sentences shared with the excerpt before", 0, 5)
    ] = None
    overlap_both: Annotated[
        int | None, Key("chunk.overlap_both", "tokens taken from each neighbour, before and after", 0, 4096)
    ] = None
    delimiters: Annotated[tuple[str, ...], Key("chunk.delimiters", "what ends a sentence", between=" ")] = ()
    paragraphs: Annotated[bool | None, Key("chunk.paragraphs", "keep paragraphs whole where they fit")] = None
    threshold: Annotated[
        float | None, Key("chunk.threshold", "likeness of neighbouring sentences under which it is cut", 0, 1)
    ] = None
    breaks: Annotated[
        tuple[str, ...], Key("chunk.breaks", "beginnings of lines before which it is always cut", between=" ")
    ] = ()
    depth: Annotated[int | None, Key("chunk.depth", "heading levels that make a tree", 1, 6)] = None
    pattern: Annotated[
        str, Key("chunk.pattern", "what a heading is: an expression with groups `title` and `level`")
    ] = ""
    levels: Annotated[
        tuple[int, ...], Key("chunk.levels", "heading levels at which Markdown is cut", 1, 6, between=" ")
    ] = ()
    inherit: Annotated[bool | None, Key("chunk.inherit", "put the headings above before an excerpt")] = None
    summaries: Annotated[bool | None, Key("chunk.summaries", "have a model sum up each section")] = None
    type: Annotated[
        str,
        Key(
            "chunk.type",
            "what files are taken for",
            one_of=("markdown", "text", "html", "code", "json", "csv", "notebook"),
        ),
    ] = ""
    language: Annotated[str, Key("chunk.language", "what language code is taken for")] = ""
    contextual: Annotated[
        bool | None, Key("chunk.contextual", "have the chat model place each excerpt in its document, in a note")
    ] = None
    context_template: Annotated[
        str, Key("chunk.context_template", "what it is asked, with `{{WHOLE_DOCUMENT}}` and `{{CHUNK_CONTENT}}`")
    ] = ""
    context_window: Annotated[
        int | None, Key("chunk.context_window", "tokens of the document that it sees around the excerpt", 256, 65_536)
    ] = None
    context_tokens: Annotated[int | None, Key("chunk.context_tokens", "tokens of a note at most", 16, 2_000)] = None
    context_temperature: Annotated[
        float | None, Key("chunk.context_temperature", "how freely it words a note", 0, 2)
    ] = None
    context_position: Annotated[
        str, Key("chunk.context_position", "where the note stands", one_of=("prefix", "suffix", "both"))
    ] = ""
    context_cache: Annotated[bool | None, Key("chunk.context_cache", "use notes that were written before")] = None
    context_model: Annotated[
        str, Key("chunk.context_model", "the model that writes notes; the chat model if not set")
    ] = ""
    late: Annotated[
        bool | None, Key("chunk.late", "make vectors of whole documents, pooled by excerpt; `embedder` is a directory")
    ] = None
    late_boundaries: Annotated[
        str, Key("chunk.late_boundaries", "what late excerpts end at", one_of=("sentence", "token", "semantic"))
    ] = ""
    late_pooling: Annotated[
        str, Key("chunk.late_pooling", "how tokens become a late vector", one_of=("mean", "cls", "attention"))
    ] = ""
    max_sequence: Annotated[
        int | None, Key("chunk.max_sequence", "tokens that a model directory reads at once", 8, 65_536)
    ] = None


DEFAULTS = ChunkOptions()
