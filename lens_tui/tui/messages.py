"""What travels through the screen: news of the engine for widgets, and a person's wishes for the app."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from textual.screen import Screen

    from lens_tui.history import Fate, Passage, PromptSent
    from lens_tui.requests import Event, FileText, IndexState, ModelList, Pulling, Request, Talk
    from lens_tui.types import (
        Answered,
        AnswerStep,
        AnswerText,
        AskRetrieved,
        Failed,
        FileRow,
        ModelChoice,
        Place,
        Retriever,
        Span,
    )
    from lens_tui.types import Notice as Happening

    TurnEvent = AskRetrieved | PromptSent | AnswerStep | AnswerText | Answered | Failed
    """Everything that can happen to a turn, in the order of its stream."""


@dataclass
class IndexMoved(Message):
    """Where the index stands; only the newest waiting one is drawn."""

    state: IndexState

    def can_replace(self, message: Message) -> bool:
        """Make one draw of many snapshots."""
        return isinstance(message, IndexMoved)


@dataclass
class RowsMoved(Message):
    """Files that are new, changed or gone. With ``all`` set ``rows`` is the whole folder."""

    rows: tuple[FileRow, ...]
    gone: tuple[str, ...] = ()
    all: bool = False


@dataclass
class NoticesCame(Message):
    """What the engine has to say, for Status, oldest first."""

    notices: tuple[Happening, ...]


@dataclass
class ModelChosen(Message):
    """Which model answers from now on, and why."""

    choice: ModelChoice


@dataclass
class TalkLoaded(Message):
    """A conversation to be read on, and what the app had asked to remember."""

    talk: Talk
    first: bool = False
    """Whether it is the one of last time: what was not sent and where one stood come back with it."""
    turn: int | None = None
    """Id of the turn to stand at; None for the end."""


@dataclass
class TalkMissing(Message):
    """The conversation of last time does not come; why is told by a Notice."""


@dataclass
class TalkWish(Message):
    """The person reads a conversation on; None begins a new one."""

    talk: int | None
    turn: int | None = None
    """Id of the turn to stand at."""


@dataclass
class TalkTitled(Message):
    """The conversation on the screen has another title now."""

    title: str


@dataclass
class ModelWish(Message):
    """The person has this model answer from now on; ``none`` quotes."""

    name: str


@dataclass
class ModelsCame(Message):
    """What the server has, and what is used of it now."""

    models: ModelList


@dataclass
class PullWish(Message):
    """The person, asked, has the server fetch a model."""

    name: str


@dataclass
class PullStop(Message):
    """The person stops the pull that runs."""


@dataclass
class PullMoved(Message):
    """How far a pull is; only the newest waiting one is drawn."""

    progress: Pulling

    def can_replace(self, message: Message) -> bool:
        """Make one draw of many snapshots."""
        return isinstance(message, PullMoved)


@dataclass
class PullOver(Message):
    """A pull has ended: ``models`` with the new one, or ``problem`` why not; neither where it was stopped."""

    name: str
    models: ModelList | None = None
    problem: str = ""


@dataclass
class SentWish(Message):
    """The person wants to see what the model was sent for the turn that is read now."""


@dataclass
class SourcesTraced(Message):
    """One fate for each of the passages."""

    passages: tuple[Passage, ...]
    fates: tuple[Fate, ...]


@dataclass
class AnswerEvent(Message):
    """One event of an answer's stream. ``turn`` is the app's number of the turn; stale ones are dropped."""

    turn: int
    event: TurnEvent


@dataclass
class AnswerOver(Message):
    """The stream of a turn has ended; nothing more comes for it."""

    turn: int


@dataclass
class FileOpened(Message):
    """A file's text arrived; ``place`` says where to stand in it."""

    file: FileText
    place: Place
    excerpt: Span | None = None
    """The excerpt that the model had, in the file's text."""
    sentence: Span | None = None
    """The sentence that carries the claim."""


@dataclass
class Notice(Message):
    """A sentence for the hint row: five seconds, or until a key."""

    text: str


@dataclass
class EngineState(Message):
    """How the engine does: ``text`` stands in the rule while it is true (``engine restarting``); empty when well."""

    text: str
    hint: str = ""


@dataclass
class AskWish(Message):
    """The person sends a question."""

    question: str


@dataclass
class StopWish(Message):
    """The person stops the answer."""


@dataclass
class CitationChosen(Message):
    """A citation is current now: ``index`` counts the citations of turn ``turn`` (its place in the conversation)."""

    turn: int
    index: int


@dataclass
class OpenFileWish(Message):
    """The person opens a file at a line (from 1; None for its beginning)."""

    path: str
    line: int | None = None
    excerpt: Span | None = None
    """Marked with the thin bar, in the file's text."""
    sentence: Span | None = None
    """Marked with the highlighter, in the file's text."""


@dataclass
class EditWish(Message):
    """The person opens a file in the editor at a line (from 1)."""

    path: str
    line: int | None = None


@dataclass
class CommandChosen(Message):
    """A command was chosen by its id in the key map (``panel.files``); the app does what its key does."""

    id: str


@dataclass
class ControlWish(Message):
    """Steer the indexer: ``pause``, ``resume``, ``stop``, ``reread`` (all, or one path)."""

    action: str
    path: str | None = None


@dataclass
class CiteWish(Message):
    """The person walks the citations of the answer from the file page: ``step`` is 1 or -1."""

    step: int


@dataclass
class ThemeTried(Message):
    """The person looks at a theme in the list: draw with it, keep nothing."""

    name: str


@dataclass
class CopyWish(Message):
    """The person copies a text, with the name that the notice gives it (``the sentence``)."""

    text: str
    what: str


@dataclass
class WatchEnded(Message):
    """The stream of the folder's news has ended, though nobody asked for it."""


@dataclass
class CopyChoice(Message):
    """The person wants to copy something of the answer; what, is asked."""


@dataclass
class FilesPageWish(Message):
    """The person wants the files on a page of their own: to filter them, or for want of room beside the chat."""

    filtering: bool = False


@dataclass
class SearchPageWish(Message):
    """The person wants to search."""

    typing: bool = False
    """Whether it was an empty question box that took the key: what it holds since then was typed for the search."""


@dataclass
class BordersShown(Message):
    """The person wants the borders of chunks in files drawn, or hidden, from now on."""

    shown: bool


@dataclass
class FoldersOpened(Message):
    """The person opened or closed a folder among the files."""

    opened: tuple[str, ...]
    """All that is open now, as ``FilesTree.opened``."""


@dataclass
class RankingChosen(Message):
    """The person orders hits by this retriever from now on."""

    ranking: Retriever


@dataclass
class FindWish(Message):
    """A page asks the engine; what it asked for before in the same kind is dropped. FindNews comes for each event."""

    page: Screen[None]
    request: Request
    number: int
    """The page's own, handed back with the events."""


@dataclass
class FindNews(Message):
    """What came for a page's wish."""

    page: Screen[None]
    request: Request
    number: int
    event: Event
