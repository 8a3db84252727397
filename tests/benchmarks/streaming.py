"""What drawing one token costs with a long conversation above it.

``python -m tests.benchmarks.streaming`` streams an answer into the real main screen at 120×36 with 200 turns above,
at 100 and at 200 tokens a second, and prints the CPU that each token took over the idle app, the longest time that
the screen did not answer, and the same for a bare Textual app whose RichLog is given the tokens.
"""

import asyncio
import os
import statistics
import time

os.environ["TEXTUAL_ANIMATIONS"] = "none"

from textual.app import App, ComposeResult
from textual.widgets import RichLog

from lens_tui.history import Conversation, Turn
from lens_tui.requests import Talk
from lens_tui.tui.turns import LiveTurn
from lens_tui.types import Answered, AnswerText
from tests.tui.fakes import ANSWER, CITATIONS, RETRIEVED, ScriptedEngine
from tests.tui.stage import make_app

TURNS = 200
TOKENS = 600
MUST_MS = 2.0


def tokens() -> list[str]:
    """An answer of several paragraphs in small pieces, marks cut in two."""
    words = (ANSWER + "\n\n- " + ANSWER + "\n\n").replace("]", "] ").split(" ")
    pieces = [part for word in words for part in ((word[:2], word[2:] + " ") if len(word) > 4 else (word + " ",))]
    return (pieces * (TOKENS // len(pieces) + 1))[:TOKENS]


async def lateness(stop: asyncio.Event) -> float:
    """The longest time that the loop let a sleeper wait beyond its time, in ms."""
    worst = 0.0
    while not stop.is_set():
        before = time.perf_counter()
        await asyncio.sleep(0.005)
        worst = max(worst, time.perf_counter() - before - 0.005)
    return worst * 1000


async def drip(rate: float, put: "object") -> tuple[float, float]:
    """Hand the tokens over at a rate. Returns CPU ms a token and the longest stall in ms."""
    stop = asyncio.Event()
    watcher = asyncio.create_task(lateness(stop))
    cpu, began = time.process_time(), time.perf_counter()
    for number, piece in enumerate(tokens()):
        put(piece)  # type: ignore[operator]
        ahead = began + (number + 1) / rate - time.perf_counter()
        await asyncio.sleep(max(ahead, 0))
    await asyncio.sleep(0.1)
    spent = time.process_time() - cpu
    stop.set()
    return spent * 1000 / TOKENS, await watcher


async def ours(rate: float) -> tuple[float, float]:
    """The real main screen, following the end of its answer."""
    past = Answered(text=ANSWER, model="m", citations=CITATIONS, seconds=8.0)
    turns = tuple(Turn(number, f"Question {number}?", 0.0, RETRIEVED, past) for number in range(TURNS))
    engine = ScriptedEngine(talk=Talk(conversation=Conversation(1, "", turns)), answer=None)
    app = make_app(engine, clock=time.monotonic)
    async with app.run_test(size=(120, 36)) as pilot:
        await pilot.pause(0.5)
        assert len(app.main.talk.turns) == TURNS
        app.main.begin(LiveTurn(1, "And now?", began=time.monotonic()))
        app.main.answer_event(1, RETRIEVED)
        await pilot.pause(0.5)
        result = await drip(rate, lambda piece: app.main.answer_event(1, AnswerText(text=piece)))
        assert app.main.talk.turns[-1].pieces == TOKENS
        return result


async def bare(rate: float) -> tuple[float, float]:
    """A RichLog that is given whole lines as they are full."""

    class Bare(App[None]):
        def compose(self) -> ComposeResult:
            yield RichLog(wrap=True)

    app = Bare()
    async with app.run_test(size=(120, 36)) as pilot:
        log = app.query_one(RichLog)
        for _ in range(TURNS):
            log.write(ANSWER)
        await pilot.pause(0.5)
        return await drip(rate, log.write)


def main() -> None:
    """Measure and print."""
    for rate in (100.0, 200.0):
        runs = [asyncio.run(ours(rate)) for _ in range(3)]
        base = asyncio.run(bare(rate))
        cost, stall = statistics.median(run[0] for run in runs), statistics.median(run[1] for run in runs)
        print(
            f"{rate:3.0f} tokens/s, {TURNS} turns above: {cost:5.2f} ms of CPU a token (must reach {MUST_MS:g}), "
            f"longest stall {stall:4.0f} ms; a bare RichLog {base[0]:5.2f} ms, {base[1]:4.0f} ms, "
            f"ratio {cost / base[0]:4.2f}"
        )


if __name__ == "__main__":
    main()
