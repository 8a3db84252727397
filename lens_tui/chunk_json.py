"""The shapes in which chunks are given to scripts and agents: one event a chunk, then one that sums up."""

from collections.abc import Iterable, Sequence
from typing import Any

from lens_tui.types import Chunk


class Tally:
    """Counts chunks as they come; keeps none of them."""

    def __init__(self) -> None:
        """Begin with none."""
        self.count = 0
        self.tokens = 0
        self.smallest: int | None = None
        self.largest: int | None = None

    def add(self, chunk: Chunk) -> None:
        """Count one."""
        self.count += 1
        self.tokens += chunk.tokens
        self.smallest = chunk.tokens if self.smallest is None else min(self.smallest, chunk.tokens)
        self.largest = chunk.tokens if self.largest is None else max(self.largest, chunk.tokens)

    @property
    def average(self) -> float | None:
        """Tokens of a chunk on average; None where there is none."""
        return round(self.tokens / self.count, 1) if self.count else None


def tallied(chunks: Iterable[Chunk]) -> Tally:
    """The count of chunks that are all there."""
    tally = Tally()
    for chunk in chunks:
        tally.add(chunk)
    return tally


def chunk_event(chunk: Chunk) -> dict[str, Any]:
    """A chunk with every field that is promised for one."""
    return {
        "event": "chunk",
        "path": chunk.path,
        "checksum": chunk.checksum,
        "index": chunk.index,
        "id": chunk.id,
        "strategy": chunk.strategy,
        "start": chunk.start,
        "end": chunk.end,
        "lines": chunk.lines,
        "page": chunk.page,
        "tokens": chunk.tokens,
        "overlap_before": chunk.overlap_before,
        "overlap_after": chunk.overlap_after,
        "heading": chunk.heading,
        "level": chunk.level,
        "parent": chunk.parent,
        "children": chunk.children,
        "tags": chunk.tags,
        "text": chunk.text,
        "context": chunk.context,
        "context_tokens": chunk.context_tokens,
        "contextualized": chunk.contextualized,
        "late": chunk.late,
    }


def done_event(
    tally: Tally, *, strategy: str, told: str, tokenizer: str, milliseconds: float, warnings: Sequence[str]
) -> dict[str, Any]:
    """What sums the chunks up; sizes are null where there are none. ``told`` is what really cut, with its sizes."""
    return {
        "event": "done",
        "strategy": strategy,
        "tokenizer": tokenizer,
        "count": tally.count,
        "average": tally.average,
        "smallest": tally.smallest,
        "largest": tally.largest,
        "milliseconds": round(milliseconds, 2),
        "warnings": list(warnings),
        "told": told,
    }
