"""Whether a sentence bears a claim out: what the claim says beyond it, and what it says that the claim leaves out."""

import re
from collections.abc import Container, Sequence
from itertools import pairwise

from lens_tui.answering.alignment import SAYS, Alignment
from lens_tui.answering.lexicon import AND, LEADS, PARTICLES, PASSIVE, PRONOUNS
from lens_tui.answering.statements import Piece, Statement
from lens_tui.answering.wordforms import opposites

UNSURE_LIMITS = frozenset(("some", "may", "must", "near", "unless", "or"))
"""Kinds of limits that a source has and a claim may not leave out."""

WITHOUT = frozenset(("without", "ohne", "без", "sans", "sin"))
"""Denials of what follows them alone."""

UNBORNE = {
    "missing": "its source does not say all of it",
    "denial": "its source may deny it",
    "limit": "its source says it with another limit, such as some, may or only",
    "order": "its source has its words in another order",
    "gap": "its source says its parts of different things",
}
"""Reasons of ``unborne``, as sentences."""

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
    if moved(laid):
        return "order"
    if _passive(laid):
        return "order"
    if _leaps(laid):
        return "gap"
    return ""


def unsaid(laid: Alignment, before: Sequence[Statement] = ()) -> list[int]:
    """The claim's pieces that the sentence does not say, but for a subject that it only means."""
    said = {at for at in laid.missing if laid.claim.pieces[at].weight > LIGHT_WEIGHT}
    missing = sorted({*said, *_unsaid_kana(laid), *_opposed(laid)})
    if not missing or not before:
        return missing
    first = next((at for at, place in enumerate(laid.at) if place is not None and _says(laid.claim.pieces[at])), None)
    if first is None:
        return missing
    leading = [at for at in missing if at < first]
    source = laid.source.pieces
    means = laid.source.signs or any(piece.key in PRONOUNS for piece in source[:6])
    if not leading or not means:
        return missing
    known = {piece.key for one in before for piece in one.pieces}
    if all(laid.claim.pieces[at].key in known for at in leading):
        return [at for at in missing if at not in leading]
    return missing


LIGHT_WEIGHT = 0.3
"""Weight up to which a piece may be missing."""

_GRAMMAR = re.compile(
    "(?:なければ|ている|ていた|ており|でいる|います|いました|いる|いた|おり|ある|あり|あっ|です|でし|ます|まし|した|する|され|して|られ|"
    "れる|れて|れた|だっ|である|こと|もの|ところ|ため|よう|など|これ|それ|その|この|そして|また|から|まで|より|には|では|とは|という|"
    "[のはがをにでともやへねよなしてただるりきいくけっうれせん])+"
)
"""Kana that are endings, particles and auxiliary verbs, and say nothing by themselves."""


def _opposed(laid: Alignment) -> list[int]:
    """Pieces of however little weight whose opposite the source has instead."""
    taken = {place for place in laid.at if place is not None}
    left = {piece.key for place, piece in enumerate(laid.source.pieces) if place not in taken and piece.kind == "word"}
    return [
        at
        for at, (place, piece) in enumerate(zip(laid.at, laid.claim.pieces, strict=True))
        if place is None and piece.kind == "word" and opposites(piece.key) & left
    ]


def _unsaid_kana(laid: Alignment) -> list[int]:
    """Words in Hiragana, and single Han characters that stand in the source only in longer words."""
    found: list[int] = []
    run: list[int] = []
    pieces = laid.claim.pieces
    for at in range(len(pieces) + 1):
        if at < len(pieces) and pieces[at].kind == "sign" and pieces[at].weight < SAYS and laid.at[at] is None:
            run.append(at)
            continue
        if len(run) > 1 and not _GRAMMAR.fullmatch("".join(pieces[one].key for one in run)):
            found += run
        run = []
    found += [at for at, place in enumerate(laid.at) if place is not None and _of_another_word(laid, at, place)]
    return found


def _of_another_word(laid: Alignment, at: int, place: int) -> bool:
    """Whether a Han character that is a word of its own in the claim ends or begins a longer one in the source."""

    def han(pieces: Sequence[Piece], index: int) -> bool:
        return 0 <= index < len(pieces) and pieces[index].kind == "sign" and pieces[index].weight >= SAYS

    mine, yours = laid.claim.pieces, laid.source.pieces
    if not laid.claim.japanese or not han(mine, at) or han(mine, at - 1) or han(mine, at + 1):
        return False
    return han(yours, place - 1) or han(yours, place + 1)


def _says(piece: Piece) -> bool:
    return piece.weight >= SAYS


def region(laid: Alignment) -> tuple[int, int]:
    """First and last-plus-one piece of the source that the claim covers, with the small words around."""
    places = [place for place in laid.at if place is not None]
    source = laid.source.pieces
    if not places:
        return 0, 0
    first, last = min(places), max(places) + 1
    while first > 0 and source[first - 1].kind != "stop" and not _says(source[first - 1]):
        first -= 1
    while last < len(source) and source[last].kind != "stop" and not _says(source[last]):
        if source[last].key in WITHOUT:
            break
        last += 1
    return first, last


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
    after = next((at for at in range(place + 1, len(source)) if _says(source[at]) or source[at].kind == "stop"), None)
    before = next((at for at in range(place - 1, -1, -1) if _says(source[at]) or source[at].kind == "stop"), None)
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
    near = next((laid.at[step] for step in steps if _says(pieces[step]) and laid.at[step] is not None), None)
    if near is None:
        return False
    source = laid.source.pieces
    return any(_denies(source, step) for step in range(max(0, near - 6), min(len(source), near + 7)))


def _limited(laid: Alignment) -> bool:
    """Whether claim and source differ in what widens, narrows or hedges them."""
    claimed = [piece.limit for piece, at in zip(laid.claim.pieces, laid.at, strict=True) if piece.limit and at is None]
    taken = {place for place in laid.at if place is not None}
    first, last = region(laid)
    if _title_cut(laid.source.pieces, taken, first, last):
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


def _title_cut(source: Sequence[Piece], taken: set[int], first: int, last: int) -> bool:
    """Whether the claim has one of two names that the source joins: they may be one."""
    for place in range(max(first, 1), min(last, len(source) - 1)):
        if source[place].key in AND and place not in taken:
            left, right = source[place - 1], source[place + 1]
            if left.named and right.named and ((place - 1 in taken) != (place + 1 in taken)):
                return True
    return False


def _attached_limit(source: Sequence[Piece], place: int, taken: set[int]) -> bool:
    after = next((at for at in range(place + 1, len(source)) if _says(source[at]) or source[at].kind == "stop"), None)
    before = next((at for at in range(place - 1, -1, -1) if _says(source[at]) or source[at].kind == "stop"), None)
    return after in taken or before in taken


def moved(laid: Alignment) -> list[tuple[int, int, int]]:
    """Runs that stand elsewhere in the source, in a way that may change who does what."""
    runs = [run for run in laid.runs if any(_says(piece) for piece in laid.claim.pieces[run[0] : run[0] + run[2]])]
    free = {run for run in runs if _may_move(run, laid)}
    kept = _in_order(runs, laid.claim.pieces, free)
    return [run for run in runs if run not in kept and run not in free]


def _in_order(
    runs: Sequence[tuple[int, int, int]], pieces: Sequence[Piece], free: Container[tuple[int, int, int]]
) -> list[tuple[int, int, int]]:
    """The weightiest runs that stand in one order in both; those that may move anyway count half."""
    best: list[tuple[float, list[tuple[int, int, int]]]] = []
    for run in runs:
        weight = sum(piece.weight for piece in pieces[run[0] : run[0] + run[2]]) * (0.5 if run in free else 1)
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


def _passive(laid: Alignment) -> bool:
    """Whether one says who acted and the other to whom it was done, with the same words."""
    taken = {place for place in laid.at if place is not None}
    first, last = region(laid)
    mine = sum(piece.key in PASSIVE and at is None for piece, at in zip(laid.claim.pieces, laid.at, strict=True))
    yours = sum(
        laid.source.pieces[place].key in PASSIVE and place not in taken and place + 1 in taken
        for place in range(first, last)
    )
    return mine > 0 or yours > 0


def _leaps(laid: Alignment) -> bool:
    """Whether the claim joins what stands in parts of the source that speak of different things."""
    places = [place for place, piece in zip(laid.at, laid.claim.pieces, strict=True) if place is not None]
    source = laid.source.pieces
    taken = set(places)
    ordered = sorted(taken)
    for here, there in pairwise(ordered):
        gap = source[here + 1 : there]
        if sum(_says(piece) for piece in gap) > (MOST_LEFT_OUT if not laid.source.signs else 6) and _parts(gap):
            return True
    return False


def _parts(gap: Sequence[Piece]) -> bool:
    """Whether what was left out ends in the beginning of another statement: a boundary, then more words."""
    borders = [at for at, piece in enumerate(gap) if piece.kind == "stop" or piece.key in AND]
    if not borders:
        return False
    after = gap[borders[-1] + 1 :]
    return any(_says(piece) for piece in after)
