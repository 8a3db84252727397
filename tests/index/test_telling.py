"""What a search did not find is said in words that a person typed."""

import pytest

from lens_tui.index.matching import Ranked
from lens_tui.index.telling import of_words
from lens_tui.text.querying import parse
from lens_tui.types import Query


def ranked(unknown: str, **idf: float) -> Ranked:
    return Ranked((), idf, tuple(unknown.split()))


@pytest.mark.parametrize(
    ("query", "words", "told"),
    [
        (Query("how do i end the lease"), ranked("how i", how=9.0, i=9.0, end=3.0, lease=4.0), []),
        (Query("does the xyzzy lease end"), ranked("xyzzy does", xyzzy=5.0, does=9.0, lease=4.0, end=3.0), []),
        (Query("xyzzy lease"), ranked("xyzzy", xyzzy=9.0, lease=4.0), ["Not in the index: xyzzy."]),
        (parse("xyzzy lease end"), ranked("xyzzy", xyzzy=5.0, lease=4.0, end=3.0), ["Not in the index: xyzzy."]),
        (parse("how lease"), ranked("how", how=9.0, lease=4.0), []),
        (parse("Wie heißt"), ranked("heisst", heisst=9.0), ["Not in the index: heißt."]),
        (parse("readFiel"), ranked("readfiel fiel", readfiel=9.0, fiel=9.0), ["Not in the index: readfiel, fiel."]),
        (parse("猫車"), ranked("猫車", 猫車=9.0), []),
    ],
)
def test_only_missing_words_of_weight_are_listed(query: Query, words: Ranked, told: list[str]) -> None:
    assert of_words(query, words) == told
