"""Sizes of one token: no strategy may run for ever, and none loses a visible character."""

import pytest

from lens_tui.chunking import STRATEGIES, chunker_for
from lens_tui.errors import ChunkingValueError
from lens_tui.index.hashing import HashingEmbedder
from lens_tui.options import ChunkOptions
from lens_tui.text.tokens import OfflineTokenizer
from tests.chunking.documents import SOURCES, document


@pytest.mark.parametrize("size", [1, 2])
@pytest.mark.parametrize("strategy", sorted(STRATEGIES))
def test_the_smallest_sizes_are_cut_to_the_end_or_refused(strategy: str, size: int) -> None:
    try:
        options = ChunkOptions(strategy=strategy, size=size, overlap="0")
        chunker = chunker_for(options, OfflineTokenizer(), HashingEmbedder())
    except ChunkingValueError:
        return
    read = document("".join(text[:400] for text in SOURCES.values()) + "def f(x):\n    return 'no_way_about_it' + x\n")
    covered: set[int] = set()
    for chunk in chunker.chunk(read).chunks:
        assert read.text[chunk.start : chunk.end] == chunk.text
        covered.update(range(chunk.start, chunk.end))
    seen = {at for at, char in enumerate(read.text) if not char.isspace() and at >= read.body_start}
    assert seen <= covered
