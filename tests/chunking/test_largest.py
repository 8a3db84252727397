"""How long chunks can get, by each strategy."""

import pytest

from lens_tui.chunking import STRATEGIES, chunker_for, largest_for
from lens_tui.errors import ChunkingValueError
from lens_tui.index.hashing import HashingEmbedder
from lens_tui.options import ChunkOptions
from lens_tui.text.tokens import OfflineTokenizer
from tests.chunking.documents import PROSE, document


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("size", [None, 300])
def test_no_chunk_of_ordinary_text_is_longer_than_is_told(strategy: str, size: int | None) -> None:
    options, tokenizer = ChunkOptions(strategy=strategy, size=size), OfflineTokenizer()
    largest = largest_for(options, tokenizer)
    chunker = chunker_for(options, tokenizer, HashingEmbedder())
    found = chunker.chunk(document(f"# A\n\n{PROSE * 200}")).chunks
    assert largest / 4 < max(chunk.tokens for chunk in found) <= largest


@pytest.mark.parametrize(
    ("strategy", "largest"), [("auto", 384), ("paragraph", 220), ("sentence", 768), ("semantic", 1024)]
)
def test_the_maximum_counts_where_there_is_one_and_of_auto_the_largest(strategy: str, largest: int) -> None:
    assert largest_for(ChunkOptions(strategy=strategy), OfflineTokenizer()) == largest


def test_late_chunks_are_as_long_as_what_finds_their_boundaries_makes_them() -> None:
    assert largest_for(ChunkOptions(late=True, late_boundaries="sentence"), OfflineTokenizer()) == 768
    with pytest.raises(ChunkingValueError, match="no chunking strategy 'smenatic'"):
        largest_for(ChunkOptions(strategy="smenatic"), OfflineTokenizer())
