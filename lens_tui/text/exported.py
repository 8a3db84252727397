"""An answer as Markdown that people and ``lens-tui verify`` read: the text, then ``Sources:`` and what it cites."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from lens_tui.errors import UsageError
from lens_tui.text.display import one_line
from lens_tui.types import Citation, Excerpt, Lines

_HEAD = re.compile(r"^[ \t]*\**Sources:?\**:?[ \t]*$", re.M)
_ROW = re.compile(
    r"(?:[-*+][ \t]+)?\[(?P<number>\d{1,4})\]:?[ \t]+(?P<path>.+?)(?::(?P<first>\d+)(?:[-–](?P<last>\d+))?)?"
)


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


def read_sources(text: str) -> tuple[str, list[Listed]]:
    """An exported answer's text, and its list of sources, which is the last one that a line ``Sources:`` begins.

    Raises:
        UsageError: There is no list, or a line of it is not ``[1] path:first-last``.
    """
    form = "Its end must be a line Sources: and one for each source, such as: [1] house/lease.md:9-14"
    heads = list(_HEAD.finditer(text))
    if not heads:
        raise UsageError("The text has no list of sources.", hint=form)
    body = text[: heads[-1].start()]
    first = text.count("\n", 0, heads[-1].end()) + 2
    sources: list[Listed] = []
    for line, row in enumerate(text[heads[-1].end() + 1 :].split("\n"), first):
        if not row.strip():
            continue
        found = _ROW.fullmatch(row.strip())
        if found is None:
            raise UsageError(f"Line {line} of the text is not a source: “{one_line(row.strip())[:80]}”.", hint=form)
        low = int(found["first"]) if found["first"] else None
        lines = (low, max(low, int(found["last"] or low))) if low else None
        sources.append(Listed(int(found["number"]), found["path"].strip("`"), lines))
    return body, sources
