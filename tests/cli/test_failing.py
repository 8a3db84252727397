"""Which verdicts ``--fail-on`` names, and what a script is told where one of them is found."""

import pytest

from lens_tui.cli.failing import check, fail_on
from lens_tui.errors import CheckFailed, UsageError


def test_verdicts_are_parted_by_commas_in_any_case() -> None:
    assert fail_on(" Contradicted, invented,") == {"contradicted", "invented"}


def test_without_the_option_nothing_fails() -> None:
    assert fail_on(None) == frozenset()
    check(["contradicted", "invented", None], frozenset())


@pytest.mark.parametrize("value", ["", " , ", "wrong", "weak,wrong"])
def test_what_names_no_verdict_is_wrong_usage_with_the_known_ones(value: str) -> None:
    with pytest.raises(UsageError) as raised:
        fail_on(value)
    assert "contradicted" in raised.value.hint


def test_a_verdict_that_must_not_be_ends_with_code_5_and_counts() -> None:
    with pytest.raises(CheckFailed, match="1 contradicted, 2 invented") as raised:
        check(["invented", "supported", "contradicted", "invented"], fail_on("contradicted,invented"))
    assert raised.value.exit_code == 5


def test_verdicts_that_were_not_named_do_not_fail() -> None:
    check(["weak", "supported", None], fail_on("contradicted"))
