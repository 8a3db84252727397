"""What every strategy promises of any text at all, as hypothesis makes it up."""

from itertools import pairwise
from typing import Any

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from lens_tui.chunking import STRATEGIES
from lens_tui.options import ChunkOptions
from lens_tui.text.graphemes import is_border
from lens_tui.text.tokens import OfflineTokenizer
from lens_tui.types import Document
from tests.chunking.documents import document, tiny_tokenizer
from tests.chunking.test_strategies import LARGER, SMALLEST, chunker

TOKENIZERS = (OfflineTokenizer(), tiny_tokenizer())

BITS = st.sampled_from(
    [
        *("word ", "Sentence here. ", "「引用。」", "漢字", "한국어 ", "हिन्दी ", "שלום ", "مرحبا ", "ไทย"),
        *("👩‍👩‍👧‍👦", "👍🏽", "🇯🇵", "e\u0301", "\u0301", "\u200d", "𝒳", "\0", "\x1b[31m", "\u2028", "\ud800"),
        *("\n", "\n\n", "\n \n", " ", "\t", "\u3000", " " * 90, "\n" * 40),
        *("\n# Heading\n", "\n## Second\n\n", "\nSetext\n====\n", "\n###### Deep\n", "#"),
        *("\n```\ncode();\n\nmore();\n```\n", "```\n", "\n~~~\n", "\n| a | b |\n|---|---|\n| 1 | 2 |\n", "[[a link]]"),
        *("- item\n", "1. first\n", "> quoted\n", "---\n", "function(a){return a+b;}", "x" * 300, "0123456789" * 30),
        *("def f(x):\n    return x\n\n", "class A:\n    def g(self):\n        pass\n", "{" * 60, "a.b;"),
    ]
)
TEXTS = st.one_of(
    st.lists(BITS, max_size=60).map("".join),
    st.lists(st.tuples(BITS, st.integers(1, 200)), max_size=4).map(lambda parts: "".join(bit * n for bit, n in parts)),
    st.text(max_size=400),
)


@st.composite
def options(draw: Any) -> ChunkOptions:
    """A strategy with sizes that it takes."""
    strategy = draw(st.sampled_from(sorted(STRATEGIES)))
    size = draw(st.integers(SMALLEST.get(strategy, 8), 400))
    minimum = draw(st.none() | st.integers(0, size // 2))
    both = draw(st.sampled_from((None, None, size // 8)))
    overlap = "" if both else draw(st.sampled_from(("", "0", "25%", str(size // 2))))
    return ChunkOptions(strategy=strategy, size=size, minimum=minimum, overlap=overlap, overlap_both=both)


def read(text: str, kind: str) -> Document:
    """A text as the file that it may be; what no file decodes to is a document all the same."""
    if any("\ud800" <= sign <= "\udfff" for sign in text):
        return Document("a.txt", text, "0" * 64)
    made = document(text)
    return made if kind == "markdown" else Document("a.py", made.text, made.checksum, kind=kind)


@settings(max_examples=250, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(text=TEXTS, kind=st.sampled_from(("markdown", "text", "code")), asked=options(), tokenizer=st.integers(0, 1))
@example(text="---\ntitle: never closed\n", kind="markdown", asked=ChunkOptions(strategy="markdown"), tokenizer=0)
@example(text="```\nopen\n\n# no heading", kind="markdown", asked=ChunkOptions(strategy="recursive"), tokenizer=0)
def test_any_text_is_cut_exactly_within_the_size_and_nothing_is_torn_or_lost(
    text: str, kind: str, asked: ChunkOptions, tokenizer: int
) -> None:
    counting = TOKENIZERS[tokenizer]
    whole = read(text, kind)
    made = chunker(asked.strategy, counting, asked).chunk(whole)
    limit = int((asked.size or 512) * LARGER.get(asked.strategy, 1))
    covered = whole.body_start
    for chunk in made.chunks:
        assert chunk.text == whole.text[chunk.start : chunk.end] == chunk.text.strip() != ""
        assert whole.text[covered : chunk.start].strip() == ""
        assert chunk.end > covered
        assert chunk.tokens == counting.count(chunk.text)
        assert chunk.tokens <= limit or len(chunk.text) == 1 or made.warnings
        assert chunk.lines == (whole.text.count("\n", 0, chunk.start) + 1, whole.text.count("\n", 0, chunk.end) + 1)
        for edge in (chunk.start, chunk.end):
            first = not whole.text[:edge].strip()
            assert first or is_border(whole.text, edge) or _large_cluster(whole.text, edge, limit, tokenizer)
        covered = chunk.end
    assert whole.text[covered:].strip() == ""
    for before, after in pairwise(made.chunks):
        assert before.start < after.start
        assert (after.overlap_before > 0) == (after.start < before.end)
        assert after.overlap_before == before.overlap_after


def _large_cluster(text: str, at: int, limit: int, tokenizer: int) -> bool:
    """Whether the cluster around ``at`` leaves no room beside it in a chunk of the limit."""
    start = end = at
    while not is_border(text, start):
        start -= 1
    while not is_border(text, end):
        end += 1
    return TOKENIZERS[tokenizer].count(text[start:end]) > limit // 4
