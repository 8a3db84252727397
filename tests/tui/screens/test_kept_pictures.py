"""Pictures of conversations, models, what was sent and sources that changed, in ``snapshots/``."""

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from lens_tui.history import Fate, Passage
from lens_tui.requests import Pulling, PullModel
from lens_tui.tui.app import LensApp
from lens_tui.tui.screens.models import ModelsPage
from lens_tui.tui.screens.sent import SentPage
from lens_tui.tui.screens.talks import TalksPage
from lens_tui.tui.signs import ASCII
from tests.tui.kept import NOW, KeptEngine, three_talks
from tests.tui.stage import make_app, settled, text

SIZES = {80: (80, 24), 120: (120, 36)}
Engine = Callable[..., KeptEngine]


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Engine]:
    engines: list[KeptEngine] = []

    def made(**options: Any) -> KeptEngine:
        engines.append(KeptEngine(tmp_path / f"{len(engines)}.sqlite3", **options))
        three_talks(engines[-1])
        return engines[-1]

    yield made
    for engine in engines:
        engine.talks.close()


async def page(pilot: Pilot[Any], key: str, kind: type, keys: Sequence[str] = ()) -> Any:
    """Open a page from the answer, and press keys there."""
    app = pilot.app
    assert isinstance(app, LensApp)
    await settled(pilot, lambda: app.choice is not None and bool(app.main.talk.turns))
    await pilot.press("tab", key)
    await settled(pilot, lambda: isinstance(app.screen, kind))
    await pilot.pause(0.1)
    if isinstance(app.screen, TalksPage):
        app.screen._clock, app.screen._local = lambda: NOW, time.gmtime
        app.screen._show(stay=True)
    await pilot.press(*keys)
    await pilot.pause(0.2)
    return app.screen


@pytest.mark.parametrize("columns", [80, 120])
@pytest.mark.parametrize("theme", ["lens-dark", "lens-light"])
def test_conversations(kept: Engine, snap_compare: Any, theme: str, columns: int) -> None:
    app = make_app(kept(), theme=theme)
    assert snap_compare(app, terminal_size=SIZES[columns], run_before=lambda pilot: page(pilot, "o", TalksPage))


def test_conversations_searched(kept: Engine, snap_compare: Any) -> None:
    async def before(pilot: Pilot[Any]) -> None:
        shown = await page(pilot, "o", TalksPage, keys=tuple("the"))
        await settled(pilot, lambda: shown._found.query == "the")

    assert snap_compare(make_app(kept()), terminal_size=SIZES[80], run_before=before)


def test_a_conversation_deleted(kept: Engine, snap_compare: Any) -> None:
    async def before(pilot: Pilot[Any]) -> None:
        shown = await page(pilot, "o", TalksPage, keys=("tab", "down", "delete"))
        await settled(pilot, lambda: len(shown._found.talks) == 2)
        await pilot.pause(0.1)

    assert snap_compare(make_app(kept()), terminal_size=SIZES[80], run_before=before)


@pytest.mark.parametrize("columns", [80, 120])
@pytest.mark.parametrize("theme", ["lens-dark", "lens-light", "lens-ansi"])
def test_models(kept: Engine, snap_compare: Any, theme: str, columns: int) -> None:
    app = make_app(kept(), theme=theme)
    assert snap_compare(app, terminal_size=SIZES[columns], run_before=lambda pilot: page(pilot, "m", ModelsPage))


def test_a_model_that_is_downloaded(kept: Engine, snap_compare: Any) -> None:
    engine = kept()
    step = Pulling(model="gemma3:4b", done=1_200_000_000, total=3_300_000_000, rate=8_750_000.0)

    async def before(pilot: Pilot[Any]) -> None:
        await page(pilot, "m", ModelsPage, keys=(*"gemma3:4b", "enter", "d"))
        engine.one(PullModel).put(step)
        await settled(pilot, lambda: "1.2 of 3.3 GB" in text(pilot.app))  # type: ignore[arg-type]

    assert snap_compare(make_app(engine), terminal_size=SIZES[80], run_before=before)


@pytest.mark.parametrize("columns", [80, 120])
def test_what_was_sent(kept: Engine, snap_compare: Any, columns: int) -> None:
    app = make_app(kept())
    assert snap_compare(app, terminal_size=SIZES[columns], run_before=lambda pilot: page(pilot, "x", SentPage))


def fate(passage: Passage) -> Fate:
    """The lease was changed above the sentence, the letter renamed, the deposit is gone."""
    match passage.path:
        case "house/lease.md":
            return Fate("changed", passage.path, passage.start + 90, passage.end + 90, line=15)
        case "house/letters/2024.md":
            return Fate("moved", "archive/letters.md", 0, 72, line=3, file_gone=True)
        case "house/deposit.md":
            return Fate("gone", passage.path, file_gone=True)
        case _:
            return Fate()


@pytest.mark.parametrize("columns", [80, 120])
@pytest.mark.parametrize("theme", ["lens-dark", "lens-light", "lens-ansi"])
def test_sources_that_changed(kept: Engine, snap_compare: Any, theme: str, columns: int) -> None:
    async def before(pilot: Pilot[Any]) -> None:
        app = pilot.app
        assert isinstance(app, LensApp)
        await settled(pilot, lambda: bool(app.main.talk.turns) and bool(app.main.talk.turns[-1].fates))
        await pilot.press("tab")
        await pilot.pause(0.2)

    app = (
        make_app(kept(fate=fate), theme=theme, signs=ASCII)
        if theme == "lens-ansi"
        else make_app(kept(fate=fate), theme=theme)
    )
    assert snap_compare(app, terminal_size=SIZES[columns], run_before=before)
