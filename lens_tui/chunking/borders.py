"""Where in a text a piece may best end, and where its overlap with the one before may best begin."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

from lens_tui.chunking.blocks import Blocks
from lens_tui.chunking.counting import Counted
from lens_tui.chunking.placing import HeadingLines
from lens_tui.text.graphemes import is_border
from lens_tui.text.sentences import next_sentence, sentences
from lens_tui.types import Span

LOOK_BACK = (200, 1280)
"""Characters before the limit in which a sentence's end is looked for first: the last one is all that is wanted."""

LOOK_AHEAD = 64
"""Characters past the limit that sentence rules are shown, since what follows a stop decides whether it ends one."""

_BLANK_LINES = re.compile(r"\n[^\S\n]*\n\s*")
_SPACE = re.compile(r"\s+")


class Borders:
    """Borders of one document: between paragraphs, sentences, lines, words; and none within a grapheme cluster."""

    def __init__(self, counted: Counted, headings: HeadingLines, size: int) -> None:
        """Look for them in a text, never between a heading and what it opens, nor in a block of at most ``size``."""
        self._text = counted.text
        self._size = size
        self._stop = counted.stop
        self._counted = counted
        self._headings = headings

    @cached_property
    def blocks(self) -> Blocks:
        """Fences and rows, which are not looked for where nothing is cut by these borders."""
        return Blocks(self._text, self._counted.start)

    @cached_property
    def _gaps(self) -> tuple[Sequence[int], Sequence[int]]:
        """Where blank lines begin, and where the text goes on after each."""
        spans = [gap.span() for gap in _BLANK_LINES.finditer(self._text, self._counted.start, self._stop)]
        return [first for first, _ in spans], [after for _, after in spans]

    def end(self, start: int, least: int, limit: int, whole: int) -> int:
        """Best end of a piece that begins at ``start``, after a visible character.

        It lies between ``least`` and ``limit``, except that one paragraph that fills more than the limit may reach to
        ``whole``, and that a block, a heading or a grapheme cluster may force it to be shorter or longer.
        """
        end = self._paragraphs(start, least, limit)
        end = end or self._paragraph(start, limit, whole)
        end = end or self._sentence(start, least, limit)
        end = end or self._line(start, least, limit)
        end = end or self._word(start, least, limit)
        end = end or self.beside_block(start, limit, whole)
        return end or self.anywhere(start, limit, whole)

    def reach(self, start: int, limit: int) -> int:
        """Last end of a sentence, a line or a word in ``text[start:limit]``; ``start`` where there is none."""
        end = self._sentence(start, start, limit) or self._line(start, start, limit)
        return end or self._space(start, start, limit) or start

    def opening(self, low: int, end: int, known: int) -> int:
        """Where in ``text[low:end]`` an overlap best begins; ``end`` where nothing is visible there.

        It begins with a sentence, else with a line, else with a word, else anywhere; ``known`` is a border before it.
        """
        text = self._text
        sentence = self._counted.visible(low) if text[low - 1] == "\n" else low + next_sentence(text[low:end])
        if sentence < end and is_border(text, sentence, known):
            return sentence
        for first in self._openings(low, end):
            if first < end and is_border(text, first, known):
                return first
        return end

    def block(self, at: int) -> Span | None:
        """The block that a cut there would tear; None where it tears none, or one that is larger than a piece."""
        block = self.blocks.holding(at)
        return block if block is not None and self._counted.between(*block) <= self._size else None

    def anywhere(self, start: int, limit: int, whole: int) -> int:
        """The last place up to the limit where no cluster is torn, else the first up to ``whole``, else that."""
        limit = max(limit, start + 1)
        trimmed = self._counted.trimmed
        end = trimmed(start, next(filter(self._is_clean(start), range(limit, start, -1)), 0))
        if end <= start:
            end = next(filter(self._is_clean(start), range(limit + 1, whole + 1)), max(whole, limit))
        heading = self._headings.holding(end)
        if heading is not None and heading > start:
            end = heading
        return trimmed(start, end)

    def beside_block(self, start: int, limit: int, whole: int) -> int:
        """The border of the block around the limit: before it, else after it; 0 where no piece may end at either."""
        block = self.block(limit)
        if block is None:
            return 0
        end = self._counted.trimmed(start, max(start, block[0]))
        if self._allowed(start, end, block[0]):
            return end
        end = self._counted.trimmed(start, block[1])
        return end if end <= whole and self._allowed(start, end, block[1]) else 0

    def _allowed(self, start: int, end: int, after: int) -> bool:
        """Whether a piece may be ``text[start:end]``, the next from ``after`` on: nothing torn, no heading last."""
        return (
            end > start
            and self._headings.holding(end) is None
            and self.block(end) is None
            and is_border(self._text, after, end if end < after else start)
        )

    def _paragraphs(self, start: int, least: int, limit: int) -> int:
        """Last end of a paragraph within the limit, or place before a heading; 0 where none leaves the least."""
        best = 0
        gaps, afters = self._gaps
        place = bisect_right(gaps, limit) - 1
        while place >= 0 and gaps[place] >= least:
            if self._allowed(start, gaps[place], afters[place]):
                best = gaps[place]
                break
            place -= 1
        heading = self._headings.last_from(least, limit)
        if heading is not None and heading > best:
            end = self._counted.trimmed(start, heading)
            if end >= least and self._allowed(start, end, heading):
                best = end
        return self._counted.trimmed(start, best) if best else 0

    def _paragraph(self, start: int, limit: int, whole: int) -> int:
        """End of the one paragraph that ends between the limit and the whole size; 0 where none does."""
        gaps, afters = self._gaps
        for place in range(bisect_left(gaps, limit), bisect_right(gaps, whole)):
            if self._allowed(start, gaps[place], afters[place]):
                return self._counted.trimmed(start, gaps[place])
        return 0

    def _sentence(self, start: int, least: int, limit: int) -> int:
        """Last end of a sentence within the limit; 0 where none leaves the least."""
        block = self.block(limit)
        if block is not None:
            limit = block[0]
        if limit < least:
            return 0
        for low in (limit - LOOK_BACK[0], limit - LOOK_BACK[1], start):
            end = self._sentence_from(max(low, start), start, least, limit)
            if end or low <= start:
                return end
        return 0

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
            end = self._counted.trimmed(start, at)
            if self._allowed(start, end, self._counted.visible(at)):
                return end
        return 0

    def _word(self, start: int, least: int, limit: int) -> int:
        """Last space in the later half up to the limit; 0 where there is none."""
        return self._space(start, max(least, (start + limit) // 2), limit)

    def _space(self, start: int, low: int, limit: int) -> int:
        for space in reversed(list(_SPACE.finditer(self._text, low, limit + 1))):
            end = self._counted.trimmed(start, space.start())
            if self._allowed(start, end, self._counted.visible(space.start())):
                return end
        return 0

    def _is_clean(self, start: int) -> Callable[[int], bool]:
        """Whether a piece from ``start`` may end at a place and the next begin with what is visible after it."""

        def is_clean(end: int) -> bool:
            if not is_border(self._text, end, start):
                return False
            after = self._counted.visible(end)
            return after == end or is_border(self._text, after, end)

        return is_clean

    def _openings(self, low: int, end: int) -> Iterator[int]:
        """Places in ``text[low:end]`` where an overlap may begin that begins with no sentence, best first."""
        text, visible = self._text, self._counted.visible
        line = text.find("\n", low, end)
        if line >= 0:
            yield visible(line)
        if text[low - 1].isspace():
            yield visible(low)
        space = _SPACE.search(text, low, end)
        if space is not None:
            yield space.end()
        yield from (place for place in range(low, end) if not text[place].isspace())
