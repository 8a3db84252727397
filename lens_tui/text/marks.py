"""Citation marks in an answer: ``[1]``, ``[1, 2]``, ``[1-3]``, ``【1】``, ``［１］``; none in code or links."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from lens_tui.types import Span

WIDEST_RANGE = 50
"""Numbers that a range may name, the most excerpts that a search gives; of a wider one only both ends are taken."""

_DASH = r"\-‐‑‒–—−－～~"
_ITEM = rf"\d{{1,3}}(?:\s?[{_DASH}]\s?\d{{1,3}})?"
_LIST = rf"\s?{_ITEM}(?:\s?[,，、;；]\s?{_ITEM})*\s?"
_MARK = re.compile(rf"\[{_LIST}\](?!\()|【{_LIST}】|［{_LIST}］")
"""Three digits at most: ``[2024]`` is a year."""

_UNFINISHED = re.compile(rf"[\[【［][\d\s,，、;；{_DASH}]{{0,60}}\Z")
_DEFINITION = re.compile(r"[ \t]*\Z")
_RANGE = re.compile(rf"(\d+)(?:\s?[{_DASH}]\s?(\d+))?")
_FENCE = re.compile(r"^[ \t>]*(`{3,}|~{3,})([^\n]*)$", re.M)
_TICKS = re.compile(r"`+")


@dataclass(frozen=True, slots=True)
class Mark:
    """One mark: where it stands, and the excerpts that it names."""

    start: int
    end: int
    numbers: tuple[int, ...]
    """In the order named, each once."""


def marks(text: str) -> list[Mark]:
    """Every mark of an answer, in order."""
    found = list(_MARK.finditer(text))
    if not found:
        return []
    code = code_spans(text)
    return [
        Mark(match.start(), match.end(), _numbers(match[0]))
        for match in found
        if not _defines(text, match) and not any(start <= match.start() < end for start, end in code)
    ]


def code_spans(text: str) -> list[Span]:
    """Where code stands, in order: fenced blocks with their fences (an open one to the end), and backtick spans."""
    found: list[Span] = []
    at = 0
    for start, end in _fences(text):
        found.extend(_inline(text, at, start))
        found.append((start, end))
        at = end
    found.extend(_inline(text, at, len(text)))
    return found


class Held:
    """Holds back a mark that is unfinished at the end of a stream, so that no half of one is ever drawn."""

    def __init__(self) -> None:
        """Begin before the first piece."""
        self._kept = ""

    def feed(self, piece: str) -> str:
        """Take the next piece. Returns what is safe to draw after what was returned before."""
        text = self._kept + piece
        unfinished = _UNFINISHED.search(text)
        cut = unfinished.start() if unfinished else len(text)
        self._kept = text[cut:]
        return text[:cut]

    def end(self) -> str:
        """Return what is still held when the stream is over."""
        kept, self._kept = self._kept, ""
        return kept


def _numbers(mark: str) -> tuple[int, ...]:
    plain = unicodedata.normalize("NFKC", mark)
    found: dict[int, None] = {}
    for first, last in _RANGE.findall(plain):
        low, high = int(first), int(last or first)
        found.update(dict.fromkeys(range(low, high + 1) if 0 <= high - low < WIDEST_RANGE else (low, high)))
    return tuple(found)


def _defines(text: str, match: re.Match[str]) -> bool:
    """Whether it is a link's definition: ``[1]: …`` at the beginning of a line."""
    line = text.rfind("\n", 0, match.start()) + 1
    return text.startswith(":", match.end()) and _DEFINITION.match(text[line : match.start()]) is not None


def _fences(text: str) -> Iterator[Span]:
    opened: re.Match[str] | None = None
    for match in _FENCE.finditer(text):
        if opened is None:
            if match[1][0] != "`" or "`" not in match[2]:
                opened = match
        elif match[1].startswith(opened[1]) and not match[2].strip():
            yield opened.start(), match.end()
            opened = None
    if opened is not None:
        yield opened.start(), len(text)


def _inline(text: str, start: int, end: int) -> Iterator[Span]:
    """Backtick spans within one paragraph of ``text[start:end]``; a run that nothing closes is literal."""
    at = start
    while opened := _TICKS.search(text, at, end):
        paragraph = text.find("\n\n", opened.end(), end)
        limit = end if paragraph < 0 else paragraph
        closing = next((run for run in _TICKS.finditer(text, opened.end(), limit) if run[0] == opened[0]), None)
        at = closing.end() if closing else opened.end()
        if closing:
            yield opened.start(), at
