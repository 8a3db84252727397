"""From a syntax tree to the places where source code may be cut, and how good each place is."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lens_tui.chunking.code_names import NAMED, PRECEDING, Reader, is_body, is_wrapper, names_of, names_within
from lens_tui.chunking.counting import Counted
from lens_tui.chunking.groups import FOLLOWS, Stretch
from lens_tui.text.graphemes import is_border

if TYPE_CHECKING:
    from tree_sitter import Node

DEEPEST_PATH = 12
"""Names that a path has at most; what is deeper has the path of what it is in."""

MOST_TOKENS = 4
"""Tokens that one character has at most; one where all are ASCII."""


GRAIN = 4
"""One part in this many of the size, in characters, is the least between two borders of what has no name: lists of a
million numbers have borders enough."""


@dataclass(slots=True)
class _Inside:
    """A node whose children are gone through."""

    children: Iterator["Node"]
    left: int
    """Children to come."""
    depth: int
    path: tuple[str, ...]
    adopts: bool = False
    """Whether the border of its next child is one that FOLLOWS."""
    full: int = 0
    """Where the next border of what has no name may be, at least."""


class Walk:
    """Goes through one tree, into nodes of more than ``size`` tokens only, however deep: without recursion."""

    def __init__(self, counted: Counted, size: int, base: int) -> None:
        """Take the document's tokens and where in the text the tree's source begins."""
        self._counted = counted
        self._text = counted.text
        self._size = size
        self._base = base
        self._last = -1
        self._small = size if self._text.isascii() else size // MOST_TOKENS
        """Characters that are never more tokens than the size."""
        self._grain = size // GRAIN
        self._read: Reader = lambda node: self._text[base + node.start_byte : base + node.end_byte]

    def stretches(self, root: "Node") -> Iterator[Stretch]:
        """Every stretch in order; the first may begin after the text does."""
        stack = [_inside(root, 0, ())]
        while stack:
            inside = stack[-1]
            node = next(inside.children, None)
            if node is None:
                stack.pop()
                continue
            inside.left -= 1
            kind = node.type
            start, end = self._base + node.start_byte, self._base + node.end_byte
            large = end - start > self._small and self._counted.between(start, end) > self._size
            preceding = kind in PRECEDING
            if not (large or preceding or start >= inside.full or kind in NAMED):
                continue
            begins = start > self._last and not is_body(kind) and self._begins(start, preceding)
            if not begins and not large:
                continue
            names = names_of(node, self._read) if kind in NAMED else None
            path = _longer(inside.path, names) if names else inside.path
            if begins:
                depth = FOLLOWS if inside.adopts else inside.depth
                if names is None and not large:
                    path = _longer(path, names_within(node, self._read))
                yield Stretch(start, depth, path, names is not None and not large, end)
                self._last = start
                inside.adopts = preceding and inside.left > 0
                inside.full = start + self._grain if names is None and not inside.adopts else 0
            if large and node.named_child_count:
                stack.append(_inside(node, inside.depth + 1, inside.path if is_wrapper(kind) else path))

    def _begins(self, start: int, preceding: bool) -> bool:
        """Whether a border is before a node: it begins a line, or follows a bracket or a separator."""
        text, last = self._text, max(self._last, 0)
        at = start - 1
        while at >= last and text[at] in " \t":
            at -= 1
        if at >= last and text[at] not in ("\n" if preceding else "\n;{},"):
            return False
        return text[start] < "\u0300" or is_border(text, start)


def _inside(node: "Node", depth: int, path: tuple[str, ...]) -> _Inside:
    children = node.named_children
    return _Inside(iter(children), len(children), depth, path)


def _longer(path: tuple[str, ...], names: tuple[str, ...]) -> tuple[str, ...]:
    return path + names if len(path) + len(names) <= DEEPEST_PATH else path
