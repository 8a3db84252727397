"""The rows of a search's hits: place and reasons, the snippet with its matched words, and why a hit ranks so."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lens_tui.text.display import one_line, printable
from lens_tui.tui.cells import cut_end
from lens_tui.tui.layout.excerpts import folded, is_heading, is_prose
from lens_tui.tui.layout.lines import Line, Piece, cells, shortened_path, wrap
from lens_tui.tui.signs import Signs

if TYPE_CHECKING:
    from lens_tui.types import Explanation, Retriever, SearchHit, Span

_BLANKS = re.compile(r" {2,}")
INDENT = 4
"""Cells of the number before a hit, and of the blank before its snippet."""
GAP = 2
"""Blanks between a place, its heading and the reasons."""
LEAST_HEADING = 12
"""Cells that a part of a heading is worth showing in."""
SNIPPET_ROWS = 3
"""Rows of a snippet at most: the 120 characters of a list take two of them at 66 columns, wide ones four."""
SECTION_ROWS = 12
"""Rows of a whole section at most: a third of a screen, so that another one can be compared with it."""
LABEL = 10
"""Cells of a name in an explanation."""
NUMBER, PATH = "number", "path"
"""Inks of what is drawn otherwise for the current hit; the widget mixes them."""
NAMES: Mapping[str, str] = {"lexical": "words", "vector": "meaning"}
"""Retriever → what a person calls it; others keep their own name."""
MEASURES: Mapping[str, str] = {"lexical": "BM25", "vector": "cosine"}


@dataclass(frozen=True, slots=True)
class Look:
    """What hits are drawn with."""

    width: int
    signs: Signs
    reasons: Callable[[SearchHit], str]
    """What stands at the right of a hit's first row."""
    rows: int = SNIPPET_ROWS
    """Rows of a hit's text at most."""


def ranks(hit: SearchHit, names: Mapping[str, str] = NAMES) -> str:
    """Where each retriever put a hit: ``words 1, meaning 4``."""
    return ", ".join(f"{names.get(name, one_line(name))} {reason.rank}" for name, reason in hit.why.items())


def hit_lines(hit: SearchHit, place: int, look: Look) -> list[Line]:
    """A hit's rows. Pieces are tagged with its place in the list, from 0; ``at`` is (place, row)."""
    rows = [*_head(hit, place, look), *_snippet(hit, look)]
    return [Line(tuple(piece._replace(tag=place) for piece in row), (place, at)) for at, row in enumerate(rows)]


def line_of(hit: SearchHit) -> int:
    """The line to stand on: that of the first matched word of the snippet, else the first one."""
    return hit.lines[0] + hit.text.count("\n", 0, stand(hit))


def stand(hit: SearchHit) -> int:
    """Offset in the hit's text that a person wants to see: the first match of the snippet, else its beginning."""
    span, _, _ = shown_part(hit)
    inside = [start for start, end in hit.marks if span[0] <= start and end <= span[1]]
    place = inside[0] if inside else span[0]
    return place + len(hit.text[place:]) - len(hit.text[place:].lstrip()) if place < len(hit.text) else 0


def shown_part(hit: SearchHit) -> tuple[Span, bool, bool]:
    """What of a hit's text the snippet is, and whether an ellipsis says that more comes before and after it.

    Where the snippet is not in the text as it stands (``(0, 0)``) nothing is known of its matches.
    """
    text, snippet = hit.text, hit.snippet
    for before, after in ((False, False), (True, False), (False, True), (True, True)):
        if snippet.startswith("…") < before or snippet.endswith("…") < after:
            continue
        words = snippet[before : len(snippet) - after]
        starts = _places(text, words) if words else []
        if starts:
            start = max(starts, key=lambda at: sum(at <= a and b <= at + len(words) for a, b in hit.marks))
            return (start, start + len(words)), before, after
    return (0, 0), False, False


def _places(text: str, words: str) -> list[int]:
    found, at = [], text.find(words)
    while at >= 0:
        found.append(at)
        at = text.find(words, at + 1)
    return found


def _head(hit: SearchHit, place: int, look: Look) -> list[list[Piece]]:
    """Number, path and line, then the headings above and at the right the reasons, where there is room for them."""
    number = f" {place + 1} "
    gap = " " * max(INDENT - len(number), 0)
    line = f":{line_of(hit)}" if hit.page is None else f" page {hit.page}"
    reasons = look.signs.said(look.reasons(hit))
    room = look.width - INDENT - 1 - cells(line)
    path = shortened_path(one_line(hit.path), room - cells(reasons) - GAP, look.signs.ellipsis)
    start = [Piece(number, NUMBER), Piece(gap)]
    free = room - cells(path) - cells(reasons)
    if free >= GAP:
        heading = _heading(hit, free - 2 * GAP, look.signs.ellipsis)
        gap = " " * (free - cells(heading))
        return [[*start, Piece(path, PATH), Piece(line + heading, "muted"), Piece(gap), Piece(reasons, "muted")]]
    path = shortened_path(one_line(hit.path), room, look.signs.ellipsis)
    rows = wrap([Piece(path, PATH), Piece(line, "muted")], look.width - INDENT - 1)
    return [[*(start if at == 0 else [Piece(" " * INDENT)]), *row] for at, row in enumerate(rows)]


def _heading(hit: SearchHit, room: int, ellipsis: str) -> str:
    """The headings that a hit stands under, a gap before them: all, or the lowest as far as there is room for it."""
    words = " > ".join(one_line(title) for title in hit.heading)
    if cells(words) > room:
        words = one_line(hit.heading[-1]) if hit.heading else ""
    return " " * GAP + cut_end(words, room, ellipsis) if words and room >= min(cells(words), LEAST_HEADING) else ""


def _snippet(hit: SearchHit, look: Look) -> Iterable[list[Piece]]:
    """The snippet under its place: of a long one the rows with most matched words, an ellipsis where it is cut."""
    span, before, after = shown_part(hit)
    ellipsis = look.signs.ellipsis
    width = max(look.width - INDENT - max(cells(ellipsis), 1), 8)
    rows = _rows(hit, span, width)
    if len(rows) > look.rows:
        first, last = _window(rows, look.rows, prose=is_prose(hit.path))
        before, after = before or first > 0, after or last < len(rows)
        rows = rows[first:last]
    for at, row in enumerate(rows):
        lead = [Piece(ellipsis)] if before and at == 0 else []
        end = [Piece(ellipsis)] if after and at == len(rows) - 1 else []
        yield [Piece(" " * INDENT), *lead, *row, *end]


def _window(rows: Sequence[Sequence[Piece]], most: int, *, prose: bool) -> tuple[int, int]:
    """Which rows stand for more than there is room for: those with most matched words, and some after the last of them.

    In prose they end with no heading, whose own text would be cut off; one that is matched is shown with a row of it.
    """
    weights = [sum(piece.ink != "text" for piece in row) for row in rows]
    heads = [prose and is_heading("".join(piece.text for piece in row)) for row in rows]
    starts = range(len(rows) - most + 1)

    def worth(at: int) -> tuple[int, bool, int]:
        seen = most if at == starts[-1] else most - most // 4
        end = at + most - 1
        return sum(weights[at : at + seen]), not (heads[end] and weights[end]), -at

    first = max(starts, key=worth)
    last = first + most
    while last - first > 1 and heads[last - 1] and not weights[last - 1]:
        last -= 1
    return first, last


def _rows(hit: SearchHit, span: Span, width: int) -> list[list[Piece]]:
    known = span[1] > span[0]
    start = hit.text.rfind("\n", 0, span[0]) + 1
    # Code keeps its shape: the first line's own indent counts too, where nothing else stands before it.
    start = start if not hit.text[start : span[0]].strip() else span[0]
    text = printable(hit.text[start : span[1]] if known else hit.snippet)
    marks = [(a - start, b - start) for a, b in hit.marks] if known else []
    prose = is_prose(hit.path)
    lines = folded(text, prose)
    indent = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    rows: list[list[Piece]] = []
    offset = 0
    for line in lines:
        end = len(line.rstrip())
        if end > indent:
            pieces = _parted(line, indent, end, [(a - offset, b - offset) for a, b in marks])
            rows.extend(wrap([_closed(piece) for piece in pieces] if prose else pieces, width))
        offset += len(line) + 1
    return rows


def _parted(line: str, begin: int, end: int, marks: Sequence[Span]) -> list[Piece]:
    """A line in pieces, the matched words in an ink of their own."""
    pieces: list[Piece] = []
    at = begin
    for start, stop in marks:
        low, high = max(start, at), min(stop, end)
        if low < high:
            pieces += [Piece(_plain(line[at:low])), Piece(_plain(line[low:high]), "accent bold")]
            at = high
    return [piece for piece in [*pieces, Piece(_plain(line[at:end]))] if piece.text]


def _closed(piece: Piece) -> Piece:
    """Blanks that lines were indented by, before they became one paragraph, as one."""
    return piece._replace(text=_BLANKS.sub(" ", piece.text))


def _plain(text: str) -> str:
    return text.replace("\t", "    ")


# Why a hit ranks so.


def explained(hit: SearchHit, place: int, retriever: Retriever, many: int, look: Look) -> list[Line]:
    """Rows under a hit: its place in each retriever, the words of it that matched, what was made of them."""
    rows: list[list[Piece]] = []
    width = look.width - INDENT - LABEL - 1
    for label, text in facts(hit, retriever, many):
        shown = look.signs.said(text)
        for at, row in enumerate(wrap([Piece(shown, "text")], width)):
            name = label if at == 0 else ""
            rows.append([Piece(" " * INDENT), Piece(name.ljust(LABEL), "muted"), *row])
    return [Line(tuple(piece._replace(tag=place) for piece in row), (place, 100 + at)) for at, row in enumerate(rows)]


def facts(hit: SearchHit, retriever: Retriever, many: int) -> Iterable[tuple[str, str]]:
    """What is known of a hit's rank: (name, sentence)."""
    for name, reason in hit.why.items():
        measure = MEASURES.get(name, "score")
        yield NAMES.get(name, one_line(name)), f"rank {reason.rank}, {measure} {reason.score:.2f}"
    counted = Counter(one_line(" ".join(hit.text[start:end].lower().split())) for start, end in hit.marks)
    if counted:
        words = (f"{word} {times} times" if times > 1 else word for word, times in counted.items())
        yield "matched", ", ".join(words)
    elif "lexical" in hit.why:
        yield "matched", "nothing in the text itself: its title, heading or file name"
    else:
        yield "matched", "no word of the query"
    if retriever == "hybrid" and hit.explain is None:
        found = " and ".join(NAMES.get(name, one_line(name)) for name in hit.why)
        yield (
            "together",
            f"{hit.rank} of {many}, found by {found}; words weigh more, the more of the query they hold",
        )
    if hit.explain is None:
        yield "score", f"{hit.score:.2f} of 1"
    if hit.heading:
        yield "under", one_line(" > ".join(hit.heading))
    yield from _told(hit.explain)


def _told(explain: Explanation | None) -> Iterable[tuple[str, str]]:
    """What the index itself says of a hit: what it holds of the query, its order, its score."""
    if explain is None:
        return
    if explain.words:
        yield "of query", one_line(", ".join(word.told for word in explain.words))
    yield "order", one_line(explain.order)
    yield "score", one_line(explain.score)
