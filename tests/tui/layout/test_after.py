"""What stands under an answer: each thing once, and one next step."""

import pytest

from lens_tui.history import Fate
from lens_tui.tui.layout.lines import Drawing
from lens_tui.tui.layout.staleness import stale_words
from lens_tui.tui.layout.talk import Rows
from lens_tui.tui.layout.turn import turn_lines
from lens_tui.tui.layout.welcome import welcome_lines
from lens_tui.tui.signs import ASCII, UNICODE
from lens_tui.tui.turns import LiveTurn
from lens_tui.types import Answered, Citation, Failed, ModelChoice

WHY = "Nothing answers at http://127.0.0.1:1. For a model: ollama serve, then: ollama pull qwen3:4b"


def drawn(*, answered: Answered | None = None, failed: Failed | None = None, hint: str = "") -> str:
    turn = LiveTurn(1, "when?", began=0.0)
    if answered is not None:
        turn.apply(answered, 1.0)
    if failed is not None:
        turn.apply(failed, 1.0)
    turn.end()
    lines = turn_lines(turn, Drawing(300, UNICODE, hint))
    return "\n".join("".join(piece.text for piece in line.pieces) for line in lines)


def answer(**changed: object) -> Answered:
    facts: dict[str, object] = {"text": "", "model": None, "citations": (), "uncited": (), "seconds": 1.0, **changed}
    return Answered(**facts)  # type: ignore[arg-type]


def test_the_command_for_a_model_is_told_once_and_the_reason_stays() -> None:
    shown = drawn(answered=answer(notes=("No model answered.", WHY)), hint="ollama serve")
    assert shown.count("ollama serve") == 1
    assert shown.count("Nothing answers at") == 1


def test_the_command_stays_in_the_note_where_the_last_line_has_none() -> None:
    assert drawn(answered=answer(notes=(WHY,))).count("ollama serve") == 1


def test_how_many_excerpts_fit_is_told_once() -> None:
    fit = "2 of 7 excerpts fit m's context of 4,096 tokens."
    shown = drawn(answered=answer(text="It ends.", model="m", left_out=5, notes=(fit, "Not in the index: roof.")))
    assert shown.count("fit") == 1
    assert "Not in the index: roof." in shown


def test_a_quote_whose_source_changed_is_marked_and_told() -> None:
    quoted = Citation(13, 16, 1, (0, 12), "lease.md", (0, 12), (3, 3), verdict="supported")
    turn = LiveTurn(1, "when?", began=0.0)
    turn.apply(answer(text="It ends now. [1]", citations=(quoted,)), 1.0)
    turn.end()
    turn.fates = {0: Fate("gone", "lease.md")}
    for signs in (UNICODE, ASCII):
        shown = [line.text for line in turn_lines(turn, Drawing(300, signs, ""))]
        assert any(row.endswith("It ends now. [1~]") for row in shown)
        assert any(row.strip().startswith("~ [1] lease.md changed") for row in shown)


def test_of_a_changed_file_that_is_quoted_twice_one_line_tells() -> None:
    quotes = [Citation(13, 16, number, (0, 12), "lease.md", (0, 12), (line, line)) for number, line in ((1, 3), (2, 9))]
    turn = LiveTurn(1, "when?", began=0.0)
    turn.apply(answer(text="It ends now. [1]", citations=tuple(quotes)), 1.0)
    turn.fates = {0: Fate("changed", "lease.md", line=3), 1: Fate("gone", "lease.md")}
    told = "[1][2] lease.md changed after this answer; of its 2 cited sentences 1 is still in place, 1 is in it no more"
    assert stale_words(turn) == [told]
    turn.fates = {1: Fate("changed", "lease.md", line=4)}
    assert stale_words(turn) == ["[2] lease.md changed after this answer; the sentence is now on line 4, it was on 9"]


def test_how_to_get_a_model_stands_under_the_first_quoted_answer_alone() -> None:
    quoted = Citation(13, 16, 1, (0, 12), "lease.md", (0, 12), (3, 3), verdict="supported")
    turns = [LiveTurn(number, "when?", began=0.0) for number in (1, 2)]
    for turn in turns:
        turn.apply(answer(text="It ends now. [1]", citations=(quoted,), notes=("No model answered.", WHY)), 1.0)
        turn.end()
    rows = Rows()
    rows.update(turns, Drawing(300, UNICODE, "ollama serve"))
    shown = [row[1].text for number in range(len(rows)) if (row := rows.row(number)) is not None]
    assert [row.strip() for row in shown if "1 sentence from" in row] == [
        "1 sentence from 0 excerpts · 1 s · for a model: ollama serve",
        "1 sentence from 0 excerpts · 1 s",
    ]
    assert not any("ollama pull" in row for row in shown)


@pytest.mark.parametrize(
    ("hint", "step"),
    [
        ("", "r asks again."),
        ("Try again; if it happens again, report it.", "r asks again; if it happens again, report it."),
        ("Ask again; what went wrong stands in the log.", "r asks again; what went wrong stands in the log."),
        ("Ask again, choose a smaller model.", "r asks again, choose a smaller model."),
        ("Start it with: ollama serve", "Start it with: ollama serve, then r asks again."),
        ("See the log.", "See the log. Then r asks again."),
        ("Try again.", "r asks again."),
    ],
)
def test_a_failure_has_one_next_step(hint: str, step: str) -> None:
    shown = drawn(failed=Failed(message="It broke.", hint=hint, kind="EngineError"))
    assert [row.strip() for row in shown.splitlines() if "asks again" in row] == [step]


def test_a_model_that_is_not_wanted_is_not_called_missing() -> None:
    why = "No model, as was chosen: answers are quoted from your files."
    rows = welcome_lines(None, ModelChoice(None, why, "http://localhost:11434"), 200)
    shown = "\n".join("".join(piece.text for piece in row.pieces) for row in rows)
    assert why in shown
    assert "Until" not in shown


def test_where_a_server_has_no_model_the_app_offers_to_fetch_one() -> None:
    address = "http://localhost:11434"
    none = ModelChoice(None, "Ollama has no model that answers.", address, "ollama pull qwen3:4b", reachable=True)
    shown = "\n".join(line.text for line in welcome_lines(None, none, 80))
    assert "     ollama pull qwen3:4b\n\n   Or have one fetched from here: Ctrl+P, models." in shown
    away = ModelChoice(None, "Nothing answers.", address, "ollama serve\nollama pull qwen3:4b")
    assert "fetched from here" not in "\n".join(line.text for line in welcome_lines(None, away, 80))
