"""Wrapping: what may break where, in any script."""

import pytest

from lens_tui.tui.layout.lines import NO_END, NO_START, Piece, cells, hung, shortened_path, wrap


def drawn(pieces: list[Piece], width: int) -> list[str]:
    return ["".join(piece.text for piece in row) for row in wrap(pieces, width)]


ENGLISH = "The lease runs until 31 March 2027 and renews by one year unless either party gives notice in writing."
JAPANESE = "大家さんに三か月前のnoticeを書面で送ること。「返事」は四月まで待つ（二〇二四年）。"


TEXTS = [ENGLISH, JAPANESE, "x" * 95, "a  b   c", "", "  in front", "é" * 50, "한국어 문장입니다 " * 5]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("width", [1, 2, 3, 7, 20, 53, 200])
def test_no_visible_character_is_lost_and_no_row_is_too_wide(text: str, width: int) -> None:
    rows = drawn([Piece(text)], width)
    assert "".join(rows).replace(" ", "") == text.replace(" ", "")
    assert all(cells(row) <= max(width, 2) for row in rows), "a wide character alone takes two cells"


@pytest.mark.parametrize("width", range(6, 40))
def test_punctuation_never_begins_a_row_and_brackets_never_end_one(width: int) -> None:
    rows = drawn([Piece(JAPANESE)], width)
    for row in rows[1:]:
        assert row[0] not in NO_START
    for row in rows[:-1]:
        assert row[-1] not in NO_END


@pytest.mark.parametrize("width", range(8, 60))
def test_a_tagged_piece_is_never_broken(width: int) -> None:
    pieces = [
        Piece("Notice must be given three months before "),
        Piece("[1,\u00a02]", tag=0),
        Piece(", 三か月前に"),
        Piece("[3]", tag=1),
    ]
    rows = wrap(pieces, width)
    assert [p.text for row in rows for p in row if p.tag >= 0] == ["[1,\u00a02]", "[3]"]


def test_rows_after_the_first_hang_under_its_text() -> None:
    lines = hung([Piece(ENGLISH)], 30, first=[Piece(" > ")], rest=[Piece("   ")])
    assert lines[0].text.startswith(" > The lease")
    assert len(lines) > 2
    assert all(line.text.startswith("   ") and line.text[3] != " " for line in lines[1:])


def test_every_row_knows_where_it_began() -> None:
    lines = hung([Piece(ENGLISH, at=100)], 30, first=[], rest=[], part=2)
    for line in lines:
        part, at = line.at
        assert part == 2
        assert ENGLISH[at - 100 :].startswith(line.text)


def test_a_path_loses_its_middle_and_never_its_name() -> None:
    path = "work/flat/long/correspondence/agent.md"
    assert shortened_path(path, 60) == path
    assert shortened_path(path, 32) == "work/…/correspondence/agent.md"
    assert shortened_path(path, 20) == "work/…/agent.md"
    assert shortened_path(path, 5).endswith("agent.md")
