"""Puts a Lens together from settings: the only place that knows every concrete class."""

import importlib
import time
from collections.abc import Callable, Iterator, Sequence

from lens_tui.answering.budget import Gauge
from lens_tui.answering.chat import answer
from lens_tui.answering.citations import cite
from lens_tui.chunk_opening import cutters
from lens_tui.cutting import Cutting
from lens_tui.embedder_opening import open_embedder
from lens_tui.errors import FileUnreadable, ModelError
from lens_tui.files.reading import Reader, by_path
from lens_tui.files.scan import Scanner
from lens_tui.index.opening import open_backend
from lens_tui.index.vectors import NOTE_AT
from lens_tui.indexer import Board, Indexer
from lens_tui.lens import AskEvent, Lens
from lens_tui.note_opening import noters
from lens_tui.noting import Noting
from lens_tui.ollama.client import OllamaChat, OllamaServer, address_of
from lens_tui.ollama.models import EMBEDDER, choose_chat, choose_embedder, model_of
from lens_tui.ollama.pulling import name_of, pull
from lens_tui.places import Places
from lens_tui.protocols import Cancel, ChatModel, Tokenizer
from lens_tui.requests import ModelList, Pulling
from lens_tui.settings import Settings
from lens_tui.text.tokens import open_tokenizer
from lens_tui.text.vocabularies import directories_of
from lens_tui.types import Citation, Document, Excerpt, ModelChoice, Retrieved, Span

CHOICE_SECONDS = 10.0
"""How long a choice of model is good for: asking a server what it has takes longer than searching. Twice what passes
between two looks of a watching face, so that who asks in the app never waits for one."""


def open_lens(places: Places, settings: Settings, board: Board, remembered_embedder: str | None) -> Lens:
    """Open a folder's index and everything around it.

    Raises:
        StoreError: The index cannot be opened or written.
        SettingsError: A setting names something that there is not.
    """
    # By one thread, before there are others: two that load it at the same moment each see half of it.
    importlib.import_module("numpy")
    tokenizer = open_tokenizer(settings.tokenizer, directories_of(settings.data_dir))
    embedder, notes = open_embedder(settings, remembered_embedder)
    cutting = Cutting(settings.chunking, cutters(tokenizer, embedder))
    backend, rebuilt = open_backend(
        places.data,
        recipe=cutting.recipe,
        embedder=embedder,
        title_weight=settings.search_title_weight,
        vector=settings.vector != "none",
        note_at=settings.chunking.context_position or NOTE_AT,
    )
    scanner = Scanner(
        places.folder,
        max_bytes=settings.files_max_bytes,
        hidden=settings.files_hidden,
        exclude=settings.files_exclude,
        skip=(places.data, places.talks.parent),
    )
    reader = Reader(places.folder, max_bytes=settings.files_max_bytes, kind=lambda: cutting.options.type)
    read = by_path(scanner, reader)
    return Lens(
        read=read,
        cutting=cutting,
        tokenizer=tokenizer,
        embedder=embedder,
        backend=backend,
        indexer=Indexer(scanner, reader, cutting, backend, board),
        noting=Noting(backend, read, lambda: cutting.options, tokenizer, noters(settings, tokenizer)),
        chats=OllamaChats(settings.ollama_host),
        answering=Grounded(tokenizer, _text_of(read)),
        retriever=settings.search_retriever or None,  # type: ignore[arg-type]  # one of the three, by its bounds
        max_k=settings.search_max_k,
        notes=(*rebuilt, *notes),
    )


class OllamaChats:
    """The chat models of whichever Ollama a face names."""

    def __init__(self, default_host: str, *, clock: Callable[[], float] = time.monotonic) -> None:
        """Take the address for faces that name none."""
        self._default = default_host
        self._clock = clock
        self._servers: dict[str, OllamaServer] = {}
        self._choices: dict[tuple[str, str | None, str | None], tuple[float, ModelChoice]] = {}

    def choose(self, host: str, wanted: str | None, remembered: str | None, *, fresh: bool = False) -> ModelChoice:
        """See ``lens.Chats``."""
        key = (host, wanted, remembered)
        kept = None if fresh else self._choices.get(key)
        if kept is not None and self._clock() - kept[0] < CHOICE_SECONDS:
            return kept[1]
        choice = choose_chat(self._server(host), wanted=wanted or None, remembered=remembered)
        if choice.reachable:
            self._choices[key] = (self._clock(), choice)
        else:
            # A server that is away is asked again at once: it may have been started just now.
            self._choices.pop(key, None)
        return choice

    def open(self, choice: ModelChoice, *, host: str, temperature: float | None, keep_alive: str) -> ChatModel:
        """See ``lens.Chats``."""
        if choice.name is None:
            raise ValueError("no model was chosen")
        return OllamaChat(
            self._server(host),
            choice.name,
            temperature=temperature or 0.0,
            keep_alive=keep_alive,
            info=choice.info,
        )

    def list(self, host: str, wanted: str | None, remembered: str | None, embedder: str) -> ModelList:
        """See ``lens.Chats``."""
        server = self._server(host)
        try:
            models, problem = server.models(), ""
        except ModelError as error:
            models, problem = (), f"{error.message} {error.hint}".strip()
        try:
            chat = choose_chat(server, wanted=wanted or None, remembered=remembered)
        except ModelError as error:
            chat = ModelChoice(None, error.message, server.address, error.hint)
        return ModelList(
            address=server.address,
            reachable=not problem,
            models=models,
            chat=chat,
            embedder=_embedder_in_use(server, embedder),
            problem=problem,
        )

    def pull(self, host: str, name: str, cancel: Cancel) -> Iterator[Pulling]:
        """See ``lens.Chats``."""
        yield from pull(self._server(host), name_of(name), cancel=cancel)
        self._choices.clear()

    def _server(self, host: str) -> OllamaServer:
        address = address_of(host or self._default)
        if address not in self._servers:
            self._servers[address] = OllamaServer(host or self._default)
        return self._servers[address]


class Grounded:
    """The answering room, with the tokenizer that fits its prompts."""

    def __init__(self, tokenizer: Tokenizer, text_of: Callable[[str, int, int], str | None]) -> None:
        """``text_of(path, start, end)`` gives a file's text, None where it is gone."""
        self._tokenizer = tokenizer
        self._text_of = text_of
        self._gauge = Gauge()

    def answer(
        self,
        question: str,
        retrieved: Retrieved,
        *,
        model: ChatModel | None,
        cancel: Cancel,
        notes: Sequence[str],
        quote_instead: bool,
    ) -> Iterator[AskEvent]:
        """See ``lens.Answering``."""
        return answer(
            question,
            retrieved,
            model=model,
            tokenizer=self._tokenizer,
            cancel=cancel,
            notes=notes,
            text_of=self._text_of,
            gauge=self._gauge,
            quote_instead=quote_instead,
        )

    def cite(self, text: str, excerpts: Sequence[Excerpt]) -> tuple[tuple[Citation, ...], tuple[Span, ...]]:
        """See ``lens.Answering``."""
        return cite(text, excerpts)


def _embedder_in_use(server: OllamaServer, embedder: str) -> ModelChoice:
    """What a folder's vectors are made with, by the embedder's name, and how to get a model where it is none."""
    if embedder.startswith(EMBEDDER):
        name = model_of(embedder)
        return ModelChoice(name, f"{name}, with which this folder's vectors are made.", server.address)
    choice = choose_embedder(server, wanted="", remembered=None)
    why = "The built-in vectors, with which this folder's index is made."
    return ModelChoice(None, why, server.address, hint=choice.hint)


def _text_of(read: Callable[[str], Document]) -> Callable[[str, int, int], str | None]:
    def text_of(path: str, start: int, end: int) -> str | None:
        try:
            return read(path).text[start:end] or None
        except FileUnreadable:
            return None

    return text_of
