"""What kind of thing a question asks for (who, when, where, how many, why), and whether a sentence tells such a thing.

By short tables for English, German, French, Spanish, Russian, Japanese and Chinese: a question of another language, or
one that asks for nothing of the kind, has none, and nothing is then made of it.
"""

import re
from functools import lru_cache
from typing import Literal

from lens_tui.answering import dates, quantities

Kind = Literal["who", "when", "where", "number", "why"]

_QUESTIONS: tuple[tuple[Kind, str], ...] = (
    (
        "number",
        r"\bhow (?:many|much|long|old|far|large|big|tall|high|deep|wide|often|fast|heavy)\b"
        r"|\bwhat (?:percentage|percent|share|number|amount|price|proportion)\b"
        r"|\bwie ?(?:viele?[nrs]?|lange|alt|weit|hoch|groß|oft|teuer|schwer)\b|\bcombien\b|\bcu[aá]nt[oa]s?\b"
        r"|\bсколько\b|\bкак (?:долго|часто)\b|いくつ|いくら|何(?:人|個|回|歳|才|年間|日間|時間|分|円|冊|本|台|件|種類|キロ|メートル|パーセント|%)"
        r"|(?:どの|どれ)(?:くらい|ぐらい|ほど)|多少|几[个個人次天年岁种]|幾[個人次]|多[久长長大高远重]",
    ),
    (
        "when",
        r"\bwhen\b|\b(?:what|which) (?:year|date|day|month|century|time)\b|\bwann\b"
        r"|\b(?:in welchem|welches) (?:jahr|monat)|\bquand\b|\b(?:quelle|quel) (?:année|date|jour)\b|\bcu[aá]ndo\b"
        r"|\bqué (?:año|día|fecha)\b|\bкогда\b|\bкаком году\b|\bкакого числа\b|いつ|何(?:年|月|日|時|世紀|曜日)"
        r"|什么时候|什麼時候|何时|何時|哪[一]?[年天月]|几[月号点]|幾[月號點]",
    ),
    ("who", r"\bwho(?:m|se)?\b|\b(?:wer|wen|wem|wessen)\b|\bqui\b|\bqui[eé]n(?:es)?\b|\bкто\b|\bкого\b|\bкому\b|\bкем\b"
     r"|誰|だれ|どなた|谁|哪位"),
    ("where", r"\bwhere\b|\b(?:wo|wohin|woher)\b|\boù\b|\ba?d[oó]nde\b|\bгде\b|\bкуда\b|\bоткуда\b|どこ|何処|哪里|哪裡|哪儿|何处|在哪"),
    ("why", r"\bwhy\b|\bwhat (?:reasons?|causes?|caused)\b|\b(?:warum|wieso|weshalb)\b|\bpourquoi\b|\bpor qu[eé]\b"
     r"|\bпочему\b|\bзачем\b|なぜ|何故|どうして|理由は|为什么|為什麼|为何|為何"),
)  # fmt: skip
_ASKS = tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in _QUESTIONS)

_MONTH = "|".join(sorted((name for name in dates.MONTHS if len(name) > 3), key=len, reverse=True))
_TELLS: dict[Kind, re.Pattern[str]] = {
    "number": re.compile(
        rf"\d|{quantities.PATTERN}|\b(?:{'|'.join(sorted(quantities.NUMBER_WORDS, key=len, reverse=True))})\b",
        re.IGNORECASE,
    ),
    "when": re.compile(
        rf"{dates.PATTERN}|\b1\d{{3}}\b|\b20\d\d\b|\b(?:{_MONTH})\b|\d\s?(?:年|月|日|時|世紀|世纪)|(?:\d|\b)[ap]\.?m\b"
        r"|\b\d{1,2}[:.]\d\d\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:today|yesterday|tomorrow|century)\b"
        r"|\b(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|heute|gestern|morgen|jahrhundert)s?\b"
        r"|\b(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|siècle|lunes|martes|jueves|viernes|domingo|siglo)\b"
        r"|\b(?:понедельник|вторник|сред[ау]|четверг|пятниц[ау]|суббот[ау]|воскресенье|сегодня|вчера|завтра)\b|век[ае]?\b"
        r"|曜日|時代|昭和|平成|令和|大正|明治|星期|昨天|今天|明天|朝代",
        re.IGNORECASE,
    ),
    "who": re.compile(
        r"(?:(?<=[^\W\d_] )|(?<=[,;:«“\"(] )|(?<=, ))[A-ZÀ-ÖØ-ÞА-ЯЁ][\w’'-]+ (?:[a-z]{2,3} )?[A-ZÀ-ÖØ-ÞА-ЯЁ][\w’'-]+"
        r"|\b[A-Z][\w’'-]+ [A-Z][\w’'-]+\b|\b(?:Mr|Mrs|Ms|Dr|Prof|Herr|Frau|Monsieur|Madame|Señora?|Sir|Lady)\b"
        r"|(?<=[a-zа-яё,] )[A-ZА-ЯЁ][a-zа-яё]+\b|[\u3040-\u9fff](?:氏|さん|様|先生|監督|選手|教授|博士|大統領|首相|王|皇帝|天皇)"
        r"|・|[\u4e00-\u9fff](?:先生|女士|教授|博士|总统|總統|主席|皇帝)",
    ),
    "where": re.compile(
        r"\b(?i:in|at|from|to|near|on|im|bei|nach|aus|auf|am|à|au|aux|en|de|dans|в|во|на|из|под|около)"
        r" (?:(?i:the|der|dem|den|la|le|el|los|las) )?[A-ZÀ-ÖØ-ÞА-ЯЁ0-9]"
        r"|[県市町村区国駅島州省县區縣府湖川山寺]|位置|にある|位于|位於|地[域方区]|[\u4e00-\u9fff\u30a1-\u30fa]で",
    ),
    "why": re.compile(
        r"\b(?:because|since|due to|owing to|so that|in order to|reasons?|thanks to|caused?|therefore|as a result)\b"
        r"|\b(?:weil|denn|wegen|damit|deshalb|daher|aufgrund|grund|gründen?|um zu)\b"
        r"|\b(?:parce qu|car|puisqu|à cause|afin|raison|grâce)|\b(?:porque|pues|debido|razón|gracias a)\b"
        r"|\b(?:потому|поскольку|из-за|чтобы|благодаря|причин\w*|так как)\b"
        r"|ため|ので|から|理由|原因|によ[りる]|因为|因為|由于|由於|为了|為了|所以|因此|缘故|緣故",
        re.IGNORECASE,
    ),
}


@lru_cache(maxsize=256)
def kind_of(question: str) -> Kind | None:
    """What the question asks for, None where it is nothing of the kind."""
    places = ((found.start(), kind) for kind, asks in _ASKS if (found := asks.search(question)))
    return min(places, default=(0, None))[1]


def tells(kind: Kind, sentence: str, question: str) -> bool:
    """Whether a sentence holds such a thing that is not in the question already."""
    return any(found[0].casefold() not in question.casefold() for found in _TELLS[kind].finditer(sentence))
