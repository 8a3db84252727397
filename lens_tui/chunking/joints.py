"""Sentences put into groups by how alike neighbours are, within bounds on what a group holds."""

from bisect import bisect_right, insort
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True, slots=True)
class Joints:
    """A text's units, such as sentences, and the joints between them; joint ``i`` lies before unit ``i``, from 1."""

    tokens: Sequence[int]
    """Number of each unit's first token, and at the end that of the token after the last one."""
    likeness: Sequence[float]
    """Of units ``i`` and ``i + 1``."""
    fixed: frozenset[int]
    """Joints that are always cut."""

    def between(self, first: int, last: int) -> int:
        """Tokens of the units from ``first`` up to ``last``."""
        return self.tokens[last] - self.tokens[first]


def grouped(joints: Joints, threshold: float, *, target: int, minimum: int, maximum: int) -> list[tuple[int, int]]:
    """Cut at every joint under the threshold, then the groups over the target, then join those under the minimum.

    Returns:
        First and last-plus-one unit of each group, in order. None is over the maximum but a single unit; those under
        the minimum have no neighbour with which they would fit, or a fixed joint on each side.
    """
    count = len(joints.tokens) - 1
    if count < 1:
        return []
    under = {place for place, value in enumerate(joints.likeness, 1) if value < threshold}
    cuts = sorted({0, count} | under | (joints.fixed - {0}))
    _cut_over(joints, cuts, target, minimum)
    _cut_over(joints, cuts, maximum, 0)
    for limit in (target, maximum):
        cuts = _joined(joints, cuts, minimum, limit)
    return list(pairwise(cuts))


def _cut_over(joints: Joints, cuts: list[int], limit: int, least: int) -> None:
    """Cut groups over the limit at their weakest joint that leaves ``least`` tokens on both sides, till none is left.

    Weakest first through all of the text comes to the same as group by group, since groups only become smaller; of
    joints that are alike, those that halve the text come first.
    """
    over = [(first, last) for first, last in pairwise(cuts) if joints.between(first, last) > limit]
    places = [place for first, last in over for place in range(first + 1, last)]
    for place in sorted(places, key=lambda place: (joints.likeness[place - 1], -(place & -place))):
        at = bisect_right(cuts, place)
        first, last = cuts[at - 1], cuts[at]
        both = min(joints.between(first, place), joints.between(place, last))
        if joints.between(first, last) > limit and both >= least:
            insort(cuts, place)


def _joined(joints: Joints, cuts: Sequence[int], minimum: int, limit: int) -> list[int]:
    """The cuts without those beside a group under the minimum, most alike first, as far as groups fit the limit."""
    before = {after: place for place, after in pairwise(cuts)}
    following = dict(pairwise(cuts))
    inner = [place for place in cuts[1:-1] if place not in joints.fixed]
    for place in sorted(inner, key=lambda place: -joints.likeness[place - 1]):
        first, last = before[place], following[place]
        least = min(joints.between(first, place), joints.between(place, last))
        if least < minimum and joints.between(first, last) <= limit:
            following[first], before[last] = last, first
            del following[place], before[place]
    return [0, *sorted(before)]
