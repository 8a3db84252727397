"""A text that comes in pieces is cut as the whole is."""

import random
from collections.abc import Iterator

import pytest

from lens_tui.chunking import STRATEGIES, streaming
from lens_tui.chunking.placing import BLANK
from lens_tui.chunking.streaming import stream
from lens_tui.errors import ChunkingError
from lens_tui.options import ChunkOptions
from lens_tui.text.tokens import OfflineTokenizer
from lens_tui.types import Document
from tests.chunking.documents import SOURCES

STREAMING = ("fixed", "paragraph", "sentence", "recursive")
WILD = ("fences", "newlines", "spaces", *(name for name in SOURCES if name.startswith("noise")))
"""Sources with fences or white space longer than the small windows here: what streaming says it cuts otherwise."""


@pytest.fixture(autouse=True)
def _small_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streaming, "WINDOW", 30_000)
    monkeypatch.setattr(streaming, "LONGEST", 120_000)
    monkeypatch.setattr(streaming, "CONTEXT", 8_000)


def plain(text: str) -> Document:
    return Document("a.txt", text, "0" * 64)


def pieces(text: str, chooser: random.Random) -> Iterator[str]:
    at = 0
    while at < len(text):
        length = chooser.randint(1, 9_000)
        yield text[at : at + length]
        at += length


@pytest.mark.parametrize(
    "options",
    [ChunkOptions(), ChunkOptions(size=128, overlap="30", minimum=60), ChunkOptions(size=150, overlap_both=20)],
    ids=["default", "tokens", "both"],
)
@pytest.mark.parametrize("strategy", STREAMING)
def test_a_text_in_pieces_is_cut_as_the_whole_with_the_same_warnings(strategy: str, options: ChunkOptions) -> None:
    chooser = random.Random(7)
    names = [name for name in SOURCES if name not in WILD] * 2
    chooser.shuffle(names)
    read = plain("\n\n".join(SOURCES[name] for name in names))
    assert len(read.text) > 4 * streaming.WINDOW
    chunker = STRATEGIES[strategy](OfflineTokenizer(), options)
    whole = chunker.chunk(read)
    found = stream(chunker, pieces(read.text, chooser), read)
    assert tuple(found) == whole.chunks
    assert found.warnings == whole.warnings


@pytest.mark.parametrize("unit", ["0123456789abcdef", "word ", "漢字", "「閉じない。", "\u0301", "🇯🇵", "```\n", "a.b"])
@pytest.mark.parametrize("strategy", STREAMING)
def test_one_endless_line_is_cut_exactly_and_whole(strategy: str, unit: str) -> None:
    text = unit * (300_000 // len(unit)) + "z"
    chunker = STRATEGIES[strategy](OfflineTokenizer())
    end = 0
    for index, chunk in enumerate(stream(chunker, iter([text]), plain(""))):
        assert chunk.text == text[chunk.start : chunk.end]
        assert chunk.index == index
        assert text[end : chunk.start].strip() == ""
        assert len(chunk.text) <= 5 * streaming.WINDOW
        end = chunk.end
    assert end == len(text)


@pytest.mark.parametrize("strategy", STREAMING)
def test_white_space_longer_than_all_that_is_held_is_passed_over(strategy: str) -> None:
    text = "One." + "\n" * 400_000 + "Two." + " " * 400_000 + "Three."
    found = list(stream(STRATEGIES[strategy](OfflineTokenizer()), iter([text]), plain("")))
    assert [chunk.text for chunk in found] in (["One.", "Two.", "Three."], ["One.", "Two. Three."])
    assert found[1].lines == (400_001, 400_001)


@pytest.mark.parametrize("text", ["", " \n" * 100_000])
def test_a_blank_text_has_no_chunks_and_a_warning(text: str) -> None:
    found = stream(STRATEGIES["paragraph"](OfflineTokenizer()), iter([text]), plain(""))
    assert (list(found), found.warnings) == ([], (BLANK,))


def test_pieces_are_read_only_as_far_as_chunks_are_taken() -> None:
    read = 0

    def endless() -> Iterator[str]:
        nonlocal read
        while True:
            read += 1
            yield SOURCES["prose"]

    found = stream(STRATEGIES["paragraph"](OfflineTokenizer()), endless(), plain(""))
    for _ in range(100):
        next(found)
    assert read * len(SOURCES["prose"]) < 4 * streaming.WINDOW


def test_a_strategy_that_needs_the_whole_text_says_so_and_names_those_that_do_not() -> None:
    with pytest.raises(ChunkingError, match="markdown needs the whole text") as caught:
        stream(STRATEGIES["markdown"](OfflineTokenizer()), iter(["a"]), plain(""))
    assert all(name in caught.value.hint for name in STREAMING)
