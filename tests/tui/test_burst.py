"""Keys sent at once, as a fast typist, a macro or a slow link sends them."""

from collections.abc import Iterable

from textual import events
from textual.keys import _character_to_key
from textual.pilot import Pilot

from lens_tui.requests import OpenFile
from lens_tui.tui.app import LensApp
from lens_tui.tui.screens.files import FilesPage
from lens_tui.tui.screens.search import SearchPage
from lens_tui.tui.widgets.field import Field
from tests.tui.fakes import ScriptedEngine
from tests.tui.stage import answered, opened, settled


def burst(app: LensApp, keys: Iterable[str]) -> None:
    """Send keys as the driver does with what it reads in one piece: no pause between two."""
    for key in keys:
        character = key if len(key) == 1 else None
        name = _character_to_key(key) if character else key
        event = events.Key(name, character)
        event.set_sender(app)
        app.post_message(event)


async def _lands(app: LensApp, pilot: Pilot[int], text: str) -> None:
    await settled(pilot, lambda: app.main.question.text == text and app.main.part == "question")


async def test_letters_after_i_are_all_in_the_question() -> None:
    async with opened() as (app, pilot):
        app.main.chat.focus()
        await settled(pilot, lambda: app.main.part == "answer")
        burst(app, "iwhen does it end")
        await _lands(app, pilot, "when does it end")


async def test_a_citation_opens_when_its_keys_come_at_once() -> None:
    engine = ScriptedEngine()
    async with opened(engine) as (app, pilot):
        await answered(app, pilot)
        burst(app, ["f8", "tab", "enter"])
        await settled(pilot, lambda: bool(engine.sent(OpenFile)))


async def test_keys_behind_one_that_opens_a_page_go_to_the_page() -> None:
    async with opened() as (app, pilot):
        burst(app, ["tab", "question_mark", "escape", "i", "a", "b"])
        await _lands(app, pilot, "ab")


async def test_there_and_back_through_every_part_loses_nothing() -> None:
    async with opened() as (app, pilot):
        burst(app, [*"one ", "tab", "shift+tab", *"two ", "tab", "tab", "i", *"three"])
        await _lands(app, pilot, "one two three")


async def test_a_paste_behind_a_key_stays_behind_it() -> None:
    async with opened() as (app, pilot):
        app.main.chat.focus()
        await settled(pilot, lambda: app.main.part == "answer")
        burst(app, ["i", "a"])
        app.post_message(events.Paste("b c"))
        burst(app, ["d"])
        await _lands(app, pilot, "ab cd")


async def test_slash_filters_in_the_files_and_searches_elsewhere() -> None:
    async with opened() as (app, pilot):
        app.main.tree_view.focus()
        await settled(pilot, lambda: app.main.part == "files")
        burst(app, "/lea")
        await settled(pilot, lambda: isinstance(app.screen, FilesPage) and app.screen.query_one(Field).text == "lea")
        burst(app, ["escape", "escape"])
        await settled(pilot, lambda: app.screen is app.main)
        app.main.chat.focus()
        await settled(pilot, lambda: app.main.part == "answer")
        burst(app, "/lea")
        await settled(pilot, lambda: isinstance(app.screen, SearchPage) and app.screen.query_one(Field).text == "lea")
