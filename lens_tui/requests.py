"""What a face may ask of the engine, and what comes back: one class a request, its replies named in its docstring.

A request carries what belongs to the asker (k, model, its address); what the index is made of is kept with the
folder's data. Every stream may end with a ``Failed``.
"""

from dataclasses import dataclass
from typing import Literal

from lens_tui.chunk_requests import ChunkOutline as ChunkOutline
from lens_tui.chunk_requests import CutFile as CutFile
from lens_tui.chunk_requests import CutText as CutText
from lens_tui.chunk_requests import FileCut as FileCut
from lens_tui.chunk_requests import Recut as Recut
from lens_tui.chunk_requests import RecutCost as RecutCost
from lens_tui.chunk_requests import TextCut as TextCut
from lens_tui.history import PromptSent
from lens_tui.model_requests import ChooseModel as ChooseModel
from lens_tui.model_requests import ModelList as ModelList
from lens_tui.model_requests import Models as Models
from lens_tui.model_requests import Pulling as Pulling
from lens_tui.model_requests import PullModel as PullModel
from lens_tui.options import DEFAULTS, ChunkOptions
from lens_tui.talk_requests import EditTalk as EditTalk
from lens_tui.talk_requests import ExportTalk as ExportTalk
from lens_tui.talk_requests import LastTalk as LastTalk
from lens_tui.talk_requests import ListTalks as ListTalks
from lens_tui.talk_requests import NewTalk as NewTalk
from lens_tui.talk_requests import OpenTalk as OpenTalk
from lens_tui.talk_requests import Remember as Remember
from lens_tui.talk_requests import Talk as Talk
from lens_tui.talk_requests import TalkList as TalkList
from lens_tui.talk_requests import TalkText as TalkText
from lens_tui.talk_requests import Trace as Trace
from lens_tui.talk_requests import Traced as Traced
from lens_tui.types import (
    Answered,
    AnswerStep,
    AnswerText,
    AskRetrieved,
    Failed,
    FileNote,
    FileRow,
    ModelChoice,
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
    section: bool = False
    """Hits are the sections that they stand in, each once; see widening.py."""


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
    """Answer a question. Replies: AskRetrieved, PromptSent, AnswerStep and AnswerText in turn, Answered; or Failed.

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
    """Write the turn to a conversation of the folder (the app does)."""
    talk: int | None = None
    """Which one; None for the last."""
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
    vector_notes: tuple[str, ...] = ()
    """Sentences on texts that are longer than what makes the vectors reads at once."""
    notes_left: int = 0
    """Chunks that wait for a model's note."""
    notes_failed: int = 0
    """Chunks indexed without one, since the model failed at them."""
    note_problem: str = ""
    """A sentence where no note can be written."""
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


Request = (
    Index
    | Search
    | Related
    | Ask
    | Watch
    | Control
    | OpenFile
    | CutFile
    | CutText
    | Recut
    | Models
    | ChooseModel
    | PullModel
    | LastTalk
    | NewTalk
    | OpenTalk
    | ListTalks
    | EditTalk
    | ExportTalk
    | Remember
    | Trace
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
    | TextCut
    | RecutCost
    | ModelList
    | Pulling
    | Talk
    | TalkList
    | TalkText
    | Traced
    | AskRetrieved
    | PromptSent
    | AnswerText
    | AnswerStep
    | Answered
    | Failed
)
"""Everything that the engine may send back."""
