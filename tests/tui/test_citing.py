"""Walking citations: what is current, where it leads, and the way back."""

from dataclasses import replace
from pathlib import Path

from lens_tui.requests import FileText, OpenFile
from lens_tui.tui.screens.file import FilePage
from lens_tui.types import Answered, AnswerText, Citation
from tests.fakes import outlines
from tests.tui.fakes import (
    ANSWER,
    ANSWERED,
    LEASE,
    RETRIEVED,
    Clock,
    ScriptedEngine,
)
from tests.tui.stage import answered, opened, rows, settled, text

LEASE_FILE = FileText(
    path="house/lease.md", text="x" * 399 + "\n" + LEASE, checksum="c0ffee", chunks=outlines((0, 700))
)


async def test_n_p_and_numbers_walk_the_citations() -> None:
    async with opened() as (app, pilot):
        await answered(app, pilot)
        await pilot.press("tab")
        assert app.main.talk.chosen == (0, 0)
        await pilot.press("n", "n")
        assert app.main.talk.chosen == (0, 2)
        await pilot.press("p")
        assert app.main.talk.chosen == (0, 1)
        await pilot.press("2")
        assert app.main.talk.chosen == (0, 4)
        await pilot.press("p", "p", "p", "p", "p", "p")
        assert app.main.talk.chosen == (0, 0)
        assert "first citation" in rows(app)[-1]


async def test_entering_the_answer_shows_which_citation_is_chosen() -> None:
    async with opened() as (app, pilot):
        await answered(app, pilot)
        await pilot.press("tab")
        chat = app.main.chat
        drawn = [
            (piece.tag, chat.inked(number, piece) == "cursor")
            for number in range(chat.count())
            if (line := chat.line(number)) is not None
            for piece in line.pieces
            if "[" in piece.text and piece.tag >= 0
        ]
        assert [tag for tag, cursor in drawn if cursor] == [0]


async def test_the_first_citation_comes_back_into_sight_when_there_is_none_before_it() -> None:
    async with opened(size=(120, 14)) as (app, pilot):
        await answered(app, pilot)
        await pilot.press("f8", "pagedown", "pagedown")
        await pilot.pause()
        assert "13 March 2027 [1≠]" not in text(app)
        await pilot.press("f7")
        await pilot.pause()
        assert "13 March 2027 [1≠]" in text(app)


async def test_a_second_digit_within_half_a_second_belongs_to_the_first() -> None:
    clock = Clock()
    long = "".join(f"Word {number} [{number}]. " for number in range(1, 13))
    from lens_tui.types import Citation, Excerpt

    excerpts = tuple(Excerpt(n, f"f{n}.md", 0, 4, (1, 1), (n,), "Word", (0, 0)) for n in range(1, 13))
    marks = [(long.index(f"[{n}]"), n) for n in range(1, 13)]
    citations = tuple(Citation(at, at + len(f"[{n}]"), n, (0, at), f"f{n}.md", (0, 4), (1, 1)) for at, n in marks)
    from lens_tui.types import AskRetrieved

    engine = ScriptedEngine(
        answer=(AskRetrieved(hits=(), excerpts=excerpts), Answered(text=long, model="m", citations=citations))
    )
    async with opened(engine, clock=clock) as (app, pilot):
        await answered(app, pilot)
        await pilot.press("tab", "1")
        assert app.main.talk.chosen == (0, 0)
        clock.now += 0.3
        await pilot.press("2")
        assert app.main.talk.chosen == (0, 11)
        clock.now += 0.6
        await pilot.press("2")
        assert app.main.talk.chosen == (0, 1)


async def test_f8_walks_citations_while_one_types() -> None:
    async with opened() as (app, pilot):
        await answered(app, pilot)
        await pilot.press("a", "f8", "f8", "b")
        assert app.main.talk.chosen == (0, 1)
        assert app.main.question.text == "ab"
        assert app.focused is app.main.question


async def test_enter_opens_the_file_and_escape_returns_to_the_same_citation() -> None:
    engine = ScriptedEngine(files={"house/lease.md": LEASE_FILE})
    async with opened(engine) as (app, pilot):
        await answered(app, pilot)
        await pilot.press("tab", "n", "enter")
        await settled(pilot, lambda: isinstance(app.screen, FilePage))
        assert engine.sent(OpenFile)[0].path == "house/lease.md"
        await pilot.press("escape")
        await settled(pilot, lambda: app.screen is app.main)
        assert app.main.talk.chosen == (0, 1)
        assert app.focused is app.main.chat


async def test_enter_in_an_empty_question_opens_the_citation_that_f8_led_to_and_the_hint_row_says_so() -> None:
    engine = ScriptedEngine(files={"house/lease.md": LEASE_FILE})
    async with opened(engine) as (app, pilot):
        await answered(app, pilot)
        await pilot.press("enter")
        assert "Write a question first" in rows(app)[-1]
        await pilot.press("f8")
        assert "Enter opens it" in rows(app)[-1]
        await pilot.press("enter")
        await settled(pilot, lambda: isinstance(app.screen, FilePage))
        await pilot.press("escape")
        assert app.focused is app.main.question


async def test_where_a_question_is_being_written_the_hint_row_names_the_way_to_open_a_citation() -> None:
    async with opened(ScriptedEngine(files={"house/lease.md": LEASE_FILE})) as (app, pilot):
        await answered(app, pilot)
        await pilot.press("a", "f8")
        assert "Tab, then Enter opens it" in rows(app)[-1]
        await pilot.press("tab", "enter")
        await settled(pilot, lambda: isinstance(app.screen, FilePage))


async def test_a_file_that_is_gone_is_said_in_the_hint_row() -> None:
    async with opened() as (app, pilot):
        await answered(app, pilot)
        await pilot.press("tab", "enter")
        await settled(pilot, lambda: "house/lease.md is not there any more." in rows(app)[-1])


async def test_under_96_columns_a_citation_opens_the_sheet_and_escape_closes_it() -> None:
    async with opened(size=(80, 24)) as (app, pilot):
        await answered(app, pilot)
        before = rows(app)[2:6]
        await pilot.press("tab")
        await pilot.pause(0.1)
        assert "1 of 3 cited" in text(app)
        assert rows(app)[2:6] == before, "nothing of the answer wraps anew"
        await pilot.press("escape")
        await pilot.pause()
        assert "1 of 3 cited" not in text(app)
        assert app.focused is app.main.chat


async def test_the_chosen_citation_stays_in_sight_above_the_sheet() -> None:
    async with opened(size=(60, 14)) as (app, pilot):
        await answered(app, pilot)
        await pilot.press("tab")
        await pilot.pause(0.1)
        assert "13 March 2027 [1≠]" in text(app)
        assert "house/lease.md" in text(app)


async def test_the_source_of_an_invented_number_is_not_made_up() -> None:
    async with opened(size=(80, 24)) as (app, pilot):
        await answered(app, pilot)
        await pilot.press("tab", "9")
        await pilot.pause(0.1)
        assert not app.main.has_class("-sheet")
        await pilot.press("enter")
        assert "There is no excerpt 9" in rows(app)[-1]


async def test_up_and_down_walk_the_questions_asked_before() -> None:
    async with opened() as (app, pilot):
        await answered(app, pilot, "first?")
        await answered(app, pilot, "second?")
        await pilot.press("h", "up")
        assert app.main.question.text == "second?"
        await pilot.press("up", "up")
        assert app.main.question.text == "first?"
        await pilot.press("down", "down")
        assert app.main.question.text == "h"


async def test_y_copies_what_is_chosen_and_keeps_it_in_a_file(tmp_path: Path) -> None:
    async with opened(data=tmp_path) as (app, pilot):
        await answered(app, pilot)
        await pilot.press("tab", "y")
        await pilot.pause()
        assert "a answer   s with sources   e excerpt   l path:line" in rows(app)[-1]
        await pilot.press("l")
        await settled(pilot, lambda: (tmp_path / "copied.txt").exists())
        assert (tmp_path / "copied.txt").read_text() == "house/lease.md:10"
        await pilot.press("y", "s")
        await settled(pilot, lambda: "Sources:" in (tmp_path / "copied.txt").read_text())
        copied = (tmp_path / "copied.txt").read_text()
        assert copied.startswith(ANSWER)
        assert "[9✗]" not in copied
        assert "[1] house/lease.md:9-" in copied
        assert "[4]" not in copied


async def test_an_invented_citation_leads_nowhere_though_an_excerpt_that_did_not_fit_has_its_number() -> None:
    invented = (Citation(0, 3, 8, (0, 20), verdict="invented"),)
    said = replace(ANSWERED, citations=invented, left_out=1)
    engine = ScriptedEngine(answer=(RETRIEVED, AnswerText(text=ANSWER), said))
    async with opened(engine) as (app, pilot):
        await answered(app, pilot)
        await pilot.press("tab", "enter")
        assert "There is no excerpt 8 to open." in rows(app)[-1]
        assert not isinstance(app.screen, FilePage)
