"""Rows with the borders of chunks between them."""

import pytest

from lens_tui.chunk_requests import ChunkOutline
from lens_tui.tui.borders import BorderedStretches
from lens_tui.tui.layout.chunks import border_row
from lens_tui.tui.signs import ASCII, UNICODE
from lens_tui.tui.stretches import At, Border
from tests.fakes import outlines

TEXT = "# Lease\n\nThe term is two years, and it is renewed by one year.\nThe rent may be raised once.\n\nEnd.\n"
RENT = TEXT.index("The rent")
SPANS = ((0, RENT - 1), (TEXT.index("and it"), TEXT.index("\n\nEnd")), (TEXT.index("End"), len(TEXT) - 1))


def bordered(width: int = 20, text: str = TEXT, spans: tuple[tuple[int, int], ...] = SPANS) -> BorderedStretches:
    stretches = BorderedStretches(text)
    stretches.set_width(width)
    stretches.show_borders(outlines(*spans))
    return stretches


def rows(stretches: BorderedStretches) -> list[At]:
    return stretches.from_row((0, 0), 10_000)


@pytest.mark.parametrize("width", [8, 20, 200])
def test_each_chunk_has_one_border_before_the_row_that_it_begins_in(width: int) -> None:
    stretches = bordered(width)
    seen = [stretches.row(at) for at in rows(stretches)]
    begins = [(place, row.border.number) for place, row in enumerate(seen) if row.border and not row.border.closing]
    assert [number for _, number in begins] == [0, 1, 2]
    for place, number in begins:
        following = next(row for row in seen[place:] if row.border is None)
        assert following.offsets[0] <= SPANS[number][0] <= following.offsets[-1]


@pytest.mark.parametrize("width", [8, 20, 200])
def test_only_a_chunk_that_reaches_into_the_next_has_its_end_told(width: int) -> None:
    stretches = bordered(width)
    seen = [stretches.row(at) for at in rows(stretches)]
    closing = [(place, row.border.number) for place, row in enumerate(seen) if row.border and row.border.closing]
    assert [number for _, number in closing] == [0]
    before = next(row for row in reversed(seen[: closing[0][0]]) if row.border is None)
    assert before.offsets[0] < SPANS[0][1] <= before.offsets[-1]


@pytest.mark.parametrize("width", [8, 20, 200])
def test_borders_take_no_text_away_and_every_offset_leads_to_its_row(width: int) -> None:
    with_borders, without = bordered(width), bordered(width, spans=())
    texts = [with_borders.row(at).text for at in rows(with_borders) if with_borders.row(at).border is None]
    assert texts == [without.row(at).text for at in rows(without)]
    for offset in range(len(TEXT)):
        at = with_borders.at(offset)
        assert with_borders.row(at).border is None
        assert with_borders.row(at).text == without.row(without.at(offset)).text


def test_beyond_a_border_there_is_a_row_of_text_in_the_way_one_goes_or_else_the_other() -> None:
    stretches = bordered()
    assert stretches.text_row((0, 0), 1) == stretches.text_row((0, 0), -1) == (0, 1)
    second = next(at for at in rows(stretches) if stretches.row(at).border == Border(1))
    assert stretches.text_row(second, -1) == stretches.step(second, -1)
    assert stretches.text_row(second, 1) == stretches.step(second, 1)
    assert stretches.with_borders_above(stretches.step(second, 1)) == second
    assert stretches.with_borders_above((0, 1)) == (0, 0)


def test_what_two_chunks_have_in_common_is_shared() -> None:
    stretches = bordered()
    assert stretches.shared(0, len(TEXT)) == [(SPANS[1][0], SPANS[0][1])]
    assert stretches.shared(0, SPANS[1][0]) == stretches.shared(RENT, len(TEXT)) == []


@pytest.mark.parametrize("signs", [UNICODE, ASCII])
@pytest.mark.parametrize("width", [10, 40, 75, 200])
def test_a_border_fills_its_row_whatever_it_has_to_say(width: int, signs: object) -> None:
    chunk = ChunkOutline(0, 9, (12, 17), 112, heading=("Lease", "大家さんに三か月前のnotice", "[red]x"))
    for border in (Border(0), Border(0, closing=True)):
        row = border_row((chunk, chunk), border, "paragraph 220/40", width, signs)  # type: ignore[arg-type]
        text = "".join(piece for piece, _ in row)
        assert len(text) + sum(ord(character) > 0x2E80 for character in text) >= width
        assert ("chunk 1" in text) or width == 10
    assert "".join(piece for piece, _ in border_row((chunk,), Border(0), "paragraph 220/40", 200, UNICODE)).startswith(
        "─ chunk 1 of 1 · 112 of 220 tokens · lines 12–17 · Lease › 大家さんに三か月前のnotice › [red]x ─"
    )
