"""What a chunk gains by what stands around it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from lens_tui.index.filtering import Within
from lens_tui.index.fresh import Entry, Fresh
from lens_tui.index.lexical import Lexical, Reading
from lens_tui.index.matching import Matcher
from lens_tui.text.words import beginning, terms

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
            words = terms(text)
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
