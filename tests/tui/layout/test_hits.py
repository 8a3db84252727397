"""Which rows of a hit's text are shown where there are more than there is room for."""

from dataclasses import replace

import pytest

from lens_tui.tui.layout.hits import SECTION_ROWS, Look, hit_lines, ranks
from lens_tui.tui.layout.lines import cells
from lens_tui.tui.signs import UNICODE
from tests.tui.searching import hit

PARTS = ("## One", *(f"Line {number} of the first part." for number in range(1, 15)))
SECTION = "\n".join((*PARTS, "## Holidays", "You have 28 of them.", "They expire.", "## Pay", "On the first."))


def drawn(text: str, words: tuple[str, ...], path: str = "a.md", rows: int = SECTION_ROWS) -> list[str]:
    found = hit(1, path, text, 1, words, lexical=1)
    lines = hit_lines(found, 0, Look(78, UNICODE, ranks, rows))
    return ["".join(piece.text for piece in line.pieces).strip() for line in lines[1:]]


def test_a_heading_that_is_matched_is_shown_with_what_stands_under_it() -> None:
    assert drawn(SECTION, ("Holidays",))[-3:] == ["## Holidays", "You have 28 of them.", "They expire.…"]


def test_a_matched_heading_is_no_last_row_of_a_short_excerpt_either() -> None:
    rows = drawn(SECTION, ("Holidays",), rows=3)
    assert "## Holidays" in rows
    assert "Holidays" not in rows[-1]


def test_rows_end_with_no_heading_that_nothing_is_seen_of() -> None:
    text = "\n".join((*PARTS[:3], "## Later", "Something else.", "And more of it."))
    assert drawn(text, ("One",), rows=4) == ["## One", PARTS[1], f"{PARTS[2]}…"]


def test_a_comment_in_code_is_no_heading() -> None:
    text = "\n".join(("import one", "import two", "# Then", "import three", "import four"))
    assert drawn(text, ("one",), path="a.py", rows=3)[-1] == "# Then…"


def test_rows_with_most_matched_words_come_before_their_neighbours() -> None:
    rows = drawn(SECTION, ("Line 9 ", "Line 11 "), rows=3)
    assert [row.strip("…").split(" of ")[0] for row in rows] == ["Line 9", "Line 10", "Line 11"]


@pytest.mark.parametrize(
    "heading", [(), ("",), ("Pay",), ("A very long title of a part", "Pay"), ("家賃の支払いについて",)]
)
def test_a_hit_fits_any_width_whatever_it_stands_under(heading: tuple[str, ...]) -> None:
    found = replace(hit(1, "notes/a-name.md", "The rent is paid.", 1, ("rent",), lexical=1), heading=heading)
    for width in range(20, 100):
        for line in hit_lines(found, 0, Look(width, UNICODE, ranks, 3)):
            assert cells("".join(piece.text for piece in line.pieces)) <= width
