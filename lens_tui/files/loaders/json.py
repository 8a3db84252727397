"""JSON and JSON Lines: the file's own text, and where its members are."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from lens_tui.files.decoding import is_binary
from lens_tui.files.loaders.plain import PlainLoader
from lens_tui.text.members import ENDINGS, TOKEN
from lens_tui.types import Document, Heading, Span

LARGE = 400
"""Characters, some hundred tokens: the members of what is longer are parts too, so that it can be cut between them."""

SMALL = 100
"""Characters up to which neighbours count as one part: a list of a million numbers has parts enough."""

DEEPEST = 6
"""Levels that a heading can have."""

LONGEST_KEY = 200

_PAIRS = {"}": "{", "]": "["}


@dataclass(slots=True)
class _Member:
    """A value, with its key where it has one."""

    start: int
    end: int
    title: str
    """Its key, or its number in a list such as ``[3]``; empty for several small ones together."""
    members: "list[_Member]"
    """Those in it, where it is large."""


@dataclass(slots=True)
class _Open:
    """An object or a list whose end is not found yet."""

    bracket: str
    start: int
    members: list[_Member] = field(default_factory=list)
    count: int = 0
    key: str = ""
    first: int = -1
    """Where the member at hand begins; -1: before it."""
    last: int = -1
    inside: list[_Member] = field(default_factory=list)
    """Members of the member at hand."""


class JsonLoader:
    """Reads JSON; members of objects and lists are parts, one in another where that is large, with keys as headings."""

    kind = "json"

    def reads(self, path: str, head: bytes) -> bool:
        """Whether the name ends as JSON's and the head is text."""
        return path.lower().endswith(ENDINGS) and not is_binary(head)

    def load(self, path: str, data: bytes) -> Document:
        """Decode, and find the members. What is no JSON is plain text, with a warning.

        Raises:
            FileUnreadable: The byte order mark is wrong.
        """
        document = PlainLoader().load(path, data)
        members = _members(document.text)
        if members is None:
            warning = "Its brackets do not match as JSON's do, so it was read as plain text."
            return replace(document, kind=self.kind, warnings=(*document.warnings, warning))
        headings, parts = _outline(members)
        return replace(document, kind=self.kind, headings=headings, parts=parts)


def _members(text: str) -> list[_Member] | None:
    """Everything at the top: the members of the one value there, else the values; None where brackets do not match."""
    top = _Open("", 0)
    stack = [top]
    for token in TOKEN.finditer(text):
        now, sign = stack[-1], token[0]
        if sign in "{[":
            if now.first < 0:
                now.first = token.start()
            stack.append(_Open(sign, token.start()))
        elif sign in "}]":
            if now.bracket != _PAIRS[sign]:
                return None
            _close_member(now)
            stack.pop()
            outer = stack[-1]
            outer.last = token.end()
            outer.inside = now.members if token.end() - now.start > LARGE else []
            if outer is top:
                _close_member(top)
        elif sign == ",":
            _close_member(now)
        else:
            if now.first < 0:
                now.first = token.start()
                now.key = sign if now.bracket == "{" else ""
            now.last = token.end()
    if len(stack) > 1:
        return None
    _close_member(top)
    if len(top.members) != 1:
        return top.members
    only = top.members[0]
    only.title = ""
    return only.members or [only]


def _close_member(now: _Open) -> None:
    """Put the member at hand, where there is one, to those before; small ones in a row become one."""
    if now.first < 0:
        return
    before = now.members[-1] if now.members else None
    if before is not None and not before.members and now.last - before.start <= SMALL:
        before.end, before.title = now.last, ""
    else:
        title = _key(now.key) if now.bracket == "{" else f"[{now.count}]"
        now.members.append(_Member(now.first, now.last, title, now.inside))
    now.count += 1
    now.key, now.first, now.last, now.inside = "", -1, -1, []


def _key(quoted: str) -> str:
    try:
        key = str(json.loads(quoted))
    except ValueError:
        key = quoted
    return " ".join(key.encode("utf-8", "replace").decode().split())[:LONGEST_KEY]


def _outline(members: list[_Member]) -> tuple[tuple[Heading, ...], tuple[Span, ...]]:
    """Headings and parts in the order of the text, those of a large member after it."""
    headings: list[Heading] = []
    parts: list[Span] = []
    for depth, member in _each(members):
        # What has no name of its own still ends what the name before it holds.
        if depth <= DEEPEST:
            headings.append(Heading(member.start, depth, member.title))
        parts.append((member.start, member.end))
    return tuple(headings), tuple(parts)


def _each(members: list[_Member]) -> Iterator[tuple[int, _Member]]:
    """Every member with its depth from 1, before those in it."""
    stack = [iter(members)]
    while stack:
        member = next(stack[-1], None)
        if member is None:
            stack.pop()
            continue
        yield len(stack), member
        if member.members:
            stack.append(iter(member.members))
