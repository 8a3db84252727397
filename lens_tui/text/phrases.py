"""Where a phrase stands in a text word for word, whatever its case, width, and the white space between its words.

A phrase begins and ends where words do in scripts that are written with spaces: ``"read"`` is not in ``readFile``. In
those written without, and between their characters, a line break or a space changes nothing.
"""

import re
from functools import lru_cache

from lens_tui.text.words import PAIRED, normalised
from lens_tui.types import Span

_IS_PAIRED = re.compile(f"[{PAIRED}]")


def holds(text: str, phrase: str) -> bool:
    """Whether ``text`` holds ``phrase``; every text holds one without any sign."""
    pattern = _pattern(phrase)
    return pattern is None or pattern.search(_folded(normalised(text)[0])[0]) is not None


def places(text: str, phrase: str) -> list[Span]:
    """Where ``phrase`` stands in ``text``, in order, none overlapping."""
    pattern = _pattern(phrase)
    if pattern is None:
        return []
    norm, where = normalised(text)
    folded, origin = _folded(norm)
    found = []
    for match in pattern.finditer(folded):
        first, last = match.start(), match.end() - 1
        if origin is not None:
            first, last = origin[first], origin[last]
        found.append((first, last + 1) if where is None else (where[first][0], where[last][1]))
    return found


@lru_cache(maxsize=64)
def _pattern(phrase: str) -> re.Pattern[str] | None:
    text = _folded(normalised(phrase)[0])[0].strip()
    if not text:
        return None
    parts = []
    for at, char in enumerate(text):
        if char.isspace():
            if not text[at - 1].isspace():
                loose = _is_paired(text[at - 1]) or _is_paired(text[at:].lstrip()[0])
                parts.append(r"\s*" if loose else r"\s+")
            continue
        if at and _is_paired(char) and _is_paired(text[at - 1]):
            parts.append(r"\s*")
        parts.append(re.escape(char))
    before = f"(?<![^\\W{PAIRED}])" if _is_bordered(text[0]) else ""
    after = f"(?![^\\W{PAIRED}])" if _is_bordered(text[-1]) else ""
    return re.compile(f"{before}{''.join(parts)}{after}")


def _is_bordered(char: str) -> bool:
    return (char.isalnum() or char == "_") and not _is_paired(char)


def _is_paired(char: str) -> bool:
    return _IS_PAIRED.match(char) is not None


def _folded(norm: str) -> tuple[str, list[int] | None]:
    """The text casefolded and, where that made it longer (``ß``), the place of the character that each comes from."""
    folded = norm.lower() if norm.isascii() else norm.casefold()
    if len(folded) == len(norm):
        return folded, None
    return folded, [at for at, char in enumerate(norm) for _ in char.casefold()]
