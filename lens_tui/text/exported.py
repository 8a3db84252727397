"""An answer as Markdown that people and ``lens-tui verify`` read: the text, then ``Sources:`` and what it cites."""

from collections.abc import Sequence

from lens_tui.text.display import one_line
from lens_tui.types import Citation, Excerpt


def with_sources(text: str, citations: Sequence[Citation], excerpts: Sequence[Excerpt]) -> str:
    """The answer with a list of the excerpts that it cites, ``[1] path:first-last`` each; ends with a line end."""
    cited = {citation.number for citation in citations}
    rows = [f"[{e.number}] {one_line(e.path)}:{e.lines[0]}-{e.lines[1]}" for e in excerpts if e.number in cited]
    body = text.rstrip()
    return "\n".join([body, "", "Sources:", "", *rows]) + "\n" if rows else f"{body}\n"
