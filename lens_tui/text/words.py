"""Words as the full-text index knows them: what a text is cut into, and where each piece stands in it.

A text is taken in NFKC form and casefolded, so ``Ｌｅａｓｅ``, ``LEASE`` and ``lease`` are one term, and ``ёлка`` is
``елка``. Scripts that are written with spaces give words; identifiers give themselves and their parts (``readFile`` and
``read_file`` both give ``readfile``, ``read``, ``file``), so do numbers with points and commas (``1,000`` gives
``1000``, ``1``, ``000``).
Scripts that are written without spaces, and Korean, give overlapping pairs of characters; Han characters also stand
alone, so that one of them finds every word it is part of.

What a term is worth in a question (``weights``) and what stands for its forms (``beginning``) is decided here too.
"""

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from operator import itemgetter
from typing import NamedTuple

from lens_tui.text.runs import folded, runs_with
from lens_tui.text.stopwords import STOP_WORDS

ANALYSIS = "words-3"
"""Names the rules below. Raised whenever a text would give other terms, so that indexes are made anew."""

DEFINES = "="
"""Before a name, the term of the chunk that defines it; no text gives such a term."""

LONGEST_TERM = 100
"""Characters of a term that count; two longer ones that begin alike are one term (nobody types more of a word)."""

BEGINNING = 5
"""Letters by which the forms of a word are one: as good as stemmers in English, German, French, Russian and Spanish,
and needs no language. Four find more strangers, six and seven fewer forms."""

LITTLE = 0.3
"""Weight of a stop word and of a pair of Hiragana, which is grammar more often than not."""

ENDING = 0.6
"""Weight of a pair with one Hiragana: the end of a word, or its beginning and a particle."""

PART = 0.2
"""Weight of a Han character of a longer word."""

REMEMBERED = 20_000
"""Pieces whose analysis is kept (about 5 MB): most words of a text are among the commonest few thousand."""

_HAN = "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_CJK = _HAN + "\u1100-\u11ff\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u31a0-\u31ff\ua960-\ua97f\uac00-\ud7ff"
_UNSPACED = "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u0edc-\u0edf\u1000-\u103f\u1050-\u108f\u1780-\u17d3"
"""Thai, Lao, Burmese and Khmer letters with their vowel signs."""
PAIRED = _CJK + _UNSPACED
"""Characters, as in a regular expression's class, of scripts whose words are pairs of characters."""
_MARKS = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    "\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u07a6-\u07b0\u0900-\u0963\u0966-\u0dff\u0f18-\u0fbc"
    "\u1a17-\u1aff\u1b00-\u1bf3\u1c24-\u1c37\u1cd0-\u1cf9\u1dc0-\u1dff\u20d0-\u20ff\ua8e0-\ua8f1\ufe20-\ufe2f"
)
"""Signs that belong to the letter before them; Python's ``\\w`` leaves them out and would cut words there."""
_SILENT = "\u00ad\u200b-\u200d\u2060\ufeff"
"""Soft hyphens and joiners: inside a word they are no border, and no part of the term."""

_ASCII = re.compile(r"\d+(?:[.,]\d+)+(?!\w)|\w+", re.ASCII)
_UNPAIRED = re.compile(rf"\d+(?:[.,]\d+)+(?!\w)|(?:[^\W{PAIRED}]|(?<=\w)[{_MARKS}{_SILENT}])+")
_RUNS = re.compile(rf"(?P<pairs>[{PAIRED}]+)|{_UNPAIRED.pattern}")
_IS_PAIRED = re.compile(f"[{PAIRED}]")
_NO_LETTER = re.compile(rf"[\d.,{DEFINES}]")
_HIRAGANA = re.compile("[\u3041-\u309f]")
_HAN_PAIR = re.compile(f"[{_HAN}]{{2}}")
_IS_CJK = re.compile(f"[{_CJK}]")
_IS_HAN = re.compile(f"[{_HAN}]")
_FOREIGN = re.compile(f"[^\x00-\x7f]+|[\x00-\x7f](?=[{_MARKS}])[^\x00-\x7f]+")
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_SILENCE = re.compile(f"[{_SILENT}]")

_BLANKS = re.compile("[\xa0\u202f\u3000\u2000-\u200a\u2010-\u2027\u2032\u2033\u2190-\u21ff\u2500-\u259f]")
_WIDE = re.compile("[\uff01-\uff5e]")
_NARROW = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
"""What NFKC changes most often in clean text and can be put right without moving an offset; and typographic signs,
which are in no word, so that English prose goes the fast way of ASCII."""

_known: dict[str, tuple[tuple[str, int, int], ...]] = {}
_known_terms: dict[str, tuple[str, ...]] = {}


class Word(NamedTuple):
    """One index term and what it stands for: ``text[start:end]``, as written."""

    term: str
    start: int
    end: int


def words(text: str) -> list[Word]:
    """Every index term of ``text`` with its place, in order; parts follow the whole that they belong to."""
    return list(_all(text))


def terms(text: str) -> list[str]:
    """The index terms of ``text`` alone, in the order of ``words``: several times faster."""
    found: list[str] = []
    norm = text if text.isascii() else normalised(text)[0]
    if norm.isascii():
        known = _known_terms
        for run in _ASCII.findall(norm):
            if run.islower() and run.isalpha():
                found.append(run[:LONGEST_TERM])
            else:
                parts = known.get(run)
                found.extend(_terms_of(run) if parts is None else parts)
        return found
    for match in _RUNS.finditer(norm):
        run = match[0]
        if match.lastgroup:
            found.extend(term for term, _, _ in _pairs(run, alone=True))
        else:
            found.extend(_terms_of(run))
    return found


def asked(text: str) -> list[str]:
    """The terms that a question asks for, each once, in order.

    As ``terms``, but a Han character stands alone only where no other is beside it: who asks for 経済 does not ask for
    every 経.
    """
    norm = normalised(text)[0]
    found: dict[str, None] = {}
    for match in _RUNS.finditer(norm):
        run = match[0]
        found.update(dict.fromkeys(term for term, _, _ in _pairs(run, alone=False)) if match.lastgroup else {})
        found.update({} if match.lastgroup else dict.fromkeys(_terms_of(run)))
    return list(found)


def parts_of(whole: str, following: Sequence[str]) -> Sequence[str]:
    """Those of the terms that follow an identifier which are its parts; none where they do not make it up."""
    length = 0
    for count, part in enumerate(following, 1):
        length += len(part)
        if length >= len(whole):
            return following[:count] if "".join(following[:count]) == whole else ()
    return ()


def is_word(term: str) -> bool:
    """Whether a term is made of letters of a script that is written with spaces."""
    if term.isascii():
        return term.isalpha()
    return not (_IS_PAIRED.match(term) or _NO_LETTER.search(term))


def beginning(term: str) -> str:
    """What stands for every form of a word: its first letters. Other terms stand for themselves, pairs for nothing."""
    if term.isascii():
        return term[:BEGINNING] if term.isalpha() else term
    if _IS_PAIRED.match(term):
        return ""
    return term if _NO_LETTER.search(term) else term[:BEGINNING]


def weights(question: Sequence[str]) -> dict[str, float]:
    """How much each term of a question counts, in order; after them the Han characters that its words are made of.

    Args:
        question: What ``asked`` gave.
    """
    found: dict[str, float] = {}
    for term in question:
        hiragana = len(_HIRAGANA.findall(term))
        if term in STOP_WORDS or (hiragana and hiragana == len(term)):
            found[term] = LITTLE
        else:
            found[term] = ENDING if hiragana else 1.0
    for term in question:
        if _HAN_PAIR.fullmatch(term):
            for char in term:
                found.setdefault(char, PART)
    return found


class Wanted:
    """Which terms are looked for: these, and every word of at least BEGINNING letters that begins in one of these ways.

    ``in`` tells whether a term is one of them.
    """

    def __init__(self, exact: Collection[str], beginnings: Collection[str] = ()) -> None:
        """Take the terms, and what ``beginning`` gave for others."""
        self._exact = frozenset(exact)
        self._beginnings = frozenset(one for one in beginnings if len(one) >= BEGINNING)
        self.pairs = [term for term in self._exact if _IS_PAIRED.match(term)]
        """Those of scripts that are written without spaces."""
        self.numbers = any(term[0].isdigit() for term in self._exact)
        """Whether numbers are looked for."""
        whole = (one for one in self._exact if one[:BEGINNING] not in self._beginnings)
        self.parts = [one for one in (*self._beginnings, *whole) if not _IS_PAIRED.match(one)]
        """In every word and identifier that gives one of the terms, one of them stands, casefolded, without ``_``."""
        self._is: dict[str, bool] = {}
        self._given: dict[str, tuple[tuple[str, int, int], ...]] = {}

    def __contains__(self, term: str) -> bool:
        known = self._is.get(term)
        if known is None:
            known = term in self._exact or (term[:BEGINNING] in self._beginnings and is_word(term))
            self._is[term] = known
        return known

    def given_by(self, run: str) -> tuple[tuple[str, int, int], ...]:
        """Those of the terms that a word or identifier gives, as a text has it in NFKC, with their places in it."""
        known = self._given.get(run)
        if known is None:
            known = self._given[run] = tuple(piece for piece in _pieces_of(run) if piece[0] in self)
        return known


def occurrences(text: str, wanted: Wanted | Collection[str]) -> list[Word]:
    """The words of ``text`` whose term is in ``wanted``, in order. Much faster than ``words`` where few are."""
    if not isinstance(wanted, Wanted):
        wanted = Wanted(wanted)
    norm, where = normalised(text)
    runs = runs_with(wanted.parts, norm, numbers=wanted.numbers)
    if runs is None:
        matches = _UNPAIRED.finditer(norm) if wanted.parts else ()
        runs = [(match.start(), match[0]) for match in matches if wanted.given_by(match[0])]
    given_by = wanted.given_by
    found = [Word(term, at + start, at + end) for at, run in runs for term, start, end in given_by(run)]
    if wanted.pairs and not norm.isascii():
        # Of those that begin at one place a character comes before its pair; an identifier stays before its parts.
        found.extend(sorted(_pairs_among(wanted.pairs, norm), key=itemgetter(1, 2)))
        found.sort(key=itemgetter(1))
    return found if where is None else [Word(one.term, where[one.start][0], where[one.end - 1][1]) for one in found]


def _pairs_among(wanted: Collection[str], text: str) -> Iterator[Word]:
    """Where these pairs stand, and single characters: Han anywhere, others alone."""
    for term in wanted:
        anywhere = len(term) > 1 or _IS_HAN.match(term)
        at = text.find(term)
        while at >= 0:
            end = at + len(term)
            if anywhere or not (_IS_PAIRED.match(text, end) or (at and _IS_PAIRED.match(text, at - 1))):
                yield Word(term, at, end)
            at = text.find(term, at + 1)


def is_cjk(char: str) -> bool:
    """Whether a character is Han, Kana, Bopomofo or Hangul."""
    return _IS_CJK.match(char) is not None


def _all(text: str) -> Iterator[Word]:
    norm, where = normalised(text)
    for match in (_ASCII if norm.isascii() else _RUNS).finditer(norm):
        run, base = match[0], match.start()
        for term, start, end in _pairs(run, alone=True) if match.lastgroup else _pieces_of(run):
            start, end = base + start, base + end
            yield Word(term, start, end) if where is None else Word(term, where[start][0], where[end - 1][1])


def _pairs(run: str, *, alone: bool) -> Iterator[tuple[str, int, int]]:
    """Overlapping pairs of a run without spaces, and Han characters: each with ``alone``, else the lonely ones."""
    last = len(run) - 1
    for at, char in enumerate(run):
        if _IS_HAN.match(char):
            beside = (at > 0 and _IS_HAN.match(run[at - 1])) or (at < last and _IS_HAN.match(run[at + 1]))
            if alone or not beside:
                yield char, at, at + 1
        elif last == 0:
            yield char, 0, 1
        if at < last:
            yield run[at : at + 2], at, at + 2


def _terms_of(run: str) -> tuple[str, ...]:
    parts = _known_terms.get(run)
    if parts is None:
        parts = tuple(term for term, _, _ in _pieces_of(run))
        if len(_known_terms) >= REMEMBERED:
            _known_terms.clear()
        if len(run) <= LONGEST_TERM:
            _known_terms[run] = parts
    return parts


def _pieces_of(run: str) -> tuple[tuple[str, int, int], ...]:
    """Terms of one word, identifier or number, with offsets in it: the whole, then its parts where it has several."""
    pieces = _known.get(run)
    if pieces is None:
        pieces = tuple(_analysed(run))
        if len(_known) >= REMEMBERED:
            _known.clear()
        if len(run) <= LONGEST_TERM:
            _known[run] = pieces
    return pieces


def _analysed(run: str) -> Iterator[tuple[str, int, int]]:
    if _SILENCE.search(run):
        bare = _SILENCE.sub("", run)  # nothing, of a sign that stands after a pair
        for term, _, _ in _analysed(bare) if bare else ():
            yield term, 0, len(run)
        return
    if run.islower() and run.isalpha():
        yield folded(run)[:LONGEST_TERM], 0, len(run)
        return
    if run[0].isdecimal() and ("." in run or "," in run):
        parts = [(match.start(), match.end()) for match in re.finditer(r"\d+", run)]
        whole = run.replace(",", "") if _THOUSANDS.fullmatch(run) else run
    else:
        parts = [span for match in re.finditer("[^_]+", run) for span in _humps(match[0], match.start())]
        whole = run.replace("_", "")
    if not parts:
        return
    if len(parts) > 1:
        yield folded(whole)[:LONGEST_TERM], parts[0][0], parts[-1][1]
    for start, end in parts:
        yield folded(run[start:end])[:LONGEST_TERM], start, end


def _humps(name: str, base: int) -> Iterator[tuple[int, int]]:
    """Cut ``readFile`` and ``HTTPServer`` where a new word begins; ``PDFs`` and ``LEASE`` stay whole."""
    begin = 0
    if name.upper() != name and name[1:].lower() != name[1:]:
        for at in range(1, len(name)):
            if not name[at].isupper():
                continue
            after = name[at + 1 : at + 2]
            plural = name[at + 1 :] == "s"
            if not name[at - 1].isupper() or (after.islower() and not plural):
                yield base + begin, base + at
                begin = at
    yield base + begin, base + len(name)


def normalised(text: str) -> tuple[str, list[tuple[int, int]] | None]:
    """The text in NFKC and, where offsets moved, the span in ``text`` of each of its characters."""
    if text.isascii():
        return text, None
    near = _BLANKS.sub(" ", text)
    if _WIDE.search(near):
        near = near.translate(_NARROW)
    if unicodedata.is_normalized("NFKC", near):
        return near, None
    parts: list[str] = []
    where: list[tuple[int, int]] = []
    done = 0
    for match in _FOREIGN.finditer(near):
        start, end = match.span()
        parts.append(near[done:start])
        where.extend((at, at + 1) for at in range(done, start))
        done = end
        if unicodedata.is_normalized("NFKC", match[0]):
            parts.append(match[0])
            where.extend((at, at + 1) for at in range(start, end))
            continue
        for first, last in _clusters(near, start, end):
            piece = unicodedata.normalize("NFKC", near[first:last])
            parts.append(piece)
            where.extend([(first, last)] * len(piece))
    parts.append(near[done:])
    where.extend((at, at + 1) for at in range(done, len(near)))
    return "".join(parts), where


def _clusters(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Spans that normalise on their own: a character and what combines with it."""
    first = start
    for at in range(start + 1, end):
        char = text[at]
        joins = unicodedata.combining(char) or "\u1160" <= char <= "\u11ff" or char in "\uff9e\uff9f"
        if not joins:
            yield first, at
            first = at
    yield first, end
