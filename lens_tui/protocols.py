"""The sockets: what each room promises, so that Lens never learns which implementation stands behind it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from lens_tui.requests import Event, Request
from lens_tui.types import (
    ChatPiece,
    Chunk,
    Cut,
    Document,
    FileRecord,
    Place,
    Prompt,
    Query,
    Recipe,
    Retrieved,
    Span,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]
    """Shape (texts, dimensions), rows of length 1."""


class Cancel(Protocol):
    """A person's wish to stop, seen from many threads."""

    @property
    def cancelled(self) -> bool:
        """Whether it was stopped."""

    def on_cancel(self, act: Callable[[], None]) -> Callable[[], None]:
        """Call ``act`` once when it is stopped (at once if it was). Returns a function that withdraws it."""


class Tokenizer(Protocol):
    """Counts tokens and tells where each begins."""

    name: str
    exact: bool
    """Whether its counts are a real vocabulary's; False for the offline estimate."""

    def count(self, text: str) -> int:
        """Number of tokens in ``text``."""

    def starts(self, text: str) -> Sequence[int]:
        """Offset of the character at which each token begins, ascending.

        A token that begins inside a character has that character's own offset again.
        """


class Loader(Protocol):
    """Turns the bytes of one format into a Document."""

    kind: str

    def reads(self, path: str, head: bytes) -> bool:
        """Whether this is its format, by name and first bytes (up to 8,192)."""

    def load(self, path: str, data: bytes) -> Document:
        """Decode. Raises FileUnreadable with what is wrong with the file."""


class Chunker(Protocol):
    """Cuts a Document into Chunks."""

    strategy: str

    def told(self, document: Document) -> str:
        """What cuts this document, with its sizes, such as ``paragraph 220/40``, also under ``auto``."""

    def chunk(self, document: Document) -> Cut:
        """Chunks in order; every visible character of the body is in one; ``text[start:end] == chunk.text``.

        Raises:
            ChunkingError: It cannot be cut as asked, such as where the vectors that decide cannot be had.
        """


class Embedder(Protocol):
    """Makes vectors of texts."""

    semantic: bool
    """Whether its vectors may vote on ranking; the built-in one's may not."""

    @property
    def name(self) -> str:
        """Names model and version: vectors of two names are never mixed. May ask the server once."""

    @property
    def dimensions(self) -> int:
        """Values in a vector. May ask the server once."""

    @property
    def frame(self) -> str:
        """What a passage is put into before ``passages`` is given it, such as ``title: {title} | text: {text}``."""

    @property
    def window(self) -> int | None:
        """Tokens that it reads at once; None where that is not known, or nothing is too long. Asks nobody."""

    @property
    def averaged(self) -> int:
        """Texts so far that were longer than that: embedded in parts, and averaged."""

    def knows(self, text: str) -> bool:
        """Whether it can read the script that a text is written in. May ask the server. Raises ModelError."""

    def passages(self, texts: Sequence[str], cancel: Cancel | None = None) -> "Vectors":
        """Vectors of passages, already in their frame, in order. Raises ModelError."""

    def query(self, text: str) -> "Vectors":
        """One vector, shape (1, dimensions), of a question. Raises ModelError."""


@runtime_checkable
class SpanEmbedder(Protocol):
    """An embedder whose vector of a chunk rests on the whole document; its frame is ``text.framing.SPAN``."""

    def of_spans(self, text: str, spans: Sequence[Span], cancel: Cancel | None = None) -> "Vectors":
        """Vectors of the spans in order, or of the first of them where it was cancelled meanwhile.

        Raises:
            Stopped: It was cancelled before the first was there.
            ModelError: They cannot be made.
        """


class TokenSequence(Protocol):
    """A text's tokens, without the special ones."""

    @property
    def ids(self) -> Sequence[int]:
        """Numbers in the vocabulary."""

    @property
    def spans(self) -> Sequence[Span]:
        """What each covers of the text."""


class TokenEmbedder(Protocol):
    """A model that gives a vector for each token, and not only one for a text."""

    @property
    def name(self) -> str:
        """Names the model and its version."""

    @property
    def dimensions(self) -> int:
        """Values in a vector. May load the model."""

    @property
    def room(self) -> int:
        """Tokens that fit one sequence beside the special ones."""

    def tokens(self, text: str) -> TokenSequence:
        """Cut a text of any length into its tokens."""

    def vectors(self, ids: Sequence[int]) -> "Vectors":
        """Vectors of one sequence's tokens, shape (tokens, dimensions), of any length. Raises ModelError."""


class SearchBackend(Protocol):
    """What is indexed, and the search over it. Safe to call from several threads."""

    def indexed(self) -> Mapping[str, FileRecord]:
        """Every indexed file by path."""

    def replace(self, document: Document, chunks: Sequence[Chunk]) -> None:
        """Put a document in the place of whatever its path held. Idempotent; on return it is durable and searchable."""

    def distrust(self, recipe: Recipe | None = None) -> None:
        """Let every file count as one to be read and cut anew, by ``recipe`` where that changes.

        Until that is done, by this engine or the next one, each is found as it was.
        """

    def touch(self, record: FileRecord) -> None:
        """Keep a file's new size, time, inode and warnings where its content is the same."""

    def forget(self, path: str) -> None:
        """Take a file out. Nothing happens where it is not in."""

    def search(self, query: Query, limit: int) -> Retrieved:
        """The best ``limit`` chunks (1 to 50), best first."""

    def related(self, place: Place, limit: int) -> Retrieved:
        """Passages near this one, itself and near-copies left out."""

    def chunks_of(self, path: str) -> Sequence[Chunk]:
        """A file's chunks in order; empty where it is not indexed."""

    def without_note(self) -> Mapping[str, int]:
        """How many chunks of each file have no note of a model; files in which all have one are left out."""

    def counts(self) -> tuple[int, int, int, int]:
        """Files, chunks, chunks with a vector, chunks still without."""

    def embed_next(self, cancel: Cancel) -> int:
        """Make and store the vectors of the next small batch; 0 when none is missing. Raises ModelError."""

    def flush(self) -> None:
        """Bring what is derived to disk."""

    def close(self) -> None:
        """Flush, mark the close as clean, let go of every file."""


class ChatModel(Protocol):
    """A model that answers."""

    name: str

    def context(self) -> int:
        """The longest context it can have, in tokens. Raises ModelError."""

    def prepare(self) -> None:
        """Begin to find out what ``loaded_context`` tells, for a caller who needs it soon; it raises nothing."""

    def loaded_context(self) -> int | None:
        """The context that it is loaded with, None where it is not loaded. Raises ModelError."""

    def stream(self, prompt: Prompt, *, num_ctx: int, cancel: Cancel) -> Iterator[ChatPiece]:
        """Yield the answer in pieces as they arrive; the last has the counts. Ends quietly when cancelled.

        Raises:
            ModelUnreachable: Nothing answered at the model's address.
            ModelMissing: The server does not have this model.
            PromptTooLong: The prompt does not fit ``num_ctx``.
            AnswerCutShort: The stream stopped before the model had finished.
            ModelError: Anything else that the server did.
        """


class Call(Protocol):
    """One request under way at the engine."""

    def __iter__(self) -> Iterator[Event]:
        """Events as they come. A Failed ends the stream: it is yielded, not raised."""

    def cancel(self) -> None:
        """Ask the engine to stop, from any thread; the stream then ends by itself."""


class Engine(Protocol):
    """The engine as a face sees it. Thread-safe."""

    def start(self, request: Request) -> Call:
        """Send a request. Raises EngineError where no engine can be started or reached."""

    def close(self) -> None:
        """Let go of the connection; the engine stays for other faces."""
