"""What is kept for the person across folders: the theme that was picked."""

from pathlib import Path

from lens_tui.tui.person import Person
from tests.tui.fakes import ScriptedEngine
from tests.tui.stage import make_app, opened, settled, text


def test_a_theme_is_kept_and_a_broken_file_counts_as_none(tmp_path: Path) -> None:
    file = tmp_path / "data" / "person.json"
    assert Person(file).theme == ""
    assert Person(file).keep(theme="lens-light") == ""
    assert Person(file).theme == "lens-light"
    file.write_text("{", "utf-8")
    assert Person(file).theme == ""
    file.write_text('{"theme": 5}', "utf-8")
    assert Person(file).theme == ""


def test_a_file_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file", "utf-8")
    assert "is not kept" in Person(tmp_path / "data" / "person.json").keep(theme="lens-light")


async def test_a_theme_that_is_picked_is_kept_and_one_that_is_tried_is_not(tmp_path: Path) -> None:
    file = tmp_path / "person.json"
    app = make_app(ScriptedEngine(), theme="")
    app.person = Person(file)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot, lambda: app.choice is not None)
        await pilot.press("ctrl+p", *"light")
        await settled(pilot, lambda: app.look.name == "lens-light")
        await pilot.press("escape")
        await settled(pilot, lambda: app.look.name == "lens-dark")
        assert Person(file).theme == ""
        await pilot.press("ctrl+p", *"light", "enter")
        await settled(pilot, lambda: Person(file).theme == "lens-light")


async def test_where_settings_name_a_theme_another_one_lasts_until_one_quits(tmp_path: Path) -> None:
    async with opened(size=(80, 24), theme="lens-dark") as (app, pilot):
        app.person = Person(tmp_path / "person.json")
        await pilot.press("ctrl+p", *"light", "enter")
        await settled(pilot, lambda: "Until you quit: settings name lens-dark." in text(app))
        assert app.look.name == "lens-light"
        assert Person(tmp_path / "person.json").theme == ""
