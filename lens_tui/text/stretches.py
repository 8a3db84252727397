"""Which stretch of a text holds most of what was asked for: windows over the words that were found in it."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

ALMOST = 1e-9
"""Sums of the same numbers in another order differ by less."""


class Mark(NamedTuple):
    """What stands for a term of the question in a text."""

    start: int
    end: int
    term: str
    worth: float = 1.0


def stretches(marks: Sequence[Mark], about: int) -> Iterator[tuple[int, int, float]]:
    """From each mark on, the marks that end within ``about`` characters, and what they are worth, each term once.

    Args:
        marks: In order; one that is longer than that begins no stretch.
        about: Characters.

    Yields:
        (first, past, worth): ``marks[first:past]``.
    """
    there: dict[str, int] = {}
    value, past = 0.0, 0
    for first, (start, _, term, worth) in enumerate(marks):
        while past < len(marks) and marks[past][1] <= start + about:
            _, _, other, more = marks[past]
            held = there[other] = there.get(other, 0) + 1
            value += more if held == 1 else 0.0
            past += 1
        if past <= first:
            past = first + 1
            continue
        yield first, past, value
        there[term] -= 1
        value -= 0.0 if there[term] else worth
