"""The whole app on a scripted engine, as the tests of the main screen open it."""

from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from textual.css.query import NoMatches
from textual.pilot import Pilot

from lens_tui.settings import Settings
from lens_tui.tui.app import LensApp
from lens_tui.tui.signs import UNICODE, Signs
from tests.tui.fakes import QUESTION, Clock, ScriptedEngine


def make_app(
    engine: ScriptedEngine,
    *,
    theme: str = "lens-dark",
    signs: Signs = UNICODE,
    clock: Callable[[], float] | None = None,
    data: Path | None = None,
    returning: bool = False,
    otherwise: Callable[[], Iterable[str]] = tuple,
    **settings: Any,
) -> LensApp:
    chosen = Settings(theme=theme, motion="none", **settings)
    return LensApp(
        engine,
        Path.home() / "notes",
        chosen,
        signs=signs,
        data=data,
        returning=returning,
        otherwise=otherwise,
        clock=clock or Clock(),
    )


@asynccontextmanager
async def opened(
    engine: ScriptedEngine | None = None, size: tuple[int, int] = (120, 36), **options: Any
) -> AsyncIterator[tuple[LensApp, Pilot[int]]]:
    """The app running, the first news drawn."""
    app = make_app(engine or ScriptedEngine(), **options)
    async with app.run_test(size=size) as pilot:
        await settled(pilot, lambda: app.choice is not None)
        yield app, pilot


async def settled(pilot: Pilot[Any], ready: Callable[[], bool], seconds: float = 20.0) -> None:
    """Wait until something is so; other threads deliver it, and what is asked for may not be on the page yet."""
    waited = 0.0
    while not _is_so(ready):
        assert waited < seconds, "it never came"
        await pilot.pause(0.01)
        waited += 0.01
    await pilot.pause()


def _is_so(ready: Callable[[], bool]) -> bool:
    try:
        return ready()
    except NoMatches:
        return False


async def ask(app: LensApp, pilot: Pilot[Any], question: str = QUESTION) -> None:
    """Write a question and send it."""
    app.main.question.write(question)
    await pilot.press("enter")
    await pilot.pause()


async def answered(app: LensApp, pilot: Pilot[Any], question: str = QUESTION) -> None:
    """Ask, and wait until the answer is whole and drawn."""
    await ask(app, pilot, question)
    await settled(pilot, lambda: bool(app.main.talk.turns) and app.main.talk.turns[-1].over)
    await pilot.pause(0.06)


def rows(app: LensApp) -> list[str]:
    """The screen as rows of text."""
    strips = app.screen._compositor.render_strips()
    return ["".join(segment.text for segment in strip) for strip in strips]


def text(app: LensApp) -> str:
    """The screen as one text."""
    return "\n".join(rows(app))
