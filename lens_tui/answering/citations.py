"""The citations of an answer: which sentence makes each, and which sentence of the files carries it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from lens_tui.answering.evidence import LENGTH_WEIGHT, Evidence, Line, roots
from lens_tui.text.marks import Held, Mark, code_spans, marks
from lens_tui.text.sentences import sentences
from lens_tui.types import Citation, Excerpt, Span

__all__ = ["Held", "Mark", "cite", "claims", "marks"]

LEAST_SHARE = 0.2
"""Of a claim's weight, what a sentence must have in common with it to carry it; a shared number is enough too."""

LONGEST_DENIAL = 300
"""Characters of a sentence that can say only that the answer is not there; a longer one claims something as well."""

_STOPPED = re.compile(r"[.!?]\s+\Z")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s")
_NOT_THERE = re.compile(
    r"\b(?:not|no|none|nothing|cannot|can't|don't|doesn't|isn't|aren't)\b.*"
    r"\b(?:excerpts?|sources?|files?|documents?|notes|context|information|mention\w*|found|chunks)\b"
    r"|\b(?:excerpts?|sources?|files?|documents?|notes|context)\b.*\b(?:not|no|nothing|don't|doesn't)\b"
    r"|\b(?:nicht|kein\w*|nichts)\b.*(?:auszüge|auszug|ausschnitt|quelle|datei|dokument|text|angabe|information)"
    r"|(?:auszüge|auszug|ausschnitt|quelle|datei|dokument)\w*\b.*\b(?:nicht|kein\w*|nichts)\b"
    r"|\b(?:ne|n'|pas|aucune?)\b.*(?:extrait|source|fichier|document|information)"
    r"|(?:extrait|source|fichier|document)\w*\b.*(?:\bne\b|\bn'|\baucune?\b)"
    r"|\bno\b.*(?:extracto|fragmento|fuente|archivo|documento|información)"
    r"|(?:extracto|fragmento|fuente|archivo|documento)s?\b.*\bno\b"
    r"|\b(?:не|нет)\b.*(?:отрывк|источник|файл|документ)|(?:отрывк|источник|файл|документ)\w*.*\b(?:не|нет)\b"
    r"|(?:抜粋|資料|文書|ファイル|情報|記載|記述|答え).*(?:ありません|ない|見つかりません|含まれ|書かれてい|分かりません)"
    r"|(?:没有|未|无法|找不到|沒有|無法).*(?:摘录|资料|来源|文件|文档|信息|提到|说明|資料|來源|資訊)"
    r"|(?:발췌|자료|문서|파일|정보).*(?:없|않)",
    re.IGNORECASE | re.DOTALL,
)
"""Sentences that say only that the answer is not there, in the languages that the rules know; others are marked."""


@dataclass(slots=True)
class Claim:
    """One sentence of an answer with the marks that belong to it."""

    start: int
    end: int
    marks: list[Mark] = field(default_factory=list)


def cite(text: str, excerpts: Sequence[Excerpt]) -> tuple[tuple[Citation, ...], tuple[Span, ...]]:
    """Citations of an answer, in reading order, and its sentences that have none.

    A mark of several numbers gives a citation each. ``verdict`` is ``invented`` where no excerpt has the number, else
    None: it is judged elsewhere. ``span`` is None where no sentence of the excerpt has enough in common.
    """
    made = claims(text)
    evidence = Evidence(excerpts) if any(claim.marks for claim in made) else Evidence(())
    known = {excerpt.number: excerpt for excerpt in excerpts}
    citations: list[Citation] = []
    for claim in made:
        said = _said(text, claim)
        for mark in claim.marks:
            citations.extend(_citation(number, mark, claim, said, known, evidence) for number in mark.numbers)
    citations.sort(key=lambda citation: citation.start)
    code = code_spans(text)
    uncited = (claim for claim in made if not claim.marks and _claims_something(text, claim, code))
    return tuple(citations), tuple((claim.start, claim.end) for claim in uncited)


def claims(text: str) -> list[Claim]:
    """The sentences of an answer with their marks, in order.

    A mark inside a sentence is its own. One between two sentences, after the full stop of the first, belongs to the
    first, unless that has a mark already and the second stands in the same paragraph, or the mark begins a paragraph.
    Marks with nothing between them stay together.
    """
    found = marks(text)
    bare = _without(text, found)
    made = [Claim(start, end) for start, end in sentences(bare)]
    at, owner = 0, None
    last = -1
    for mark in found:
        while at < len(made) and made[at].end <= mark.start:
            at += 1
        together = last >= 0 and not text[last : mark.start].strip(" ,;")
        last = mark.end
        inside = at < len(made) and made[at].start <= mark.start
        if not together or owner is None:
            owner = at if inside else _owner(text, made, at, mark)
        if owner is None:
            made.append(Claim(mark.start, mark.end, [mark]))
            continue
        claim = made[owner]
        claim.marks.append(mark)
        claim.start, claim.end = min(claim.start, mark.start), max(claim.end, mark.end)
        at = owner
    return made


def _owner(text: str, made: Sequence[Claim], after: int, mark: Mark) -> int | None:
    """Index of the claim that a mark between two sentences belongs to; None where there is no sentence at all."""
    before = after - 1 if after else None
    following = after if after < len(made) else None
    if before is None or following is None:
        return before if before is not None else following
    apart_before = _apart(text[made[before].end : mark.start])
    apart_after = _apart(text[mark.end : made[following].start])
    if apart_before != apart_after:
        return following if apart_before else before
    return following if made[before].marks and not apart_after else before


def _apart(between: str) -> bool:
    """Whether a paragraph ends in what stands between two things."""
    return between.count("\n") > 1 and re.search(r"\n\s*\n", between) is not None


def _without(text: str, found: Sequence[Mark]) -> str:
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


def _said(text: str, claim: Claim) -> frozenset[str]:
    shifted = [Mark(mark.start - claim.start, mark.end - claim.start, mark.numbers) for mark in claim.marks]
    return roots(_without(text[claim.start : claim.end], shifted))


def _citation(
    number: int,
    mark: Mark,
    claim: Claim,
    said: frozenset[str],
    known: dict[int, Excerpt],
    evidence: Evidence,
) -> Citation:
    span = (claim.start, claim.end)
    excerpt = known.get(number)
    if excerpt is None:
        had = len(known)
        why = f"there is no excerpt {number}; the model had {had or 'none'}"
        return Citation(mark.start, mark.end, number, span, verdict="invented", why=why)
    carrying = carrier(said, evidence.lines[number], evidence)
    return Citation(
        mark.start,
        mark.end,
        number,
        span,
        path=excerpt.path,
        span=carrying.span if carrying else None,
        lines=carrying.lines if carrying else None,
    )


def carrier(said: frozenset[str], lines: Sequence[Line], evidence: Evidence) -> Line | None:
    """The sentence that carries a claim: it shares most of its weighed words and numbers; of equals the first.

    Args:
        said: The claim's words.
        lines: The excerpt's sentences, in order.
        evidence: Weighs the words.

    Returns:
        None where none shares ``LEAST_SHARE`` of the claim's weight, nor a number with it.
    """
    whole = evidence.total(said)
    best: Line | None = None
    highest = 0.0
    for line in lines:
        shared = said & line.roots
        if not any(map(evidence.tells, shared)):
            continue
        weight = evidence.total(shared)
        fits = weight >= LEAST_SHARE * whole or any(root[:2].isdigit() and len(root) > 1 for root in shared)
        score = weight / (whole + LENGTH_WEIGHT * evidence.total(line.roots - shared))
        if fits and score > highest + 1e-9:
            best, highest = line, score
    return best


def _claims_something(text: str, claim: Claim, code: Sequence[Span]) -> bool:
    """Whether a sentence needs a citation: not code, a heading, a line that leads in, or that nothing was found."""
    said = text[claim.start : claim.end]
    line = text.rfind("\n", 0, claim.start) + 1
    if any(start <= claim.start < end and "\n" in text[start:end] for start, end in code):
        return False
    if not any(char.isalnum() for char in said) or said.endswith((":", "：")):
        return False
    if _HEADING.match(text[line : claim.end]):
        return False
    return len(said) > LONGEST_DENIAL or not _NOT_THERE.search(said)
