"""What is the fixed strategy's own."""

from itertools import pairwise

import pytest

from lens_tui.chunking.fixed import FixedChunker
from lens_tui.errors import ChunkingValueError
from lens_tui.options import ChunkOptions
from lens_tui.text.tokens import OfflineTokenizer
from lens_tui.types import Cut
from tests.chunking.documents import document


def cut(source: str, **options: object) -> Cut:
    return FixedChunker(OfflineTokenizer(), ChunkOptions(**options)).chunk(document(source))  # type: ignore[arg-type]


def words(count: int) -> str:
    return " ".join(["word"] * count)


def test_the_defaults_are_512_tokens_64_shared_and_a_minimum_of_50() -> None:
    assert FixedChunker(OfflineTokenizer()).told(document("")) == "fixed 512/64, minimum 50"


@pytest.mark.parametrize("size", [0, 127, 8193])
def test_a_size_outside_128_to_8192_is_refused_with_the_range(size: int) -> None:
    with pytest.raises(ChunkingValueError, match="128 to 8192"):
        cut("", size=size)


@pytest.mark.parametrize("overlap", ["101", "51%", "100%"])
def test_an_overlap_above_half_of_the_size_is_refused_with_the_range(overlap: str) -> None:
    with pytest.raises(ChunkingValueError, match=r"0 to 100, or 0 % to 50 %|0 ≤ overlap < size"):
        cut("", size=200, overlap=overlap)


@pytest.mark.parametrize("overlap", ["100", "50%", "0"])
def test_an_overlap_up_to_half_of_the_size_is_taken_in_tokens_and_percent(overlap: str) -> None:
    assert cut(words(1000), size=200, overlap=overlap).chunks[1].tokens == 200


def test_every_window_but_the_last_is_full_and_shares_what_was_asked() -> None:
    chunks = cut("日" * (64 + 9 * 48), size=128, overlap="32").chunks
    assert {chunk.tokens for chunk in chunks[:-1]} <= {127, 128}
    assert {chunk.overlap_before for chunk in chunks[1:]} <= {31, 32}


def test_a_tail_shorter_than_the_minimum_joins_the_window_before_with_a_warning_where_it_exceeds_the_size() -> None:
    made = cut(words(128 + 30), size=128, overlap="0")
    assert [chunk.tokens for chunk in made.chunks] == [158]
    assert made.warnings == (
        "The last chunk has 158 tokens, above the size of 128: a tail shorter than the minimum of 50 joined it.",
    )


def test_a_window_gives_up_overlap_before_a_tail_makes_it_too_large() -> None:
    made = cut(words(128 + 96 + 20), size=128, overlap="32")
    assert [chunk.tokens for chunk in made.chunks] == [128, 128]
    assert made.chunks[1].overlap_before in (11, 12)
    assert made.warnings == ()


def test_a_tail_of_the_minimum_stands_alone() -> None:
    assert [chunk.tokens for chunk in cut(words(128 + 50), size=128, overlap="0").chunks] == [128, 50]
    assert [chunk.tokens for chunk in cut(words(128 + 9), size=128, overlap="0", minimum=9).chunks] == [128, 9]


def test_windows_end_wherever_a_token_does_and_not_only_between_sentences() -> None:
    chunks = cut("One two three. " * 100, size=130, overlap="0").chunks
    assert any(not chunk.text.endswith(".") for chunk in chunks)


def test_an_overlap_with_both_neighbours_is_taken_from_before_and_after() -> None:
    chunks = cut("日本語の文" * 300, size=128, overlap_both=10).chunks
    for before, chunk in pairwise(chunks[1:-1]):
        assert chunk.start < before.end
        assert 18 <= chunk.overlap_before <= 20
