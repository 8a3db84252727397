"""The list of models: what is in use and why, choosing, and fetching one after asking."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from textual.pilot import Pilot

from lens_tui.requests import Ask, ChooseModel, FolderNews, ModelList, Pulling, PullModel, Watch
from lens_tui.tui.app import LensApp
from lens_tui.tui.screens.choice import Choice
from lens_tui.tui.screens.models import ModelsPage
from lens_tui.types import Failed, ModelChoice, ModelInfo
from tests.tui.fakes import IDLE, NO_MODEL, ROWS
from tests.tui.kept import ADDRESS, MODELS, QWEN, KeptEngine
from tests.tui.stage import ask, opened, rows, settled, text

NEW = ModelInfo("gemma3:4b", 3_300_000_000, ("completion",), 131_072)
HALF = Pulling(model="gemma3:4b", done=1_200_000_000, total=3_300_000_000, rate=10_000_000.0)


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[KeptEngine]:
    engine = KeptEngine(tmp_path / "talks.sqlite3")
    yield engine
    engine.talks.close()


async def listed(app: LensApp, pilot: Pilot[int], typed: str = "") -> ModelsPage:
    await pilot.press("tab", "m")
    await settled(pilot, lambda: isinstance(app.screen, ModelsPage) and app.screen._listed is not None)
    assert isinstance(app.screen, ModelsPage)
    await pilot.press(*typed)
    await pilot.pause()
    return app.screen


async def pulling(app: LensApp, pilot: Pilot[int], engine: KeptEngine) -> ModelsPage:
    """Type a name, say yes, and wait until it is being fetched."""
    page = await listed(app, pilot, "gemma3:4b")
    await pilot.press("enter", "d")
    engine.one(PullModel).put(HALF)
    await settled(pilot, lambda: "1.2 of 3.3 GB" in text(app))
    return page


async def test_each_model_has_its_size_context_and_use(engine: KeptEngine) -> None:
    async with opened(engine, size=(80, 24)) as (app, pilot):
        page = await listed(app, pilot)
        shown = [row.rstrip() for row in rows(app)]
        assert shown[0].endswith(ADDRESS)
        assert shown[4].split() == ["✓", "qwen3:4b", "2.5", "GB", "40,960", "in", "use,", "loaded"]
        assert shown[5].split() == ["llama3.2:3b", "2.0", "GB", "131,072"]
        assert shown[6].split() == ["gemma3:1b", "815", "MB", "32,768"]
        assert shown[7].split()[-4:] == ["makes", "the", "vectors", "here"]
        assert "answers   qwen3:4b, because it is loaded already." in text(app)
        assert "meaning   embeddinggemma:latest, with which this folder's vectors are made." in text(app)
        assert page.list.chosen == "qwen3:4b"


async def test_enter_has_a_model_answer_and_the_rule_says_so_at_once(engine: KeptEngine) -> None:
    async with opened(engine, size=(80, 24)) as (app, pilot):
        await listed(app, pilot, "llama")
        await pilot.press("enter")
        await settled(pilot, lambda: app.choice is not None and app.choice.name == "llama3.2:3b")
        assert app.screen is app.main
        assert rows(app)[21].rstrip().endswith("llama3.2:3b ─")
        assert [wish.model for wish in engine.sent(ChooseModel)] == ["llama3.2:3b"]


async def test_a_model_that_makes_vectors_is_refused(engine: KeptEngine) -> None:
    async with opened(engine, size=(80, 24)) as (app, pilot):
        await listed(app, pilot, "embed")
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, ModelsPage)
        assert "makes vectors and cannot answer" in rows(app)[23]
        assert engine.sent(ChooseModel) == []


async def test_no_model_quotes(engine: KeptEngine) -> None:
    async with opened(engine, size=(80, 24)) as (app, pilot):
        await listed(app, pilot, "no mo")
        await pilot.press("enter")
        await settled(pilot, lambda: [wish.model for wish in engine.sent(ChooseModel)] == ["none"])
        await settled(pilot, lambda: rows(app)[21].rstrip().endswith("─ quoting ─"))


async def test_a_choice_stands_over_the_settings_until_one_quits(engine: KeptEngine) -> None:
    async with opened(engine, size=(80, 24), model="qwen3:4b") as (app, pilot):
        await listed(app, pilot, "llama")
        await pilot.press("enter")
        await settled(pilot, lambda: bool(engine.sent(ChooseModel)))
        assert "Until you quit: settings name qwen3:4b." in text(app)
        await pilot.press("i")
        await ask(app, pilot)
        await settled(pilot, lambda: [asked.model for asked in engine.sent(Ask)] == [None])
        assert [watch.model for watch in engine.sent(Watch)] == ["qwen3:4b", None]
        assert app.main.engine == ""


async def test_nothing_is_downloaded_before_a_yes(engine: KeptEngine) -> None:
    async with opened(engine, size=(80, 24)) as (app, pilot):
        await listed(app, pilot, "gemma3:4b")
        assert "gemma3:4b" in rows(app)[4]
        assert "not there; asks before it downloads" in rows(app)[4]
        await pilot.press("enter")
        await settled(pilot, lambda: isinstance(app.screen, Choice))
        assert f"d download gemma3:4b to {ADDRESS}" in rows(app)[23]
        await pilot.press("escape")
        await pilot.pause()
        assert engine.sent(PullModel) == []
        assert isinstance(app.screen, ModelsPage)


async def test_a_download_goes_on_behind_other_pages_and_its_model_then_answers(engine: KeptEngine) -> None:
    async with opened(engine, size=(80, 24)) as (app, pilot):
        await pulling(app, pilot, engine)
        await pilot.press("escape")
        await settled(pilot, lambda: app.screen is app.main)
        assert "pulling gemma3:4b · 1.2 of 3.3 GB · 10 MB/s · 4 min left" in rows(app)[21]
        call = engine.one(PullModel)
        engine.models = replace(MODELS, models=(NEW, *MODELS.models))
        call.put(engine.models)
        call.end()
        await settled(pilot, lambda: app.choice is not None and app.choice.name == "gemma3:4b")
        assert "pulling" not in rows(app)[21]
        assert "gemma3:4b is there, and answers from now on." in text(app)


async def test_del_stops_a_download_and_it_can_be_begun_again(engine: KeptEngine) -> None:
    async with opened(engine, size=(80, 24)) as (app, pilot):
        await pulling(app, pilot, engine)
        await pilot.press("delete")
        await settled(pilot, lambda: engine.one(PullModel).cancelled.is_set())
        await settled(pilot, lambda: "goes on there" in text(app))
        await pilot.press(*"gemma3:4b", "enter", "d")
        await settled(pilot, lambda: len(engine.of(PullModel)) == 2)


async def test_why_a_download_failed_stays_to_be_read(engine: KeptEngine) -> None:
    async with opened(engine, size=(80, 24)) as (app, pilot):
        await pulling(app, pilot, engine)
        call = engine.one(PullModel)
        call.put(Failed(message="Ollama cannot reach its library: no such host.", hint="Pull again."))
        call.end()
        await settled(pilot, lambda: "download  Ollama cannot reach its library" in text(app))
        await pilot.press("up")
        assert "download  Ollama cannot reach its library: no such host. Pull again." in text(app)


async def test_without_a_server_the_page_says_so_and_offers_what_there_is(engine: KeptEngine) -> None:
    engine.models = ModelList(
        address=ADDRESS,
        reachable=False,
        chat=NO_MODEL,
        embedder=ModelChoice(None, "The built-in vectors.", ADDRESS),
        problem=f"Nothing answers at {ADDRESS}. Start it with: ollama serve",
    )
    async with opened(engine, size=(80, 24)) as (app, pilot):
        await listed(app, pilot)
        assert "Start it with: ollama" in text(app)
        assert rows(app)[4].startswith(" ✓ no model")
        assert "qwen3:4b" in rows(app)[5]


async def test_a_model_that_settings_name_and_that_is_missing_can_be_fetched(tmp_path: Path) -> None:
    missing = ModelChoice(None, "Ollama does not have mistral.", ADDRESS, "Fetch it with: ollama pull mistral")
    models = replace(MODELS, models=(QWEN,), chat=missing)
    engine = KeptEngine(
        tmp_path / "t.sqlite3", models=models, news=(FolderNews(state=IDLE, rows=ROWS, all=True, model=missing),)
    )
    async with opened(engine, size=(80, 24), model="mistral") as (app, pilot):
        await listed(app, pilot, "mis")
        assert "mistral" in rows(app)[4]
        await pilot.press("enter", "d")
        await settled(pilot, lambda: [wish.model for wish in engine.sent(PullModel)] == ["mistral"])
    engine.talks.close()
