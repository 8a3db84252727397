"""Picking from a list by a few letters: what is a hit, which is better, and which letters to set bold."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pick:
    """One entry that the letters fit."""

    index: int
    """Its place in the list that was searched."""
    letters: tuple[int, ...]
    """Places in its text that were matched, ascending."""


def pick(query: str, texts: Sequence[str]) -> list[Pick]:
    """Entries that hold every letter of ``query`` in order, best first; all, in their own order, for an empty one.

    The letters as one word are best, at the beginning of a word before elsewhere; then letters that begin words; then
    letters that stand close. Equals keep the list's order. Case and blanks in the query do not matter.
    """
    wanted = "".join(query.lower().split())
    found: list[tuple[tuple[int, int, int], Pick]] = []
    for index, text in enumerate(texts):
        fitted = _fit(wanted, text.lower()) if len(text.lower()) == len(text) else _fit(wanted, text)
        if fitted is not None:
            rank, letters = fitted
            found.append((rank, Pick(index, letters)))
    if wanted:
        found.sort(key=lambda each: each[0])
    return [each for _, each in found]


def _fit(wanted: str, text: str) -> tuple[tuple[int, int, int], tuple[int, ...]] | None:
    if not wanted:
        return (0, 0, 0), ()
    whole = _whole(wanted, text)
    if whole is not None:
        return (0 if _begins(text, whole) else 1, whole, len(text)), tuple(range(whole, whole + len(wanted)))
    starts = [place for place in range(len(text)) if _begins(text, place)]
    initials = _in_order(wanted, text, starts)
    if initials:
        return (2, initials[0], len(text)), initials
    letters = _in_order(wanted, text, range(len(text)))
    return ((3, letters[-1] - letters[0], letters[0]), letters) if letters else None


def _whole(wanted: str, text: str) -> int | None:
    """Where the letters stand together, at the beginning of a word if they do so anywhere."""
    places = [place for place in range(len(text)) if text.startswith(wanted, place)]
    return next((place for place in places if _begins(text, place)), places[0] if places else None)


def _begins(text: str, place: int) -> bool:
    return text[place].isalnum() and (place == 0 or not text[place - 1].isalnum())


def _in_order(wanted: str, text: str, places: Sequence[int]) -> tuple[int, ...]:
    """The first of ``places`` that spell ``wanted``; empty where they do not."""
    letters: list[int] = []
    for place in places:
        if len(letters) < len(wanted) and text[place] == wanted[len(letters)]:
            letters.append(place)
    return tuple(letters) if len(letters) == len(wanted) else ()
