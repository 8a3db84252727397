"""The rows of an answer's sources: excerpts with the sentence that carries a claim, and the list of those not cited."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING

from lens_tui.text.display import one_line, printable
from lens_tui.tui.layout.facts import line_range
from lens_tui.tui.layout.lines import Line, Piece, cells, shortened_path, wrap
from lens_tui.tui.layout.staleness import fate_lines
from lens_tui.tui.signs import Signs

if TYPE_CHECKING:
    from lens_tui.history import Fate
    from lens_tui.types import Citation, Excerpt, Span

_PROSE = re.compile(
    r"\.(md|markdown|mdown|txt|text|rst|org|tex|adoc|html?|pdf|docx|odt|epub|eml)\Z|(?:\A|/)[^.]+\Z", re.I
)
_OWN_ROW = re.compile(r"\s*(?:[-*+•#|>]|\d{1,3}[.)]\s|```|~~~|={3,}|:\w)|\s{4,}|\t")
_HEADING = re.compile(r"#{1,6}\s")
FOLD_FROM = 40
"""A shorter source line ends on purpose (a verse, an address), so the next one is not drawn up to it."""
FIRST_ROWS = 3
"""Rows of a cited excerpt that is not the current one and whose carrying sentence is not known."""


@dataclass(frozen=True, slots=True)
class Source:
    """One excerpt as it is to be drawn."""

    excerpt: Excerpt
    cited: bool
    current: bool
    span: Span | None = None
    """The carrying sentence, in the file's text."""
    whole: bool = True
    """Draw all of it, not only the carrying sentence."""
    sent: bool = True
    """Whether it fitted the model's context."""
    fate: Fate | None = None
    """What became of it since, where its file is not the same any more."""
    instead: Span | None = None
    """The words that say otherwise than the answer, in the file's text."""


def sources_of(
    excerpts: Sequence[Excerpt],
    citations: Sequence[Citation],
    current: Citation | None,
    *,
    streaming: bool,
    left_out: int = 0,
    fates: Mapping[int, Fate] = MappingProxyType({}),
) -> list[Source]:
    """Order excerpts as they are shown: cited ones by number, then the others; while it streams all of them whole.

    The last ``left_out`` did not fit the model's context and stand at the end; ``fates`` are by number. What a model
    invented cites none of them, also where one that it was not given has that number.
    """
    chosen: dict[int, Citation] = {}
    current = None if current is None or current.verdict == "invented" else current
    for citation in citations:
        if citation.verdict == "invented":
            continue
        if citation.number not in chosen or chosen[citation.number].span is None:
            chosen[citation.number] = citation
    if current is not None:
        chosen[current.number] = current
    sources = []
    for excerpt in sorted(excerpts, key=lambda excerpt: excerpt.number):
        carried = chosen.get(excerpt.number)
        cited = carried is not None
        is_current = current is not None and current.number == excerpt.number
        whole = is_current or streaming
        sent = excerpt.number <= len(excerpts) - left_out
        span, instead = (carried.span, carried.instead) if carried else (None, None)
        fate = fates.get(excerpt.number)
        sources.append(Source(excerpt, cited or streaming, is_current, span, whole, sent, fate, instead))
    return [s for s in sources if s.cited] + [s for s in sources if not s.cited]


def source_lines(sources: Sequence[Source], width: int, signs: Signs) -> list[Line]:
    """Rows of the sources' column. A row's pieces are tagged with its excerpt's number; ``at`` is (number, offset)."""
    lines: list[Line] = []
    listing = ""
    for source in sources:
        number = source.excerpt.number
        if not source.cited:
            title = "not cited" if source.sent else "did not fit"
            if listing != title:
                lines += [Line((), (number, 0))] if listing else []
                lines += [Line((Piece(" "), Piece(title, "muted")), (number, 0))]
                listing = title
            lines += _listed(source, width, signs)
            continue
        lines += headed(source, width, signs)
        lines += fate_lines(number, source.excerpt.start, source.fate, width, signs)
        lines += excerpt_rows(source, width, signs)
        lines.append(Line((), (number, source.excerpt.end)))
    return lines


def headed(source: Source, width: int, signs: Signs) -> list[Line]:
    """The number and the place of an excerpt; reversed and bold for the current one."""
    excerpt = source.excerpt
    number = Piece(f" {excerpt.number} ", "cursor" if source.current else "accent bold", excerpt.number)
    place = line_range(excerpt.lines, signs)
    gap = Piece(" " * max(4 - len(number.text), 1))
    room = width - 5 - cells(place)
    path = shortened_path(one_line(excerpt.path), room, signs.ellipsis)
    named = [Piece(path, "bold" if source.current else "text", excerpt.number), Piece(place, "muted", excerpt.number)]
    rows = wrap(named, width - 5)
    return [
        Line(((number, gap) if place_of == 0 else (Piece(" " * 4),)) + tuple(row), (excerpt.number, excerpt.start))
        for place_of, row in enumerate(rows)
    ]


def _listed(source: Source, width: int, signs: Signs) -> list[Line]:
    excerpt = source.excerpt
    place = line_range(excerpt.lines[:1], signs)
    path = shortened_path(one_line(excerpt.path), width - 5 - cells(place), signs.ellipsis)
    if source.current:
        return headed(source, width, signs)
    number = Piece(f" {excerpt.number}".ljust(4), "muted", excerpt.number)
    rows = wrap([Piece(path + place, "muted", excerpt.number)], width - 5)
    return [
        Line((number if index == 0 else Piece(" " * 4), *row), (excerpt.number, excerpt.start))
        for index, row in enumerate(rows)
    ]


def excerpt_rows(source: Source, width: int, signs: Signs) -> list[Line]:
    """The text of an excerpt behind a thin bar; a thick one and the highlighter where it carries the claim."""
    excerpt, span = source.excerpt, source.span
    start, end = (span[0] - excerpt.start, span[1] - excerpt.start) if span is not None else (-1, -1)
    instead = source.instead or (-1, -1)
    rows = _rows(excerpt, (start, end), (instead[0] - excerpt.start, instead[1] - excerpt.start), width - 5)
    first, last = 0, len(rows)
    if not source.whole:
        first, last = _part(rows, start)
    lines: list[Line] = []
    for index in range(first, last):
        pieces, at, marked = rows[index]
        if not source.whole:
            pieces = _elided(pieces, index == first and first > 0, index == last - 1 and last < len(rows), signs)
        bar = signs.thick if marked else signs.thin
        ink = "accent" if marked or source.current else "line"
        lead = (Piece(" "), Piece(bar, ink, excerpt.number), Piece("  "))
        lines.append(Line((*lead, *pieces), (excerpt.number, excerpt.start + at)))
    return lines


Row = tuple[list[Piece], int, bool]
"""Pieces, offset in the excerpt, whether the carrying sentence is on it."""


def _rows(excerpt: Excerpt, span: Span, instead: Span, width: int) -> list[Row]:
    """Cut an excerpt into rows; ``span`` and, in it, ``instead`` are what is marked, by offsets in the excerpt."""
    rows: list[Row] = []
    offset = 0
    text = printable(excerpt.text)
    for paragraph in folded(text, is_prose(excerpt.path)):
        ink = "bold" if _HEADING.match(paragraph) and is_prose(excerpt.path) else "text"
        pieces = [
            Piece(
                paragraph[low:high].replace("\t", "    "),
                ink + marked,
                excerpt.number,
                offset + low,
            )
            for low, high, marked in _parted(len(paragraph), offset, span, instead)
        ]
        for row in wrap([piece._replace(tag=-1) for piece in pieces], width):
            tagged = [piece._replace(tag=excerpt.number) for piece in row]
            at = next((piece.at for piece in row if piece.at >= 0), offset)
            rows.append((tagged, at, any(" mark" in piece.ink for piece in row)))
        offset += len(paragraph) + 1
    while rows and not "".join(piece.text for piece in rows[-1][0]).strip():
        rows.pop()
    while rows and not "".join(piece.text for piece in rows[0][0]).strip():
        rows.pop(0)
    return rows


def _parted(size: int, offset: int, span: Span, instead: Span) -> list[tuple[int, int, str]]:
    """Cut 0…size where the carrying sentence, and in it what says otherwise, begins and ends; each with its ink."""
    cuts = sorted({0, size, *(min(max(at - offset, 0), size) for at in (*span, *instead))})
    parts: list[tuple[int, int, str]] = []
    for low, high in pairwise(cuts):
        marked = span[0] - offset <= low and high <= span[1] - offset
        differs = marked and instead[0] - offset <= low and high <= instead[1] - offset
        parts.append((low, high, " mark differs" if differs else " mark" if marked else ""))
    return parts or [(0, size, "")]


def is_prose(path: str) -> bool:
    """Whether a file of this name holds running text, whose source lines are drawn as paragraphs."""
    return bool(_PROSE.search(path))


def is_heading(line: str) -> bool:
    """Whether a line of prose is a heading of what follows."""
    return bool(_HEADING.match(line))


def folded(text: str, prose: bool) -> list[str]:
    """Source lines; in prose those of one paragraph as one, a blank for each line end, so that offsets hold."""
    result: list[str] = []
    fenced = False
    joined = False
    for line in text.split("\n"):
        fence = line.lstrip().startswith(("```", "~~~"))
        if joined and prose and not fenced and not fence and line.strip() and not _OWN_ROW.match(line):
            result[-1] += " " + line
        else:
            result.append(line)
        fenced = fenced != fence
        own = _HEADING.match(line) or line.lstrip().startswith("|") or fence
        joined = cells(line) >= FOLD_FROM and not own and not fenced
    return result


def _part(rows: Sequence[Row], start: int) -> tuple[int, int]:
    """Rows of a cited excerpt that is not the current one: its carrying sentence, or its beginning."""
    marked = [index for index, row in enumerate(rows) if row[2]]
    if marked:
        return marked[0], marked[-1] + 1
    return 0, min(FIRST_ROWS, len(rows))


def _elided(pieces: list[Piece], before: bool, after: bool, signs: Signs) -> list[Piece]:
    """Say with an ellipsis that the text goes on."""
    if after and pieces:
        last = pieces[-1]
        pieces = [*pieces[:-1], last._replace(text=last.text.rstrip()), Piece(signs.ellipsis, "muted", last.tag)]
    if before and pieces:
        pieces = [Piece(signs.ellipsis, "muted", pieces[0].tag), *pieces]
    return pieces
