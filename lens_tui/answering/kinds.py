"""What kind of thing a question asks for (who, when, where, how many, why), and whether a sentence tells such a thing.

By short tables for English, German, French, Spanish, Russian, Japanese and Chinese: a question of another language, or
one that asks for nothing of the kind, has none, and nothing is then made of it.
"""

import re
from functools import lru_cache
from typing import Literal

from lens_tui.answering import dates, quantities

Kind = Literal["who", "when", "where", "number", "why"]

_ASKS: dict[Kind, str] = {
    "number": r"""
        \bhow\ (?:many|much|long|old|far|large|big|tall|high|deep|wide|often|fast|heavy)\b
        |\bwhat\ (?:percentage|percent|share|number|amount|price|proportion)\b
        |\bwie\ ?(?:viele?[nrs]?|lange|alt|weit|hoch|groß|oft|teuer|schwer)\b
        |\bcombien\b|\bcu[aá]nt[oa]s?\b|\bсколько\b|\bкак\ (?:долго|часто)\b
        |いくつ|いくら|(?:どの|どれ)(?:くらい|ぐらい|ほど)|何(?:人|個|回|歳|才|年間|日間|時間|分|円|冊|本|台|件|種類|パーセント)
        |何(?:キロ|メートル|トン)|多少|几[个人次天年岁种]|幾[個人次]|多[久长長大高远重]
        """,
    "when": r"""
        \bwhen\b|\b(?:what|which)\ (?:year|date|day|month|century|time)\b
        |\bwann\b|\b(?:in\ welchem|welches)\ (?:jahr|monat)
        |\bquand\b|\bquell?e?\ (?:année|date|jour)\b|\bcu[aá]ndo\b|\bqué\ (?:año|día|fecha)\b
        |\bкогда\b|\bкаком\ году\b|\bкакого\ числа\b
        |いつ|何(?:年|月|日|時|世紀|曜日)|什么时候|什麼時候|何[时時]|哪[一]?[年天月]|[几幾][月号號点點]
        """,
    "who": r"""
        \bwho(?:m|se)?\b|\b(?:wer|wen|wem|wessen)\b|\bqui\b|\bqui[eé]n(?:es)?\b|\b(?:кто|кого|кому|кем)\b
        |誰|だれ|どなた|谁|哪位
        """,
    "where": r"""
        \bwhere\b|\b(?:wo|wohin|woher)\b|\boù\b|\ba?d[oó]nde\b|\b(?:где|куда|откуда)\b
        |どこ|何処|哪里|哪裡|哪儿|何处|在哪
        """,
    "why": r"""
        \bwhy\b|\bwhat\ (?:reasons?|causes?|caused)\b|\b(?:warum|wieso|weshalb)\b|\bpourquoi\b|\bpor\ qu[eé]\b
        |\b(?:почему|зачем)\b|なぜ|何故|どうして|理由は|为什么|為什麼|[为為]何
        """,
}
_NAME = r"[A-ZÀ-ÖØ-ÞА-ЯЁ][\w’'-]+"
_TITLE = r"(?:Mr|Mrs|Ms|Dr|Prof|Herr|Frau|Monsieur|Madame|Señora?|Sir|Lady)"
_IN = r"in|at|from|to|near|on|im|bei|nach|aus|auf|am|à|au|aux|en|de|dans|в|во|на|из|под|около"
_THE = r"the|der|dem|den|la|le|el|los|las"
_MONTHS = "|".join(sorted((name for name in dates.MONTHS if len(name) > 3), key=len, reverse=True))
_NUMBERS = "|".join(sorted(quantities.NUMBER_WORDS, key=len, reverse=True))
_TELLS: dict[Kind, str] = {
    "number": rf"(?i:\d|{quantities.PATTERN}|\b(?:{_NUMBERS})\b)",
    "when": rf"""
        (?i:{dates.PATTERN}|\b(?:1\d{{3}}|20\d\d)\b|\b(?:{_MONTHS})\b
        |\d\s?(?:年|月|日|時|时|世紀|世纪)|\b\d{{1,2}}[:.]\d\d\b|\d\ ?[ap]\.?m\b
        |\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b
        |\b(?:today|yesterday|tomorrow|century|heute|gestern|jahrhundert\w*|siècle|siglo|век[ае]?|сегодня|вчера|завтра)\b
        |\b(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)s?\b
        |\b(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|jueves|viernes|domingo)\b
        |\b(?:понедельник|вторник|сред[ау]|четверг|пятниц[ау]|суббот[ау]|воскресенье)\b
        |曜日|時代|昭和|平成|令和|大正|明治|星期|昨天|今天|明天)
        """,
    "who": rf"""
        {_NAME}\ (?:[a-z]{{2,3}}\ )?{_NAME}|\b{_TITLE}\b
        |(?<=[a-zà-ÿа-яё]\ )(?<!\bin\ )(?<!\bat\ )(?<!\bim\ )(?<!\ben\ )(?<!\bв\ ){_NAME}
        |[\u3040-\u9fff](?:氏|さん|様|監督|選手|大統領|首相|王|皇帝|天皇|先生|女士|教授|博士|总统|總統|主席)|・
        """,
    "where": rf"""
        \b(?i:{_IN})\ (?:(?i:{_THE})\ )?[A-ZÀ-ÖØ-ÞА-ЯЁ0-9]
        |[県市町村区國国駅島州省县區縣府湖川山寺]|位置|にある|位于|位於|地[域方区]|[\u4e00-\u9fff\u30a1-\u30fa]で
        """,
    "why": r"""
        (?i:\b(?:because|since|due\ to|owing\ to|so\ that|in\ order\ to|reasons?|thanks\ to|caused?|therefore)\b
        |\b(?:weil|denn|wegen|damit|deshalb|daher|aufgrund|grund|gründen?|um\ zu)\b
        |\b(?:parce\ qu|car|puisqu|à\ cause|afin|raison|grâce|porque|pues|debido|razón|gracias\ a)
        |\b(?:потому|поскольку|из-за|чтобы|благодаря|причин\w*|так\ как)\b
        |ため|ので|から|理由|原因|によ[りる]|因[为為]|由[于於]|[为為]了|所以|因此|[缘緣]故)
        """,
}
_ASKING = {kind: re.compile(pattern, re.VERBOSE | re.IGNORECASE) for kind, pattern in _ASKS.items()}
_TELLING = {kind: re.compile(pattern, 0 if kind == "number" else re.VERBOSE) for kind, pattern in _TELLS.items()}


@lru_cache(maxsize=256)
def kind_of(question: str) -> Kind | None:
    """What the question asks for, the first of several, None where it is nothing of the kind."""
    found = [
        (match.start(), at, kind) for at, (kind, asks) in enumerate(_ASKING.items()) if (match := asks.search(question))
    ]
    return min(found)[2] if found else None


def tells(kind: Kind, sentence: str, question: str) -> bool:
    """Whether a sentence holds such a thing that is not in the question already."""
    known = question.casefold()
    return any(match[0].casefold() not in known for match in _TELLING[kind].finditer(sentence))
