"""The page of one file: where it stands, what it says, what its keys wish for."""

import pytest
from textual import events
from textual.pilot import Pilot

from lens_tui.requests import FileText
from lens_tui.tui.landing import Landing
from lens_tui.tui.messages import CiteWish, CopyWish, EditWish, OpenFileWish
from lens_tui.tui.screens.file import FilePage
from lens_tui.tui.widgets.field import Field
from lens_tui.types import FileRow
from tests.fakes import outlines
from tests.tui.tiny import TinyApp, row_text, style_at

LEASE = (
    "# Lease\n\n## 4 Term and renewal\n\nThe term is two years.\n"
    "The lease runs until 31 March 2027 and renews by one year.\n\nThe rent may be raised once.\n"
)
WORDS = "The lease runs until 31 March 2027 and renews by one year."
SENTENCE = (LEASE.index(WORDS), LEASE.index(WORDS) + len(WORDS))
EXCERPT = (LEASE.index("## 4"), SENTENCE[1])


def file_of(text: str = LEASE, path: str = "house/lease.md") -> FileText:
    chunks = outlines((0, 9)) * 11
    return FileText(path=path, text=text, checksum="x", chunks=chunks, cut="paragraph 220/40", kind="markdown")


def lease_page() -> FilePage:
    landing = Landing(
        line=6, excerpt=EXCERPT, sentence=SENTENCE, mark="[1]", why="it says so", position="1 of 3", hints="cited"
    )
    return FilePage(file_of(), landing)


def screen(app: TinyApp) -> list[str]:
    return [row_text(app, y).rstrip() for y in range(app.size.height)]


def page(app: TinyApp) -> FilePage:
    assert isinstance(app.screen, FilePage)
    return app.screen


async def settle(pilot: Pilot[object]) -> None:
    await pilot.pause()
    await pilot.pause()


async def test_it_names_file_line_chunks_citation_and_keys() -> None:
    app = TinyApp(page=lease_page)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        rows = screen(app)
        assert rows[0].startswith(" house/lease.md  line 6 of 8 · 11 chunks")
        assert rows[0].endswith("  auto (here: paragraph 220/40)")
        assert rows[22].startswith("─ [1] it says so ─")
        assert rows[22].endswith("─ 1 of 3 ─")
        assert rows[23] == " n p citation   / find   g line   c chunks   s strategy   e editor   Esc back"
        assert style_at(app, 3, 22) == app.ink("cursor")


@pytest.mark.parametrize(("width", "height"), [(80, 24), (120, 36), (60, 18), (50, 12), (30, 8)])
async def test_every_row_has_the_width_of_the_screen(width: int, height: int) -> None:
    app = TinyApp(page=lease_page)
    async with app.run_test(size=(width, height)) as pilot:
        await settle(pilot)
        for strip in app.screen._compositor.render_strips():
            assert strip.cell_length == width
        assert any("The lease runs" in row for row in screen(app))


@pytest.mark.parametrize("word", [None, 120_040])
async def test_in_a_line_longer_than_the_screen_it_stands_at_what_was_found_and_marks_no_more(word: int | None) -> None:
    begin = 120_000
    text = "lorem ipsum " * 10_000 + "The treasure lies beneath the third oak. " + "dolor sit " * 10_000
    sentence = (begin, text.index(" dolor"))
    landing = Landing(line=1, excerpt=(begin - 30, sentence[1] + 30), sentence=None if word else sentence, word=word)
    app = TinyApp(page=lambda: FilePage(file_of(text, "notes/long.txt"), landing))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        rows = screen(app)
        (at,) = (number for number, row in enumerate(rows) if "third oak" in row or "beneath" in row)
        assert 1 < at < 16
        bars = [number for number, row in enumerate(rows) if row[6:7] in ("▏", "▌")]
        assert at in bars
        assert len(bars) <= 3


async def test_n_and_p_walk_citations() -> None:
    app = TinyApp(page=lease_page)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("n", "p", "f8", "f7")
        assert app.wishes == [CiteWish(1), CiteWish(-1), CiteWish(1), CiteWish(-1)]


async def test_n_and_p_walk_matches_until_escape() -> None:
    app = TinyApp(page=lease_page)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("slash", *"the ", "enter")
        assert screen(app)[22].startswith("─ the  match 2 of 3 ─")
        first = page(app).view.line
        await pilot.press("n")
        assert page(app).view.line != first
        assert app.wishes == []
        await pilot.press("escape")
        assert screen(app)[22].startswith("─ [1] it says so ─")
        await pilot.press("n")
        assert app.wishes == [CiteWish(1)]


async def test_a_search_typed_in_one_burst_is_one_search() -> None:
    app = TinyApp(page=lease_page)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        for name in ("slash", *"none", "enter"):
            app.post_message(events.Key(name, name if len(name) == 1 else None))
        await settle(pilot)
        await settle(pilot)
        assert app.wishes == []
        assert "none found nowhere in this file" in screen(app)[22]


async def test_what_is_not_in_the_file_is_said() -> None:
    app = TinyApp(page=lease_page)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("slash", *"roof", "enter")
        assert "roof found nowhere in this file" in screen(app)[22]


async def test_escape_closes_the_field_then_leaves_the_page() -> None:
    app = TinyApp(page=lease_page)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("slash", "x", "escape")
        assert isinstance(app.screen, FilePage)
        assert page(app).view.has_focus
        await pilot.press("escape")
        assert not isinstance(app.screen, FilePage)


async def test_g_goes_to_a_line_and_names_the_lines_there_are() -> None:
    app = TinyApp(page=lease_page)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("g", "3", "enter")
        assert page(app).view.line == 3
        await pilot.press("g", *"900", "enter")
        assert page(app).view.line == 3
        assert screen(app)[23] == " There is no line 900: type a number from 1 to 8."
        await pilot.press("g")
        page(app).query_one(Field).type("9" * 5_000)
        await pilot.press("enter")
        assert screen(app)[23].startswith(" There is no line 99999")
        await pilot.press("down")
        assert screen(app)[23].startswith(" n p citation")


async def test_e_edits_the_current_line_and_y_copies_the_sentence() -> None:
    app = TinyApp(page=lease_page)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("e", "y")
        assert app.wishes == [EditWish("house/lease.md", 6), CopyWish(WORDS, "the sentence")]


async def test_where_no_sentence_is_marked_y_copies_the_line() -> None:
    app = TinyApp(page=lambda: FilePage(file_of(), Landing(line=5)))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        await pilot.press("y")
        assert app.wishes == [CopyWish("The term is two years.", "the line")]


async def test_a_sentence_that_moved_is_marked_where_it_is_now() -> None:
    moved = "New first line.\n" + LEASE
    landing = Landing(line=6, excerpt=EXCERPT, sentence=SENTENCE, words=WORDS, mark="[1~]")
    app = TinyApp(page=lambda: FilePage(file_of(moved), landing))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert page(app).view.line == 7
        assert screen(app)[1] == " ~ changed after the answer; the sentence moved from line 6 to 7"
        marked = [y for y in range(24) if row_text(app, y)[6:7] == "▌"]
        assert [screen(app)[y][8:] for y in marked] == [WORDS]


async def test_a_sentence_that_is_gone_marks_nothing_else() -> None:
    other, why = file_of("Quite another text.\n" * 20), "word for word in its source"
    landing = Landing(line=6, sentence=SENTENCE, words=WORDS, mark="[1~]", why=why, position="1 of 3")
    app = TinyApp(page=lambda: FilePage(other, landing))
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        assert "the sentence that was cited is no longer in it" in screen(app)[1]
        assert "[1~] when answered: word for word in its source" in screen(app)[22]
        assert "▌" not in "".join(screen(app))
        assert page(app).view.line == 6


async def test_the_same_page_shows_another_file() -> None:
    app = TinyApp(page=lease_page)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        text = "\n".join(f"line {number}" for number in range(1, 101))
        page(app).show_file(file_of(text, "deposit.md"), Landing(line=50, mark="[2]", position="2 of 3"))
        await settle(pilot)
        assert screen(app)[0].startswith(" deposit.md  line 50 of 100")
        assert screen(app)[22].startswith("─ [2] ─")
        assert "▏" not in "".join(screen(app))


async def test_a_file_that_changes_under_the_reader_is_said_and_read_again() -> None:
    app = TinyApp(page=lease_page)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        page(app).rows_moved([FileRow("house/lease.md", "changed", 11)], ())
        await pilot.pause()
        assert screen(app)[1] == " ~ changed just now, being read again"
        page(app).rows_moved([FileRow("house/lease.md", "indexed", 11)], ())
        await pilot.pause()
        assert app.wishes == [OpenFileWish("house/lease.md", 6, EXCERPT, SENTENCE)]
        page(app).show_file(file_of("# Lease\n\n" + LEASE), Landing(line=6, excerpt=EXCERPT, sentence=SENTENCE))
        await settle(pilot)
        assert "the sentence moved from line 6 to 8" in screen(app)[1]
        page(app).rows_moved((), ["house/lease.md"])
        await pilot.pause()
        assert "this file is gone" in screen(app)[1]
