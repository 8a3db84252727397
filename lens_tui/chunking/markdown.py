"""Markdown cut at its headings of the first levels, and what is longer than the size cut again."""

from typing import ClassVar

from lens_tui.chunking.packing import Packer
from lens_tui.chunking.placing import cut_of
from lens_tui.chunking.sections import gathered, sections, shared_titles
from lens_tui.chunking.sizes import COMMON_OPTIONS, bounded, sizes_of
from lens_tui.options import DEFAULTS, ChunkOptions
from lens_tui.protocols import Tokenizer
from lens_tui.types import Cut, Document

SIZE = 384
OVERLAP = "0"
LEVELS = (1, 2)
"""ChocoBuilder's: cut at H1 and H2, then at 384 tokens."""


class MarkdownChunker:
    """Cuts any text with headings; the strategy ``markdown``."""

    strategy = "markdown"
    takes: ClassVar[frozenset[str]] = COMMON_OPTIONS | {"levels"}

    def __init__(self, tokenizer: Tokenizer, options: ChunkOptions = DEFAULTS, *, tiny: int = 0) -> None:
        """Take the sizes, and the heading levels at which it cuts; sections under ``tiny`` tokens go together.

        Raises:
            ChunkingValueError: One is out of its bounds.
        """
        self._tokenizer = tokenizer
        self._sizes = sizes_of(options, size=SIZE, overlap=OVERLAP)
        self._tiny = tiny
        self._levels = frozenset(bounded("heading level", level, 1, 6) for level in options.levels or LEVELS)

    @property
    def largest(self) -> int:
        """See ``Strategy``."""
        return self._sizes.size

    def told(self, document: Document) -> str:
        """Its name and sizes, and the levels where they are not its own."""
        at = "" if self._levels == set(LEVELS) else f" at H{', H'.join(map(str, sorted(self._levels)))}"
        return self._sizes.told(self.strategy) + at

    def chunk(self, document: Document) -> Cut:
        """Cut a document as ``paragraph`` does, but within each section.

        A section that is nothing but headings goes with the next one, and one under the minimum with a neighbour
        beside or below it. What chunks share they share within a section. A chunk of several sections has the heading
        that is above all of them.
        """
        packer = Packer(document, self._tokenizer, self._sizes)
        opening = [heading for heading in document.headings if heading.level in self._levels]
        whole = sections(opening, packer.counted.start, packer.counted.stop)
        found = gathered(whole, packer, self._sizes, self._tiny)
        spans = (packer.joined(packer.cut(section.start, section.end)) for section in found)
        pieces = [piece for section in spans for piece in packer.pieces(section)]
        paths = list(shared_titles(document.headings, opening, pieces))
        return cut_of(document, self.strategy, pieces, self._sizes.size, paths=paths)
