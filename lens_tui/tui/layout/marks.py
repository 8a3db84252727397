"""Citation marks as they are drawn: each number of a mark with its sign, or, while the answer streams, by pattern."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lens_tui.tui.layout.lines import Piece
from lens_tui.tui.signs import Signs

if TYPE_CHECKING:
    from lens_tui.types import Citation, Span

_NUMBER = re.compile(r"[0-9０-９]+")
_MARK = re.compile(r"[\[［【]\s*[0-9０-９]+(?:\s*[,，、\-–]\s*[0-9０-９]+)*\s*[\]］】]")
_UNFINISHED = re.compile(r"[\[［【][0-9０-９\s,，、\-–]*\Z")
_END = re.compile(r"[.!?。！？…)\]）」』\"'”’*_\s]*\Z")
_BROKEN = re.compile(r"[\n\t*`_\[\]【】［］]")
"""In words that are not drawn as they stand."""
_RANK = {"contradicted": 0, "invented": 1, "weak": 2, "supported": 3, None: 4}
"""Worst first."""


@dataclass(frozen=True, slots=True)
class Mark:
    """One mark (or a sign that is in no text) and the pieces that stand in its place."""

    start: int
    end: int
    pieces: tuple[Piece, ...]


def finished(text: str) -> str:
    """Hold back a mark that the stream has begun and not ended."""
    match = _UNFINISHED.search(text, max(len(text) - 40, 0))
    return text[: match.start()] if match else text


def streamed(text: str, offset: int = 0) -> list[Mark]:
    """Marks found by their looks, for an answer whose citations are not known yet; ``text`` begins at ``offset``."""
    return [
        Mark(m.start() + offset, m.end() + offset, (Piece(_glued(m[0]), "accent bold", at=m.start() + offset),))
        for m in _MARK.finditer(text)
    ]


def judged(
    text: str, citations: Sequence[Citation], uncited: Sequence[Span], signs: Signs, stale: Container[int] = ()
) -> list[Mark]:
    """Marks of a finished answer in order, each number with its verdict's sign, and ``[–]`` where nothing is cited.

    ``stale`` holds the indexes of citations whose source changed since.
    """
    groups: dict[Span, list[int]] = {}
    for index, citation in enumerate(citations):
        groups.setdefault((citation.start, citation.end), []).append(index)
    said = [
        signs.of_verdict(citation.verdict) + (signs.stale if index in stale else "")
        for index, citation in enumerate(citations)
    ]
    marks = [Mark(*span, tuple(_pieces(text, span, groups[span], citations, said))) for span in groups]
    for start, end in uncited:
        place = start + (_END.search(text[start:end]) or re.match("", "")).start()  # type: ignore[union-attr]
        marks.append(Mark(place, place, (Piece("\u00a0"), Piece(f"[{signs.none}]", "muted"))))
    marks += _differing(text, citations)
    return sorted(marks, key=lambda mark: (mark.start, mark.end))


def _differing(text: str, citations: Sequence[Citation]) -> list[Mark]:
    """The words that a source has otherwise, as they stand and made to stand out."""
    spans = dict.fromkeys(citation.differs for citation in citations if citation.differs is not None)
    return [
        Mark(*span, (Piece(words, "differs", at=span[0]),))
        for span in spans
        if not _BROKEN.search(words := text[slice(*span)])
    ]


def ink_of(citation: Citation) -> str:
    """How a citation is drawn: by its verdict where that is a doubtful one."""
    return {"contradicted": "bad bold", "invented": "bad bold", "weak": "warn bold"}.get(
        citation.verdict or "", "accent bold"
    )


def _pieces(
    text: str, span: Span, indexes: Sequence[int], citations: Sequence[Citation], said: Sequence[str]
) -> list[Piece]:
    """Cut a mark so that each number is a piece of its own that a click or the cursor can find.

    ``said`` has the signs of each citation.
    """
    start, end = span
    mark = text[start:end]
    numbers = list(_NUMBER.finditer(mark))
    by_number: dict[int, int] = {}
    for index in indexes:
        by_number.setdefault(citations[index].number, index)
    worst = min(indexes, key=lambda index: _RANK.get(citations[index].verdict, 4))
    if len(numbers) < len(indexes):  # a range: one piece, with the sign of its worst
        citation = citations[worst]
        drawn = _glued(mark[:-1]) + said[worst] + mark[-1:]
        return [Piece(drawn, ink_of(citation), indexes[0], start)]
    pieces: list[Piece] = []
    position = 0
    for place, number in enumerate(numbers):
        index = by_number.get(int(number[0]), indexes[0])
        citation = citations[index]
        last = place == len(numbers) - 1
        head = "" if place == 0 else mark[position : number.start()]
        if head:
            pieces.append(Piece(_glued(head), "accent bold", at=start + position))
        opening = mark[: number.start()] if place == 0 else ""
        closing = mark[number.end() :] if last else ""
        drawn = _glued(opening + number[0]) + said[index] + _glued(closing)
        pieces.append(Piece(drawn, ink_of(citation), index, start + (0 if place == 0 else number.start())))
        position = number.end()
    return pieces


def _glued(text: str) -> str:
    """Spaces that no row may end at."""
    return re.sub(r"\s", "\u00a0", text)
