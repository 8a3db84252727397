"""Where one stands on the search page: at the first hit of each query, at the one gone to, and one step back."""

from lens_tui.requests import OpenFile, Search
from lens_tui.tui.screens.file import FilePage
from tests.tui.searching import HITS, LEXICAL, SearchingEngine, found, open_page, search
from tests.tui.stage import opened, rows, settled, text


async def test_another_query_begins_at_its_first_hit_wherever_the_one_before_has_fallen() -> None:
    engine = SearchingEngine(state=LEXICAL, held=1)
    async with opened(engine) as (app, pilot):
        page = await open_page(app, pilot)
        await pilot.press("a")
        await settled(pilot, lambda: len(engine.sent(Search)) == 2)
        engine.of(Search)[1].put(found("a", retriever="lexical"))
        await settled(pilot, lambda: "Search  5 excerpts" in rows(app)[0])
        await pilot.press("b")
        await settled(pilot, lambda: len(engine.sent(Search)) == 4)
        few, whole = engine.of(Search)[2:]
        assert few.cancelled.is_set()
        whole.put(found("ab", HITS[1:] + HITS[:1], retriever="lexical"))
        await settled(pilot, lambda: not page.waiting)
        assert (page.hits.chosen, page.sought.chosen, page.sought.top) == (0, 0, 0)
        await pilot.press("enter")
        await settled(pilot, lambda: isinstance(app.screen, FilePage))
        assert engine.sent(OpenFile)[-1].path == "house/lease.md"


async def test_who_goes_down_while_meaning_is_still_asked_stays_on_the_hit() -> None:
    engine = SearchingEngine(held=50)
    async with opened(engine) as (app, pilot):
        page = await open_page(app, pilot)
        await pilot.press("a")
        await settled(pilot, lambda: len(engine.sent(Search)) == 2 and "Search  5 excerpts" in rows(app)[0])
        await pilot.press("down")
        engine.of(Search)[1].put(found("a", HITS[::-1]))
        await settled(pilot, lambda: not page.waiting)
        assert (page.hits.chosen, page.sought.hit) == (3, HITS[1])


async def test_esc_closes_why_a_hit_ranks_so_and_then_leaves_the_page() -> None:
    async with opened(SearchingEngine()) as (app, pilot):
        page = await search(app, pilot)
        for to_the_list, back in (("tab", ()), ("down", ("tab",))):
            await pilot.press(to_the_list, "x", *back)
            assert "BM25" in text(app)
            await pilot.press("escape")
            assert app.screen is page
            assert "BM25" not in text(app)
        await pilot.press("escape")
        await settled(pilot, lambda: app.screen is app.main)


async def test_esc_leaves_a_page_that_lists_no_hit_to_give_reasons_for() -> None:
    async with opened(SearchingEngine(by_query={"ab": found("ab", ())})) as (app, pilot):
        page = await search(app, pilot, "a")
        await pilot.press("tab", "x", "slash", "b")
        await settled(pilot, lambda: not page.waiting and "nothing found" in rows(app)[0])
        await pilot.press("escape")
        await settled(pilot, lambda: app.screen is app.main)
