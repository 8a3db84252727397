"""Sentences packed to a size in tokens, paragraphs whole where they fit; a sentence is never cut."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from lens_tui.chunking.packed import PackedChunker
from lens_tui.chunking.packing import Packer
from lens_tui.chunking.placing import Piece
from lens_tui.chunking.sizes import COMMON_OPTIONS, bounded, sizes_of
from lens_tui.errors import ChunkingValueError
from lens_tui.options import DEFAULTS, ChunkOptions
from lens_tui.protocols import Tokenizer
from lens_tui.text.graphemes import is_border
from lens_tui.text.sentences import DELIMITERS, delimited, sentences
from lens_tui.types import Document, Span

TARGET, SMALLEST, LARGEST = 512, 128, 4096
MAXIMUM = 768
SENTENCES = 1
MOST_SENTENCES = 5
"""The chunking service's sizes, in tokens, and its overlap, in sentences (section 3.3)."""


class SentenceChunker(PackedChunker):
    """Cuts any text; the strategy ``sentence``.

    A chunk has at most the target in tokens, up to the maximum where a paragraph, a block or a sentence would not be
    whole otherwise. A sentence above the maximum stands alone, with a warning.
    """

    strategy = "sentence"
    takes = COMMON_OPTIONS | {"maximum", "overlap_sentences", "delimiters", "paragraphs"}

    def __init__(self, tokenizer: Tokenizer, options: ChunkOptions = DEFAULTS) -> None:
        """Take the target (128 to 4096), the maximum, the overlap in sentences (0 to 5), and what ends a sentence.

        An overlap in tokens, where one is asked for, stands in the place of the one in sentences.

        Raises:
            ChunkingValueError: One is out of its bounds.
        """
        sizes = sizes_of(options, size=TARGET, overlap="0", low=SMALLEST, high=LARGEST)
        maximum = sizes.size * MAXIMUM // TARGET if options.maximum is None else options.maximum
        if maximum < sizes.size:
            raise ChunkingValueError(
                f"The maximum is {maximum} tokens; it must be at least the target of {sizes.size}.",
                hint="Raise the maximum or lower the size.",
            )
        super().__init__(tokenizer, replace(sizes, size=maximum), sizes.size)
        asked = SENTENCES if options.overlap_sentences is None else options.overlap_sentences
        bounded("overlap in sentences", asked, 0, MOST_SENTENCES)
        self._sentences = 0 if options.overlap or options.overlap_both else asked
        self._delimiters = tuple(sign for sign in options.delimiters if sign)
        self._paragraphs = options.paragraphs is not False

    def told(self, document: Document) -> str:
        """Its name, target, maximum and overlap: it cuts every document."""
        shared = f"{self._sentences} sentence{'s' * (self._sentences > 1)}" if self._sentences else ""
        return self.sizes.told(f"{self.strategy} {self.target} to", shared)

    def spans(self, packer: Packer, start: int, before: Piece | None = None) -> Iterator[Span]:
        """Each chunk's own text from ``start`` on, after the piece ``before``."""
        return packer.joined(self._packed(packer, start, before))

    def pieces(self, packer: Packer, spans: Iterable[Span], before: Piece | None = None) -> Iterator[Piece]:
        """The spans with what they share with the one before."""
        if not self._sentences:
            yield from packer.pieces(spans, before)
            return
        counted = packer.counted
        for start, end in spans:
            first, shared = start, 0
            if before is not None:
                limit = self.target if counted.between(start, end) <= self.target else self.sizes.size
                openings = self._openings(packer, (before.start, before.end))
                first = next((at for at in openings if counted.fits(at, end, limit)), start)
                shared = counted.between(first, before.end) if first < start else 0
            before = Piece(first, start, end, counted.alone(first, end), shared)
            yield before

    def warned(self, pieces: Sequence[Piece]) -> tuple[str, ...]:
        """Tell of sentences above the maximum."""
        large = [piece.tokens for piece in pieces if piece.tokens > self.sizes.size]
        if not large:
            return ()
        counted = "1 sentence is" if len(large) == 1 else f"{len(large)} sentences are"
        stands = "stands" if len(large) == 1 else "stand"
        return (
            f"{counted} above the maximum of {self.sizes.size} tokens and {stands} alone; "
            f"the longest has {max(large)}.",
        )

    # -- what is kept whole ------------------------------------------------------------------------------------------

    def _packed(self, packer: Packer, start: int, before: Piece | None) -> Iterator[Span]:
        """Pack paragraphs, and the sentences of those that do not fit the maximum, into the target."""
        fits = packer.counted.fits
        held: Span | None = None
        taken = self._taken(packer, (before.start, before.end)) if before else self.sizes.both
        for item in self._items(packer, start):
            if held is not None and fits(held[0], item[1], self.target - taken):
                held = (held[0], item[1])
                continue
            if held is not None:
                yield held
                taken = self._taken(packer, held)
            held = item
        if held is not None:
            yield held

    def _items(self, packer: Packer, start: int) -> Iterator[Span]:
        """Paragraphs that stay whole and the units of the others, from ``start`` on."""
        for paragraph in _paragraphs(packer, self._units(packer)):
            first, last = paragraph[0][0], paragraph[-1][1]
            if self._paragraphs and first >= start and packer.counted.fits(first, last, self.sizes.size):
                yield first, last
            else:
                yield from ((max(start, low), high) for low, high in paragraph if high > start)

    def _units(self, packer: Packer) -> Iterator[Span]:
        """What is never cut: sentences, blocks that fit the maximum, and headings with the sentence that they open."""
        counted, headings = packer.counted, packer.headings
        base = counted.start
        held: Span | None = None
        for low, high in self._sentences_of(counted.text[base : counted.stop]):
            first, last = base + low, base + high
            if held is None:
                held = (first, last)
                continue
            opens, opened = headings.holding(held[1]) is not None, headings.holding(last) is not None
            follows = opens and (not opened or counted.between(held[0], last) <= self.target)
            if follows or packer.borders.block(first) is not None or not is_border(counted.text, first, held[0]):
                held = (held[0], last)
            else:
                yield held
                held = (first, last)
        if held is not None:
            yield held

    def _sentences_of(self, text: str) -> list[Span]:
        if self._delimiters and set(self._delimiters) != set(DELIMITERS):
            return delimited(text, self._delimiters)
        return sentences(text)

    # -- what is shared ----------------------------------------------------------------------------------------------

    def _taken(self, packer: Packer, before: Span) -> int:
        """Tokens to leave for what the next chunk takes from others."""
        if not self._sentences:
            return self.sizes.overlap + 2 * self.sizes.both
        opening = next(iter(self._openings(packer, before)), before[1])
        return packer.counted.between(opening, before[1])

    def _openings(self, packer: Packer, before: Span) -> list[int]:
        """Where the last sentences of a span begin, never the first of it, together at most half of the target."""
        start, end = before
        counted = packer.counted
        found = self._sentences_of(counted.text[start:end])[1:][-self._sentences :]
        firsts = (start + first for first, _ in found if is_border(counted.text, start + first, start))
        return [first for first in firsts if counted.between(first, end) <= self.target // 2]


def _paragraphs(packer: Packer, units: Iterable[Span]) -> Iterator[list[Span]]:
    """Units by paragraph: a blank line, or a heading, begins a new one."""
    text = packer.counted.text
    held: list[Span] = []
    for unit in units:
        if held and (
            text.count("\n", held[-1][1], unit[0]) > 1 or packer.headings.last_from(held[-1][1], unit[0]) is not None
        ):
            yield held
            held = []
        held.append(unit)
    if held:
        yield held
