"""The citations of an answer: which sentence or clause makes each, and which of its sentences have none."""

import re
from collections.abc import Sequence

from lens_tui.answering.bench import Bench, Claim, without_marks
from lens_tui.text.marks import Held, Mark, code_spans, marks
from lens_tui.text.sentences import sentences
from lens_tui.text.words import is_cjk
from lens_tui.types import Citation, Excerpt, Span

__all__ = ["Claim", "Held", "Mark", "cite", "claims", "clauses", "marks"]

LEAST_WORDS = 3
"""Words of a part of a sentence that can be judged alone."""

LONGEST_DENIAL = 300
"""Characters of a sentence that can say only that the answer is not there; a longer one claims something as well."""

_PARTED = re.compile(
    r"\s*(?:[,;:.!?)，、；：。！？）]|\Z|(?:and|but|while|or|und|aber|während|sowie|и|а|но|et|y)\b)", re.I
)
"""What follows a part's mark."""

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


def cite(text: str, excerpts: Sequence[Excerpt]) -> tuple[tuple[Citation, ...], tuple[Span, ...]]:
    """Citations of an answer, judged, in reading order, and its sentences that have none.

    A mark of several numbers gives a citation each. ``claim`` is the sentence, or the clause that ends in the mark
    where a sentence has several. ``span`` is the sentence of the excerpt that carries it or says otherwise; None where
    no sentence of the excerpt has enough in common.
    """
    made = claims(text)
    bench = Bench(excerpts if any(claim.marks for claim in made) else ())
    citations: list[Citation] = []
    for claim in made:
        for clause in clauses(text, claim):
            citations.extend(bench.citations(text, clause))
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
    bare = without_marks(text, found)
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


def clauses(text: str, claim: Claim) -> list[Claim]:
    """The parts of a cited sentence that end in marks of their own (``A holds [1], while B falls [2]``).

    A part is one only where a comma, a bracket or a conjunction follows its mark, and where it says enough to be
    judged; else the sentence is one. None where it has no mark.
    """
    groups: list[list[Mark]] = []
    for mark in claim.marks:
        if groups and not text[groups[-1][-1].end : mark.start].strip(" ,;"):
            groups[-1].append(mark)
        else:
            groups.append([mark])
    if len(groups) < 2:
        return [claim] if groups else []
    parts: list[Claim] = []
    at = claim.start
    for group in groups:
        end = group[-1].end
        if not _PARTED.match(text, end, claim.end) or len(text[at : group[0].start].split()) < LEAST_WORDS > _signs(
            text[at : group[0].start]
        ):
            return [claim]
        begin = at + len(text[at:end]) - len(text[at:end].lstrip(" \n\t,;:)，、；："))
        parts.append(Claim(begin, end, group))
        at = end
    parts[-1].end = claim.end
    return parts


def _signs(text: str) -> int:
    """Words that Han and Kana make, at about two characters a word."""
    return sum(is_cjk(char) for char in text) // 2


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
