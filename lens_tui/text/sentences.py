"""Sentences: where each begins and ends, in prose of many scripts, Markdown and lines of code.

Rules, not a model: an end is taken only where the rules are sure, so that a sentence is sometimes two, seldom a half.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from lens_tui.types import Span

_OPEN = "「『（〈《【〔［｛“"
_CLOSE = "」』）〉》】〕］｝”"
_CLOSERS = _CLOSE + "\"'’»)]*_"
"""Signs that still belong to a sentence after its last stop."""

_CLOSER = re.compile(rf"[{re.escape(_CLOSERS)}]|“(?!\S)|[ \u00a0\u202f]»")
"""One of them, or what closes quotes in German and, after a space, in French."""

_FULL_STOPS = "。｡！？।॥؟۔።។៕။‼⁇⁈⁉"
"""End a sentence wherever they stand outside brackets; no space is needed after them."""

_STOPS = ".!?…‥．"
"""End a sentence by what stands around them."""

DELIMITERS = (".", "!", "?", "。", "！", "？")
"""What a person calls the ends of sentences; the rules know more, and where these are none."""

_SIGN = re.compile(rf"[\n{re.escape(_FULL_STOPS + _STOPS + _OPEN + _CLOSE)}](?<!\.(?=[0-9A-Za-z]))")
"""One set, as it is searched ten times as fast as alternatives are; a stop within a name or a number ends nothing."""

_FULL_RUN = re.compile(f"[{re.escape(_FULL_STOPS + _STOPS)}]+")
_STOP_RUN = re.compile(f"[{re.escape(_STOPS)}]+")

_PLAIN_END = re.compile(r"([.!?]+[\"')\]*_’]*)\s+(?=\S)")
_BEYOND_PLAIN = re.compile(f"[…‥．»{re.escape(_FULL_STOPS + _OPEN + _CLOSE)}]")
"""What makes a text need all the rules."""

_BLANK = re.compile(r"[^\S\n]*(?:\n|\Z)")
_BLOCK = re.compile(
    r"[ \t]*(?=[#`~|>=\-*_+•・\d\u3000「『])"  # most lines begin with none of these, which is soon told
    r"(?:(?P<heading>\#{1,6}[ \t])|(?P<fence>`{3,}+(?=[^`\n]*(?:\n|\Z))|~{3,}+)|(?P<row>\|)|(?P<quote>>)"
    r"|(?P<rule>(?:={2,}[ \t]*|-{2,}[ \t]*|(?:[-*_][ \t]*){3,})(?:\n|\Z))"
    r"|(?P<item>(?:[-*+•・]|\d{1,9}[.)])[ \t]))|(?P<indent>\u3000|[「『])"
)
_AFTER = re.compile(r"\s*(?:[—–]\s)?[(\"'“‘«\[¿¡*_]*(\d|(?:[^\W\d_]['’]?)*)")
"""What follows a stop: its next word, or the first digit of a number."""

_BEFORE_WORD = re.compile(r".*[\s(\"'“‘«\[—–/]", re.DOTALL)


def _words(row: str) -> frozenset[str]:
    return frozenset(row.split())


_ABBREVIATIONS = _words(
    "mr mrs ms dr prof mt gen col sgt capt lt cmdr rev hon gov sen rep pres messrs mme mlle fr hr eds trans cf viz v "
    "vs ca approx e.g i.e z.b d.h u.a bzw vgl evtl ggf sog str abb bd jh hrsg s.o s.u m.e n.chr v.chr p.ex c.-à-d "
    "zzgl inkl exkl abzgl incl excl "
    "sr.ª sra srta dra ud uds ee avda ej sig dott dhr mevr dvs bl.a ul np tzv tzn mj tp т.е г гг им ул см рис"
)
"""Words whose full stop does not end a sentence."""

_BEFORE_NUMBERS = _words(
    "no nos nr núm č kl д стр fig figs eq eqs sec sect ch chap vol vols p pp pg pág par art ed tel "
    "jan feb mar apr jun jul aug sep sept oct okt nov dec dez abs kap ziff rz std sek max min"
)
"""Words whose full stop does not end a sentence before a number."""

_MILLISECONDS = re.compile(r"\d[ \u00a0\u202f]?\Z")
"""What stands before a ``ms`` that is no form of address."""

_MAY_END = _words(
    "etc st ft inc ltd co corp jr sr bros al a.m p.m ph.d b.a m.a b.sc m.sc u.s u.k e.u d.c usw т.д т.п др"
)
"""Words whose full stop ends a sentence only before a word that often begins one."""

_STARTERS = _words(
    "the this that these those it he she they we you i in on at but and so if when while after before however there "
    "here what who how why as for from to with no not then also thus its his her their our my a an "
    "der die das er sie es wir ich ein eine im am il elle ils nous je le la les un une el los las он она они это в"
)

_MONTHS = _words(
    "januar februar märz april mai juni juli august september oktober november dezember "
    "januari februari maj maart mei juni juli augustus leden února jahrhundert jahrhunderts jh"
)
"""A number and a stop before one of them is the third, not the end (``am 3. Mai``, ``im 19. Jahrhundert``)."""


def sentences(text: str) -> list[Span]:
    """Return sentence spans in order, outer whitespace excluded; every visible character is in exactly one.

    A blank line ends a sentence, and so do the beginnings of Markdown blocks: headings, list items, table rows, quotes
    and fences; inside a fence each line stands alone. Other line ends do not, as lines are wrapped in prose, unless
    the line ends in ``;``, ``{``, ``}`` or ``:``. Stops within 「」, 『』, （） and the like end nothing.
    """
    return list(each_sentence(text))


def each_sentence(text: str) -> Iterator[Span]:
    """Yield the spans of ``sentences``, for those who need only the first ones."""
    return _Splitter(text).spans()


def next_sentence(text: str) -> int:
    """Where the first sentence after the one that ``text`` begins in does; its length where none does.

    Unless there are brackets or stops of wide scripts, stops alone are looked for, which is what prose needs and five
    times as fast.
    """
    if not text.isascii() and _BEYOND_PLAIN.search(text):
        spans = each_sentence(text)
        next(spans, None)
        return next(spans, (len(text), 0))[0]
    for found in _PLAIN_END.finditer(text):
        if _stop_ends(text, found.start(), found.end(1)):
            return found.end()
    return len(text)


def delimited(text: str, delimiters: Sequence[str]) -> list[Span]:
    """Return the spans that end with one of the delimiters, or before a blank line, outer whitespace excluded.

    Closing quotes and brackets stay with the delimiter before them. No other rule is asked, but that ``.``, ``!`` and
    ``?`` end nothing within a word or a number.
    """
    ends = "|".join(
        re.escape(sign) + (r"(?![\w.!?])" if sign in _STOPS else "")
        for sign in sorted(delimiters, key=len, reverse=True)
    )
    border = re.compile(rf"(?:{ends})[{re.escape(_CLOSERS)}]*|\n[^\S\n]*(?=\n)")
    places = [0, *(found.end() for found in border.finditer(text)), len(text)]
    found = []
    for start, end in pairwise(places):
        body = text[start:end].strip()
        if body:
            first = start + text[start:end].index(body[0])
            found.append((first, first + len(body)))
    return found


def _run_end(run: "re.Pattern[str]", text: str, at: int) -> int:
    found = run.match(text, at)
    return found.end() if found else at + 1


def _block(text: str, at: int) -> "re.Match[str] | None":
    """What block the line at ``at`` begins: none where that is a letter."""
    return None if text[at : at + 1].isalpha() else _BLOCK.match(text, at)


class _Splitter:
    """One pass over one text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._found: list[Span] = []
        """At most the one that was found last and not yet handed on."""
        self._start = 0
        self._depth = 0
        self._quotes = 0
        self._brackets_until = -1
        """Up to here brackets are ignored: the one before was never closed."""
        self._fence = ""
        self._alone = False
        """Whether the line in hand is a block of its own, ended by its line end."""
        self._quoted = False

    def spans(self) -> Iterator[Span]:
        """Yield each span once its end is known."""
        text, done = self._text, self._found
        self._begin_line(_block(text, 0))
        at = 0
        search = _SIGN.search
        while True:
            found = search(text, at)
            if found is None:
                if self._reopened(len(text)):
                    at = self._start
                    continue
                self._end(len(text))
                yield from done
                return
            if done:
                yield done.pop()
            place, sign = found.start(), found[0]
            at = place + 1
            if sign == "\n":
                block = _block(text, at)
                if self._ends_at_line(place, block):
                    if self._reopened(place):
                        at = self._start
                        continue
                    self._end(at)
                self._begin_line(block)
            elif self._fence or (sign == "." and text[at : at + 1].isalnum() and text[at] < "\u2e80"):
                continue
            elif sign in _STOPS:
                at = self._at_stop(place, _run_end(_STOP_RUN, text, place), False)
            elif sign in _FULL_STOPS:
                at = self._at_stop(place, _run_end(_FULL_RUN, text, place), True)
            elif at > self._brackets_until:
                self._bracket(sign)

    def _end(self, end: int) -> None:
        """Close the sentence in hand at ``end``."""
        body = self._text[self._start : end].lstrip()
        if body:
            first = end - len(body)
            self._found.append((first, first + len(body.rstrip())))
        self._start = end
        self._depth = self._quotes = 0

    def _reopened(self, end: int) -> bool:
        """Whether the text up to ``end``, a block's end, must be read again: a bracket in it was never closed."""
        if not (self._depth or self._quotes) or end <= self._brackets_until:
            return False
        self._brackets_until = end
        self._depth = self._quotes = 0
        return True

    def _begin_line(self, block: "re.Match[str] | None") -> None:
        """Note what block a line begins; nothing but a fence's end matters inside a fence."""
        self._alone = self._quoted = False
        if block is None:
            return
        kind = block.lastgroup
        self._quoted = kind == "quote"
        if self._fence:
            mark = block["fence"] or ""
            if mark.startswith(self._fence) and _BLANK.match(self._text, block.end()):
                self._fence, self._alone = "", True
        elif kind == "fence":
            self._fence = block["fence"]
        elif kind in ("heading", "row", "rule"):
            self._alone = True

    def _ends_at_line(self, at: int, block: "re.Match[str] | None") -> bool:
        """Whether the line end at ``at`` ends a sentence, before a line that begins a block, or none."""
        text = self._text
        if self._fence or self._alone:
            return True
        if not text[at + 1 : at + 2].strip() and _BLANK.match(text, at + 1):
            return True
        last = text[at - 1] if at else ""
        if last in ";{}:" or (last in "」』" and self._depth == 0):
            return True
        if block is None:
            return False
        if block.lastgroup == "quote":
            return not self._quoted
        return block.lastgroup != "indent" or self._depth == 0

    def _bracket(self, sign: str) -> None:
        if sign in "“”":
            self._quotes = self._quotes + 1 if sign == "“" else max(0, self._quotes - 1)
        else:
            self._depth = self._depth + 1 if sign in _OPEN else max(0, self._depth - 1)

    def _at_stop(self, start: int, end: int, full: bool) -> int:
        """Take a run of stops ``text[start:end]``; returns where to go on."""
        text = self._text
        inside = self._depth > 0 or (full and self._quotes > 0)
        while (closer := _CLOSER.match(text, end)) is not None:
            if closer[0] in _CLOSE and end >= self._brackets_until:
                self._bracket(closer[0])
            end = closer.end()
        if not inside and (full or _stop_ends(text, start, end, self._start)):
            self._end(end)
        return end


def _stop_ends(text: str, start: int, end: int, begun: int = 0) -> bool:
    """Whether stops, or an ellipsis, end a sentence that ``begun`` there: by what follows, then by the word before."""
    if end == len(text):
        return True
    if not text[end].isspace():
        wide = text[end] > "\u2e7f" and text[end].isalpha()
        sure = text[start] in "!?" or (text[start] == "．" and not text[start - 1 : start].isdigit())
        return wide and sure
    after = _AFTER.match(text, end)
    following = after[1] if after else ""
    if following[:1].islower():
        return False
    if text[start] != "." or text[start + 1 : start + 2] == ".":
        return True
    low = max(begun, start - 24)
    before = _BEFORE_WORD.match(text, low, start)
    word = text[before.end() if before else low : start]
    return _word_ends(text, word, following.lower(), start, begun)


def _word_ends(text: str, word: str, following: str, at: int, begun: int) -> bool:
    """Whether ``word`` and its full stop at ``at`` end a sentence before the word ``following``."""
    low = word.lower()
    if word == "ms" and _MILLISECONDS.search(text, max(0, at - 4), at - 2):
        return True
    if low in _ABBREVIATIONS or (low in _BEFORE_NUMBERS and following.isdigit()):
        return False
    if word.isdigit() and len(word) <= 3:
        listed = not text[begun : at - len(word)].strip(" \t\n>")
        return not listed and following not in _MONTHS
    if len(word) == len(following) == 1 and word.islower():
        return False
    initial = len(word) == 1 and word.isupper()
    acronym = "." in word and all(len(part) == 1 for part in word.split("."))
    if initial or acronym or low in _MAY_END:
        return following in _STARTERS
    return True
