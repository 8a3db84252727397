"""Whether a sentence says otherwise than a claim: all else is alike, and one figure, name or little word differs."""

from collections.abc import Sequence
from dataclasses import dataclass

from lens_tui.answering.alignment import SAYS, Alignment, figure, region
from lens_tui.answering.bearing import denials
from lens_tui.answering.lexicon import AND
from lens_tui.answering.ordering import moved
from lens_tui.answering.statements import Piece, Statement
from lens_tui.answering.unsaid import unsaid
from lens_tui.answering.wordforms import alike, opposite
from lens_tui.types import Span

LEAST_ALIKE = 0.6
"""Share of a claim's weight, figures aside, that a sentence must hold to speak of the same thing."""

NEAR = 3
"""Pieces between what claim and source have in common and what differs."""

LEAST_WEIGHT = 1.9
"""What two sentences must have in common at least, whatever its share."""


@dataclass(frozen=True, slots=True)
class Difference:
    """What claim and source say otherwise."""

    kind: str
    """``number``, ``date``, ``name``, ``opposite`` or ``denial``."""
    said: Span
    """In the claim."""
    found: Span
    """In the source sentence."""


def difference(laid: Alignment, others: Sequence[Statement] = ()) -> Difference | None:
    """What the sentence says otherwise; None where it is not sure that it does.

    Args:
        laid: The claim over the sentence.
        others: Everything else that the excerpt says: what stands there as the claim has it is not contradicted.
    """
    missing = unsaid(laid, others)
    figures = [at for at in missing if laid.claim.pieces[at].kind in ("number", "day")]
    if figures:
        return _of_figures(laid, missing, figures, others) or _of_opposites(laid, missing)
    if not missing:
        return _of_denial(laid)
    return _of_opposites(laid, missing) or _of_names(laid, missing, others)


def _weight(pieces: Sequence[Piece], at: Sequence[int]) -> float:
    return sum(pieces[index].weight for index in at)


def _rest_is_alike(laid: Alignment, differing: Sequence[int], least: float) -> bool:
    """Whether the claim without ``differing`` is held by the source to a share of at least ``least``."""
    pieces = laid.claim.pieces
    rest = [at for at in range(len(pieces)) if at not in differing]
    held = _weight(pieces, [at for at in rest if laid.at[at] is not None])
    whole = _weight(pieces, rest)
    return held >= LEAST_WEIGHT * (0.5 if whole < LEAST_WEIGHT + 1 else 1) and held >= least * whole


def _of_figures(
    laid: Alignment, missing: Sequence[int], figures: Sequence[int], others: Sequence[Statement]
) -> Difference | None:
    least = LEAST_ALIKE
    if not _rest_is_alike(laid, figures, least) or denials(laid) != (0, 0):
        return None
    taken = {place for place in laid.at if place is not None}
    strict = len(missing) == 1
    for at in figures:
        claimed = laid.claim.pieces[at]
        rivals = [
            place
            for place, piece in enumerate(laid.source.pieces)
            if place not in taken and _one_kind(claimed, piece) and _apart(claimed, piece, strict)
        ]
        rivals = [
            place
            for place in rivals
            if _one_role(laid, at, place, len(rivals)) or (strict and _in_slot(laid, at, place))
        ]
        if not rivals or _elsewhere(laid.claim, at, (laid.source, *others)) or _of_subject(laid, at):
            continue
        place = rivals[0]
        if _or(laid.source.pieces[max(0, place - 2) : place + 3]):
            continue
        kind = "date" if claimed.kind == "day" else "number"
        found = laid.source.pieces[place]
        return Difference(kind, (claimed.start, claimed.end), (found.start, found.end))
    return None


def _or(pieces: Sequence[Piece]) -> bool:
    """Whether it leaves open which of two things holds."""
    return any(piece.limit == "or" for piece in pieces)


def _one_kind(mine: Piece, yours: Piece) -> bool:
    if mine.kind != yours.kind:
        return False
    if mine.quantity and yours.quantity:
        return mine.quantity.unit == yours.quantity.unit
    return mine.day is not None and yours.day is not None


def _apart(mine: Piece, yours: Piece, strict: bool) -> bool:
    """Whether two figures differ; ``at least 3`` and ``at least 4`` only where all else is the same."""
    relation = figure(mine, yours)
    bounds = {piece.quantity.bound for piece in (mine, yours) if piece.quantity}
    return relation == "apart" or (strict and relation == "open" and len(bounds) == 1 and bounds != {"="})


def _in_slot(laid: Alignment, at: int, place: int) -> bool:
    """Whether a figure stands in the source exactly between what the claim has on both sides of its own."""
    before, after = _neighbours(laid, at, at + 1)
    return (before is not None and after is not None and before < place < after <= before + NEAR + 2) or (
        before is not None and after is None and before < place <= before + NEAR
    )


def _one_role(laid: Alignment, at: int, place: int, rivals: int) -> bool:
    """Whether two figures stand for the same: by what follows them, or by what stands on both sides."""
    mine, yours = laid.claim.pieces, laid.source.pieces
    if mine[at].kind == "day" and rivals == 1 and sum(piece.kind == "day" for piece in mine) == 1:
        return True
    after, there = _next(mine, at, 1), _next(yours, place, 1)
    before, back = _next(mine, at, -1), _next(yours, place, -1)
    counted = after is not None and there is not None and _alike(mine[after], yours[there])
    led = before is not None and back is not None and _alike(mine[before], yours[back])
    ends = after is None and there is None
    if mine[at].kind == "day":
        return counted or led
    if counted and after is not None and there is not None:
        return after - at <= NEAR and there - place <= NEAR
    if mine[at].quantity and mine[at].quantity.unit:  # type: ignore[union-attr]
        return led or rivals == 1
    return led and (ends or counted)


def _alike(mine: Piece, yours: Piece) -> bool:
    return mine.key == yours.key or (mine.kind == yours.kind == "word" and alike(mine.key, yours.key))


def _next(pieces: Sequence[Piece], at: int, step: int) -> int | None:
    """The next piece that says something, or is not Latin small; None at a border."""
    index = at + step
    while 0 <= index < len(pieces):
        if pieces[index].kind == "stop":
            return None
        if pieces[index].weight >= SAYS or pieces[index].kind == "sign":
            return index
        index += step
    return None


def _elsewhere(claim: Statement, at: int, held: Sequence[Statement]) -> bool:
    """Whether the excerpt holds the claimed figure after all, of the same thing or of one that is not told."""
    claimed = claim.pieces[at]
    counted = _next(claim.pieces, at, 1)
    for one in held:
        for place, piece in enumerate(one.pieces):
            if piece.kind != claimed.kind or figure(claimed, piece) != "same" or not _one_kind(claimed, piece):
                continue
            there = _next(one.pieces, place, 1)
            if counted is None or there is None or _alike(claim.pieces[counted], one.pieces[there]):
                return True
    return False


def _of_subject(laid: Alignment, at: int) -> bool:
    """Whether a figure only tells which of several things is spoken of: ``the second edition has maps``."""
    quantity = laid.claim.pieces[at].quantity
    ordinal = quantity is not None and quantity.unit == "ordinal"
    return ordinal and not any(piece.weight >= SAYS for piece in laid.claim.pieces[:at])


def _neighbours(laid: Alignment, first: int, last: int) -> tuple[int | None, int | None]:
    """Places in the source of the nearest matched pieces before ``first`` and from ``last`` on in the claim."""
    before = next((laid.at[at] for at in range(first - 1, -1, -1) if laid.at[at] is not None), None)
    after = next((laid.at[at] for at in range(last, len(laid.at)) if laid.at[at] is not None), None)
    return before, after


def _slot(laid: Alignment, first: int, last: int) -> range | None:
    """The source's pieces in the place where the claim has its own from ``first`` to ``last``; None where unsure."""
    before, after = _neighbours(laid, first, last)
    size = len(laid.source.pieces)
    if before is not None and after is not None:
        return range(before + 1, after) if before < after else None
    if before is not None:
        return range(before + 1, min(size, before + 1 + NEAR + last - first))
    if after is not None:
        return range(max(0, after - NEAR - (last - first)), after)
    return None


def _of_opposites(laid: Alignment, missing: Sequence[int]) -> Difference | None:
    mine, yours = laid.claim.pieces, laid.source.pieces
    taken = {place for place in laid.at if place is not None}
    for at in missing:
        slot = _slot(laid, at, at + 1)
        if slot is None or not _rest_is_alike(laid, [at], 0.9):
            continue
        for place in slot:
            if place in taken or not opposite(mine[at].key, yours[place].key):
                continue
            if denials(laid, (at, place)) == (0, 0):
                return Difference("opposite", (mine[at].start, mine[at].end), (yours[place].start, yours[place].end))
    return None


def _of_names(laid: Alignment, missing: Sequence[int], others: Sequence[Statement]) -> Difference | None:
    mine, yours = laid.claim.pieces, laid.source.pieces
    first, last = missing[0], missing[-1] + 1
    if last - first > 12 or not all(mine[at].named for at in missing):
        return None
    if any(laid.at[at] is not None and mine[at].weight >= SAYS for at in range(first, last)):
        return None
    if not _rest_is_alike(laid, missing, 0.95) or denials(laid) != (0, 0) or moved(laid):
        return None
    slot = _slot(laid, first, last)
    taken = {place for place in laid.at if place is not None}
    if slot is None:
        return None
    rival = [place for place in slot if place not in taken and yours[place].weight >= SAYS]
    if not rival or not all(yours[place].named for place in rival):
        return None
    around = yours[max(0, rival[0] - 1) : rival[-1] + 2]
    if any(piece.key in AND or piece.key in ",、，・" for piece in around):
        return None
    if _one_name([mine[at] for at in missing], [yours[place] for place in rival]):
        return None
    return Difference("name", (mine[first].start, mine[last - 1].end), (yours[rival[0]].start, yours[rival[-1]].end))


def _one_name(mine: Sequence[Piece], yours: Sequence[Piece]) -> bool:
    """Whether two names may be one: initials of the other, or a part of a word of it."""
    for short, long in ((mine, yours), (yours, mine)):
        initials = "".join(piece.key[:1] for piece in long)
        if len(short) == 1 and short[0].key.replace(".", "") == initials and len(initials) > 1:
            return True
    return any(_one_word(one, other) for one in mine for other in yours if one.kind == other.kind == "word")


def _one_word(one: Piece, other: Piece) -> bool:
    if "\u30a1" <= one.key[0] <= "\u30fc":
        return one.key in other.key or other.key in one.key or one.key[:2] == other.key[:2]
    return len(one.key) > 3 and one.key[:4] == other.key[:4]


def _limited_otherwise(laid: Alignment) -> bool:
    """Whether one of both is true only sometimes, in part or on a condition: it and its denial may both be so."""
    taken = {place for place in laid.at if place is not None}
    first, last = region(laid)
    limits = {piece.limit for at, piece in enumerate(laid.source.pieces[first:last], first) if at not in taken}
    limits |= {piece.limit for piece, at in zip(laid.claim.pieces, laid.at, strict=True) if at is None}
    return bool(limits - {"", "all"})


def _of_denial(laid: Alignment) -> Difference | None:
    more, loose = denials(laid)
    if abs(more) != 1 or loose or moved(laid):
        return None
    if _limited_otherwise(laid):
        return None
    side = laid.source if more > 0 else laid.claim
    taken = (
        {place for place in laid.at if place is not None}
        if more > 0
        else {at for at, place in enumerate(laid.at) if place is not None}
    )
    denying = [piece for at, piece in enumerate(side.pieces) if piece.denies and at not in taken]
    denying = denying or [piece for piece in side.pieces if piece.denies]
    place = side.pieces.index(denying[0])
    if _or(side.pieces[max(0, place - 3) : place + 3]):
        return None
    span = (denying[0].start, denying[0].end)
    return Difference("denial", (0, 0), span) if more > 0 else Difference("denial", span, (0, 0))
