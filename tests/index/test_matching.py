"""What a chunk gains by what stands around it, and by what it defines."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from lens_tui.index.filtering import Within
from lens_tui.index.fresh import Entry, Fresh, field_terms
from lens_tui.index.lexical import Lexical, Reading
from lens_tui.index.matching import Matcher
from lens_tui.text.words import DEFINES, beginning, terms
from tests.index.making import chunks, document

GRAIN = ("Some grain.",) * 20


@pytest.fixture
def reading(tmp_path: Path) -> Iterator[Reading]:
    files = Lexical(tmp_path / "lexical")
    yield files.reading
    files.close()


def scores(reading: Reading, *files: tuple[str, ...], asked: str) -> list[list[float]]:
    """The scores of each file's chunks in order, 0 of those that hold nothing that is asked for."""
    layer = Fresh()
    for texts in files:
        first = len(layer) + 1
        for id_, text in enumerate(texts, first):
            # What begins with a sign for it is defined there.
            words = [word for part in text.split() for word in ([part] if part[0] == DEFINES else terms(part))]
            layer.add(Entry(id_, (words, list(map(beginning, words))), first, len(texts)))
    found = dict(Matcher(reading, [layer], set(), (2.0, 2.0), None).search(terms(asked), 99, Within(), {}).rows)
    ids = iter(range(1, len(layer) + 1))
    return [[found.get(next(ids), 0.0) for _ in texts] for texts in files]


def test_a_chunk_gains_by_a_neighbour_in_its_own_file(reading: Reading) -> None:
    before, beside, after = scores(
        reading,
        ("Lease ends.", *GRAIN, "March rent."),
        ("Lease ends.", "March rent.", *GRAIN, "March rent."),
        ("Lease ends.", *GRAIN, "March rent."),
        asked="lease ends march rent",
    )
    assert before == after
    assert beside[0] > before[0]
    assert beside[1] > before[-1]
    assert beside[2:-1] == [0.0] * 20


def test_of_two_neighbours_the_better_one_counts(reading: Reading) -> None:
    one, both, worse = scores(
        reading,
        ("March rent.", "Lease ends.", "Some grain.", *GRAIN),
        ("March rent.", "Lease ends.", "March grain.", *GRAIN),
        ("March grain.", "Lease ends.", "Some grain.", *GRAIN),
        asked="lease ends march rent",
    )
    assert one[1] == both[1] > worse[1]


def test_a_file_of_one_chunk_gains_as_much_as_one_of_two_that_are_as_good(reading: Reading) -> None:
    one, two = scores(reading, ("Lease ends.",), ("Lease ends.", "Lease ends."), asked="lease ends")
    assert [*one, *one] == two


def test_a_chunk_gains_by_the_rest_of_a_short_file(reading: Reading) -> None:
    apart, near = scores(
        reading,
        ("Lease ends.", "Some grain.", "Some grain.", "Some grain."),
        ("Lease ends.", "Some grain.", "Lease.", "Lease."),
        asked="lease ends",
    )
    assert near[0] > apart[0]


def test_a_definition_gains_the_more_its_name_is_all_that_is_asked_for(reading: Reading) -> None:
    files = ("Tide high. =low",), ("Tide high. =tide",), *((one,) for one in GRAIN)

    def gain(asked: str) -> float:
        (plain,), (defined,), *_ = scores(reading, *files, asked=asked)
        return defined / plain

    assert gain("tide") > gain("tide high") > gain("tide high some") > 1
    assert gain("high") == 1, "another name is asked for"


def test_the_parts_of_an_identifier_are_asked_for_with_it(reading: Reading) -> None:
    files = ("high_tide. =low",), ("high_tide. =hightide",), *((one,) for one in GRAIN)
    (plain,), (defined,), *_ = scores(reading, *files, asked="high_tide")
    assert defined > 1.2 * plain


def test_what_code_defines_is_a_term_of_its_own_and_begins_nothing() -> None:
    (chunk,) = chunks(document("tide.py", "def high_tide(): ..."), ("Tides", "high_tide"))
    words, beginnings = field_terms(replace(chunk, strategy="code"), "", 0)
    assert words == ["def", "hightide", "high", "tide", "=hightide"]
    assert beginnings == ["def", "hight", "high", "tide"]
    assert not any(word.startswith("=") for word in field_terms(chunk, "", 3)[0])
