"""Text cut where its meaning turns: between neighbouring sentences whose vectors are little alike."""

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar

from lens_tui.chunking.joints import Joints, grouped
from lens_tui.chunking.packing import Packer
from lens_tui.chunking.placing import cut_of
from lens_tui.chunking.sizes import COMMON_OPTIONS, LARGEST, bounded, sizes_of
from lens_tui.errors import ChunkEmbeddingError, ChunkingValueError, ModelError
from lens_tui.options import DEFAULTS, ChunkOptions
from lens_tui.protocols import Embedder, Tokenizer
from lens_tui.text.framing import framed
from lens_tui.text.graphemes import is_border
from lens_tui.text.sentences import sentences
from lens_tui.types import Cut, Document, Span

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]

SIZE = 512
OVERLAP = "0"
MINIMUM = 64
MAXIMUM_TIMES = 2
"""The maximum where none is asked for, in sizes: 1,024 for 512."""
THRESHOLD = 0.7
BREAKS = ("##", "###", "---")
"""Sizes, threshold and marks of the chunking service (section 3.4)."""

CUT_SHARE = 0.25
"""Of a document's joints, the weakest that are cut where nobody chose a threshold: more lie under the one above.

How alike neighbours are is a matter of the model: with all-MiniLM-L6-v2 their median is .33 (unrelated sentences have
.05) on English speeches and articles, and .7 would cut 98 % of them apart. What separates them best there is .15 to .2,
and the weakest quarter lies below .22 (``python -m tests.benchmarks.semantic FOLDER --embedder DIR``). Of the borders
between paragraphs of different articles .69 are found so, and .67 of the cuts are such; by .7 alone .74 and .54.
"""

BUILTIN_THRESHOLD = 0.12
"""The threshold for vectors without meaning, in the place of ``THRESHOLD``.

Measured by ``python -m tests.benchmarks.semantic`` on speeches and articles in English, and on articles in Japanese:
it cuts 84 % and 60 % of unrelated sentences apart, and 44 % and 24 % of neighbours (their medians are .14 and .21). Up
to .15 the one share grows as fast as the other; at .7 all would be cut.
"""

AT_ONCE = 256
"""Sentences embedded at a time."""

_WORD = re.compile(r"\w")
_TABLE_RULE = re.compile(r"[ \t]*[-:|][-:| \t]*\|[-:| \t]*$", re.MULTILINE)


class SemanticChunker:
    """Cuts any text by the vectors of its sentences; the strategy ``semantic``."""

    strategy = "semantic"
    takes: ClassVar[frozenset[str]] = COMMON_OPTIONS | {"maximum", "threshold", "breaks"}

    def __init__(
        self, tokenizer: Tokenizer, options: ChunkOptions = DEFAULTS, *, embedder: Embedder | None = None
    ) -> None:
        """Take the sizes, the threshold from 0 to 1, the marks, and what makes the vectors.

        Raises:
            ChunkingValueError: One is out of its bounds.
        """
        self._tokenizer = tokenizer
        self._embedder = embedder
        self._sizes = sizes_of(options, size=SIZE, overlap=OVERLAP, minimum=MINIMUM)
        maximum = min(MAXIMUM_TIMES * self._sizes.size, LARGEST) if options.maximum is None else options.maximum
        self._maximum = bounded("maximum", maximum, self._sizes.size, LARGEST)
        semantic = embedder is None or embedder.semantic
        own = THRESHOLD if semantic else BUILTIN_THRESHOLD
        self._threshold = own if options.threshold is None else options.threshold
        self._share = CUT_SHARE if semantic and options.threshold is None else 1.0
        if not 0 <= self._threshold <= 1:
            raise ChunkingValueError(f"The threshold is {self._threshold}; it must be 0 to 1.", hint="Choose 0 to 1.")
        self._breaks = _expression(options.breaks or BREAKS)

    @property
    def largest(self) -> int:
        """See ``Strategy``."""
        return self._maximum

    def told(self, document: Document) -> str:
        """Its name, sizes and threshold, and what makes the vectors."""
        if self._embedder is None:
            by = "no vectors"
        else:
            by = self._embedder.name if self._embedder.semantic else "built-in vectors"
        share = f" for the weakest {100 * self._share:.0f} % of joints" if self._share < 1 else ""
        return f"{self._sizes.told(self.strategy)}, maximum {self._maximum}, threshold {self._threshold:g}{share}, {by}"

    def chunk(self, document: Document) -> Cut:
        """Cut a document.

        It is cut between neighbours whose cosine is under the threshold and before lines that begin with a mark; by a
        model's own threshold only the weakest quarter of the joints, as models differ in what alike is.
        Groups over the size are cut at their weakest joint that leaves both sides the minimum, and wherever they are
        weakest where they are over the maximum; groups under the minimum join the neighbour that is more like them,
        but never over a mark. A heading goes with what follows it; fenced code and a table count as one sentence.

        Raises:
            ChunkEmbeddingError: The vectors cannot be had.
        """
        packer = Packer(document, self._tokenizer, self._sizes)
        marks = self._marks(packer)
        starts = _starts(packer, marks)
        counted = packer.counted
        ends = [counted.trimmed(start, end) for start, end in pairwise([*starts, counted.stop])]
        joints = Joints(
            tokens=[counted.token(at) for at in (*starts, counted.stop)],
            likeness=self._likeness([counted.text[start:end] for start, end in zip(starts, ends, strict=True)]),
            fixed=frozenset(place for place, start in enumerate(starts) if start in marks),
        )
        size, minimum = self._sizes.size, self._sizes.minimum
        groups = grouped(joints, self._under(joints), target=size, minimum=minimum, maximum=self._maximum)
        spans: list[Span] = []
        for start, end in ((starts[first], ends[last - 1]) for first, last in groups):
            whole = counted.alone(start, end) <= self._maximum
            spans += [(start, end)] if whole else packer.cut(start, end)
        return cut_of(document, self.strategy, list(packer.pieces(spans)), size)

    def _under(self, joints: Joints) -> float:
        """What is cut is under this: the threshold, or less where only the weakest joints are; one always is."""
        if self._share >= 1 or not joints.likeness:
            return self._threshold
        weakest = sorted(joints.likeness)[: math.ceil(self._share * len(joints.likeness))]
        return min(self._threshold, max(weakest[-1], math.nextafter(weakest[0], math.inf)))

    def _marks(self, packer: Packer) -> set[int]:
        """Where lines begin with a mark, outside fenced code, tables and the lines that underline a heading."""
        text, start, stop = packer.counted.text, packer.counted.start, packer.counted.stop
        found = (mark.start("mark") for mark in self._breaks.finditer(text, start, stop))
        return {
            at
            for at in found
            if packer.borders.blocks.holding(at) is None
            and packer.headings.holding(at) is None
            and not _TABLE_RULE.match(text, at)
        }

    def _likeness(self, texts: Sequence[str]) -> list[float]:
        """Cosine of each text and the next one; a text that comes again is embedded once."""
        if len(texts) < 2:
            return []
        embedder = self._embedder
        if embedder is None:
            raise ChunkEmbeddingError(
                "Sentences are compared by their vectors, and nothing here makes any.", hint="Choose another strategy."
            )
        again = {text for text, times in Counter(texts).items() if times > 1}
        kept: dict[str, Vector] = {}
        likeness: list[float] = []
        last: Vector | None = None
        for at in range(0, len(texts), AT_ONCE):
            batch = texts[at : at + AT_ONCE]
            new = list(dict.fromkeys(text for text in batch if text not in kept))
            vectors = kept | dict(zip(new, self._embedded(embedder, new), strict=True))
            for text in batch:
                vector = vectors[text]
                if last is not None:
                    likeness.append(float(last @ vector))
                last = vector
            kept |= {text: vectors[text] for text in new if text in again}
        return likeness

    def _embedded(self, embedder: Embedder, texts: Sequence[str]) -> Iterator["Vector"]:
        if not texts:
            return
        try:
            yield from embedder.passages([framed(embedder.frame, text) for text in texts])
        except ModelError as error:
            raise ChunkEmbeddingError(f"Sentences cannot be compared: {error.message}", hint=error.hint) from error


def _expression(marks: Sequence[str]) -> "re.Pattern[str]":
    return re.compile(rf"^ {{0,3}}(?P<mark>{'|'.join(map(re.escape, marks))})", re.MULTILINE)


def _starts(packer: Packer, marks: set[int]) -> list[int]:
    """Where the units that are compared begin: sentences, fenced code and tables as one each.

    What is bare, a heading or a line without a letter or digit, is one with what follows.
    """
    counted, blocks = packer.counted, packer.borders.blocks
    text, stop = counted.text, counted.stop
    places = {counted.start + start for start, _ in sentences(text[counted.start : stop])} | marks
    places |= {counted.visible(start) for start, _ in blocks.fences}
    allowed = [place for place in sorted(places) if blocks.holding(place) is None and is_border(text, place)]
    starts: list[int] = []
    before = counted.start
    bare = False
    for place, end in pairwise([*allowed, stop]):
        row = text[before] == text[place] == "|" and text.count("\n", before, place) == 1
        if not (bare or row):
            starts.append(place)
        before, end = place, counted.trimmed(place, end)
        bare = packer.headings.holding(end) is not None or not _WORD.search(text, place, end)
    return starts
