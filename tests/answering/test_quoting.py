"""Sentences quoted word for word where no model answers."""

import pytest

from lens_tui.answering.quoting import MOST, quote
from tests.answering.evidence_fakes import LEASE, LETTER, REPAIRS, excerpt_of

EXCERPTS = (
    excerpt_of(LEASE, 1, "lease.md", start=40, line=9),
    excerpt_of(LETTER, 2, "letter.md", line=3),
    excerpt_of(REPAIRS, 3, "repairs.md"),
)
BY_NUMBER = {excerpt.number: excerpt for excerpt in EXCERPTS}


def test_the_best_sentences_are_quoted_with_their_numbers_in_reading_order() -> None:
    made = quote("When does the lease end, and what notice do I owe?", EXCERPTS)
    assert made.text == (
        "The lease runs until 31 March 2027 and renews by one year unless either\n"
        "party gives three months' notice in writing. [1]\n\n"
        "We confirm three months' notice, in writing, as agreed on the telephone. [2]"
    )


def test_each_citation_tells_exactly_what_is_quoted_and_where_it_stands() -> None:
    made = quote("When does the lease end, and what notice do I owe?", EXCERPTS)
    assert len(made.citations) == 2
    for citation in made.citations:
        excerpt = BY_NUMBER[citation.number]
        assert citation.span is not None
        inside = slice(citation.span[0] - excerpt.start, citation.span[1] - excerpt.start)
        assert made.text[slice(*citation.claim)] == excerpt.text[inside]
        assert made.text[citation.start : citation.end] == f"[{citation.number}]"
        assert citation.path == excerpt.path
    assert [citation.lines for citation in made.citations] == [(11, 12), (3, 3)]


@pytest.mark.parametrize("question", ["What about the roof?", "ROOFS repaired when"])
def test_only_what_matches_is_quoted(question: str) -> None:
    assert quote(question, EXCERPTS).text == f"{REPAIRS} [3]"


def test_a_hit_that_shares_no_word_gives_its_first_sentence() -> None:
    assert quote("Wann endet der Mietvertrag?", (EXCERPTS[2],)).text == f"{REPAIRS} [3]"


def test_at_most_five_sentences_are_quoted_and_no_two_the_same() -> None:
    many = tuple(
        excerpt_of(f"The lease number {number} ends in year {number} for tenant {number}{number}.", number)
        for number in range(1, 10)
    )
    assert len(quote("When does the lease end?", many).citations) == MOST
    same = tuple(excerpt_of("The lease ends in March of next year.", number, f"{number}.md") for number in (1, 2, 3))
    assert [citation.number for citation in quote("When does the lease end?", same).citations] == [1]


@pytest.mark.parametrize(
    "text",
    [
        "# The lease ends\n\nThe lease ends in March.",
        "The lease ends\n==============\n\nThe lease ends in March.",
        "```lease ends\nprint()\n```\n\nThe lease ends in March.",
        "---\n\nThe lease ends in March.",
        "| lease | ends |\n| --- | :-- |\n\nThe lease ends in March.",
    ],
)
def test_headings_fences_and_rules_are_no_sentences(text: str) -> None:
    assert quote("When does the lease end?", (excerpt_of(text),)).text == "The lease ends in March. [1]"


def test_an_excerpt_of_a_heading_alone_is_still_quoted() -> None:
    assert quote("lease?", (excerpt_of("# The lease"),)).text == "# The lease [1]"


def test_languages_without_spaces_are_quoted_by_the_sentence() -> None:
    text = "契約期間は二年です。賃貸契約は2027年3月31日に終了します。家賃は毎月払います。"
    assert (
        quote("賃貸契約はいつ終了しますか？", (excerpt_of(text),)).text == "賃貸契約は2027年3月31日に終了します。 [1]"
    )


def test_code_is_quoted_by_the_line() -> None:
    code = "\n".join(f"    value_{number} = compute(number, {number}),  # row" for number in range(12))
    text = f"table = dict(\n{code}\n    retry_limit = read_setting('retry.limit'),\n)"
    made = quote("Where is the retry limit read?", (excerpt_of(text, line=5),))
    assert made.text == "retry_limit = read_setting('retry.limit'), [1]"
    assert made.citations[0].lines == (18, 18)


def test_where_little_of_the_question_is_found_few_sentences_are_quoted() -> None:
    texts = ["The roof is of slate.", "A garden lies behind.", "The cellar is dry enough.", "Trains pass by at night."]
    many = tuple(excerpt_of(text, number, f"{number}.md") for number, text in enumerate(texts, 1))
    assert len(quote("Does the roof, the garden, the cellar or do the trains cost more?", many).citations) == 2


def test_the_end_of_a_sentence_alone_is_not_quoted_where_there_is_a_whole_one() -> None:
    text = "and the lease ends there. The lease ends in March."
    assert quote("When does the lease end?", (excerpt_of(text, start=90),)).text == "The lease ends in March. [1]"


def test_no_excerpts_give_no_quotes() -> None:
    assert quote("When?", ()).text == ""
