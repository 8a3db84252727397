"""A bound on what is quoted: of a piece that runs on and on, the stretch in which most of what is asked stands."""

import re
from collections.abc import Mapping, Sequence

from lens_tui.answering.evidence import Line, root, roots
from lens_tui.text.stretches import ALMOST, Mark, stretches
from lens_tui.text.words import words
from lens_tui.types import Span

LONGEST = 600
"""Characters of a piece that is quoted whole: eight rows of 80 cells, and what is one member of a list in JSON."""

PART = 360
"""Characters of a longer one that are quoted at most: about what is said in three sentences."""

BORDER = 60
"""Characters in which a blank is looked for, so that no word is cut; beyond them any sign ends a word."""

_BLANK = re.compile(r"\s+")
_SIGN = re.compile(r"\b")


def bounded(line: Line, asked: Mapping[str, float]) -> Line:
    """The piece itself, or so much of it, word for word, as is worth most where it is longer than ``LONGEST``.

    Args:
        line: A piece of an excerpt.
        asked: What each word of the question is worth.
    """
    text = line.text
    if len(text) <= LONGEST:
        return line
    terms = ((word.start, word.end, root(word.term)) for word in words(text))
    start, end = _richest([Mark(first, last, term, asked[term]) for first, last, term in terms if term in asked])
    low = max(0, min(start - (PART - (end - start)) // 2, len(text) - PART))
    high = low + PART
    if low > 0:
        low = next(iter(_borders(text, low, min(start, low + BORDER))), low)
    if high < len(text):
        high = next(reversed(_borders(text, max(end, high - BORDER), high)), high)
    piece = text[low:high]
    first = line.start + low + len(piece) - len(piece.lstrip())
    body = piece.strip()
    return Line(line.excerpt, first, first + len(body), roots(body))


def _richest(marks: Sequence[Mark]) -> Span:
    """Where what is worth most together stands, the first of several; the beginning where there is nothing."""
    best, worth = (0, 0), 0.0
    for first, past, here in stretches(marks, PART):
        if here > worth + ALMOST:
            best, worth = (marks[first].start, marks[past - 1].end), here
    return best


def _borders(text: str, low: int, high: int) -> list[int]:
    """Places of ``text[low:high]`` at which no word is cut: its blanks, else where words begin and end."""
    blanks = [found.start() for found in _BLANK.finditer(text, low, high)]
    return blanks or [found.start() for found in _SIGN.finditer(text, low, high + 1) if found.start() <= high]
