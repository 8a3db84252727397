"""Snippets stand around the match and end where a sentence or a line does."""

import re

import pytest

from lens_tui.index.snippet import AT_MOST, centre, merged, snippet
from lens_tui.text.stretches import Mark
from lens_tui.text.words import words

TEXT = (
    "The lease began in March. Nobody spoke of the rent for years. Then the roof fell in during the great storm. "
    "The landlord refused to pay for it. A court heard both sides in autumn. The tenant won the case in the end. "
    "Nothing more is known of them."
)


def marks(text: str, *wanted: str) -> list[Mark]:
    return placed(sorted(match.span() for word in wanted for match in re.finditer(word, text)))


def placed(spans: list[tuple[int, int]]) -> list[Mark]:
    """Each a term of its own."""
    return [Mark(*span, term=str(number)) for number, span in enumerate(spans)]


def test_it_is_whole_sentences_around_the_match() -> None:
    found = snippet(TEXT, marks(TEXT, "landlord"))
    assert "The landlord refused to pay for it." in found
    assert found in TEXT
    assert found[0].isupper()
    assert found.endswith(".")
    assert len(found) <= 145


def test_it_stands_where_most_of_the_words_are_together() -> None:
    found = snippet(TEXT, marks(TEXT, "lease", "court", "tenant", "case"))
    assert "court" in found
    assert "tenant" in found
    assert "lease" not in found


def test_without_a_match_it_is_the_beginning() -> None:
    assert snippet(TEXT, []).startswith("The lease began in March.")


@pytest.mark.parametrize("at", [0, 500, 2_000, 3_990])
def test_a_long_sentence_is_cut_between_words_and_says_so(at: int) -> None:
    text = " ".join(f"word{n:04}" for n in range(450))
    found = snippet(text, placed([(at - at % 9, at - at % 9 + 8)]))
    assert text[at - at % 9 : at - at % 9 + 8] in found
    assert len(found) <= AT_MOST
    assert all(re.fullmatch(r"word\d{4}", word) for word in found.strip("…").split())
    assert found.startswith("…") == (at > 60)


def test_lines_of_code_are_whole() -> None:
    text = "\n".join(f"    value_{n} = compute(argument_{n}, other_argument_{n})" for n in range(40))
    found = snippet(text, marks(text, "value_20 "))
    assert "value_20 = compute(argument_20, other_argument_20)" in found
    assert all(line.strip().endswith(")") for line in found.splitlines())


def test_code_keeps_its_shape() -> None:
    text = "\n".join("    " * n + f"if value_{n} == other_value_{n} and not missing_{n}:" for n in range(1, 9))
    found = snippet(text, marks(text, "value_4 "))
    assert found in text
    assert found.splitlines()[0].startswith("    " * 3)
    assert f"\n{found}\n" in f"\n{text}\n"


def test_a_long_japanese_sentence_is_cut_between_clauses() -> None:
    text = "吾輩は" + "、".join(f"猫{n:02}のことをとても長く考えて" for n in range(60)) + "いる。"
    found = snippet(text, marks(text, "猫30"))
    assert "猫30" in found
    assert found.startswith("…猫")
    assert found.endswith("、…") or found.endswith("て…")
    assert len(found) <= 124


@pytest.mark.parametrize("letter", ["👩‍👩‍👧‍👦", "नि", "e\u0301", "🇯🇵"])
def test_no_character_is_torn_apart(letter: str) -> None:
    text = letter * 300
    at = len(letter) * 150
    found = snippet(text, placed([(at, at + len(letter))]))
    assert set(found.strip("…").split(letter)) == {""}
    assert 60 <= len(found) <= AT_MOST


def test_a_word_beside_endless_ones_is_shown_with_some_of_them() -> None:
    text = "x" * 500 + " lease " + "y" * 500
    found = snippet(text, marks(text, "lease"))
    assert re.fullmatch("…x{40,70} lease y{40,70}…", found)


@pytest.mark.parametrize("text", ["", "   ", "\n\n", "x"])
def test_next_to_nothing_is_no_trouble(text: str) -> None:
    assert snippet(text, []) == text.strip()


def test_one_word_without_spaces_is_cut_at_most_once_a_side() -> None:
    text = "猫" * 3_000
    found = snippet(text, placed([(1_500, 1_502)]))
    assert found.startswith("…")
    assert found.endswith("…")
    assert 100 <= len(found) <= AT_MOST


def test_touching_spans_are_joined() -> None:
    assert merged([(5, 7), (0, 2), (2, 4), (6, 9)]) == ((0, 4), (5, 9))


def test_what_is_worth_most_is_in_the_middle_and_a_word_again_and_again_is_worth_it_once() -> None:
    text = "group group group group.\n" + "Nothing of it is here. " * 20 + "\nThe staff may sign.\n"
    weighed = {"group": 1.0, "staff": 3.0}
    found = [Mark(one.start, one.end, one.term, weighed[one.term]) for one in words(text) if one.term in weighed]
    first, last = centre(found)
    assert text[first:last] == "staff"
    first, last = centre([mark._replace(worth=1.0) for mark in found])
    assert text[first:last] == "group group group group"


def test_what_stands_twice_at_its_ends_does_not_draw_it_away_from_what_stands_once() -> None:
    text = '{"server": {"host": "backup.example.org", "port": 8443},\n  "backup": {"schedule": "every Sunday"}}'
    found = [Mark(word.start, word.end, word.term) for word in words(text) if word.term in {"backup", "schedule"}]
    first, last = centre(found)
    assert text[first:last] == 'backup": {"schedule'


def test_it_ends_with_no_heading_whose_text_is_not_in_it() -> None:
    text = (
        "Dues are paid in May.\n\n## Decisions\n\n"
        + "The hall is let to the choir on every other Monday of the year. " * 3
    )
    assert snippet(text, marks(text, "Dues")) == "Dues are paid in May."
    assert snippet(text, marks(text, "Decisions")).startswith("Dues are paid in May.\n\n## Decisions")
