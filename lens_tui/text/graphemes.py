"""Where a text may be cut without tearing apart what a reader takes for one character."""

import unicodedata

_JOINER = "\u200d"
_NON_JOINER = "\u200c"


def is_border(text: str, at: int, known: int = 0) -> bool:
    """Whether ``text`` may be cut before ``at``: not within a grapheme cluster.

    By the rules of Unicode Annex 29 that text in files needs: marks and modifiers stay with their letter, joined emoji,
    flags, Hangul syllables and conjuncts of Indic scripts stay whole. Both ends of the text are borders; ``known`` is
    one too, before ``at``, and saves looking further back.
    """
    if at <= 0 or at >= len(text):
        return True
    after = text[at]
    if after < "\u0300":
        return not (after == "\n" and text[at - 1] == "\r")
    before = text[at - 1]
    if before in "\n\r\t\0":
        return True
    if _extends(after):
        return False
    if before == _JOINER:
        # Between pictures a joiner joins; after a letter, or before one, a cut beside it tears nothing.
        return after.isspace() or not ("\u203c" <= after <= "\u3299" or after >= "\U0001f000")
    if "\U0001f1e6" <= after <= "\U0001f1ff" and "\U0001f1e6" <= before <= "\U0001f1ff":
        return _flags_before(text, at, known) % 2 == 0
    if "\u1100" <= after <= "\u11ff" or "\uac00" <= after <= "\ud7ff":
        return not _hangul_joins(before, after)
    # A virama holds two consonants together (GB9c).
    return not (unicodedata.combining(before) == 9 and after.isalpha() and "\u0900" <= before <= "\u0dff")


def border_before(text: str, at: int, low: int) -> int:
    """Last border at or before ``at`` and after the border ``low``; ``at`` itself where one cluster fills all of it."""
    place = at
    while place > low and not is_border(text, place, low):
        place -= 1
    return place if place > low else at


def _extends(sign: str) -> bool:
    """Whether a character belongs to the one before it, whatever that is."""
    if unicodedata.category(sign) in ("Mn", "Me", "Mc"):
        return True
    return (
        sign in (_JOINER, _NON_JOINER, "\uff9e", "\uff9f", "\u0e33", "\u0eb3")
        or "\U0001f3fb" <= sign <= "\U0001f3ff"
        or "\U000e0020" <= sign <= "\U000e007f"
    )


def _flags_before(text: str, at: int, known: int) -> int:
    """Number of regional indicators between ``known`` and ``at``, in the run that ends there; two make a flag."""
    place = at
    while place > known and "\U0001f1e6" <= text[place - 1] <= "\U0001f1ff":
        place -= 1
    return at - place


def _hangul_joins(before: str, after: str) -> bool:
    """Whether two parts of Hangul make one syllable: leading, vowel and trailing parts, or a syllable and a part."""
    leads = "\u1100" <= before <= "\u115f"
    syllable = "\uac00" <= before <= "\ud7a3"
    open_syllable = syllable and (ord(before) - 0xAC00) % 28 == 0
    vowel_before = "\u1160" <= before <= "\u11a7"
    if leads:
        return "\u1100" <= after <= "\u11a7" or "\uac00" <= after <= "\ud7a3"
    if "\u1160" <= after <= "\u11a7":
        return open_syllable or vowel_before
    if "\u11a8" <= after <= "\u11ff":
        return syllable or vowel_before or "\u11a8" <= before <= "\u11ff"
    return False
