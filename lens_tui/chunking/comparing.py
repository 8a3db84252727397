"""What tells strategies apart on one document: how many of their cuts fall inside sentences and functions."""

from bisect import bisect_left
from collections.abc import Sequence

from lens_tui.chunking.code import functions_of
from lens_tui.text.sentences import sentences
from lens_tui.types import Chunk, Document, Span


def cuts_in_sentences(document: Document, chunks: Sequence[Chunk]) -> int:
    """Ends of chunks that fall inside a sentence of the document."""
    base = document.body_start
    spans = [(base + start, base + end) for start, end in sentences(document.text[base:])]
    return cuts_inside(spans, chunks)


def cuts_in_functions(document: Document, chunks: Sequence[Chunk]) -> int | None:
    """Ends of chunks that fall inside a function, a method or the like; None where the document has none."""
    outer: list[Span] = []
    for start, end in sorted(functions_of(document)):
        if not outer or start >= outer[-1][1]:
            outer.append((start, end))
    return cuts_inside(outer, chunks) if outer else None


def cuts_inside(spans: Sequence[Span], chunks: Sequence[Chunk]) -> int:
    """Ends of chunks that fall inside one of the spans, which come in order and do not overlap."""
    starts = [start for start, _ in spans]
    places = ((chunk.end, bisect_left(starts, chunk.end) - 1) for chunk in chunks)
    return sum(place >= 0 and end < spans[place][1] for end, place in places)
