"""What is the paragraph strategy's own."""

from itertools import pairwise

import pytest

from lens_tui.chunking.paragraph import ParagraphChunker
from lens_tui.errors import ChunkingValueError
from lens_tui.options import ChunkOptions
from lens_tui.text.tokens import BpeTokenizer, OfflineTokenizer
from lens_tui.text.vocabularies import VOCABULARIES
from lens_tui.types import Document
from tests.chunking.documents import PROSE, document


def texts(source: str, size: int = 220, overlap: int = 40) -> list[str]:
    return [
        chunk.text
        for chunk in ParagraphChunker(OfflineTokenizer(), ChunkOptions(size=size, overlap=str(overlap)))
        .chunk(document(source))
        .chunks
    ]


def words(count: int, word: str = "word") -> str:
    """A paragraph of ``count`` tokens."""
    return " ".join([word] * count)


@pytest.mark.parametrize(("size", "overlap"), [(40, 40), (10, 40)])
def test_an_overlap_outside_its_bounds_is_refused_with_the_range(size: int, overlap: int) -> None:
    with pytest.raises(ChunkingValueError, match="0 ≤ overlap < size"):
        ParagraphChunker(OfflineTokenizer(), ChunkOptions(size=size, overlap=str(overlap)))


@pytest.mark.parametrize("size", [0, 8193])
def test_a_size_outside_its_bounds_is_refused_with_the_range(size: int) -> None:
    with pytest.raises(ChunkingValueError, match="1 to 8192"):
        ParagraphChunker(OfflineTokenizer(), ChunkOptions(size=size))


def test_the_default_sizes_are_220_and_40() -> None:
    assert ParagraphChunker(OfflineTokenizer()).told(document("")) == "paragraph 220/40"


def test_paragraphs_are_packed_whole_up_to_the_size() -> None:
    source = "\n\n".join(words(50, name) for name in ("one", "two", "three", "four", "five"))
    assert texts(source, 110, 0) == [
        f"{words(50, 'one')}\n\n{words(50, 'two')}",
        f"{words(50, 'three')}\n\n{words(50, 'four')}",
        words(50, "five"),
    ]


def test_a_paragraph_that_fits_only_without_the_overlap_stays_whole_with_a_smaller_one() -> None:
    first, second = words(90, "one"), words(90, "two")
    chunks = texts(f"{first}\n\n{second}\n\n{words(90, 'three')}", 100, 40)
    assert chunks[0] == first
    assert chunks[1].endswith(second)
    assert chunks[1].startswith("one one")


def test_a_paragraph_over_the_size_is_cut_between_sentences() -> None:
    for chunk in texts(PROSE * 20):
        assert chunk.endswith((".", "!", "?"))
        assert chunk.startswith(("The tide", "Nobody", "Mr. Okafor", "Was it", "He never"))


def test_a_sentence_over_the_size_is_cut_between_words() -> None:
    chunks = texts(words(1000), 100, 20)
    assert {word for chunk in chunks for word in chunk.split(" ")} == {"word"}


def test_code_is_cut_between_lines() -> None:
    source = "".join(f"value_{n} = compute(alpha, beta)\n" for n in range(100))
    for chunk in texts(source, 100, 20):
        assert all(line.startswith("value_") and line.endswith(")") for line in chunk.split("\n"))


def test_an_overlap_begins_with_a_sentence_where_one_fits() -> None:
    chunks = ParagraphChunker(OfflineTokenizer()).chunk(document(PROSE * 20)).chunks
    shared = [before.text[chunk.start - before.start :] for before, chunk in pairwise(chunks)]
    assert all(shared)
    assert all(text.startswith(("The tide", "Nobody", "Mr. Okafor", "Was it", "He never")) for text in shared)


def test_a_heading_goes_with_the_text_it_opens_even_where_that_must_be_cut() -> None:
    source = f"{words(60)}\n\n## Method\n\n{PROSE * 12}"
    chunks = ParagraphChunker(OfflineTokenizer(), ChunkOptions(size=100, overlap="10")).chunk(document(source)).chunks
    opening = next(chunk for chunk in chunks if "## Method" in chunk.text)
    assert "The tide tables" in opening.text
    assert opening.heading == ("Method",)


def test_the_heading_path_is_that_of_the_place_and_not_of_the_overlap() -> None:
    source = f"# A\n\n{PROSE * 3}\n\n## B\n\n{PROSE * 3}\n\n# C\n\n{PROSE * 3}"
    chunks = (
        ParagraphChunker(OfflineTokenizer(), ChunkOptions(size=150, overlap=str(40))).chunk(document(source)).chunks
    )
    assert [chunk.heading for chunk in chunks] == [("A",), ("A", "B"), ("C",)]


def test_ids_name_content_and_place_in_it() -> None:
    chunks = ParagraphChunker(OfflineTokenizer()).chunk(document(PROSE * 20)).chunks
    assert [chunk.id for chunk in chunks] == [f"{chunks[0].checksum[:12]}-{n}" for n in range(len(chunks))]


def test_a_single_character_of_more_tokens_than_the_size_stands_alone() -> None:
    chunks = (
        ParagraphChunker(OfflineTokenizer(), ChunkOptions(size=1, overlap="0"))
        .chunk(Document("a", "𠮷𠮷", "0" * 64))
        .chunks
    )
    assert [(chunk.text, chunk.tokens) for chunk in chunks] == [("𠮷", 2), ("𠮷", 2)]


def test_chunks_that_begin_with_a_slash_are_counted_alone_where_the_vocabulary_joins_it_to_a_line_end() -> None:
    ranks = {bytes([value]): value for value in range(256)} | {b";\n": 256, b";\n\n": 257, b";\n\n/": 258}
    tokenizer = BpeTokenizer("slashes", ranks, VOCABULARIES["o200k_base"].pattern)
    chunks = (
        ParagraphChunker(tokenizer, ChunkOptions(size=300, overlap="0"))
        .chunk(document("// a note\nx = 1;\n\n" * 100))
        .chunks
    )
    assert any(chunk.text.startswith("//") for chunk in chunks[1:])
    assert [chunk.tokens for chunk in chunks] == [tokenizer.count(chunk.text) for chunk in chunks]
