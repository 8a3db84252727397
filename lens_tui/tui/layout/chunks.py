"""How the chunk lens names a chunk at its border, and what is said of cutting a folder otherwise."""

import re
from collections.abc import Sequence

from lens_tui.chunk_requests import ChunkOutline, RecutCost
from lens_tui.tui.cells import cut_end, fitted, width_of
from lens_tui.tui.layout.facts import count, took
from lens_tui.tui.signs import Signs
from lens_tui.tui.stretches import Border

LEAST_HEADING = 12
"""Cells that a heading path is worth showing in."""

_SIZE = re.compile(r"\d+")


def border_row(
    chunks: Sequence[ChunkOutline], border: Border, told: str, width: int, signs: Signs
) -> list[tuple[str, str]]:
    """One border as a rule of ``width`` cells with its words: number, tokens, lines, heading path, what it shares.

    Args:
        chunks: All chunks of the file.
        border: Which one, and which end of it.
        told: What cut them, such as ``paragraph 220/40``: its first number is the size.
        width: Cells that the row has.
        signs: To draw with.
    """
    chunk = chunks[border.number]
    if border.closing:
        words, right = f"end of chunk {border.number + 1:,}", ""
    else:
        first, last = chunk.lines
        size = _SIZE.search(told)
        tokens = f"{chunk.tokens:,} of {int(size[0]):,} tokens" if size else count(chunk.tokens, "token")
        lines = f"lines {first:,}–{last:,}" if last > first else f"line {first:,}"
        words = f"chunk {border.number + 1:,} of {len(chunks):,} · {tokens} · {lines}"
        right = f"shares {chunk.overlap_before:,}"
    words = signs.said(words)
    tail = width_of(right) + 3 if right else 0
    words = cut_end(words, max(width - tail - 4, 1), signs.ellipsis)
    room = width - width_of(words) - tail - 6
    titles = () if border.closing else tuple(map(fitted, chunk.heading))
    path = f" {signs.ask} ".join(titles)
    heading = path if width_of(path) + 3 <= room or not titles else titles[-1]
    if heading and room >= min(LEAST_HEADING, width_of(heading) + 3):
        words += cut_end(f" {signs.dot} {heading}", room, signs.ellipsis)
    rest = max(width - width_of(words) - 3 - tail, 0)
    row = [(f"{signs.rule} ", "line"), (words, "muted"), (" " + signs.rule * rest, "line")]
    return [*row, (f" {right} ", "muted"), (signs.rule, "line")] if right else row


def cut_by(strategy: str, told: str) -> str:
    """Name the strategy that was chosen, with its sizes alone, and what it comes to in this file where that is another.

    ``fixed 512/64`` of ``fixed 512/64, minimum 50``; ``auto (here: markdown 256/0)``.
    """
    brief = told.partition(",")[0]
    return brief if not brief or brief.split()[0] == strategy else f"{strategy} (here: {brief})"


def cost_told(cost: RecutCost, strategy: str) -> str:
    """What it costs to cut a folder so, in a few words that a question in the hint row has room for."""
    said = f"cut {count(cost.files, 'file')} by {strategy}: {count(cost.chunks, 'chunk')}, {took(cost.seconds)}"
    if not cost.vectors:
        return said
    return (
        said + f"; {count(cost.vectors, 'vector')}" + (f", {took(cost.vector_seconds)}" if cost.vector_seconds else "")
    )
