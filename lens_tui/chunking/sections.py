"""The sections that headings open, and how those that are too small to stand alone go together."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from lens_tui.chunking.packing import Packer
from lens_tui.chunking.placing import Piece
from lens_tui.chunking.sizes import Sizes
from lens_tui.types import Heading


@dataclass(frozen=True, slots=True)
class Section:
    """A heading's line and the text below it, up to the next heading that opens a section."""

    start: int
    end: int
    level: int
    """Its heading's; 0 for what stands before the first one."""


def sections(headings: Sequence[Heading], start: int, stop: int) -> list[Section]:
    """The sections of ``text[start:stop]``, each of these headings opening one, in order and without gaps."""
    opened = [(heading.start, heading.level) for heading in headings if start <= heading.start < stop]
    if not opened or opened[0][0] > start:
        opened.insert(0, (start, 0))
    ends = [*(at for at, _ in opened[1:]), stop]
    return [Section(at, end, level) for (at, level), end in zip(opened, ends, strict=True) if at < end]


def gathered(found: Iterable[Section], packer: Packer, sizes: Sizes, tiny: int = 0) -> Iterator[Section]:
    """Put sections under the minimum with a neighbour beside or below them, where both fit the size.

    What they make together has the first one's level. None joins one that stands higher, which would put a chapter's
    opening under the chapter before; only one that is nothing but headings goes with the next whatever that is.
    Sections under ``tiny`` tokens go together among themselves, until they have as many.
    """
    between, trimmed, headings = packer.counted.between, packer.counted.trimmed, packer.headings

    def under(section: Section, least: int) -> bool:
        return between(section.start, section.end) < least

    def go_together(held: Section, section: Section) -> bool:
        short = under(held, sizes.minimum) or under(section, sizes.minimum)
        return short or (under(held, tiny) and under(section, tiny))

    held: Section | None = None
    for section in found:
        if held is None:
            held = section
            continue
        beside = section.level >= held.level and between(held.start, section.end) <= sizes.size
        bare = headings.holding(trimmed(held.start, held.end)) is not None
        if bare or (beside and go_together(held, section)):
            held = Section(held.start, section.end, held.level)
        else:
            yield held
            held = section
    if held is not None:
        yield held


class Titles:
    """The headings above places that are asked for in order."""

    def __init__(self, headings: Iterable[Heading]) -> None:
        """Take a document's headings, in order."""
        self._left = iter(headings)
        self._next = next(self._left, None)
        self._above: list[Heading] = []
        self._path: tuple[str, ...] = ()

    def at(self, place: int) -> tuple[str, ...]:
        """Titles from the highest heading down to the last one that begins at the place or before it."""
        while self._next is not None and self._next.start <= place:
            heading = self._next
            self._above = [*(above for above in self._above if above.level < heading.level), heading]
            self._path = tuple(above.title for above in self._above if above.title)
            self._next = next(self._left, None)
        return self._path


def shared_titles(
    headings: Sequence[Heading], opening: Sequence[Heading], pieces: Sequence[Piece]
) -> Iterator[tuple[str, ...]]:
    """The path of each piece: of several sections in one piece, what their paths begin with.

    Args:
        headings: The document's.
        opening: Those of them that open sections.
        pieces: In order.
    """
    titles, starts = Titles(headings), iter([heading.start for heading in opening])
    start = next(starts, None)
    ends = [*(piece.start for piece in pieces[1:]), *(piece.end for piece in pieces[-1:])]
    for piece, end in zip(pieces, ends, strict=True):
        path = titles.at(piece.start)
        while start is not None and start < end:
            if start > piece.start:
                path = common_path(path, titles.at(start))
            start = next(starts, None)
        yield path


def common_path(one: Sequence[str], other: Sequence[str]) -> tuple[str, ...]:
    """What two paths begin with."""
    return tuple(name for name, _ in takewhile(lambda names: names[0] == names[1], zip(one, other, strict=False)))
