"""The tree of files: how states are drawn, what keys do, and that rows change without moving the reader."""

import time

import pytest
from textual.pilot import Pilot

from lens_tui.tui.messages import EditWish, OpenFileWish
from lens_tui.tui.signs import ASCII, UNICODE, Signs
from lens_tui.tui.widgets.tree import FilesTree, in_short, in_words
from lens_tui.types import FileRow
from tests.tui.tiny import TinyApp, row_text, style_at

NOTES = (
    FileRow("house/lease.md", "indexed", 11),
    FileRow("house/letters.eml", "waiting"),
    FileRow("house/scans.pdf", "reading", 0, "12/80"),
    *(FileRow(f"work/{number:03}.md", "indexed" if number < 97 else "waiting", 2) for number in range(214)),
    FileRow("日記/2024.md", "indexed", 1),
    FileRow("broken.pdf", "failed", 0, "not a PDF, it starts with <html"),
    FileRow("ideas.md", "indexed", 4),
    FileRow("todo.md", "changed", 4, "14:02"),
    FileRow("old.zip", "left_out", 0, "binary"),
)


async def shown(app: TinyApp, pilot: Pilot[object], rows: tuple[FileRow, ...] = NOTES) -> FilesTree:
    tree = app.query_one(FilesTree)
    tree.open_folders(["house/"])
    tree.show(rows)
    tree.focus()
    await pilot.pause()
    return tree


def screen(app: TinyApp) -> list[str]:
    return [row_text(app, y).rstrip() for y in range(app.size.height)]


async def test_the_panel_shows_short_details_at_its_right_end() -> None:
    app = TinyApp(FilesTree)
    async with app.run_test(size=(24, 14)) as pilot:
        await shown(app, pilot)
        assert screen(app)[:11] == [
            " ▾ house              3",
            "     lease.md",
            "   · letters.eml",
            "   ◐ scans.pdf    12/80",
            " ▸ work          97/214",
            " ▸ 日記               1",
            " ! broken.pdf",
            "   ideas.md",
            " ~ todo.md",
            " - old.zip       binary",
            "",
        ]


async def test_the_page_says_it_in_words() -> None:
    app = TinyApp(lambda: FilesTree(words=True))
    async with app.run_test(size=(80, 14)) as pilot:
        await shown(app, pilot)
        ends = [line.rsplit("  ", 1)[-1].strip() for line in screen(app)[:10]]
        assert ends == [
            "3 files",
            "11 chunks",
            "waiting",
            "reading page 12 of 80",
            "97 of 214 files",
            "1 file",
            "failed: not a PDF, it starts with <html",
            "4 chunks",
            "changed 14:02, being read again",
            "left out: binary",
        ]


async def test_in_ascii_no_other_sign_is_drawn() -> None:
    app = TinyApp(lambda: FilesTree(words=True), signs=ASCII)
    rows = tuple(row for row in NOTES if row.path.isascii())
    async with app.run_test(size=(30, 14)) as pilot:
        await shown(app, pilot, rows)
        assert all(line.isascii() for line in screen(app))
        assert screen(app)[0].startswith(" v house")


@pytest.mark.parametrize("name", ["[red]x[red].md", "a\nb\tc.md", "\x1b[31mred.md", "\u202egpj.exe", "bad\udcff.md"])
async def test_no_name_steers_the_terminal_or_is_read_as_markup(name: str) -> None:
    app = TinyApp(FilesTree)
    async with app.run_test(size=(40, 4)) as pilot:
        await shown(app, pilot, (FileRow(name, "indexed", 1),))
        line = screen(app)[0]
        assert not set("\x1b\n\t\u202e\udcff") & set(line)
        assert len(line.strip()) == len(name)
        await pilot.press("enter")
        assert app.wishes == [OpenFileWish(name)]


async def test_a_name_that_is_too_long_loses_its_middle_and_keeps_its_ending() -> None:
    app = TinyApp(FilesTree)
    name = "correspondence-with-the-agent-of-the-landlord.md"
    async with app.run_test(size=(24, 4)) as pilot:
        await shown(app, pilot, (FileRow(name, "indexed", 1),))
        line = screen(app)[0].strip()
        assert line.startswith("corres")
        assert "…" in line
        assert line.endswith(".md")


async def test_the_cursor_fills_its_row_while_the_tree_has_the_focus_and_is_gone_after() -> None:
    app = TinyApp(FilesTree)
    async with app.run_test(size=(24, 14)) as pilot:
        tree = await shown(app, pilot)
        cursor = app.ink("cursor bold")
        assert [style_at(app, x, 0) for x in (0, 10, 23)] == [cursor] * 3
        assert style_at(app, 0, 1) != cursor
        tree.blur()
        await pilot.pause()
        assert style_at(app, 0, 0) != cursor


async def test_the_terminals_cursor_stands_on_the_chosen_row() -> None:
    app = TinyApp(FilesTree)
    async with app.run_test(size=(24, 14)) as pilot:
        await shown(app, pilot)
        await pilot.press("down", "down")
        assert app.cursor_position.y == 2


async def test_keys_open_fold_and_step_through_folders() -> None:
    app = TinyApp(FilesTree)
    async with app.run_test(size=(24, 14)) as pilot:
        tree = await shown(app, pilot)
        await pilot.press("left")
        assert "lease" not in "".join(screen(app))
        await pilot.press("right", "right")
        assert tree.chosen == NOTES[0]
        await pilot.press("left", "left")
        assert tree.opened == ()
        await pilot.press("enter", "j", "e", "k", "end", "enter", "home", "pagedown", "enter")
        assert app.wishes == [EditWish("house/lease.md"), OpenFileWish("old.zip"), OpenFileWish("old.zip")]


async def test_a_changed_state_is_drawn_and_nothing_moves() -> None:
    app = TinyApp(FilesTree)
    async with app.run_test(size=(24, 14)) as pilot:
        tree = await shown(app, pilot)
        await pilot.press("down", "down")
        tree.apply([FileRow("house/letters.eml", "indexed", 3), FileRow("work/213.md", "indexed", 2)])
        await pilot.pause()
        assert screen(app)[2] == "     letters.eml"
        assert screen(app)[4].endswith("98/214")
        assert tree.chosen == FileRow("house/letters.eml", "indexed", 3)


async def test_a_file_that_comes_above_does_not_move_the_reader() -> None:
    app = TinyApp(FilesTree)
    rows = tuple(FileRow(f"{number:03}.md", "indexed", 1) for number in range(100))
    async with app.run_test(size=(24, 10)) as pilot:
        tree = await shown(app, pilot, rows)
        await pilot.press(*["down"] * 50)
        before = screen(app)
        tree.apply([FileRow("000a.md", "waiting"), FileRow("zzz.md", "waiting")])
        await pilot.pause(0.3)
        assert screen(app) == before
        assert tree.chosen == FileRow("050.md", "indexed", 1)


async def test_when_the_chosen_file_goes_the_one_after_it_is_chosen() -> None:
    app = TinyApp(FilesTree)
    async with app.run_test(size=(24, 14)) as pilot:
        tree = await shown(app, pilot)
        await pilot.press("down", "down")
        tree.apply((), ["house/letters.eml"])
        await pilot.pause(0.3)
        assert tree.chosen == NOTES[2]
        tree.show(())
        await pilot.pause()
        assert tree.chosen is None
        await pilot.press("enter", "down", "end", "left", "right", "e")
        assert app.wishes == []


async def test_a_theme_that_is_chosen_later_is_drawn() -> None:
    app = TinyApp(FilesTree)
    async with app.run_test(size=(24, 14)) as pilot:
        await shown(app, pilot)
        app.restyle("lens-light")
        await pilot.pause()
        assert style_at(app, 5, 1) == app.ink("text")
        assert app.ink("text").bgcolor == app.ink("muted").bgcolor
        assert style_at(app, 0, 0) == app.ink("cursor bold")


async def test_a_click_chooses_a_double_click_opens_and_a_folder_folds() -> None:
    app = TinyApp(FilesTree)
    async with app.run_test(size=(24, 14)) as pilot:
        tree = await shown(app, pilot)
        await pilot.click(FilesTree, offset=(6, 1))
        assert tree.chosen == NOTES[0]
        await pilot.click(FilesTree, offset=(6, 1), times=2)
        assert app.wishes[-1] == OpenFileWish("house/lease.md")
        await pilot.click(FilesTree, offset=(6, 0))
        await pilot.pause()
        assert tree.opened == ()


@pytest.mark.parametrize("signs", [UNICODE, ASCII])
@pytest.mark.parametrize("width", [1, 8, 12, 24, 50])
async def test_any_width_draws_every_row_at_that_width(width: int, signs: Signs) -> None:
    app = TinyApp(FilesTree, signs=signs)
    async with app.run_test(size=(width, 12)) as pilot:
        await shown(app, pilot)
        for strip in app.screen._compositor.render_strips():
            assert strip.cell_length == width


async def test_fifty_thousand_files_are_shown_and_changed_without_a_pause() -> None:
    app = TinyApp(FilesTree)
    rows = tuple(FileRow(f"{number % 40:02}/{number % 7}/{number}.md", "waiting") for number in range(50_000))
    async with app.run_test(size=(24, 30)) as pilot:
        tree = await shown(app, pilot, rows)
        began = time.perf_counter()
        tree.show(rows)
        took = time.perf_counter() - began
        await pilot.press("enter", "down", "enter")
        worst = 0.0
        for first in range(0, 1_000, 10):
            began = time.perf_counter()
            tree.apply([FileRow(row.path, "indexed", 2) for row in rows[first : first + 10]])
            worst = max(worst, time.perf_counter() - began)
        # Ten times what it takes here: the machine is shared.
        assert took < 3.0
        assert worst < 0.1


def test_a_detail_is_read_as_what_it_is() -> None:
    assert in_words(FileRow("a", "reading", 0, "3,1 / x")) == "reading 3,1 / x"
    assert in_words(FileRow("a", "indexed", 1)) == "1 chunk"
    assert in_words(FileRow("a", "indexed", 2, "It was cut.")) == "2 chunks: It was cut."
    assert in_short(FileRow("a", "indexed", 2, "It was cut.")) == ""
    assert in_words(FileRow("a", "failed")) == "failed"
    assert in_short(FileRow("a", "failed", 0, "no")) == ""
    assert in_short(FileRow("a", "left_out", 0, "binary, archive")) == "binary"
