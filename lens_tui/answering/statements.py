"""A sentence as what it states, piece by piece: words, names, figures, days, and what denies or limits them."""

import re
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Literal

from lens_tui.answering import dates, quantities
from lens_tui.answering.dates import Day
from lens_tui.answering.lexicon import (
    AND,
    JAPANESE_AND_CHINESE,
    LIGHT,
    LIMITS,
    NEGATIONS,
    OPPOSITES,
    PASSIVE,
    PRONOUNS,
    SYNONYMS,
)
from lens_tui.answering.quantities import NUMBER_WORDS, ORDINAL_WORDS, Quantity, bound_at, counted_word, quantity_of
from lens_tui.answering.small_words import SMALL_WORDS
from lens_tui.text.words import PAIRED, normalised

Kind = Literal["word", "sign", "number", "day", "code", "stop"]
"""``sign`` is one character of a script without spaces; ``stop`` a comma, bracket or dash between two parts."""

LONGEST = 1500
"""Pieces of a sentence that are read; what is longer is no sentence, and is never judged but by its words."""

_YEAR = re.compile(r"(?:1[0-9]\d\d|20\d\d)\Z")
_SCANNED = re.compile(
    rf"(?P<day>{dates.PATTERN})"
    r"|(?P<clock>\b(?:[01]?\d|2[0-3])[:：][0-5]\d(?::[0-5]\d)?\b)"
    r"|(?P<code>(?<!\w)--?[a-z][\w-]*|[a-z0-9_]*[a-z_][a-z0-9_]*(?:[./:_@][a-z0-9_]+)+/?|/[a-z][\w./-]*"
    r"|[a-z_]+\d\w*|\d+(?:\.\d+){2,}(?![,\d])|0x[0-9a-f]+)"
    rf"|(?P<number>{quantities.PATTERN})"
    rf"|(?P<listed>{'|'.join(map(re.escape, JAPANESE_AND_CHINESE))})"
    r"|(?P<katakana>[\u30a1-\u30fa\u30fc・]*[\u30a1-\u30fa][\u30a1-\u30fa\u30fc・]*)"
    rf"|(?P<sign>[{PAIRED}])"
    rf"|(?P<word>[^\W\d_{PAIRED}]+(?:['’][^\W\d_{PAIRED}]+)*\d*)"
    r"|(?P<stop>[,;:()\[\]—–、，；：（）「」『』。!?！？…]|--|\s-\s)",
)
_NOT_ZU = re.compile(r"[せれけらわかさたばがべめえじび]\Z")
_HIRAGANA = re.compile("[\u3041-\u309f]")
_CHINESE_SMALL = frozenset("的了是在和与及或为為以于於之其这那这此该也就都而则等个個着过把被从向对将并所")


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece of a statement."""

    kind: Kind
    key: str
    """Casefolded; by it two pieces are one."""
    start: int
    """In the text as it was given."""
    end: int
    weight: float
    """How much it says; 0 for function words and stops."""
    named: bool = False
    """Whether it looks like a proper name."""
    quantity: Quantity | None = None
    day: Day | None = None

    @property
    def denies(self) -> bool:
        """Whether it is a negation."""
        return self.key in NEGATIONS

    @property
    def limit(self) -> str:
        """How it widens, narrows or hedges; empty where it does not."""
        return LIMITS.get(self.key, "")


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence in pieces."""

    text: str
    pieces: tuple[Piece, ...]
    japanese: bool
    """Written with Kana: particles follow what they belong to."""
    signs: bool
    """Written without spaces between words."""
    cut: bool = False
    """Whether it is too long to be read whole."""


@lru_cache(maxsize=2048)
def statement(text: str) -> Statement:
    """Read a sentence. About 0.1 ms for 200 characters."""
    norm, where = normalised(text)
    low = norm.lower()
    if len(low) != len(norm):
        low = "".join(char.lower() if len(char.lower()) == 1 else char for char in norm)
    pieces: list[Piece] = []
    for match in _SCANNED.finditer(low):
        if len(pieces) >= LONGEST:
            break
        pieces.extend(_read(match, low, norm))
    if sum(piece.key in _GERMAN for piece in pieces) > 1:
        pieces = [_in_german(pieces, at, norm) for at in range(len(pieces))]
    signs = sum(piece.kind == "sign" for piece in pieces) * 2 > len(pieces)
    if signs:
        pieces = [_capital(piece, norm) for piece in pieces]
    if where is not None:
        pieces = [_moved(piece, where) for piece in pieces]
    japanese = any(piece.kind == "sign" and _HIRAGANA.match(piece.key) for piece in pieces)
    return Statement(text, tuple(pieces), japanese, signs, len(pieces) >= LONGEST)


def _capital(piece: Piece, norm: str) -> Piece:
    """A piece of a text without spaces, where a Latin word with a capital letter is a name wherever it stands."""
    named = piece.kind == "word" and norm[piece.start].isascii() and norm[piece.start].isupper()
    return replace(piece, named=True, weight=1.5) if named else piece


_GERMAN_ROW = "der die das und ist nicht ein eine den dem für von im wird sind auf des werden zu mit als"
_GERMAN = frozenset(_GERMAN_ROW.split())
_BEFORE_ROW = "in nach aus von"
_BEFORE_NAMES = frozenset(_BEFORE_ROW.split())
_NOUN_ENDINGS = ("ung", "heit", "keit", "schaft", "tion", "tät", "nis", "tum", "ment", "en", "er", "e")


def _in_german(pieces: list[Piece], at: int, norm: str) -> Piece:
    """A piece of a German sentence, where a capital letter alone makes no name."""
    piece = pieces[at]
    if piece.key in ("die", "war", "hat"):
        return replace(piece, weight=0.0, named=False)
    if not piece.named or piece.kind != "word":
        return piece
    before = pieces[at - 1] if at else None
    after = pieces[at + 1] if at + 1 < len(pieces) else None
    beside = (before is not None and before.named) or (after is not None and after.named)
    placed = before is not None and before.key in _BEFORE_NAMES and not piece.key.endswith(_NOUN_ENDINGS)
    joined = norm[piece.end : piece.end + 1] == "-"
    if beside or placed or joined or not norm[piece.start + 1 : piece.end].islower():
        return piece
    return replace(piece, named=False)


def _moved(piece: Piece, where: list[tuple[int, int]]) -> Piece:
    start, end = where[piece.start][0], where[piece.end - 1][1]
    return Piece(piece.kind, piece.key, start, end, piece.weight, piece.named, piece.quantity, piece.day)


def _read(match: "re.Match[str]", low: str, norm: str) -> list[Piece]:
    start, end = match.span()
    key = match[0]
    if match["day"]:
        return [Piece("day", key, start, end, 2.0, day=dates.day_of(match))]
    if match["clock"]:
        return [Piece("code", key.lstrip("0"), start, end, 2.0)]
    if match["code"]:
        return [Piece("code", norm[start:end].rstrip("/"), start, end, 1.5, True)]
    if match["number"]:
        return [_number(match, low)]
    if match["listed"]:
        return [_listed(key, low, start, end)]
    if match["katakana"]:
        return [Piece("word", key.strip("・"), start, end, 1.0 if len(key) > 1 else 0.5, len(key) > 2)]
    if match["sign"]:
        return [_sign(key, start)]
    if match["word"]:
        return list(_word(key, low, norm, start))
    return [Piece("stop", key.strip(), start, end, 0.0)]


def _number(match: "re.Match[str]", low: str) -> Piece:
    start = match.start()
    quantity, end = quantity_of(match, low)
    written = low[start:end]
    if _YEAR.fullmatch(written) and quantity.bound in "=<>" and not quantity.unit:
        return Piece("day", written, start, end, 2.0, quantity=quantity, day=Day(int(written)))
    return Piece("number", written, start, end, 2.0, quantity=quantity)


def _listed(key: str, low: str, start: int, end: int) -> Piece:
    if key == "ず" and not (_NOT_ZU.search(low[:start]) and low[end : end + 1] not in ("つ", "っ")):
        return Piece("sign", key, start, end, 0.05)
    says = key in NEGATIONS or key in LIMITS or key in OPPOSITES or key in SYNONYMS
    weight = 0.0 if key in NEGATIONS or (key in LIGHT and not says) else (1.0 if says else 0.4)
    return Piece("word", key, start, end, weight)


def _sign(key: str, at: int) -> Piece:
    if _HIRAGANA.match(key):
        return Piece("sign", key, at, at + 1, 0.05)
    weight = 0.1 if key in _CHINESE_SMALL or key in "ー々" else 0.5
    return Piece("sign", key, at, at + 1, weight)


def _word(key: str, low: str, norm: str, start: int) -> list[Piece]:
    end = start + len(key)
    pieces = []
    if key.endswith(("n't", "n’t")):
        verb = {"wo": "will", "ca": "can", "sha": "shall"}.get(key[:-3], key[:-3])
        if verb:
            pieces.append(Piece("word", verb, start, end - 3, 0.0))
        return [*pieces, Piece("word", "not", end - 3, end, 0.0)]
    if key == "cannot":
        return [Piece("word", "can", start, start + 3, 0.0), Piece("word", "not", start + 3, end, 0.0)]
    if key.endswith(("'s", "’s")):
        key, end = key[:-2], end - 2
    elif key.endswith(("s'", "s’")):
        key, end = key[:-1], end - 1
    if key in ("", "s"):
        return []
    figure = _number_word(key, low, start, end)
    if figure is not None:
        return [figure]
    written = norm[start:end]
    if key in dates.MONTHS and (written[0].isupper() or not key.isascii()) and not _begins(norm, start):
        return [Piece("day", key, start, end, 1.5, day=Day(month=dates.MONTHS[key]))]
    small = key in SMALL_WORDS or key in PRONOUNS or key in NEGATIONS or key in AND or key in PASSIVE
    capital = written[:1].isupper() and (not _begins(norm, start) or written[1:2].isupper())
    if (small and key not in LIMITS and key not in OPPOSITES) and not (capital and written.isupper() and len(key) > 1):
        return [Piece("word", key, start, end, 0.0)]
    weight = 0.3 if key in LIGHT else (1.5 if capital else 1.0)
    if key in NEGATIONS or small:
        weight = 0.0
    return [Piece("word", key, start, end, weight, capital)]


def _number_word(key: str, low: str, start: int, end: int) -> Piece | None:
    """A number or an ordinal in letters."""
    value = NUMBER_WORDS.get(key) or counted_word(low, start)
    if value is not None:
        quantity = Quantity((Fraction(value),), "", bound_at(low, start, end))
        return Piece("number", key, start, end, 2.0 if value > 1 else 1.0, quantity=quantity)
    if key in ORDINAL_WORDS and low[end : end + 1] != "s":
        return Piece("number", key, start, end, 1.5, quantity=Quantity((Fraction(ORDINAL_WORDS[key]),), "ordinal"))
    return None


def _begins(norm: str, at: int) -> bool:
    """Whether a word stands where any word would have a capital letter."""
    before = norm[max(0, at - 3) : at].rstrip(" \"'“‘«(*_")
    return not before or before[-1] in ".!?:\n-•"
