"""What the app asks of the engine, and how its events become the messages of the screen."""

from collections.abc import Callable, Mapping
from typing import Any
from weakref import WeakKeyDictionary

from textual.message import Message
from textual.message_pump import MessagePump

from lens_tui.protocols import Engine
from lens_tui.requests import (
    Ask,
    Control,
    Event,
    FileText,
    FolderNews,
    LastTalk,
    NewTalk,
    OpenFile,
    Remember,
    Talk,
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
        self._finding: WeakKeyDictionary[MessagePump, dict[str, Errand]] = WeakKeyDictionary()

    def follow(self) -> None:
        """Follow the folder: IndexMoved, RowsMoved, ModelChosen, NoticesCame; EngineState and WatchEnded at its end."""
        request = Watch(host=self._settings.ollama_host, model=self._settings.model or None)
        self._calls.begin(request, self._deliver_news, lambda: self._post(news.WatchEnded()))

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
        """Bring the last conversation back: TalkLoaded."""
        self._calls.begin(LastTalk(), self._deliver_talk)

    def new_talk(self) -> None:
        """Begin a new conversation: TalkLoaded."""
        self._calls.begin(NewTalk(), self._deliver_talk)

    def _deliver_talk(self, event: Event) -> None:
        if isinstance(event, Talk):
            self._post(news.TalkLoaded(event))
        elif isinstance(event, Failed):
            self._post(news.Notice(f"The conversation cannot be read: {event.message}"))

    def ask(self, number: int, question: str) -> Errand:
        """Send a question: AnswerEvent for each event, AnswerOver at the end."""
        settings = self._settings
        request = Ask(
            question=question,
            model=settings.model or None,
            host=settings.ollama_host,
            keep_alive=settings.ollama_keep_alive,
            temperature=settings.ollama_temperature,
            retriever=settings.search_retriever or None,  # type: ignore[arg-type]
            fresh=False,
            keep=True,
            quote_on_failure=True,
        )

        def deliver(event: Event) -> None:
            self._post(news.AnswerEvent(number, event))  # type: ignore[arg-type]

        return self._calls.begin(request, deliver, lambda: self._post(news.AnswerOver(number)))

    def find(self, wish: news.FindWish) -> None:
        """Ask for a page: FindNews for each event. Its call before this one, of the same kind, is cancelled."""
        calls = self._finding.setdefault(wish.page, {})
        if (before := calls.get(wish.request.request)) is not None:
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
