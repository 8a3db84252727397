"""Light Markdown: the lines of an answer with headings, lists, quotes, fences and inline inks, and its citation marks.

Only what helps reading is taken away (``**``, ``#``, backticks round code); everything else is drawn as it was
written, so nothing of an answer can be lost. No HTML, no link references.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lens_tui.tui.layout.lines import Line, Piece, cells, hung
from lens_tui.tui.layout.marks import Mark

_FENCE = re.compile(r"\s{0,3}(```+|~~~+)")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s+(?=\S)")
_ITEM = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+")
_QUOTE = re.compile(r"\s{0,3}>\s?")
_INLINE = re.compile(
    r"(?P<tick>`+)(?P<code>[^\n]+?)(?P=tick)(?!`)"
    r"|\*\*(?P<bold>[^\s*](?:[^\n]*?[^\s])??)\*\*"
    r"|(?<![\w*])\*(?P<star>[^\s*](?:[^*\n]*?[^\s*])?)\*(?![\w*])"
    r"|(?<![\w_])_(?P<under>[^\s_](?:[^_\n]*?[^\s_])?)_(?![\w_])"
)
_INKS = {"code": "code", "bold": "bold", "star": "italic", "under": "italic"}


@dataclass(frozen=True, slots=True)
class Style:
    """How blocks are drawn."""

    thin: str = "▏"
    indent: str = "   "
    """What stands before every row."""


def answer_lines(
    text: str, marks: Sequence[Mark], width: int, style: Style, *, part: int = 0, offset: int = 0, fenced: bool = False
) -> tuple[list[Line], bool]:
    """Draw a run of whole source lines.

    Args:
        text: The lines, made printable (see ``text.display``).
        marks: In order, with offsets in the whole answer.
        width: Of a row, its indent included.
        style: Signs and indent.
        part: First half of every row's ``at``.
        offset: Where ``text`` begins in the answer.
        fenced: Whether it begins inside a code fence.

    Returns:
        The rows, and whether the run ends inside a code fence.
    """
    lines: list[Line] = []
    start = 0
    for source in text.split("\n"):
        end = start + len(source)
        here = offset + start
        indent = Piece(style.indent)
        if _FENCE.match(source):
            fenced = not fenced
            lines += hung([Piece(source, "muted", at=here)], width, first=[indent], rest=[indent], part=part)
        elif fenced:
            code = [Piece(source.replace("\t", "    ") or " ", "code", at=here)]
            lines += hung(code, width, first=[indent], rest=[indent], part=part)
        elif not source.strip():
            lines.append(Line((), (part, here)))
        else:
            lines += _block(source, here, marks, width, style, part)
        start = end + 1
    return lines, fenced


def _block(source: str, here: int, marks: Sequence[Mark], width: int, style: Style, part: int) -> list[Line]:
    """Draw one source line outside code."""
    indent = Piece(style.indent)
    if match := _HEADING.match(source):
        pieces = _inked(source, match.end(), here, marks, "bold")
        return hung(pieces, width, first=[indent], rest=[indent], part=part)
    if match := _QUOTE.match(source):
        bar = Piece(f"{style.thin} ", "muted")
        pieces = _inked(source, match.end(), here, marks, "muted")
        return hung(pieces, width, first=[indent, bar], rest=[indent, bar], part=part)
    if match := _ITEM.match(source):
        head = match[0].replace("\t", "    ")
        pieces = _inked(source, match.end(), here, marks, "text")
        blank = Piece(" " * cells(head))
        first = [indent, Piece(head, "muted", at=here)]
        if width - cells(style.indent) - cells(head) < 12:
            return hung([*first[1:], *pieces], width, first=[indent], rest=[indent], part=part)
        return hung(pieces, width, first=first, rest=[indent, blank], part=part)
    return hung(_inked(source, 0, here, marks, "text"), width, first=[indent], rest=[indent], part=part)


def _inked(source: str, start: int, here: int, marks: Sequence[Mark], ink: str) -> list[Piece]:
    """Give the characters of one line from ``start`` on their inks, and put the marks in their places."""
    pieces: list[Piece] = []
    waiting = [mark for mark in marks if here + start <= mark.start <= here + len(source)]
    for low, high, inline in _inline(source, start, len(source), ink):
        position = low
        is_code = inline.endswith("code")
        while waiting and waiting[0].start - here <= high:
            mark = waiting[0]
            at = mark.start - here
            if at == high and mark.end > mark.start and at < len(source):
                break
            waiting.pop(0)
            if at < position or (is_code and mark.end > mark.start):
                continue
            if at > position:
                pieces.append(_piece(source, position, at, here, inline))
            pieces += mark.pieces
            position = max(position, mark.end - here)
        if position < high:
            pieces.append(_piece(source, position, high, here, inline))
    return pieces


def _piece(source: str, start: int, end: int, here: int, ink: str) -> Piece:
    return Piece(source[start:end].replace("\t", " "), ink, at=here + start)


def _inline(source: str, start: int, end: int, ink: str) -> Iterator[tuple[int, int, str]]:
    """Visible ranges with their inks, in order; what only marks emphasis is in none."""
    position = start
    for match in _INLINE.finditer(source, start, end):
        kind = match.lastgroup or ""
        if kind == "tick" or kind not in _INKS:
            kind = "code"
        low, high = match.span(kind)
        if match.start() > position:
            yield position, match.start(), ink
        inner = _INKS[kind] if ink == "text" else f"{ink} {_INKS[kind]}"
        if kind == "code":
            yield low, high, inner
        else:
            yield from _inline(source, low, high, inner)
        position = match.end()
    if position < end:
        yield position, end, ink
