"""The text of a file: bars, highlighter, moving, finding; untrusted and enormous texts among it."""

import time
from collections.abc import Callable

import pytest
from textual.geometry import Size
from textual.pilot import Pilot

from lens_tui.requests import FileText
from lens_tui.tui.signs import ASCII, UNICODE, Signs
from lens_tui.tui.widgets.fileview import FileView
from tests.tui.tiny import TinyApp, row_text, style_at

LEASE = """\
# Lease

## 4 Term and renewal

The term is two years.
The lease runs until 31 March 2027 and renews by one year unless either party gives three months' notice in writing.

The rent may be raised once in each period, by at most the change of the index.
"""
SENTENCE = (LEASE.index("The lease runs"), LEASE.index(" in writing.") + 12)
EXCERPT = (LEASE.index("## 4"), LEASE.index("\n\nThe rent"))


def view_of(text: str, kind: str = "markdown") -> Callable[[], FileView]:
    return lambda: FileView(FileText(path="house/lease.md", text=text, checksum="x", kind=kind))


def screen(app: TinyApp) -> list[str]:
    return [row_text(app, y).rstrip() for y in range(app.size.height)]


async def marked(app: TinyApp, pilot: Pilot[object]) -> FileView:
    view = app.query_one(FileView)
    view.focus()
    view.mark(EXCERPT, SENTENCE)
    view.go(SENTENCE[0])
    await pilot.pause()
    return view


@pytest.mark.parametrize("signs", [UNICODE, ASCII])
async def test_bars_stand_before_excerpt_and_sentence(signs: Signs) -> None:
    app = TinyApp(view_of(LEASE), signs=signs)
    async with app.run_test(size=(80, 12)) as pilot:
        await marked(app, pilot)
        thin, thick = signs.thin, signs.thick
        assert screen(app)[:9] == [
            "    1   # Lease",
            "    2",
            f"    3 {thin} ## 4 Term and renewal",
            f"    4 {thin}",
            f"    5 {thin} The term is two years.",
            f"    6 {thick} The lease runs until 31 March 2027 and renews by one year unless either",
            f"      {thick} party gives three months' notice in writing.",
            "    7",
            "    8   The rent may be raised once in each period, by at most the change of",
        ]


async def test_the_highlighter_is_on_the_sentences_words_and_on_no_blank_end() -> None:
    app = TinyApp(view_of(LEASE))
    async with app.run_test(size=(80, 12)) as pilot:
        await marked(app, pilot)
        mark = app.ink("text mark")
        first = row_text(app, 5)
        assert style_at(app, 8, 5) == mark
        assert style_at(app, len(first.rstrip()) - 1, 5) == mark
        assert style_at(app, len(first.rstrip()), 5) != mark
        assert style_at(app, 6, 5) != mark
        second = row_text(app, 6)
        assert style_at(app, len(second.rstrip()) - 1, 6) == mark
        assert all(style_at(app, x, 6) != mark for x in range(len(second.rstrip()), 80))
        assert all(style_at(app, x, 4) != mark for x in range(80))


async def test_a_sentence_over_a_blank_line_marks_words_only() -> None:
    text = "  One two\n\n   three.  \nfour\n"
    app = TinyApp(view_of(text))
    async with app.run_test(size=(40, 6)) as pilot:
        view = app.query_one(FileView)
        view.mark(None, (0, text.index("\nfour")))
        await pilot.pause()
        mark = app.ink("text mark")
        inked = [[x for x in range(40) if style_at(app, x, y) == mark] for y in range(4)]
        assert inked == [list(range(10, 17)), [], list(range(11, 17)), []]
        assert [line[6:7].strip() for line in screen(app)[:4]] == ["▌", "", "▌", ""]


async def test_headings_are_bold_and_code_in_fences_is_not() -> None:
    app = TinyApp(view_of("# Title\n```\n# comment\n```\n## Part\n"))
    async with app.run_test(size=(40, 6)) as pilot:
        await pilot.pause()
        bold = app.ink("text bold")
        assert [style_at(app, 8, y) == bold for y in range(5)] == [True, False, False, False, True]


async def test_untrusted_text_steers_nothing_and_is_no_markup() -> None:
    app = TinyApp(view_of("[red]a[/red] \x1b[31mb\x07\x9b1m\u202e\ttab\n", "text"))
    async with app.run_test(size=(60, 3)) as pilot:
        await pilot.pause()
        line = screen(app)[0]
        assert line.startswith("    1   [red]a[/red] ␛[31mb␇")
        assert not set("\x1b\x07\x9b\u202e\t") & set(line)


async def test_keys_move_by_rows_screens_and_ends() -> None:
    app = TinyApp(view_of("\n".join(f"line {number}" for number in range(1, 101))))
    async with app.run_test(size=(40, 10)) as pilot:
        view = app.query_one(FileView)
        view.focus()
        await pilot.pause()
        await pilot.press("j", "down")
        assert view.line == 3
        await pilot.press("pagedown")
        assert view.line == 12
        assert screen(app)[0].endswith("line 10")
        await pilot.press("end")
        assert (view.line, screen(app)[-1]) == (100, "  100   line 100")
        await pilot.press("pageup", "k", "up")
        assert view.line == 89
        await pilot.press("home")
        assert (view.line, screen(app)[0]) == (1, "    1   line 1")


async def test_the_terminals_cursor_stands_on_the_current_line() -> None:
    app = TinyApp(view_of(LEASE))
    async with app.run_test(size=(80, 12)) as pilot:
        await marked(app, pilot)
        assert tuple(app.cursor_position) == (8, 5)
        await pilot.press("down")
        assert tuple(app.cursor_position) == (8, 6)


async def test_a_far_line_is_put_a_third_down_the_screen() -> None:
    app = TinyApp(view_of("\n".join(f"line {number}" for number in range(1, 1_001))))
    async with app.run_test(size=(40, 12)) as pilot:
        view = app.query_one(FileView)
        view.go_to_line(500)
        await pilot.pause()
        assert screen(app)[4].endswith("line 500")
        view.go_to_line(9_999)
        await pilot.pause()
        assert view.line == 1_000
        assert screen(app)[-1].endswith("line 1000")


async def test_resizing_keeps_the_line_at_the_top() -> None:
    text = "\n".join(f"line {number} " + "word " * 30 for number in range(1, 200))
    app = TinyApp(view_of(text))
    async with app.run_test(size=(80, 20)) as pilot:
        app.query_one(FileView).go_to_line(100)
        await pilot.pause()
        top = screen(app)[0]
        await pilot.resize_terminal(50, 15)
        await pilot.pause()
        assert screen(app)[0].split()[:3] == top.split()[:3]


async def test_finding_walks_matches_in_any_case_round_the_end() -> None:
    app = TinyApp(view_of("Notice\nno\nnotice NOTICE\n\u0130notice\n"))
    async with app.run_test(size=(40, 8)) as pilot:
        view = app.query_one(FileView)
        found = [view.find("nOTICE") for _ in range(5)]
        assert found == [(1, 4), (2, 4), (3, 4), (4, 4), (1, 4)]
        assert view.find("nOTICE", step=-1) == (4, 4)
        assert view.find("nOTICE", step=-1) == (3, 4)
        assert view.line == 3
        await pilot.pause()
        cursor = app.ink("text cursor")
        assert [x for x in range(40) if style_at(app, x, 2) == cursor] == list(range(15, 21))
        assert view.find("nowhere") == (0, 0)
        assert view.find("") == (0, 0)
        view.clear_find()
        await pilot.pause()
        assert not any(style_at(app, x, 2) == cursor for x in range(40))


async def test_matches_that_overlap_are_counted_as_they_are_walked() -> None:
    app = TinyApp(view_of("aaaa"))
    async with app.run_test(size=(40, 8)):
        view = app.query_one(FileView)
        assert [view.find("aa") for _ in range(4)] == [(1, 3), (2, 3), (3, 3), (1, 3)]


async def test_spans_beyond_the_text_mark_nothing_and_raise_nothing() -> None:
    app = TinyApp(view_of("short"))
    async with app.run_test(size=(40, 8)) as pilot:
        view = app.query_one(FileView)
        view.mark((100, 200), (150, 180))
        view.go(150)
        await pilot.pause()
        assert screen(app)[0] == "    1   short"


async def test_an_empty_file_is_one_line() -> None:
    app = TinyApp(view_of(""))
    async with app.run_test(size=(40, 8)) as pilot:
        view = app.query_one(FileView)
        view.focus()
        await pilot.press("down", "pagedown", "end", "home", "pageup", "up")
        assert (view.line, view.lines, screen(app)[0]) == (1, 1, "    1")


async def test_the_wheel_scrolls_and_the_current_line_stays_in_sight() -> None:
    app = TinyApp(view_of("\n".join(f"line {number}" for number in range(1, 101))))
    async with app.run_test(size=(40, 10)) as pilot:
        view = app.query_one(FileView)
        view._wheel(30)
        await pilot.pause()
        assert screen(app)[0].endswith("line 31")
        assert view.line == 31
        view._wheel(-3)
        assert view.line == 31


@pytest.mark.parametrize("text", ["x " * 500_000, "日" * 1_000_000, "\t" * 200_000], ids=["words", "wide", "tabs"])
async def test_a_line_of_a_megabyte_does_not_hang(text: str) -> None:
    app = TinyApp(view_of(text, "text"))
    async with app.run_test(size=(80, 24)) as pilot:
        view = app.query_one(FileView)
        view.focus()
        began = time.perf_counter()
        view.go(len(text) // 2)
        await pilot.press("pagedown", "end", "home")
        assert time.perf_counter() - began < 2.0


async def test_twenty_megabytes_open_and_scroll_at_once() -> None:
    text = "".join(f"line {number} of a long file that somebody keeps\n" for number in range(400_000))
    began = time.perf_counter()
    app = TinyApp(view_of(text, "text"))
    async with app.run_test(size=(80, 24)) as pilot:
        view = app.query_one(FileView)
        view.go_to_line(300_000)
        await pilot.pause()
        assert view.lines == 400_000
        assert any("line 299999 " in line for line in screen(app))
    assert time.perf_counter() - began < 3.0


class Stretched(FileView):
    """A view whose width changes before it is told, as while a page is laid out."""

    columns = 0

    @property
    def size(self) -> Size:
        known = super().size
        return Size(self.columns or known.width, known.height)


async def test_going_to_a_place_before_the_new_width_was_told_stands_in_the_right_line() -> None:
    text = "\n".join(f"{number} " + "word " * 60 for number in range(40))
    app = TinyApp(lambda: Stretched(FileText(path="a.md", text=text, checksum="x")))
    async with app.run_test(size=(60, 20)) as pilot:
        view = app.query_one(Stretched)
        view.go(text.index("20 word") + 280)
        await pilot.pause()
        assert view.line == 21
        view.columns = 200
        view.go(text.index("21 word"))
        assert view.line == 22
