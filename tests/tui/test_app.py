"""What a person does in the app, and what comes of it."""

import threading
from pathlib import Path

import pytest
from textual import events

from lens_tui.requests import Ask, FileText, FolderNews, OpenFile, Remember, Talk, Watch
from lens_tui.tui.signs import ASCII
from lens_tui.types import Answered, AnswerStep, AnswerText, Conversation, Failed, ModelChoice, Turn
from tests.tui.fakes import (
    ANSWER,
    ANSWERED,
    IDLE,
    INDEXING,
    LEASE,
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

LEASE_FILE = FileText(path="house/lease.md", text="x" * 399 + "\n" + LEASE, checksum="c0ffee", chunks=((0, 700),))


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


async def test_what_is_not_judged_is_not_called_supported() -> None:
    async with opened() as (app, pilot):
        await answered(app, pilot)
        assert "supported" not in text(app)
        assert "5 of 6 citations traced · 1 sentence has none" in text(app)


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


async def test_a_second_question_waits_in_the_box_while_an_answer_comes() -> None:
    engine = ScriptedEngine(answer=None)
    async with opened(engine) as (app, pilot):
        await ask(app, pilot)
        await ask(app, pilot, "And the deposit?")
        assert app.main.question.text == "And the deposit?"
        assert len(engine.of(Ask)) == 1
        assert "Esc stops it" in rows(app)[-1]


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
    from lens_tui.tui.screens.file import FilePage

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
        assert "31 March 2027 [1]" in text(app)
        assert "house/lease.md" in text(app)


async def test_the_source_of_an_invented_number_is_not_made_up() -> None:
    async with opened(size=(80, 24)) as (app, pilot):
        await answered(app, pilot)
        await pilot.press("tab", "9")
        await pilot.pause(0.1)
        assert not app.main.has_class("-sheet")
        await pilot.press("enter")
        assert "There is no excerpt 9" in rows(app)[-1]


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
        assert "The lease ends on 31 March 2027 [1]" in text(app)
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
