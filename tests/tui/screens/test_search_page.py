"""Searching as one types: what is sent, what is listed, where Enter leads, and what is there again afterwards."""

import asyncio
from dataclasses import replace

from textual import events

from lens_tui.requests import Found, OpenFile, Related, Remember, Search
from lens_tui.settings import Settings
from lens_tui.tui.app import LensApp
from lens_tui.tui.landing import Landing
from lens_tui.tui.screens.file import FilePage
from lens_tui.tui.screens.related import RelatedPage
from lens_tui.tui.screens.search import FEW, SearchPage
from lens_tui.types import Failed, Reason, SearchHit
from tests.tui.fakes import INDEXING
from tests.tui.searching import HITS, LEXICAL, QUERY, SearchingEngine, found, search
from tests.tui.stage import answered, opened, rows, settled, text


def row_of(app: LensApp, words: str) -> str:
    return next((row for row in rows(app) if words in row), "")


async def test_it_searches_at_each_letter_and_the_newest_query_wins() -> None:
    engine = SearchingEngine(state=LEXICAL, held=1)
    async with opened(engine) as (app, pilot):
        await pilot.press("slash")
        await settled(pilot, lambda: isinstance(app.screen, SearchPage))
        await pilot.press("a", "b")
        await settled(pilot, lambda: [(one.query, one.k) for one in engine.sent(Search)[-1:]] == [("ab", 50)])
        first, *_, last = engine.of(Search)
        await settled(pilot, first.cancelled.is_set)
        assert engine.sent(Search)[0].query == "a"
        assert not last.cancelled.is_set()
        last.put(found("ab", HITS[1:2]))
        await settled(pilot, lambda: "house/lease.md:12" in text(app))
        first.put(found("a", HITS[3:4]))
        await pilot.pause(0.05)
        assert "offers.md" not in text(app)


async def test_the_engine_is_asked_for_a_whole_list_of_what_is_indexed_now() -> None:
    engine = SearchingEngine(state=LEXICAL)
    async with opened(engine) as (app, pilot):
        await search(app, pilot, "ab")
        assert {request.fresh for request in engine.sent(Search)} == {False}
        assert engine.sent(Search)[-1].k == 50


async def test_a_letter_asks_for_few_hits_and_the_rest_of_the_list_follows_once_the_keys_rest() -> None:
    engine = SearchingEngine(state=LEXICAL, by_query={"a": found("a", HITS[:2], retriever="lexical")}, held=50)
    async with opened(engine) as (app, pilot):
        await pilot.press("slash")
        await settled(pilot, lambda: isinstance(app.screen, SearchPage))
        await pilot.press("a")
        await settled(pilot, lambda: "Search  2 excerpts" in rows(app)[0])
        await pilot.press("down")
        await settled(pilot, lambda: len(engine.sent(Search)) == 2)
        few, whole = engine.sent(Search)
        assert (few.k, few.query, few.explain) == (FEW, "a", False)
        assert whole == replace(few, k=50, retriever=None)
        engine.of(Search)[1].put(found("a", retriever="lexical"))
        await settled(pilot, lambda: "Search  5 excerpts" in rows(app)[0])
        page = app.screen
        assert isinstance(page, SearchPage)
        assert page.hits.chosen == 1


async def test_why_a_hit_ranks_so_is_asked_for_only_where_it_is_wanted() -> None:
    engine = SearchingEngine(state=LEXICAL)
    async with opened(engine) as (app, pilot):
        page = await search(app, pilot, "ab")
        assert not any(request.explain for request in engine.sent(Search))
        await pilot.press("tab", "x")
        await settled(pilot, lambda: engine.sent(Search)[-1].explain and not page.waiting)
        assert engine.sent(Search)[-1].query == "ab"
        await pilot.press("slash", "c")
        await settled(pilot, lambda: (engine.sent(Search)[-1].query, engine.sent(Search)[-1].explain) == ("abc", True))


async def test_words_answer_at_once_and_meaning_after_a_pause() -> None:
    engine = SearchingEngine()
    async with opened(engine) as (app, pilot):
        page = await search(app, pilot, "ab")
        asked = [(request.query, request.retriever) for request in engine.sent(Search)]
        assert asked[0] == ("a", "lexical")
        assert asked[-2:] == [("ab", "lexical"), ("ab", None)]
        assert page.sought.found is not None
        assert page.sought.found.retriever == "hybrid"
        assert "words and meaning" in rows(app)[0]


async def test_a_hit_stands_with_place_reasons_snippet_and_its_words_bold() -> None:
    async with opened(SearchingEngine()) as (app, pilot):
        await search(app, pilot)
        assert "Search  5 excerpts in 5 files · 3 ms" in rows(app)[0]
        assert " 1  house/letters/2024.md:3" in row_of(app, "2024.md:3")
        assert "words 1, meaning 4 │" in row_of(app, "2024.md:3")
        strip = app.screen._compositor.render_strips()[rows(app).index(row_of(app, "We confirm three"))]
        bold = [s.text for s in strip if s.style is not None and s.style.bold]
        assert bold[:3] == ["three", "months'", "notice"]


async def test_the_file_stands_beside_with_the_lines_around() -> None:
    engine = SearchingEngine()
    async with opened(engine) as (app, pilot):
        page = await search(app, pilot)
        hit = page.sought.hit
        assert hit is not None
        await settled(pilot, lambda: page.preview.knows(hit))
        await pilot.pause(0.05)
        assert "Dear Ms Okafor," in text(app)
        assert "   3 ▏ We confirm three" in text(app)


async def test_arrows_choose_from_the_field_and_enter_opens_the_file_at_the_hit() -> None:
    async with opened(SearchingEngine()) as (app, pilot):
        page = await search(app, pilot)
        await pilot.press("down", "enter")
        await settled(pilot, lambda: isinstance(app.screen, FilePage))
        file = app.screen
        assert isinstance(file, FilePage)
        await settled(pilot, lambda: file.view.line == 12)
        assert "2 of 5" in text(app)
        assert page.landing(file.file, Landing(line=12)).word == HITS[1].text.index("notice")
        assert "n p hit" in rows(app)[-1]
        await pilot.press("escape")
        await settled(pilot, lambda: app.screen is page)
        assert page.hits.chosen == 1
        assert page.field.typing


async def test_n_and_p_in_the_file_walk_the_hits_and_stop_at_the_ends() -> None:
    async with opened(SearchingEngine()) as (app, pilot):
        page = await search(app, pilot)
        await pilot.press("enter")
        await settled(pilot, lambda: isinstance(app.screen, FilePage))
        await pilot.press("n")
        await settled(pilot, lambda: "house/lease.md  line 12" in text(app))
        assert page.sought.chosen == 1
        await pilot.press("p", "p")
        await settled(pilot, lambda: "This is the first hit." in text(app))


async def test_enter_before_the_hits_are_there_opens_the_first_when_it_comes() -> None:
    engine = SearchingEngine(state=LEXICAL, held=1)
    async with opened(engine) as (app, pilot):
        await pilot.press("slash")
        await settled(pilot, lambda: isinstance(app.screen, SearchPage))
        await pilot.press("a", "enter")
        await settled(pilot, lambda: [request.k for request in engine.sent(Search)[-1:]] == [50])
        engine.of(Search)[-1].put(found("a"))
        await settled(pilot, lambda: isinstance(app.screen, FilePage))
        assert engine.sent(OpenFile)[-1].path == "house/letters/2024.md"


async def test_letters_typed_in_one_burst_with_the_key_of_the_page_are_all_in_its_field() -> None:
    engine = SearchingEngine(state=LEXICAL)
    async with opened(engine) as (app, pilot):
        for sign in "/notice":
            app.post_message(events.Key("slash" if sign == "/" else sign, sign))
            await asyncio.sleep(0.002)
        await settled(pilot, lambda: app.sought.query == "notice")
        assert app.main.question.text == ""


async def test_query_and_place_are_there_again_and_typing_replaces_the_query() -> None:
    async with opened(SearchingEngine()) as (app, pilot):
        page = await search(app, pilot)
        await pilot.press("down", "down", "escape")
        await settled(pilot, lambda: app.screen is app.main)
        await pilot.press("slash")
        await settled(pilot, lambda: isinstance(app.screen, SearchPage) and app.screen is not page)
        again = app.screen
        assert isinstance(again, SearchPage)
        await settled(pilot, lambda: not again.waiting and again._later is None)
        assert again.field.text == QUERY
        assert again.hits.chosen == 2
        await pilot.press("x")
        assert again.field.text == "x"


async def test_a_slash_in_the_middle_of_a_question_is_a_slash() -> None:
    async with opened(SearchingEngine()) as (app, pilot):
        await pilot.press("a", "slash", "b")
        assert app.main.question.text == "a/b"
        assert app.screen is app.main


async def test_in_the_list_letters_are_commands() -> None:
    engine = SearchingEngine()
    async with opened(engine) as (app, pilot):
        page = await search(app, pilot)
        await pilot.press("tab")
        assert page.focused is page.hits
        await pilot.press("j", "l")
        await settled(pilot, lambda: isinstance(app.screen, RelatedPage))
        assert engine.sent(Related)[-1] == Related(path="house/lease.md", line=12, k=20, fresh=False)
        await settled(pilot, lambda: "日記/2024-03.md:7" in text(app))
        assert "like house/lease.md:12" in rows(app)[1]
        await pilot.press("escape")
        await settled(pilot, lambda: app.screen is page)
        await pilot.press("slash")
        assert page.field.typing


async def test_x_says_why_the_current_hit_ranks_so_and_follows_it() -> None:
    async with opened(SearchingEngine()) as (app, pilot):
        page = await search(app, pilot)
        await pilot.press("tab", "x")
        assert "words     rank 1, BM25 10.00" in text(app)
        assert "meaning   rank 4, cosine 2.50" in text(app)
        assert "matched   three, months', notice" in text(app)
        await pilot.press("down")
        assert "words     rank 2, BM25 5.00" in text(app)
        assert "rank 1, BM25" not in text(app)
        await pilot.press("x")
        assert "rank 2, BM25" not in text(app)
        assert not page.sought.explained


async def test_the_same_hits_found_again_are_not_laid_out_anew() -> None:
    engine = SearchingEngine(state=LEXICAL)
    async with opened(engine) as (app, pilot):
        page = await search(app, pilot, "ab")
        laid, asked = page.hits._lines, len(engine.sent(Search))
        page.send(stay=True)
        await settled(pilot, lambda: len(engine.sent(Search)) > asked and not page.waiting)
        assert page.hits._lines is laid
        page.sought.query = "other"
        engine._by_query["other"] = found("other", HITS[1:], retriever="lexical")
        page.send()
        await settled(pilot, lambda: page.hits._lines is not laid)


async def test_w_shows_whole_sections_and_excerpts_again() -> None:
    engine = SearchingEngine(state=LEXICAL)
    async with opened(engine) as (app, pilot):
        page = await search(app, pilot, "ab")
        assert not any(request.section for request in engine.sent(Search))
        await pilot.press("tab", "w")
        await settled(pilot, lambda: engine.sent(Search)[-1].section and not page.waiting)
        assert "5 sections in 5 files" in rows(app)[0]
        assert rows(app)[0].rstrip().endswith("words · whole sections")
        before = len(engine.sent(Search))
        await pilot.press("slash", "c")
        await settled(pilot, lambda: len(engine.sent(Search)) > before and not page.waiting)
        assert [(one.query, one.section) for one in engine.sent(Search)[before:]] == [("abc", True)]
        await pilot.press("tab", "w")
        await settled(pilot, lambda: not engine.sent(Search)[-1].section and not page.waiting)
        assert "5 excerpts in 5 files" in rows(app)[0]


async def test_ctrl_r_goes_round_the_rankings_and_is_kept() -> None:
    engine = SearchingEngine()
    async with opened(engine) as (app, pilot):
        page = await search(app, pilot, "ab")
        for expected, drawn in (("vector", "meaning"), ("lexical", "words"), ("hybrid", "words and meaning")):
            await pilot.press("ctrl+r")
            await settled(pilot, lambda: not page.waiting and page._later is None)
            assert engine.sent(Search)[-1].retriever == expected
            assert rows(app)[0].rstrip().endswith(f"  {drawn}")
        kept = [request.state["ranking"] for request in engine.sent(Remember) if "ranking" in request.state]
        assert kept == ["vector", "lexical", "hybrid"]


async def test_without_an_embedding_model_ctrl_r_says_how_to_get_one_also_where_it_is_narrow() -> None:
    engine = SearchingEngine(state=LEXICAL)
    async with opened(engine, size=(80, 24)) as (app, pilot):
        await search(app, pilot, "ab")
        before = len(engine.sent(Search))
        await pilot.press("ctrl+r")
        assert rows(app)[-1].rstrip() == " Only by words. To find by meaning too: ollama pull embeddinggemma"
        assert len(engine.sent(Search)) == before
        assert rows(app)[0].rstrip().endswith("  words")


async def test_nothing_found_says_why_and_how_far_the_folder_is_read() -> None:
    nothing = found("type:md", (), retriever="lexical", notes=("No file matches type:md.",))
    engine = SearchingEngine(state=INDEXING, by_query={"type:md": nothing})
    async with opened(engine) as (app, pilot):
        await search(app, pilot, "type:md")
        assert " No file matches type:md. 312 of 412 files read so far." in text(app)
        assert "nothing found" in rows(app)[0]
        assert rows(app)[2].endswith(" 312 of 412 files read so far ─")
        assert rows(app)[2].startswith("━━━━")


async def test_what_was_searched_in_the_place_of_a_word_stands_in_the_rule() -> None:
    note = "Not in the index: notise; similar words were searched: notice."
    similar = found("notise", retriever="lexical", notes=(note,))
    async with opened(SearchingEngine(state=LEXICAL, by_query={"notise": similar})) as (app, pilot):
        await search(app, pilot, "notise")
        assert f"─ {note} ─" in rows(app)[2]


async def test_a_failure_stands_where_the_hits_would() -> None:
    failed = Failed(message="The engine ended as it was asked.", hint="Its log says why.")
    async with opened(SearchingEngine(state=LEXICAL, by_query={"a": failed})) as (app, pilot):
        await pilot.press("slash")
        await settled(pilot, lambda: isinstance(app.screen, SearchPage))
        await pilot.press("a")
        await settled(pilot, lambda: "✗ The engine ended as it was asked. Its log says why." in text(app))


async def test_a_citation_leads_to_passages_like_it() -> None:
    engine = SearchingEngine()
    async with opened(engine) as (app, pilot):
        await answered(app, pilot)
        await pilot.press("tab", "l")
        await settled(pilot, lambda: isinstance(app.screen, RelatedPage))
        assert engine.sent(Related)[-1].path == "house/lease.md"
        await settled(pilot, lambda: "words 2" in row_of(app, "lease.md:12"))
        await pilot.press("escape")
        await settled(pilot, lambda: app.screen is app.main)
        assert app.focused is app.main.chat


async def test_related_passages_stand_beside_the_ranks_that_order_them() -> None:
    both = replace(HITS[0], why={"lexical": Reason(2, 9.0), "vector": Reason(1, 0.7)})
    engine = SearchingEngine(state=LEXICAL, like=Found(query="", k=20, retriever="hybrid", hits=(both, HITS[3])))
    async with opened(engine, size=(80, 24)) as (app, pilot):
        await answered(app, pilot)
        await pilot.press("tab", "l")
        await settled(pilot, lambda: "words 2, likeness 1" in row_of(app, "2024.md:"))
        assert "words and likeness together" in rows(app)[0]
        assert row_of(app, "offers.md:").rstrip().endswith("likeness 1")


async def test_at_80_columns_the_list_has_the_whole_width() -> None:
    async with opened(SearchingEngine(), size=(80, 24)) as (app, pilot):
        page = await search(app, pilot)
        assert page.hits.size.width == 80
        assert "Dear Ms Okafor" not in text(app)


async def test_the_headings_above_a_hit_stand_beside_its_place_as_far_as_there_is_room() -> None:
    titles = ("Header", "encode"), ("A chapter of many words", "Notice and what it is not, told in full"), ("Letters",)
    paths = "email/header.py", "house/lease.md", "a/very/long/way/to/a/letter-of-a-landlord-of-two-thousand.md"
    hits = [replace(HITS[1], heading=heading, path=path, id=path) for heading, path in zip(titles, paths, strict=True)]
    async with opened(SearchingEngine(by_query={QUERY: found(QUERY, hits)}), size=(80, 24)) as (app, pilot):
        await search(app, pilot)
        assert "email/header.py:12  Header > encode   " in row_of(app, "header.py")
        assert "house/lease.md:12  Notice and what it is not, told in full   " in row_of(app, "lease.md")
        assert "Letters" not in row_of(app, "letter-of-a-landlord")
        assert all(row.rstrip().endswith("words 2") for row in rows(app) if ".md:12" in row or ".py:12" in row)


async def test_source_code_keeps_its_shape_and_wide_text_its_words() -> None:
    async with opened(SearchingEngine(), size=(80, 24)) as (app, pilot):
        await search(app, pilot)
        shown = rows(app)
        place = shown.index(row_of(app, "def sort_dict"))
        assert shown[place + 1].startswith('        """Sort by notice."""')
        assert "大家さんに三か月前のnoticeを書面で送ること。返事は四月まで待つ。" in text(app)


async def test_a_file_that_changed_since_it_was_searched_is_opened_without_marks() -> None:
    engine = SearchingEngine(by_query={QUERY: found(QUERY, (changed(),))})
    async with opened(engine) as (app, pilot):
        await search(app, pilot)
        await pilot.press("enter")
        await settled(pilot, lambda: isinstance(app.screen, FilePage))
        await pilot.pause(0.05)
        assert "changed since it was searched" in text(app)
        assert "▏" not in text(app)


def changed() -> SearchHit:
    return replace(HITS[0], checksum="other")


async def test_the_setting_for_the_retriever_is_what_a_search_begins_with() -> None:
    engine = SearchingEngine()
    async with opened(engine, search_retriever="vector") as (app, pilot):
        assert isinstance(app.settings, Settings)
        await search(app, pilot, "ab")
        assert {request.retriever for request in engine.sent(Search)} == {"vector"}
