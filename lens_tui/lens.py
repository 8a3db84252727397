"""Search and ask over one folder. Knows protocols only; ``opening.py`` alone knows the concrete classes."""

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from lens_tui.chunk_requests import outline_of
from lens_tui.cutting import Cutting
from lens_tui.embedder_window import in_parts, too_large
from lens_tui.errors import FileUnreadable, ModelError, NothingFound, UsageError
from lens_tui.history import PromptSent
from lens_tui.indexer import Indexer
from lens_tui.noting import Noting
from lens_tui.protocols import Cancel, ChatModel, Embedder, SearchBackend, Tokenizer
from lens_tui.requests import Ask, FileText, Found, ModelList, Pulling, Search
from lens_tui.text.querying import parse
from lens_tui.types import (
    Answered,
    AnswerStep,
    AnswerText,
    AskRetrieved,
    Citation,
    Document,
    Excerpt,
    Failed,
    ModelChoice,
    Place,
    Query,
    Retrieved,
    Retriever,
    Span,
)
from lens_tui.widening import widened
from lens_tui.wire import as_failed

AskEvent = AskRetrieved | PromptSent | AnswerStep | AnswerText | Answered | Failed

QUESTION_LIMIT = 16_000
"""Characters in a question. A longer one leaves no room for excerpts in the contexts that local models have."""

QUERY_LIMIT = 16_000
"""Characters in a search query: the same, so that whatever can be asked can be searched."""


class Chats(Protocol):
    """The models that can answer, wherever the asker's server is."""

    def choose(self, host: str, wanted: str | None, remembered: str | None, *, fresh: bool = False) -> ModelChoice:
        """Which model answers, as it was some seconds ago unless ``fresh``.

        Raises:
            ModelError: One was wanted by name and cannot be had; never otherwise.
        """

    def open(self, choice: ModelChoice, *, host: str, temperature: float | None, keep_alive: str) -> ChatModel:
        """The model that was chosen (``choice.name`` is not None)."""

    def list(self, host: str, wanted: str | None, remembered: str | None, embedder: str) -> ModelList:
        """Everything that the server has; where it cannot be reached, why. ``embedder`` is the index's, by its name."""

    def pull(self, host: str, name: str, cancel: Cancel) -> Iterator[Pulling]:
        """Have the server fetch a model. Raises ModelError."""


class Answering(Protocol):
    """The room that turns excerpts into an answer."""

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
        """Yield the events of one answer; a Failed is the last. ``quote_instead``: where the model is gone by then."""

    def cite(self, text: str, excerpts: Sequence[Excerpt]) -> tuple[tuple[Citation, ...], tuple[Span, ...]]:
        """Citations and uncited sentences of a text that broke off."""


class Lens:
    """One indexed folder: search, ask, read. Safe to call from several threads."""

    def __init__(
        self,
        *,
        read: Callable[[str], Document],
        cutting: Cutting,
        tokenizer: Tokenizer,
        embedder: Embedder,
        backend: SearchBackend,
        indexer: Indexer,
        noting: Noting,
        chats: Chats,
        answering: Answering,
        retriever: Retriever | None = None,
        max_k: int = 50,
        notes: tuple[str, ...] = (),
    ) -> None:
        """Take the rooms.

        Args:
            read: One file's Document as it is on the disk now; raises FileUnreadable.
            cutting: How files are cut.
            tokenizer: What counts.
            embedder: What makes vectors.
            backend: The index.
            indexer: What keeps it true.
            noting: What has notes written for chunks, where a model may.
            chats: The models that can answer.
            answering: What turns excerpts into an answer.
            retriever: The one that settings name.
            max_k: Most hits that may be asked for.
            notes: Sentences on how the index was opened.
        """
        self.read = read
        self.backend = backend
        self.indexer = indexer
        self.chats = chats
        self.cutting = cutting
        self.embedder = embedder
        self.tokenizer = tokenizer
        self.notes = notes
        self.noting = noting
        self._answering = answering
        self._retriever = retriever
        self._max_k = max_k

    def retriever(self, wanted: Retriever | None) -> Retriever:
        """The retriever that serves: the one wanted, else the setting, else hybrid where vectors carry meaning."""
        return wanted or self._retriever or ("hybrid" if self.embedder.semantic else "lexical")

    def vector_notes(self) -> tuple[str, ...]:
        """Sentences on chunks that can be, and texts that were, longer than what makes the vectors reads at once."""
        by = self.embedder
        told = too_large(self.cutting.options, self.cutting.largest, by.name, by.window)
        return tuple(filter(None, (" ".join(told).strip(), in_parts(by.averaged, by.name))))

    def search(self, request: Search) -> Found:
        """Find at most ``k`` excerpts, best first; its query is in the language of ``text/querying.py``.

        Raises:
            UsageError: An empty or too long query, or a k out of its bounds.
        """
        began = time.perf_counter()
        text, k = request.query, request.k
        self._check_k(k)
        _check_text(text, "query", QUERY_LIMIT)
        retriever = self.retriever(request.retriever)
        if request.plain:
            query = Query(text, retriever, explain=request.explain)
        else:
            query = parse(text, retriever, typing=request.typing, explain=request.explain)
        got = self.backend.search(query, k)
        hits, notes = got.hits, got.notes
        if request.section:
            hits, told = widened(hits, self.backend.chunks_of, self.read)
            notes += told
        spent = (time.perf_counter() - began) * 1000
        return Found(query=text, k=k, retriever=got.retriever, hits=hits, notes=notes, milliseconds=spent)

    def related(self, place: Place, k: int) -> Found:
        """Find at most ``k`` passages near a place.

        Raises:
            NothingFound: The index does not hold the path; the message says why, where that is known.
            UsageError: A k out of its bounds, or no such line.
        """
        began = time.perf_counter()
        self._check_k(k)
        try:
            got = self.backend.related(place, k)
        except NothingFound as error:
            raise self._why_none(place.path) or error from error
        spent = (time.perf_counter() - began) * 1000
        name = place.path if place.line is None else f"{place.path}:{place.line}"
        return Found(query=name, k=k, retriever=got.retriever, hits=got.hits, notes=got.notes, milliseconds=spent)

    def ask(self, request: Ask, remembered: str | None, cancel: Cancel) -> Iterator[AskEvent]:
        """Answer a question; a Failed is the last event.

        Raises:
            UsageError: An empty or too long question, or a k out of its bounds.
        """
        self._check_k(request.k)
        _check_text(request.question, "question", QUESTION_LIMIT)
        yield AnswerStep(step="searching")
        notes: list[str] = []
        try:
            choice, model = self._model_for(request, remembered)
        except ModelError as error:
            if not request.quote_on_failure:
                yield as_failed(error)
                return
            choice, model = None, None
            notes.append(f"{error.message} {error.hint}".strip())
        if model is None and choice is not None and request.model != "none":
            commands = ", then: ".join(choice.hint.splitlines())
            notes.append(f"{choice.why} For a model: {commands}" if commands else choice.why)
        if model is not None:
            model.prepare()
        query = Query(request.question, self.retriever(request.retriever))
        retrieved = self.backend.search(query, request.k)
        yield from self._answer(request, retrieved, model, notes, cancel)

    def _model_for(self, request: Ask, remembered: str | None) -> tuple[ModelChoice, ChatModel | None]:
        choice = self.chats.choose(request.host, request.model, remembered)
        if choice.name is None:
            return choice, None
        model = self.chats.open(
            choice, host=request.host, temperature=request.temperature, keep_alive=request.keep_alive
        )
        return choice, model

    def _answer(
        self, request: Ask, retrieved: Retrieved, model: ChatModel | None, notes: Sequence[str], cancel: Cancel
    ) -> Iterator[AskEvent]:
        """Pass the answer on; where it breaks off, the app is given what arrived with its citations first."""
        began = time.monotonic()
        excerpts: tuple[Excerpt, ...] = ()
        arrived: list[str] = []
        events = self._answering.answer(
            request.question,
            retrieved,
            model=model,
            cancel=cancel,
            notes=notes,
            quote_instead=request.quote_on_failure or not request.model,
        )
        for event in events:
            if isinstance(event, AskRetrieved):
                excerpts = event.excerpts
            elif isinstance(event, AnswerText):
                arrived.append(event.text)
            elif isinstance(event, Failed) and request.keep and arrived:
                text = "".join(arrived)
                citations, uncited = self._answering.cite(text, excerpts)
                yield Answered(
                    text=text,
                    model=model.name if model else None,
                    citations=citations,
                    uncited=uncited,
                    seconds=time.monotonic() - began,
                )
            yield event

    def open_file(self, path: str) -> FileText:
        """Read one file as the index reads it.

        Raises:
            FileUnreadable: It is gone, left out, or cannot be read.
        """
        document = self.read(path)
        chunks = [chunk for chunk in self.backend.chunks_of(path) if chunk.checksum == document.checksum]
        return FileText(
            path=path,
            text=document.text,
            checksum=document.checksum,
            chunks=tuple(map(outline_of, chunks)),
            cut=self.cutting.told(document),
            options=self.cutting.options,
            kind=document.kind,
        )

    def _why_none(self, path: str) -> NothingFound | None:
        """Why the index holds nothing of a file; None for one that is not read yet."""
        hint = "Name another file; which are left out, and why, is told by: lens-tui index FOLDER"
        try:
            document = self.read(path)
        except FileUnreadable as error:
            return NothingFound(error.message, hint=hint)
        blank = not document.text[document.body_start :].strip()
        return NothingFound(f"{path} holds no text.", hint=hint) if blank else None

    def close(self) -> None:
        """Bring everything to disk and let go of it."""
        self.backend.close()

    def _check_k(self, k: int) -> None:
        if not 1 <= k <= self._max_k:
            raise UsageError(
                f"k is {k}; it must be from 1 to {self._max_k}.", hint=f"Choose a k from 1 to {self._max_k}."
            )


def _check_text(text: str, what: str, limit: int) -> None:
    if not text.strip():
        raise UsageError(f"The {what} is empty.", hint=f"Write a {what} of at least one word.")
    if len(text) > limit:
        raise UsageError(
            f"The {what} has {len(text):,} characters; at most {limit:,} can be taken.",
            hint="Shorten it, or put the long text into a file of the folder and ask about it.",
        )
