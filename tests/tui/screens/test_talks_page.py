"""The list of conversations: read on, searched, renamed, deleted and brought back, written to a file."""

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.pilot import Pilot

from lens_tui.requests import Ask, ListTalks
from lens_tui.tui.app import LensApp
from lens_tui.tui.screens.choice import Choice
from lens_tui.tui.screens.talks import TalksPage
from tests.tui.kept import NOW, KeptEngine, three_talks
from tests.tui.stage import ask, opened, rows, settled, text


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[KeptEngine]:
    engine = KeptEngine(tmp_path / "talks.sqlite3")
    three_talks(engine)
    yield engine
    engine.talks.close()


async def listed(app: LensApp, pilot: Pilot[int], keys: str = "o") -> TalksPage:
    """Open the list from the answer, and wait until it is there."""
    await settled(pilot, lambda: bool(app.main.talk.turns))
    await pilot.press("tab", *keys)
    await settled(pilot, lambda: isinstance(app.screen, TalksPage) and bool(app.screen._found.talks))
    assert isinstance(app.screen, TalksPage)
    app.screen._clock, app.screen._local = lambda: NOW, time.gmtime
    app.screen._show(stay=True)
    await pilot.pause()
    return app.screen


def titles(app: LensApp) -> list[str]:
    assert isinstance(app.screen, TalksPage)
    return [row.title for row in app.screen._found.talks]


async def test_conversations_stand_newest_first_with_when_and_how_many_questions(engine: KeptEngine) -> None:
    async with opened(engine, size=(80, 24)) as (app, pilot):
        await listed(app, pilot)
        shown = rows(app)
        assert shown[0].startswith(" Conversations  3")
        assert shown[3].startswith(" ✓ Lease and notice ")
        assert shown[3].rstrip().endswith("1 question       12:00")
        assert shown[4].rstrip().endswith("2 questions   Wed 12:00")
        assert shown[5].rstrip().endswith("1 question  2025-08-30")
        assert shown[6].startswith("   new conversation")


async def test_enter_reads_on_and_a_question_goes_on_in_it(engine: KeptEngine) -> None:
    async with opened(engine) as (app, pilot):
        page = await listed(app, pilot)
        roof = page._found.talks[1].id
        await pilot.press("down", "enter")
        await settled(pilot, lambda: app.main.talk.id == roof)
        assert app.screen is app.main
        assert "By when?" in text(app)
        assert "What did the landlord promise" in rows(app)[0]
        await pilot.press("i")
        await ask(app, pilot, "And who pays?")
        await settled(pilot, lambda: [asked.talk for asked in engine.sent(Ask)] == [roof])


async def test_a_search_goes_over_everything_that_was_said_and_leads_to_the_turn(engine: KeptEngine) -> None:
    async with opened(engine, size=(120, 14)) as (app, pilot):
        await listed(app, pilot)
        await pilot.press(*"october")
        await settled(pilot, lambda: titles(app) == ["What did the landlord promise about the roof"])
        assert "before October [4]" in text(app)
        assert engine.sent(ListTalks)[-1].query == "october"
        await pilot.press("enter")
        await settled(pilot, lambda: len(app.main.talk.turns) == 2)
        await settled(pilot, lambda: "› By when?" in text(app))


async def test_nothing_like_it_was_said(engine: KeptEngine) -> None:
    async with opened(engine, size=(80, 24)) as (app, pilot):
        await listed(app, pilot)
        await pilot.press(*"needle")
        await settled(pilot, lambda: titles(app) == [])
        assert "nothing like that was said" in text(app)
        await pilot.press("enter")
        assert isinstance(app.screen, TalksPage)


async def test_the_one_on_the_screen_is_renamed_there_too(engine: KeptEngine) -> None:
    async with opened(engine) as (app, pilot):
        await listed(app, pilot)
        await pilot.press("tab", "r", *" of the flat", "enter")
        await settled(pilot, lambda: titles(app)[0] == "Lease and notice of the flat")
        await settled(pilot, lambda: app.main.talk.title == "Lease and notice of the flat")
        await pilot.pause(0.3)
        await pilot.press("escape")
        # Looked at only once the screen below stands again: its rows are drawn when it comes back.
        await settled(pilot, lambda: app.screen is app.main)
        await pilot.pause(0.3)
        assert "Lease and notice of the flat" in rows(app)[0]


async def test_what_is_deleted_can_be_brought_back_until_one_leaves(engine: KeptEngine) -> None:
    async with opened(engine, size=(80, 24)) as (app, pilot):
        await listed(app, pilot)
        await pilot.press("tab", "down", "delete")
        await settled(pilot, lambda: len(titles(app)) == 2)
        assert "deleted What did the landlord promise about the roof; z in the list" in text(app)
        page = app.screen
        assert isinstance(page, TalksPage)
        assert page.list.chosen == str(page._found.talks[1].id)
        await pilot.press("z")
        await settled(pilot, lambda: len(titles(app)) == 3)
        assert "deleted" not in text(app)
        assert page.list.chosen == str(page._found.talks[1].id)


async def test_only_what_can_be_done_where_the_cursor_stands_is_hinted(engine: KeptEngine) -> None:
    async with opened(engine, size=(80, 24)) as (app, pilot):
        await listed(app, pilot)
        await pilot.press("tab")
        assert "Del delete" in rows(app)[-1]
        await pilot.press("end")
        await settled(pilot, lambda: rows(app)[-1].strip() == "n new   Esc back")
        await pilot.press("home")
        for left in (2, 1, 0):
            await pilot.press("delete")
            await settled(pilot, lambda left=left: len(titles(app)) == left)  # type: ignore[misc]
        await settled(pilot, lambda: rows(app)[-1].strip() == "z bring back   n new   Esc back")


async def test_deleting_the_one_on_the_screen_leaves_a_new_one(engine: KeptEngine) -> None:
    async with opened(engine, size=(80, 24)) as (app, pilot):
        await listed(app, pilot)
        await pilot.press("tab", "delete")
        await settled(pilot, lambda: len(titles(app)) == 2)
        await pilot.press("escape")
        await settled(pilot, lambda: not app.main.talk.turns)
        assert "New conversation" in rows(app)[0]


async def test_a_new_conversation_is_no_one_way_door(engine: KeptEngine) -> None:
    async with opened(engine, size=(80, 24)) as (app, pilot):
        await listed(app, pilot)
        await pilot.press("tab", "n")
        await settled(pilot, lambda: not app.main.talk.turns)
        await pilot.press("o")
        await settled(pilot, lambda: isinstance(app.screen, TalksPage) and len(app.screen._found.talks) == 3)
        await pilot.press("enter")
        await settled(pilot, lambda: len(app.main.talk.turns) == 1)
        assert "Lease and notice" in rows(app)[0]


async def test_a_conversation_is_written_where_the_person_says(engine: KeptEngine, tmp_path: Path) -> None:
    async with opened(engine, size=(80, 24)) as (app, pilot):
        page = await listed(app, pilot)
        await pilot.press("tab", "w", "m")
        await settled(pilot, lambda: page._asked == "file")
        assert "w ~/lease-and-notice.md" in text(app)
        page.query_one("Field").write(str(tmp_path / "out.md"))  # type: ignore[attr-defined]
        await pilot.press("enter")
        assert (tmp_path / "out.md").read_text("utf-8").startswith("# Lease and notice\n\n## When does the lease end")
        assert "written to" in text(app)


async def test_a_file_that_is_there_is_written_over_only_after_a_yes(engine: KeptEngine, tmp_path: Path) -> None:
    file = tmp_path / "out.json"
    file.write_text("mine", "utf-8")
    async with opened(engine, size=(80, 24)) as (app, pilot):
        page = await listed(app, pilot)
        for answer, kept in (("escape", True), ("o", False)):
            await pilot.press("tab" if kept else "down", *([] if kept else ["up"]), "w", "j")
            await settled(pilot, lambda: page._asked == "file")
            page.query_one("Field").write(str(file))  # type: ignore[attr-defined]
            await pilot.press("enter")
            await settled(pilot, lambda: isinstance(app.screen, Choice))
            assert "is there already" in text(app)
            await pilot.press(answer)
            await settled(pilot, lambda: app.screen is page)
            assert (file.read_text("utf-8") == "mine") is kept
    assert json.loads(file.read_text("utf-8"))["title"] == "Lease and notice"


async def test_a_place_that_cannot_be_written_is_told(engine: KeptEngine, tmp_path: Path) -> None:
    async with opened(engine, size=(200, 24)) as (app, pilot):
        page = await listed(app, pilot)
        await pilot.press("tab", "w", "m")
        await settled(pilot, lambda: page._asked == "file")
        page.query_one("Field").write(str(tmp_path / "no" / "out.md"))  # type: ignore[attr-defined]
        await pilot.press("enter")
        await settled(pilot, lambda: "cannot be written" in text(app))


async def test_the_commands_act_on_the_conversation_on_the_screen(engine: KeptEngine) -> None:
    async with opened(engine, size=(80, 24)) as (app, pilot):
        await settled(pilot, lambda: bool(app.main.talk.turns))
        await pilot.press("ctrl+p", *"rename this", "enter")
        await settled(pilot, lambda: isinstance(app.screen, TalksPage) and app.screen._asked == "title")
        assert "r Lease and notice" in text(app)


async def test_a_conversation_cannot_be_left_while_its_answer_comes(tmp_path: Path) -> None:
    engine = KeptEngine(tmp_path / "talks.sqlite3", answer=None)
    three_talks(engine)
    async with opened(engine, size=(80, 24)) as (app, pilot):
        await settled(pilot, lambda: bool(app.main.talk.turns))
        await ask(app, pilot, "And who pays?")
        await listed(app, pilot)
        await pilot.press("down", "enter")
        await pilot.pause()
        assert isinstance(app.screen, TalksPage)
        assert "An answer is coming" in text(app)
        engine.one(Ask).end()
    engine.talks.close()
