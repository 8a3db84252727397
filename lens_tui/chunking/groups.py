"""Parts of a text put together: small ones with their like, comments with what they precede; long ones cut."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from lens_tui.chunking.counting import SLACK
from lens_tui.chunking.packing import Packer
from lens_tui.chunking.sections import common_path
from lens_tui.types import Span

FOLLOWS = 1_000_000
"""Depth of a border that is no good: a comment, attribute or decorator is before it, and what it belongs to after."""


@dataclass(slots=True)
class Stretch:
    """What stands from one border to the next: a definition, a statement, a row, the head of what is cut itself."""

    start: int
    depth: int
    """Of the border that it begins at: how many of the parts that are cut hold both what is before and after it."""
    path: tuple[str, ...]
    """Names of the definitions or members that it is or stands in, outermost first."""
    is_definition: bool
    """Whether it is a whole definition."""
    end: int
    """Of the part itself; brackets and separators may follow before the next border."""


Part = tuple[tuple[str, ...], int]
"""The path of a stretch, and its tokens."""


@dataclass(slots=True)
class Group:
    """One or more stretches, whole: what becomes a chunk."""

    start: int
    stop: int
    """Where the next group begins."""
    first: int
    """Number of the first token in it."""
    last: int
    """Number of the next group's first token."""
    depth: int
    """Of the border at its start."""
    parts: list[Part]
    """The stretches in it."""
    definitions: int
    """Whole definitions in it."""

    @property
    def path(self) -> tuple[str, ...]:
        """What the paths of all of its stretches begin with."""
        # What the least and the greatest have in common, all between them have too.
        paths = [path for path, _ in self.parts]
        return common_path(min(paths), max(paths))

    def take(self, after: "Group") -> None:
        """Become this group and the next one."""
        self.stop, self.last = after.stop, after.last
        self.parts += after.parts
        self.definitions += after.definitions

    def lean(self, after: "Group") -> None:
        """Stand under the path at which the next group begins."""
        self.parts = [(after.parts[0][0], self.last - self.first)]


class Grouping:
    """Puts together the stretches of one document; each step takes linear time."""

    def __init__(self, packer: Packer) -> None:
        """Take what cuts and counts that document."""
        self._packer = packer
        self._counted = packer.counted
        self._size = packer.sizes.size
        self._minimum = packer.sizes.minimum

    def groups(self, stretches: Sequence[Stretch]) -> list[Group]:
        """Groups in order, each at most the size where the packer can, that hold all of the body."""
        within = self._within(stretches)
        stops = [*(each.start for each in within[1:]), self._counted.stop]
        tokens = [*(self._counted.token(each.start) for each in within), self._counted.token(self._counted.stop)]
        found: list[Group] = []
        for place, (each, stop) in enumerate(zip(within, stops, strict=True)):
            first, last = tokens[place], tokens[place + 1]
            parts = [(each.path, last - first)]
            group = Group(each.start, stop, first, last, each.depth, parts, int(each.is_definition))
            if last - first + SLACK <= self._size:
                found.append(group)
            else:
                found += self._fitting(group, each.end)
        return list(self._without_crumbs(self._with_their_like(self._with_what_precedes(found))))

    def span(self, group: Group) -> Span:
        """A group's own text, from its first to its last visible character."""
        return group.start, self._counted.trimmed(group.start, group.stop)

    def _within(self, stretches: Sequence[Stretch]) -> list[Stretch]:
        """The stretches of the body; the first is made to begin with it."""
        counted = self._counted
        within = [each for each in stretches if counted.start <= each.start < counted.stop]
        if not within or within[0].start > counted.start:
            end = within[0].start if within else counted.stop
            within.insert(0, Stretch(counted.start, 0, (), False, end))
        return within

    def _fitting(self, group: Group, end: int) -> Iterator[Group]:
        """A group as it is, or cut where it is too long: a definition never for what follows its ``end``."""
        start, stop, depth, path = group.start, group.stop, group.depth, group.path
        if self._fits(start, stop, group.last - group.first):
            yield group
            return
        if group.definitions and self._counted.fits(start, end, self._size):
            yield self._group(start, end, depth, path, 1)
            start, depth = end, FOLLOWS
        spans = list(self._packer.cut(start, stop))
        for place, (first, _) in enumerate(spans):
            after = spans[place + 1][0] if place + 1 < len(spans) else stop
            yield self._group(first, after, FOLLOWS if place else depth, path, 0)

    def _group(self, start: int, stop: int, depth: int, path: tuple[str, ...], definitions: int) -> Group:
        first, last = self._counted.token(start), self._counted.token(stop)
        return Group(start, stop, first, last, depth, [(path, last - first)], definitions)

    def _with_what_precedes(self, groups: Sequence[Group]) -> list[Group]:
        """Join comments, attributes and decorators with what they precede, the nearest first."""
        done: list[Group] = []
        for group in reversed(groups):
            after = done[-1] if done else None
            if after is not None and after.depth == FOLLOWS:
                fits = self._fit(group, after)
                if fits or not group.definitions:
                    group.lean(after)
                if fits:
                    group.take(after)
                    done[-1] = group
                    continue
            done.append(group)
        return done[::-1]

    def _with_their_like(self, groups: Sequence[Group]) -> Iterator[Group]:
        """Join siblings: statements as many as fit, and so definitions that are under the minimum."""
        depths = [*(group.depth for group in groups[1:]), 0]
        held: Group | None = None
        for group, after in zip(groups, depths, strict=True):
            # Siblings have no deeper border than the one between them: a part of what had to be cut is none.
            if held is not None and held.depth <= group.depth >= after and self._alike(held, group):
                held.take(group)
                continue
            if held is not None:
                yield held
            held = group
        if held is not None:
            yield held

    def _alike(self, before: Group, group: Group) -> bool:
        if not (before.definitions or group.definitions):
            return self._fit(before, group)
        # Room is left for the last one, which would else stand alone.
        room = group.last - before.first <= self._size - self._minimum
        return room and self._goes(before) and self._goes(group) and self._fit(before, group)

    def _goes(self, group: Group) -> bool:
        """Whether it goes with small definitions: it is small, or has several of them already."""
        return group.definitions > 1 or self._small(group)

    def _without_crumbs(self, groups: Iterable[Group]) -> Iterator[Group]:
        """Join what is still under the minimum with the neighbour that is nearer in the tree, or with the other one."""
        waiting = list(groups)
        before: Group | None = None
        for place, group in enumerate(waiting):
            after = waiting[place + 1] if place + 1 < len(waiting) else None
            if self._small(group):
                forward = after is not None and self._fit(group, after)
                back = before is not None and self._fit(before, group)
                if before is not None and back and not (forward and after is not None and after.depth > group.depth):
                    before.take(group)
                    continue
                if after is not None and forward:
                    group.take(after)
                    waiting[place + 1] = group
                    continue
            if before is not None:
                yield before
            before = group
        if before is not None:
            yield before

    def _small(self, group: Group) -> bool:
        return group.last - group.first < self._minimum

    def _fit(self, before: Group, after: Group) -> bool:
        tokens = after.last - before.first
        return tokens + SLACK <= self._size or self._fits(before.start, after.stop, tokens)

    def _fits(self, start: int, stop: int, tokens: int) -> bool:
        """Whether a chunk can be ``text[start:stop]``, which has so many tokens in context."""
        if tokens + SLACK <= self._size:
            return True
        # What follows the last visible character is no part of a chunk.
        counted = self._counted
        return tokens <= 2 * self._size and counted.fits(start, counted.trimmed(start, stop), self._size)
