"""Where a piece of text stands in its document: its lines, page and headings; every strategy's last step."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from lens_tui.types import Chunk, Cut, Document, Heading

LARGE = 1.5
"""A chunk of more than this many times the target is told (chunking service, section 4)."""

BLANK = "There is nothing to cut: the text is blank."

_UNDERLINE = re.compile(r" {0,3}(?:=+|-+)[ \t]*(?:\n|\Z)")
WITHOUT_UNDERLINES = frozenset(("html", "json", "csv"))
"""Kinds of documents whose headings are no Markdown."""

_ATX = re.compile(r" {0,3}#{1,6}(?:[ \t\n]|\Z)")


class Piece(NamedTuple):
    """What becomes a chunk: ``text[first:end]``, whose own text begins at ``start``, after what it took from before."""

    first: int
    start: int
    end: int
    tokens: int
    """Of ``text[first:end]``, counted alone."""
    overlap: int
    """Tokens shared with the piece before."""


class HeadingLines:
    """The lines of a document's headings, to keep them with what they open."""

    def __init__(self, document: Document) -> None:
        """Find each heading's end: the end of its line, or of the line that underlines it."""
        self._starts = [heading.start for heading in document.headings]
        limits = [*self._starts[1:], len(document.text)]
        find = _line_end if document.kind in WITHOUT_UNDERLINES else _heading_end
        self._ends = [find(document.text, start, limit) for start, limit in zip(self._starts, limits, strict=False)]

    def holding(self, end: int) -> int | None:
        """Start of the heading in whose lines a piece that stops at ``end`` would stop; None: in no heading."""
        place = bisect_right(self._starts, end - 1) - 1
        return self._starts[place] if place >= 0 and end <= self._ends[place] else None

    def last_from(self, low: int, high: int) -> int | None:
        """Start of the last heading in ``low`` to ``high``, both inclusive."""
        place = bisect_right(self._starts, high) - 1
        return self._starts[place] if place >= 0 and self._starts[place] >= low else None


def _line_end(text: str, start: int, limit: int) -> int:
    end = text.find("\n", start, limit)
    return end if end >= 0 else limit


def _heading_end(text: str, start: int, limit: int) -> int:
    """Offset after a heading's last visible line; the document's other lines begin after it."""
    end = _line_end(text, start, limit)
    if _ATX.match(text, start):
        return end
    line = end + 1
    while line < limit and not _UNDERLINE.match(text, line):
        following = text.find("\n", line, limit)
        if following < 0:
            return end
        line = following + 1
    if line >= limit:
        return end
    following = text.find("\n", line, limit)
    return following if following >= 0 else limit


def cut_of(
    document: Document,
    strategy: str,
    pieces: Sequence[Piece],
    target: int,
    warnings: Sequence[str] = (),
    paths: Sequence[tuple[str, ...]] | None = None,
) -> Cut:
    """Make a Cut of pieces, with the warnings that every strategy owes: of a blank text, and of very large chunks."""
    chunks = placed(document, strategy, pieces, paths)
    blank = () if chunks else (BLANK,)
    return Cut(tuple(chunks), (*warnings, *blank, *large_told([chunk.tokens for chunk in chunks], target)))


def large_told(tokens: Iterable[int], target: int) -> tuple[str, ...]:
    """Tell of chunks far above the target, by the tokens that each has."""
    large = [count for count in tokens if count > LARGE * target]
    if not large:
        return ()
    counted = "1 chunk is" if len(large) == 1 else f"{len(large)} chunks are"
    return (f"{counted} above {LARGE:.0%} of the target of {target} tokens; the largest has {max(large)}.",)


def placed(
    document: Document, strategy: str, pieces: Sequence[Piece], paths: Sequence[tuple[str, ...]] | None = None
) -> list[Chunk]:
    """Make chunks of pieces, which come in order and never begin before the piece before did.

    Heading and page are those of the place where a chunk's own text begins, after what it took from the one before;
    ``paths``, one for each piece, stand in the place of the document's headings.
    """
    text = document.text
    chunks: list[Chunk] = []
    path: list[Heading] = []
    titles: tuple[str, ...] = ()
    headings = iter(document.headings)
    heading = next(headings, None)
    last, counted = 1, 0
    for index, piece in enumerate(pieces):
        line = last + _line_ends(text, counted, piece.first)
        while heading is not None and heading.start <= piece.start:
            path = [*(above for above in path if above.level < heading.level), heading]
            titles = tuple(above.title for above in path if above.title)
            heading = next(headings, None)
        last += _line_ends(text, counted, piece.end)
        counted = piece.end
        # By place, not by name, as that takes a third less time, and there are many.
        chunks.append(
            Chunk(
                document.path,
                document.checksum,
                index,
                piece.first,
                piece.end,
                text[piece.first : piece.end],
                (line, last),
                piece.tokens,
                strategy,
                piece.overlap,
                pieces[index + 1].overlap if index + 1 < len(pieces) else 0,
                bisect_right(document.pages, piece.start) or 1 if document.pages else None,
                paths[index] if paths is not None else titles,
                document.tags,
            )
        )
    return chunks


def _line_ends(text: str, start: int, end: int) -> int:
    """Line ends from one place to another, less than none where that goes back."""
    return text.count("\n", start, end) if start <= end else -text.count("\n", end, start)
