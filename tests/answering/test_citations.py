"""Which sentence of an answer cites, and which sentence of the files carries it."""

import time

import pytest

from lens_tui.answering.citations import cite, claims
from lens_tui.types import Citation
from tests.answering.evidence_fakes import LEASE, LETTER, excerpt_of

LEASE_EXCERPT = excerpt_of(LEASE, 1, line=9)
LETTER_EXCERPT = excerpt_of(LETTER, 2, "letter.md", start=500, line=30)
EXCERPTS = (LEASE_EXCERPT, LETTER_EXCERPT)


def claimed(text: str) -> list[tuple[str, list[tuple[int, ...]]]]:
    return [(text[claim.start : claim.end], [mark.numbers for mark in claim.marks]) for claim in claims(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It ends [1]. It renews [2].", [("It ends [1].", [(1,)]), ("It renews [2].", [(2,)])]),
        ("It ends. [1] It renews. [2]", [("It ends. [1]", [(1,)]), ("It renews. [2]", [(2,)])]),
        ("It ends.[1] It renews.[2]", [("It ends.[1]", [(1,)]), ("It renews.[2]", [(2,)])]),
        ("It ends.[1][2] It renews.", [("It ends.[1][2]", [(1,), (2,)]), ("It renews.", [])]),
        ("It ends [1]. [2] says more.", [("It ends [1].", [(1,)]), ("[2] says more.", [(2,)])]),
        ("[1] It ends.", [("[1] It ends.", [(1,)])]),
        ("It ends.\n\n[1] It renews.", [("It ends.", []), ("[1] It renews.", [(1,)])]),
        ("It ends.\n\n[1]", [("It ends.\n\n[1]", [(1,)])]),
        ("- It ends [1]\n- It renews [2]", [("- It ends [1]", [(1,)]), ("- It renews [2]", [(2,)])]),
        ("終わります。[1]更新されます【2】。", [("終わります。[1]", [(1,)]), ("更新されます【2】。", [(2,)])]),
        ("It costs 3.50 a day [1, 2] or so.", [("It costs 3.50 a day [1, 2] or so.", [(1, 2)])]),
        ("[1] says so. [2] says more.", [("[1] says so.", [(1,)]), ("[2] says more.", [(2,)])]),
        ("[1]", [("[1]", [(1,)])]),
        ("", []),
    ],
)
def test_a_mark_belongs_to_the_sentence_that_it_closes(
    text: str, expected: list[tuple[str, list[tuple[int, ...]]]]
) -> None:
    assert claimed(text) == expected


def spans(text: str) -> list[str | None]:
    found: list[str | None] = []
    for citation in cite(text, EXCERPTS)[0]:
        excerpt = next((one for one in EXCERPTS if one.number == citation.number), None)
        if excerpt is None or citation.span is None:
            found.append(None)
        else:
            found.append(excerpt.text[citation.span[0] - excerpt.start : citation.span[1] - excerpt.start])
    return found


RUNS = (
    "The lease runs until 31 March 2027 and renews by one year unless either\n"
    "party gives three months' notice in writing."
)


@pytest.mark.parametrize(
    ("text", "carrying"),
    [
        ("The lease ends on 31 March 2027 [1].", RUNS),
        ("The lease has a term of two years [1].", "The term is two years."),
        ("Rents are raised at most once a period [1].", "The rent may be raised once in each period."),
        ("Three months' notice, in writing [2].", LETTER.partition("\n")[0]),
        ("契約は2027年3月31日に終わります [1]。", RUNS),
        ("Bananas grow in Ecuador [1].", None),
        ("It is so [1].", None),
    ],
)
def test_the_carrying_sentence_shares_most_of_the_claims_words(text: str, carrying: str | None) -> None:
    assert spans(text) == [carrying]


def test_a_citation_tells_mark_claim_file_and_lines() -> None:
    text = "So. The lease ends on 31 March 2027 [1]."
    (citation,), _ = cite(text, EXCERPTS)
    start = LEASE.index("The lease runs")
    assert citation == Citation(
        start=text.index("[1]"),
        end=text.index("[1]") + 3,
        number=1,
        claim=(4, len(text)),
        path="lease.md",
        span=(start, start + len(RUNS)),
        lines=(11, 12),
        verdict="supported",
        why="its source says so",
    )


def test_offsets_are_those_of_the_file() -> None:
    (citation,), _ = cite("They confirm three months' notice [2].", EXCERPTS)
    assert citation.span == (500, 500 + LETTER.index("\n"))
    assert citation.lines == (30, 30)


def test_a_mark_of_several_numbers_is_several_citations_of_one_claim() -> None:
    text = "Three months' notice in writing [1, 2]."
    citations, uncited = cite(text, EXCERPTS)
    assert [citation.number for citation in citations] == [1, 2]
    assert len({(citation.start, citation.end, citation.claim) for citation in citations}) == 1
    assert uncited == ()


@pytest.mark.parametrize("number", [0, 3, 9])
def test_a_number_without_an_excerpt_is_invented(number: int) -> None:
    (citation,), _ = cite(f"The lease ends [{number}].", EXCERPTS)
    assert citation.verdict == "invented"
    assert citation.why == f"there is no excerpt {number}; the model had 2"
    assert (citation.path, citation.span, citation.lines) == (None, None, None)


def test_without_excerpts_every_mark_is_invented() -> None:
    (citation,), _ = cite("The lease ends [1].", ())
    assert citation.why == "there is no excerpt 1; the model had none"


def verdicts(text: str) -> list[str | None]:
    return [citation.verdict for citation in cite(text, EXCERPTS)[0]]


def test_every_citation_is_judged_and_says_why() -> None:
    citations, _ = cite("The lease ends on 13 March 2027 [1]. Bananas [2]. The term is two years [1].", EXCERPTS)
    assert [(citation.verdict, citation.why) for citation in citations] == [
        ("contradicted", "the source says 31 March 2027, the answer 13 March 2027"),
        ("weak", "has little in common with its source"),
        ("supported", "word for word in its source"),
    ]


def test_a_contradicted_claim_shows_the_sentence_that_says_otherwise() -> None:
    assert spans("The lease ends on 13 March 2027 [1].") == [RUNS]


def test_each_clause_that_ends_in_its_own_mark_is_judged_alone() -> None:
    text = "The term is two years [1], while four months' notice is given in writing [2]."
    citations, _ = cite(text, EXCERPTS)
    assert [text[slice(*citation.claim)] for citation in citations] == [
        "The term is two years [1]",
        "while four months' notice is given in writing [2].",
    ]
    assert [citation.verdict for citation in citations] == ["supported", "contradicted"]


def test_a_mark_after_a_few_words_judges_the_whole_sentence() -> None:
    text = "The lease [1] runs until 31 March 2027 [2]."
    assert {citation.claim for citation in cite(text, EXCERPTS)[0]} == {(0, len(text))}


def test_what_one_cited_excerpt_bears_out_no_other_contradicts() -> None:
    other = excerpt_of("The term is three years.", 3, "old.md")
    citations, _ = cite("The term is two years [1][3].", (*EXCERPTS, other))
    assert [citation.verdict for citation in citations] == ["supported", "weak"]
    assert citations[1].why == "the source says three, the answer two; [1] bears it out"
    assert verdicts("The term is two years [1].") == ["supported"]
    assert cite("The term is two years [3].", (other,))[0][0].verdict == "contradicted"


def test_two_excerpts_bear_out_together_what_neither_says_alone() -> None:
    one = excerpt_of("The station of Lindau was opened in 1854.", 1, "a.md")
    two = excerpt_of("The station of Lindau has eight tracks.", 2, "b.md")
    text = "The station of Lindau was opened in 1854, and the station of Lindau has eight tracks [1][2]."
    citations, _ = cite(text, (one, two))
    assert [citation.verdict for citation in citations] == ["supported", "supported"]
    assert citations[0].why == "its source says so, together with [2]"


def uncited(text: str) -> list[str]:
    return [text[start:end] for start, end in cite(text, EXCERPTS)[1]]


def test_sentences_without_a_mark_are_marked() -> None:
    text = "The lease ends [1]. Tell the neighbours. It renews. [2] Really."
    assert uncited(text) == ["Tell the neighbours.", "Really."]


@pytest.mark.parametrize(
    "text",
    [
        "## The lease",
        "The notes say:",
        "```\nx = 1\n```",
        "---",
        "The excerpts do not say when the lease ends.",
        "There is no information about bananas in the files.",
        "Darüber steht in den Auszügen nichts.",
        "Les extraits ne mentionnent pas la date.",
        "Los documentos no lo dicen.",
        "В отрывках этого нет.",
        "資料には記載がありません。",
        "文档中没有提到这一点。",
    ],
)
def test_what_claims_nothing_needs_no_citation(text: str) -> None:
    assert uncited(text) == []


def test_a_long_answer_of_denials_takes_no_time() -> None:
    began = time.perf_counter()
    assert len(uncited("no no\n" * 3000)) == 1
    assert time.perf_counter() - began < 2


def test_an_answer_that_breaks_off_keeps_the_citations_that_it_has() -> None:
    citations, open_ = cite("The lease ends on 31 March 2027 [1]. Notice must be given thr", EXCERPTS)
    assert [citation.number for citation in citations] == [1]
    assert len(open_) == 1


def test_an_empty_answer_has_neither() -> None:
    assert cite("", EXCERPTS) == ((), ())
