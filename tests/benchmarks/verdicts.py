"""How often a verdict is right, and the carrying sentence found: python -m tests.benchmarks.verdicts [FILE.jsonl …]

Without a file both halves of the set in tests/answering/claims are scored, and the claims written by hand, each beside
plain idf-weighted word overlap with numbers, in the same run. Precision of a verdict is the share of those called so
that are so, recall the share of those that are so that are called so.
"""

import json
import math
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from lens_tui.answering.verify import judge_text
from lens_tui.text.sentences import sentences
from lens_tui.text.words import terms
from lens_tui.types import Span

CLAIMS = Path(__file__).parent.parent / "answering" / "claims"
SETS = ("development", "held_out", "by_hand")
VERDICTS = ("supported", "contradicted", "weak")
OVERLAP_SUPPORTS = 0.8
"""Share of a claim's weight from which plain overlap calls it supported; from half of it a number may differ."""


@dataclass(frozen=True)
class Claim:
    language: str
    rule: str
    verdict: str
    """Empty where only the carrying sentence counts."""
    claim: str
    excerpt: str
    span: Span | None


@dataclass(frozen=True)
class Called:
    span: Span | None
    verdict: str


Judge = Callable[[str, str], Called]


def read(file: Path) -> list[Claim]:
    rows = (json.loads(line) for line in file.read_text("utf-8").splitlines() if line.strip())
    return [
        Claim(
            row["language"], row["rule"], row["verdict"], row["claim"], row["excerpt"],
            tuple(row["span"]) if row.get("span") else None,
        )
        for row in rows
    ]  # fmt: skip


def ours(claim: str, excerpt: str) -> Called:
    judged = judge_text(claim, excerpt)
    return Called(judged.line.span if judged.line else None, judged.verdict)


def overlap(claim: str, excerpt: str) -> Called:
    """Plain words and numbers: the sentence with most weighed words of the claim; a number that it lacks differs."""
    spans = sentences(excerpt)
    held = [frozenset(terms(excerpt[start:end])) for start, end in spans]
    seen = Counter(term for one in held for term in one)
    said = frozenset(terms(claim))
    weight = {term: math.log((len(held) + 1) / max(1, seen[term])) + 0.05 for term in said}
    shares = [sum(weight[term] for term in said & one) / (sum(weight.values()) or 1) for one in held]
    if not shares or max(shares) == 0:
        return Called(None, "weak")
    best = max(range(len(shares)), key=lambda at: shares[at])
    numbers = {term for term in said if re.fullmatch(r"[\d.]+", term)}
    if numbers - held[best] and shares[best] >= OVERLAP_SUPPORTS / 2:
        return Called(spans[best], "contradicted")
    return Called(spans[best], "supported" if shares[best] >= OVERLAP_SUPPORTS else "weak")


@dataclass(frozen=True)
class Score:
    precision: dict[str, float]
    recall: dict[str, float]
    carried: float
    """Share of claims from one sentence whose sentence was found."""
    answered: float
    """The same for questions with their answers."""
    by_rule: dict[str, float]
    """Share of a rule's claims that are judged right."""
    milliseconds: float
    """Of this process, for a claim and an excerpt that is read anew each time."""


def score(claims: Sequence[Claim], judge: Judge) -> Score:
    began = time.process_time()
    called = [judge(claim.claim, claim.excerpt) for claim in claims]
    spent = (time.process_time() - began) * 1000 / max(1, len(claims))
    pairs = [(claim, call) for claim, call in zip(claims, called, strict=True) if claim.verdict]
    right = [(claim, call) for claim, call in pairs if claim.verdict == call.verdict]
    precision, recall = {}, {}
    for verdict in VERDICTS:
        hits = sum(claim.verdict == verdict for claim, _ in right)
        precision[verdict] = _share(hits, sum(call.verdict == verdict for _, call in pairs))
        recall[verdict] = _share(hits, sum(claim.verdict == verdict for claim, _ in pairs))
    rules = Counter(claim.rule for claim, _ in pairs)
    good = Counter(claim.rule for claim, _ in right)
    both = list(zip(claims, called, strict=True))
    return Score(
        precision,
        recall,
        _found((claim, call) for claim, call in both if claim.span and claim.verdict),
        _found((claim, call) for claim, call in both if claim.span and not claim.verdict),
        {rule: _share(good[rule], count) for rule, count in sorted(rules.items())},
        spent,
    )


def _found(pairs: Iterable[tuple[Claim, Called]]) -> float:
    """Share of claims whose sentence is the one that was found, or holds most of it where it was cut otherwise."""
    all_of = [(claim.span, call.span) for claim, call in pairs]
    return _share(sum(one is not None and other is not None and _one(one, other) for one, other in all_of), len(all_of))


def _one(wanted: Span, found: Span) -> bool:
    shared = min(wanted[1], found[1]) - max(wanted[0], found[0])
    return shared * 2 > max(wanted[1] - wanted[0], 1) or shared * 2 > max(found[1] - found[0], 1)


def _share(part: int, whole: int) -> float:
    return part / whole if whole else math.nan


def _row(name: str, told: Score, count: int) -> str:
    figures = [told.precision["supported"], told.recall["supported"], told.precision["contradicted"],
               told.recall["contradicted"], told.carried, told.answered]  # fmt: skip
    return f"{name:34}{count:6}" + "".join(f"{figure:9.3f}" for figure in figures) + f"{told.milliseconds:8.2f}"


def main(files: Sequence[Path]) -> None:
    columns = ("sup. P", "sup. R", "con. P", "con. R", "carried", "answered")
    print(f"{'':34}{'claims':>6}" + "".join(f"{column:>9}" for column in columns) + f"{'ms':>8}")
    for file in files:
        claims = read(file)
        for title, judge in ((file.stem, ours), (f"{file.stem}, plain overlap", overlap)):
            print(_row(title, score(claims, judge), len(claims)))
        for language in dict.fromkeys(claim.language for claim in claims):
            some = [claim for claim in claims if claim.language == language]
            print(_row(f"  {language}", score(some, ours), len(some)))
        for rule, share in score(claims, ours).by_rule.items():
            print(f"  {rule:20} judged right {share:.3f}")


if __name__ == "__main__":
    kept = [CLAIMS / f"{name}.jsonl" for name in SETS]
    main([Path(name) for name in sys.argv[1:]] or [file for file in kept if file.exists()])
