"""Pictures of the search page, in ``snapshots/``: each was looked at beside the design's."""

from collections.abc import Sequence
from typing import Any

import pytest
from textual.pilot import Pilot

from lens_tui.requests import IndexState
from lens_tui.tui.app import LensApp
from lens_tui.tui.screens.search import SearchPage
from lens_tui.tui.signs import ASCII
from tests.tui.fakes import INDEXING
from tests.tui.searching import QUERY, SEMANTIC, SearchingEngine, found, search
from tests.tui.stage import make_app, settled

WIDE, NARROW = (120, 36), (80, 24)
READING = IndexState(
    phase="reading", files=312, total=412, done=312, run_total=412, chunks=3100, embedder="embeddinggemma"
)


async def ready(pilot: Pilot[Any], query: str = QUERY, keys: Sequence[str] = ()) -> None:
    """Bring the app to the moment of the picture: found, and the current hit's file read."""
    app = pilot.app
    assert isinstance(app, LensApp)
    await settled(pilot, lambda: app.choice is not None)
    page = await search(app, pilot, query)
    await pilot.press(*keys)
    hit = page.sought.hit
    if hit is not None and page.size.width >= 96:
        await pilot.pause(0.2)
    assert isinstance(app.screen, SearchPage)
    await pilot.pause(0.05)


@pytest.mark.parametrize("theme", ["lens-dark", "lens-light", "lens-ansi", "lens-contrast"])
def test_search_at_120_columns(theme: str, snap_compare: Any) -> None:
    app = make_app(SearchingEngine(state=READING), theme=theme)
    assert snap_compare(app, terminal_size=WIDE, run_before=ready)


@pytest.mark.parametrize("theme", ["lens-dark", "lens-light"])
def test_search_at_80_columns(theme: str, snap_compare: Any) -> None:
    app = make_app(SearchingEngine(state=SEMANTIC), theme=theme)
    assert snap_compare(app, terminal_size=NARROW, run_before=ready)


def test_search_in_ascii(snap_compare: Any) -> None:
    app = make_app(SearchingEngine(state=READING), signs=ASCII)
    assert snap_compare(app, terminal_size=(100, 30), run_before=ready)


def test_why_a_hit_ranks_so(snap_compare: Any) -> None:
    app = make_app(SearchingEngine(state=SEMANTIC))
    assert snap_compare(app, terminal_size=WIDE, run_before=lambda pilot: ready(pilot, keys=["tab", "x"]))


def test_nothing_found(snap_compare: Any) -> None:
    nothing = found("type:md", (), retriever="lexical", notes=("No file matches type:md.",))
    app = make_app(SearchingEngine(state=INDEXING, by_query={"type:md": nothing}))
    assert snap_compare(app, terminal_size=NARROW, run_before=lambda pilot: ready(pilot, "type:md"))
