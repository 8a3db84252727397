"""One question answered: what was found first, then the model's words as they come, at the end their citations."""

import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field

from lens_tui.answering.budget import Fit, Gauge, Ratio, Room, fit
from lens_tui.answering.citations import cite
from lens_tui.answering.counting import Counting
from lens_tui.answering.prompt import TextOf, excerpts_of
from lens_tui.answering.quoting import NO_SENTENCE, NOTHING, UNCLEAR, quote
from lens_tui.answering.sending import prompt_sent
from lens_tui.errors import ModelError, ModelMissing, ModelUnreachable, PromptTooLong
from lens_tui.history import PromptSent
from lens_tui.protocols import Cancel, ChatModel, Tokenizer
from lens_tui.text.marks import Held
from lens_tui.types import (
    Answered,
    AnswerStep,
    AnswerText,
    AskRetrieved,
    ChatPiece,
    Excerpt,
    Failed,
    Retrieved,
)

AnswerEvent = AskRetrieved | PromptSent | AnswerStep | AnswerText | Answered | Failed

REFITS = 5
"""Times that a prompt is made anew where the server counts more tokens than were estimated."""

CUT_SHARE = 0.4
"""Of the tokens counted here, the tokens read below which a prompt was cut: no two tokenizers differ that much."""

NO_MODEL = "No model answered: these sentences are quoted from your files, word for word."
NO_MODEL_NOTHING = "No model answered."
HOW_TO_START = "For a model: ollama serve, then: ollama pull qwen3:4b"


def answer(
    question: str,
    retrieved: Retrieved,
    *,
    model: ChatModel | None,
    tokenizer: Tokenizer,
    cancel: Cancel,
    notes: Sequence[str] = (),
    clock: Callable[[], float] = time.monotonic,
    text_of: TextOf | None = None,
    gauge: Gauge | None = None,
    quote_instead: bool = False,
) -> Iterator[AnswerEvent]:
    """Yield AskRetrieved, PromptSent, steps and text in turn, then Answered; on a failure Failed, after what came.

    The texts joined are exactly ``Answered.text``; no half of a mark such as ``[1`` ends a piece. A cancelled answer
    is ``stopped`` and holds what arrived.

    Args:
        question: As asked.
        retrieved: What the search found.
        model: None quotes.
        tokenizer: Counts the prompt.
        cancel: The person's wish to stop.
        notes: Sentences that go into ``Answered.notes``, such as why there is no model and how to get one.
        clock: Seconds.
        text_of: A file's text, to join chunks with white space between them.
        gauge: What was learnt of models' tokenizers; kept by the caller, it saves a model a second reading.
        quote_instead: Quote, and say so, where the model is gone before its first word.
    """
    began = clock()
    excerpts = excerpts_of(retrieved.hits, text_of)
    yield AskRetrieved(hits=retrieved.hits, excerpts=excerpts, notes=retrieved.notes)
    if model is None:
        yield from _quoted(question, excerpts, notes, lambda: clock() - began, text_of)
        return
    counting = Counting(tokenizer)
    asking = _Asking(question, retrieved, excerpts, model, counting, cancel, text_of, gauge or Gauge(), clock, began)
    asking.notes.extend(notes)
    try:
        yield from asking.run()
    except ModelError as error:
        if quote_instead and not asking.heard and isinstance(error, ModelUnreachable | ModelMissing):
            told = (*notes, f"{error.message} {error.hint}".strip())
            yield from _quoted(question, excerpts, told, lambda: clock() - began, text_of)
            return
        yield from asking.rest()
        yield Failed(message=error.message, hint=error.hint, kind=type(error).__name__)


def _quoted(
    question: str,
    excerpts: Sequence[Excerpt],
    notes: Sequence[str],
    seconds: Callable[[], float],
    text_of: TextOf | None,
) -> Iterator[AnswerEvent]:
    made = quote(question, excerpts, text_of)
    text = made.text or (NO_SENTENCE if excerpts else NOTHING)
    unclear = () if made.clear else (UNCLEAR,)
    yield AnswerText(text=text)
    yield Answered(
        text=text,
        model=None,
        citations=made.citations,
        notes=(NO_MODEL if made.text else NO_MODEL_NOTHING, *unclear, *(notes or (HOW_TO_START,))),
        seconds=seconds(),
    )


class Echo:
    """What a stream has told already, for when it is asked for again: a model repeats itself at temperature 0."""

    def __init__(self, told: str) -> None:
        """Begin before the first piece of the second time."""
        self._told = told
        self._at = 0

    def beyond(self, piece: str) -> str | None:
        """What of the next piece is new; None where it is other than the first time."""
        left = len(self._told) - self._at
        if not self._told.startswith(piece[:left], self._at):
            return None
        self._at += min(left, len(piece))
        return piece[left:]


@dataclass(slots=True)
class _Asking:
    """One answer under way."""

    question: str
    retrieved: Retrieved
    excerpts: tuple[Excerpt, ...]
    model: ChatModel
    counting: Counting
    cancel: Cancel
    text_of: TextOf | None
    gauge: Gauge
    clock: Callable[[], float]
    began: float
    notes: list[str] = field(default_factory=list)
    held: Held = field(default_factory=Held)
    heard: list[str] = field(default_factory=list)
    """The model's text as it came, in pieces."""
    said: list[str] = field(default_factory=list)
    """The texts that were yielded."""
    space: str = ""
    """White space that is yielded only if something follows it."""
    thoughts: list[str] = field(default_factory=list)
    thought_from: float | None = None
    thought_until: float | None = None
    last: ChatPiece | None = None
    """The stream's last piece, with the counts."""

    def run(self) -> Iterator[AnswerEvent]:
        """Everything after AskRetrieved. Raises ModelError."""
        room = Room(self.model.name, self.model.context(), self.model.loaded_context())
        texts = "".join(excerpt.text for excerpt in self.excerpts)
        ratio = self.gauge.of(self.model.name, self.question + texts)
        for again in range(REFITS + 1):
            made = self._fit(room, ratio)
            try:
                yield from self._stream(made)
                break
            except PromptTooLong:
                if again == REFITS or self.heard or self.thoughts:
                    raise
                ratio = ratio.beyond()
                yield AnswerStep(step="making the prompt shorter")
        made = yield from self._longer(made, room)
        yield from self.rest()
        self.notes.extend(made.notes)
        yield self._answered(made)

    def _longer(self, made: Fit, room: Room) -> Generator[AnswerEvent, None, Fit]:
        """Where the context cut the answer off, ask once more with a larger one, and go on behind what was said.

        What goes wrong with that leaves the first answer as it was, with its note. Returns the fit that counts.
        """
        first = self.last
        if first is None or first.done_reason != "length" or first.prompt_tokens is None:
            return made
        wider = made.wider(room, first.prompt_tokens)
        if wider.num_ctx <= made.num_ctx:
            return made
        yield AnswerStep(step=f"going on with a context of {wider.num_ctx:,} tokens")
        self.last = None
        try:
            yield from self._stream(wider)
        except ModelError as error:
            self.notes.append(f"A larger context could not be had: {error.message}")
        if self.last is None and not self.cancel.cancelled:
            self.last = first
            return made
        return wider

    def rest(self) -> Iterator[AnswerEvent]:
        """What was held back: the stream is over, so it is no half of a mark."""
        yield from self._say(self.held.end(), last=True)

    def _fit(self, room: Room, ratio: Ratio) -> Fit:
        return fit(
            self.question,
            self.excerpts,
            room,
            self.counting,
            ratio,
            hits=self.retrieved.hits,
            text_of=self.text_of,
        )

    def _stream(self, made: Fit) -> Iterator[AnswerEvent]:
        """Pass a stream on; of one that is asked for again what is new, nothing where it takes another course."""
        heard, thought = Echo("".join(self.heard)), Echo("".join(self.thoughts))
        told = False
        for piece in self.model.stream(made.prompt, num_ctx=made.num_ctx, cancel=self.cancel):
            if not told:
                # Only now: to a server that is not there nothing was sent.
                told = True
                yield prompt_sent(made, self.model.name, self.question, self.counting)
            if piece.step:
                yield AnswerStep(step=piece.step)
            thinking = thought.beyond(piece.thinking)
            if thinking:
                yield self._thinks(thinking)
            text = heard.beyond(piece.text)
            if text is None:
                return
            if text:
                self.heard.append(text)
                yield from self._say(self.held.feed(text))
            if piece.done_reason:
                self.last = piece

    def _thinks(self, thinking: str) -> AnswerStep:
        if self.thought_from is None:
            self.thought_from = self.clock()
        self.thought_until = self.clock()
        self.thoughts.append(thinking)
        return AnswerStep(step="thinking", thinking=thinking)

    def _say(self, text: str, last: bool = False) -> Iterator[AnswerEvent]:
        """Yield text, without white space at the beginning and the end of the whole."""
        if not self.said:
            text = text.lstrip()
        text = self.space + text
        body = text.rstrip()
        self.space = "" if last else text[len(body) :]
        if not body:
            return
        if not self.said:
            yield AnswerStep(step="answering")
        self.said.append(body)
        yield AnswerText(text=body)

    def _answered(self, made: Fit) -> Answered:
        stopped = self.last is None and self.cancel.cancelled
        told = self.last or ChatPiece()
        if not stopped:
            self._judge(made, told)
        text = "".join(self.said)
        citations, uncited = cite(text, made.prompt.excerpts)
        spent = 0.0
        if self.thought_from is not None and self.thought_until is not None:
            spent = self.thought_until - self.thought_from
        return Answered(
            text=text,
            model=self.model.name,
            citations=citations,
            uncited=uncited,
            prompt_tokens=told.prompt_tokens,
            context_tokens=made.num_ctx,
            answer_tokens=told.answer_tokens,
            left_out=made.prompt.left_out,
            notes=tuple(dict.fromkeys(self.notes)),
            seconds=self.clock() - self.began,
            stopped=stopped,
            thinking="".join(self.thoughts),
            thinking_seconds=spent,
        )

    def _judge(self, made: Fit, told: ChatPiece) -> None:
        """Note what an answer does not show by itself: that it is empty, was cut, or rests on a prompt that was."""
        name = self.model.name
        if not self.said:
            why = "it only thought" if self.thoughts else "it ended at once"
            self.notes.append(f"{name} gave no answer: {why}. Ask again, or choose another model.")
        if told.done_reason == "length":
            count = f"after {told.answer_tokens:,} tokens" if told.answer_tokens else "in the middle"
            self.notes.append(f"The answer was cut off {count}: the context of {made.num_ctx:,} tokens is full.")
        read = told.prompt_tokens
        if read is None:
            return
        counted = self.counting.count(made.prompt.system) + self.counting.user(self.question, made.prompt.excerpts)
        if read >= made.num_ctx or read < CUT_SHARE * counted:
            self.notes.append(
                f"{name} read {read:,} tokens of a prompt of about {counted:,}: "
                "Ollama may have cut it, and the answer rests on what was left."
            )
            return
        self.gauge.learn(name, made.prompt.user, counted, read)
