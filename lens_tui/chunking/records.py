"""Members, rows and cells packed whole: how ``auto`` cuts JSON, CSV and notebooks."""

from collections.abc import Iterator
from typing import ClassVar

from lens_tui.chunking.groups import Grouping, Stretch
from lens_tui.chunking.packing import Packer
from lens_tui.chunking.placing import cut_of
from lens_tui.chunking.sections import Titles
from lens_tui.chunking.sizes import COMMON_OPTIONS, sizes_of
from lens_tui.options import DEFAULTS, ChunkOptions
from lens_tui.protocols import Tokenizer
from lens_tui.types import Cut, Document

SIZE = 220
"""Tokens; that of ``paragraph``. Nothing is shared: a record is whole, or cut in itself."""


class RecordsChunker:
    """Cuts documents that have parts; named ``records`` in what ``auto`` tells."""

    strategy = "records"
    takes: ClassVar[frozenset[str]] = COMMON_OPTIONS

    def __init__(self, tokenizer: Tokenizer, options: ChunkOptions = DEFAULTS) -> None:
        """Take the sizes: size > overlap ≥ 0.

        Raises:
            ChunkingValueError: One is out of its bounds.
        """
        self._sizes = sizes_of(options, size=SIZE, overlap="0")
        self._tokenizer = tokenizer

    @property
    def largest(self) -> int:
        """See ``Strategy``."""
        return self._sizes.size

    def told(self, document: Document) -> str:
        """Its name and sizes."""
        return self._sizes.told(self.strategy)

    def chunk(self, document: Document) -> Cut:
        """Cut a document; takes linear time.

        A part of at most the size is in one chunk, together with as many of its neighbours as fit; a longer one is cut
        between the parts in it, and as text is where it has none. A chunk's heading is that of its part, or what the
        headings of its parts have in common.
        """
        packer = Packer(document, self._tokenizer, self._sizes)
        if packer.counted.start == packer.counted.stop:
            return cut_of(document, self.strategy, (), self._sizes.size)
        grouping = Grouping(packer)
        groups = grouping.groups(list(self._stretches(document, packer)))
        pieces = list(packer.pieces(map(grouping.span, groups)))
        return cut_of(document, self.strategy, pieces, self._sizes.size, paths=[group.path for group in groups])

    def _stretches(self, document: Document, packer: Packer) -> Iterator[Stretch]:
        """The parts that are not in one that fits; the first part of a large one begins where that does."""
        counted, parts = packer.counted, document.parts
        titles = Titles(document.headings)
        around: list[int] = []
        whole = depth = 0
        begins: int | None = counted.start
        followings = [*(start for start, _ in parts[1:]), counted.stop]
        for (start, end), following in zip(parts, followings, strict=False):
            if start < whole:
                continue
            while around and around[-1] <= start:
                around.pop()
            if begins is None:
                begins, depth = start, len(around)
            path = titles.at(start)
            if following < end and counted.between(start, end) > self._sizes.size:
                around.append(end)
            else:
                yield Stretch(begins, depth, path, False, end)
                whole, begins = end, None
