"""Hits of made-up files, and a model that plays what a test wrote down."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from lens_tui.errors import ModelError
from lens_tui.protocols import Cancel
from lens_tui.types import ChatPiece, Excerpt, Prompt, Retrieved, SearchHit

LEASE = (
    "## 4 Term and renewal\n\n"
    "The term is two years. The lease runs until 31 March 2027 and renews by one year unless either\n"
    "party gives three months' notice in writing. The rent may be raised once in each period.\n"
)
LETTER = "We confirm three months' notice, in writing, as agreed on the telephone.\nKind regards."
REPAIRS = "The roof is to be repaired before October."


def hit_of(
    text: str,
    *,
    rank: int = 1,
    path: str = "lease.md",
    chunk: int = 0,
    start: int = 0,
    line: int = 1,
    checksum: str = "c" * 64,
) -> SearchHit:
    """A hit whose lines follow from its text."""
    last = line + text.rstrip("\n").count("\n")
    return SearchHit(
        rank=rank,
        score=0.5,
        path=path,
        id=f"{checksum[:12]}-{chunk}",
        chunk=chunk,
        start=start,
        end=start + len(text),
        lines=(line, last),
        page=None,
        heading=(),
        tags=(),
        text=text,
        snippet=text[:120],
        marks=(),
        why={},
        checksum=checksum,
    )


def piece_of(document: str, start: int, end: int, *, rank: int, chunk: int, path: str = "lease.md") -> SearchHit:
    """A hit on a part of a document, with its true line."""
    line = 1 + document.count("\n", 0, start)
    return hit_of(document[start:end], rank=rank, path=path, chunk=chunk, start=start, line=line)


def found(*hits: SearchHit) -> Retrieved:
    return Retrieved(hits=hits, retriever="lexical", notes=("Searched without vectors.",))


def excerpt_of(text: str, number: int = 1, path: str = "lease.md", start: int = 0, line: int = 1) -> Excerpt:
    lines = (line, line + text.count("\n"))
    return Excerpt(number, path, start, start + len(text), lines, (number,), text, (0, 0), "c" * 64)


@dataclass
class PlayedModel:
    """Obeys ``protocols.ChatModel``: says its pieces, or raises what stands among them."""

    pieces: Sequence[ChatPiece | ModelError | Callable[[], None]] = ()
    name: str = "qwen3:4b"
    longest: int = 40_960
    loaded: int | None = None
    asked: list[tuple[Prompt, int]] = field(default_factory=list)
    retold: list[Sequence[ChatPiece | ModelError]] = field(default_factory=list)
    """What the first streams say, before ``pieces``."""

    def context(self) -> int:
        return self.longest

    def prepare(self) -> None:
        """Know everything already."""

    def loaded_context(self) -> int | None:
        return self.loaded

    def stream(self, prompt: Prompt, *, num_ctx: int, cancel: Cancel) -> Iterator[ChatPiece]:
        self.asked.append((prompt, num_ctx))
        for piece in self.retold.pop(0) if self.retold else self.pieces:
            if cancel.cancelled:
                return
            if isinstance(piece, ModelError):
                raise piece
            if isinstance(piece, ChatPiece):
                yield piece
            else:
                piece()


def says(*texts: str, reason: str = "stop", read: int | None = 400, wrote: int = 20) -> list[ChatPiece]:
    """A whole stream of text."""
    steps = [ChatPiece(step="reading 400 tokens")]
    last = ChatPiece(prompt_tokens=read, answer_tokens=wrote, done_reason=reason)
    return [*steps, *(ChatPiece(text=text) for text in texts), last]
