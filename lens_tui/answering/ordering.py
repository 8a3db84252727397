"""Whether a claim has a sentence's words in an order that may change who does what to whom."""

from collections.abc import Container, Sequence

from lens_tui.answering.alignment import Alignment, region, says
from lens_tui.answering.lexicon import AND, LEADS, PARTICLES, PASSIVE
from lens_tui.answering.statements import Piece


def moved(laid: Alignment) -> list[tuple[int, int, int]]:
    """Runs that stand elsewhere in the source, in a way that may change who does what."""
    runs = [run for run in laid.runs if any(says(piece) for piece in laid.claim.pieces[run[0] : run[0] + run[2]])]
    free = {run for run in runs if _may_move(run, laid)}
    kept = _in_order(runs, laid.claim.pieces, free)
    return [run for run in runs if run not in kept and run not in free]


def _in_order(
    runs: Sequence[tuple[int, int, int]], pieces: Sequence[Piece], free: Container[tuple[int, int, int]]
) -> list[tuple[int, int, int]]:
    """The weightiest runs that stand in one order in both; those that may move anyway count less."""
    best: list[tuple[float, list[tuple[int, int, int]]]] = []
    for run in runs:
        weight = sum(piece.weight for piece in pieces[run[0] : run[0] + run[2]]) * (0.4 if run in free else 1)
        before = max((one for one in best if one[1][-1][1] < run[1]), key=lambda one: one[0], default=(0.0, []))
        best.append((before[0] + weight, [*before[1], run]))
    return max(best, key=lambda one: one[0], default=(0.0, []))[1]


def _may_move(run: tuple[int, int, int], laid: Alignment) -> bool:
    first, place, length = run
    pieces, source = laid.claim.pieces, laid.source.pieces
    last = first + length
    if laid.claim.japanese:
        closes = pieces[last - 1].key in PARTICLES and length > 1
        return closes or (last < len(pieces) and pieces[last].kind == "stop")
    opens = pieces[first].key in LEADS and (length > 1)
    before = pieces[first - 1] if first else None
    led = before is not None and before.key in LEADS and place > 0 and source[place - 1].key == before.key
    if opens or led or pieces[first].kind == "day":
        return True
    left_and = (before is not None and before.key in AND) or (last < len(pieces) and pieces[last].key in AND)
    there = (place > 0 and source[place - 1].key in AND) or (
        place + length < len(source) and source[place + length].key in AND
    )
    if left_and and there:
        return True
    bounded = before is None or before.kind == "stop" or before.key in AND
    ended = last == len(pieces) or pieces[last].kind == "stop" or pieces[last].key in AND
    return bounded and ended and length > 2


def passive(laid: Alignment) -> bool:
    """Whether one says who acted and the other to whom it was done, with the same words."""
    taken = {place for place in laid.at if place is not None}
    first, last = region(laid)
    mine = sum(piece.key in PASSIVE and at is None for piece, at in zip(laid.claim.pieces, laid.at, strict=True))
    yours = sum(
        laid.source.pieces[place].key in PASSIVE and place not in taken and place + 1 in taken
        for place in range(first, last)
    )
    return mine > 0 or yours > 0
