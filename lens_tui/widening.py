"""Hits widened to the sections of their files that they stand in."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache

from lens_tui.errors import FileUnreadable
from lens_tui.text.listing import listed
from lens_tui.text.standing import has_heading
from lens_tui.types import Chunk, Document, SearchHit, Span

LONGEST = 8_000
"""Characters of a section that are still read as one; some 2,000 tokens. A longer one is taken without those below it,
and where that is too long as well, the hit stays what it is and a note says so: a file without headings is one section.
"""

LONG_ONES_NAMED = 3
"""Hits in sections that are too long that a note names."""


def widened(
    hits: Sequence[SearchHit], chunks_of: Callable[[str], Sequence[Chunk]], read: Callable[[str], Document]
) -> tuple[tuple[SearchHit, ...], tuple[str, ...]]:
    """Give each hit the text of its section: from its heading's line to the next heading as high or higher.

    Of several hits in one section the best stays. A file that was changed since it was indexed widens none of its
    hits.

    Args:
        hits: Best first.
        chunks_of: A file's chunks in order.
        read: A file's document; raises FileUnreadable.

    Returns:
        The hits, and a sentence on those whose section is longer than ``LONGEST``.
    """
    found: dict[tuple[str, Span], SearchHit] = {}
    long: list[str] = []
    # Many hits are of one file: it is read once.
    chunks_once, read_once = cache(chunks_of), cache(read)
    for hit in hits:
        chunks = chunks_once(hit.path)
        whole = hit
        if hit.chunk < len(chunks) and chunks[hit.chunk].checksum == hit.checksum:
            span = next((span for span in _sections(chunks, hit.chunk) if span[1] - span[0] <= LONGEST), None)
            whole = _widened(hit, span or (hit.start, hit.end), read_once)
            if span is None:
                long.append(f"{hit.path}:{hit.lines[0]}")
        found.setdefault((whole.path, (whole.start, whole.end)), whole)
    return tuple(replace(hit, rank=rank) for rank, hit in enumerate(found.values(), 1)), _told(long)


def _told(long: Sequence[str]) -> tuple[str, ...]:
    if not long:
        return ()
    named = listed(long, LONG_ONES_NAMED)
    return (f"Only the excerpt is shown where its section is longer than {LONGEST:,} characters: {named}.",)


def _widened(hit: SearchHit, span: Span, read: Callable[[str], Document]) -> SearchHit:
    try:
        document = read(hit.path)
    except FileUnreadable:
        return hit
    if document.checksum != hit.checksum:
        return hit
    text = document.text[slice(*span)].strip()
    start = document.text.index(text, span[0])
    line = document.text.count("\n", 0, start) + 1
    marks = [(hit.start + first, hit.start + last) for first, last in hit.marks]
    return replace(
        hit,
        start=start,
        end=start + len(text),
        lines=(line, line + text.count("\n")),
        text=text,
        snippet=text,
        marks=tuple((first - start, last - start) for first, last in marks if start <= first),
        above="" if has_heading(hit.heading, text) else hit.above,
    )


def _sections(chunks: Sequence[Chunk], at: int) -> Iterator[Span]:
    """The spans of the section around a chunk: with the sections below it, then without them."""
    heading = chunks[at].heading
    for whole in (True, False) if heading else (False,):
        first = last = at
        while first and not has_heading(heading, chunks[first].text) and _within(chunks[first - 1], heading, whole):
            first -= 1
        while last + 1 < len(chunks) and _goes_on(chunks[last + 1], heading, whole):
            last += 1
        overlapped = chunks[first - 1].end if first else 0
        yield max(chunks[first].start, overlapped), chunks[last].end


def _within(chunk: Chunk, heading: Sequence[str], whole: bool) -> bool:
    return tuple(heading) == (chunk.heading[: len(heading)] if whole else chunk.heading)


def _goes_on(chunk: Chunk, heading: Sequence[str], whole: bool) -> bool:
    """Whether a chunk is part of the same section, and not of the next one with the same title."""
    again = tuple(heading) == chunk.heading and has_heading(heading, chunk.text)
    return _within(chunk, heading, whole) and not again
