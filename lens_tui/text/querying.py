"""The query language of a search: filters, phrases and exclusions among its words.

``path:drafts/``, ``type:md``, ``tag:idea``, ``"exact phrase"`` and ``-word``, anywhere in a query; a filter and a
phrase can be excluded with ``-`` too, and a filter's value can be quoted. Full-width signs and curly quotes count as
their plain forms. What is no valid filter is searched as it stands, and a note says so.
"""

import difflib
import re
from dataclasses import dataclass, field
from typing import Literal, get_args

from lens_tui.text.words import asked
from lens_tui.types import Filter, Query, Retriever

Kind = Literal["path", "type", "tag"]

KINDS: tuple[Kind, ...] = get_args(Kind)

QUOTES = {'"': '"', "“": "”“", "„": "“”", "”": "”", "＂": "＂", "«": "»"}
"""Opening quote → the signs that close it."""

_MINUS = "-－−"
_NAME = re.compile(r"(?P<name>[^\W\d_]+)[:：](?P<value>.*)", re.DOTALL)
_LOOKS_LIKE_FILTER = re.compile(r"[A-Za-z]{2,12}\Z")
_NO_FILTER = re.compile(r"[:/\\]")
"""What follows the colon of ``http://``, ``std::vector`` and ``C:\\``."""


@dataclass(slots=True)
class _Parts:
    """What has been read so far."""

    words: list[str] = field(default_factory=list)
    phrases: list[str] = field(default_factory=list)
    excluded: list[str] = field(default_factory=list)
    filters: list[Filter] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def parse(text: str, retriever: Retriever = "lexical", *, typing: bool = False, explain: bool = False) -> Query:
    """Read a search as a person types it.

    Args:
        text: As typed.
        retriever: Who is to find it.
        typing: The last word is a beginning, and what is not closed yet is not told.
        explain: Hits are to say why they are where they are.
    """
    parts = _Parts()
    last = ""
    at = 0
    while at < len(text):
        if text[at].isspace():
            at, last = at + 1, ""
            continue
        at, last = _token(text, at, parts, typing=typing)
    return Query(
        text=text,
        retriever=retriever,
        words=" ".join(parts.words),
        phrases=tuple(dict.fromkeys(parts.phrases)),
        excluded=tuple(dict.fromkeys(parts.excluded)),
        filters=tuple(dict.fromkeys(parts.filters)),
        beginning=last if typing else "",
        explain=explain,
        notes=tuple(dict.fromkeys(parts.notes)),
    )


def _token(text: str, at: int, parts: _Parts, *, typing: bool) -> tuple[int, str]:
    """Read what begins at ``at``. Returns where it ends, and the word that ends there, if it is a plain one."""
    begin = at
    excluded = text[at] in _MINUS and at + 1 < len(text) and not text[at + 1].isspace() and text[at + 1] not in _MINUS
    if excluded:
        at += 1
    if text[at] in QUOTES:
        phrase, end = _quoted(text, at)
        if phrase is not None:
            if phrase.strip():
                (parts.excluded if excluded else parts.phrases).append(phrase.strip())
            return end, ""
        if not typing and text[at + 1 :].strip():
            parts.notes.append(f"The quote before {_begin(text[at + 1 :])} is not closed, so it is searched as words.")
        at += 1
        if at >= len(text) or text[at].isspace():
            return at, ""
    end = _word_end(text, at)
    found = _filter(text, at, end, parts, excluded=excluded)
    if found:
        return found, ""
    word = text[at:end]
    if not excluded:
        parts.words.append(word)
    elif asked(word):
        parts.excluded.append(word)
    else:
        parts.words.append(text[begin:end])
    return end, "" if excluded else word


def _filter(text: str, at: int, end: int, parts: _Parts, *, excluded: bool) -> int:
    """Take a filter in. Returns where it ends; 0 where there is none, told where it looks like one."""
    match = _NAME.match(text, at, end)
    if match is None:
        return 0
    name, value = match["name"].lower(), match["value"]
    kind = next((kind for kind in KINDS if kind == name), None)
    if kind is None:
        if value and _LOOKS_LIKE_FILTER.match(match["name"]) and not _NO_FILTER.match(value):
            near = difflib.get_close_matches(name, KINDS, 1)
            hint = f"Did you mean {near[0]}:?" if near else "Filters are path:, type: and tag:."
            parts.notes.append(f"There is no filter {name}:, so it is searched as it stands. {hint}")
        return 0
    start = match.start("value")
    if value and value[0] in QUOTES:
        quoted, close = _quoted(text, start)
        if quoted is not None:
            value, end = quoted.strip(), close
        else:
            value = value[1:]
            parts.notes.append(f"The quote after {name}: is not closed, so it ends at the next space.")
    if not value:
        parts.notes.append(f"{name}: names nothing, so it is searched as it stands. Write it as in {_EXAMPLES[kind]}.")
        return 0
    parts.filters.append(Filter(kind, value, excluded))
    return end


_EXAMPLES = {"path": "path:drafts/", "type": "type:md", "tag": "tag:idea"}


def _quoted(text: str, at: int) -> tuple[str | None, int]:
    """What stands between the quote at ``at`` and the one that closes it, and where that ends; None where none does."""
    closing = QUOTES[text[at]]
    for end in range(at + 1, len(text)):
        if text[end] in closing:
            return text[at + 1 : end], end + 1
    return None, at


def _word_end(text: str, at: int) -> int:
    """Where the word that begins at ``at`` ends; a value's quotes hold it together."""
    while at < len(text) and not text[at].isspace():
        if text[at] in QUOTES and text[at - 1] in ":：" and _quoted(text, at)[0] is not None:
            return _quoted(text, at)[1]
        at += 1
    return at


def _begin(text: str) -> str:
    words = text.split()
    return " ".join(words[:3]) + (" …" if len(words) > 3 else "")
