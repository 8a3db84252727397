"""Which sentence of an excerpt carries a claim: the one that has most in common with it, weighed."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from lens_tui.answering.evidence import Evidence, Line, roots

LEAST_SHARE = 0.2
"""Of a claim's weight, what a sentence must have in common with it to carry it; a shared number is enough too."""

LENGTH_WEIGHT = 0.15
"""What the words that a sentence has beyond the claim weigh against it: of two that hold it, the tighter one."""

TOLD_WEIGHT = 2.0
"""What the words of an answer that stands behind its question weigh beside the others."""

TOLD_WHOLE = 1.0
"""Added to a sentence's score, which is at most 1, where it holds such an answer word for word."""

_ASKED = re.compile(r"[?？]\s*(?=\S)|か[。．]?\s+(?=\S)")


@dataclass(frozen=True, slots=True)
class Carried:
    """A sentence that may carry a claim."""

    line: Line
    score: float
    """Its share of the claim's weight, less for what it says beyond; more where it holds the answer."""


def carriers(claim: str, lines: Sequence[Line], evidence: Evidence) -> list[Carried]:
    """The sentences that may carry a claim, the best first, of equals the first in the text.

    A claim that is a question with its answer (``Who wrote it? Anna Berg``) is carried where the answer stands.

    Args:
        claim: Without citation marks.
        lines: The excerpt's sentences, in order.
        evidence: Weighs the words.

    Returns:
        None of those that share less than ``LEAST_SHARE`` of the claim's weight and no number with it.
    """
    said = roots(claim)
    told_text = _told(claim)
    told = roots(told_text) if told_text else frozenset()
    whole = evidence.total(said) + TOLD_WEIGHT * evidence.total(told)
    found: list[Carried] = []
    for line in lines:
        shared = said & line.roots
        if not any(map(evidence.tells, shared)):
            continue
        weight = evidence.total(shared) + TOLD_WEIGHT * evidence.total(shared & told)
        score = weight / (whole + LENGTH_WEIGHT * evidence.total(line.roots - shared))
        holds = bool(told_text) and told_text in line.text.casefold()
        score += TOLD_WHOLE * holds
        if holds or weight >= LEAST_SHARE * whole or any(root[:2].isdigit() and len(root) > 1 for root in shared):
            found.append(Carried(line, score))
    return sorted(found, key=lambda one: -round(one.score, 9))


def _told(claim: str) -> str:
    """The answer, casefolded, of a claim that is a question and its answer; else empty."""
    asked = list(_ASKED.finditer(claim))
    return claim[asked[-1].end() :].strip(" .。").casefold() if asked else ""
