"""A search as typed becomes words, phrases, exclusions and filters; what is none of these stays as it stands."""

import pytest

from lens_tui.text.querying import parse
from lens_tui.types import Filter, Query


def read(text: str) -> tuple[str | None, tuple[str, ...], tuple[str, ...], list[str]]:
    query = parse(text)
    filters = [f"{'-' if one.excluded else ''}{one.kind}={one.value}" for one in query.filters]
    return query.words, query.phrases, query.excluded, filters


@pytest.mark.parametrize(
    ("text", "words", "phrases", "excluded", "filters"),
    [
        ("old lease", "old lease", (), (), []),
        ('path:a/ lease -draft "two words" tag:伏線', "lease", ("two words",), ("draft",), ["path=a/", "tag=伏線"]),
        ("TYPE：md ＂吾輩は＂猫", "猫", ("吾輩は",), (), ["type=md"]),
        ('path:"my notes/" lease', "lease", (), (), ["path=my notes/"]),
        ("-type:md －猫 −“a b”", "", (), ("猫", "a b"), ["-type=md"]),
        ('5" disk "two words"', '5" disk', ("two words",), (), []),
        ("- -- --flag -? a-b", "- -- --flag -? a-b", (), (), []),
        ("http://x std::vec C:\\x 10:30 Note: a", "http://x std::vec C:\\x 10:30 Note: a", (), (), []),
        ("type:md type:md tag:a", "", (), (), ["type=md", "tag=a"]),
        ('"" "  "', "", (), (), []),
        ("", "", (), (), []),
    ],
)  # fmt: skip
def test_a_query_is_read_once(
    text: str, words: str, phrases: tuple[str, ...], excluded: tuple[str, ...], filters: list[str]
) -> None:
    assert read(text) == (words, phrases, excluded, filters)
    assert parse(text).notes == ()


@pytest.mark.parametrize(
    ("text", "words", "note"),
    [
        ("author:me lease", "author:me lease", "There is no filter author:"),
        ("pth:x lease", "pth:x lease", "Did you mean path:?"),
        ("tag: lease", "tag: lease", "tag: names nothing"),
        ('lease "open end', "lease open end", "The quote before open end is not closed"),
        ('path:"open notes', "notes", "The quote after path: is not closed"),
    ],
)
def test_what_is_no_filter_or_phrase_is_searched_as_it_stands_and_told(text: str, words: str, note: str) -> None:
    query = parse(text)
    assert query.words == words
    assert note in " ".join(query.notes)


@pytest.mark.parametrize(
    ("text", "beginning"),
    [("old lea", "lea"), ("old ", ""), ('old "lea', "lea"), ("old -lea", ""), ('"old"', ""), ("type:m", ""), ("", "")],
)
def test_the_last_word_is_a_beginning_only_while_it_is_typed(text: str, beginning: str) -> None:
    assert parse(text, typing=True).beginning == beginning
    assert parse(text).beginning == ""
    assert parse('a "b c', typing=True).notes == ()


def test_a_question_is_its_text_alone() -> None:
    query = Query('type:md -a "b"')
    assert query.searched == query.text
    assert not query.is_search
    searched = parse('type:md lease "old boat"', "hybrid", explain=True)
    assert searched.searched.split() == ["lease", "old", "boat"]
    assert (searched.is_search, searched.retriever, searched.explain) == (True, "hybrid", True)
    assert searched.filters == (Filter("type", "md"),)
