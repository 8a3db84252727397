"""What a face may ask of the engine, and what comes back: one class a request, its replies named in its docstring.

A request carries what belongs to the asker (k, model, its address); what the index is made of is kept with the
folder's data. Every stream may end with a ``Failed``.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from lens_tui.chunk_requests import ChunkOutline as ChunkOutline
from lens_tui.chunk_requests import CutFile as CutFile
from lens_tui.chunk_requests import FileCut as FileCut
from lens_tui.chunk_requests import Recut as Recut
from lens_tui.chunk_requests import RecutCost as RecutCost
from lens_tui.options import DEFAULTS, ChunkOptions
from lens_tui.types import (
    Answered,
    AnswerStep,
    AnswerText,
    AskRetrieved,
    Conversation,
    Failed,
    FileNote,
    FileRow,
    ModelChoice,
    ModelInfo,
    Notice,
    Retriever,
    SearchHit,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Index:
    """Bring the index up to date. Replies: IndexProgress…, IndexDone."""

    request: Literal["index"] = "index"
    text_only: bool = False
    """Do not wait for vectors."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """Find excerpts. Replies: Found; with ``fresh`` the text is brought up to date first (IndexProgress…)."""

    request: Literal["search"] = "search"
    query: str
    k: int = 10
    retriever: Retriever | None = None
    """None: hybrid with an embedding model, lexical without."""
    fresh: bool = True
    plain: bool = False
    """Only words: nothing in the query is a filter, a phrase or an exclusion (questions, and those of ``eval``)."""
    typing: bool = False
    """The last word is still being typed: words that begin so are found too."""
    explain: bool = False
    """Hits carry ``explain``: what they hold of the query, and how their place and score come about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Related:
    """Find passages near a place. Replies: Found."""

    request: Literal["related"] = "related"
    path: str
    line: int | None = None
    k: int = 10
    fresh: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """Answer a question. Replies: AskRetrieved, AnswerStep and AnswerText in turn, Answered; on failure Failed last.

    Cancelled, it ends with an Answered that is ``stopped`` and holds what arrived.
    """

    request: Literal["ask"] = "ask"
    question: str
    k: int = 8
    model: str | None = None
    """A model asked for by name (an error where it is missing); ``none`` quotes; None lets the engine choose."""
    host: str = ""
    """The asker's Ollama address; empty for the default."""
    keep_alive: str = ""
    temperature: float | None = None
    retriever: Retriever | None = None
    fresh: bool = True
    keep: bool = False
    """Write the turn to the folder's conversation (the app does)."""
    quote_on_failure: bool = False
    """Where a named model cannot be had, quote and say so instead of failing (the app does)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """Follow the folder until cancelled. Replies: FolderNews, the first with every row, later ones with changes."""

    request: Literal["watch"] = "watch"
    host: str = ""
    model: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Control:
    """Steer the indexer. Replies: none."""

    request: Literal["control"] = "control"
    action: Literal["pause", "resume", "stop", "reread", "rebuild"]
    """``stop`` ends the run in hand; ``reread`` reads failed and left-out files (or ``path``) again; ``rebuild``
    reads and cuts every file anew, while search goes on with what there was."""
    path: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenFile:
    """Read one file as the index reads it. Replies: FileText."""

    request: Literal["open"] = "open"
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Models:
    """Ask the server what it has. Replies: ModelList."""

    request: Literal["models"] = "models"
    host: str = ""
    model: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LastTalk:
    """The conversation where the person left it. Replies: Talk."""

    request: Literal["last_talk"] = "last_talk"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTalk:
    """Begin a new conversation; the old one is kept. Replies: Talk."""

    request: Literal["new_talk"] = "new_talk"


@dataclass(frozen=True, slots=True, kw_only=True)
class Remember:
    """Keep what the app wants back next time (unsent question, panels, place), merged by key. Replies: none."""

    request: Literal["remember"] = "remember"
    state: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """The state of the index, once. Replies: FolderNews, with no rows where none are asked for.

    With ``fresh`` the full-text index is brought up to date first (IndexProgress…). Letting go of it stops nothing.
    """

    request: Literal["status"] = "status"
    fresh: bool = False
    rows: bool = False
    """Send every file's row too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Leave:
    """End the engine once the batch in hand is stored. Replies: none."""

    request: Literal["leave"] = "leave"


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexProgress:
    """A snapshot, not a difference."""

    event: Literal["progress"] = "progress"
    done: int
    total: int
    current: str
    """Path being read, or ``vectors`` while only those are missing."""
    chunks: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FileError:
    """A path and what went wrong with it."""

    path: str
    error: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FileWarning:
    """A path and what a person should know of how it was read."""

    path: str
    warning: str


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexDone:
    """The index is up to date."""

    event: Literal["done"] = "done"
    files: int
    chunks: int
    vectors: int
    vectors_pending: int
    added: int
    changed: int
    removed: int
    unchanged: int
    left_out: tuple[FileNote, ...] = ()
    failed: tuple[FileError, ...] = ()
    warnings: tuple[FileWarning, ...] = ()
    notes_failed: int = 0
    seconds: float = 0.0
    notes: tuple[str, ...] = ()
    """Sentences, such as why the index was made anew."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What a search found, in product.md's shape."""

    event: Literal["found"] = "found"
    query: str
    k: int
    retriever: Retriever
    hits: tuple[SearchHit, ...] = ()
    notes: tuple[str, ...] = ()
    milliseconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexState:
    """Where the index stands: a snapshot."""

    phase: Literal["scanning", "reading", "idle", "paused", "stopped"] = "scanning"
    files: int = 0
    """Files indexed now."""
    total: int = 0
    """Files to be indexed in all."""
    done: int = 0
    """Of the run in hand."""
    run_total: int = 0
    chunks: int = 0
    rate: float = 0.0
    """Files a second, over the last seconds."""
    seconds_left: float | None = None
    current: str = ""
    vectors: int = 0
    vectors_total: int = 0
    vector_rate: float = 0.0
    vector_seconds_left: float | None = None
    embedder: str = ""
    vector_problem: str = ""
    """A sentence where vectors cannot be made."""
    left_out: int = 0
    failed: int = 0
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderNews:
    """What has changed in the folder and its index since the news before."""

    event: Literal["news"] = "news"
    state: IndexState
    rows: tuple[FileRow, ...] = ()
    """Rows that are new or changed; every row where ``all`` is set."""
    gone: tuple[str, ...] = ()
    all: bool = False
    model: ModelChoice | None = None
    """Only where it changed."""
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FileText:
    """A file's text as the index reads it, with how it is cut."""

    event: Literal["file"] = "file"
    path: str
    text: str
    checksum: str
    chunks: tuple[ChunkOutline, ...] = ()
    """Its chunks in the index, in order; empty where it is not indexed yet."""
    cut: str = ""
    """Strategy and sizes, such as ``paragraph 220/40``."""
    options: ChunkOptions = DEFAULTS
    """By which the folder is cut."""
    kind: str = "text"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelList:
    """What the server has, and what would be used."""

    event: Literal["models"] = "models"
    address: str
    reachable: bool
    models: tuple[ModelInfo, ...] = ()
    chat: ModelChoice
    embedder: ModelChoice
    problem: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """A conversation and what the app kept with it."""

    event: Literal["talk"] = "talk"
    conversation: Conversation
    state: Mapping[str, object] = field(default_factory=dict)


Request = (
    Index
    | Search
    | Related
    | Ask
    | Watch
    | Control
    | OpenFile
    | CutFile
    | Recut
    | Models
    | LastTalk
    | NewTalk
    | Remember
    | Status
    | Leave
)
"""Everything that a face may send."""

Event = (
    IndexProgress
    | IndexDone
    | Found
    | FolderNews
    | FileText
    | FileCut
    | RecutCost
    | ModelList
    | Talk
    | AskRetrieved
    | AnswerText
    | AnswerStep
    | Answered
    | Failed
)
"""Everything that the engine may send back."""
