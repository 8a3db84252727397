"""Answers, failures, work that runs and screens of every size, as the whole app draws them."""

import threading
from dataclasses import replace

from lens_tui.history import Conversation, Turn
from lens_tui.requests import Ask, FolderNews, Talk, Watch
from lens_tui.tui.messages import IndexMoved
from lens_tui.tui.signs import ASCII
from lens_tui.types import Answered, AnswerStep, AnswerText, Failed, ModelChoice
from tests.tui.fakes import (
    ANSWER,
    ANSWERED,
    CITATIONS,
    IDLE,
    INDEXING,
    MODEL,
    NO_MODEL,
    QUESTION,
    QUOTED,
    RETRIEVED,
    ROWS,
    Clock,
    ScriptedEngine,
)
from tests.tui.stage import answered, ask, opened, rows, settled, text


async def test_a_question_is_answered_with_its_sources_beside_it() -> None:
    async with opened() as (app, pilot):
        await answered(app, pilot)
        assert "› When does the lease end, and what notice do I owe?" in text(app)
        assert "8 excerpts, 3 cited" in text(app)
        assert "house/lease.md:9" in text(app)
        assert "[9✗]" in text(app)
        assert "there is no excerpt 9; the model had 8" in text(app)
        assert "tell the neighbours [–]." in text(app)


async def test_the_focus_stays_in_the_question_while_an_answer_comes() -> None:
    async with opened() as (app, pilot):
        await answered(app, pilot)
        assert app.focused is app.main.question
        assert app.main.question.text == ""


async def test_what_was_judged_is_counted_and_the_worst_is_said_in_words() -> None:
    async with opened() as (app, pilot):
        await answered(app, pilot)
        shown = text(app)
        assert "13 March 2027 [1≠]" in shown
        assert "≠ [1] lease.md says 31 March 2027" in shown
        assert "✓ 1 of 6 citations supported · 1 sentence has none" in shown


async def test_what_is_not_judged_is_not_called_supported() -> None:
    kept = tuple(replace(citation, verdict=None, why=None) for citation in CITATIONS[:5])
    engine = ScriptedEngine(answer=(RETRIEVED, AnswerText(text=ANSWER), replace(ANSWERED, citations=kept)))
    async with opened(engine) as (app, pilot):
        await answered(app, pilot)
        assert "supported" not in text(app)
        assert "4 of 5 citations traced · 1 sentence has none" in text(app)


async def test_the_excerpts_stand_there_before_the_first_word() -> None:
    engine = ScriptedEngine(answer=None)
    async with opened(engine) as (app, pilot):
        await ask(app, pilot)
        engine.one(Ask).put(RETRIEVED)
        await settled(pilot, lambda: "8 excerpts found" in text(app))
        assert "The term is two years." in text(app)


async def test_an_unfinished_mark_is_held_back() -> None:
    engine = ScriptedEngine(answer=None)
    async with opened(engine) as (app, pilot):
        await ask(app, pilot)
        call = engine.one(Ask)
        call.put(RETRIEVED, AnswerText(text="The lease ends [1"))
        await settled(pilot, lambda: "The lease ends" in text(app))
        assert "[1" not in text(app)
        call.put(AnswerText(text="]. And"))
        await settled(pilot, lambda: "The lease ends [1]. And" in text(app))


async def test_escape_stops_an_answer_and_keeps_what_arrived() -> None:
    engine = ScriptedEngine(answer=None)
    async with opened(engine) as (app, pilot):
        await ask(app, pilot)
        call = engine.one(Ask)
        call.put(RETRIEVED, AnswerText(text="The lease ends on"))
        await settled(pilot, lambda: "The lease ends on" in text(app))

        def stopped() -> None:
            call.put(Answered(text="The lease ends on", model="qwen3:4b", stopped=True, seconds=4.2))
            call.end()

        call.on_cancel = stopped
        await pilot.press("escape")
        await settled(pilot, lambda: "Stopped by you after 4 s" in text(app))
        assert call.cancelled.is_set()
        assert "The lease ends on" in text(app)


async def test_events_of_a_turn_that_is_gone_are_dropped() -> None:
    async with opened() as (app, pilot):
        app.main.answer_event(77, AnswerText(text="from nowhere"))
        await pilot.pause(0.1)
        assert "from nowhere" not in text(app)


async def test_a_failure_stands_where_the_work_was_with_the_next_step() -> None:
    kept = Answered(text="The lease ends on", model="qwen3:4b", seconds=11.0)
    failure = Failed(message="Ollama closed the connection after 11 s.", hint="Start it with: ollama serve")
    engine = ScriptedEngine(answer=(RETRIEVED, AnswerText(text="The lease ends on"), kept, failure))
    async with opened(engine) as (app, pilot):
        await answered(app, pilot)
        assert "✗ Stopped: Ollama closed the connection after 11 s." in text(app)
        assert "What arrived is kept" in text(app)
        assert "ollama serve, then r asks again." in text(app)


async def test_r_asks_again() -> None:
    engine = ScriptedEngine()
    async with opened(engine) as (app, pilot):
        await answered(app, pilot)
        await pilot.press("tab", "r")
        await settled(pilot, lambda: len(engine.of(Ask)) == 2)
        assert [request.question for request in engine.sent(Ask)] == [QUESTION, QUESTION]


async def test_without_a_model_the_files_are_quoted_with_path_and_line() -> None:
    news = (FolderNews(state=IDLE, rows=ROWS, all=True, model=NO_MODEL),)
    async with opened(ScriptedEngine(news=news, answer=(RETRIEVED, QUOTED)), size=(80, 24)) as (app, pilot):
        await answered(app, pilot)
        assert "No model answered. These sentences are from your files, word for word:" in text(app)
        assert "house/lease.md:12" in text(app)
        assert "no model, quoting" in text(app)
        assert "2 sentences from 8 excerpts · 0.02 s · for a model: ollama serve" in text(app)
        assert "8 excerpts, 2 quoted" in text(app)


async def test_the_privacy_sentence_is_true_or_absent() -> None:
    async with opened() as (app, pilot):
        assert "Nothing leaves this machine" in text(app)
    far = ModelChoice("qwen3:4b", "It was asked for.", "http://gpu.example:11434", reachable=True)
    async with opened(ScriptedEngine(news=(FolderNews(state=IDLE, all=True, model=far),))) as (app, pilot):
        await settled(pilot, lambda: "gpu.example" in text(app))
        assert "Nothing leaves this machine" not in text(app)


async def test_work_under_half_a_second_is_not_spoken_of() -> None:
    clock = Clock()
    engine = ScriptedEngine(news=(FolderNews(state=INDEXING, rows=ROWS, all=True, model=MODEL),), answer=None)
    async with opened(engine, clock=clock) as (app, pilot):
        await pilot.pause()
        assert "indexing 312" not in text(app)
        clock.now += 1
        app.main.show_work()
        await pilot.pause()
        assert "indexing 312 of 412 · 64/s · 1 min left" in text(app)
        await ask(app, pilot)
        engine.one(Ask).put(AnswerStep(step="loading qwen3:4b into memory"))
        clock.now += 12
        await settled(pilot, lambda: app.main.talk.turns[-1].step != "")
        app.main.show_work()
        await pilot.pause()
        assert "loading qwen3:4b into memory · 12 s · Esc stops" in text(app)
        assert "indexing 76 %" in text(app)


async def test_the_chat_follows_the_end_until_the_person_scrolls() -> None:
    engine = ScriptedEngine(answer=None)
    async with opened(engine, size=(80, 20)) as (app, pilot):
        await ask(app, pilot)
        call = engine.one(Ask)
        call.put(AnswerText(text="\n".join(f"row {number}" for number in range(40))))
        await settled(pilot, lambda: "row 39" in text(app))
        await pilot.press("pageup")
        await pilot.pause()
        top = rows(app)[1]
        assert "more lines, End" in text(app)
        call.put(AnswerText(text="\nrow 40"))
        await pilot.pause(0.15)
        assert rows(app)[1] == top
        await pilot.press("tab", "end")
        await settled(pilot, lambda: "row 40" in text(app))


async def test_resizing_keeps_the_line_at_the_top() -> None:
    turns = tuple(
        Turn(number, f"Question {number}?", 0.0, None, Answered(text=f"Answer {number} " + "word " * 60, model="m"))
        for number in range(20)
    )
    talk = Talk(conversation=Conversation(1, "", turns))
    async with opened(ScriptedEngine(talk=talk), size=(120, 30)) as (app, pilot):
        await settled(pilot, lambda: len(app.main.talk.turns) == 20)
        chat = app.main.chat
        chat.place(chat._rows.start(7))
        await pilot.pause(0.1)
        assert "Question 7?" in rows(app)[1]
        await pilot.resize_terminal(80, 24)
        await pilot.pause(0.2)
        assert "Question 7?" in rows(app)[1]
        await pilot.resize_terminal(130, 30)
        await pilot.pause(0.2)
        assert "Question 7?" in rows(app)[1]


async def test_an_engine_that_goes_away_is_named_and_asked_for_again() -> None:
    engine = ScriptedEngine()
    async with opened(engine) as (app, pilot):
        engine.one(Watch).end()
        await settled(pilot, lambda: "engine restarting" in text(app))
        await settled(pilot, lambda: len(engine.of(Watch)) == 2)
        await settled(pilot, lambda: "engine restarting" not in text(app))


async def test_an_engine_that_cannot_be_reached_is_one_sentence_with_a_step() -> None:
    class Broken(ScriptedEngine):
        def start(self, request: object) -> object:  # type: ignore[override]
            from lens_tui.errors import EngineError

            raise EngineError("The engine cannot be started.", hint="Look into engine.log.")

    from tests.tui.stage import make_app

    app = make_app(Broken())
    async with app.run_test(size=(120, 36)) as pilot:
        await settled(pilot, lambda: "The engine cannot be started." in text(app))
        assert "Traceback" not in text(app)


async def test_names_and_answers_with_markup_and_escapes_are_drawn_as_text() -> None:
    evil = "See [red]this[/] and \x1b[31mthat\x1b[0m \u202eback. "
    async with opened(ScriptedEngine(answer=(RETRIEVED, AnswerText(text=evil), Answered(text=evil, model="m")))) as (
        app,
        pilot,
    ):
        await answered(app, pilot, "What of [bold]x[/bold]\x1b]0;title\x07?")
        assert "See [red]this[/] and ␛[31mthat␛[0m" in text(app)
        assert "\x1b" not in text(app)
        assert "\u202e" not in text(app)
        assert "[bold]x[/bold]␛]0;title" in text(app)


async def test_ascii_signs_draw_no_ambiguous_character() -> None:
    async with opened(signs=ASCII) as (app, pilot):
        await answered(app, pilot)
        await pilot.press("tab")
        await pilot.pause()
        drawn = set(text(app)) - set("日記")
        assert {sign for sign in drawn if ord(sign) > 0x7E} == set()
        assert "[9x]" in text(app)
        assert "[-]" in text(app)


async def test_low_and_small_screens_lose_hints_then_the_top_row_then_the_rule() -> None:
    async with opened(size=(120, 19)) as (app, _):
        assert "commands" not in text(app)
        assert "New conversation" in text(app)
    async with opened(size=(120, 14)) as (app, _):
        assert "New conversation" not in text(app)
        assert "─" in text(app)
    async with opened(size=(48, 20)) as (app, _):
        assert "─" not in text(app)
        assert "ask your notes" in text(app)


async def test_f2_shows_the_files_as_a_page_where_there_is_no_column() -> None:
    from lens_tui.tui.screens.files import FilesPage

    async with opened(size=(100, 30)) as (app, pilot):
        await pilot.press("f2")
        await settled(pilot, lambda: isinstance(app.screen, FilesPage))
        await pilot.press("escape")
        await settled(pilot, lambda: app.screen is app.main)


async def test_every_thread_of_the_app_is_a_daemon_and_the_watch_is_cancelled_at_the_end() -> None:
    engine = ScriptedEngine()
    async with opened(engine):
        mine = [thread for thread in threading.enumerate() if thread.name.startswith("lens ")]
        assert mine
        assert all(thread.daemon for thread in mine)
    assert engine.one(Watch).cancelled.is_set()


async def test_thinking_is_one_row_that_unfolds() -> None:
    thought = Answered(text="Yes.", model="m", thinking="First I look.\nThen I see.", thinking_seconds=6.0)
    async with opened(ScriptedEngine(answer=(RETRIEVED, thought))) as (app, pilot):
        await answered(app, pilot)
        assert "▸ thought for 6 s" in text(app)
        assert "First I look." not in text(app)
        await pilot.press("tab", "enter")
        await pilot.pause(0.1)
        assert "▏ First I look." in text(app)


async def test_an_answer_that_cites_nothing_says_so() -> None:
    plain = Answered(text="The lease is long.", model="m", uncited=((0, 18),))
    async with opened(ScriptedEngine(answer=(RETRIEVED, plain))) as (app, pilot):
        await answered(app, pilot)
        assert "! Nothing in this answer is cited." in text(app)


async def test_what_the_index_is_made_of_against_the_settings_is_told_once_it_is_open_and_kept_for_status() -> None:
    told = "The index is made with chunk.size not set, not 300 as your settings say."
    async with opened(otherwise=lambda: (told,)) as (app, pilot):
        await settled(pilot, lambda: told[:60] in rows(app)[-1])
        await pilot.press("f4")
        await settled(pilot, lambda: told[:60] in text(app) and "notices" in text(app))


async def test_what_changes_on_a_covered_screen_repaints_nothing_and_is_there_when_it_is_uncovered() -> None:
    engine = ScriptedEngine()
    async with opened(engine) as (app, pilot):
        await pilot.press("f4")
        await settled(pilot, lambda: app.screen is not app.main)
        assert app._background_screens == []
        app.post_message(IndexMoved(INDEXING))
        await settled(pilot, lambda: app.main.state == INDEXING)
        await pilot.press("escape")
        await settled(pilot, lambda: app.screen is app.main)
        await settled(pilot, lambda: "312/412" in text(app) or "312 of 412" in text(app))


async def test_a_choice_of_keys_shows_the_screen_that_it_is_asked_on() -> None:
    async with opened() as (app, pilot):
        await answered(app, pilot)
        await pilot.press("tab", "y")
        await settled(pilot, lambda: app.screen is not app.main)
        assert app._background_screens == [app.main]
        assert QUESTION in text(app)
