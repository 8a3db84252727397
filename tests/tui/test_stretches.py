"""A file's text as rows: every character in exactly one, whatever the width; offsets lead back to the file."""

import time

import pytest
from rich.cells import cell_len

from lens_tui.tui.stretches import LONGEST, Stretches

TEXTS = {
    "empty": "",
    "one line": "The term is two years.",
    "line end": "a\nb\n",
    "blank lines": "\n\na\n\n\nb\n\n",
    "tabs": "\tone\t\ttwo\n\t\tthree",
    "cjk": "大家さんに三か月前のnoticeを書面で送ること。\n返事は四月まで待つ。\n",
    "controls": "a\x1b[31mb\x00c\u202ed\n\ud800",
    "combining": "e\u0301" * 60,
    "long line": "word " * 3_000 + "\nend",
    "long word": "x" * 10_000,
    "deep": "                call(of_a_name_that_does_not_fit, and_another_one)\n" + " " * 90 + "end\n",
    "indented": "    - a list item that is long enough to be wrapped over several rows of this width\n",
}


def every_row(text: str, width: int) -> Stretches:
    stretches = Stretches(text)
    stretches.set_width(width)
    return stretches


@pytest.mark.parametrize("width", [8, 20, 71, 200])
@pytest.mark.parametrize("name", TEXTS)
def test_every_character_but_line_ends_is_in_exactly_one_row(name: str, width: int) -> None:
    text = TEXTS[name]
    stretches = every_row(text, width)
    rows = [stretches.row(at) for at in stretches.from_row((0, 0), 10_000)]
    seen = [offset for row in rows for offset in dict.fromkeys(row.offsets[: len(row.text)])]
    assert seen == [place for place, character in enumerate(text) if character != "\n"]
    for row in rows:
        assert len(row.offsets) == len(row.text) + 1
        assert row.hang + cell_len(row.text.rstrip(" ")) <= width
        assert not set(row.text) & set("\t\n\x1b\x00\u202e")


@pytest.mark.parametrize("name", TEXTS)
def test_lines_are_those_that_an_editor_counts(name: str) -> None:
    text = TEXTS[name]
    lines = text.split("\n")
    lines = lines[:-1] if len(lines) > 1 and not lines[-1] else lines
    stretches = every_row(text, 20)
    assert stretches.lines == len(lines)
    for number, line in enumerate(lines, 1):
        assert text[stretches.start_of(number) : stretches.end_of(number)] == line
        assert stretches.line_at(stretches.start_of(number)) == number
    numbered = [stretches.row(at).line for at in stretches.from_row((0, 0), 10_000) if stretches.row(at).first]
    assert numbered == list(range(1, len(lines) + 1))


@pytest.mark.parametrize("name", TEXTS)
def test_an_offset_leads_to_its_row_and_back(name: str) -> None:
    text = TEXTS[name]
    stretches = every_row(text, 20)
    for offset in range(0, len(text), max(1, len(text) // 200)):
        row = stretches.row(stretches.at(offset))
        assert row.offsets[0] <= offset
        assert row.line == stretches.line_at(offset)
        if text[offset] != "\n":
            start, end = row.columns((offset, offset + 1))
            assert start < end
            assert row.offsets[start] == offset


def test_steps_go_there_and_back_again() -> None:
    stretches = every_row(TEXTS["long line"] + TEXTS["cjk"], 31)
    every = stretches.from_row((0, 0), 10_000)
    assert stretches.step((0, 0), len(every) + 5) == every[-1] == stretches.last
    for place in (0, 1, 17, len(every) - 1):
        assert stretches.step((0, 0), place) == every[place]
        assert stretches.step(every[-1], place - len(every) + 1) == every[place]
    assert stretches.step(every[3], -9) == (0, 0)


def test_tab_stops_are_four_cells_apart_and_wide_signs_count_two() -> None:
    stretches = every_row("a\tb\n日\tc\n", 40)
    assert [stretches.row(at).text for at in stretches.from_row((0, 0), 2)] == ["a   b", "日  c"]
    assert stretches.row((0, 0)).columns((1, 2)) == (1, 4)


def test_a_wrapped_line_hangs_under_its_own_text() -> None:
    rows = every_row(TEXTS["indented"], 30)
    assert [rows.row(at).hang for at in rows.from_row((0, 0), 3)] == [0, 4, 4]


def test_a_deep_line_hangs_under_its_own_text_where_it_leaves_a_third_of_the_width() -> None:
    rows = every_row(" " * 16 + "url = urljoin(resp.url, requote_uri(url))", 40)
    assert [rows.row(at).hang for at in rows.from_row((0, 0), 9)] == [0, 16]
    rows = every_row(" " * 36 + "one two", 40)
    assert [(row.hang, row.text.strip()) for row in rows.rows(0)] == [(0, "one"), (26, "two")]


def test_a_first_word_that_does_not_fit_beside_its_indent_is_broken_and_leaves_no_row_blank() -> None:
    rows = every_row(" " * 12 + "self.rebuild_method(prepared_request, resp)", 30)
    assert [row.text.strip() for row in rows.rows(0)] == ["self.rebuild_metho", "d(prepared_request", ", resp)"]
    assert [(row.first, row.hang) for row in rows.rows(0)] == [(True, 0), (False, 12), (False, 12)]


def test_a_long_line_is_wrapped_piece_by_piece_at_blanks() -> None:
    text = "word " * 5_000
    stretches = every_row(text, 50)
    began = time.perf_counter()
    last = stretches.row(stretches.at(len(text) - 3))
    assert time.perf_counter() - began < 0.2
    assert last.line == 1
    assert last.text.startswith("word")
    assert max(len(stretches.rows(number)) for number in range(5)) <= LONGEST // 40


def test_a_row_beyond_the_end_is_the_last_one() -> None:
    stretches = every_row("a\nb", 20)
    assert stretches.row(stretches.at(99)).line == 2
    assert stretches.start_of(99) == 2
    assert stretches.start_of(-1) == 0
