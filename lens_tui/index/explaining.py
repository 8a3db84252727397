"""Why a hit is where it is: which words it holds and where, what it was ordered by, how its score comes about."""

from collections.abc import Iterator
from typing import Literal

from lens_tui.index import ranking
from lens_tui.index.matching import Ranked
from lens_tui.index.ranking import Candidate
from lens_tui.index.store import Row
from lens_tui.text.words import occurrences, terms
from lens_tui.types import AskedWord, Explanation, Retriever

Where = Literal["", "text", "heading", "title", "path", "context"]


def explained(one: Candidate, row: Row, words: Ranked, retriever: Retriever, value: float) -> Explanation:
    """Explain a hit.

    Args:
        one: The candidate, read (ranking.read).
        row: Its chunk.
        words: What full text was asked and found.
        retriever: The one that was really used.
        value: What it was ordered by.
    """
    total = sum(words.idf.values())
    if not one.why:
        return Explanation((), value, "in the order of paths", "1: it passes every filter, and no word was asked for")
    return Explanation(
        words=tuple(_words(row, words, total)),
        value=round(value, 4),
        order=ranking.order_told(one, retriever, value),
        score=ranking.score_told(one, total),
    )


def _words(row: Row, words: Ranked, total: float) -> Iterator[AskedWord]:
    places = _places(row, {*words.idf, *words.alike})
    for term, tells in words.idf.items():
        forms = [term, *(form for form, (stands, _) in words.alike.items() if stands == term)]
        found = next((form for form in forms if form in places), "")
        share = round(tells / total, 3) if total else 0.0
        yield AskedWord(term, share, found, places.get(found, ""))


def _places(row: Row, wanted: set[str]) -> dict[str, Where]:
    """Where each of the terms stands first, the text before all else."""
    chunk = row.chunk
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
