"""Writing, sending, moving about and leaving: what a person does from the question box."""

import pytest
from textual import events

from lens_tui.history import Conversation, Turn
from lens_tui.requests import Ask, Remember, Talk
from lens_tui.types import Answered
from tests.tui.fakes import (
    ANSWERED,
    QUESTION,
    QUOTED,
    RETRIEVED,
    Clock,
    ScriptedEngine,
)
from tests.tui.stage import answered, ask, opened, rows, settled, text


async def test_a_second_question_waits_in_the_box_while_an_answer_comes() -> None:
    engine = ScriptedEngine(answer=None)
    async with opened(engine) as (app, pilot):
        await ask(app, pilot)
        await ask(app, pilot, "And the deposit?")
        assert app.main.question.text == "And the deposit?"
        assert len(engine.of(Ask)) == 1
        assert "Esc stops it" in rows(app)[-1]


@pytest.mark.parametrize(
    ("key", "character", "title"),
    [
        ("colon", ":", "Commands"),
        ("question_mark", "?", "Keys"),
        ("fullwidth_question_mark", "？", "Keys"),
        ("fullwidth_colon", "：", "Commands"),
    ],
)
async def test_an_empty_box_takes_signs_as_commands(key: str, character: str, title: str) -> None:
    async with opened() as (app, pilot):
        app.post_message(events.Key(key, character))
        await settled(pilot, lambda: app.screen is not app.main)
        await pilot.pause()
        assert rows(app)[0].strip().startswith(title)
        assert app.main.question.text == ""


async def test_a_box_with_words_writes_the_signs() -> None:
    async with opened() as (app, pilot):
        await pilot.press("a", "question_mark", "colon", "slash")
        assert app.main.question.text == "a?:/"


async def test_ctrl_j_begins_a_line_and_enter_sends_both() -> None:
    engine = ScriptedEngine()
    async with opened(engine) as (app, pilot):
        await pilot.press("a", "ctrl+j", "b")
        assert app.main.question.text == "a\nb"
        await pilot.press("enter")
        await settled(pilot, lambda: bool(engine.of(Ask)))
        assert engine.sent(Ask)[0].question == "a\nb"


async def test_an_empty_question_is_refused_in_one_sentence() -> None:
    engine = ScriptedEngine()
    async with opened(engine) as (app, pilot):
        await pilot.press("enter")
        await pilot.pause()
        assert "Write a question first" in rows(app)[-1]
        assert not engine.of(Ask)


async def test_a_question_of_100000_characters_is_refused_and_kept() -> None:
    engine = ScriptedEngine()
    async with opened(engine) as (app, pilot):
        app.main.question.write("x " * 50_000)
        await pilot.press("enter")
        await pilot.pause()
        assert "99,999 characters" in text(app)
        assert len(app.main.question.text) == 100_000
        assert not engine.of(Ask)


async def test_a_paste_anywhere_goes_into_the_question() -> None:
    async with opened() as (app, pilot):
        await answered(app, pilot)
        await pilot.press("tab")
        app.post_message(events.Paste("a pasted\nquestion"))
        await settled(pilot, lambda: app.main.question.text == "a pasted\nquestion")
        assert app.focused is app.main.question


async def test_a_letter_without_meaning_says_how_to_write() -> None:
    async with opened() as (app, pilot):
        await answered(app, pilot)
        await pilot.press("tab", "w")
        await pilot.pause()
        assert "i to write a question" in rows(app)[-1]
        await pilot.press("i")
        assert app.focused is app.main.question


async def test_tab_goes_question_answer_sources_files_and_round() -> None:
    async with opened() as (app, pilot):
        await answered(app, pilot)
        seen = []
        for _ in range(4):
            await pilot.press("tab")
            seen.append(app.main.part)
        assert seen == ["answer", "sources", "files", "question"]
        await pilot.press("shift+tab")
        assert app.main.part == "files"


async def test_ctrl_c_stops_then_asks_for_a_second_press_then_quits() -> None:
    engine = ScriptedEngine(answer=None)
    clock = Clock()
    async with opened(engine, clock=clock) as (app, pilot):
        await ask(app, pilot)
        await settled(pilot, lambda: bool(engine.of(Ask)))
        await pilot.press("ctrl+c")
        assert engine.one(Ask).cancelled.is_set()
        await settled(pilot, lambda: app.main.running is None)
        await pilot.press("ctrl+c")
        await pilot.pause()
        assert "once more quits" in rows(app)[-1]
        assert app.is_running
        clock.now += 3
        await pilot.press("ctrl+c")
        assert app.is_running
        clock.now += 1
        await pilot.press("ctrl+c")
        await settled(pilot, lambda: app.return_code == 0)


async def test_quitting_keeps_the_unsent_question() -> None:
    engine = ScriptedEngine()
    async with opened(engine) as (_, pilot):
        await pilot.press("h", "i", "ctrl+q")
        await settled(pilot, lambda: any(r.state.get("question") == "hi" for r in engine.sent(Remember)))


async def test_the_last_conversation_and_the_unsent_question_come_back() -> None:
    turn = Turn(1, QUESTION, 0.0, RETRIEVED, ANSWERED)
    talk = Talk(conversation=Conversation(1, "Lease", (turn,)), state={"question": "and then"})
    async with opened(ScriptedEngine(talk=talk)) as (app, pilot):
        await settled(pilot, lambda: bool(app.main.talk.turns))
        await pilot.pause(0.1)
        assert "The lease ends on 13 March 2027 [1" in text(app)
        assert app.main.question.text == "and then"


async def test_the_place_and_the_hidden_panels_come_back() -> None:
    turns = tuple(
        Turn(number, f"Question {number}?", 0.0, None, Answered(text="word " * 80, model="m")) for number in range(20)
    )
    talk = Conversation(1, "", turns)
    engine = ScriptedEngine(talk=Talk(conversation=talk))
    async with opened(engine) as (app, pilot):
        await settled(pilot, lambda: len(app.main.talk.turns) == 20)
        await pilot.press("f2", "f2")
        app.main.chat.place(app.main.chat._rows.start(7))
        await pilot.press("ctrl+q")
        await settled(pilot, lambda: app.return_code == 0)
    state = engine.sent(Remember)[-1].state
    assert state["hidden"] == ["-no-files"]
    async with opened(ScriptedEngine(talk=Talk(conversation=talk, state=state))) as (app, pilot):
        await settled(pilot, lambda: "Question 7?" in rows(app)[1])
        assert not app.main.query_one("#files-column").display


async def test_ctrl_u_empties_the_question_and_ctrl_underscore_brings_it_back() -> None:
    async with opened(size=(80, 24)) as (app, pilot):
        written = "a question " * 20 + "\nof two lines"
        app.main.question.write("")
        app.main.question.insert(written)
        await pilot.press("ctrl+u")
        assert app.main.question.text == ""
        await pilot.press("ctrl+underscore")
        assert app.main.question.text == written


async def test_a_question_that_is_too_long_is_told_before_it_is_sent() -> None:
    async with opened(size=(100, 24)) as (app, pilot):
        app.main.question.insert("x" * 16_001)
        await settled(pilot, lambda: "This question has 16,001 characters; at most 16,000 can be asked." in text(app))
        await pilot.press("backspace")
        await pilot.pause()
        assert "at most 16,000" not in text(app)


async def test_quotes_taller_than_the_window_are_read_from_their_beginning() -> None:
    async with opened(ScriptedEngine(answer=(RETRIEVED, QUOTED)), size=(60, 14)) as (app, pilot):
        await answered(app, pilot)
        assert rows(app)[0].startswith(" › When does the lease end")
        await pilot.press("i")
        await answered(app, pilot, "And the second one?")
        assert rows(app)[0].startswith(" › And the second one?")
