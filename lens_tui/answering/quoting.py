"""An answer without a model: the excerpts' sentences that have most in common with the question, word for word."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from lens_tui.answering.evidence import Evidence, Line, roots
from lens_tui.answering.verify import judge
from lens_tui.types import Citation, Excerpt

MOST = 5
"""Sentences quoted; more would be the excerpts again."""

MOST_UNSURE = 2
"""Sentences quoted where the best has less than half of what the question asks for: the rest has still less."""

ENOUGH = 0.35
"""Of the best sentence's score, what another must have to be quoted beside it."""

ALIKE = 0.8
"""Share of common words by which two sentences say the same, so that one of them is enough."""

TIGHTNESS = 0.15
"""How much it counts that a sentence says little else: the power of the question's share in it."""

RANK_DECAY = 0.97
"""Each place further down among the excerpts counts a little less: of two that match alike, the better hit's."""

SHORT_LINE = 400
"""Characters from which a piece of several lines without a full stop (code, tables) is quoted by the line."""

NOTHING = "Nothing in this folder matches the question."
"""The whole answer where nothing was found and no model says so."""

_SILENT = re.compile(r"\s*(?:#{1,6}\s|`{3}|~{3}|[-=*_]{3,}\s*\Z|\|[\s:|-]+\|?\s*\Z|<!--|---)")
_UNDERLINED = re.compile(r"\n[ \t]*(?:=+|-+|\|[ :|-]+\|?)[ \t]*(?:\n|\Z)")
"""What follows a heading, or a table's head, and makes it one."""


@dataclass(frozen=True, slots=True)
class Quoted:
    """A quoting answer."""

    text: str
    """Each sentence with its own line breaks and its number, a blank line between two."""
    citations: tuple[Citation, ...]
    """One for each sentence; ``claim`` is exactly the sentence, ``span`` is where it stands in the file."""


def quote(question: str, excerpts: Sequence[Excerpt]) -> Quoted:
    """Choose one to five sentences, in the order of the excerpts and of their text; none only where no excerpt is."""
    evidence = Evidence(excerpts)
    chosen = sorted(_best(question, evidence), key=lambda line: (line.excerpt.number, line.start))
    text = ""
    citations: list[Citation] = []
    for line in chosen:
        text += "\n\n" if text else ""
        start = len(text)
        text += f"{line.text} [{line.excerpt.number}]"
        end = start + line.end - line.start
        judged = judge(line.text, (line,), evidence)
        citations.append(
            Citation(
                end + 1,
                len(text),
                line.excerpt.number,
                (start, end),
                path=line.excerpt.path,
                span=line.span,
                lines=line.lines,
                verdict=judged.verdict,
                why=judged.why,
            )
        )
    return Quoted(text, tuple(citations))


def ranked(question: str, excerpts: Sequence[Excerpt]) -> list[Line]:
    """The sentences that ``quote`` chooses, best first."""
    return _best(question, Evidence(excerpts))


def _best(question: str, evidence: Evidence) -> list[Line]:
    lines = [part for found in evidence.lines.values() for line in found for part in _parts(line)]
    candidates = [line for line in lines if _quotable(line)] or lines
    return _chosen(roots(question), candidates, evidence)


def _parts(line: Line) -> list[Line]:
    """The piece itself, or its lines where it is long and no prose."""
    text = line.text
    if len(text) <= SHORT_LINE or "\n" not in text:
        return [line]
    found: list[Line] = []
    at = line.start
    for row in text.splitlines(keepends=True):
        body = row.strip()
        if body:
            start = at + len(row) - len(row.lstrip())
            found.append(Line(line.excerpt, start, start + len(body), roots(body)))
        at += len(row)
    return [part for part in found if part.roots]


def _quotable(line: Line) -> bool:
    """Whether it is a sentence, and not a heading, a fence, a rule, a lone word or a sentence's end alone."""
    text = line.text
    if line.start == 0 and line.excerpt.start > 0 and text[:1].islower():
        return False
    if _SILENT.match(text) or len(line.roots) < 2:
        return False
    following = line.excerpt.text[line.end : line.end + 200]
    return _UNDERLINED.match(following) is None


def _chosen(asked: frozenset[str], candidates: Sequence[Line], evidence: Evidence) -> list[Line]:
    """Greedy: the best match first, then what adds words of the question, no two the same."""
    scored = sorted(
        ((_score(asked, line, evidence), -at, line) for at, line in enumerate(candidates)),
        key=lambda row: row[:2],
        reverse=True,
    )
    if not scored:
        return []
    highest = scored[0][0]
    if highest <= 0:
        # A hit by meaning alone shares no word with the question: the best hit's first sentence stands for it.
        return [candidates[0]]
    there = [root for root in asked if evidence.tells(root) and evidence.has(root)]
    sure = evidence.total(asked & scored[0][2].roots) >= evidence.total(there) / 2
    most = MOST if sure else MOST_UNSURE
    chosen: list[Line] = []
    for score, _, line in scored:
        if score < ENOUGH * highest or len(chosen) == most:
            break
        if not any(_alike(line, other) for other in chosen):
            chosen.append(line)
    return chosen


def _score(asked: frozenset[str], line: Line, evidence: Evidence) -> float:
    """Weight of the question's words in a sentence, against its length, and less for each place down the ranking."""
    shared = asked & line.roots
    if not shared:
        return 0.0
    weight = evidence.total(shared)
    return float(weight * (weight / evidence.total(line.roots)) ** TIGHTNESS * RANK_DECAY ** (line.excerpt.number - 1))


def _alike(one: Line, other: Line) -> bool:
    return len(one.roots & other.roots) >= ALIKE * len(one.roots | other.roots)
