"""What is the sentence strategy's own."""

from itertools import pairwise

import pytest

from lens_tui.chunking.sentence import SentenceChunker
from lens_tui.errors import ChunkingValueError
from lens_tui.options import ChunkOptions
from lens_tui.text.tokens import OfflineTokenizer
from lens_tui.types import Cut
from tests.chunking.documents import PROSE, document

FIVE = "One two three four five. "
"""A sentence of six tokens."""


def cut(source: str, **options: object) -> Cut:
    chunker = SentenceChunker(OfflineTokenizer(), ChunkOptions(**options))  # type: ignore[arg-type]
    return chunker.chunk(document(source))


def texts(source: str, **options: object) -> list[str]:
    return [chunk.text for chunk in cut(source, **options).chunks]


def test_the_defaults_are_512_to_768_tokens_and_one_sentence_shared() -> None:
    chunker = SentenceChunker(OfflineTokenizer())
    assert chunker.told(document("")) == "sentence 512 to 768/1 sentence"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"size": 127}, "128 to 4096"),
        ({"size": 4097}, "128 to 4096"),
        ({"size": 300, "maximum": 299}, "at least the target of 300"),
        ({"overlap_sentences": 6}, "0 to 5"),
        ({"overlap_sentences": -1}, "0 to 5"),
    ],
)
def test_a_value_out_of_bounds_is_refused_with_the_range(options: dict[str, int], message: str) -> None:
    with pytest.raises(ChunkingValueError, match=message):
        cut("", **options)


def test_sentences_are_packed_to_the_target_and_never_cut() -> None:
    made = cut(FIVE * 100, size=128, overlap_sentences=0, paragraphs=False)
    assert {chunk.tokens for chunk in made.chunks[:-1]} == {126}
    assert all(chunk.text.startswith("One") and chunk.text.endswith("five.") for chunk in made.chunks)
    assert made.warnings == ()


@pytest.mark.parametrize("count", range(6))
def test_neighbours_share_as_many_sentences_as_were_asked_for(count: int) -> None:
    chunks = cut(FIVE * 100, size=128, overlap_sentences=count).chunks
    for before, chunk in pairwise(chunks):
        shared = before.text[chunk.start - before.start :] if chunk.start < before.end else ""
        assert shared.count("One") == count
        assert chunk.tokens <= 128


def test_an_overlap_in_tokens_stands_in_the_place_of_the_one_in_sentences() -> None:
    chunks = cut(FIVE * 100, size=128, overlap="20", overlap_sentences=5).chunks
    assert {chunk.overlap_before for chunk in chunks[1:]} == {17}


def test_a_paragraph_that_fits_the_maximum_stays_whole_where_that_is_wished() -> None:
    source = "\n\n".join(FIVE.strip() + " " + (FIVE * 24).strip() for _ in range(3))
    assert len(texts(source, size=128, overlap_sentences=0)) == 3
    assert len(texts(source, size=128, overlap_sentences=0, paragraphs=False)) > 3


def test_a_sentence_above_the_maximum_stands_alone_with_a_warning() -> None:
    long = "word " * 900 + "end."
    made = cut(f"{PROSE}\n\n{long} {PROSE}")
    alone = [chunk for chunk in made.chunks if chunk.tokens > 768]
    assert [chunk.text for chunk in alone] == [long]
    assert made.warnings[0] == ("1 sentence is above the maximum of 768 tokens and stands alone; the longest has 902.")


def test_a_sentence_between_target_and_maximum_stands_alone_without_a_warning() -> None:
    made = cut(f"{FIVE}{'Word ' * 160}end. {FIVE}", size=128, overlap_sentences=0, paragraphs=False)
    assert [chunk.tokens for chunk in made.chunks] == [6, 162, 6]
    assert made.warnings == ()


def test_delimiters_decide_where_a_sentence_ends() -> None:
    source = "alpha beta gamma; delta epsilon zeta. " * 60
    assert all(text.endswith(";") for text in texts(source, size=128, delimiters=(";",))[:-1])
    assert all(text.endswith(".") for text in texts(source, size=128, delimiters=(".",))[:-1])


def test_a_delimiter_may_be_a_word_and_holds_its_closing_quotes() -> None:
    source = "„one two three“ STOP “four five six” STOP " * 30
    assert all(text.endswith("STOP") for text in texts(source, size=128, delimiters=("STOP",)))


def test_japanese_is_cut_after_its_full_stops_outside_quotes() -> None:
    source = "彼は「行く。すぐに。」と言った。私も行くと答えた。" * 20
    assert all(text.endswith(("言った。", "答えた。")) for text in texts(source, size=128))
