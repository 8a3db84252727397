"""Sources: whole where current, the carrying sentence marked on its words only."""

from lens_tui.tui.layout.excerpts import excerpt_rows, source_lines, sources_of
from lens_tui.tui.layout.lines import Line, cells
from lens_tui.tui.signs import UNICODE
from lens_tui.types import Citation, Excerpt
from tests.tui.fakes import CITATIONS, EXCERPTS, LEASE, RUNS


def marked(lines: list[Line]) -> str:
    return " ".join("".join(p.text for p in line.pieces if " mark" in p.ink) for line in lines).strip()


def test_cited_ones_stand_first_in_number_order_and_the_others_apart() -> None:
    lines = [
        line.text for line in source_lines(sources_of(EXCERPTS, CITATIONS, CITATIONS[2], streaming=False), 37, UNICODE)
    ]
    heads = [line.split()[0] for line in lines if line[:2].strip().isdigit()]
    assert heads == ["1", "2", "3", "4", "5", "6", "7", "8"]
    assert lines.index(" not cited") > next(i for i, line in enumerate(lines) if "letters/2024" in line)


def test_what_a_model_invented_cites_nothing_also_where_an_excerpt_that_it_was_not_given_has_the_number() -> None:
    invented = Citation(0, 3, 8, (0, 20), verdict="invented")
    sources = sources_of(EXCERPTS, [*CITATIONS, invented], invented, streaming=False, left_out=1)
    assert not next(source for source in sources if source.excerpt.number == 8).cited
    assert not any(source.current for source in sources)


def test_the_current_one_is_whole_and_its_sentence_is_marked_on_its_words() -> None:
    sources = sources_of(EXCERPTS, CITATIONS, CITATIONS[0], streaming=False)
    lines = excerpt_rows(sources[0], 37, UNICODE)
    text = " ".join(line.text[4:] for line in lines)
    assert " ".join(text.split()) == " ".join(LEASE.split())
    assert " ".join(marked(lines).split()) == RUNS
    ends = [line.pieces[-1] for line in lines]
    assert not any(piece.text.endswith(" ") for piece in ends if " mark" in piece.ink)


def test_thick_bars_stand_on_the_rows_of_the_sentence_alone() -> None:
    sources = sources_of(EXCERPTS, CITATIONS, CITATIONS[0], streaming=False)
    for line in excerpt_rows(sources[0], 37, UNICODE):
        has = any(" mark" in piece.ink for piece in line.pieces)
        assert (UNICODE.thick in line.text) is has
        assert (UNICODE.thin in line.text) is not has


def test_the_words_that_say_otherwise_stand_out_in_the_sentence() -> None:
    lines = excerpt_rows(sources_of(EXCERPTS, CITATIONS, CITATIONS[0], streaming=False)[0], 37, UNICODE)
    differing = [piece.text for line in lines for piece in line.pieces if piece.ink == "text mark differs"]
    assert "".join(differing) == "31 March 2027"


def test_a_sentence_that_carries_its_claim_has_no_such_words() -> None:
    lines = source_lines(sources_of(EXCERPTS, CITATIONS[1:], CITATIONS[1], streaming=False), 37, UNICODE)
    assert not any("differs" in piece.ink for line in lines for piece in line.pieces)


def test_the_others_show_their_sentence_and_say_that_the_text_goes_on() -> None:
    sources = sources_of(EXCERPTS, CITATIONS, CITATIONS[2], streaming=False)
    lines = excerpt_rows(sources[0], 37, UNICODE)
    assert "…" in lines[0].text
    assert "…" in lines[-1].text
    assert " ".join(marked(lines).split()) == RUNS


def test_no_row_is_wider_than_the_column() -> None:
    for width in (37, 45, 60):
        for line in source_lines(sources_of(EXCERPTS, CITATIONS, None, streaming=True), width, UNICODE):
            assert cells(line.text) <= width


def test_source_code_keeps_its_lines() -> None:
    code = "def a_function_with_a_long_name(argument):\n    return argument + 1\n"
    excerpt = Excerpt(1, "src/a.py", 10, 10 + len(code), (3, 4), (1,), code, (0, 0))
    (source,) = sources_of([excerpt], [Citation(0, 3, 1, (0, 3), "src/a.py", (57, 76))], None, streaming=True)
    rows = [line.text[4:] for line in excerpt_rows(source, 80, UNICODE)]
    assert rows == ["def a_function_with_a_long_name(argument):", "    return argument + 1"]


def test_hard_wrapped_prose_is_folded_and_offsets_hold() -> None:
    text = "The lease runs until 31 March 2027 and it\nrenews by one year. Else\nnot.\n\n- item\n- item two"
    at = text.index("renews")
    excerpt = Excerpt(1, "a.md", 100, 100 + len(text), (1, 6), (1,), text, (0, 0))
    citation = Citation(0, 3, 1, (0, 3), "a.md", (100 + at, 100 + at + 19))
    (source,) = sources_of([excerpt], [citation], citation, streaming=False)
    lines = excerpt_rows(source, 200, UNICODE)
    assert marked(lines) == "renews by one year."
    assert lines[0].text.endswith("it renews by one year. Else")
    assert [line.text[4:] for line in lines[-2:]] == ["- item", "- item two"]
