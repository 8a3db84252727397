"""Whether two words of a language with spaces are forms of one, mean the same by a small table, or are opposites."""

import re
import unicodedata
from functools import lru_cache

from lens_tui.answering.lexicon import OPPOSITES, SYNONYMS

SHORTEST = 4
"""Letters that two forms have in common at least; shorter words are the same only when they are alike but for an s."""

_ENDING_ROWS = """
s es ed d ing er ers est ly n en e em r t te ten ung ungen ion ions ation ations ment ments al ity ness ies y ied i
ive or ors able ful ism ist ists ian ans an ern ende enden ender st test tet isch ische ischen ischer in innen а я ы и
у ю е о ой ей ом ем ам ям ах ях ами ями ов ев ий ый ая ое ые ого его ому ему ых их ым им ую юю ья ье ь ть ет ют ут ит
ят ат ал ала ало али ил ила или ел ела ели ся сь ется ются ится ние ния нию ний ного ной ный ная ное ные ных ными ным
ском ский ская ское ские ского скому ской ен ена ено ены ан ана ано аны ости ость o os as a ar ado ada amente ement ée
és ées ait aient ez ons
"""
_ENDINGS = frozenset(_ENDING_ROWS.split())
"""What may follow the part that two forms of a word have in common."""
_PAIRS = frozenset(
    ("sd", "ds", "ns", "sn", "nr", "rn", "rs", "sr", "nm", "mn", "ms", "sm", "rm", "mr", "te", "et", "tn", "nt")
)
"""Endings of one letter that replace each other; others make another word (employer, employee)."""
_DENYING = ("un", "in", "im", "ir", "il", "non", "dis", "не", "без", "in")


_PARTICIPLE = re.compile(r"\A(|ab|an|auf|aus|bei|ein|mit|nach|vor|zu|zuruck|weg|her|hin|um)ge(?=\w{4,}(?:t|en)\Z)")
"""A German participle's ge (gezahlt, zurückgezahlt), in a folded word."""


@lru_cache(maxsize=16384)
def folded(word: str) -> str:
    """The word without marks over Latin vowels, so that Haus and Häuser begin alike; ß is ss."""
    if word.isascii():
        return word
    plain = unicodedata.normalize("NFD", word)
    return "".join(char for char in plain if not "\u0300" <= char <= "\u036f").replace("ё", "е")


@lru_cache(maxsize=16384)
def kin(word: str) -> tuple[str, ...]:
    """Marks of a casefolded word; words that are alike have one in common."""
    return (_PARTICIPLE.sub(r"\1", folded(word))[:2], *(str(group) for group in SYNONYMS.get(word, ())))


@lru_cache(maxsize=65536)
def alike(one: str, other: str) -> bool:
    """Whether two casefolded words are forms of one word, or mean the same."""
    if one == other:
        return True
    if SYNONYMS.get(one, _NONE) & SYNONYMS.get(other, _NONE):
        return True
    return _is_form(one, other)


def _is_form(one: str, other: str) -> bool:
    """Whether two words are one but for their endings."""
    one, other = folded(one), folded(other)
    if one == other:
        return True
    if one.endswith(("t", "en")) and other.endswith(("t", "en", "e")):
        one, other = _PARTICIPLE.sub(r"\1", one), _PARTICIPLE.sub(r"\1", other)
    if one[:1] != other[:1]:
        return False
    if not (one.isalpha() and other.isalpha()):
        return False
    common = 0
    for mine, yours in zip(one, other, strict=False):
        if mine != yours:
            break
        common += 1
    mine, yours = one[common:], other[common:]
    if common < (SHORTEST if one.isascii() else 3):
        return common >= 2 and {mine, yours} <= {"", "s"} and bool(mine or yours)
    return _ends(mine, yours, common)


_NONE: frozenset[int] = frozenset()


def _ends(one: str, other: str, common: int) -> bool:
    if not (one and other):
        rest = one or other
        return rest in _ENDINGS and (len(rest) <= 2 or common >= 4)
    if len(one) == 1 and len(other) == 1 and one.isascii():
        return one + other in _PAIRS
    return one in _ENDINGS and other in _ENDINGS and (common >= 5 or not one.isascii() or len(one) + len(other) <= 4)


@lru_cache(maxsize=16384)
def opposite(one: str, other: str) -> bool:
    """Whether a word in the place of the other says the opposite, in any of their forms."""
    if any(alike(other, against) for against in opposites(one)):
        return True
    for short, long in ((one, other), (other, one)):
        if len(short) > 3 and len(long) > len(short) and long.endswith(short) and long[: -len(short)] in _DENYING:
            return True
    return False


@lru_cache(maxsize=16384)
def opposites(word: str) -> frozenset[str]:
    """The opposites of a word, or of the word of the table that it is a form of."""
    known = OPPOSITES.get(word)
    if known is not None or len(word) < SHORTEST:
        return known or frozenset()
    forms = [key for key in _BY_MARK.get(folded(word)[:2], ()) if len(key) >= SHORTEST and _is_form(word, key)]
    return frozenset(against for form in forms for against in OPPOSITES[form])


_BY_MARK: dict[str, list[str]] = {}
for _key in OPPOSITES:
    _BY_MARK.setdefault(folded(_key)[:2], []).append(_key)
