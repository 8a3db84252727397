"""The rows of an answer: light Markdown, and marks in their places."""

from lens_tui.tui.layout.lines import Drawing, Line
from lens_tui.tui.layout.markdown import Style, answer_lines
from lens_tui.tui.layout.marks import finished, judged, streamed
from lens_tui.tui.layout.stream import Stream
from lens_tui.tui.layout.turn import turn_lines
from lens_tui.tui.signs import UNICODE
from lens_tui.tui.turns import LiveTurn
from lens_tui.types import AnswerText, Citation
from tests.tui.fakes import ANSWER


def lines_of(text: str, width: int = 60) -> list[Line]:
    return answer_lines(text, streamed(text), width, Style())[0]


def words(text: str, width: int = 60) -> list[str]:
    return [line.text.rstrip() for line in lines_of(text, width)]


def inks(text: str) -> dict[str, str]:
    return {piece.text: piece.ink for line in lines_of(text) for piece in line.pieces}


def test_emphasis_headings_and_code_lose_their_signs_and_gain_an_ink() -> None:
    assert words("## Term\nThe **lease** is *long*, see `a[1]`.") == ["   Term", "   The lease is long, see a[1]."]
    found = inks("The **lease** is *long*, see `a[1]`.")
    assert (found["lease"], found["long"], found["a[1]"]) == ("bold", "italic", "code")


def test_what_only_looks_like_emphasis_stays_as_it_is() -> None:
    text = "5 * 3 * 2, snake_case_name, a ** b, **open"
    assert words(text) == [f"   {text}"]


def test_link_references_and_html_are_not_swallowed() -> None:
    text = "[1]: a.md\n<b>kept</b> <!-- kept -->"
    assert words(text) == ["   [1]: a.md", "   <b>kept</b> <!-- kept -->"]


def test_items_and_quotes_hang_under_their_own_text() -> None:
    rows = words(
        "- an item that is long enough to wrap\n1. and one more that wraps as well\n> a quote that is wrapped too", 26
    )
    assert rows[1].startswith("     ")
    assert rows[1][5] != " "
    assert any(row.startswith("   ▏ ") for row in rows)
    assert sum(row.startswith("   ▏ ") for row in rows) > 1


def test_marks_light_up_outside_code_only() -> None:
    text = "See [1] and `[2]`.\n```\nx[3]\n```\nAnd 【4】［５］."
    lit = [piece.text for line in lines_of(text) for piece in line.pieces if piece.ink == "accent bold"]
    assert lit == ["[1]", "【4】", "［５］"]


def test_a_mark_that_has_begun_is_held_back() -> None:
    assert finished("The end [1") == "The end "
    assert finished("The end [1, 2") == "The end "
    assert finished("The end [") == "The end "
    assert finished("The end [1]") == "The end [1]"
    assert finished("an array[x") == "an array[x"


def test_each_number_of_a_mark_has_its_own_sign() -> None:
    text = "So it is [1, 9]."
    citations = [Citation(9, 15, 1, (0, 16), "a.md"), Citation(9, 15, 9, (0, 16), verdict="invented")]
    (mark,) = judged(text, citations, (), UNICODE)
    assert "".join(piece.text for piece in mark.pieces).replace("\u00a0", " ") == "[1, 9✗]"
    assert [piece.tag for piece in mark.pieces if piece.tag >= 0] == [0, 1]


def test_a_range_shows_its_worst() -> None:
    text = "So [1-3]."
    citations = [
        Citation(3, 8, 1, (0, 9), "a.md"),
        Citation(3, 8, 2, (0, 9), "a.md"),
        Citation(3, 8, 3, (0, 9), verdict="invented"),
    ]
    (mark,) = judged(text, citations, (), UNICODE)
    assert mark.pieces[0].text == "[1-3✗]"
    assert mark.pieces[0].ink == "bad bold"


def test_a_sentence_that_cites_nothing_is_marked_before_its_full_stop() -> None:
    text = "Tell them. Later."
    marks = judged(text, (), ((0, 10),), UNICODE)
    drawn = answer_lines(text, marks, 60, Style())[0][0].text.replace("\u00a0", " ")
    assert drawn == "   Tell them [–]. Later."


def test_what_streams_is_drawn_as_the_whole_would_be() -> None:
    text = f"# Head\n{ANSWER}\n\n- one [1]\n- two\n\n```py\nx = [1]\n```\nlast **bold** [2]"
    how = Drawing(50, UNICODE)
    stream = Stream(how)
    for end in range(0, len(text), 3):
        stream.rows(text[:end])
    whole = answer_lines(text, streamed(text), 50, Style(), part=2)[0]
    assert [line.text for line in stream.rows(text)] == [line.text for line in whole]
    assert [[p.ink for p in line.pieces] for line in stream.rows(text)] == [
        [p.ink for p in line.pieces] for line in whole
    ]


def test_a_turn_ends_with_one_blank_row_whatever_happened_to_it() -> None:
    turn = LiveTurn(1, "Why?\nAnd how?")
    for text in ("", "An answer.\n\n\n"):
        if text:
            turn.apply(AnswerText(text=text), 0.0)
        for over in (False, True):
            turn.over = over
            lines = turn_lines(turn, Drawing(40, UNICODE))
            assert lines[0].text == " › Why?"
            assert lines[1].text == "   And how?"
            assert not lines[-1].pieces
            assert lines[-2].pieces
