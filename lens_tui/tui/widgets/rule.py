"""The rule above the question: running work at the left, the model at the right, and how far the work has come."""

from collections.abc import Sequence

from rich.segment import Segment
from textual.strip import Strip
from textual.widget import Widget

from lens_tui.tui.cells import cut_end
from lens_tui.tui.ink import ink_of, signs_of
from lens_tui.tui.layout.lines import cells

Word = tuple[str, str]
"""Words and their ink."""


class Rule(Widget):
    """One row. Its ``─`` turn to ``━`` as the job named beside them advances."""

    DEFAULT_CSS = "Rule { height: 1; width: 1fr; }"

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        """Show a bare rule."""
        super().__init__(id=id)
        self._left: tuple[Word, ...] = ()
        self._share: float | None = None
        self._right: tuple[Word, ...] = ()

    def show(self, left: str | Sequence[Word], share: float | None = None, right: Sequence[Word] = ()) -> None:
        """Show running work.

        Args:
            left: What runs, muted, or words with inks of their own, one blank between two; empty for nothing.
            share: How far it has come, 0 to 1; None where that is not known.
            right: What is true now, the model last; two blanks between two.
        """
        words: tuple[Word, ...] = ((left, "muted"),) if isinstance(left, str) else tuple(left)
        new = (tuple(word for word in words if word[0]), share, tuple(right))
        if new != (self._left, self._share, self._right):
            self._left, self._share, self._right = new
            self.refresh()

    def render_line(self, y: int) -> Strip:
        """Draw the row."""
        width, ink, signs = self.size.width, ink_of(self), signs_of(self)
        right = [(signs.said(words), name) for words, name in self._right if words]
        named = sum(cells(words) + 1 for words, _ in self._left)
        while right and sum(cells(words) + 2 for words, _ in right) > max(width // 2, width - named - 8):
            right.pop(0)
        room = width - sum(cells(words) + 2 for words, _ in right) - (2 if right else 0) - 4
        segments = [Segment(f"{signs.rule} ", ink("line"))] if self._left else []
        for words, name in self._left:
            left = cut_end(signs.said(words), max(room, 0), signs.ellipsis)
            room -= cells(left) + 1
            segments += [Segment(left, ink(name)), Segment(" ", ink("text"))]
        used = sum(cells(segment.text) for segment in segments)
        tail: list[Segment] = []
        for place, (words, name) in enumerate(right):
            tail += [Segment(" " if place == 0 else "  ", ink("text")), Segment(words, ink(name))]
        tail += [Segment(" ", ink("text")), Segment(signs.rule, ink("line"))] if right else []
        middle = max(width - used - sum(cells(segment.text) for segment in tail), 0)
        done = 0 if self._share is None else round(middle * min(max(self._share, 0.0), 1.0))
        segments += [Segment(signs.done * done, ink("accent")), Segment(signs.rule * (middle - done), ink("line"))]
        return Strip([*segments, *tail]).adjust_cell_length(width, ink("text"))
