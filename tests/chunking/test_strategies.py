"""What every strategy promises of every document, with every tokenizer."""

import time
from functools import cache
from itertools import pairwise

import pytest

from lens_tui.chunking import STRATEGIES
from lens_tui.chunking.placing import BLANK
from lens_tui.options import ChunkOptions
from lens_tui.protocols import Chunker, Tokenizer
from lens_tui.text.graphemes import is_border
from lens_tui.text.tokens import OfflineTokenizer
from lens_tui.types import Chunk, Document
from tests.chunking.documents import SOURCES, document, tiny_tokenizer

TOKENIZERS: dict[str, Tokenizer] = {"offline": OfflineTokenizer(), "tiny": tiny_tokenizer()}
SIZES = ((220, 40), (64, 0), (24, 23))


@cache
def parsed(name: str) -> Document:
    return document(SOURCES[name])


_CUT: dict[tuple[int, str], tuple[Chunk, ...]] = {}


def cut(chunker: Chunker, name: str) -> tuple[Chunk, ...]:
    """Chunks of a source, cut once for all the promises: ``chunker_of`` keeps the chunkers, so their ids stay."""
    key = (id(chunker), name)
    if key not in _CUT:
        _CUT[key] = chunker.chunk(parsed(name)).chunks
    return _CUT[key]


@cache
def chunker_of(strategy: str, tokenizer: str, sizes: tuple[int, int]) -> Chunker:
    return STRATEGIES[strategy](TOKENIZERS[tokenizer], ChunkOptions(size=sizes[0], overlap=str(sizes[1])))


@pytest.fixture(params=sorted(STRATEGIES))
def strategy(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=sorted(TOKENIZERS))
def tokenizer_name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def tokenizer(tokenizer_name: str) -> Tokenizer:
    return TOKENIZERS[tokenizer_name]


@pytest.fixture(params=SIZES, ids=lambda sizes: f"{sizes[0]}-{sizes[1]}")
def sizes(request: pytest.FixtureRequest) -> tuple[int, int]:
    return request.param  # type: ignore[no-any-return]  # one of SIZES


@pytest.fixture
def chunker(strategy: str, tokenizer_name: str, sizes: tuple[int, int]) -> Chunker:
    return chunker_of(strategy, tokenizer_name, sizes)


each_source = pytest.mark.parametrize("name", sorted(SOURCES))


def torn(text: str, at: int) -> bool:
    return not is_border(text, at)


def cluster_tokens(text: str, at: int, tokenizer: Tokenizer) -> int:
    """Tokens of the grapheme cluster that holds ``at``."""
    start, end = at, at
    while torn(text, start):
        start -= 1
    while torn(text, end):
        end += 1
    return tokenizer.count(text[start:end])


@each_source
def test_chunks_are_exact_in_order_and_hold_every_visible_character_of_the_body(chunker: Chunker, name: str) -> None:
    read = parsed(name)
    chunks = cut(chunker, name)
    covered = read.body_start
    for index, chunk in enumerate(chunks):
        assert chunk.text == read.text[chunk.start : chunk.end] == chunk.text.strip() != ""
        assert (chunk.index, chunk.path, chunk.checksum) == (index, read.path, read.checksum)
        assert chunk.strategy == chunker.strategy
        assert read.text[covered : chunk.start].strip() == ""
        assert chunk.end > covered
        covered = chunk.end
    assert read.text[covered:].strip() == ""
    starts = [chunk.start for chunk in chunks]
    assert starts == sorted(set(starts))


@each_source
def test_no_chunk_counted_alone_exceeds_the_size_but_a_single_character(
    chunker: Chunker, tokenizer: Tokenizer, sizes: tuple[int, int], name: str
) -> None:
    size, _ = sizes
    for chunk in cut(chunker, name):
        assert chunk.tokens == tokenizer.count(chunk.text)
        assert chunk.tokens <= size or len(chunk.text) == 1


@each_source
def test_neighbours_share_at_most_the_overlap_and_both_say_so(
    chunker: Chunker, tokenizer: Tokenizer, sizes: tuple[int, int], name: str
) -> None:
    _, overlap = sizes
    chunks = cut(chunker, name)
    assert [chunk.overlap_before for chunk in chunks[1:]] == [chunk.overlap_after for chunk in chunks[:-1]]
    for before, chunk in pairwise(chunks):
        assert 0 <= chunk.overlap_before <= overlap
        assert (chunk.overlap_before > 0) == (chunk.start < before.end)
    if chunks:
        assert chunks[0].overlap_before == chunks[-1].overlap_after == 0


@each_source
def test_no_cut_tears_a_grapheme_cluster_that_fits_the_size(
    chunker: Chunker, tokenizer: Tokenizer, sizes: tuple[int, int], name: str
) -> None:
    read = parsed(name)
    size, _ = sizes
    for chunk in cut(chunker, name):
        for edge in (chunk.start, chunk.end):
            assert not torn(read.text, edge) or cluster_tokens(read.text, edge, tokenizer) > size // 2


@each_source
def test_lines_pages_headings_and_tags_are_those_of_the_place(chunker: Chunker, name: str) -> None:
    read = parsed(name)
    end = 0
    for chunk in cut(chunker, name):
        assert chunk.lines == (lines(read, chunk.start), lines(read, chunk.end))
        assert chunk.page is None
        assert chunk.tags == read.tags
        own = next(at for at in range(max(end, chunk.start), chunk.end) if not read.text[at].isspace())
        assert chunk.heading == expected_path(read, own)
        end = chunk.end


def lines(read: Document, at: int) -> int:
    return read.text.count("\n", 0, at) + 1


def expected_path(read: Document, at: int) -> tuple[str, ...]:
    path: list[tuple[int, str]] = []
    for heading in read.headings:
        if heading.start <= at:
            path = [*(above for above in path if above[0] < heading.level), (heading.level, heading.title)]
    return tuple(title for _, title in path if title)


@pytest.mark.parametrize("name", ["markdown", "headings without blank lines", "heading then giant"])
def test_a_heading_is_never_the_last_line_of_a_chunk_but_at_the_documents_end(
    strategy: str, tokenizer: Tokenizer, name: str
) -> None:
    read = parsed(name)
    chunks = STRATEGIES[strategy](tokenizer).chunk(read).chunks
    assert len(chunks) > 2
    lines = {read.text[heading.start :].split("\n")[0] for heading in read.headings}
    for chunk in chunks[:-1]:
        assert chunk.text.split("\n")[-1] not in lines | {"--------------"}


@pytest.mark.parametrize("text", ["", "\n", " \t\u3000\n\n\x0c", "---\ntitle: only data\n---\n\n"])
def test_a_blank_document_has_no_chunks_and_a_warning(chunker: Chunker, text: str) -> None:
    made = chunker.chunk(document(text))
    assert (made.chunks, made.warnings) == ((), (BLANK,))


def test_front_matter_is_in_no_chunk(chunker: Chunker) -> None:
    read = parsed("markdown")
    assert read.body_start > 0
    assert all(chunk.start >= read.body_start for chunk in chunker.chunk(read).chunks)


def test_the_page_is_that_of_the_first_character_of_its_own(strategy: str, tokenizer: Tokenizer) -> None:
    from dataclasses import replace

    text = "First page here.\n\n" + "word " * 300 + "\n\nThird page at last."
    pages = (0, 18, text.index("Third"))
    chunks = (
        STRATEGIES[strategy](tokenizer, ChunkOptions(size=60, overlap="10"))
        .chunk(replace(document(text), pages=pages))
        .chunks
    )
    assert [chunk.page for chunk in chunks] == sorted(chunk.page or 0 for chunk in chunks)
    assert (chunks[0].page, chunks[-1].page, {chunk.page for chunk in chunks} <= {1, 2, 3}) == (1, 2, True) or chunks[
        -1
    ].page == 3


def test_cutting_is_the_same_each_time(strategy: str, tokenizer: Tokenizer) -> None:
    chunker = STRATEGIES[strategy](tokenizer)
    assert chunker.chunk(parsed("markdown")).chunks == chunker.chunk(document(SOURCES["markdown"])).chunks


@pytest.mark.parametrize(
    "unit", ["a", "a ", "。", "漢", "\n", "x\n", "x\n\n", " ", ". ", "「", "e\u0301", "🇯🇵", "\u0301", "#a\n"]
)
def test_a_giant_text_takes_linear_time(strategy: str, unit: str) -> None:
    chunker = STRATEGIES[strategy](OfflineTokenizer())
    small, large = (Document("a", unit * (count // len(unit)) + "z", "0" * 64) for count in (60_000, 480_000))
    begun = time.process_time()
    chunker.chunk(small)
    middle = time.process_time()
    chunks = chunker.chunk(large).chunks
    assert chunks[-1].text.endswith("z")
    assert time.process_time() - middle < 20 * (middle - begun) + 0.5
