"""Hits are different passages: copies fold into one, and nothing that differs in a word is taken for a copy."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from lens_tui.index.copies import LEAST, Copies
from lens_tui.index.hashing import HashingEmbedder
from lens_tui.index.hybrid import HybridBackend
from lens_tui.types import Place, Query
from tests.index.making import Concepts, embed_all, opened, put

LEASE = (
    "The lease of the house on the harbour ends on 31 March 2027, and the tenant gives back every key, the"
    " cellar’s too, on the day before at noon; what is not given back by then is paid for."
)


@pytest.fixture
def backend(tmp_path: Path) -> Iterator[HybridBackend]:
    made = opened(tmp_path / "index", HashingEmbedder())
    yield made
    made.close()


@pytest.mark.parametrize(
    "other",
    [
        LEASE,
        LEASE.replace(" ", "\n  "),
        LEASE.upper().replace("’", "'"),
        LEASE.replace("the", "ｔｈｅ"),
        LEASE[: int(len(LEASE) * 0.9)],
    ],
    ids=["the same", "wrapped anew", "in capitals", "in wide letters", "nearly all of it"],
)
def test_the_same_words_are_a_copy(other: str) -> None:
    seen = Copies()
    seen.add(LEASE, 3)
    assert seen.of(other) == 3


@pytest.mark.parametrize(
    "other",
    [
        LEASE.replace("2027", "2028"),
        LEASE.replace("gives", "never gives"),
        LEASE.replace("noon", "dawn"),
        LEASE + " And the roof is mended before the winter by whoever lives in the house at that time.",
        LEASE[: len(LEASE) // 2],
        LEASE.replace(", ", " - "),
    ],
    ids=["another year", "a denial", "another word", "more than it", "half of it", "another sign"],
)
def test_anything_else_is_a_passage_of_its_own(other: str) -> None:
    seen = Copies()
    seen.add(LEASE, 0)
    assert seen.of(other) is None


def test_short_passages_have_no_copies() -> None:
    seen = Copies()
    short = "x" * (LEAST - 1)
    seen.add(short, 0)
    assert seen.of(short) is None
    seen.add(short + "x", 1)
    assert seen.of(short + "x") == 1


def test_copies_of_a_file_fold_into_one_hit_that_names_their_places(backend: HybridBackend) -> None:
    for path in ("a.md", "b/a.md", "old/a.md"):
        put(backend, path, f"Of other things.\n\n{LEASE}")
    put(backend, "next.md", LEASE.replace("2027", "2028"))
    found = backend.search(Query("lease of the house on the harbour"), 5)
    assert {hit.path: hit.also for hit in found.hits if hit.chunk == 1 or hit.path == "next.md"} == {
        "a.md": (Place("b/a.md", 3, 1), Place("old/a.md", 3, 1)),
        "next.md": (),
    }
    assert [hit.rank for hit in found.hits] == list(range(1, len(found.hits) + 1))


def test_there_are_as_many_hits_as_were_asked_for_however_many_copies_stand_before_them(
    backend: HybridBackend,
) -> None:
    for number in range(60):
        put(backend, f"copy{number:02}.md", f"{LEASE} Lease, lease.")
    for number in range(4):
        put(backend, f"other{number}.md", f"Another lease, number{number}, of a boat and what belongs to the boat.")
    found = backend.search(Query("lease"), 5)
    assert [hit.path for hit in found.hits] == ["copy00.md", "other0.md", "other1.md", "other2.md", "other3.md"]
    assert len(found.hits[0].also) == 59


def test_a_hybrid_search_folds_copies_too(tmp_path: Path) -> None:
    backend = opened(tmp_path / "index", Concepts())
    put(backend, "a.md", LEASE)
    put(backend, "copy.md", LEASE)
    put(backend, "law.md", "The law of the land.")
    embed_all(backend)
    found = backend.search(Query("law of the lease", "hybrid"), 5)
    assert found.retriever == "hybrid"
    assert sorted(hit.path for hit in found.hits) == ["a.md", "law.md"]
    backend.close()


def test_related_passages_fold_their_copies_and_name_those_of_the_passage_itself(backend: HybridBackend) -> None:
    boat = LEASE.replace("house", "boat").replace("cellar", "cabin").replace("2027", "2031")
    put(backend, "house.md", LEASE)
    put(backend, "house copy.md", LEASE)
    put(backend, "boat.md", boat)
    put(backend, "boat copy.md", boat)
    embed_all(backend)
    found = backend.related(Place("house.md", line=1), 5)
    (hit,) = found.hits
    assert sorted([hit.path, *(place.path for place in hit.also)]) == ["boat copy.md", "boat.md"]
    assert "are left out: house copy.md:1." in " ".join(found.notes)
    assert "built-in vectors" in found.notes[0]
