"""Paragraphs packed to a size in tokens; longer ones cut between sentences, lines, words, and only then anywhere."""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence

from lens_tui.chunking.placing import HeadingLines, Piece, placed
from lens_tui.chunking.sizes import overlap_tokens
from lens_tui.errors import ChunkingValueError
from lens_tui.options import DEFAULTS, ChunkOptions
from lens_tui.protocols import Tokenizer
from lens_tui.text.graphemes import is_border
from lens_tui.text.sentences import sentences
from lens_tui.types import Cut, Document

SIZE = 220
OVERLAP = 40
"""LocalLens' sizes, in tokens."""

LEAST_SHARE = 8
"""A cut that leaves less than one part in this many of the size is passed over for a lower one: no crumbs."""

LOOK_BACK = 400
"""Characters before the limit in which a sentence's end is looked for first: the last one is all that is wanted."""

LOOK_AHEAD = 64
"""Characters past the limit that sentence rules are shown, since what follows a stop decides whether it ends one."""

EDGE = 40
"""Characters at each end of a piece in which a word's end is looked for, to count only those anew."""

_WORD_END = re.compile(r"[^\W\d_](?=[\s,.;:、。，])")
_BLANK_LINES = re.compile(r"\n[^\S\n]*\n\s*")
_VISIBLE = re.compile(r"\S")
_SPACE = re.compile(r"\s+")


class ParagraphChunker:
    """Cuts any text; the strategy ``paragraph``."""

    strategy = "paragraph"

    def __init__(self, tokenizer: Tokenizer, options: ChunkOptions = DEFAULTS) -> None:
        """Take the sizes in tokens: each chunk's most, overlap included, and the most shared with the one before.

        Raises:
            ChunkingValueError: Not size > overlap ≥ 0.
        """
        size = SIZE if options.size is None else options.size
        overlap = overlap_tokens(options.overlap, size) if options.overlap else min(OVERLAP, size // 2)
        if not size > overlap >= 0:
            raise ChunkingValueError(
                f"The overlap is {overlap} and the size {size} tokens; it must be 0 ≤ overlap < size.",
                hint=f"Choose them so, such as {SIZE} and {OVERLAP}.",
            )
        self._tokenizer = tokenizer
        self._size = size
        self._overlap = overlap

    def told(self, document: Document) -> str:
        """Its name and sizes: it cuts every document."""
        return f"{self.strategy} {self._size}/{self._overlap}"

    def chunk(self, document: Document) -> Cut:
        """Cut a document.

        Each chunk's tokens, counted alone, are at most the size, except where a single character has more; its edges
        are visible characters. A grapheme cluster is cut only where it alone exceeds the size. A heading's line is
        never a chunk's last, except at the document's end or where the heading alone exceeds the size. Takes linear
        time. A blank document has no chunks.
        """
        cutter = _Cutter(document, self._tokenizer, self._size, self._overlap)
        return Cut(tuple(placed(document, self.strategy, list(cutter))))


class _Cutter:
    """One pass over one document."""

    def __init__(self, document: Document, tokenizer: Tokenizer, size: int, overlap: int) -> None:
        self._text = document.text
        self._tokenizer = tokenizer
        self._size = size
        self._overlap = overlap
        # Other tokenizers may join a word with what follows it, and are asked about every piece as a whole.
        self._by_words = bool(getattr(tokenizer, "ends_tokens_with_words", False))
        self._least = max(1, size // LEAST_SHARE)
        self._headings = HeadingLines(document)
        self._base = document.body_start
        body = document.text[self._base :].rstrip()
        self._stop = self._base + len(body)
        self._starts: Sequence[int] = tokenizer.starts(body)

    def __iter__(self) -> Iterator[Piece]:
        before: Piece | None = None
        start = self._visible(self._base)
        while start < self._stop:
            before = self._next(start, before)
            yield before
            start = self._visible(before.end)

    def _between(self, start: int, end: int) -> int:
        """Tokens of the whole text that begin in ``text[start:end]``."""
        return self._token(end) - self._token(start)

    def _alone(self, start: int, end: int) -> int:
        """Tokens of ``text[start:end]`` counted alone: by its first and last words where the rest is known."""
        text, count = self._text, self._tokenizer.count
        if self._by_words and end - start > 3 * EDGE:
            head = _WORD_END.search(text, start, start + EDGE)
            tails = list(_WORD_END.finditer(text, end - EDGE, end))
            if head is not None and tails:
                after, before = head.end(), tails[-1].end()
                return count(text[start:after]) + self._between(after, before) + count(text[before:end])
        return count(text[start:end])

    def _token(self, at: int) -> int:
        """Number of the first token that begins at ``at`` or later."""
        return bisect_left(self._starts, at - self._base)

    def _offset(self, token: int) -> int:
        """Where a token begins; the body's end beyond the last one."""
        return self._starts[token] + self._base if token < len(self._starts) else self._stop

    def _visible(self, at: int) -> int:
        """First visible character from ``at`` on; the body's end where there is none."""
        found = _VISIBLE.search(self._text, at, self._stop)
        return found.start() if found else self._stop

    def _trimmed(self, start: int, end: int) -> int:
        """``end`` without the white space before it; ``start`` where all is white."""
        return start + len(self._text[start:end].rstrip())

    def _next(self, start: int, before: Piece | None) -> Piece:
        """Cut the piece that begins at ``start``, made smaller until it fits when counted alone."""
        spared = 0
        while True:
            end = self._end(start, before is not None, spared)
            first = start
            if before is not None:
                first = self._first(start, before, min(self._overlap, self._size - self._between(start, end)))
            tokens = self._alone(first, end)
            while tokens > self._size and first < start and before is not None:
                first = self._first(start, before, self._between(first, start) - (tokens - self._size))
                tokens = self._alone(first, end)
            if tokens <= self._size or end - start <= 1:
                shared = self._between(first, before.end) if before is not None and first < before.end else 0
                return Piece(first, start, end, tokens, shared)
            spared += tokens - self._size

    # -- where a piece ends ------------------------------------------------------------------------------------------

    def _end(self, start: int, follows: bool, spared: int) -> int:
        """End of the piece that begins at ``start``, after a visible character.

        Paragraphs are packed into the size less the overlap, so that the overlap finds room; a paragraph that fills
        more than that, and what is last in the document, may take the overlap's room.
        """
        token = self._token(start)
        most = max(1, self._size - spared)
        share = max(1, most - self._overlap) if follows else most
        whole, limit = self._offset(token + most), self._offset(token + share)
        if whole >= self._stop:
            return self._stop
        least = self._offset(token + min(self._least, share))
        end = self._paragraphs(start, least, limit)
        end = end or self._paragraph(start, limit, whole)
        end = end or self._sentence(start, least, limit)
        end = end or self._line(start, least, limit)
        end = end or self._word(start, least, limit)
        return end or self._anywhere(start, limit, whole)

    def _allowed(self, start: int, end: int, after: int) -> bool:
        """Whether a piece may be ``text[start:end]``, the next from ``after`` on: no cluster torn, no heading last."""
        return end > start and is_border(self._text, after, end) and self._headings.holding(end) is None

    def _paragraphs(self, start: int, least: int, limit: int) -> int:
        """Last end of a paragraph within the limit, or place before a heading; 0 where none leaves the least."""
        best = 0
        for gap in _BLANK_LINES.finditer(self._text, start, min(self._stop, limit + LOOK_AHEAD)):
            if gap.start() > limit:
                break
            if gap.start() >= least and self._allowed(start, gap.start(), gap.end()):
                best = gap.start()
        heading = self._headings.last_from(least, limit)
        if heading is not None and heading > best:
            end = self._trimmed(start, heading)
            if end >= least and self._allowed(start, end, heading):
                best = end
        return self._trimmed(start, best) if best else 0

    def _paragraph(self, start: int, limit: int, whole: int) -> int:
        """End of the one paragraph that ends between the limit and the whole size; 0 where none does."""
        for gap in _BLANK_LINES.finditer(self._text, limit, min(self._stop, whole + LOOK_AHEAD)):
            if gap.start() <= whole and self._allowed(start, gap.start(), gap.end()):
                return self._trimmed(start, gap.start())
        return 0

    def _sentence(self, start: int, least: int, limit: int) -> int:
        """Last end of a sentence within the limit; 0 where none leaves the least."""
        near = max(start, limit - LOOK_BACK)
        end = self._sentence_from(near, start, least, limit)
        return end or (self._sentence_from(start, start, least, limit) if near > start else 0)

    def _sentence_from(self, low: int, start: int, least: int, limit: int) -> int:
        spans = sentences(self._text[low : min(self._stop, limit + LOOK_AHEAD)])
        for place in range(len(spans) - 2, -1, -1):
            end, after = low + spans[place][1], low + spans[place + 1][0]
            if end < least:
                break
            if end <= limit and self._allowed(start, end, after):
                return end
        return 0

    def _line(self, start: int, least: int, limit: int) -> int:
        """Last end of a line within the limit; 0 where none leaves the least."""
        at = limit + 1
        while (at := self._text.rfind("\n", least, at)) >= 0:
            end = self._trimmed(start, at)
            if self._allowed(start, end, self._visible(at)):
                return end
        return 0

    def _word(self, start: int, least: int, limit: int) -> int:
        """Last space in the later half up to the limit; 0 where there is none."""
        low = max(least, (start + limit) // 2)
        for space in reversed(list(_SPACE.finditer(self._text, low, limit + 1))):
            end = self._trimmed(start, space.start())
            if self._allowed(start, end, self._visible(space.start())):
                return end
        return 0

    def _anywhere(self, start: int, limit: int, whole: int) -> int:
        """The last place up to the limit where no cluster is torn, else the first up to the whole size, else that."""
        limit = max(limit, start + 1)
        end = self._trimmed(start, next(filter(self._is_clean(start), range(limit, start, -1)), 0))
        if end <= start:
            end = next(filter(self._is_clean(start), range(limit + 1, whole + 1)), max(whole, limit))
        heading = self._headings.holding(end)
        if heading is not None and heading > start:
            end = heading
        return self._trimmed(start, end)

    def _is_clean(self, start: int) -> Callable[[int], bool]:
        """Whether a piece from ``start`` may end at a place and the next begin with what is visible after it."""

        def is_clean(end: int) -> bool:
            if not is_border(self._text, end, start):
                return False
            after = self._visible(end)
            return after == end or is_border(self._text, after, end)

        return is_clean

    # -- where the overlap before it begins --------------------------------------------------------------------------

    def _first(self, start: int, before: Piece, most: int) -> int:
        """Where an overlap of at most ``most`` tokens with the piece before begins; ``start`` where there is none.

        It begins with a sentence, else with a line, else with a word, else anywhere, and never holds that piece whole.
        """
        if most <= 0:
            return start
        low = max(self._offset(max(0, self._token(start) - most)), before.first + 1)
        if self._between(low, start) > most:
            low += 1
        end = before.end
        if low >= end:
            return start
        for first in self._openings(low, end):
            if first < end and is_border(self._text, first, before.first):
                return first if self._between(first, end) > 0 else start
        return start

    def _openings(self, low: int, end: int) -> Iterator[int]:
        """Places in ``text[low:end]`` where an overlap may begin, best first, each visible."""
        text = self._text
        spans = sentences(text[low:end])
        at_line = text[low - 1] == "\n"
        yield from (low + first for first, _ in (spans if at_line else spans[1:]))
        line = text.find("\n", low, end)
        if line >= 0:
            yield self._visible(line)
        if text[low - 1].isspace():
            yield self._visible(low)
        space = _SPACE.search(text, low, end)
        if space is not None:
            yield space.end()
        yield from (place for place in range(low, end) if not text[place].isspace())
