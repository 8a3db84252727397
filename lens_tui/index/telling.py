"""Sentences on what a search did not find, and why."""

import re

from lens_tui.index import ranking
from lens_tui.index.filtering import written
from lens_tui.index.matching import Ranked
from lens_tui.text.listing import listed
from lens_tui.text.stopwords import STOP_WORDS
from lens_tui.text.words import asked, is_cjk
from lens_tui.types import Query

LISTED = 5
"""Missing words that are named."""

MUCH = 0.5
"""Share of what a question asks for that must be missing for that to be told: one odd word of many is no news."""


NOTHING_INDEXED = "The index holds no text."
"""Whatever is searched, while no file with text has been read."""


def of_words(query: Query, words: Ranked) -> list[str]:
    """Which words are nowhere in the index: any of a search's, and of a question's where most of it is missing.

    Pairs of characters, which nobody typed as words, are never listed, nor are a language's little words.
    """
    missing = [term for term in words.unknown if not any(is_cjk(char) for char in term) and not _is_little(term)]
    if not missing:
        return []
    if not query.is_search:
        total = sum(tells for term, tells in words.idf.items() if not _is_little(term))
        if sum(words.idf[term] for term in missing) <= MUCH * total:
            return []
    typed = _as_typed(query)
    return [f"Not in the index: {listed([typed.get(term, term) for term in missing], LISTED)}."]


def of_spelling(query: Query, words: Ranked) -> list[str]:
    """Which words of a search are nowhere in the index, and which like them were searched; nothing of a question."""
    if not (query.is_search and words.respelled):
        return []
    typed = _as_typed(query)
    return [
        f"Not in the index: {typed.get(term, term)}; similar words were searched: {', '.join(instead[:LISTED])}."
        for term, instead in list(words.respelled.items())[:LISTED]
        if instead
    ]


def of_checks(query: Query) -> list[str]:
    """Why nothing is left of what was found, where phrases and excluded words are to blame."""
    wanted = " and ".join(f'"{phrase}"' for phrase in query.phrases)
    unwanted = " or ".join(query.excluded)
    where = f" of {' '.join(written(one) for one in query.filters)}" if query.filters else ""
    if wanted and unwanted:
        return [f"No chunk{where} holds {wanted} word for word and not {unwanted}."]
    if wanted:
        return [f"No chunk{where} holds {wanted} word for word."]
    return [f"Every chunk{where} that was found holds {unwanted}, which is left out."]


def of_filters(query: Query, without: int, *, most: int) -> list[str]:
    """Why nothing is left: other files hold the words."""
    found = f"{without:,} or more chunks match" if without >= most else f"{without:,} chunks match"
    if without == 1:
        found = "One chunk matches"
    return [f"{found} the words, but none within {' '.join(written(one) for one in query.filters)}."]


def of_far_ones(many: int, least: float) -> str:
    """What of the nearest vectors is no hit."""
    what = "One passage that vectors name is" if many == 1 else f"{many:,} passages that vectors name are"
    return f"{what} left out: a cosine below {least:g} shares too little."


def of_nothing(query: Query, words: Ranked, best: tuple[float, str] | None, least: float | None = None) -> list[str]:
    """Why nothing is there, where no filter is to blame; ``least`` is the cosine that was needed, by vectors alone."""
    what = "search" if query.is_search else "question"
    if best is not None:
        score, path = best
        needed = ranking.LEAST_SHARE if least is None else least
        return [
            f"Nothing in the index shares enough with this {what}: the best, {path}, scores {score:.3f},"
            f" and less than {needed:g} is not shown."
        ]
    missing = of_words(query, words)
    return [] if missing else [f"Nothing in the index shares enough with this {what}."]


def _as_typed(query: Query) -> dict[str, str]:
    """Term → the word of the query that it stands for: ``heißt``, which is looked for as ``heisst``."""
    words = ((asked(word), word) for word in re.findall(r"\w+", query.searched))
    return {terms[0]: word for terms, word in words if len(terms) == 1}


def _is_little(term: str) -> bool:
    return term in STOP_WORDS
