"""Numbers as a text writes them: separators, words, Han signs, percent, currencies, and more than or less than."""

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from lens_tui.answering.dates import Relation

Bound = Literal["=", "<", ">", "~"]
"""Exactly, at most or less than, at least or more than, about."""

ABOUT = Fraction(1, 10)
"""Share by which what is said to be about a number may differ from it."""

_HAN_DIGITS = {digit: value for value, digit in enumerate("〇一二三四五六七八九")} | {"零": 0, "两": 2, "兩": 2}
_HAN_TENS = {"十": 10, "百": 100, "千": 1000}
_HAN_GROUPS = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8, "兆": 10**12}
_MULTIPLES = {
    "thousand": 3, "tausend": 3, "тыс": 3, "тысяча": 3, "тысячи": 3, "тысяч": 3, "mille": 3, "mil": 3,
    "million": 6, "millions": 6, "millionen": 6, "mio": 6, "mn": 6, "млн": 6, "миллион": 6, "миллиона": 6,
    "миллионов": 6, "billion": 9, "billions": 9, "bn": 9, "milliarde": 9, "milliarden": 9, "mrd": 9, "млрд": 9,
    "миллиард": 9, "миллиарда": 9, "миллиардов": 9, "trillion": 12, "trillions": 12,
}  # fmt: skip
"""What a number may be multiplied by, as powers of ten; a German Billion (12) is read as an English one."""

_HAN = "".join(_HAN_DIGITS) + "".join(_HAN_TENS) + "".join(_HAN_GROUPS)
_COUNTED = (
    "年月日人名個个本回件台匹冊枚歳时時分秒円元米章条條节節位度倍割世紀纪種种類类社校巻卷部隻只次层階级級天周点點"
    "週周頭羽杯軒曲話期区門院色席泊箇戸"
)
PATTERN = (
    r"(?P<digits>\d{1,3}(?:[ \u00a0\u202f'’]\d{3})+(?:[.,]\d+)?(?![\d])|\d+(?:[.,]\d+)*)"
    rf"(?P<groups>(?:[万萬亿億兆千百](?:\d+(?:\.\d+)?)?)*)"
    rf"(?:\s?(?P<times>(?:{'|'.join(_MULTIPLES)})\b\.?))?"
    rf"|(?!十分|百分之|千万不)(?P<han>(?:[{_HAN}]*[十百千万萬亿億][{_HAN}]*|[{_HAN}]{{2,}}|[二三四五六七八九两兩])"
    rf"(?=[{_COUNTED}])|[{_HAN}]*[十百千万億亿][{_HAN}]+)"
)
"""A number in digits or, where it counts something, in Han signs; groups are this file's own."""

_WORDS = (
    (2, "two zwei два две двух двумя"),
    (3, "three drei три трёх трех тремя"),
    (4, "four vier четыре четырёх четырех"),
    (5, "five fünf пять пяти"),
    (6, "six sechs шесть шести"),
    (7, "seven sieben семь семи"),
    (8, "eight восемь восьми"),
    (9, "nine neun девять девяти"),
    (10, "ten zehn десять десяти"),
    (11, "eleven elf одиннадцать"),
    (12, "twelve zwölf двенадцать dozen dutzend"),
    (13, "thirteen dreizehn"),
    (14, "fourteen vierzehn"),
    (15, "fifteen fünfzehn пятнадцать"),
    (16, "sixteen sechzehn"),
    (17, "seventeen siebzehn"),
    (18, "eighteen achtzehn"),
    (19, "nineteen neunzehn"),
    (20, "twenty zwanzig двадцать"),
    (30, "thirty dreißig dreissig тридцать"),
    (40, "forty vierzig сорок"),
    (50, "fifty fünfzig пятьдесят"),
    (60, "sixty sechzig"),
    (70, "seventy siebzig"),
    (80, "eighty achtzig"),
    (90, "ninety neunzig"),
    (100, "hundred hundert сто"),
)
NUMBER_WORDS = {word: value for value, row in _WORDS for word in row.split()}
"""Words that are a number and nothing else; what is often something else too is left to ``counted_word``."""

_COUNTING = re.compile(
    r"(?P<one>one|an?|eine?[mnrs]?|одного|один|одну)\s+(?:years?|months?|weeks?|days?|hours?|minutes?|pages?|times?|miles?"
    r"|jahre?s?|monate?s?|woche|tage?s?|stunde|minute|seite|meile|год|года|месяц|месяца|неделю|неделя|день|дня|час|часа)\b"
    r"|(?P<eight>acht)\s+\w{3}"
)


def counted_word(text: str, at: int) -> int | None:
    """The number of a word that is one only before what it counts: ``one year``, ``acht Wochen``; casefolded."""
    found = _COUNTING.match(text, at)
    if found is None:
        return None
    return 1 if found["one"] else 8


_ORDINALS = (
    (1, "first erste ersten erster erstes первый первая первое первого первой первую"),
    (2, "second zweite zweiten zweiter zweites второй вторая второе второго вторую"),
    (3, "third dritte dritten dritter drittes третий третья третье третьего третьей"),
    (4, "fourth vierte vierten vierter viertes четвёртый четвертый четвёртая четвертая"),
    (5, "fifth fünfte fünften fünfter пятый пятая пятое пятого"),
    (6, "sixth sechste sechsten sechster шестой шестая"),
    (7, "seventh siebte siebten siebter седьмой седьмая"),
    (8, "eighth achte achten achter восьмой восьмая"),
    (9, "ninth neunte neunten neunter девятый девятая"),
    (10, "tenth zehnte zehnten zehnter десятый десятая"),
)
ORDINAL_WORDS = {word: value for value, row in _ORDINALS for word in row.split()}

PERCENT = "%"
_PERCENT = re.compile(r"\s?(?:%|％|percent\b|per cent\b|prozent\b|процент\w*|パーセント|pct\b)")
_CURRENCY_BEFORE = {"$": "$", "€": "€", "£": "£", "¥": "¥", "￥": "¥", "us$": "$"}
_CURRENCY = re.compile(
    r"\s?(?P<usd>\$|usd\b|(?:us[- ])?dollars?\b|доллар\w*|美元|ドル)|\s?(?P<eur>€|eur\b|euros?\b|евро\b|欧元|ユーロ)"
    r"|\s?(?P<gbp>£|gbp\b|pounds? sterling\b|英镑|ポンド)"
    r"|\s?(?P<jpy>¥|yen\b|円|日元)|\s?(?P<cny>yuan\b|人民币|元(?!年))"
    r"|\s?(?P<rub>рубл\w*|rubles?\b)"
)
_ORDINAL_TAIL = re.compile(r"(?:st|nd|rd|th)\b|-?(?:й|я|е|го|ой|му)\b")

_MORE = (
    r"more than|over|above|at least|greater than|exceed(?:s|ed|ing)?|upwards? of|no (?:less|fewer) than|minimum of"
    r"|mehr als|über|mindestens|wenigstens|более|больше|свыше|не менее|не меньше|минимум|少なくとも|超过|超過|至少|多于"
    r"|最少"
)
_LESS = (
    r"less than|fewer than|under|below|at most|up to|no more than|not more than|maximum of|weniger als|unter"
    r"|höchstens|bis zu|maximal|менее|меньше|не более|не больше|максимум|多くとも|最大|不到|少于|至多|最多|不超过"
)
_ABOUT = (
    r"about|around|approximately|roughly|nearly|almost|some|circa|ca\.|etwa|rund|ungefähr|fast|knapp|около|примерно"
    r"|почти|приблизительно|約|およそ|約|大约|约|大約|近"
)
_BEFORE = re.compile(
    rf"(?P<less>(?:\b|(?<=[^a-zа-я]))(?:no more than|not more than|не более|не больше|不超过)\s*\Z)"
    rf"|(?P<more>(?:\b|(?<=[^\x00-\x7f]))(?:{_MORE})\s*[$€£¥]?\Z)|(?P<less2>(?:\b|(?<=[^\x00-\x7f]))(?:{_LESS})\s*[$€£¥]?\Z)"
    rf"|(?P<about>(?:\b|(?<=[^\x00-\x7f]))(?:{_ABOUT})\s*[$€£¥]?\Z)"
)
_AFTER = re.compile(
    r"\s?(?:[^\W\d_]{0,2})(?:(?P<more>以上|を超え|超え|多名|余|or more\b|oder mehr\b|и более\b)"
    r"|(?P<less>以下|未満|以内|以内|or less\b|or fewer\b|oder weniger\b|и менее\b)|(?P<about>ほど|程度|左右|前後))"
)
_LOOK = 24
"""Characters before and after a number in which words belong to it."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number, what it counts and whether it is exact."""

    values: tuple[Fraction, ...]
    """The likelier reading, and another where there is one: ``1.000`` is a thousand, or one."""
    unit: str = ""
    """``%``, a currency, ``ordinal``, or empty."""
    bound: Bound = "="


def quantity_of(match: "re.Match[str]", text: str) -> tuple[Quantity, int]:
    """Read a match of ``PATTERN`` in a casefolded text. Returns it, and where its unit ends."""
    end = match.end()
    values = _values(match)
    unit = ""
    before = text[max(0, match.start() - _LOOK) : match.start()]
    sign = before[-1:] if before[-1:] in _CURRENCY_BEFORE else ""
    percent = _PERCENT.match(text, end)
    currency = _CURRENCY.match(text, end)
    tail = _ORDINAL_TAIL.match(text, end)
    if sign:
        unit = _CURRENCY_BEFORE[sign]
    elif percent:
        unit, end = PERCENT, percent.end()
    elif currency:
        unit, end = f"{currency.lastgroup}", currency.end()
        unit = {"usd": "$", "eur": "€", "gbp": "£", "jpy": "¥"}.get(unit, unit)
    elif tail or before.endswith("第"):
        unit, end = "ordinal", tail.end() if tail else end
    elif before.endswith("百分之"):
        unit = PERCENT
    return Quantity(values, unit, bound_at(text, match.start(), end)), end


def bound_at(text: str, start: int, end: int) -> Bound:
    """What the words around a number say of it: more, less, about, or nothing."""
    before = _BEFORE.search(text[max(0, start - _LOOK) : start])
    after = _AFTER.match(text, end)
    name = ((before.lastgroup if before else None) or (after.lastgroup if after else None) or "=").rstrip("2")
    bounds: dict[str, Bound] = {"more": ">", "less": "<", "about": "~"}
    return bounds.get(name, "=")


def related(claimed: Quantity, source: Quantity) -> Relation:
    """What a source's number is to a claimed one; ``apart`` only where no reading of either makes the claim true."""
    pairs = [(one, other) for one in claimed.values for other in source.values]
    first = _related(claimed.values[0], claimed.bound, source.values[0], source.bound)
    if any(one == other and _related(one, claimed.bound, other, source.bound) == "same" for one, other in pairs):
        return "same"
    if first == "apart" and len(pairs) > 1:
        near = any(abs(one - other) <= ABOUT * max(abs(one), abs(other)) for one, other in pairs[1:])
        return "open" if near else "apart"
    return first


def _related(claimed: Fraction, bound: Bound, source: Fraction, other: Bound) -> Relation:
    if claimed == source:
        if bound == other or {bound, other} == {"=", "~"}:
            return "same"
        return "apart" if {bound, other} == {"<", ">"} else "open"
    if bound == "~" or other == "~":
        near = abs(claimed - source) <= ABOUT * max(abs(claimed), abs(source))
        if bound in "<>" and not near:
            return "within" if (source > claimed) == (bound == ">") else "apart"
        return "open" if near else "apart"
    if bound == "=":
        possible = other == "=" or (claimed > source) != (other == ">")
        return "apart" if possible else "open"
    true = (source > claimed) == (bound == ">")
    if other == "=":
        return "within" if true else "apart"
    if other == bound:
        return "open"
    return "apart" if not true else "open"


def _values(match: "re.Match[str]") -> tuple[Fraction, ...]:
    if match["han"]:
        return (Fraction(_han(match["han"])),)
    values = _digits(match["digits"])
    if match["groups"]:
        values = tuple(_grouped(value, match["groups"]) for value in values)
    if match["times"]:
        values = tuple(value * 10 ** _MULTIPLES[match["times"].rstrip(".")] for value in values)
    return values


def _digits(written: str) -> tuple[Fraction, ...]:
    """Every sensible reading of digits with points, commas and spaces."""
    plain = re.sub("[ \u00a0\u202f'’]", "", written)
    marks = [char for char in plain if char in ".,"]
    if not marks:
        return (Fraction(plain),)
    whole = Fraction(re.sub("[.,]", "", plain))
    parts = re.split("[.,]", plain)
    grouped = all(len(part) == 3 for part in parts[1:]) and 1 <= len(parts[0]) <= 3 and parts[0] != "0"
    if len(set(marks)) == 1 and len(marks) > 1:
        return (whole,) if grouped else (Fraction(f"{parts[0]}.{''.join(parts[1:])}"), whole)
    point = Fraction(f"{''.join(parts[:-1])}.{parts[-1]}")
    return (whole, point) if grouped and len(marks) == 1 else (point,)


def _grouped(value: Fraction, groups: str) -> Fraction:
    """``3`` with ``万5000``: 35,000."""
    total = Fraction(0)
    for sign, rest in re.findall(r"([万萬亿億兆千百])(\d+(?:\.\d+)?)?", groups):
        size = _HAN_GROUPS.get(sign) or _HAN_TENS[sign]
        total += value * size
        value = Fraction(rest) if rest else Fraction(0)
    return total + value


def _han(signs: str) -> int:
    if not any(sign in _HAN_TENS or sign in _HAN_GROUPS for sign in signs):
        return int("".join(str(_HAN_DIGITS[sign]) for sign in signs))
    total = section = digit = 0
    for sign in signs:
        if sign in _HAN_DIGITS:
            digit = _HAN_DIGITS[sign]
        elif sign in _HAN_TENS:
            section += (digit or 1) * _HAN_TENS[sign]
            digit = 0
        else:
            total += (section + digit or 1) * _HAN_GROUPS[sign]
            section = digit = 0
    return total + section + digit
