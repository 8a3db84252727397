"""Members of JSON, in all of a file or in a part of one: values with their keys, and what a list holds as one each."""

import re
from dataclasses import dataclass, field

ENDINGS = (".json", ".jsonl", ".ndjson", ".geojson", ".webmanifest", ".har")

TOKEN = re.compile(r'"[^"\\\n]*(?:\\.[^"\\\n]*)*"|[{}\[\],]|[^\s"{}\[\],:]+')
"""A string, a bracket, a comma, or a number or word."""

LONGEST = 600
"""Characters up to which an object in a list, or a list of plain values, is one member: its values belong together."""

_COLON = re.compile(r"\s*:")


@dataclass(frozen=True, slots=True)
class Member:
    """One member: ``text[start:end]``, its key included."""

    start: int
    end: int
    above: str
    """The keys that it stands under."""


@dataclass(slots=True)
class _Open:
    """An object, a list or a text, as far as it is read."""

    bracket: str
    start: int
    key: str = ""
    above: str = ""
    """The keys over its members, its own among them."""
    found: list[Member] = field(default_factory=list)
    values: int = 0
    """Values in it that are neither objects nor lists."""
    first: int = -1
    """Where the member at hand begins, with its key; -1: before it."""
    last: int = -1
    named: str = ""
    """Its key."""

    def close_value(self) -> None:
        """Put the value at hand, where there is one, to those before."""
        if 0 <= self.first < self.last:
            self.found.append(Member(self.first, self.last, self.above))
            self.values += 1
        self.first, self.last, self.named = -1, -1, ""

    def put(self, closed: "_Open", end: int) -> None:
        """Take what was open in it: as one member where that is short and a whole of its own, else those in it."""
        plain = closed.bracket == "[" and closed.values == len(closed.found)
        whole = plain or (closed.bracket == "{" and not closed.key)
        short = end - closed.start <= LONGEST
        self.found += [Member(closed.start, end, self.above)] if whole and short else closed.found
        self.first, self.last, self.named = -1, -1, ""


def members_of(text: str) -> list[Member]:
    """The members of a text in order, none within another; brackets that have no match are looked past."""
    top = _Open("", 0)
    stack = [top]
    tops: list[_Open] = []
    for token in TOKEN.finditer(text):
        now, sign = stack[-1], token[0]
        if sign in "{[":
            start = now.first if now.named else token.start()
            now.last = -1
            above = f"{now.above} {now.named}".strip()
            stack.append(_Open(sign, start, now.named, above))
        elif sign in "}]":
            now.close_value()
            if len(stack) > 1:
                stack.pop()
                tops += [now] if len(stack) == 1 else []
                stack[-1].put(now, token.end())
        elif sign == ",":
            now.close_value()
        else:
            if now.first < 0:
                now.first = token.start()
                now.named = sign if _COLON.match(text, token.end()) else ""
            now.last = token.end()
    for left in stack:
        left.close_value()
    alone = len(tops) == 1 and len(top.found) == 1
    return tops[0].found if alone else [member for left in stack for member in left.found]
