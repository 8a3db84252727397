"""Pictures of the main screen, compared with those in snapshots/; each was looked at beside the design's."""

from collections.abc import Sequence
from typing import Any

import pytest
from textual.pilot import Pilot

from lens_tui.requests import Ask, Event, FolderNews
from lens_tui.tui.app import LensApp
from lens_tui.types import Answered, AnswerText, Failed
from tests.tui.fakes import (
    CITATIONS,
    IDLE,
    INDEXING,
    MODEL,
    NO_MODEL,
    QUOTED,
    RETRIEVED,
    ROWS,
    Clock,
    ScriptedEngine,
)
from tests.tui.stage import ask, make_app, settled, text

WIDE, NARROW = (120, 36), (80, 24)
CUT = "The lease ends on 13 March 2027 [1]. Notice must be given three months"
WITH_MODEL = (FolderNews(state=INDEXING, rows=ROWS, all=True, model=MODEL),)
WITHOUT = (FolderNews(state=IDLE, rows=ROWS, all=True, model=NO_MODEL),)
EARLY = (FolderNews(state=INDEXING, rows=ROWS, all=True, model=NO_MODEL),)


def app_of(pilot: Pilot[Any]) -> LensApp:
    assert isinstance(pilot.app, LensApp)
    return pilot.app


async def ready(pilot: Pilot[Any], clock: Clock, *, question: bool = True, keys: Sequence[str] = ()) -> None:
    """Bring the app to the moment of the picture: news there, question answered, running work spoken of."""
    app = app_of(pilot)
    await settled(pilot, lambda: app.choice is not None)
    if question:
        await ask(app, pilot)
        await settled(pilot, lambda: app.main.talk.turns[-1].over)
    await pilot.press(*keys)
    clock.now += 5
    await pilot.pause(0.1)
    app.main.show_work()
    await pilot.pause(0.1)


@pytest.mark.parametrize("theme", ["lens-dark", "lens-light", "lens-ansi", "lens-contrast"])
def test_the_main_screen_at_120_columns(theme: str, snap_compare: Any) -> None:
    clock = Clock()
    app = make_app(ScriptedEngine(news=WITH_MODEL), theme=theme, clock=clock)
    assert snap_compare(app, terminal_size=WIDE, run_before=lambda pilot: ready(pilot, clock, keys=["tab"]))


def test_the_sheet_at_80_columns(snap_compare: Any) -> None:
    clock = Clock()
    app = make_app(ScriptedEngine(), clock=clock)
    assert snap_compare(app, terminal_size=NARROW, run_before=lambda pilot: ready(pilot, clock, keys=["tab"]))


def test_the_main_screen_at_100_columns(snap_compare: Any) -> None:
    clock = Clock()
    app = make_app(ScriptedEngine(), clock=clock)
    assert snap_compare(
        app, terminal_size=(100, 30), run_before=lambda pilot: ready(pilot, clock, keys=["tab", "n", "n"])
    )


def test_quoting(snap_compare: Any) -> None:
    clock = Clock()
    app = make_app(ScriptedEngine(news=WITHOUT, answer=(RETRIEVED, QUOTED)), clock=clock)
    assert snap_compare(app, terminal_size=NARROW, run_before=lambda pilot: ready(pilot, clock))


def test_a_failure_in_mid_answer(snap_compare: Any) -> None:
    clock = Clock()
    events: tuple[Event, ...] = (
        RETRIEVED,
        AnswerText(text=CUT),
        Answered(text=CUT, model="qwen3:4b", citations=CITATIONS[:1], seconds=11.0),
        Failed(message="Ollama closed the connection after 11 s.", hint="Start it with: ollama serve"),
    )
    app = make_app(ScriptedEngine(answer=events), clock=clock)
    assert snap_compare(app, terminal_size=NARROW, run_before=lambda pilot: ready(pilot, clock))


def test_the_first_run_without_a_model(snap_compare: Any) -> None:
    clock = Clock()
    app = make_app(ScriptedEngine(news=EARLY), clock=clock)
    assert snap_compare(app, terminal_size=NARROW, run_before=lambda pilot: ready(pilot, clock, question=False))


def test_an_answer_while_it_comes(snap_compare: Any) -> None:
    clock = Clock()
    engine = ScriptedEngine(news=WITH_MODEL, answer=None)
    app = make_app(engine, clock=clock)

    async def coming(pilot: Pilot[Any]) -> None:
        await settled(pilot, lambda: app.choice is not None)
        await ask(app, pilot)
        call = engine.one(Ask)
        call.put(RETRIEVED, AnswerText(text=CUT[:40]))
        await settled(pilot, lambda: "31 March 2027" in text(app))
        clock.now += 4
        call.put(*(AnswerText(text=piece) for piece in (CUT[40:], " before the end ", "[1][3]", ", in wri [", "1")))
        await settled(pilot, lambda: app.main.talk.turns[-1].pieces == 6)
        await pilot.pause(0.1)
        app.main.show_work()
        await pilot.pause(0.1)

    assert snap_compare(app, terminal_size=WIDE, run_before=coming)
