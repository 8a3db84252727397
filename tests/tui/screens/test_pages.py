"""Files, status, keys and commands: what they say and what they wish for."""

import time
from dataclasses import replace

import pytest
from textual import events

from lens_tui.requests import IndexState
from lens_tui.tui.keymap import KEYMAP
from lens_tui.tui.messages import CommandChosen, ControlWish, CopyWish, OpenFileWish, ThemeTried
from lens_tui.tui.screens.commands import CommandsPage
from lens_tui.tui.screens.files import FilesPage
from lens_tui.tui.screens.keys import KeysPage
from lens_tui.tui.screens.status import StatusPage
from lens_tui.types import FileRow, ModelChoice, ModelInfo, Notice
from tests.tui.tiny import TinyApp, row_text

ROWS = (
    FileRow("house/lease.md", "indexed", 11),
    FileRow("ideas.md", "indexed", 4),
    FileRow("broken.pdf", "failed", 0, "not a PDF, it starts with <html"),
    FileRow("old.zip", "left_out", 0, "binary"),
    FileRow("node_modules/", "left_out", 0, "8,120 files, vendored folder"),
)
STATE = IndexState(
    phase="reading",
    files=312,
    total=412,
    done=312,
    run_total=412,
    chunks=4_120,
    rate=64.2,
    seconds_left=61,
    current="house/scans.pdf",
    vectors=1_204,
    vectors_total=4_120,
    vector_rate=22,
    vector_seconds_left=180,
    embedder="embeddinggemma",
    left_out=1,
    failed=1,
)
MODEL = ModelChoice(
    "qwen3:4b",
    "It is loaded already.",
    "http://localhost:11434",
    reachable=True,
    info=ModelInfo("qwen3:4b", 1, ("completion",), 40_960, True, 4_096),
)
NOTICES = (Notice(0, "copied 212 characters"), Notice(240, "todo.md changed; read again in 40 ms"))


def files() -> FilesPage:
    return FilesPage(ROWS, STATE, "~/notes", choice=MODEL, opened=("house/",), chosen="house/lease.md")


def status() -> StatusPage:
    return StatusPage(STATE, ROWS, MODEL, NOTICES, "~/notes", local=time.gmtime)


def commands() -> CommandsPage:
    return CommandsPage(("lens-ansi", "lens-dark", "lens-light"), "lens-dark")


def screen(app: TinyApp) -> list[str]:
    return [row_text(app, y).rstrip() for y in range(app.size.height)]


@pytest.mark.parametrize("make", [files, status, KeysPage, commands])
@pytest.mark.parametrize(("width", "height"), [(80, 24), (120, 36), (50, 12), (20, 6)])
async def test_every_page_draws_every_row_at_the_width_of_the_screen(make: type, width: int, height: int) -> None:
    app = TinyApp(page=make)
    async with app.run_test(size=(width, height)) as pilot:
        await pilot.pause()
        assert [strip.cell_length for strip in app.screen._compositor.render_strips()] == [width] * height


@pytest.mark.parametrize("make", [files, status, KeysPage, commands])
async def test_escape_leaves_every_page(make: type) -> None:
    app = TinyApp(page=make)
    async with app.run_test(size=(80, 24)) as pilot:
        pushed = app.screen
        await pilot.press("escape")
        assert app.screen is not pushed


# Files


async def test_files_says_what_there_is_and_stands_on_the_chosen_file() -> None:
    app = TinyApp(page=files)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        rows = screen(app)
        assert rows[0].startswith(" Files  412 files · 4,120 chunks · 1 left out · 1 failed")
        assert rows[0].endswith("~/notes")
        assert rows[21].startswith("─ indexing 312 of 412 · 64/s · 1 min left ━")
        assert rows[21].endswith("qwen3:4b ─")
        assert rows[22:] == ["› ask your notes", " Enter open   / filter   t status   Esc back   ? keys"]
        await pilot.press("enter")
        assert app.wishes == [OpenFileWish("house/lease.md")]


async def test_the_filter_finds_a_file_and_escape_takes_it_away_before_the_page() -> None:
    app = TinyApp(page=files)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("slash", *"ide")
        await pilot.pause()
        assert screen(app)[1].startswith("   ideas.md")
        assert screen(app)[22] == "/ ide"
        assert screen(app)[23] == " Enter to the files   Esc clear"
        await pilot.press("enter", "enter")
        assert app.wishes == [OpenFileWish("ideas.md")]
        await pilot.press("escape")
        assert isinstance(app.screen, FilesPage)
        assert any("house" in row for row in screen(app))


async def test_letters_in_one_burst_with_the_key_that_opens_the_field_go_into_it() -> None:
    app = TinyApp(page=files)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        for name in ("slash", "i", "d", "e"):
            app.post_message(events.Key(name, "/" if name == "slash" else name))
        await pilot.pause()
        await pilot.pause()
        assert screen(app)[22] == "/ ide"


async def test_letters_typed_before_a_list_is_drawn_go_into_its_field() -> None:
    app = TinyApp()
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(commands())
        for name in "quit":
            app.post_message(events.Key(name, name))
        await pilot.pause()
        await pilot.pause()
        assert screen(app)[1] == "/ quit"


async def test_i_goes_back_to_the_question_and_t_to_status() -> None:
    app = TinyApp(page=files)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("t", "i")
        await pilot.pause()
        assert app.wishes == [CommandChosen("panel.status"), CommandChosen("focus.ask")]
        assert not isinstance(app.screen, FilesPage)


async def test_news_is_drawn_on_the_files_page() -> None:
    app = TinyApp(page=files)
    async with app.run_test(size=(80, 24)) as pilot:
        page = app.screen
        assert isinstance(page, FilesPage)
        page.rows_moved([FileRow("new.md", "waiting")], ["ideas.md"])
        page.index_moved(IndexState(phase="idle", files=2, total=2, chunks=1))
        await pilot.pause(0.3)
        text = "\n".join(screen(app))
        assert "new.md" in text
        assert "ideas.md" not in text
        assert " Files  2 files · 1 chunk" in text


# Status


async def test_status_says_how_far_each_job_is() -> None:
    app = TinyApp(page=status)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        rows = screen(app)
        assert rows[1].startswith(" text     312 of 412 files    4,120 chunks    64/s   1 min   ━━━━")
        assert rows[2].startswith(" meaning  1,204 of 4,120      embeddinggemma  22/s   3 min   ━━━")
        assert rows[3] == " now      house/scans.pdf"
        assert rows[4] == " model    qwen3:4b, loaded, 40,960 tokens at most"
        assert " ! broken.pdf                    not a PDF, it starts with <html" in rows
        assert " - node_modules/                 8,120 files, vendored folder" in rows
        assert rows.index(" 00:04 todo.md changed; read again in 40 ms") + 1 == rows.index(
            " 00:00 copied 212 characters"
        )


async def test_status_says_under_the_vectors_what_their_model_does_not_read_whole() -> None:
    app = TinyApp(page=status)
    async with app.run_test(size=(80, 24)) as pilot:
        page = app.screen
        assert isinstance(page, StatusPage)
        page.index_moved(replace(STATE, vector_notes=("3 texts were longer than minilm reads at once.",)))
        await pilot.pause()
        assert screen(app)[3] == "          3 texts were longer than minilm reads at once."


async def test_space_pauses_and_goes_on_and_the_other_keys_steer() -> None:
    app = TinyApp(page=status)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("space", "delete", "r", "y")
        assert app.wishes[:3] == [ControlWish("pause"), ControlWish("stop"), ControlWish("reread")]
        copied = app.wishes[3]
        assert isinstance(copied, CopyWish)
        assert copied.text.splitlines()[0] == "failed\tbroken.pdf\tnot a PDF, it starts with <html"
        page = app.screen
        assert isinstance(page, StatusPage)
        page.index_moved(IndexState(phase="paused", files=312, total=412))
        await pilot.press("space")
        assert app.wishes[-1] == ControlWish("resume")
        assert " now      paused; space goes on" in screen(app)
        assert screen(app)[23].startswith(" space go on")


async def test_a_file_that_could_be_read_after_all_leaves_the_list() -> None:
    app = TinyApp(page=status)
    async with app.run_test(size=(80, 24)) as pilot:
        page = app.screen
        assert isinstance(page, StatusPage)
        page.rows_moved([FileRow("broken.pdf", "indexed", 2)], ["old.zip", "node_modules/"])
        await pilot.pause()
        text = "\n".join(screen(app))
        assert "broken.pdf" not in text
        assert "left out" not in text
        await pilot.press("y")
        assert app.wishes == []
        assert "nothing to copy" in screen(app)[23]


async def test_a_file_that_was_read_with_a_warning_is_listed_until_it_is_read_without() -> None:
    app = TinyApp(page=lambda: StatusPage(STATE, (), None, (), "~/notes"))
    async with app.run_test(size=(80, 24)) as pilot:
        page = app.screen
        assert isinstance(page, StatusPage)
        page.rows_moved([FileRow("a.md", "indexed", 2), FileRow("b.txt", "indexed", 1, "It was read as cp932.")], [])
        await pilot.pause()
        assert " read, with a warning  1" in screen(app)
        assert " ~ b.txt                         It was read as cp932." in screen(app)
        await pilot.press("y")
        assert app.wishes == [CopyWish("read, with a warning\tb.txt\tIt was read as cp932.\n", "the list")]
        page.rows_moved([FileRow("b.txt", "indexed", 1)], [])
        await pilot.pause()
        assert "warning" not in "".join(screen(app))


async def test_long_reasons_and_paths_are_shown_whole() -> None:
    reason = "the file begins with bytes that no encoding has " * 4
    row = FileRow("a/very/long/path/" * 6 + "broken.pdf", "failed", 0, reason.strip())
    app = TinyApp(page=lambda: StatusPage(STATE, (row,), None, (), "~/notes"))
    async with app.run_test(size=(60, 24)) as pilot:
        await pilot.pause()
        text = " ".join(" ".join(screen(app)).split())
        assert reason.strip() in text
        assert row.path in text.replace(" ", "")


async def test_a_long_path_is_shortened_so_that_its_reason_stands_beside_it() -> None:
    row = FileRow("a/very/long/path/" * 6 + "picture.png", "left_out", 0, "binary")
    app = TinyApp(page=lambda: StatusPage(STATE, (row,), None, (), "~/notes"))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        (shown,) = (line for line in screen(app) if "picture.png" in line)
        assert shown.startswith(" - …/")
        assert shown.endswith("/picture.png  binary")


async def test_without_a_model_status_says_how_to_get_one() -> None:
    none = ModelChoice(
        None, "Nothing answers at http://localhost:11434.", "", hint="ollama serve\nollama pull qwen3:4b"
    )
    app = TinyApp(page=lambda: StatusPage(STATE, (), none, (), "~/notes"))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert screen(app)[4:8] == [
            " model    none: answers are quoted word for word",
            "          Nothing answers at http://localhost:11434.",
            "            ollama serve",
            "            ollama pull qwen3:4b",
        ]


# Keys


@pytest.mark.parametrize("where", ["question", "answer", "sources", "files", "file", "status"])
async def test_the_keys_page_lists_exactly_what_works_there_and_cuts_nothing_at_80(where: str) -> None:
    app = TinyApp(page=lambda: KeysPage(where))
    async with app.run_test(size=(80, 60)) as pilot:
        await pilot.pause()
        text = "\n".join(screen(app))
        assert "…" not in text.replace("copy…", "")
        for key in KEYMAP:
            if where in key.where:
                assert key.does in text, key.id
        listed = sum(key.does in text for key in KEYMAP)
        assert listed >= sum(where in key.where for key in KEYMAP)


async def test_in_the_question_no_letter_is_listed_that_would_be_typed() -> None:
    app = TinyApp(page=lambda: KeysPage("question"))
    async with app.run_test(size=(80, 40)) as pilot:
        await pilot.pause()
        text = "\n".join(screen(app))
        assert " F8        next citation" in text
        assert "F2        files" in text
        assert "Ctrl+P :  commands" in text


async def test_enter_on_a_key_leaves_and_does_it() -> None:
    app = TinyApp(page=lambda: KeysPage("answer"))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press(*"ask again", "enter")
        await pilot.pause()
        assert app.wishes == [CommandChosen("ask.again")]
        assert not isinstance(app.screen, KeysPage)


async def test_enter_on_keys_that_stand_for_many_says_so() -> None:
    app = TinyApp(page=lambda: KeysPage("answer"))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press(*"that number", "enter")
        await pilot.pause()
        assert isinstance(app.screen, KeysPage)
        assert app.wishes == []
        assert screen(app)[23] == " Press 1-9 itself, in an answer."


async def test_a_persons_own_keys_are_shown() -> None:
    app = TinyApp(page=lambda: KeysPage("answer"), keys={"ask.again": "ctrl+o"})
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert any("Ctrl+O" in row and "ask again" in row for row in screen(app))


async def test_arrows_move_in_the_list_while_letters_go_into_the_field_and_tab_changes_that() -> None:
    app = TinyApp(page=lambda: KeysPage("answer"))
    async with app.run_test(size=(80, 24)) as pilot:
        page = app.screen
        assert isinstance(page, KeysPage)
        first = page.list.chosen
        await pilot.press("down")
        second = page.list.chosen
        assert second != first
        await pilot.press("tab", "k")
        assert page.list.chosen == first
        await pilot.press("right")
        assert page.list.chosen not in (first, second)
        await pilot.press("slash", "j")
        assert screen(app)[1] == "/ j"


# Commands


async def test_a_few_letters_find_a_command() -> None:
    app = TinyApp(page=commands)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press(*"quit", "enter")
        await pilot.pause()
        assert app.wishes == [CommandChosen("app.quit")]


async def test_a_theme_is_tried_under_the_cursor_and_taken_back() -> None:
    app = TinyApp(page=commands)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press(*"light")
        await pilot.pause()
        assert app.wishes == [ThemeTried("lens-light")]
        await pilot.press("escape")
        await pilot.pause()
        assert app.wishes == [ThemeTried("lens-light"), ThemeTried("lens-dark")]


async def test_a_theme_that_is_chosen_stays() -> None:
    app = TinyApp(page=commands)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press(*"light", "enter")
        await pilot.pause()
        assert app.wishes == [ThemeTried("lens-light"), CommandChosen("theme.lens-light")]


async def test_where_nothing_fits_the_list_says_so_and_enter_does_nothing() -> None:
    app = TinyApp(page=commands)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press(*"zzzz", "enter")
        await pilot.pause()
        assert " nothing of that name" in screen(app)
        assert app.wishes == []
