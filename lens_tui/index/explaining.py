"""Why a hit is where it is: which words it holds and where, what it was ordered by, how its score comes about."""

from collections.abc import Iterator
from typing import Literal

from lens_tui.index import ranking
from lens_tui.index.ranking import Candidate
from lens_tui.index.sought import Sought
from lens_tui.index.store import Row
from lens_tui.text.words import occurrences, terms
from lens_tui.types import AskedWord, Explanation, Retriever

Where = Literal["", "text", "heading", "title", "path", "context"]


def explained(one: Candidate, row: Row, sought: Sought, retriever: Retriever, value: float) -> Explanation:
    """Explain a hit.

    Args:
        one: The candidate, read (ranking.read).
        row: Its chunk.
        sought: What was asked for, and what was searched in its stead.
        retriever: The one that was really used.
        value: What it was ordered by.
    """
    if not one.why:
        return Explanation((), value, "in the order of paths", "1: it passes every filter, and no word was asked for")
    return Explanation(
        words=tuple(_words(row, sought)),
        value=round(value, 4),
        order=ranking.order_told(one, retriever, value),
        score=ranking.score_told(one),
    )


def _words(row: Row, sought: Sought) -> Iterator[AskedWord]:
    places = _places(row, sought)
    for term in sought.idf:
        # The form that meets the word best, the first of several.
        met = [(share, form) for form in places for one, share in [sought.meant(form)] if one == term]
        found = max(met, key=lambda one: one[0])[1] if met else ""
        share = round(sought.worth.get(term, 0.0) / sought.total, 3) if sought.total else 0.0
        yield AskedWord(term, share, found, places.get(found, ""))


def _places(row: Row, sought: Sought) -> dict[str, Where]:
    """Where each wanted term stands first, the text before all else."""
    chunk, wanted = row.chunk, sought.everything()
    found: dict[str, Where] = {word.term: "text" for word in occurrences(chunk.text, wanted)}
    beside: tuple[tuple[Where, str], ...] = (
        ("heading", "\n".join(chunk.heading)),
        ("title", row.title),
        ("path", chunk.path),
        ("context", chunk.context or ""),
    )
    for where, text in beside:
        for term in terms(text) if text else ():
            if term in wanted:
                found.setdefault(term, where)
    return found
