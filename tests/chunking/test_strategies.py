"""What every strategy promises of every document, with every tokenizer, at every size that it takes."""

import time
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, reduce
from itertools import pairwise

import pytest

from lens_tui.chunking import STRATEGIES, chunker_for
from lens_tui.chunking.placing import BLANK
from lens_tui.chunking.sections import common_path
from lens_tui.index.hashing import HashingEmbedder
from lens_tui.options import DEFAULTS, ChunkOptions
from lens_tui.protocols import Chunker, Tokenizer
from lens_tui.text.graphemes import is_border
from lens_tui.text.tokens import OfflineTokenizer
from lens_tui.types import Chunk, Cut, Document
from tests.chunking.documents import SOURCES, document, tiny_tokenizer

TOKENIZERS: dict[str, Tokenizer] = {"offline": OfflineTokenizer(), "tiny": tiny_tokenizer()}

LIMITS = {
    "paragraph": 220,
    "sentence": 768,
    "markdown": 384,
    "recursive": 400,
    "code": 384,
    "semantic": 1024,
    "auto": 256,
}
"""Most tokens of a chunk as each strategy is by itself; 512 for the others."""

LARGER = {"sentence": 1.5, "semantic": 2}
"""How many times the size the maximum is, where a strategy has both."""

SMALLEST = {"fixed": 128, "sentence": 128, "hierarchical": 128}
"""The smallest size that is not refused; 24 for the others serves as such."""

DEPTHS = {"hierarchical": 3}
"""The level as which all headings below it count, where a strategy has one."""

UNDER = {("auto", "markdown"), ("auto", "paragraph"), ("auto", "code"), ("code", "paragraph")}
"""What each strategy leaves texts to, whose chunks then name that one."""


def chunker(strategy: str, tokenizer: Tokenizer, options: ChunkOptions = DEFAULTS) -> Chunker:
    return chunker_for(replace(options, strategy=strategy), tokenizer, HashingEmbedder())


@dataclass(frozen=True)
class Way:
    """One way to cut every source."""

    strategy: str
    tokenizer: str
    options: ChunkOptions
    shared: int | None
    """Most tokens that neighbours may share; None where that is not counted in tokens."""

    @property
    def limit(self) -> int:
        if self.options.size is None:
            return LIMITS.get(self.strategy, 512)
        return int(self.options.size * LARGER.get(self.strategy, 1))

    def cut(self, read: Document) -> Cut:
        return chunker(self.strategy, TOKENIZERS[self.tokenizer], self.options).chunk(read)

    def __str__(self) -> str:
        options = self.options
        return f"{self.strategy}-{self.tokenizer}-{options.size}-{options.overlap}-{options.overlap_both}"


def ways(strategy: str) -> Iterator[Way]:
    small = SMALLEST.get(strategy, 24)
    half = small // 2 - 1
    yield Way(strategy, "offline", ChunkOptions(), None)
    yield Way(strategy, "tiny", ChunkOptions(size=max(small, 64), overlap="0"), 0)
    yield Way(strategy, "tiny", ChunkOptions(size=small, overlap=str(half), minimum=small // 3), half)
    yield Way(strategy, "offline", ChunkOptions(size=small, overlap_both=small // 4), 2 * (small // 4))


WAYS = [way for strategy in STRATEGIES for way in ways(strategy)]


@cache
def parsed(name: str) -> Document:
    return document(SOURCES[name])


@cache
def cut(way: Way, name: str) -> Cut:
    """A source cut once for all the promises."""
    return way.cut(parsed(name))


each_way = pytest.mark.parametrize("way", WAYS, ids=str)
each_strategy = pytest.mark.parametrize("strategy", sorted(STRATEGIES))


def own(chunks: tuple[Chunk, ...], text: str) -> list[int]:
    """First visible character of each chunk that the chunk before does not hold."""
    ends = [0, *(chunk.end for chunk in chunks)]
    return [
        next(at for at in range(max(end, chunk.start), chunk.end) if not text[at].isspace())
        for end, chunk in zip(ends, chunks, strict=False)
    ]


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


@each_way
def test_chunks_are_exact_in_order_and_hold_every_visible_character_of_the_body(way: Way) -> None:
    for name in SOURCES:
        read = parsed(name)
        chunks = cut(way, name).chunks
        covered = read.body_start
        for index, chunk in enumerate(chunks):
            assert chunk.text == read.text[chunk.start : chunk.end] == chunk.text.strip() != "", name
            assert (chunk.index, chunk.path, chunk.checksum) == (index, read.path, read.checksum), name
            assert chunk.strategy == way.strategy or (way.strategy, chunk.strategy) in UNDER, name
            assert read.text[covered : chunk.start].strip() == "", name
            assert chunk.end > covered, name
            covered = chunk.end
        assert read.text[covered:].strip() == "", name
        starts = [chunk.start for chunk in chunks]
        assert starts == sorted(set(starts)), name


@each_way
def test_no_chunk_counted_alone_exceeds_the_size_but_a_single_character_and_what_is_told(way: Way) -> None:
    tokenizer = TOKENIZERS[way.tokenizer]
    for name in SOURCES:
        made = cut(way, name)
        for chunk in made.chunks:
            assert chunk.tokens == tokenizer.count(chunk.text), name
            assert chunk.tokens <= way.limit or len(chunk.text) == 1 or (tells(way) and made.warnings), name


def tells(way: Way) -> bool:
    """Whether it may exceed the size, with a warning: an oversized sentence, a joined tail."""
    return way.strategy in ("sentence", "fixed")


@each_way
def test_neighbours_share_at_most_the_overlap_and_both_say_so(way: Way) -> None:
    for name in SOURCES:
        chunks = cut(way, name).chunks
        assert [chunk.overlap_before for chunk in chunks[1:]] == [chunk.overlap_after for chunk in chunks[:-1]], name
        for before, chunk in pairwise(chunks):
            assert chunk.overlap_before >= 0, name
            assert way.shared is None or chunk.overlap_before <= way.shared, name
            assert (chunk.overlap_before > 0) == (chunk.start < before.end), name
        if chunks:
            assert chunks[0].overlap_before == chunks[-1].overlap_after == 0, name


@each_way
def test_no_cut_tears_a_grapheme_cluster_that_fits_the_size(way: Way) -> None:
    tokenizer = TOKENIZERS[way.tokenizer]
    for name in SOURCES:
        text = parsed(name).text
        for chunk in cut(way, name).chunks:
            for edge in (chunk.start, chunk.end):
                assert not torn(text, edge) or cluster_tokens(text, edge, tokenizer) > way.limit // 3, name


@each_way
def test_lines_headings_and_tags_are_those_of_the_place(way: Way) -> None:
    for name in SOURCES:
        read = parsed(name)
        chunks = cut(way, name).chunks
        for chunk, place in zip(chunks, own(chunks, read.text), strict=True):
            assert chunk.lines == (lines(read, chunk.start), lines(read, chunk.end)), name
            assert chunk.page is None, name
            assert chunk.tags == read.tags, name
            # What is taken from both sides hides where a chunk's own text begins: somewhere up to there.
            low = chunk.start if way.options.overlap_both else place
            starts = {low, place, *heading_starts(read, low, place)}
            paths = [expected_path(read, at, way.strategy) for at in starts]
            assert chunk.heading in (paths if chunk.strategy != "markdown" else common_paths(read, paths, chunk))


def lines(read: Document, at: int) -> int:
    return read.text.count("\n", 0, at) + 1


def heading_starts(read: Document, low: int, high: int) -> list[int]:
    return [heading.start for heading in read.headings if low <= heading.start <= high]


def common_paths(read: Document, paths: list[tuple[str, ...]], chunk: Chunk) -> list[tuple[str, ...]]:
    """Each path as far as the sections that the chunk holds beside it share it; headings of two levels open them."""
    opened = [each.start for each in read.headings if chunk.start < each.start < chunk.end and each.level <= 2]
    inside = [expected_path(read, at, "markdown") for at in opened]
    return [reduce(common_path, inside[first:], path) for path in paths for first in range(len(inside) + 1)]


def expected_path(read: Document, at: int, strategy: str) -> tuple[str, ...]:
    path: list[tuple[int, str]] = []
    for heading in read.headings:
        if heading.start <= at:
            level = min(heading.level, DEPTHS.get(strategy, 6))
            path = [*(above for above in path if above[0] < level), (level, heading.title)]
    return tuple(title for _, title in path if title)


@each_way
def test_a_heading_is_never_the_last_line_of_a_chunk_but_at_the_documents_end(way: Way) -> None:
    for name in ("markdown", "headings without blank lines", "heading then giant"):
        read = parsed(name)
        headings = {read.text[heading.start :].split("\n")[0] for heading in read.headings}
        for chunk in cut(way, name).chunks[:-1]:
            assert chunk.text.split("\n")[-1] not in headings | {"--------------"}, name


@each_way
def test_fences_and_rows_of_tables_that_fit_stand_whole_in_a_chunk(way: Way) -> None:
    blocks = {
        "markdown": ["```python\ndef tide(hour):\n\n    return hour * 2  # not #a tag\n```", "| 1 | 2 |", "| a | b |"],
        "fences": ["```\nx = 1\n\n\ny = 2\n```"],
        "table": ["| a | b |", "|---|---|", "| cell one | cell two, longer |"],
    }
    for name, texts in blocks.items():
        held = {chunk.text for chunk in cut(way, name).chunks}
        for text in texts:
            whole = sum(chunk.count(text) for chunk in held) > 0
            assert whole or TOKENIZERS[way.tokenizer].count(text) > way.limit // 2, (name, text)


@pytest.mark.parametrize("text", ["", "\n", " \t\u3000\n\n\x0c", "---\ntitle: only data\n---\n\n"])
@each_strategy
def test_a_blank_document_has_no_chunks_and_a_warning(strategy: str, text: str) -> None:
    made = chunker(strategy, OfflineTokenizer()).chunk(document(text))
    assert (made.chunks, made.warnings) == ((), (BLANK,))


@each_way
def test_front_matter_is_in_no_chunk(way: Way) -> None:
    read = parsed("markdown")
    assert read.body_start > 0
    assert all(chunk.start >= read.body_start for chunk in cut(way, "markdown").chunks)


@each_strategy
def test_the_page_is_that_of_the_first_character_of_its_own(strategy: str) -> None:
    text = "First page here.\n\n" + "Some words that go on. " * 100 + "\n\nThird page at last."
    pages = (0, 18, text.index("Third"))
    options = ChunkOptions(size=SMALLEST.get(strategy, 60), overlap="10")
    chunks = chunker(strategy, OfflineTokenizer(), options).chunk(replace(document(text), pages=pages)).chunks
    assert len(chunks) > 2
    assert [chunk.page for chunk in chunks] == [bisect_right(pages, place) for place in own(chunks, text)]


@each_strategy
def test_cutting_is_the_same_each_time(strategy: str) -> None:
    made = chunker(strategy, OfflineTokenizer())
    assert made.chunk(parsed("markdown")) == made.chunk(document(SOURCES["markdown"]))


@each_strategy
def test_what_cuts_a_document_is_told_with_its_name_and_its_sizes(strategy: str) -> None:
    told = chunker(strategy, OfflineTokenizer(), ChunkOptions(size=200)).told(document("word"))
    assert "200" in told
    assert told.startswith(strategy) or strategy in ("auto", "code")


@pytest.mark.parametrize(
    "unit",
    ["a", "a ", "。", "漢", "\n", "x\n", "x\n\n", " ", ". ", "「", "e\u0301", "🇯🇵", "\u0301", "#a\n", "```\n", "|"],
)
@each_strategy
def test_a_giant_text_takes_linear_time(strategy: str, unit: str) -> None:
    made = chunker(strategy, OfflineTokenizer())
    small, large = (Document("a", unit * (count // len(unit)) + "z", "0" * 64) for count in (15_000, 120_000))
    begun = time.process_time()
    made.chunk(small)
    middle = time.process_time()
    chunks = made.chunk(large).chunks
    assert chunks[-1].text.endswith("z")
    assert time.process_time() - middle < 20 * (middle - begun) + 0.5
