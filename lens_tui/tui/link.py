"""What the app asks of the engine, and how its events become the messages of the screen."""

from collections.abc import Callable, Mapping
from typing import Any
from weakref import WeakKeyDictionary

from textual.message import Message
from textual.message_pump import MessagePump

from lens_tui.history import Passage
from lens_tui.protocols import Engine
from lens_tui.requests import (
    Ask,
    ChooseModel,
    Control,
    EditTalk,
    Event,
    FileText,
    FolderNews,
    LastTalk,
    ModelList,
    NewTalk,
    OpenFile,
    OpenTalk,
    Pulling,
    PullModel,
    Remember,
    Request,
    Talk,
    Trace,
    Traced,
    Watch,
)
from lens_tui.settings import Settings
from lens_tui.tui import messages as news
from lens_tui.tui.calls import Calls, Errand
from lens_tui.types import Failed, Place


class Link:
    """Sends each request from a thread and posts what comes; ``post`` may be called from any thread."""

    def __init__(self, engine: Engine, settings: Settings, post: Callable[[Message], Any]) -> None:
        """Speak to ``engine`` for a person with these settings."""
        self._calls = Calls(engine)
        self._settings = settings
        self._post = post
        self._watch, self._watches = Errand(), 0
        self.wanted = settings.model
        """The model that was asked for by name; empty once the person has chosen another one here."""
        self._finding: WeakKeyDictionary[MessagePump, dict[str, Errand]] = WeakKeyDictionary()

    def follow(self) -> None:
        """Follow the folder: IndexMoved, RowsMoved, ModelChosen, NoticesCame; EngineState and WatchEnded at its end."""
        self._watch.cancel()
        self._watches += 1
        number = self._watches

        def over() -> None:
            if number == self._watches:
                self._post(news.WatchEnded())

        request = Watch(host=self.host, model=self.wanted or None)
        self._watch = self._calls.begin(request, self._deliver_news, over)

    @property
    def host(self) -> str:
        """The address of the person's Ollama; empty for the default."""
        return self._settings.ollama_host

    def _deliver_news(self, event: Event) -> None:
        if isinstance(event, Failed):
            self._post(news.EngineState(event.message, event.hint))
        elif isinstance(event, FolderNews):
            self._post(news.IndexMoved(event.state))
            if event.rows or event.gone or event.all:
                self._post(news.RowsMoved(event.rows, event.gone, event.all))
            if event.model is not None:
                self._post(news.ModelChosen(event.model))
            if event.notices:
                self._post(news.NoticesCame(event.notices))

    def last_talk(self) -> None:
        """Bring the last conversation back: TalkLoaded, or TalkMissing where it cannot be."""
        self._load_talk(LastTalk(), first=True)

    def open_talk(self, wish: news.TalkWish) -> None:
        """Read a conversation on, or begin a new one: TalkLoaded."""
        request = OpenTalk(talk=wish.talk) if wish.talk is not None else NewTalk()
        self._load_talk(request, turn=wish.turn)

    def _load_talk(self, request: Request, *, first: bool = False, turn: int | None = None) -> None:
        def deliver(event: Event) -> None:
            if isinstance(event, Talk):
                self._post(news.TalkLoaded(event, first, turn))
            elif isinstance(event, Failed):
                self._post(news.Notice(f"The conversation cannot be read: {event.message} {event.hint}".strip()))
                if first:
                    self._post(news.TalkMissing())

        self._calls.begin(request, deliver)

    def trace(self, passages: tuple[Passage, ...]) -> None:
        """Ask what became of passages: SourcesTraced; nothing where it cannot be told."""

        def deliver(event: Event) -> None:
            if isinstance(event, Traced):
                self._post(news.SourcesTraced(passages, event.fates))

        self._calls.begin(Trace(passages=passages), deliver)

    def choose_model(self, name: str) -> None:
        """Have this model answer in the folder from now on: ModelsCame."""
        if self.wanted:
            # The settings' model would stand over the one that was chosen here.
            self.wanted = ""
            self.follow()

        def deliver(event: Event) -> None:
            if isinstance(event, ModelList):
                self._post(news.ModelsCame(event))
            else:
                self._fault(event)

        self._calls.begin(ChooseModel(model=name, host=self.host), deliver)

    def pull(self, name: str) -> Errand:
        """Have the server fetch a model: PullMoved for each snapshot, PullOver at the end."""
        over = news.PullOver(name)

        def deliver(event: Event) -> None:
            if isinstance(event, Pulling):
                self._post(news.PullMoved(event))
            elif isinstance(event, ModelList):
                over.models = event
            elif isinstance(event, Failed):
                over.problem = f"{event.message} {event.hint}".strip()

        return self._calls.begin(PullModel(model=name, host=self.host), deliver, lambda: self._post(over))

    def ask(self, number: int, question: str, talk: int | None) -> Errand:
        """Send a question of a conversation: AnswerEvent for each event, AnswerOver at the end."""
        settings = self._settings
        request = Ask(
            question=question,
            model=self.wanted or None,
            host=self.host,
            keep_alive=settings.ollama_keep_alive,
            temperature=settings.ollama_temperature,
            retriever=settings.search_retriever or None,  # type: ignore[arg-type]
            fresh=False,
            keep=True,
            talk=talk,
            quote_on_failure=True,
        )

        def deliver(event: Event) -> None:
            self._post(news.AnswerEvent(number, event))  # type: ignore[arg-type]

        return self._calls.begin(request, deliver, lambda: self._post(news.AnswerOver(number)))

    def find(self, wish: news.FindWish) -> None:
        """Ask for a page: FindNews for each event. Its question before this one, of the same kind, is cancelled."""
        calls = self._finding.setdefault(wish.page, {})
        before = calls.get(wish.request.request)
        if before is not None and not isinstance(wish.request, EditTalk):
            before.cancel()

        def deliver(event: Event) -> None:
            self._post(news.FindNews(wish.page, wish.request, wish.number, event))

        calls[wish.request.request] = self._calls.begin(wish.request, deliver)

    def open_file(self, wish: news.OpenFileWish) -> None:
        """Read a file as the index reads it: FileOpened, or a Notice of why not."""
        place = Place(wish.path, wish.line)

        def deliver(event: Event) -> None:
            if isinstance(event, FileText):
                self._post(news.FileOpened(event, place, wish.excerpt, wish.sentence))
            else:
                self._fault(event)

        self._calls.begin(OpenFile(path=wish.path), deliver)

    def control(self, action: str, path: str | None) -> None:
        """Steer the indexer; a Notice where it cannot be."""
        if action in ("pause", "resume", "stop", "reread", "rebuild"):
            self._calls.begin(Control(action=action, path=path), self._fault)  # type: ignore[arg-type]

    def remember(self, state: Mapping[str, object]) -> Errand:
        """Have the engine keep what the app wants back next time; what cannot be kept is not worth a word."""
        return self._calls.begin(Remember(state=state), lambda event: None)

    def _fault(self, event: Event) -> None:
        if isinstance(event, Failed):
            self._post(news.Notice(f"{event.message} {event.hint}".strip()))

    def close(self) -> None:
        """Cancel everything that is under way."""
        self._calls.close()
