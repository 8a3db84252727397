from dataclasses import replace

import pytest

from lens_tui.cli.verdicts import carrying, told
from lens_tui.requests import Ask, Event, IndexProgress
from lens_tui.types import Answered, AnswerStep, AnswerText, AskRetrieved, Citation, Failed
from tests.cli.running import Shell
from tests.fakes import lease_answered, lease_retrieved

TEXT = "It ends on 31 March 2027 [1]."
STREAM: list[Event] = [
    IndexProgress(done=1, total=1, current="", chunks=1),
    lease_retrieved(),
    AnswerStep(step="answering"),
    AnswerText(text=TEXT[:10]),
    AnswerText(text=TEXT[10:]),
    lease_answered(TEXT),
]


def test_the_answer_is_followed_by_its_sources_in_the_form_of_an_export(shell: Shell) -> None:
    ran = shell.run("ask", "@", "When does it end?", script=STREAM)
    assert ran.code == 0
    assert ran.out == f"{TEXT}\n\nSources:\n\n[1] house/lease.md:9-10\n"
    assert ran.err == "It says so at house/lease.md:9 [1].\ncites, 1 excerpt, 0.0 s.\n"


def test_json_has_the_promised_events_and_no_steps(shell: Shell) -> None:
    rows = shell.run("ask", "@", "When?", "--json", script=STREAM).rows
    assert [row["event"] for row in rows] == ["retrieved", "text", "text", "answered"]
    excerpt = rows[0]["excerpts"][0]
    assert {"number", "path", "start", "end", "lines", "hits"} <= set(excerpt)
    answered = rows[-1]
    assert {"text", "model", "citations", "uncited", "prompt_tokens", "context_tokens", "answer_tokens"} <= set(
        answered
    )
    assert {"left_out", "notes"} <= set(answered)
    citation = answered["citations"][0]
    assert citation["span"] == [100, 132]
    assert citation["verdict"] is None
    assert {"start", "end", "number", "claim", "path", "span", "lines", "verdict", "why"} <= set(citation)


def test_quoting_is_exit_0_with_its_note_on_stderr(shell: Shell) -> None:
    quoted = Answered(text="", model=None, notes=("No model answered: start one with ollama serve.",))
    ran = shell.run("ask", "@", "When?", script=[lease_retrieved(), AnswerText(text="It ends. [1]"), quoted])
    assert ran.code == 0
    assert ran.out == "It ends. [1]\n"
    assert ran.err == "No model answered: start one with ollama serve.\n"


def test_a_text_that_only_the_last_event_has_is_printed_too(shell: Shell) -> None:
    assert shell.run("ask", "@", "When?", script=[lease_retrieved(), lease_answered(TEXT)]).out.startswith(TEXT)


def test_what_was_asked_reaches_the_engine(shell: Shell) -> None:
    words = ["--model", "qwen3:4b", "--host", ":1234", "-k", "3", "--retriever", "lexical"]
    asked = shell.run("ask", "@", "-why?", *words, script=STREAM).engine.asked
    assert asked == [Ask(question="-why?", k=3, model="qwen3:4b", host=":1234", retriever="lexical", temperature=0.0)]


def test_an_address_alone_names_no_model(shell: Shell) -> None:
    asked = shell.run("ask", "@", "why?", "--host", "elsewhere", script=STREAM).engine.asked
    assert isinstance(asked[0], Ask)
    assert asked[0].model is None


def test_a_named_model_that_is_missing_is_exit_1_and_an_event(shell: Shell) -> None:
    failed = Failed(message="Ollama does not have qwen3:4b.", hint="ollama pull qwen3:4b", kind="ModelMissing")
    ran = shell.fails(1, "ask", "@", "why?", "--model", "qwen3:4b", "--json", script=[lease_retrieved(), failed])
    assert ran.rows[-1]["event"] == "error"
    assert ran.rows[-1]["hint"] == "ollama pull qwen3:4b"
    assert len(ran.rows) == 2


def test_an_answer_that_breaks_off_keeps_its_text(shell: Shell) -> None:
    failed = Failed(message="Ollama closed the connection after 11 s.", hint="ollama serve", kind="AnswerCutShort")
    cut = Answered(text="It ends on", model="cites", stopped=True)
    ran = shell.fails(1, "ask", "@", "why?", script=[lease_retrieved(), AnswerText(text="It ends on"), cut, failed])
    assert ran.out == "It ends on\n"


def test_nothing_found_is_exit_4_after_the_plain_sentence(shell: Shell) -> None:
    nothing = AskRetrieved(hits=(), excerpts=())
    ran = shell.fails(4, "ask", "@", "why?", script=[nothing, Answered(text="The files do not tell.", model=None)])
    assert ran.out == "The files do not tell.\n"


JUDGED = Answered(
    text="It ends on 13 March [1]. So it is [7]. The rent is paid [1]. It rains.",
    model="qwen3:4b",
    citations=(
        Citation(20, 23, 1, (0, 24), "a.md", (0, 9), (4, 5), "contradicted", "a.md says 31 March, the answer 13 March"),
        Citation(34, 37, 7, (25, 38), verdict="invented", why="there is no excerpt 7; the model had 1"),
        Citation(56, 59, 1, (39, 60), "a.md", (9, 12), (6, 6), "supported"),
    ),
    uncited=((61, 70),),
    prompt_tokens=1800,
    context_tokens=4096,
    answer_tokens=112,
    seconds=8.04,
)


def test_what_is_doubtful_is_said_worst_first_and_what_the_answer_took() -> None:
    assert list(told(JUDGED.citations, JUDGED.uncited)) == [
        "[1] (a.md:4-5) is contradicted: a.md says 31 March, the answer 13 March.",
        "[7] is invented: there is no excerpt 7; the model had 1.",
        "1 of 3 citations supported, 1 sentence without a citation.",
    ]


def test_the_lines_that_carry_an_answer_are_named_once_each_where_the_list_of_sources_does_not() -> None:
    given = lease_retrieved().excerpts
    one = Citation(0, 3, 1, (0, 24), "house/lease.md", (0, 9), (9, 9))
    assert carrying((one, one, replace(one, lines=(9, 10))), given) == "It says so at house/lease.md:9 [1]."
    assert carrying((replace(one, lines=given[0].lines), replace(one, verdict="weak")), given) == ""
    many = tuple(replace(one, lines=(n, n)) for n in range(100, 120))
    assert carrying(many, given).endswith("house/lease.md:109 [1] and 10 more.")


def test_verdicts_and_tokens_stand_on_stderr(shell: Shell) -> None:
    retrieved = lease_retrieved()
    three = replace(retrieved, excerpts=retrieved.excerpts * 3)
    ran = shell.run("ask", "@", "why?", script=[three, replace(JUDGED, left_out=2)])
    assert ran.err.splitlines()[0] == "It says so at a.md:6 [1]."
    assert ran.err.splitlines()[2] == "[7] is invented: there is no excerpt 7; the model had 1."
    assert ran.err.splitlines()[-1] == "qwen3:4b, 1 of 3 excerpts, 1,912 of 4,096 tokens, 8.0 s."


def test_ten_thousand_invented_citations_are_told_in_few_lines(shell: Shell) -> None:
    many = tuple(Citation(n, n + 1, n, (0, 1), verdict="invented", why="no") for n in range(10_000))
    ran = shell.run("ask", "@", "why?", script=[lease_retrieved(), Answered(text="So.", model="m", citations=many)])
    assert "And 9,990 more" in ran.err
    assert len(ran.err.splitlines()) < 20


@pytest.mark.parametrize(
    ("failing", "code"), [("contradicted", 5), ("invented,weak", 5), ("weak", 0), ("nonsense", 2), ("", 2)]
)
def test_a_verdict_that_a_script_will_not_take_is_exit_5_after_the_whole_answer(
    shell: Shell, failing: str, code: int
) -> None:
    script: list[Event] = [lease_retrieved(), AnswerText(text=JUDGED.text), JUDGED]
    ran = shell.run("ask", "@", "why?", "--json", "--fail-on", failing, script=script)
    assert ran.code == code
    assert [row["event"] for row in ran.rows] == (["error"] if code == 2 else ["retrieved", "text", "answered"])


def test_a_stopped_answer_is_exit_130(shell: Shell) -> None:
    answered = Answered(text="It", model="m", stopped=True)
    shell.fails(130, "ask", "@", "why?", script=[lease_retrieved(), AnswerText(text="It"), answered])


def test_ctrl_c_stops_the_model(shell: Shell) -> None:
    def script(_: object):  # type: ignore[no-untyped-def]
        yield lease_retrieved()
        yield AnswerText(text="It ends")
        raise KeyboardInterrupt

    ran = shell.fails(130, "ask", "@", "why?", script=script)
    assert ran.out == "It ends\n"
    assert ran.engine.calls[0].cancelled.is_set()


def test_an_engine_that_vanishes_is_told(shell: Shell) -> None:
    assert "mid-answer" in shell.fails(1, "ask", "@", "why?", script=STREAM[:3]).err


@pytest.mark.parametrize(("words", "code"), [(["@", ""], 2), (["@", "why?", "-k", "51"], 2), (["nowhere", "why?"], 2)])
def test_wrong_usage_is_an_error_event_too(shell: Shell, words: list[str], code: int) -> None:
    (error,) = shell.fails(code, "ask", "--json", *words).rows
    assert set(error) == {"event", "message", "hint"}


def test_a_model_cannot_steer_the_terminal(shell: Shell) -> None:
    text = "\x1b]0;owned\x07 and \x9b31m"
    ran = shell.run(
        "ask", "@", "why?", script=[lease_retrieved(), AnswerText(text=text), Answered(text=text, model="m")]
    )
    assert not {"\x1b", "\x07", "\x9b"} & set(ran.out)
