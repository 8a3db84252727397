"""A whole conversation as one column of rows: laid out turn by turn, kept until a turn or the width changes."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import TYPE_CHECKING

from lens_tui.tui.layout.lines import Drawing, Line
from lens_tui.tui.turns import LiveTurn

if TYPE_CHECKING:
    from lens_tui.tui.layout.stream import Stream


class Rows:
    """All rows of the conversation by number, with where each turn begins."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._turns: list[list[Line]] = []
        self._known: list[tuple[LiveTurn, int]] = []
        self._starts: list[int] = [0]
        self._how: Drawing | None = None
        self._stream: tuple[LiveTurn, Stream] | None = None

    def __len__(self) -> int:
        """How many rows there are."""
        return self._starts[-1]

    def update(self, turns: Sequence[LiveTurn], how: Drawing) -> int | None:
        """Lay out what has changed. Returns the first row that differs from before; None where none does."""
        if how != self._how:
            self._how, self._stream = how, None
            self._turns, self._known, self._starts = [], [], [0]
        changed: int | None = None
        for place, turn in enumerate(turns):
            if place < len(self._known) and self._known[place] == (turn, turn.version):
                continue
            before = self._turns[place] if place < len(self._turns) else []
            rows = self._lay(turn, how, invites=not any(each.quoted for each in turns[:place]))
            same = next((i for i, (a, b) in enumerate(zip(before, rows, strict=False)) if a != b), None)
            if same is None and len(before) != len(rows):
                same = min(len(before), len(rows))
            self._turns[place : place + 1] = [rows]
            self._known[place : place + 1] = [(turn, turn.version)]
            self._starts[place + 1 :] = self._begins(place)
            if same is not None and changed is None:
                changed = self._starts[place] + same
        if len(self._turns) > len(turns):
            changed = self._starts[len(turns)] if changed is None else changed
            del self._turns[len(turns) :], self._known[len(turns) :], self._starts[len(turns) + 1 :]
        return changed

    def _begins(self, place: int) -> list[int]:
        start = self._starts[place]
        ends = []
        for rows in self._turns[place:]:
            start += len(rows)
            ends.append(start)
        return ends

    def _lay(self, turn: LiveTurn, how: Drawing, *, invites: bool) -> list[Line]:
        # What draws turns is not loaded before there is one: the first paint waits for nothing.
        from lens_tui.tui.layout.stream import Stream
        from lens_tui.tui.layout.turn import turn_lines

        if turn.over or turn.answered is not None:
            self._stream = None if self._stream and self._stream[0] is turn else self._stream
            return turn_lines(turn, how, invites=invites)
        if self._stream is None or self._stream[0] is not turn:
            self._stream = (turn, Stream(how))
        return turn_lines(turn, how, self._stream[1].rows(turn.text))

    def row(self, number: int) -> tuple[int, Line] | None:
        """The turn that a row belongs to, and the row; None beyond the last."""
        if not 0 <= number < len(self):
            return None
        place = bisect_right(self._starts, number) - 1
        return place, self._turns[place][number - self._starts[place]]

    def place(self, number: int) -> tuple[int, int, int] | None:
        """Where a row stands, whatever the width: turn, part and offset."""
        found = self.row(number)
        return (found[0], *found[1].at) if found is not None else None

    def find(self, place: tuple[int, int, int]) -> int:
        """The row that stands at a place or holds it; the last one before it where none is."""
        turn, part, offset = place
        if turn >= len(self._turns):
            return max(len(self) - 1, 0)
        best = 0
        for number, line in enumerate(self._turns[turn]):
            if line.at > (part, offset):
                break
            if line.at != self._turns[turn][best].at:
                best = number
        return self._starts[turn] + best

    def of_tag(self, turn: int, tag: int) -> tuple[int, int] | None:
        """First and last row on which a turn's tag is drawn; None where it is not."""
        if not 0 <= turn < len(self._turns):
            return None
        found = [n for n, line in enumerate(self._turns[turn]) if any(p.tag == tag for p in line.pieces)]
        return (self._starts[turn] + found[0], self._starts[turn] + found[-1]) if found else None

    def start(self, turn: int) -> int:
        """The first row of a turn."""
        return self._starts[min(turn, len(self._starts) - 1)]
