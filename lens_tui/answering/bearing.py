"""Whether a sentence bears a claim out: nothing unsaid, denied, limited, turned round or joined from its parts."""

from collections.abc import Sequence
from itertools import pairwise

from lens_tui.answering.alignment import SAYS, Alignment, region, says
from lens_tui.answering.lexicon import AND
from lens_tui.answering.ordering import moved, passive
from lens_tui.answering.statements import Piece, Statement
from lens_tui.answering.unsaid import unsaid

UNSURE_LIMITS = frozenset(("some", "may", "must", "near", "unless", "or"))
"""Kinds of limits that a source has and a claim may not leave out."""


UNBORNE = {
    "missing": "its source does not say all of it",
    "denial": "its source may deny it",
    "limit": "its source says it with another limit, such as some, may or only",
    "order": "its source has its words in another order",
    "gap": "its source says its parts of different things",
}
"""Reasons of ``unborne``, as sentences."""

OWN_EACH = frozenset(("respectively", "beziehungsweise", "bzw", "соответственно", "それぞれ", "分别"))
"""What joins two rows of things one by one, so that none can be left out."""

MOST_LEFT_OUT = 2
"""Pieces that a claim may leave out between two of its own without their telling of something else."""


def unborne(laid: Alignment, before: Sequence[Statement] = ()) -> str:
    """Why a sentence does not bear a claim out, as a short reason; empty where it does.

    Args:
        laid: The claim over the sentence.
        before: The sentences before it, the nearest last, which say whom a pronoun means.
    """
    missing = unsaid(laid, before)
    if missing:
        return "missing"
    if denials(laid) != (0, 0):
        return "denial"
    if _limited(laid):
        return "limit"
    if moved(laid) or passive(laid):
        return "order"
    if _leaps(laid):
        return "gap"
    return ""


def denials(laid: Alignment, but: tuple[int, int] = (-1, -1)) -> tuple[int, int]:
    """How many more denials the source has than the claim, and how many it is unsure whether they count.

    Args:
        laid: The claim over the source.
        but: A piece of the claim and one of the source that are not asked.
    """
    taken = {place for place in laid.at if place is not None}
    first, last = region(laid)
    source = laid.source.pieces
    claimed = [at for at in range(len(laid.claim.pieces)) if at != but[0] and _denies(laid.claim.pieces, at)]
    sure = loose = 0
    for place in range(first, last):
        if place == but[1] or not _denies(source, place):
            continue
        if place in taken or _attached(source, place, taken):
            sure += 1
        else:
            loose += 1
    if claimed and sure == len(claimed) and not loose:
        moved_ = [at for at in claimed if not _denies_the_same(laid, at)]
        return 0, len(moved_)
    return sure - len(claimed), loose


def _denies(pieces: Sequence[Piece], at: int) -> bool:
    if not pieces[at].denies:
        return False
    following = pieces[at + 1] if at + 1 < len(pieces) else None
    return not pieces[at].named and (following is None or (following.limit != "only" and following.key != "but"))


def _attached(source: Sequence[Piece], place: int, taken: set[int]) -> bool:
    """Whether a denial stands beside what the claim says: nothing else that it could deny is nearer."""
    after = next((at for at in range(place + 1, len(source)) if says(source[at]) or source[at].kind == "stop"), None)
    before = next((at for at in range(place - 1, -1, -1) if says(source[at]) or source[at].kind == "stop"), None)
    near_after = after is None or source[after].kind == "stop" or after in taken
    near_before = before is None or source[before].kind == "stop" or before in taken
    return near_after and near_before


def _denies_the_same(laid: Alignment, at: int) -> bool:
    """Whether what a claim's denial stands beside is denied in the source too."""
    place = laid.at[at]
    if place is not None:
        return True
    pieces = laid.claim.pieces
    steps = [*range(at + 1, len(pieces)), *range(at - 1, -1, -1)]
    near = next((laid.at[step] for step in steps if says(pieces[step]) and laid.at[step] is not None), None)
    if near is None:
        return False
    source = laid.source.pieces
    return any(_denies(source, step) for step in range(max(0, near - 6), min(len(source), near + 7)))


def _limited(laid: Alignment) -> bool:
    """Whether claim and source differ in what widens, narrows or hedges them."""
    claimed = [piece.limit for piece, at in zip(laid.claim.pieces, laid.at, strict=True) if piece.limit and at is None]
    taken = {place for place in laid.at if place is not None}
    first, last = region(laid)
    if _title_cut(laid.source.pieces, taken, first, last) or _sum_cut(laid, taken):
        return True
    if any(piece.key in OWN_EACH and place not in taken for place, piece in enumerate(laid.source.pieces)):
        return True
    source = laid.source.pieces
    if last < len(source) and source[last].limit == "unless":
        return True
    if any(_ordinal(source[place]) and place not in taken and place + 1 in taken for place in range(first, last - 1)):
        return True
    left = [
        laid.source.pieces[place].limit
        for place in range(first, last)
        if laid.source.pieces[place].limit and place not in taken and _attached_limit(laid.source.pieces, place, taken)
    ]
    if any(
        _not_before(laid.claim.pieces, at) != _not_before(laid.source.pieces, place)
        for at, place in enumerate(laid.at)
        if place is not None and laid.claim.pieces[at].limit == "only"
    ):
        return True
    for kind in list(claimed):
        if kind in left:
            claimed.remove(kind)
            left.remove(kind)
    return bool(claimed) or any(kind in UNSURE_LIMITS for kind in left)


def _not_before(pieces: Sequence[Piece], at: int) -> bool:
    return at > 0 and pieces[at - 1].denies


def _ordinal(piece: Piece) -> bool:
    return piece.quantity is not None and piece.quantity.unit == "ordinal"


def _title_cut(source: Sequence[Piece], taken: set[int], first: int, last: int) -> bool:
    """Whether the claim has one of two names that the source joins: they may be one."""
    for place in range(max(first, 1), min(last, len(source) - 1)):
        if source[place].key in AND and place not in taken:
            left, right = source[place - 1], source[place + 1]
            if left.named and right.named and ((place - 1 in taken) != (place + 1 in taken)):
                return True
    return False


def _sum_cut(laid: Alignment, taken: set[int]) -> bool:
    """Whether the claim leaves out one part of what a figure counts: ``3 hours and 18 minutes``."""
    source = laid.source.pieces
    figures = [place for place in taken if source[place].kind == "number"]
    for place, piece in enumerate(source):
        if piece.key not in AND or place in taken or not 0 < place < len(source) - 1:
            continue
        near = any(0 < place - figure <= 3 or 0 < figure - place <= 2 for figure in figures)
        sides = [(source[at].weight >= SAYS, at in taken) for at in (place - 1, place + 1)]
        if near and all(says for says, _ in sides) and sides[0][1] != sides[1][1]:
            return True
    return False


def _attached_limit(source: Sequence[Piece], place: int, taken: set[int]) -> bool:
    after = next((at for at in range(place + 1, len(source)) if says(source[at]) or source[at].kind == "stop"), None)
    before = next((at for at in range(place - 1, -1, -1) if says(source[at]) or source[at].kind == "stop"), None)
    return after in taken or before in taken


def _leaps(laid: Alignment) -> bool:
    """Whether the claim joins what stands in parts of the source that speak of different things."""
    places = [place for place, piece in zip(laid.at, laid.claim.pieces, strict=True) if place is not None]
    source = laid.source.pieces
    taken = set(places)
    ordered = sorted(taken)
    for here, there in pairwise(ordered):
        gap = source[here + 1 : there]
        if sum(says(piece) for piece in gap) > (MOST_LEFT_OUT if not laid.source.signs else 6) and _parts(gap):
            return True
    return False


def _parts(gap: Sequence[Piece]) -> bool:
    """Whether what was left out ends in the beginning of another statement: a boundary, then more words."""
    borders = [at for at, piece in enumerate(gap) if piece.kind == "stop" or piece.key in AND]
    if not borders:
        return False
    after = gap[borders[-1] + 1 :]
    return any(says(piece) for piece in after)
