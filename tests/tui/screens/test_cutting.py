"""The chunk lens of a file's page: borders shown, another strategy tried, taken over for the folder."""

from dataclasses import replace

from textual.message import Message
from textual.pilot import Pilot

from lens_tui.chunk_requests import CutFile, FileCut, Recut, RecutCost
from lens_tui.options import STRATEGY_NAMES, ChunkOptions
from lens_tui.requests import Event, FileText
from lens_tui.tui.messages import BordersShown, FindNews, FindWish
from lens_tui.tui.screens.file import FilePage
from lens_tui.types import Failed
from tests.fakes import outlines
from tests.tui.tiny import TinyApp, row_text

TEXT = "# Lease\n\nThe term is two years.\n\nThe rent may be raised once.\n\n" + "A line of the lease.\n" * 60
RENT = TEXT.index("The rent")
FILE = FileText(
    path="lease.md",
    text=TEXT,
    checksum="x",
    chunks=outlines((0, RENT - 2), (RENT, len(TEXT) - 1)),
    cut="paragraph 220/40",
    options=ChunkOptions(strategy="paragraph"),
)
TRIED = FileCut(path="lease.md", checksum="x", told="fixed 512/64", tokenizer="offline", chunks=outlines((0, 400)))


def lease() -> FilePage:
    return FilePage(FILE)


def page(app: TinyApp) -> FilePage:
    assert isinstance(app.screen_stack[1], FilePage)
    return app.screen_stack[1]


def screen(app: TinyApp) -> list[str]:
    return [row_text(app, y).rstrip() for y in range(app.size.height)]


def wishes(app: TinyApp) -> list[Message]:
    return [wish for wish in app.wishes if not isinstance(wish, BordersShown)]


async def answer(app: TinyApp, pilot: Pilot[object], event: Event) -> None:
    """Answer the newest wish as the engine would."""
    wish = wishes(app)[-1]
    assert isinstance(wish, FindWish)
    page(app).find_news(FindNews(wish.page, wish.request, wish.number, event))
    await pilot.pause()
    await pilot.pause()


async def test_c_shows_and_hides_the_borders_and_the_line_stays_where_it_is() -> None:
    app = TinyApp(page=lease)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        page(app).view.go_to_line(3)
        await pilot.press("c")
        rows = screen(app)
        assert rows[1].startswith("     ─ chunk 1 of 2 · ")
        assert rows[1].endswith("─ shares 0 ─")
        assert rows[2] == "    1   # Lease"
        assert rows[6].startswith("     ─ chunk 2 of 2 · ")
        assert page(app).view.line == 3
        await pilot.press("c")
        assert screen(app)[1] == "    1   # Lease"
        assert page(app).view.line == 3
        assert app.wishes == [BordersShown(True), BordersShown(False)]


async def test_borders_are_passed_over_by_moves_and_come_into_sight_with_what_they_open() -> None:
    app = TinyApp(page=lambda: FilePage(FILE, borders=True))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.press(*"jjjj")
        assert page(app).view.line == 5
        await pilot.press("k")
        assert page(app).view.line == 4
        await pilot.press("end", "home")
        assert screen(app)[1].startswith("     ─ chunk 1 of 2")
        assert page(app).view.line == 1


async def test_s_tries_one_strategy_after_the_other_and_comes_back_to_the_index() -> None:
    app = TinyApp(page=lease)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        others = [name for name in STRATEGY_NAMES if name != "paragraph"]
        for name in others:
            await pilot.press("s")
            wish = wishes(app)[-1]
            assert isinstance(wish, FindWish)
            assert wish.request == CutFile(path="lease.md", options=ChunkOptions(strategy=name))
            await answer(app, pilot, replace(TRIED, told=f"{name} 9/9"))
            assert screen(app)[0].endswith(f"{name} 9/9, tried")
            assert "chunk 1 of 1" in screen(app)[1]
        await pilot.press("s")
        assert len(wishes(app)) == len(others)
        assert screen(app)[0].endswith("  paragraph 220/40")
        assert "chunk 1 of 2" in screen(app)[1]


async def test_what_was_chosen_is_named_first_where_another_strategy_cuts_this_file() -> None:
    app = TinyApp(page=lambda: FilePage(replace(FILE, cut="markdown 256/0", options=ChunkOptions(strategy="auto"))))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert screen(app)[0].endswith("  auto (here: markdown 256/0)")
        for _ in range(STRATEGY_NAMES.index("code")):
            await pilot.press("s")
        await answer(app, pilot, replace(TRIED, told="paragraph 384/0, minimum 50"))
        assert screen(app)[0].endswith("  code (here: paragraph 384/0), tried")
        await pilot.press("t")
        await answer(app, pilot, RecutCost(files=17, chunks=40, seconds=2.0))
        assert page(app).cutting.cost.startswith("cut 17 files by code: ")


async def test_while_a_strategy_is_tried_the_hints_name_the_key_that_takes_it_over() -> None:
    app = TinyApp(page=lease)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert screen(app)[23] == " / find   g line   c chunks   s strategy   t take over   e editor   Esc back"
        await pilot.press("s")
        await answer(app, pilot, TRIED)
        assert screen(app)[23].startswith(" s next strategy   t take over   ")
        assert screen(app)[23].endswith("   Esc back")
        for _ in range(len(STRATEGY_NAMES) - 1):
            await pilot.press("s")
        assert "take over" not in screen(app)[23]


async def test_what_is_taken_over_is_what_is_shown_while_the_next_strategy_is_on_its_way() -> None:
    app = TinyApp(page=lease)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.press("s")
        await answer(app, pilot, replace(TRIED, told="auto 9/9"))
        await pilot.press("s")
        assert screen(app)[0].endswith("  auto 9/9, tried")
        await pilot.press("t")
        wish = wishes(app)[-1]
        assert isinstance(wish, FindWish)
        assert wish.request == Recut(options=ChunkOptions(strategy="auto"), ask=True)


async def test_an_answer_to_what_is_no_longer_asked_changes_nothing() -> None:
    app = TinyApp(page=lease)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.press("s")
        first = wishes(app)[-1]
        assert isinstance(first, FindWish)
        await pilot.press("s")
        page(app).find_news(FindNews(first.page, first.request, first.number, TRIED))
        await pilot.pause()
        assert screen(app)[0].endswith("  paragraph 220/40")


async def test_a_failure_is_said_and_the_borders_stay() -> None:
    app = TinyApp(page=lease)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.press("s")
        await answer(app, pilot, Failed(message="Nothing answers.", hint="Start Ollama."))
        assert screen(app)[23] == " Nothing answers. Start Ollama."
        assert "chunk 1 of 2" in screen(app)[1]


async def test_taking_it_over_says_what_it_costs_first_and_does_nothing_without_a_yes() -> None:
    app = TinyApp(page=lease)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await pilot.press("t")
        assert wishes(app) == []
        await pilot.press(*"s")
        await answer(app, pilot, TRIED)
        options = ChunkOptions(strategy=STRATEGY_NAMES[0])
        cost = RecutCost(files=2254, chunks=11_000, seconds=40.0, vectors=11_000, vector_seconds=1_200.0)
        for key, asked in (("escape", True), ("y", False)):
            await pilot.press("t")
            wish = wishes(app)[-1]
            assert isinstance(wish, FindWish)
            assert wish.request == Recut(options=options, ask=True)
            await answer(app, pilot, cost)
            said = f"cut 2,254 files by {options.strategy}: 11,000 chunks, 40 s; 11,000 vectors, 20 min"
            assert page(app).cutting.cost == said
            assert screen(app)[23].startswith(" y cut the folder so")
            await pilot.press(key)
            await pilot.pause()
            newest = wishes(app)[-1]
            assert isinstance(newest, FindWish)
            assert newest.request == Recut(options=options, ask=asked)
            assert page(app).cutting.cost == ""
