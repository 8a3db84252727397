"""The sections that headings open, and how those that are too small to stand alone go together."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from lens_tui.chunking.packing import Packer
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


def gathered(found: Iterable[Section], packer: Packer, sizes: Sizes) -> Iterator[Section]:
    """Put sections under the minimum with a neighbour beside or below them, where both fit the size.

    What they make together has the first one's level. None joins one that stands higher, which would put a chapter's
    opening under the chapter before; only one that is nothing but headings goes with the next whatever that is.
    """
    between, trimmed, headings = packer.counted.between, packer.counted.trimmed, packer.headings

    def short(section: Section) -> bool:
        return between(section.start, section.end) < sizes.minimum

    held: Section | None = None
    for section in found:
        if held is None:
            held = section
            continue
        beside = section.level >= held.level and between(held.start, section.end) <= sizes.size
        bare = headings.holding(trimmed(held.start, held.end)) is not None
        if bare or (beside and (short(held) or short(section))):
            held = Section(held.start, section.end, held.level)
        else:
            yield held
            held = section
    if held is not None:
        yield held
