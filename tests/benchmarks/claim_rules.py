"""The rules by which a sentence becomes a claim whose verdict is known: a claim, or None where one does not fit.

Supported: ``verbatim``, ``shortened`` (a bracket, a connective at the beginning, or a second main clause left out),
``reordered`` (a condition or a place moved from the beginning to the end, or two joined nouns exchanged), ``synonym``
(one word exchanged for another of the same meaning). Contradicted: ``number``, ``date``, ``name``, ``negation``,
``comparison``: one of them changed, nothing else. Weak: ``unrelated`` (a sentence of another page).

The tables are this file's own: nothing here is read from the program that is measured.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from random import Random

Rule = Callable[[str, Random], "str | None"]

CONNECTIVES = {
    "en": r"(?:However|Therefore|Thus|Note that|In addition|Also|Additionally|Furthermore|Otherwise|For example),? ",
    "de": r"(?:Beachten Sie, dass|Zusätzlich|Außerdem|Daher|Allerdings|Beispielsweise),? ",
    "ru": r"(?:Однако|Поэтому|Кроме того|Заметим, что|Таким образом|Например|Обратите внимание, что),? ",
    "ja": r"(?:しかし|また|なお|ただし|そのため|さらに|従って|したがって|例えば|そして)、?\s?",
    "zh": r"(?:但是|不过|因此|另外|此外|所以|然而|例如|同时|注意)[，,]\s?",
}
SECOND_CLAUSE = {
    "en": r"(?:;|, and|, but|, which) ",
    "de": r"(?:;|, und|, aber) ",
    "ru": r"(?:;|, а|, но|, и) ",
    "zh": r"(?:；|，并且|，而且|，但是)",
}
LEADING = {
    "en": r"(?P<part>(?:If|When|By default|In|On|For|After|Before|With|Since|Under|Unless) [^,;.]{3,80}),"
    r" (?P<rest>[^;]+)\.",
    "ru": r"(?P<part>(?:Если|Когда|В|На|Для|После|При|По) [^,;.]{3,80}), (?P<rest>[^;,]+)\.",
    "ja": r"(?P<part>[^、。]{3,40}(?:では|には|で|に|から|まで))、"
    r"(?P<rest>[^、。]{3,30}(?:は|が|を))(?P<end>[^、。]{6,})。",
}
JOINED = {
    "en": r"\b(?P<a>[a-z]{4,}) and (?P<b>[a-z]{4,})\b(?! [a-z]{3,}ing)",
    "de": r"\b(?P<a>[A-ZÄÖÜ][a-zäöüß]{3,}) und (?P<b>[A-ZÄÖÜ][a-zäöüß]{3,})\b",
    "ru": r"\b(?P<a>[а-я]{5,}) и (?P<b>[а-я]{5,})\b",
    "ja": r"(?<![ァ-ヶー一-龥])(?P<a>[ァ-ヶー]{2,8}|[一-龥]{2,4})と(?P<b>[ァ-ヶー]{2,8}|[一-龥]{2,4})(?=[をがはのに])",
    "zh": r"(?P<a>[A-Za-z]{3,12}) 和 (?P<b>[A-Za-z]{3,12})",
}
SYNONYMS: Mapping[str, str] = {
    "en": """
show display|begins starts|large big|shown displayed|deleted removed|delete remove|contains includes|printed output|
specifies gives|allows permits|must has_to|returns gives_back|creates makes|directory folder|needed required|
obtain get|terminates ends|error fault|occurs happens|modify change|modified changed|entire whole|quickly fast
""",
    "de": """
angezeigt dargestellt|gelöscht entfernt|Verzeichnis Ordner|verwendet benutzt|beginnt startet|enthält beinhaltet|
Fehler Defekt|geändert verändert|zeigt stellt_dar|erlaubt gestattet|beendet abgeschlossen|erzeugt erstellt|
benötigt gebraucht
""",
    "ru": """
использует применяет|используется применяется|удаляет стирает|каталог директория|показывает отображает|
содержит включает|создаёт формирует|выводит печатает|завершается заканчивается|позволяет разрешает|изменить поменять|
файла документа|начинает стартует|нужно необходимо|должен обязан
""",
    "ja": """
使用 利用|表示 出力|削除 消去|開始 スタート|作成 生成|指定 設定|変更 修正|含む 含める|行う 実施する|終了 完了|
必要 不可欠|有名 著名|場所 所|言われ 呼ばれ|全て すべて|作られ 製造され
""",
    "zh": """
使用 采用|删除 移除|显示 展示|创建 建立|指定 规定|开始 起始|包含 含有|修改 更改|允许 准许|输出 打印|目录 文件夹|
返回 传回|结束 终止|读取 读入|需要 须要
""",
}
OPPOSITES: Mapping[str, str] = {
    "en": """
more less|before after|first last|larger smaller|greater less|higher lower|longer shorter|at_least at_most|
minimum maximum|enabled disabled|enables disables|always never|left right|input output|read write|increase decrease|
start end|public private|allows forbids|older newer|true false|above below|lower upper|opened closed|add remove
""",
    "de": """
mehr weniger|vor nach|erste letzte|ersten letzten|größer kleiner|mindestens höchstens|minimale maximale|immer nie|
aktiviert deaktiviert|aktivieren deaktivieren|links rechts|Eingabe Ausgabe|lesen schreiben|Anfang Ende|
lokale entfernte|beginnt endet|erlaubt verboten|länger kürzer|alle keine|mit ohne|älter neuer|öffnet schließt|
oben unten|wahr falsch
""",
    "ru": """
больше меньше|до после|первый последний|первая последняя|максимальное минимальное|максимальный минимальный|
включить выключить|всегда никогда|слева справа|чтения записи|начало конец|начала конца|добавить удалить|выше ниже|
длиннее короче|разрешить запретить|разрешено запрещено|внутренний внешний|открывает закрывает|ввода вывода|с без
""",
    "ja": """
以上 以下|最大 最小|最初 最後|前 後|増加 減少|入力 出力|開始 終了|有効 無効|可能 不可能|上 下|左 右|大きい 小さい|
長い 短い|以前 以後|北部 南部|東部 西部|勝利 敗北|最古 最新|多い 少ない|男性 女性|成功 失敗|読み込み 書き込み|
追加 削除|高い 低い
""",
    "zh": """
大于 小于|之前 之后|最大 最小|开始 结束|第一个 最后一个|输入 输出|允许 禁止|打开 关闭|增加 减少|启用 禁用|读取 写入|
添加 删除|以上 以下|多于 少于|成功 失败|总是 从不|左边 右边|前面 后面|本地 远程|显示 隐藏|真 假|上面 下面|较大 较小|
高于 低于
""",
}
_SYSTEMS = ("Linux", "Solaris", "FreeBSD", "Debian", "Windows", "Python", "Perl")
NAMES = {
    "en": (*_SYSTEMS, "Berlin", "Canada", "Torvalds", "Stallman"),
    "de": (*_SYSTEMS, "Berlin", "Kanada", "Torvalds", "Stallman"),
    "ru": (*_SYSTEMS, "Москва", "Берлин"),
    "zh": _SYSTEMS,
    "ja": ("アメリカ", "イタリア", "フランス", "ドイツ", "ロンドン", "モスクワ", "カナダ", "スペイン", "ブラジル"),
}
NAMED = {
    "en": r"(?<=[a-z,] )(?:GNU|POSIX|UNIX|Unix|Linux|Solaris|BSD|FreeBSD|Debian|Windows|Perl|Python|Ubuntu"
    r"|[A-Z][a-z]{4,}(?= [a-z]))",
    "de": r"(?:GNU|POSIX|UNIX|Unix|Linux|Solaris|BSD|FreeBSD|Debian|Windows|Perl|Python|Ubuntu"
    r"|Systemd|Git|Emacs)\b",
    "ru": r"(?:GNU|POSIX|UNIX|Unix|Linux|Solaris|BSD|FreeBSD|Debian|Windows|Perl|Python|Ubuntu)\b",
    "zh": r"(?:GNU|POSIX|UNIX|Unix|Linux|Solaris|BSD|FreeBSD|Debian|Windows|Perl|Python|X11|Emacs)(?![A-Za-z])",
    "ja": r"(?<![ァ-ヶー・])[ァ-ヶー]{4,9}(?=[のはがをにでとへ])"
    r"|(?:GNU|POSIX|UNIX|Linux|BSD)(?![A-Za-z])",
}
DENIALS: Mapping[str, Sequence[tuple[str, str]]] = {
    "en": (
        (r"\b(is|are|was|were|can|will|may|must|should) (?!not\b)(?=[a-z]+)", r"\1 not "),
        (r"\b(is|are|was|were|can|will|may|must|should) not ", r"\1 "),
        (r"\b(?:does|do) not (?=[a-z])", ""),
        (r"\bcannot\b", "can"),
    ),
    "de": (
        (r"\b(ist|sind|wird|werden|kann|können|wurde|wurden) nicht ", r"\1 "),
        (r"\b(wird|werden|kann|ist|sind|wurde) (?!nicht)(?=\w+[^.]*\.)", r"\1 nicht "),
        (r"\bkein(e|en|er)?\b", r"ein\1"),
        (r"\bein(e|en|er)?\b", r"kein\1"),
    ),
    "ru": (
        (
            r"\bне (?=может|могут|будет|будут|является|используется|использует|должен|должна|изменя|удаля|поддержива)",
            "",
        ),
        (
            r"(?<![нН]е )\b(?=(?:может|могут|будет|будут|является|используется|использует|должен|изменяет|удаляет) )",
            "не ",
        ),
    ),
    "ja": (
        (r"できる(?=。)", "できない"),
        (r"できない(?=。)", "できる"),
        (r"ます(?=。)", "ません"),
        (r"ません(?=。)", "ます"),
        (r"である(?=。)", "ではない"),
        (r"(?<=て)いる(?=。)", "いない"),
        (r"(?<=て)いない(?=。)", "いる"),
        (r"(?<=[れけえせめべげ])る(?=。)", "ない"),
        (r"する(?=。)", "しない"),
        (r"しない(?=。)", "する"),
        (r"がある(?=。)", "がない"),
        (r"です(?=。)", "ではありません"),
    ),
    "zh": (
        (r"(?<=[^只仅])不(?=会|能|是|支持|需要|允许)", ""),
        (r"(?<![不也只还])(?=会|能够|支持|需要|允许)", "不"),
        (r"(?<=[^也就都还总只但不或若])是(?!否|不)", "不是"),
        (r"没有", "有"),
    ),
}
MONTHS = {
    "en": "January February March April May June July August September October November December",
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "ru": "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
}
_YEAR = r"(?<![\d.,/:-])(?:1[4-9]\d\d|20[0-3]\d)(?![\d.,/:]\d|\d|-\d)"


def shortened(language: str, sentence: str, random: Random) -> str | None:
    """Leave out a bracket, else a connective, else what follows the first main clause."""
    bracket = re.search(r"\s?[(（][^()（）]{4,60}[)）]", sentence)
    if bracket:
        return sentence[: bracket.start()] + sentence[bracket.end() :]
    found = re.match(CONNECTIVES[language], sentence)
    if found:
        rest = sentence[found.end() :]
        return rest[:1].upper() + rest[1:]
    clause = re.search(SECOND_CLAUSE.get(language, r"(?!)"), sentence)
    if clause and clause.start() > 25 and not re.search(r"\b(?:if|wenn|falls|если|unless)\b|如果|除非", sentence, re.I):
        return sentence[: clause.start()] + sentence[-1]
    return None


def reordered(language: str, sentence: str, random: Random) -> str | None:
    """Move a part from the beginning to the end, else exchange two joined nouns."""
    found = re.fullmatch(LEADING.get(language, r"(?!)"), sentence)
    if found and language == "ja":
        return f"{found['rest']}{found['part']}{found['end']}。"
    if found:
        part, rest = found["part"], found["rest"]
        comma = ", " if language == "ru" and part.startswith(("Если", "Когда")) else " "
        return f"{rest[:1].upper()}{rest[1:]}{comma}{part[:1].lower()}{part[1:]}."
    joined = re.search(JOINED[language], sentence)
    if joined:
        between = sentence[joined.end("a") : joined.start("b")]
        return sentence[: joined.start()] + joined["b"] + between + joined["a"] + sentence[joined.end() :]
    return None


def _exchanged(table: str, sentence: str, random: Random, spaced: bool) -> str | None:
    """Exchange one word of a table, either way."""
    pairs = [pair.split() for pair in table.replace("|\n", "|").split("|")]
    both = [(a.replace("_", " "), b.replace("_", " ")) for pair in pairs for a, b in (pair, pair[::-1])]
    random.shuffle(both)
    for word, other in both:
        pattern = rf"\b{re.escape(word)}\b" if spaced else re.escape(word)
        found = list(re.finditer(pattern, sentence))
        if len(found) == 1 and not (not spaced and len(word) == 1):
            return sentence[: found[0].start()] + other + sentence[found[0].end() :]
    return None


def synonym(language: str, sentence: str, random: Random) -> str | None:
    """Exchange a word for one of the same meaning."""
    return _exchanged(SYNONYMS[language], sentence, random, language in ("en", "de", "ru"))


def comparison(language: str, sentence: str, random: Random) -> str | None:
    """Exchange a word for its opposite."""
    return _exchanged(OPPOSITES[language], sentence, random, language in ("en", "de", "ru"))


def number(language: str, sentence: str, random: Random) -> str | None:
    """Change a number that is no year and no part of a name."""
    found = [
        one
        for one in re.finditer(
            r"(?<![\w.,:/()<-])\d+(?![\w.,:/()>-]*\d)(?![\w(/:-](?<![年月日人個名回本の以つ]))", sentence
        )
        if not re.fullmatch(_YEAR, one[0])
    ]
    if not found:
        return None
    one = random.choice(found)
    value = int(one[0])
    other = random.choice([value + 1, value + 3, value * 2 + 1, value * 10 + 5])
    if re.search(rf"(?<!\d){other}(?!\d)", sentence):
        return None
    return sentence[: one.start()] + str(other) + sentence[one.end() :]


def date(language: str, sentence: str, random: Random) -> str | None:
    """Change a year, or a day's month."""
    found = list(re.finditer(_YEAR, sentence))
    if found:
        one = random.choice(found)
        other = str(int(one[0]) + random.choice([-20, -3, 1, 2, 7]))
        return None if other in sentence else sentence[: one.start()] + other + sentence[one.end() :]
    if language in ("ja", "zh"):
        month = re.search(r"(\d{1,2})月", sentence)
        if month is None:
            return None
        other = str(int(month[1]) % 12 + 1)
        return sentence[: month.start()] + other + sentence[month.start() + len(month[1]) :]
    names = MONTHS[language].split()
    months = [m for m in names if re.search(rf"\d\.? {m}\b|\b{m} \d", sentence)]
    if not months:
        return None
    other = names[(names.index(months[0]) + random.randint(1, 10)) % 12]
    return sentence.replace(months[0], other, 1)


def name(language: str, sentence: str, random: Random) -> str | None:
    """Exchange a name for another."""
    found = list(re.finditer(NAMED[language], sentence))
    if not found:
        return None
    one = random.choice(found)
    latin = [other for other in NAMES[language] + NAMES["zh"] if other.isascii() == one[0].isascii()]
    others = [other for other in latin if other not in sentence]
    return sentence[: one.start()] + random.choice(others) + sentence[one.end() :] if others else None


def negation(language: str, sentence: str, random: Random) -> str | None:
    """Deny what the sentence says, or say what it denies."""
    for pattern, other in DENIALS[language]:
        if len(re.findall(pattern, sentence)) == 1:
            return re.sub(pattern, other, sentence)
    return None


def asked(language: str, sentence: str, random: Random) -> str | None:
    """The sentence with its figure or name asked for, then the figure or name as the answer."""
    figure = r"\d[\d.,]*\d|\d" if language != "ja" else r"\d[\d.,]*(?:年|人|月|日)?"
    found = re.search(rf"(?<![\w.-])(?:{figure})(?![\w.-]*\d)|{NAMED[language]}", sentence)
    if found is None:
        return None
    word = {"en": "what", "de": "was", "ru": "что", "ja": "何", "zh": "什么"}[language]
    body = (sentence[: found.start()] + word + sentence[found.end() :]).rstrip(".。")
    return f"{body}{'？' if language in ('ja', 'zh') else '?'} {found[0]}"


RULES: Mapping[str, tuple[str, Callable[[str, str, Random], str | None]]] = {
    "verbatim": ("supported", lambda _language, sentence, _random: sentence),
    "shortened": ("supported", shortened),
    "reordered": ("supported", reordered),
    "synonym": ("supported", synonym),
    "number": ("contradicted", number),
    "date": ("contradicted", date),
    "name": ("contradicted", name),
    "negation": ("contradicted", negation),
    "comparison": ("contradicted", comparison),
    "asked": ("", asked),
}
"""Rule → the verdict that its claims should get (empty: only the carrying sentence counts) and how they are made."""
