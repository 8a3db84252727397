"""What is said of a source that changed since the answer: under the answer, at its excerpt, over its file."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
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
    """A sentence for each file that changed since it was cited, in the order of the answer."""
    now = clock()
    files: dict[str, list[tuple[Citation, Fate]]] = {}
    for index, citation in enumerate(turn.citations):
        if index in turn.fates:
            fate = turn.fates[index]
            files.setdefault(citation.path or fate.path, []).append((citation, fate))
    return [_of_file(cited, now, local) for cited in files.values()]


def _of_file(cited: Sequence[tuple[Citation, Fate]], now: float, local: Local) -> str:
    """What became of the sentences of one file; of several, how many stand where now."""
    numbers = "".join(f"[{number}]" for number in dict.fromkeys(citation.number for citation, _ in cited))
    citation, fate = cited[0]
    became = Counter(_became(*one) for one in cited)
    if len({(one.lines, each.state, each.line) for one, each in cited}) == 1:
        return f"{numbers} {told(citation, fate, now, local)}"
    counts = ((became[kind], words) for kind, words in _BECAME.items())
    where = ", ".join(f"{many} {'is' if many == 1 else 'are'} {words}" for many, words in counts if many)
    return f"{numbers} {_happened(citation, fate, now, local)}; of its {len(cited)} cited sentences {where}"


_BECAME = {
    "still": "still in place",
    "line": "elsewhere in it now",
    "moved": "in another file now",
    "gone": "in it no more",
}
"""What can become of a cited sentence, as one of several is told."""


def _became(citation: Citation, fate: Fate) -> str:
    if fate.state in ("moved", "gone"):
        return fate.state
    return "still" if citation.lines is None or fate.line == citation.lines[0] else "line"


def told(citation: Citation, fate: Fate, now: float, local: Local = time.localtime) -> str:
    """What happened to a citation's file, and where its sentence is now."""
    happened = _happened(citation, fate, now, local)
    match _became(citation, fate):
        case "moved":
            return f"{happened}; the sentence is now in {one_line(fate.path)}:{fate.line}"
        case "gone":
            return f"{happened}; the source shows the text as it was"
        case "still":
            return f"{happened}; the sentence is still on line {fate.line}"
    return f"{happened}; the sentence is now on line {fate.line}, it was on {(citation.lines or (0,))[0]}"


def _happened(citation: Citation, fate: Fate, now: float, local: Local) -> str:
    when = f"changed {_at(fate.at, now, local)}after this answer" if not fate.file_gone else "is gone"
    return f"{one_line(citation.path or fate.path)} {when}"


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
