"""Days, months and years as a text writes them, in five languages, and whether two of them can be the same."""

import re
from dataclasses import dataclass
from typing import Literal

Relation = Literal["same", "within", "apart", "open"]
"""What a source's figure is to a claimed one: the same, one that makes it true, one that makes it false, or unsure."""

_MONTHS = (
    "january jan januar jänner января январь январе янв janvier enero",
    "february feb februar feber февраля февраль феврале фев février febrero",
    "march mar märz mrz марта март марте мар mars marzo",
    "april apr апреля апрель апреле апр avril abril",
    "may mai мая май мае mayo",
    "june jun juni июня июнь июне июн juin junio",
    "july jul juli июля июль июле июл juillet julio",
    "august aug августа август августе авг août agosto",
    "september sep sept сентября сентябрь сентябре сен septembre septiembre",
    "october oct oktober okt октября октябрь октябре окт octobre octubre",
    "november nov ноября ноябрь ноябре ноя novembre noviembre",
    "december dec dezember dez декабря декабрь декабре дек décembre diciembre",
)
MONTHS = {name: number for number, row in enumerate(_MONTHS, 1) for name in row.split()}
"""Names and short names of months, casefolded, to 1–12."""

_NAME = "|".join(sorted(MONTHS, key=len, reverse=True))
_YEAR = r"(?:1\d{3}|20\d{2})"
_DAY = r"(?:0?[1-9]|[12]\d|3[01])"
_PATTERNS = (
    rf"(?P<y1>{_YEAR})-(?P<m1>0[1-9]|1[0-2])-(?P<d1>{_DAY})(?!\d)",
    rf"(?P<y2>\d{{3,4}})\s?年(?:\s?(?P<m2>1[0-2]|0?[1-9])\s?月(?:\s?(?P<d2>{_DAY})\s?[日号])?)?",
    rf"(?P<m3>1[0-2]|0?[1-9])\s?月\s?(?P<d3>{_DAY})\s?[日号]",
    rf"(?P<d4>{_DAY})(?:st|nd|rd|th|\.)?\s+(?:of\s+|de\s+)?(?P<m4>{_NAME})\b(?:\.(?=,?\s+\d))?"
    rf"(?:,?\s+(?:of\s+|de\s+)?(?P<y4>{_YEAR})(?![\d.,]\d))?",
    rf"\b(?P<m5>{_NAME})\b\.?\s+(?P<d5>{_DAY})(?:st|nd|rd|th)?(?![\d.]\d|\d)(?:\s?,?\s+(?P<y5>{_YEAR})(?![\d.,]\d))?",
    rf"\b(?P<m6>{_NAME})\b\.?,?\s+(?:of\s+|de\s+)?(?P<y6>{_YEAR})(?![\d.,]\d|\d)",
    rf"(?P<a7>\d{{1,2}})[./](?P<b7>\d{{1,2}})[./](?P<y7>{_YEAR})(?!\d)",
)
PATTERN = "|".join(f"(?:{pattern})" for pattern in _PATTERNS)
"""A date with at least two of day, month and year, or a year that is called one; groups are this file's own."""

_DATE = re.compile(PATTERN)


@dataclass(frozen=True, slots=True)
class Day:
    """A day, or as much of it as is written."""

    year: int | None = None
    month: int | None = None
    day: int | None = None


def day_of(match: "re.Match[str]") -> Day:
    """Read a match of ``PATTERN``, which was searched in a casefolded text."""
    groups = {name: value for name, value in match.groupdict().items() if value is not None and name[-1:].isdigit()}
    if "a7" in groups:
        first, second = int(groups["a7"]), int(groups["b7"])
        if first > 12 or second <= 12:
            first, second = second, first
        return Day(int(groups["y7"]), first, second)
    found: dict[str, int] = {}
    for name, value in groups.items():
        if name[0] in "ymd" and len(name) == 2:
            found[name[0]] = MONTHS[value] if value in MONTHS else int(value)
    return Day(found.get("y"), found.get("m"), found.get("d"))


def related(claimed: Day, source: Day) -> Relation:
    """What a source's date is to a claimed one: a part that both have and that differs parts them."""
    pairs = (
        (claimed.year, source.year),
        (claimed.month, source.month),
        (claimed.day, source.day),
    )
    both = [(one, other) for one, other in pairs if one is not None and other is not None]
    if not both:
        return "open"
    if any(one != other for one, other in both):
        return "apart"
    more = any(one is not None and other is None for one, other in pairs)
    return "open" if more else "same"
