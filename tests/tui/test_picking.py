"""Picking by a few letters."""

from lens_tui.tui.picking import pick

TITLES = ["write a question", "ask the last question again", "status of the index", "theme: lens-light", "quit"]


def found(query: str) -> list[str]:
    return [TITLES[each.index] for each in pick(query, TITLES)]


def test_nothing_typed_shows_everything_in_order() -> None:
    assert found("") == TITLES


def test_letters_together_at_a_words_beginning_are_best() -> None:
    assert found("lig")[0] == "theme: lens-light"
    assert found("qu") == ["quit", "write a question", "ask the last question again"]


def test_initials_are_found() -> None:
    assert found("soti") == ["status of the index"]


def test_what_does_not_hold_the_letters_is_not_found() -> None:
    assert found("zzz") == []


def test_the_letters_named_are_those_typed() -> None:
    for query in ("lig", "soti", "ask", "q"):
        for each in pick(query, TITLES):
            assert "".join(TITLES[each.index][place] for place in each.letters).lower() == query


def test_case_and_blanks_do_not_matter() -> None:
    assert found("LENS L") == found("lensl")
