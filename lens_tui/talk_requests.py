"""What a face may ask about what is kept: conversations, and what became of the passages that answers rest on."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from lens_tui.history import Conversation, Fate, Passage, TalkRow


@dataclass(frozen=True, slots=True, kw_only=True)
class LastTalk:
    """The conversation where the person left it. Replies: Talk."""

    request: Literal["last_talk"] = "last_talk"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTalk:
    """Begin a new conversation; the old one is kept. Replies: Talk."""

    request: Literal["new_talk"] = "new_talk"


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenTalk:
    """Read a conversation on: it is the last one from now on. Replies: Talk."""

    request: Literal["open_talk"] = "open_talk"
    talk: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ListTalks:
    """The conversations that hold every word of ``query``, newest question first. Replies: TalkList."""

    request: Literal["list_talks"] = "list_talks"
    query: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EditTalk:
    """Rename a conversation, delete it or bring it back. Replies: TalkList, for ``query``."""

    request: Literal["edit_talk"] = "edit_talk"
    talk: int
    title: str | None = None
    """Empty gives it back the title of its first question."""
    deleted: bool | None = None
    """What is deleted can be brought back until the engine ends; then nothing of it is left."""
    query: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportTalk:
    """A conversation as a text, with sources and verdicts. Replies: TalkText."""

    request: Literal["export_talk"] = "export_talk"
    talk: int
    form: Literal["markdown", "json"] = "markdown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Remember:
    """Keep what the app wants back next time (unsent question, panels, place), merged by key. Replies: none."""

    request: Literal["remember"] = "remember"
    state: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """What became of passages since they were read. Replies: Traced."""

    request: Literal["trace"] = "trace"
    passages: tuple[Passage, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """A conversation and what the app kept with it."""

    event: Literal["talk"] = "talk"
    conversation: Conversation
    state: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class TalkList:
    """Conversations that have a question."""

    event: Literal["talks"] = "talks"
    query: str
    talks: tuple[TalkRow, ...] = ()
    total: int = 0
    """How many there are; ``talks`` may be the newest of them only."""
    milliseconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class TalkText:
    """A conversation as it can be written to a file."""

    event: Literal["talk_text"] = "talk_text"
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Traced:
    """One fate for each passage, in order."""

    event: Literal["traced"] = "traced"
    fates: tuple[Fate, ...] = ()
