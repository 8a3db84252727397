"""Which piece of a claim stands where in a sentence: common runs, the longest first, wherever they moved to."""

from collections.abc import Sequence
from dataclasses import dataclass

from lens_tui.answering import dates, quantities
from lens_tui.answering.statements import Piece, Statement
from lens_tui.answering.wordforms import alike, kin

MOST_RUNS = 40
"""Runs that are looked for; a claim in more pieces has little in common with its source."""


@dataclass(frozen=True, slots=True)
class Alignment:
    """A claim laid over a sentence."""

    claim: Statement
    source: Statement
    at: tuple[int | None, ...]
    """For each piece of the claim its place among the source's pieces."""
    runs: tuple[tuple[int, int, int], ...]
    """(first in the claim, first in the source, length), in the claim's order."""

    @property
    def missing(self) -> list[int]:
        """The claim's pieces that say something and stand nowhere in the source."""
        return [
            index
            for index, (place, piece) in enumerate(zip(self.at, self.claim.pieces, strict=True))
            if place is None and piece.weight >= SAYS
        ]

    @property
    def share(self) -> float:
        """Share of the claim's weight that the source holds, 0 to 1."""
        whole = sum(piece.weight for piece in self.claim.pieces)
        held = sum(piece.weight for piece, at in zip(self.claim.pieces, self.at, strict=True) if at is not None)
        return held / whole if whole else 0.0


WITHOUT = frozenset(("without", "ohne", "без", "sans", "sin"))
"""Denials of what follows them alone."""

SAYS = 0.2
"""Weight from which a piece says something."""


def same(mine: Piece, yours: Piece) -> bool:
    """Whether a claim's piece says what a source's piece says."""
    if mine.kind in ("number", "day") or yours.kind in ("number", "day"):
        return figure(mine, yours) in ("same", "within")
    if mine.key == yours.key:
        return mine.kind != "stop"
    if mine.kind == yours.kind == "word":
        return bool(mine.weight or yours.weight) and mine.limit == yours.limit and alike(mine.key, yours.key)
    return False


def figure(mine: Piece, yours: Piece) -> "dates.Relation":
    """What a source's figure is to a claimed one; ``open`` where they are not of one kind."""
    if mine.day is not None and yours.day is not None:
        relation = dates.related(mine.day, yours.day)
        bound = mine.quantity.bound if mine.quantity else "="
        if (
            bound in "<>"
            and relation == "apart"
            and mine.day.year
            and yours.day.year
            and mine.day.year != yours.day.year
        ):
            return "within" if (yours.day.year > mine.day.year) == (bound == ">") else "apart"
        return relation
    if mine.quantity is not None and yours.quantity is not None:
        if mine.quantity.unit != yours.quantity.unit and mine.quantity.unit and yours.quantity.unit:
            return "open"
        relation = quantities.related(mine.quantity, yours.quantity)
        if mine.quantity.unit != yours.quantity.unit and relation == "apart":
            return "open"
        return relation
    return "open"


def align(claim: Statement, source: Statement) -> Alignment:
    """Lay a claim over a sentence; about 0.3 ms for two of 30 words."""
    places = _places(claim.pieces, source.pieces)
    at: list[int | None] = [None] * len(claim.pieces)
    taken = [False] * len(source.pieces)
    runs: list[tuple[int, int, int]] = []
    for _ in range(MOST_RUNS):
        run = _longest(claim.pieces, places, at, taken, runs)
        if run is None:
            break
        first, place, length = run
        for step in range(length):
            at[first + step] = place + step
            taken[place + step] = True
        runs.append(run)
    _fill(claim.pieces, source.pieces, at, taken)
    return Alignment(claim, source, tuple(at), tuple(sorted(runs)))


def _places(claim: Sequence[Piece], source: Sequence[Piece]) -> list[list[int]]:
    """For each piece of the claim, where the source holds the same."""
    by_key: dict[str, list[int]] = {}
    words: dict[str, list[int]] = {}
    figures: list[int] = []
    for index, piece in enumerate(source):
        if piece.kind in ("number", "day"):
            figures.append(index)
        elif piece.kind != "stop":
            by_key.setdefault(piece.key, []).append(index)
            if piece.kind == "word":
                words.setdefault(piece.key, []).append(index)
    near: dict[str, list[str]] = {}
    for key in words:
        for mark in kin(key):
            near.setdefault(mark, []).append(key)
    known: dict[str, list[int]] = {}
    found: list[list[int]] = []
    for piece in claim:
        if piece.kind in ("number", "day"):
            found.append([index for index in figures if same(piece, source[index])])
        elif piece.kind == "word" and piece.weight:
            if piece.key not in known:
                keys = {key for mark in kin(piece.key) for key in near.get(mark, ())} | {piece.key} & words.keys()
                held = {index for key in keys if same(piece, source[words[key][0]]) for index in words[key]}
                known[piece.key] = sorted(held)
            found.append(known[piece.key])
        else:
            found.append(by_key.get(piece.key, []) if piece.kind != "stop" else [])
    return found


def _longest(
    claim: Sequence[Piece],
    places: Sequence[Sequence[int]],
    at: Sequence[int | None],
    taken: Sequence[bool],
    runs: Sequence[tuple[int, int, int]],
) -> tuple[int, int, int] | None:
    """The common run that says most, of equals the one that stands most in order with those found before."""
    best: tuple[float, float, int, int, int] | None = None
    lengths: dict[int, tuple[int, float]] = {}
    for first, piece in enumerate(claim):
        longer: dict[int, tuple[int, float]] = {}
        if at[first] is None:
            for place in places[first]:
                if taken[place]:
                    continue
                length, weight = lengths.get(place - 1, (0, 0.0))
                longer[place] = (length + 1, weight + piece.weight)
        for place, (length, weight) in longer.items():
            begin, begin_place = first - length + 1, place - length + 1
            lone = length == 1 and piece.kind == "sign"
            if weight < SAYS or (lone and not _beside(begin, begin_place, runs)):
                continue
            rank = (weight + 0.01 * length, _order(begin, begin_place, runs), -begin, begin, begin_place)
            if best is None or rank[:3] > best[:3]:
                best = rank
                found = (begin, begin_place, length)
        lengths = longer
    return found if best is not None else None


def _order(first: int, place: int, runs: Sequence[tuple[int, int, int]]) -> float:
    """Minus the number of runs that a new one would cross, then minus the way from its neighbour."""
    crossed = sum((first < other) != (place < there) for other, there, _ in runs)
    away = min((abs((place - there) - (first - other)) for other, there, _ in runs), default=0)
    return -crossed - min(away, 900) / 1000


def _beside(first: int, place: int, runs: Sequence[tuple[int, int, int]]) -> bool:
    """Whether one character stands, near runs already found, in their order: alone it is chance."""
    if not runs:
        return False
    return any(
        (abs(first - (other + length)) <= 4 and 0 <= place - (there + length) <= 8)
        or (0 <= other - first <= 4 and 0 <= there - place <= 8)
        for other, there, length in runs
    )


def _fill(claim: Sequence[Piece], source: Sequence[Piece], at: list[int | None], taken: list[bool]) -> None:
    """Give the small words between two runs their places, where they stand between the same two."""
    low = -1
    for index, piece in enumerate(claim):
        place = at[index]
        if place is not None:
            low = place
            continue
        if piece.kind == "stop":
            continue
        high = next((there for there in at[index + 1 :] if there is not None), None)
        end = high if high is not None and high > low else min(low + 6, len(source))
        for candidate in range(low + 1, end):
            if not taken[candidate] and source[candidate].key == piece.key and source[candidate].kind == piece.kind:
                at[index], taken[candidate], low = candidate, True, candidate
                break


def says(piece: Piece) -> bool:
    """Whether a piece says something, and is no function word."""
    return piece.weight >= SAYS


def region(laid: Alignment) -> tuple[int, int]:
    """First and last-plus-one piece of the source that the claim covers, with the small words around."""
    places = [place for place in laid.at if place is not None]
    source = laid.source.pieces
    if not places:
        return 0, 0
    first, last = min(places), max(places) + 1
    while first > 0 and source[first - 1].kind != "stop" and not says(source[first - 1]):
        first -= 1
    while last < len(source) and source[last].kind != "stop" and not says(source[last]):
        if source[last].key in WITHOUT:
            break
        last += 1
    return first, last
