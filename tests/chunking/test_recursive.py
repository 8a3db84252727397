"""What is the recursive strategy's own."""

import pytest

from lens_tui.chunking.recursive import RecursiveChunker
from lens_tui.errors import ChunkingValueError
from lens_tui.options import ChunkOptions
from lens_tui.text.tokens import OfflineTokenizer
from lens_tui.types import Chunk
from tests.chunking.documents import PROSE, document


def cut(source: str, **options: object) -> tuple[Chunk, ...]:
    chunker = RecursiveChunker(OfflineTokenizer(), ChunkOptions(**options))  # type: ignore[arg-type]
    return chunker.chunk(document(source)).chunks


def words(count: int, word: str = "word") -> str:
    return " ".join([word] * count)


def test_the_defaults_are_200_to_400_tokens_and_a_fifth_shared() -> None:
    assert RecursiveChunker(OfflineTokenizer()).told(document("")) == "recursive 400/80, minimum 200"


@pytest.mark.parametrize("options", [{"size": 0}, {"size": 100, "overlap": "100"}, {"size": 100, "minimum": 101}])
def test_a_value_out_of_bounds_is_refused(options: dict[str, object]) -> None:
    with pytest.raises(ChunkingValueError):
        cut("", **options)


def test_sections_that_fit_stay_whole_and_only_the_others_are_cut_at_the_headings_below() -> None:
    source = f"# A\n\n{words(250)}\n\n# B\n\n{words(5)}\n\n## C\n\n{words(250)}\n\n## D\n\n{words(250)}"
    assert [chunk.heading for chunk in cut(source, overlap="0")] == [("A",), ("B",), ("B", "D")]


def test_every_heading_level_is_tried_before_paragraphs_are() -> None:
    source = "# A\n\n" + "".join(f"###### Part {n}\n\n{words(250)}\n\n{words(20)}\n\n" for n in range(3))
    assert [chunk.heading[-1] for chunk in cut(source, overlap="0")] == ["A", "Part 1", "Part 2"]


def test_short_sections_go_together_until_they_have_the_minimum() -> None:
    source = "".join(f"## Part {n}\n\n{words(60)}\n\n" for n in range(8))
    sizes = [chunk.tokens for chunk in cut(source, overlap="0")]
    assert all(200 <= size <= 400 for size in sizes)


def test_a_section_without_headings_is_cut_between_paragraphs_and_then_between_sentences() -> None:
    chunks = cut(f"# A\n\n{PROSE * 30}")
    assert len(chunks) > 1
    assert all(chunk.text.endswith((".", "!", "?")) for chunk in chunks)
    assert all(60 <= chunk.overlap_before <= 80 for chunk in chunks[1:])
