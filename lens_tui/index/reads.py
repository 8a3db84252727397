"""Which scripts and languages an embedding model can read: found by asking it, where its name does not tell.

A model that does not know a script gives vectors all the same, and they are noise: fused with words they take JSQuAD's
R@1 from .890 to .378 (MiniLM). So its vote counts only in scripts that it knows.

The measure: five questions in that script and five passages that answer them in other words. A model that reads finds
the right passage for four of them or more; by chance one in 150 would. all-MiniLM-L6-v2 finds 5 in English and 0 to 2
in Japanese, Chinese, Korean, Russian and Arabic.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from lens_tui.text.stopwords import ENGLISH, STOP_WORDS

if TYPE_CHECKING:
    from lens_tui.protocols import Vectors

LATIN = "latin"

WEIGHTS = {"han": 3, "kana": 3, "hangul": 2}
"""Letters of other scripts that one of these says as much as."""

SHARE = 0.25
"""Share of a text's letters from which on a script has to be known: a name in another script is no language."""

RIGHT = 4
"""Questions of the five whose passage a model must find."""

FOREIGN = 2
"""Little words of another language that tell it: one alone can be a name, such as ``du`` or ``la``."""

_SCRIPTS = {"cjk": "han", "hiragana": "kana", "katakana": "kana", "fullwidth": LATIN, "halfwidth": "kana"}

PROBES: dict[str, tuple[tuple[str, str], ...]] = {
    "kana": (
        ("賃貸の期限はいつまでですか", "契約は三月末日に満了します。"),
        ("熱が高いときはどうすればいい", "発熱した患者は解熱剤を飲み、水分を十分にとる。"),
        ("電車が遅れた理由は", "鉄道会社によると、信号の故障でダイヤが乱れた。"),
        ("飛べない鳥は何ですか", "ペンギンは泳ぎが得意だが、空へ舞い上がることはない。"),
        ("固くなったパンを柔らかくするには", "古い食パンは霧を吹いてオーブンで温めるとふんわりする。"),
    ),
    "han": (
        ("租房什么时候到期？", "该合同于三月的最后一天终止。"),
        ("发高烧怎么办？", "体温过高的病人应服用退热药并多喝水。"),
        ("火车为什么晚点？", "铁路公司称信号灯故障造成列车延误。"),
        ("哪种鸟不会飞？", "企鹅擅长游泳，却无法升上天空。"),
        ("面包变硬了怎样变软？", "放干的吐司喷点水再进烤箱加热，就会恢复松软。"),
    ),
    "hangul": (
        ("임대 기간은 언제 끝나나요?", "계약은 삼월 말일에 만료된다."),
        ("열이 높을 때 어떻게 하나요?", "발열 환자는 해열제를 먹고 물을 충분히 마셔야 한다."),
        ("기차는 왜 늦었나요?", "철도 회사는 신호기 고장으로 운행이 지연되었다고 밝혔다."),
        ("날지 못하는 새는 무엇인가요?", "펭귄은 헤엄을 잘 치지만 하늘로 떠오를 수 없다."),
        ("굳은 빵을 부드럽게 하려면?", "오래된 식빵은 물을 뿌려 오븐에 데우면 다시 촉촉해진다."),
    ),
    "cyrillic": (
        ("Когда заканчивается аренда?", "Договор найма истекает в последний день марта."),
        ("Что помогает при высокой температуре?", "Больному с лихорадкой дают жаропонижающее и обильное питьё."),
        ("Почему опоздал поезд?", "Железная дорога сообщила о задержках из-за сломанного светофора."),
        ("Какая птица не летает?", "Пингвины прекрасно плавают, но подняться в воздух не могут."),
        ("Как сделать чёрствый хлеб мягким?", "Сухой батон снова станет свежим, если подержать его над паром."),
    ),
    "arabic": (
        ("متى ينتهي الإيجار؟", "تنقضي مدة العقد في آخر يوم من شهر مارس."),
        ("ماذا أفعل عند ارتفاع الحرارة؟", "يجب على المريض المصاب بالحمى تناول خافض وشرب الماء بكثرة."),
        ("لماذا تأخر القطار؟", "أعلنت السكك الحديدية عن اضطراب الرحلات بسبب عطل في الإشارة."),
        ("أي طائر لا يطير؟", "تسبح البطاريق بمهارة لكنها لا تستطيع التحليق في السماء."),
        ("كيف ألين الخبز اليابس؟", "يعود الرغيف القديم طريا إذا وضع قليلا فوق البخار."),
    ),
}
"""Questions and what answers them, by script. A model that knows all of these is taken to know any other script."""


def scripts(text: str) -> frozenset[str]:
    """The scripts that a text is written in, such as ``latin`` or ``kana``; none for one without letters.

    Japanese is ``kana`` alone where it has any: its Han characters are then not Chinese.
    """
    counted: Counter[str] = Counter()
    for char, times in Counter(text).items():
        script = _script(char)
        if script:
            counted[script] += times * WEIGHTS.get(script, 1)
    if counted["kana"]:
        counted["kana"] += counted.pop("han", 0)
    total = sum(counted.values())
    return frozenset(script for script, many in counted.items() if many >= SHARE * total and many)


def is_english(text: str) -> bool:
    """Whether a text is not plainly of another language: by its little words, of which two or more must tell so."""
    words = re.findall(r"[^\W\d_]{2,}", text.casefold())
    foreign = sum(word in STOP_WORDS and word not in ENGLISH for word in words)
    return foreign < FOREIGN or foreign <= sum(word in ENGLISH for word in words)


class Reading:
    """What one model was found to read: each script is asked of it once. Thread-safe."""

    def __init__(
        self, passages: "Callable[[Sequence[str]], Vectors]", queries: "Callable[[Sequence[str]], Vectors]"
    ) -> None:
        """Take what gives the model's vectors of passages and of questions, one a row."""
        self._passages, self._queries = passages, queries
        self._known: dict[str, bool] = {}

    def knows(self, text: str) -> bool:
        """Whether it reads every script but Latin that a good part of the text is written in. Raises ModelError."""
        return all(self._reads(script) for script in sorted(scripts(text) - {LATIN}))

    def _reads(self, script: str) -> bool:
        if script not in self._known:
            self._known[script] = any(all(map(self._passes, probes)) for probes in to_ask(script))
        return self._known[script]

    def _passes(self, probe: str) -> bool:
        return finds_its_own(self._queries, self._passages([passage for _, passage in PROBES[probe]]), probe)


def finds_its_own(embed_queries: "Callable[[Sequence[str]], Vectors]", passages: "Vectors", script: str) -> bool:
    """Whether the questions of a script find their passages.

    Args:
        embed_queries: Gives the vectors of queries, one a row.
        passages: The vectors of the script's passages, in their order.
        script: One of ``PROBES``.
    """
    queries = embed_queries([question for question, _ in PROBES[script]])
    nearest = (queries @ passages.T).argmax(axis=1)
    return sum(int(found) == at for at, found in enumerate(nearest)) >= RIGHT


def to_ask(script: str) -> tuple[tuple[str, ...], ...]:
    """What tells that a model knows a script: that it passes every probe of any one of these groups.

    Han characters alone can be Chinese or Japanese.
    """
    if script == "han":
        return (("han",), ("kana",))
    return ((script,),) if script in PROBES else (tuple(PROBES),)


@lru_cache(maxsize=4096)
def _script(char: str) -> str:
    """The first word of a letter's name in Unicode, which is its script; empty for anything but letters."""
    if not unicodedata.category(char).startswith("L"):
        return ""
    first = unicodedata.name(char, "").partition(" ")[0].partition("-")[0].lower()
    return _SCRIPTS.get(first, first)
