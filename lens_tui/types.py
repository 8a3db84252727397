"""The nouns that cross rooms and processes: frozen values, no behaviour beyond what they are.

Offsets count Unicode code points in a document's text, ends exclusive. Lines and pages count from 1, ends inclusive.
Paths are relative to the indexed folder, with ``/``. Field names are those of the JSON that scripts rely on.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from lens_tui.options import ChunkOptions
from lens_tui.queries import AskedWord as AskedWord
from lens_tui.queries import Explanation as Explanation
from lens_tui.queries import Filter as Filter
from lens_tui.queries import Query as Query
from lens_tui.queries import Reason as Reason
from lens_tui.queries import Retriever as Retriever

Span = tuple[int, int]
"""First and last-plus-one code point."""

Lines = tuple[int, int]
"""First and last line, both inclusive, from 1."""

Verdict = Literal["supported", "weak", "contradicted", "invented"]
FileState = Literal["indexed", "waiting", "reading", "changed", "left_out", "failed"]


@dataclass(frozen=True, slots=True)
class Heading:
    """One heading of a document."""

    start: int
    """Offset of the heading line's first character."""
    level: int
    """1 for the highest, 6 for the lowest."""
    title: str
    """Its words, without markup."""


@dataclass(frozen=True, slots=True)
class Document:
    """A file as text, with what its format tells."""

    path: str
    text: str
    """What the bytes decode to: no byte order mark, line ends ``\\n``."""
    checksum: str
    """SHA-256 of the file's bytes, in hex."""
    kind: str = "text"
    """``text``, ``markdown``, later ``code``, ``html``, ``pdf`` and so on."""
    title: str = ""
    """The front matter's title, else the first H1, else empty."""
    headings: tuple[Heading, ...] = ()
    """In reading order."""
    tags: tuple[str, ...] = ()
    """From front matter and ``#tags``, without ``#``, each once, in order of appearance."""
    data: Mapping[str, object] = field(default_factory=dict)
    """Front matter, as parsed; empty where there is none."""
    body_start: int = 0
    """Where the text after the front matter begins; chunks start here."""
    pages: tuple[int, ...] = ()
    """Offset at which each page begins; empty where the format has no pages."""
    parts: tuple[Span, ...] = ()
    """Members, rows or cells, which chunks keep whole where they fit; empty where the format has none."""
    encoding: str = "utf-8"
    size: int = 0
    """Bytes on disk."""
    mtime_ns: int = 0
    inode: int = 0
    warnings: tuple[str, ...] = ()
    """What a person should know of how it was read."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A contiguous piece of one document: ``document.text[start:end] == text``."""

    path: str
    checksum: str
    index: int
    """Its place among the file's chunks, from 0."""
    start: int
    end: int
    text: str
    lines: Lines
    tokens: int
    strategy: str = "paragraph"
    overlap_before: int = 0
    """Tokens shared with the chunk before, as counted."""
    overlap_after: int = 0
    page: int | None = None
    heading: tuple[str, ...] = ()
    """Titles from the highest heading down to the one that it stands under."""
    tags: tuple[str, ...] = ()
    level: int | None = None
    parent: str | None = None
    """Id of the chunk above it, in strategies that make a tree."""
    children: tuple[str, ...] = ()
    context: str | None = None
    """A note put before it for model and index, never part of ``text``."""
    context_tokens: int = 0
    contextualized: bool = False
    late: bool = False

    @property
    def id(self) -> str:
        """Name its content: two identical files share it; path and id together name a place."""
        return f"{self.checksum[:12]}-{self.index}"


@dataclass(frozen=True, slots=True)
class Cut:
    """What a strategy made of one document."""

    chunks: tuple[Chunk, ...]
    """In reading order."""
    warnings: tuple[str, ...] = ()
    """Sentences, such as of a sentence above the maximum."""


@dataclass(frozen=True, slots=True)
class Place:
    """One line, or one chunk's span, in a file of the folder."""

    path: str
    line: int | None = None
    chunk: int | None = None


@dataclass(frozen=True, slots=True)
class Recipe:
    """What an index was built with; where it differs from what is asked, the index is made anew and that is told."""

    tokenizer: str
    chunking: ChunkOptions
    """The options that have an effect."""
    rules: str
    """Version of the rules by which texts are cut."""
    analysis: str
    """Version of the word analysis that the full-text index holds."""
    embedder: str
    """Name of the embedder whose vectors the collection holds; only vectors depend on it."""


UNTRUSTED = -(2**62)
"""No file's time: that of one that is to be read and cut anew, whatever the index holds of it."""


@dataclass(frozen=True, slots=True)
class FileRecord:
    """What the store knows of an indexed file."""

    path: str
    checksum: str
    size: int
    mtime_ns: int
    inode: int
    chunks: int
    warnings: tuple[str, ...] = ()
    """What a person should know of how it was read and cut."""


@dataclass(frozen=True, slots=True)
class SearchHit:
    """One ranked chunk, flat, as every face shows it."""

    rank: int
    score: float
    """Absolute, 0 to 1; see index/hybrid.py for its formula."""
    path: str
    id: str
    chunk: int
    """Index of the chunk in its file."""
    start: int
    end: int
    lines: Lines
    page: int | None
    heading: tuple[str, ...]
    tags: tuple[str, ...]
    text: str
    snippet: str
    """About 120 characters around the match, ending at sentence or line."""
    marks: tuple[Span, ...]
    """Matched words, offsets in ``text``."""
    why: Mapping[str, Reason]
    checksum: str = ""
    explain: Explanation | None = None
    """Only where it was asked for."""
    also: tuple[Place, ...] = ()
    """Other places where the same passage stands; they have no hits of their own."""
    above: str = ""
    """What a model reads before it, where its text does not tell: the headings it stands under, and its note."""


@dataclass(frozen=True, slots=True)
class Retrieved:
    """What a search found."""

    hits: tuple[SearchHit, ...]
    retriever: Retriever
    """The one that was really used."""
    notes: tuple[str, ...] = ()
    """Sentences: why fewer, none, or without vectors."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """One numbered piece of evidence: a chunk, or neighbouring chunks of one file joined."""

    number: int
    path: str
    start: int
    end: int
    lines: Lines
    hits: tuple[int, ...]
    """Ranks of the hits in it."""
    text: str
    """``document.text[start:end]``, unquoted."""
    chunks: tuple[int, int]
    """First and last chunk index, both inclusive."""
    checksum: str = ""
    above: str = ""
    """What the model reads before the text, and is no part of it: that of the first hit."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """Exactly two messages; ``[1]`` in the answer is ``excerpts[0]``."""

    system: str
    user: str
    excerpts: tuple[Excerpt, ...]
    tokens: int
    """Estimated, system and user together."""
    left_out: int = 0
    """Excerpts that did not fit the model's context."""


@dataclass(frozen=True, slots=True)
class Citation:
    """One number in one mark of an answer, and what carries it."""

    start: int
    """Of the mark, in the answer's text."""
    end: int
    number: int
    claim: Span
    """The sentence of the answer that cites."""
    path: str | None = None
    """None where no excerpt has this number."""
    span: Span | None = None
    """The carrying sentence, in the file's text."""
    lines: Lines | None = None
    verdict: Verdict | None = None
    why: str | None = None
    differs: Span | None = None
    """Of a contradicted claim, the words that the source has otherwise, in the answer's text."""
    instead: Span | None = None
    """What the source has in their place, in the file's text."""


@dataclass(frozen=True, slots=True)
class ChatPiece:
    """One piece of a model's stream."""

    text: str = ""
    thinking: str = ""
    step: str = ""
    """Set while nothing is written yet: what the server is doing."""
    prompt_tokens: int | None = None
    """On the last piece: tokens read, as the server counted."""
    answer_tokens: int | None = None
    done_reason: str = ""
    """On the last piece: ``stop`` or ``length``."""


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """A model that the server has."""

    name: str
    size: int
    """Bytes on disk."""
    capabilities: tuple[str, ...] = ()
    context: int | None = None
    """The longest context that it was trained for, in tokens."""
    loaded: bool = False
    loaded_context: int | None = None
    """The context in force, where it is loaded."""


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """Which model answers or embeds, and why; ``name`` None means none: quoting, or the built-in vectors."""

    name: str | None
    why: str
    """A sentence."""
    address: str
    hint: str = ""
    """The commands that get a model, where there is none, one a line."""
    reachable: bool = False
    info: ModelInfo | None = None


@dataclass(frozen=True, slots=True)
class FileRow:
    """A file as the tree shows it."""

    path: str
    state: FileState
    chunks: int = 0
    detail: str = ""
    """Why it was left out or failed, how far it is read, or what a person should know of how it was."""


@dataclass(frozen=True, slots=True)
class FileNote:
    """A path and a sentence on it."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Notice:
    """Something that happened, for Status."""

    at: float
    """Seconds since the epoch."""
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AskRetrieved:
    """What the answer will rest on; comes before the first word."""

    event: Literal["retrieved"] = "retrieved"
    hits: tuple[SearchHit, ...]
    excerpts: tuple[Excerpt, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerText:
    """The next piece of the answer."""

    event: Literal["text"] = "text"
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerStep:
    """What is being waited for, or what the model thinks; drawn, never part of the answer."""

    event: Literal["step"] = "step"
    step: str = ""
    """``searching``, ``loading qwen3:4b into memory``, ``reading 1,912 tokens``, ``answering``."""
    thinking: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """The whole answer; also one that was stopped or broke off (``stopped``, and a Failed event after it)."""

    event: Literal["answered"] = "answered"
    text: str
    model: str | None
    """None: quoted, no model."""
    citations: tuple[Citation, ...] = ()
    uncited: tuple[Span, ...] = ()
    """Sentences with no citation, in the answer's text."""
    prompt_tokens: int | None = None
    context_tokens: int | None = None
    """The context in force (``num_ctx``)."""
    answer_tokens: int | None = None
    left_out: int = 0
    notes: tuple[str, ...] = ()
    seconds: float = 0.0
    stopped: bool = False
    thinking: str = ""
    thinking_seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """The end of a request that failed; in an answer, after the text that did arrive."""

    event: Literal["error"] = "error"
    message: str
    hint: str = ""
    kind: str = "LensError"
    """Name of the class in errors.py."""
