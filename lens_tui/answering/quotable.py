"""Which pieces of excerpts can be quoted: sentences, rows, members, lines of code; no heading, rule or fragment."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import or_

from lens_tui.answering.evidence import Evidence, Line, roots
from lens_tui.answering.prompt import TextOf
from lens_tui.answering.records import records_of
from lens_tui.text.languages import language_of
from lens_tui.text.sentences import sentences
from lens_tui.types import Excerpt

AROUND = 400
"""Characters before and after an excerpt that tell whether its first and its last sentence are whole."""

_SILENT = re.compile(
    r"\s*(?:#{1,6}\s|={1,6}\s|`{3}|~{3}|[-=*_~^\"+.]{3,}\s*\Z|\|[\s:|-]+\|?\s*\Z|<!--|---"
    r"|(?:\*\*[^*]+\*\*|__[^_]+__):?\s*\Z)"
)
"""Begins a heading, a fence, a rule, a comment; or is bold from end to end, which is a heading too."""
_DEFINES_LINK = re.compile(r" {0,3}\[(?!\^)[^\]\n]+\]:[ \t]*\n?[ \t]*\S+")
"""Begins the definition of a link in Markdown, which no reader sees; a footnote is prose."""
_UNDERLINED = re.compile(r"\n[ \t]*(?:=+|-+|~{3,}|\^{3,}|\"{4,}|\*{3,}|\|[ :|-]+\|?)[ \t]*(?:\n|\Z)")
"""What follows a heading, or a table's head, and makes it one."""
_TITLED = re.compile(r"[ \t]*\n[ \t]*\n")
"""What follows the first line of a file where that is its title."""
LONGEST_TITLE = 80
"""Characters of a line without a full stop that opens a file and is its title."""
_STOPPED = re.compile(r"[.!?…。！？．:：;；,、][\"'”»」』)*_\s]*\Z")
_ROW = re.compile(r"\s*(?:\||(?:[-*+•・]|\d{1,9}[.)])\s)")
"""A row of a table or an item of a list, after which others belong to the same heading."""
_ASKS = re.compile(r"[?？][\"'”»」』)*_\s]*\Z")
_LEADS = re.compile(r"[:：][*_\s]*\Z")
_CODE = re.compile(
    r".*(?:[{};(\[]|[)}\]],|=>|->)\s*\Z|.*(?:[=!]=|&&|\|\||::|->|=>|[-+*/]=|\s=\s|</"
    r"|\)\(|\w=\w\S{0,80}[,)]\s*\Z|\w\(\w*[,)].*[;:)]\Z)"
    r"|\s*(?:(?:async\s+)?(?:def|class|func|fn|function|interface|struct|enum|impl)\s+\w|return\b|import\s+\w|from\s+\S+\s+import\b"
    r"|(?:if|elif|for|while|with)\b.*:\s*\Z|(?:else|try|finally)\s*:?\s*\Z|except\b.*:|(?:let|const|var|val|public|private|static)\s+\w"
    r"|#(?:include|define|if|endif)|@\w+|[})\]]+[,;]?\s*\Z|\$\s\w|</?\w+[^>]*>\s*\Z"
    r"|(?:del|raise|yield|assert|throw)\s+[\w.]+[\[(]|[\w.]+\((?:[^()]|\([^()]*\))*\)\s*\Z"
    r"|(?:[\"'][\w.-]+[\"'],?\s*)+[\])}]*,?\s*\Z)"
)
"""A line of code: by how it ends, by its operators, by the word that it begins with; a call; only names in quotes."""
_NAMES = re.compile(
    r"\s*(?:__all__\b|import\s|from\s+\S+\s+import\b|#include|use\s+\S+;|using\s|package\s|export\s+[*{]"
    r"|(?:const|var|let)\b.*\brequire\(|(?:[\"'][\w.-]+[\"'],?\s*)+[\])}]*,?\s*\Z)"
)
"""A line of code that only names what is brought in or given out."""
_DEFINES = re.compile(
    r"\s*(?:(?:export|default|public|private|protected|static|async|pub|final|abstract)\s+)*"
    r"(?:def|class|func|fn|function|interface|struct|enum|impl|trait)\s+\w"
)
"""A line of code that names what the docstring right after it is about."""
_COMMENT = re.compile(r"\s*#+\s+\w")
"""A comment of a program, where it would be a heading in Markdown."""
_QUOTES = re.compile(r"\s*[rbuRBU]{0,2}(?:\"{3}|'{3})\s*")
_END_QUOTES = re.compile(r"\s*(?:\"{3}|'{3})\s*\Z")
"""What opens and ends a docstring, and is none of its words."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A piece that can be quoted, and what was said right before it that is no sentence of its own."""

    line: Line
    lead: frozenset[str] = frozenset()
    """The words of the headings, questions and lead-ins directly before it, or before its list or table."""
    is_record: bool = False
    """Whether it is a row or a member, over which the same words stand as over others."""


def candidates(evidence: Evidence, excerpts: Sequence[Excerpt], text_of: TextOf | None = None) -> list[Candidate]:
    """Everything that can be quoted, in the order of the excerpts and of their text; fragments where there is no more.

    Args:
        evidence: The excerpts as what ``spans_of`` gives.
        excerpts: The same.
        text_of: A file's text, which tells whether an excerpt's first and last sentence are whole.
    """
    whole: list[Candidate] = []
    fragments: list[Candidate] = []
    for excerpt in excerpts:
        above = {record.start: roots(record.above) for record in records_of(excerpt)}
        if above:
            whole += [Candidate(line, above[line.start], is_record=True) for line in evidence.lines[excerpt.number]]
            continue
        lead: frozenset[str] = frozenset()
        defined: frozenset[str] = frozenset()
        pieces = [part for line in evidence.lines[excerpt.number] for part in quotable_parts(line)]
        commented = bool(language_of(excerpt.path))
        if commented:
            pieces = _joined_comments(pieces)
        edges = _edges(excerpt, text_of)
        for line in pieces:
            if _DEFINES_LINK.match(line.text):
                continue
            is_comment = commented and _COMMENT.match(line.text) is not None
            if not is_comment and _is_silent(line):
                lead |= line.roots
                continue
            found = fragments if _is_fragment(line, edges) else whole
            if _DEFINES.match(line.text):
                defined = line.roots
            if not is_code(line.text):
                found.append(Candidate(_bare(line), lead | defined))
            elif len(line.roots) > 1:
                found.append(Candidate(line, lead))
            if not _ROW.match(line.text):
                lead = line.roots if is_comment else frozenset()
    return whole or fragments


def is_code(row: str) -> bool:
    """Whether one line looks like code."""
    return _CODE.match(row) is not None


def only_names(row: str) -> bool:
    """Whether a line of code only names what is brought in or given out: imports, ``__all__``."""
    return is_code(row) and _NAMES.match(row) is not None


def is_item(text: str) -> bool:
    """Whether a piece is an item of a list or a row of a table that is no sentence: nothing ends it."""
    return _ROW.match(text) is not None and _STOPPED.search(text) is None


def quotable_parts(line: Line) -> Iterator[Line]:
    """The piece itself; where lines of code or headings are in it, each of them alone, the prose between together.

    A docstring ends such a piece.
    """
    text = line.text
    if "\n" not in text:
        yield line
        return
    rows = text.splitlines(keepends=True)
    coded = [is_code(row) or bool(_SILENT.match(row) or _DEFINES_LINK.match(row)) for row in rows]
    ended = [_END_QUOTES.search(row) is not None for row in rows]
    if not any((*coded, *ended[:-1])):
        yield line
        return
    at = begun = line.start
    for row, alone, after in zip(rows, map(or_, coded, ended), (*coded[1:], True), strict=True):
        at += len(row)
        if alone or after:
            yield from _cut(line.excerpt, begun, at)
            begun = at


def _joined_comments(pieces: Sequence[Line]) -> list[Line]:
    """The pieces, rows of comment that are one sentence as one."""
    made: list[Line] = []
    for line in pieces:
        last = made[-1] if made else line
        both = (
            _COMMENT.match(last.text)
            and _COMMENT.match(line.text)
            and not line.excerpt.text[last.end : line.start].strip()
        )
        if last is not line and both and not _STOPPED.search(last.text):
            made[-1] = Line(line.excerpt, last.start, line.end, last.roots | line.roots)
        else:
            made.append(line)
    return made


def _bare(line: Line) -> Line:
    """A sentence of a docstring without the quotes around that."""
    text = line.text
    first = _QUOTES.match(text)
    last = _END_QUOTES.search(text)
    start, end = first.end() if first else 0, last.start() if last else len(text)
    if start >= end or end - start == len(text):
        return line
    return Line(line.excerpt, line.start + start, line.start + end, line.roots)


def _cut(excerpt: Excerpt, start: int, end: int) -> Iterator[Line]:
    piece = excerpt.text[start:end]
    body = piece.strip()
    words = roots(body)
    if words:
        first = start + len(piece) - len(piece.lstrip())
        yield Line(excerpt, first, first + len(body), words)


def _is_silent(line: Line) -> bool:
    """Whether it says nothing by itself: a heading, a fence, a rule, a question, a lead-in, a lone word."""
    text = line.text
    if _SILENT.match(text) or _ASKS.search(text) or (_LEADS.search(text) and not is_code(text)):
        return True
    if len(line.roots) < 2 or _is_title(line):
        return True
    return _UNDERLINED.match(line.excerpt.text[line.end : line.end + 200]) is not None


def _is_title(line: Line) -> bool:
    """Whether it is the short first line of a file, with no stop at its end and a blank line after it."""
    text, whole = line.text, line.excerpt.text
    opens = line.excerpt.start == 0 and not whole[: line.start].strip()
    if not opens or len(text) > LONGEST_TITLE or "\n" in text or _STOPPED.search(text) or is_code(text):
        return False
    return _TITLED.match(whole, line.end) is not None


def _edges(excerpt: Excerpt, text_of: TextOf | None) -> tuple[int, int]:
    """Where the first whole sentence of an excerpt begins, and where the last one ends, in its text."""
    text, end = excerpt.text, len(excerpt.text)
    start = max(0, excerpt.start - AROUND)
    around = text_of(excerpt.path, start, excerpt.end + AROUND) if text_of is not None else None
    at = excerpt.start - start
    if around is None or around[at : at + end] != text:
        cut = excerpt.start > 0 and text[:1].islower()
        return (1 if cut else 0), end
    spans = sentences(around)
    first = min((a - at for a, _ in spans if a >= at), default=0)
    last = max((b - at for _, b in spans if b <= at + end), default=end)
    return first, last


def _is_fragment(line: Line, edges: tuple[int, int]) -> bool:
    return line.start < edges[0] or line.end > edges[1]
