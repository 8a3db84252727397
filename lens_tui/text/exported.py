"""An answer as Markdown that people and ``lens-tui verify`` read: the text, then ``Sources:`` and what it cites."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lens_tui.errors import UsageError
from lens_tui.text.display import one_line
from lens_tui.types import Citation, Excerpt, Lines, Span

FORM = "Its end must be a line Sources: and one for each source, such as: [1] house/lease.md:9-14"

_HEAD = re.compile(r"^[ \t]*\**Sources:?\**:?[ \t]*$", re.M)
_ROW = re.compile(
    r"(?:[-*+][ \t]+)?\[(?P<number>\d{1,4})\]:?[ \t]+(?P<path>.+?)(?::(?P<first>\d+)(?:[-–](?P<last>\d+))?)?"
)

_TITLE = re.compile(r"# .*\n\s*(?=## )")
_TURN = re.compile(
    r"^## .*\n\n(?:>.*\n)*\n?\*\d{4}-\d\d-\d\d \d\d:\d\d(?:, .*)?\*\n"
    r"(?:\nStopped before its end\.\n)?(?:\n?Checked: \d+ of \d+ citations supported\.\n)?"
    r"(?:\n?- citation of excerpt \d+ is .*\n)*(?:\n?- \d+ sentences? without a citation\n)?",
    re.M,
)
"""What a conversation's export writes above each answer: the question, when it was asked, and how it was judged."""
_FAILED = re.compile(r"^\*Failed: .*\*\s*\Z", re.M)
"""What it writes below one that failed."""


@dataclass(frozen=True, slots=True)
class Listed:
    """One row of a list of sources."""

    number: int
    path: str
    """Relative to the folder, with ``/``."""
    lines: Lines | None
    """None where the whole file is meant."""


def listed(excerpt: Excerpt) -> str:
    """An excerpt's row in a list of sources: ``[1] path:first-last``, both also of a single line."""
    return f"[{excerpt.number}] {one_line(excerpt.path)}:{excerpt.lines[0]}-{excerpt.lines[1]}"


def with_sources(text: str, citations: Sequence[Citation], excerpts: Sequence[Excerpt]) -> str:
    """The answer with a list of the excerpts that it cites, ``[1] path:first-last`` each; ends with a line end."""
    cited = {citation.number for citation in citations}
    rows = [listed(excerpt) for excerpt in excerpts if excerpt.number in cited]
    body = text.rstrip()
    return "\n".join([body, "", "Sources:", "", *rows]) + "\n" if rows else f"{body}\n"


@dataclass(frozen=True, slots=True)
class Exported:
    """One answer of a text."""

    span: Span
    """In the text: what the answer says, without what an export writes around it."""
    sources: tuple[Listed, ...]
    """Of the list that follows it; none where none does."""


def read_answers(text: str) -> list[Exported]:
    """The answers of a text, in order: each ends in a line ``Sources:`` and the list that it rests on.

    A list ends at a heading, or where the next answer begins; without an answer between two lists, the last one counts.
    The questions, dates and judgements of an exported conversation are no part of its answers.

    Raises:
        UsageError: There is no list, or a line of it is not ``[1] path:first-last``.
    """
    if not _HEAD.search(text):
        raise UsageError("The text has no list of sources.", hint=FORM)
    turns = list(_TURN.finditer(text))
    title = _TITLE.match(text) if turns else None
    starts = [title.end() if title else 0, *(turn.end() for turn in turns)]
    ends = [*(turn.start() for turn in turns), len(text)]
    stretches = zip(starts, ends, strict=True)
    return [answer for start, end in stretches for answer in _answers(text, start, end, strict=not turns)]


def _answers(text: str, start: int, end: int, *, strict: bool) -> Iterator[Exported]:
    """The answers of a stretch of a text; ``strict`` where its last line ``Sources:`` must begin a list."""
    failed = _FAILED.search(text, start, end)
    end = failed.start() if failed else end
    heads = list(_HEAD.finditer(text, start, end))
    for at, head in enumerate(heads):
        following = heads[at + 1].start() if at + 1 < len(heads) else None
        sources, stop = _listed_below(text, head.end(), following or end, strict=strict and following is None)
        if sources and stop != following:
            yield Exported((start, head.start()), sources)
            start = stop
    if text[start:end].strip():
        yield Exported((start, end), ())


def _listed_below(text: str, start: int, end: int, *, strict: bool) -> tuple[tuple[Listed, ...], int]:
    """The rows of a list, and where it ends.

    ``strict`` raises UsageError for what is neither a row nor a heading, else that ends the list.
    """
    sources: list[Listed] = []
    at = start
    while at < end:
        stop = text.find("\n", at, end) + 1 or end
        row = text[at:stop].strip()
        found = _ROW.fullmatch(row)
        if found is not None:
            sources.append(_read(found))
        elif row and strict and not (sources and row.startswith("#")):
            line = text.count("\n", 0, at) + 1
            raise UsageError(f"Line {line} of the text is not a source: “{one_line(row)[:80]}”.", hint=FORM)
        elif row:
            return tuple(sources), at
        at = stop
    return tuple(sources), end


def _read(row: "re.Match[str]") -> Listed:
    low = int(row["first"]) if row["first"] else None
    lines = (low, max(low, int(row["last"] or low))) if low else None
    return Listed(int(row["number"]), row["path"].strip("`"), lines)
