"""The bench that citations stand before: each claim is judged by the excerpts that it names."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from lens_tui.answering.evidence import Evidence
from lens_tui.answering.verify import Judgement, judge, together
from lens_tui.text.marks import Mark
from lens_tui.types import Citation, Excerpt, Span

MOST_JUDGED = 1000
"""Citations of one answer that are judged, at a few milliseconds each; none that a person reads has more."""

_STOPPED = re.compile(r"[.!?]\s+\Z")


@dataclass(slots=True)
class Claim:
    """One sentence or clause of an answer with the marks that belong to it."""

    start: int
    end: int
    marks: list[Mark] = field(default_factory=list)


class Bench:
    """Judges an answer's claims, one after the other."""

    def __init__(self, excerpts: Sequence[Excerpt]) -> None:
        """Read the excerpts; about 2 ms each."""
        self._known = {excerpt.number: excerpt for excerpt in excerpts}
        self._evidence = Evidence(excerpts)
        self._judged = 0

    def citations(self, text: str, claim: Claim) -> list[Citation]:
        """A citation for each number of a claim's marks, in order."""
        words = without_marks(text[claim.start : claim.end], _shifted(claim.marks, -claim.start))
        named = [(mark, number) for mark in claim.marks for number in mark.numbers]
        numbers = list(dict.fromkeys(number for _, number in named if number in self._known))
        judged = self._judge(words, numbers)
        return [
            self._known_one(mark, number, claim, judged[number])
            if number in self._known
            else self._invented(mark, number, claim)
            for mark, number in named
        ]

    def _judge(self, words: str, numbers: Sequence[int]) -> dict[int, Judgement]:
        """Judge by each excerpt, then by all of them: what one bears out no other contradicts."""
        self._judged += len(numbers)
        if self._judged > MOST_JUDGED:
            why = f"not judged: the answer cites more than {MOST_JUDGED:,} times"
            return {number: Judgement(None, "weak", why) for number in numbers}
        judged = {number: judge(words, self._evidence.lines[number], self._evidence) for number in numbers}
        bearing = [number for number, one in judged.items() if one.verdict == "supported"]
        if bearing:
            for number, one in judged.items():
                if one.verdict == "contradicted":
                    judged[number] = replace(one, verdict="weak", why=f"{one.why}; [{bearing[0]}] bears it out")
            return judged
        if len(numbers) > 1:
            lines = together(
                words, [line for number in numbers for line in self._evidence.lines[number]], self._evidence
            )
            for line in lines:
                others = sorted({other.excerpt.number for other in lines} - {line.excerpt.number})
                if others:
                    why = f"its source says so, together with {', '.join(f'[{number}]' for number in others)}"
                    judged[line.excerpt.number] = Judgement(line, "supported", why)
        return judged

    def _known_one(self, mark: Mark, number: int, claim: Claim, judged: Judgement) -> Citation:
        line = judged.line
        contradicted = judged.verdict == "contradicted"
        return Citation(
            mark.start,
            mark.end,
            number,
            (claim.start, claim.end),
            path=self._known[number].path,
            span=line.span if line else None,
            lines=line.lines if line else None,
            verdict=judged.verdict,
            why=judged.why,
            differs=_further(judged.said, claim.start) if contradicted else None,
            instead=_further(judged.found, line.span[0]) if contradicted and line else None,
        )

    def _invented(self, mark: Mark, number: int, claim: Claim) -> Citation:
        why = f"there is no excerpt {number}; the model had {len(self._known) or 'none'}"
        return Citation(mark.start, mark.end, number, (claim.start, claim.end), verdict="invented", why=why)


def without_marks(text: str, found: Sequence[Mark]) -> str:
    """The text with spaces where its marks are: offsets hold, and a mark hides no full stop.

    A mark that begins a sentence as its subject (``[2] says``) is a capital letter: a small one alone begins none.
    """
    pieces: list[str] = []
    at = 0
    for mark in found:
        subject = (
            _STOPPED.search(text[max(0, mark.start - 4) : mark.start])
            and text[mark.end : mark.end + 2].strip()[:1].islower()
        )
        pieces += [text[at : mark.start], ("X" if subject else " ") * (mark.end - mark.start)]
        at = mark.end
    return "".join(pieces) + text[at:]


def _further(span: Span | None, by: int) -> Span | None:
    return (span[0] + by, span[1] + by) if span else None


def _shifted(found: Sequence[Mark], by: int) -> list[Mark]:
    return [Mark(mark.start + by, mark.end + by, mark.numbers) for mark in found]
