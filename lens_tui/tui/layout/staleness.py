"""What is said of a source that changed since the answer: under the answer, at its excerpt, over its file."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from lens_tui.text.display import one_line
from lens_tui.tui.layout.lines import Line, Piece, hung
from lens_tui.tui.layout.moments import Local, moment
from lens_tui.tui.signs import Signs

if TYPE_CHECKING:
    from lens_tui.history import Fate
    from lens_tui.tui.turns import LiveTurn
    from lens_tui.types import Citation


def stale_words(turn: LiveTurn, *, clock: Callable[[], float] = time.time, local: Local = time.localtime) -> list[str]:
    """A sentence for each citation whose source changed, in order, each once."""
    now = clock()
    words = (
        f"[{citation.number}] {told(citation, turn.fates[index], now, local)}"
        for index, citation in enumerate(turn.citations)
        if index in turn.fates
    )
    return list(dict.fromkeys(words))


def told(citation: Citation, fate: Fate, now: float, local: Local = time.localtime) -> str:
    """What happened to a citation's file, and where its sentence is now."""
    path = one_line(citation.path or fate.path)
    when = f"changed {_at(fate.at, now, local)}after this answer" if not fate.file_gone else "is gone"
    line = citation.lines[0] if citation.lines else None
    if fate.state == "moved":
        return f"{path} {when}; the sentence is now in {one_line(fate.path)}:{fate.line}"
    if fate.state == "gone":
        return f"{path} {when}; the source shows the text as it was"
    if line is None or fate.line == line:
        return f"{path} {when}; the sentence is still on line {fate.line}"
    return f"{path} {when}; the sentence is now on line {fate.line}, it was on {line}"


def _at(at: float | None, now: float, local: Local) -> str:
    return f"at {moment(at, now, local)}, " if at is not None else ""


def fate_lines(number: int, start: int, fate: Fate | None, width: int, signs: Signs) -> list[Line]:
    """The row over an excerpt that says where its sentence is now; none where its file is the same."""
    if fate is None:
        return []
    words = f"now on line {fate.line}"
    if fate.state == "moved":
        words = f"now in {one_line(fate.path)}:{fate.line}"
    elif fate.state == "gone":
        words = "as it was when answered" + (", its file is gone" if fate.file_gone else "")
    sign = [Piece(" "), Piece(signs.stale, "warn bold", number), Piece("  ")]
    rows = hung([Piece(words, "warn")], width, first=sign, rest=[Piece("    ")])
    return [Line(row.pieces, (number, start)) for row in rows]
