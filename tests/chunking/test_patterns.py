"""Headings by an expression."""

import pytest

from lens_tui.chunking.patterns import HeadingPattern
from lens_tui.errors import ChunkingValueError
from lens_tui.types import Document
from tests.chunking.documents import document


def found(source: str, text: str) -> list[tuple[int, str]]:
    headings = HeadingPattern(source).headings(Document("a.txt", text, "0" * 64))
    assert all(text[heading.start :].split("\n")[0] for heading in headings)
    return [(heading.level, heading.title) for heading in headings]


def test_a_level_is_a_number_or_the_count_of_its_parts_or_a_length() -> None:
    text = "Chapter 2: Sea\ntext\n1.2.3 Tides\n== Moon\n12 Far\n"
    assert found(r"Chapter (?P<level>\d): (?P<title>.+)", text) == [(2, "Sea")]
    assert found(r"(?P<level>\d[\d.]*) (?P<title>.+)", text) == [(3, "Tides"), (6, "Far")]
    assert found(r"(?P<level>=+) (?P<title>.+)", text) == [(2, "Moon")]


def test_without_a_level_all_are_of_the_first() -> None:
    assert found(r"(?P<title>[A-Z ]+)$", "SEA\nTides\nTHE MOON\n") == [(1, "SEA"), (1, "THE MOON")]


def test_only_the_beginning_of_a_line_is_compared_and_a_very_long_line_is_none() -> None:
    assert found(r"(?P<title>Sea)", "Sea\nThe Sea\nSea" + "x" * 1000) == [(1, "Sea")]


def test_lines_of_fenced_code_and_front_matter_are_no_headings() -> None:
    read = document("---\ntitle: Front\n---\ntitle: Body\n\n```\ntitle: code\n```\n")
    assert [heading.title for heading in HeadingPattern("title: (?P<title>.+)").headings(read)] == ["Body"]


@pytest.mark.parametrize("source", ["(?P<title>", "^# .+", "(" * 100_000, "(?P<level>#+) (.+)"])
def test_what_is_no_expression_or_has_no_title_is_refused(source: str) -> None:
    with pytest.raises(ChunkingValueError, match="heading pattern") as refused:
        HeadingPattern(source)
    assert "(?P<title>" in refused.value.hint


def test_an_expression_that_would_never_end_is_refused_with_the_line() -> None:
    times = iter([0.0, 4.9])
    pattern = HeadingPattern(r"(?P<title>(.*?,){25}P)", clock=lambda: next(times))
    with pytest.raises(ChunkingValueError, match="takes too long on the line '1,1"):
        pattern.headings(Document("a.txt", "1," * 100, "0" * 64))
