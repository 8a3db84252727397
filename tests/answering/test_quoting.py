"""Sentences quoted word for word where no model answers."""

import pytest

from lens_tui.answering.bounding import PART
from lens_tui.answering.quotable import is_code
from lens_tui.answering.quoting import MOST, Quoted, quote, ranked
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


@pytest.mark.parametrize(
    "text", ["# The lease", "**The lease ends**", "The lease\n=========", "== The lease ==", "---"]
)
def test_an_excerpt_of_a_heading_alone_is_not_quoted(text: str) -> None:
    assert quote("lease?", (excerpt_of(text),)) == Quoted("", ())


def test_a_sentence_is_about_what_its_heading_or_the_question_before_it_names() -> None:
    text = "## Notice period\n\nThree months, in writing.\n\n## Deposit\n\nTwo rents, on an account of its own."
    assert quote("What is the notice period?", (excerpt_of(text),)).text == "Three months, in writing. [1]"
    asked = "Q: How high is the deposit?\n\nTwo rents, on an account.\n\nQ: And the rent?\n\nNine hundred a month."
    assert quote("How high is the deposit?", (excerpt_of(asked),)).text == "Two rents, on an account. [1]"


def test_a_row_of_a_table_and_an_item_of_a_list_are_about_what_stands_above_all_of_them() -> None:
    table = (
        "## Exit codes\n\n| code | means |\n|---|---|\n| 0 | done |\n| 4 | nothing found in it |\n"
        "| 5 | a check failed |\n\nThe exit code is what a shell is told."
    )
    assert ranked("What does exit code 4 mean?", (excerpt_of(table),))[0].text == "| 4 | nothing found in it |"
    items = "What the deposit is kept for:\n\n- damage to the walls\n- rent that was not paid\n\nThe deposit is high."
    chosen = ranked("Which unpaid rent is the deposit kept for?", (excerpt_of(items),))
    assert chosen[0].text == "- rent that was not paid"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who signed the lease of the flat?", "The lease of the flat was signed by Anna Weber."),
        ("When was the lease of the flat signed?", "The lease of the flat was signed on 3 May 2024."),
        ("Where was the lease of the flat signed?", "The lease of the flat was signed in Berlin."),
        ("How many people signed the lease of the flat?", "The lease of the flat was signed by four people."),
        ("Why was the lease of the flat signed?", "The lease of the flat was signed because prices rose."),
        ("部屋の契約はいつ結ばれたか", "部屋の契約は2024年5月に結ばれた。"),
        ("部屋の契約はなぜ結ばれたか", "部屋の契約は値上がりのため結ばれた。"),
        ("房间的合同什么时候签的？", "房间的合同于2024年5月签订。"),
        ("房间的合同为什么签？", "房间的合同因为涨价而签订。"),
    ],
)
def test_what_is_asked_for_comes_first_among_sentences_that_match_alike(question: str, answer: str) -> None:
    english = (
        "The lease of the flat was signed in haste. The lease of the flat was signed by Anna Weber. "
        "The lease of the flat was signed on 3 May 2024. The lease of the flat was signed in Berlin. "
        "The lease of the flat was signed by four people. The lease of the flat was signed because prices rose."
    )
    japanese = "部屋の契約は急いで結ばれた。部屋の契約は2024年5月に結ばれた。部屋の契約は値上がりのため結ばれた。"
    chinese = "房间的合同匆忙签订。房间的合同于2024年5月签订。房间的合同因为涨价而签订。"
    text = english if answer.isascii() else japanese if "契約" in answer else chinese
    assert ranked(question, (excerpt_of(text),))[0].text == answer


def test_no_half_of_a_sentence_at_an_excerpts_edge_is_quoted() -> None:
    document = (
        "Nobody knows when the lease Weber signed ends. The lease ends in March. Then the lease may go on, or end."
    )
    start, end = document.index("Weber"), document.index(", or end")
    given = excerpt_of(document[start:end], start=start)
    assert "Weber" in quote("When does the lease of Weber end?", (given,)).text
    made = quote("When does the lease of Weber end?", (given,), lambda path, a, b: document[a:b])
    assert made.text == "The lease ends in March. [1]"


def test_where_a_file_has_changed_its_excerpt_is_quoted_as_it_was_found() -> None:
    given = excerpt_of("The lease ends in March.", start=90)
    assert quote("When does the lease end?", (given,), lambda path, a, b: "x" * (b - a)).text


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


def test_code_beside_prose_is_not_folded_into_it() -> None:
    prose = "The limit of retries is read from the settings, which a person\nmay change."
    text = f"{prose}\nlimit = read('retry.limit')\nreturn limit\n"
    made = quote("Where is the limit of retries read from?", (excerpt_of(text),))
    assert made.text.startswith(f"{prose} [1]")
    assert all("limit = " not in part or part == "limit = read('retry.limit') [1]" for part in made.text.split("\n\n"))


def test_where_little_of_the_question_is_found_few_sentences_are_quoted() -> None:
    texts = ["The roof is of slate.", "A garden lies behind.", "The cellar is dry enough.", "Trains pass by at night."]
    many = tuple(excerpt_of(text, number, f"{number}.md") for number, text in enumerate(texts, 1))
    assert len(quote("Does the roof, the garden, the cellar or do the trains cost more?", many).citations) == 2


def test_the_end_of_a_sentence_alone_is_not_quoted_where_there_is_a_whole_one() -> None:
    text = "and the lease ends there. The lease ends in March."
    assert quote("When does the lease end?", (excerpt_of(text, start=90),)).text == "The lease ends in March. [1]"


def test_no_excerpts_give_no_quotes() -> None:
    assert quote("When?", ()).text == ""


OLD = (
    "The old boiler is in the cellar.",
    "Keep old bills for ten years.",
    "An old key opens the gate.",
    "A roof leaks.",
)


def test_where_a_common_word_is_all_that_is_found_two_sentences_are_quoted_and_it_is_not_clear() -> None:
    made = quote("How old is the president of Brazil?", tuple(excerpt_of(text, at) for at, text in enumerate(OLD, 1)))
    assert len(made.citations) == 2
    assert not made.clear


def test_an_answer_is_clear_and_code_with_one_of_its_words_is_not_quoted_beside_it() -> None:
    code = "space_left = size - end\nend = space_left\nend -= 1\n"
    given = (excerpt_of("The lease ends on 30 June 2027.", 1, "lease.md"), excerpt_of(code, 2, "cut.py"))
    made = quote("When does the lease end?", given)
    assert made.text == "The lease ends on 30 June 2027. [1]"
    assert made.clear


def test_a_title_without_a_mark_that_opens_a_file_is_not_quoted() -> None:
    body = "Die Wartung der Heizungsanlage kostet 240 Euro im Jahr."
    titled = excerpt_of(f"Wartungsvertrag Heizungsanlage\n\n{body}", 1, "vertrag.txt")
    assert quote("Was kostet die Wartung der Heizungsanlage?", (titled,)).text == f"{body} [1]"
    inside = excerpt_of(f"Wartungsvertrag Heizungsanlage\n\n{body}", 1, "vertrag.txt", start=500)
    assert "Wartungsvertrag" in quote("Wartungsvertrag Heizungsanlage?", (inside,)).text


@pytest.mark.parametrize("sign", [" ", ",", ""])
def test_of_a_sentence_without_end_the_part_that_answers_is_quoted_at_the_borders_of_words(sign: str) -> None:
    filler = sign.join(["amber", "river", "stone"] * 400) if sign else "春夏秋冬" * 400
    text = f"{filler} Lima is the capital of Peru since long ago {filler}"
    given = excerpt_of(text, start=70)
    made = quote("What is the capital of Peru?", (given,))
    (citation,) = made.citations
    quoted = made.text[slice(*citation.claim)]
    assert "Lima is the capital of Peru" in quoted
    assert 200 < len(quoted) <= PART
    assert citation.span is not None
    assert text[citation.span[0] - 70 : citation.span[1] - 70] == quoted
    ends = {quoted.replace(",", " ").split()[at] for at in (0, -1)}
    assert not sign or ends <= {"amber", "river", "stone"}


def test_of_a_sentence_without_end_that_shares_no_word_the_beginning_is_quoted() -> None:
    made = quote("Wann?", (excerpt_of("amber river stone " * 200),))
    assert made.text.startswith("amber river stone amber")
    assert len(made.text) <= PART + len(" [1]")


def test_definitions_of_links_are_never_quoted_and_footnotes_are() -> None:
    links = "\n".join(f"[the lease {number}]: https://lease.example/ends/{number}" for number in range(30))
    made = quote("When does the lease end?", (excerpt_of(f"The lease ends in March,\nwe think\n{links}\n"),))
    assert made.text == "The lease ends in March,\nwe think [1]"
    assert quote("When does the lease end?", (excerpt_of(links),)) == Quoted("", ())
    note = "[^1]: The lease ends in March."
    assert quote("When does the lease end?", (excerpt_of(note),)).text == f"{note} [1]"


HEAP = '''\
import heap_of_items
__all__ = ["push_item", "replace_item",
           "pop_item"]

def replace_item(heap, item):
    """
    Pop the smallest one, and put the new one in.
    """
    heap.replace_item(item)

def drop_format(name):
    """Forget the format of a name."""
    del FORMATS[name]
'''


def test_asked_in_words_the_docstring_under_a_name_comes_before_code_and_what_only_names_is_not_quoted() -> None:
    given = (excerpt_of(HEAP, 1, "heap.py"),)
    question = "What does replace item do to the heap of items?"
    (best, *others) = ranked(question, given)
    assert (best.text, best.lines) == ("Pop the smallest one, and put the new one in.", (7, 7))
    assert not any("import" in line.text or '_item"' in line.text for line in others)
    assert quote(question, given).clear


def test_a_docstring_is_quoted_without_its_quotes_and_without_the_code_after_it() -> None:
    best = ranked("How to forget the format of a name?", (excerpt_of(HEAP, 1, "heap.py"),))[0]
    assert best.text == "Forget the format of a name."
    assert HEAP[best.span[0] : best.span[1]] == best.text


def test_an_import_is_quoted_where_nothing_else_matches() -> None:
    made = quote("Which heap_of_items?", (excerpt_of("import heap_of_items\nx = 1\n", 1, "heap.py"),))
    assert made.text == "import heap_of_items [1]"


def test_a_member_under_the_key_that_is_asked_for_comes_before_a_value_with_its_name() -> None:
    config = """{
      "server": {"host": "backup.example.org", "tls": true},
      "backup": {"schedule": "every Sunday at 03:30", "keep": 14}
    }"""
    best = ranked("When does the backup run?", (excerpt_of(config, 1, "config.json"),))[0]
    assert best.text == '"schedule": "every Sunday at 03:30"'


def test_in_a_program_a_sentence_over_rows_of_comment_is_quoted_whole_and_in_markdown_they_are_headings() -> None:
    text = "limit = 3\n# The retry limit is three, as more of them\n# were of no use.\n# Nobody asked.\nretry(limit)\n"
    made = quote("What is the retry limit?", (excerpt_of(text, 1, "retry.py"),))
    assert made.text.split("\n\n")[0] == "# The retry limit is three, as more of them\n# were of no use. [1]"
    assert "# The" not in quote("What is the retry limit?", (excerpt_of(text, 1, "retry.md"),)).text


@pytest.mark.parametrize(
    "row", ['lookup("chmod")(path, mode)', "follow_links=follow)", "links.follow(path)", "del links[0]"]
)
def test_asked_in_words_a_sentence_comes_before_a_row_of_code_with_the_same_words(row: str) -> None:
    prose = "A chmod of links, the mode of a path among them, has to follow the links."
    given = (excerpt_of(f"{row}\n", 1, "a.py"), excerpt_of(prose, 2, "b.md"))
    assert ranked("How does it follow links, and chmod a path?", given)[0].text == prose
    assert is_code(row)


def test_an_item_that_only_repeats_the_question_comes_after_one_that_answers() -> None:
    text = "- Related classes\n- Classes that are related share a base, such as Loader."
    assert ranked("Which classes are related?", (excerpt_of(text),))[0].text.endswith("such as Loader.")
