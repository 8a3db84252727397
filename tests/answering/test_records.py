"""Rows and members that are quoted alone."""

import json

import pytest

from lens_tui.answering.quoting import quote
from lens_tui.answering.records import records_of, spans_of
from lens_tui.types import Excerpt

TABLE = "harbour,harbour master,status\nEmden,Maria Jansen,closed\nWismar,Karl Lange,open\nBrake,Udo Meiners,closed\n"
SETTINGS = {"server": {"host": "tide.example.org", "port": 8443}, "database": {"backup": "every night at 02:30"}}


def excerpt(path: str, text: str, start: int = 0, above: str = "") -> Excerpt:
    return Excerpt(1, path, start, start + len(text), (1, 1 + text.count("\n")), (1,), text, (0, 0), "", above)


@pytest.mark.parametrize(
    ("question", "rows", "lines"),
    [
        ("Who is the harbour master of Wismar?", ["Wismar,Karl Lange,open"], [(3, 3)]),
        ("Which harbour does Udo Meiners run?", ["Brake,Udo Meiners,closed"], [(4, 4)]),
        ("Which harbours are closed?", ["Emden,Maria Jansen,closed", "Brake,Udo Meiners,closed"], [(2, 2), (4, 4)]),
    ],
)
def test_a_row_is_quoted_alone_with_its_line(question: str, rows: list[str], lines: list[tuple[int, int]]) -> None:
    quoted = quote(question, [excerpt("a.csv", TABLE)])
    assert [quoted.text[slice(*citation.claim)] for citation in quoted.citations] == rows
    assert [citation.lines for citation in quoted.citations] == lines
    assert {citation.verdict for citation in quoted.citations} == {"supported"}
    assert quoted.clear


@pytest.mark.parametrize("indent", [None, 2])
def test_a_member_is_quoted_alone_and_found_by_the_keys_above_it(indent: int | None) -> None:
    for question, member in [
        ("What port does the server listen on?", '"port": 8443'),
        ("When is the database backup?", '"backup": "every night at 02:30"'),
    ]:
        quoted = quote(question, [excerpt("a.json", json.dumps(SETTINGS, indent=indent))])
        assert quoted.text == f"{member} [1]"


def test_a_row_over_several_lines_is_one() -> None:
    table = 'harbour,note\nEmden,"A long\nnote on two lines"\nWismar,short\n'
    assert quote("Which note does Emden have?", [excerpt("a.csv", table)]).text.startswith('Emden,"A long\nnote on')


def test_the_names_of_the_columns_stand_above_the_rows_of_every_excerpt() -> None:
    first = records_of(excerpt("a.csv", TABLE))
    assert [one.above for one in first] == ["harbour, harbour master, status"] * 3
    later = records_of(
        excerpt("a.csv", "Kiel,Anna Voss,open\nList,Ole Brandt,open", 200, "harbour, harbour master, status")
    )
    assert [one.above for one in later] == ["harbour, harbour master, status"] * 2


def test_other_files_have_sentences() -> None:
    assert records_of(excerpt("a.md", TABLE)) == []
    assert spans_of(excerpt("a.md", "One is here. Two is there.")) == [(0, 12), (13, 26)]
    assert spans_of(excerpt("a.json", "No JSON at all.")) != []
