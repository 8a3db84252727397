"""What of a question's evidence fits a model's context, and how large that context is to be."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from lens_tui.answering.counting import Counting
from lens_tui.answering.prompt import SYSTEM, TextOf, excerpts_of, hits_of, user_message
from lens_tui.errors import PromptTooLong
from lens_tui.types import Excerpt, Prompt, SearchHit

STEP = 2048
"""``num_ctx`` is a multiple of it: every other value makes Ollama load the model anew (facts.md)."""

ANSWER_TOKENS = 1024
"""Room kept for the answer, where a quarter of the model's context is not less. A short answer has under 300."""

LONG_ANSWER_TOKENS = 4096
"""Room that is made for an answer which the context of the first try had cut off."""

FRAME = 24
"""Tokens that a model's template puts around two messages, at most (ChatML, Llama 3 and Gemma: 10 to 20)."""

SAFETY = 1.2
"""A model's tokenizer against the one that counts here, before the model has told: up to a fifth more, for prose."""

STRANGE = 0.8
"""What a text all of other letters than ASCII's may need on top, as the tokenizers of older models (Llama 2, Mistral
7B) have few Japanese, Korean or Thai words: such a text is two of their tokens where one is counted here."""

LEARNT_SAFETY = 1.1
"""The same where the model has told how it counts such a text: one text differs from another by less."""

BEYOND = 1.5
"""What the estimate is multiplied with where the server says that a prompt was too long after all."""


@dataclass(frozen=True, slots=True)
class Ratio:
    """A model's tokens for one that is counted here."""

    likely: float = SAFETY
    """Decides what is left out: where it is too low, the server says so and the prompt is made anew."""
    most: float = SAFETY
    """Sizes the context: where it is too low, nobody says so before the answer is cut off."""

    def beyond(self) -> "Ratio":
        """What to plan with where the server has counted more."""
        return Ratio(self.likely * BEYOND, max(self.most, self.likely) * BEYOND)


@dataclass(slots=True)
class Gauge:
    """How many of a model's tokens one counted here is, learnt from its answers. One may serve many questions."""

    ratios: dict[tuple[str, bool], float] = field(default_factory=dict)
    """Model, and whether the text was mostly ASCII → the ratio it last told."""

    def of(self, model: str, text: str) -> Ratio:
        """The ratios to plan a prompt of about this text with."""
        strange = _strange(text)
        known = self.ratios.get((model, strange < 0.5))
        if known is None:
            return Ratio(SAFETY, SAFETY + STRANGE * strange)
        return Ratio(known * LEARNT_SAFETY, known * LEARNT_SAFETY)

    def learn(self, model: str, text: str, counted: int, told: int) -> None:
        """Take what the server read for a prompt of ``counted`` tokens; not for one that was cut."""
        if told > FRAME and counted:
            self.ratios[model, _strange(text) < 0.5] = min(max((told - FRAME) / counted, 0.5), 8.0)


def _strange(text: str) -> float:
    """The share of characters that are not ASCII."""
    return 1 - sum(map(str.isascii, text)) / len(text) if text and not text.isascii() else 0.0


@dataclass(frozen=True, slots=True)
class Room:
    """What a model can hold."""

    model: str
    limit: int
    """The longest context it can have, in tokens."""
    loaded: int | None
    """The context it is loaded with, None where it is not loaded."""

    @property
    def answer(self) -> int:
        """Tokens kept for the answer."""
        return min(ANSWER_TOKENS, self.limit // 4)


@dataclass(frozen=True, slots=True)
class Fit:
    """A prompt that fits, and the context it needs."""

    prompt: Prompt
    num_ctx: int
    notes: tuple[str, ...] = ()
    """Sentences on what was left out."""

    def wider(self, room: Room, read: int) -> "Fit":
        """The same prompt, of which the model read ``read`` tokens, with room for a long answer."""
        return replace(self, num_ctx=max(self.num_ctx, _stepped(read + LONG_ANSWER_TOKENS, room)))


def fit(
    question: str,
    excerpts: Sequence[Excerpt],
    room: Room,
    counting: Counting,
    ratio: Ratio,
    *,
    hits: Sequence[SearchHit] = (),
    text_of: TextOf | None = None,
) -> Fit:
    """Make the longest prompt that the model can hold beside its answer: the lowest excerpts are left out, whole.

    Where not even the first excerpt fits and it is several chunks joined, its lowest chunks are left out instead.

    Args:
        question: As it was asked.
        excerpts: All there are, best first.
        room: What the model can hold.
        counting: Counts, for this question.
        ratio: As the model's ``Gauge`` has it.
        hits: What the excerpts were made of.
        text_of: As for ``excerpts_of``.

    Raises:
        PromptTooLong: The question, or it and the best chunk, is more than the model can read.
    """
    most = room.limit - room.answer
    kept = list(excerpts)
    while True:
        prompt = _prompt(question, kept, counting, ratio.likely)
        if prompt.tokens <= most:
            break
        if len(kept) <= 1:
            smaller = _smaller(kept[0], hits, text_of) if kept else None
            if smaller is None:
                raise _too_long(question, bool(kept), prompt.tokens, room)
            kept = [smaller]
        else:
            kept.pop()
    num_ctx = _stepped(int(prompt.tokens * ratio.most / ratio.likely) + room.answer, room)
    left_out = len(excerpts) - len(kept)
    notes = []
    if left_out:
        notes.append(f"{len(kept)} of {len(excerpts)} excerpts fit {room.model}'s context of {room.limit:,} tokens.")
    chunks = len(excerpts[0].hits) - len(kept[0].hits) if kept else 0
    if chunks:
        notes.append(f"Of excerpt 1 the {chunks} lowest-ranked chunks did not fit either.")
    return Fit(replace(prompt, left_out=left_out), num_ctx, tuple(notes))


def _stepped(needed: int, room: Room) -> int:
    """The context that holds so many tokens: in steps, what the model can have, and no less than what is loaded."""
    return min(room.limit, max(-(-needed // STEP) * STEP, room.loaded or 0))


def _prompt(question: str, excerpts: Sequence[Excerpt], counting: Counting, ratio: float) -> Prompt:
    counted = counting.count(SYSTEM) + counting.user(question, excerpts)
    user = user_message(question, excerpts)
    return Prompt(system=SYSTEM, user=user, excerpts=tuple(excerpts), tokens=int(counted * ratio) + FRAME)


def _smaller(excerpt: Excerpt, hits: Sequence[SearchHit], text_of: TextOf | None) -> Excerpt | None:
    """The excerpt without its lowest hit: the piece that still holds the best one. None where it has but one."""
    ranked = hits_of(excerpt, hits)
    if len(ranked) < 2:
        return None
    return excerpts_of(ranked[:-1], text_of)[0]


def _too_long(question: str, with_excerpt: bool, tokens: int, room: Room) -> PromptTooLong:
    what = "The question and the best excerpt need" if with_excerpt else "The question needs"
    step = "Ask a shorter question" if len(question) > 2000 else "Index with smaller chunks"
    return PromptTooLong(
        f"{what} about {tokens:,} tokens; {room.model} can read {room.limit - room.answer:,} beside its answer.",
        hint=f"{step}, or choose a model with a longer context.",
    )
