"""An engine with real conversations in a file, models that a test gives it, and sources whose fates it tells."""

import itertools
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import get_args

from lens_tui.engine.board import Board
from lens_tui.engine.talking import Talking, TalkRequest
from lens_tui.errors import LensError
from lens_tui.history import Fate, Passage, PromptSent, SentExcerpt
from lens_tui.requests import ChooseModel, Event, ModelList, Models, PullModel, Request, Trace, Traced
from lens_tui.talks.store import Talks
from lens_tui.types import Answered, ModelChoice, ModelInfo
from lens_tui.wire import as_failed
from tests.tui.fakes import ANSWERED, QUESTION, RETRIEVED, ScriptedCall, ScriptedEngine

ADDRESS = "http://localhost:11434"
QWEN = ModelInfo("qwen3:4b", 2_500_000_000, ("completion", "tools"), 40_960, True, 8192)
LLAMA = ModelInfo("llama3.2:3b", 2_000_000_000, ("completion",), 131_072)
GEMMA = ModelInfo("gemma3:1b", 815_000_000, ("completion",), 32_768)
EMBEDDER = ModelInfo("embeddinggemma:latest", 622_000_000, ("embedding",), 2_048)
MODELS = ModelList(
    address=ADDRESS,
    reachable=True,
    models=(QWEN, LLAMA, GEMMA, EMBEDDER),
    chat=ModelChoice("qwen3:4b", "qwen3:4b, because it is loaded already.", ADDRESS, reachable=True, info=QWEN),
    embedder=ModelChoice(
        "embeddinggemma:latest", "embeddinggemma:latest, with which this folder's vectors are made.", ADDRESS
    ),
)
SYSTEM = "You help a person to find out what their own files say.\nRules:\n1. State only what the excerpts state."
USER = (
    "Source excerpts:\n\n[1] house/lease.md#chunk-3\nThe term is two years.\n\n---\n\n"
    "[2] house/deposit.md#chunk-0\nThe deposit is kept in an account of its own.\n\nQuestion:\n" + QUESTION
)
SENT = PromptSent(
    model="qwen3:4b",
    system=SYSTEM,
    user=USER,
    system_tokens=24,
    user_tokens=52,
    excerpts=(
        SentExcerpt(1, USER.index("[1]"), USER.index("\n\n---"), 14),
        SentExcerpt(2, USER.index("[2]"), USER.index("\n\nQuestion"), 17),
    ),
    context_tokens=4096,
)
CALM = replace(
    ANSWERED,
    citations=tuple(replace(citation, verdict="supported", why=None) for citation in ANSWERED.citations[:5]),
    uncited=(),
)
"""An answer that nothing is wrong with, until its sources change."""
HOUR = 3600.0
NOW = 1_763_733_600.0
"""14:00 UTC on a Friday."""


class KeptEngine(ScriptedEngine):
    """``fate`` tells what became of a passage; ``trace`` counts the passages that were asked after."""

    def __init__(
        self,
        file: Path,
        *,
        models: ModelList = MODELS,
        fate: Callable[[Passage], Fate] = lambda passage: Fate(),
        **options: object,
    ) -> None:
        super().__init__(**options)  # type: ignore[arg-type]
        times = itertools.count(NOW - 10 * HOUR, HOUR)
        self.talks = Talks(file, clock=lambda: next(times))
        self.talking = Talking(self.talks, Board(), lambda: next(times))
        self.models = models
        self.fate = fate

    def keep(self, *turns: tuple[str, Answered], title: str = "", hours_ago: float = 1.0) -> int:
        """Keep a conversation; its id."""
        talk = self.talks.begin()
        for question, answered in turns:
            turn = self.talks.begin_turn(question, NOW - hours_ago * HOUR, talk.id)
            self.talks.finish_turn(turn, RETRIEVED, answered, None, SENT)
        if title:
            self.talks.rename(talk.id, title)
        return talk.id

    def start(self, request: Request) -> ScriptedCall:
        if isinstance(request, PullModel):
            call = ScriptedCall(request)
            self.calls.append(call)
            return call
        return super().start(request)

    def _replies(self, request: Request) -> Sequence[Event]:
        if isinstance(request, get_args(TalkRequest)):
            try:
                return list(self.talking.handle(request))
            except LensError as error:
                return [as_failed(error)]
        if isinstance(request, Models):
            return [self.models]
        if isinstance(request, ChooseModel):
            info = next((info for info in self.models.models if info.name == request.model), None)
            why = f"{request.model}, as last time in this folder." if info else "No model, as was chosen last time."
            chat = ModelChoice(info.name if info else None, why, ADDRESS)
            self.models = replace(self.models, chat=chat)
            return [self.models]
        if isinstance(request, Trace):
            return [Traced(fates=tuple(self.fate(passage) for passage in request.passages))]
        return super()._replies(request)


def three_talks(engine: KeptEngine) -> list[int]:
    """Conversations of today, of this week and of long ago; the newest is the one on the screen."""
    roof = Answered(text="The roof is to be repaired before October [4].", model="qwen3:4b")
    return [
        engine.keep(("大家さんの返事は？", replace(roof, text="四月まで待ちます。")), hours_ago=2000),
        engine.keep(("What did the landlord promise about the roof?", roof), ("By when?", roof), hours_ago=50),
        engine.keep((QUESTION, CALM), title="Lease and notice", hours_ago=2),
    ]
