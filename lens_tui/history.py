"""Nouns of what is kept: conversations and their turns, what a model was sent, what became of an answer's sources."""

from dataclasses import dataclass
from typing import Literal

from lens_tui.types import Answered, AskRetrieved, Failed

SourceState = Literal["same", "changed", "moved", "gone"]


@dataclass(frozen=True, slots=True)
class SentExcerpt:
    """Where one excerpt stands in the message that was sent, its heading included."""

    number: int
    start: int
    end: int
    tokens: int
    """As counted here; the model's own tokenizer may count otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptSent:
    """What a model was sent: exactly these two messages. Where a prompt had to be made anew the last one holds."""

    event: Literal["sent"] = "sent"
    model: str
    system: str
    user: str
    system_tokens: int = 0
    user_tokens: int = 0
    excerpts: tuple[SentExcerpt, ...] = ()
    """In the order of ``user``, offsets in it."""
    context_tokens: int = 0
    """The context that was asked for (``num_ctx``)."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One question and its answer, as a conversation keeps it."""

    id: int
    question: str
    asked_at: float
    """Seconds since the epoch."""
    retrieved: AskRetrieved | None = None
    answered: Answered | None = None
    failed: Failed | None = None
    sent: PromptSent | None = None
    """What its model was sent; None where none was asked, and in turns of an older program."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """The turns of one conversation, oldest first."""

    id: int
    title: str
    turns: tuple[Turn, ...] = ()


@dataclass(frozen=True, slots=True)
class Passage:
    """What an answer rests on, as the file said it then: asked after, to learn what became of it."""

    path: str
    checksum: str
    """Of the file, when the question was answered."""
    start: int
    end: int
    text: str
    """``document.text[start:end]`` of then."""


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of a passage."""

    state: SourceState = "same"
    """``changed``: the file did, and the text still stands in it, maybe elsewhere; ``moved``: the text stands in
    another file; ``gone``: it stands nowhere, or its file cannot be read."""
    path: str = ""
    """Where the text stands now; where it is gone, the file that it stood in."""
    start: int = 0
    end: int = 0
    """In that file's text; both 0 where it is gone."""
    line: int | None = None
    """Its first line there, from 1."""
    file_gone: bool = False
    """Whether the file that it stood in is not there any more."""
    at: float | None = None
    """When that file was changed, in seconds since the epoch."""


@dataclass(frozen=True, slots=True)
class TalkRow:
    """A conversation in the list of them."""

    id: int
    title: str
    asked_at: float
    """When its newest question was asked, in seconds since the epoch."""
    turns: int
    snippet: str = ""
    """Where a search found it: the words around, on one line; empty where only the title fits."""
    turn: int | None = None
    """Id of the turn that was found: the newest that fits."""
