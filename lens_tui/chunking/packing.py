"""Text packed into pieces of a size in tokens: what every strategy does with a stretch that it does not cut itself."""

from collections.abc import Iterable, Iterator

from lens_tui.chunking.borders import Borders
from lens_tui.chunking.counting import Counted
from lens_tui.chunking.placing import HeadingLines, Piece
from lens_tui.chunking.sizes import Sizes
from lens_tui.protocols import Tokenizer
from lens_tui.text.graphemes import is_border
from lens_tui.types import Document, Span

LEAST_SHARE = 8
"""A cut that leaves less than one part in this many of the size is passed over for a lower one: no crumbs."""


class Packer:
    """Cuts one document: ``cut`` a stretch, ``joined`` what is too short, ``pieces`` with what they share.

    A strategy finds its own stretches, has the long ones cut, and hands all of them on in order. Each of the steps
    takes linear time.
    """

    def __init__(
        self,
        document: Document,
        tokenizer: Tokenizer,
        sizes: Sizes,
        *,
        borders: type[Borders] = Borders,
        evenly: bool = False,
    ) -> None:
        """Find the document's tokens.

        Args:
            document: What is cut.
            tokenizer: Counts for the sizes.
            sizes: In tokens.
            borders: Where it may be cut, best first.
            evenly: Whether what is last leaves room for what pieces share as all others do.
        """
        self.document = document
        self.counted = Counted(document, tokenizer)
        self.headings = HeadingLines(document)
        self.borders = borders(self.counted, self.headings, sizes.size)
        self._evenly = evenly
        self.sizes = sizes
        self._share = sizes.share
        self._least = max(1, sizes.size // LEAST_SHARE)

    # -- spans: each a piece's own text ------------------------------------------------------------------------------

    def cut(self, start: int, stop: int) -> Iterator[Span]:
        """Cut ``text[start:stop]``: between paragraphs, else sentences, lines, words, and only then anywhere.

        Each span's edges are visible and it has at most the size in tokens, counted alone, except where it is a single
        character. Paragraphs are packed so that what pieces share finds room; a paragraph that needs more than that,
        and what is last, may take that room. No cut follows a heading, and none is within a grapheme cluster that
        fits.
        """
        stop = self.counted.trimmed(start, stop)
        start = self.counted.visible(start)
        while start < stop:
            end = self._fitting(start, stop)
            yield start, end
            start = self.counted.visible(end)

    def _fitting(self, start: int, stop: int) -> int:
        """End of the span that begins at ``start``, made shorter until it fits when counted alone."""
        counted, size = self.counted, self.sizes.size
        token, most = counted.token(start), size
        sure = counted.sure(token, size)
        while True:
            end = self._end(start, token, stop, most)
            if end <= sure or end - start <= 1 or counted.fits(start, end, size):
                return end
            if most == 1:
                return self._torn(start, end)
            most = max(1, most - max(1, counted.alone(start, end) - size))

    def _torn(self, start: int, end: int) -> int:
        """Last place before ``end`` up to which it fits, where one token is too many; after one cluster at least.

        A piece that begins within a token of the whole text has that token's rest beside the one that it may have.
        """
        text = self.counted.text
        borders = [at for at in range(start + 1, end) if is_border(text, at, start) and not text[at - 1].isspace()]
        for at in reversed(borders):
            if self.counted.fits(start, at, self.sizes.size):
                return at
        return borders[0] if borders else end

    def _end(self, start: int, token: int, stop: int, most: int) -> int:
        """Best end of the span that begins at ``start`` and with the token, of at most ``most`` tokens."""
        offset = self.counted.offset
        share = most if start <= self.counted.start else min(most, self._share)
        limit, whole = offset(token + share), offset(token + most)
        if (limit if self._evenly else whole) >= stop:
            return stop
        return self.borders.end(start, offset(token + min(self._least, share)), limit, whole)

    def joined(self, spans: Iterable[Span], minimum: int | None = None) -> Iterator[Span]:
        """Join each span under the minimum with the one before, else with the next one, where both fit the size.

        A span that ends in a heading goes with the next one even where the two must be cut anew. The minimum is that
        of the sizes where none is given.
        """
        minimum = self.sizes.minimum if minimum is None else minimum
        done: list[Span] = []
        for span in spans:
            done += self._joined(done.pop(), span, minimum) if done else [span]
            while len(done) > 2:
                yield done.pop(0)
        if len(done) == 2 and self.short(done[1], minimum) and self._fit(*done):
            done = [(done[0][0], done[1][1])]
        yield from done

    def _joined(self, before: Span, span: Span, minimum: int) -> list[Span]:
        """Two spans as one where one of them should not stand alone."""
        opens = self.headings.holding(before[1]) is not None
        short = minimum > 0 and (self.short(before, minimum) or self._ends_short(span, minimum))
        if (opens or short) and self._fit(before, span):
            return [(before[0], span[1])]
        return list(self.cut(before[0], span[1])) if opens else [before, span]

    def _ends_short(self, span: Span, minimum: int) -> bool:
        return self.short(span, minimum) and self.headings.holding(span[1]) is None

    def short(self, span: Span, minimum: int) -> bool:
        """Whether a span has fewer tokens than the minimum."""
        return self.counted.fits(*span, minimum - 1)

    def _fit(self, before: Span, after: Span) -> bool:
        return self.counted.fits(before[0], after[1], self.sizes.size)

    # -- pieces: spans with what they share --------------------------------------------------------------------------

    def pieces(self, spans: Iterable[Span], before: Piece | None = None) -> Iterator[Piece]:
        """Give each span the overlap that was asked for, as far as the size has room for it.

        A piece never holds the whole of another span; what it takes begins with a sentence where it can, else with a
        line, else with a word, else anywhere.

        Args:
            spans: In order.
            before: The piece before the first of them, where they go on.
        """
        if self.sizes.both:
            yield from self._taking(spans, before)
            return
        for start, end in spans:
            before = self._following(start, end, before)
            yield before

    def _following(self, start: int, end: int, before: Piece | None) -> Piece:
        """The piece of the span ``start`` to ``end``, with an overlap with the piece before."""
        counted, size = self.counted, self.sizes.size
        first, shared = start, 0
        if before is not None and self.sizes.overlap:
            token = counted.token(start)
            most = min(self.sizes.overlap, size - (counted.token(end) - token))
            first, shared = self._first(start, token, before.first, before.end, most)
        tokens = counted.alone(first, end)
        while before is not None and tokens > size and first < start:
            most = counted.between(first, start) - (tokens - size)
            first, shared = self._first(start, token, before.first, before.end, most)
            tokens = counted.alone(first, end)
        return Piece(first, start, end, tokens, shared)

    def _first(self, start: int, token: int, low: int, end: int, most: int) -> tuple[int, int]:
        """Where ``most`` tokens or fewer of ``text[low:end]`` before ``start`` begin, and how many of that these are.

        Never at ``low``, where the piece before begins. ``start`` and 0 where there are none; ``token`` is its token.
        """
        counted = self.counted
        if most <= 0:
            return start, 0
        known, low = low, max(counted.offset(max(0, token - most)), low + 1)
        if token > most and counted.offset(token - most - 1) == low:
            low += 1  # A character of several tokens: the first of them is one too many.
        if low >= end:
            return start, 0
        first = self.borders.opening(low, end, known)
        shared = counted.between(first, end) if first < end else 0
        return (first, shared) if shared else (start, 0)

    def _taking(self, spans: Iterable[Span], before: Piece | None) -> Iterator[Piece]:
        """The pieces of spans of which each takes from both of its neighbours."""
        held: Span | None = None
        for after in spans:
            if held is not None:
                before = self._between(held, before, after)
                yield before
            held = after
        if held is not None:
            yield self._between(held, before, None)

    def _between(self, span: Span, before: Piece | None, after: Span | None) -> Piece:
        """The piece of a span with what it takes from its neighbours."""
        start, end = span
        counted, size = self.counted, self.sizes.size
        room = size - counted.between(start, end)
        each = min(self.sizes.both, room // 2 if before and after else room)
        while True:
            first = start
            if before:
                stop = counted.trimmed(before.start, start)
                first, _ = self._first(start, counted.token(start), before.start, stop, each)
            last = self._last(end, *after, each) if after else end
            tokens = counted.alone(first, last)
            if tokens <= size or each <= 0:
                break
            each -= max(1, (tokens - size) // 2)
        shared = counted.between(first, before.end) if before is not None and first < before.end else 0
        return Piece(first, start, last, tokens, shared)

    def _last(self, end: int, start: int, stop: int, most: int) -> int:
        """Where ``most`` tokens or fewer of the next span ``start`` to ``stop`` end; ``end`` where there are none."""
        counted = self.counted
        if most <= 0:
            return end
        limit = min(counted.offset(counted.token(start) + most), stop - 1)
        last = self.borders.reach(start, limit) if limit > start else 0
        return last if last > start and counted.between(start, last) > 0 else end
