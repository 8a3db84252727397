"""Signs: which set a terminal gets, and that each of a set is as wide as it is thought to be."""

from dataclasses import asdict

import pytest
from rich.cells import cell_len

from lens_tui.tui.signs import ASCII, UNICODE, Signs, signs_for
from lens_tui.types import FileState


@pytest.mark.parametrize("signs", [UNICODE, ASCII])
def test_every_sign_takes_one_cell_and_only_the_ascii_ellipsis_three(signs: Signs) -> None:
    for name, sign in asdict(signs).items():
        assert cell_len(sign) == (3 if signs is ASCII and name == "ellipsis" else 1), name


def test_the_ascii_set_is_ascii() -> None:
    assert all(sign.isascii() for sign in asdict(ASCII).values())


def test_states_that_differ_have_signs_that_differ() -> None:
    states: tuple[FileState, ...] = ("indexed", "waiting", "reading", "changed", "left_out", "failed")
    for signs in (UNICODE, ASCII):
        assert len({signs.of_state(state) for state in states}) == len(states)


def test_a_citation_that_is_supported_or_not_judged_has_no_sign() -> None:
    assert [UNICODE.of_verdict(verdict) for verdict in (None, "supported", "weak", "contradicted", "invented")] == [
        "",
        "",
        "?",
        "≠",
        "✗",
    ]


@pytest.mark.parametrize(
    ("choice", "wide", "utf8", "term", "expected"),
    [
        ("auto", False, True, "xterm-256color", UNICODE),
        ("auto", True, True, "xterm-256color", ASCII),
        ("auto", False, False, "xterm-256color", ASCII),
        ("auto", False, True, "linux", ASCII),
        ("unicode", True, False, "linux", UNICODE),
        ("ascii", False, True, "xterm", ASCII),
    ],
)
def test_the_setting_decides_before_the_terminal(
    choice: str, wide: bool, utf8: bool, term: str, expected: Signs
) -> None:
    assert signs_for(choice, wide=wide, utf8=utf8, term=term) is expected


def test_our_own_words_are_said_in_the_signs_of_the_set() -> None:
    assert ASCII.said("4 files · 9–14 · copy…") == "4 files - 9-14 - copy..."
    assert UNICODE.said("4 files · 9–14") == "4 files · 9–14"
