"""Makes the set of claims from manual pages and paragraphs, by the rules of ``claim_rules``; run once, the set is kept.

    python -m tests.benchmarks.making_claims /usr/share/man PARAGRAPHS.jsonl tests/answering/claims

The first is where Debian keeps its manual pages (packages manpages, manpages-de, -ru, -ja, -zh), the second a file of
``{"path", "text"}`` lines with Japanese paragraphs (JSQuAD). A page is cut into windows of eight sentences; from each
at most three claims are made, each by the rule that has the fewest so far. The half that a claim belongs to follows
from the page's name alone, so that no page is in both: ``development.jsonl`` and ``held_out.jsonl``.
"""

import hashlib
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

from lens_tui.text.sentences import sentences
from tests.benchmarks.claim_rules import RULES

EACH = 24
"""Claims of one rule in one language."""
PAGES = 170
"""Manual pages that are read in one language."""
WINDOWS = 5
"""Excerpts of one page."""
WINDOW = 8
"""Sentences of an excerpt."""
ENDS = {"ja": "。", "zh": "。"}
LETTERS = {"ru": r"[а-яё]", "zh": r"[\u4e00-\u9fff]", "ja": r"[\u3041-\u30ff\u4e00-\u9fff]"}
BOILERPLATE = re.compile("Übersetz|mailing|Mailing|перевод|Перевод|手册页计划|General Public|翻訳")
"""In sentences that stand at the end of every page."""
FOLDERS = {"en": "", "de": "de", "ru": "ru", "zh": "zh_CN", "ja": "ja"}


def pages(man: Path, language: str) -> Iterator[tuple[str, str]]:
    """Names and texts of manual pages, the same ones each time."""
    files = [
        file for section in ("1", "5", "7", "8") for file in (man / FOLDERS[language] / f"man{section}").glob("*.gz")
    ]
    files.sort(key=lambda file: hashlib.sha256(file.name.encode()).hexdigest())
    for file in files[:PAGES]:
        command = ["man", "--nh", "--nj", "-E", "UTF-8", "-P", "cat", "-l", str(file)]
        made = subprocess.run(
            command, capture_output=True, env={"MANWIDTH": "20000", "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"}
        )
        yield f"{language}/{file.name.removesuffix('.gz')}", re.sub(".\b", "", made.stdout.decode("utf-8", "replace"))


def prose(text: str, language: str) -> list[str]:
    """The sentences of a page's paragraphs, in the page's own language."""
    found: list[str] = []
    for row in text.splitlines():
        row = re.sub(r"\s+", " ", row).strip()
        if len(row) < 60 and language not in ("ja", "zh"):
            continue
        for start, end in sentences(row):
            one = row[start:end]
            letters = len(re.findall(LETTERS[language], one)) if language in LETTERS else len(one)
            long = 15 <= len(one) <= 160 if language in ENDS else 40 <= len(one) <= 260
            whole = one.endswith(ENDS.get(language, ".")) and not BOILERPLATE.search(one)
            if long and whole and letters > len(one) * 0.5:
                found.append(one)
    return found


def rows_of(language: str, texts: Iterator[tuple[str, list[str]]]) -> Iterator[dict[str, object]]:
    made: Counter[str] = Counter()
    stray = ""
    for page, held in texts:
        random = Random(page)
        for first in range(0, min(len(held) - 3, WINDOWS * WINDOW), WINDOW):
            window = list(dict.fromkeys(held[first : first + WINDOW]))
            joint = "" if language in ENDS else " "
            excerpt = joint.join(window)
            if stray and stray not in excerpt and made["unrelated"] < EACH and first == 0:
                made["unrelated"] += 1
                yield row(language, page, "unrelated", "weak", stray, excerpt, None)
            stray = random.choice(window)
            for sentence in random.sample(window, min(3, len(window))):
                start = excerpt.index(sentence)
                for rule in sorted(RULES, key=lambda rule: made[rule]):
                    verdict, make = RULES[rule]
                    claim = make(language, sentence, random) if made[rule] < EACH else None
                    if claim and (claim not in excerpt or rule == "verbatim"):
                        made[rule] += 1
                        yield row(language, page, rule, verdict, claim, excerpt, [start, start + len(sentence)])
                        break


def row(
    language: str, page: str, rule: str, verdict: str, claim: str, excerpt: str, span: list[int] | None
) -> dict[str, object]:
    return {
        "language": language, "rule": rule, "source": page, "verdict": verdict,
        "claim": claim, "span": span, "excerpt": excerpt,
    }  # fmt: skip


def paragraphs(file: Path) -> Iterator[tuple[str, list[str]]]:
    for line in file.read_text("utf-8").splitlines():
        held = json.loads(line)
        yield f"jsquad/{held['path']}", [held["text"][a:b] for a, b in sentences(held["text"])]


def main(man: Path, jsquad: Path, out: Path) -> None:
    halves: dict[str, list[str]] = {"development": [], "held_out": []}
    for language in FOLDERS:
        read = ((page, prose(text, language)) for page, text in pages(man, language))
        texts = _both(paragraphs(jsquad), read) if language == "ja" else read
        for made in rows_of(language, texts):
            odd = hashlib.sha256(str(made["source"]).encode()).digest()[0] % 2
            halves["held_out" if odd else "development"].append(json.dumps(made, ensure_ascii=False))
    out.mkdir(parents=True, exist_ok=True)
    for half, lines in halves.items():
        (out / f"{half}.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
        print(half, len(lines))


def _both(
    one: Iterator[tuple[str, list[str]]], other: Iterator[tuple[str, list[str]]]
) -> Iterator[tuple[str, list[str]]]:
    for pair in zip(one, other, strict=False):
        yield from pair


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
