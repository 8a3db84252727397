"""An answer without a model: the excerpts' sentences that have most in common with the question, word for word."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lens_tui.answering.bounding import bounded
from lens_tui.answering.evidence import NUMBER_WEIGHT, Evidence, Line, root
from lens_tui.answering.kinds import kind_of, tells
from lens_tui.answering.prompt import TextOf
from lens_tui.answering.quotable import Candidate, candidates, is_code, is_item, only_names
from lens_tui.answering.records import spans_of
from lens_tui.answering.verify import judge
from lens_tui.text.words import asked as asked_terms
from lens_tui.text.words import weights
from lens_tui.types import Citation, Excerpt

MOST = 5
"""Sentences quoted; more would be the excerpts again."""

MOST_UNSURE = 2
"""Sentences quoted where the best has less than half of what the question asks for: the rest has still less."""

ENOUGH = 0.35
"""Of the best sentence's score, what another must have to be quoted beside it."""

FAIR = 0.3
"""Of the weight of the question's telling words that the folder has, what a further sentence must hold itself."""

EQUAL = 0.9
"""Of what the best sentence holds, what is as good: where it holds little itself, another may too."""

CLEARLY = 0.2
"""Of the weight of all words of the question, what the best sentence must hold to answer it clearly."""

CLEARLY_ALONE = 0.4
"""The same where most of what is asked stands in no sentence that was found: a common word or two are no answer."""

CODE = 0.5
"""What a line of code counts where a question is asked in prose."""

NAMES = 0.2
"""The same where it only names what is imported or exported: it holds many words, and says nothing."""

ECHO = 0.5
"""What an item of a list counts that says nothing but words of the question: it is a heading, and no answer."""

_OF_CODE = re.compile(r"[_(){}=<>`]|\w\.\w|::|->|\b[a-z]+[A-Z]")
"""A question that holds code, or a name of it, asks for code."""

UNCLEAR = "Nothing found in this folder answers this clearly: what is quoted comes nearest."
"""The note where even the best sentence holds little of what is asked."""

ALIKE = 0.8
"""Share of common words by which two sentences say the same, so that one of them is enough."""

TIGHTNESS = 0.1
"""How much it counts that a sentence says little else: the power of the question's share in it."""

RANK_DECAY = 0.93
"""Each place further down among the excerpts counts a little less: of two that match alike, the better hit's."""

KIND = 0.3
"""What a sentence gains that tells a person, a day, a place, a figure or a reason where such a thing is asked for."""

LEAD = 0.6
"""What a word of the question counts that stands in the heading or the question right before a sentence."""

KEYS = 0.9
"""The same of a row or a member whose column or key it stands in: that is its name, and not only what led to it."""

NOTHING = "Nothing in this folder matches the question."
"""The whole answer where nothing was found and no model says so."""

NO_SENTENCE = "What was found holds no sentence that could be quoted."
"""The same where there are nothing but headings in it."""


@dataclass(frozen=True, slots=True)
class Quoted:
    """A quoting answer."""

    text: str
    """Each sentence with its own line breaks and its number, a blank line between two."""
    citations: tuple[Citation, ...]
    """One for each sentence; ``claim`` is exactly the sentence, ``span`` is where it stands in the file."""
    clear: bool = True
    """Whether the best of them holds a fair part of what is asked; else ``UNCLEAR`` is to be said beside it."""


def quote(question: str, excerpts: Sequence[Excerpt], text_of: TextOf | None = None) -> Quoted:
    """Choose one to five sentences, in the order of the excerpts and of their text; none only where no excerpt has any.

    Args:
        question: As asked.
        excerpts: What was found, best first.
        text_of: A file's text, so that no half of a sentence at an excerpt's edge is quoted.
    """
    evidence = Evidence(excerpts, spans_of)
    chosen, clear = _chosen(question, candidates(evidence, excerpts, text_of), evidence)
    chosen.sort(key=lambda line: (line.excerpt.number, line.start))
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
    return Quoted(text, tuple(citations), clear)


def ranked(question: str, excerpts: Sequence[Excerpt], text_of: TextOf | None = None) -> list[Line]:
    """The sentences that ``quote`` chooses, best first."""
    evidence = Evidence(excerpts, spans_of)
    return _chosen(question, candidates(evidence, excerpts, text_of), evidence)[0]


def _chosen(question: str, found: Sequence[Candidate], evidence: Evidence) -> tuple[list[Line], bool]:
    """The best match first, then the others that come near it, no two the same; and whether the best is clear."""
    asked, kind = _worth(question, evidence), kind_of(question)
    prose = not _OF_CODE.search(question)
    scores = [_score(asked, one, evidence) * (_said_in(one.line.text) if prose else 1) for one in found]
    highest = max(scores, default=0.0)
    if not found:
        return [], True
    if highest <= 0:
        # A hit by meaning alone shares no word with the question: the best hit's first sentence stands for it.
        return [bounded(found[0].line, asked)], False
    near = [(score, one) for score, one in zip(scores, found, strict=True) if score >= ENOUGH * highest]
    if kind is not None:
        near = [(score * (1 + KIND) if tells(kind, one.line.text, question) else score, one) for score, one in near]
    near.sort(key=lambda row: -row[0])
    there = sum(worth for word, worth in asked.items() if evidence.has(word))
    best = near[0][1]
    whole = sum(asked.values())
    clear = _held(asked, best) >= (CLEARLY if there >= whole / 2 else CLEARLY_ALONE) * whole
    own = best.line.roots | best.lead if best.is_record else best.line.roots
    most = MOST if clear and sum(asked[word] for word in own & asked.keys()) >= there / 2 else MOST_UNSURE
    fair = min(FAIR * there, EQUAL * _held(asked, best))
    chosen = [best.line]
    for _, one in near[1:]:
        named = not one.is_record or bool(asked.keys() & one.line.roots)
        holds = named and _held(asked, one) >= fair
        if len(chosen) < most and holds and not any(_alike(one.line, other) for other in chosen):
            chosen.append(one.line)
    return [bounded(line, asked) for line in chosen], clear


def _said_in(text: str) -> float:
    """What a piece counts where a question is asked in prose."""
    return NAMES if only_names(text) else CODE if is_code(text) else 1.0


def _held(asked: Mapping[str, float], one: Candidate) -> float:
    """Worth of the question's words that a sentence holds, or that stand right before it."""
    return sum(asked[word] for word in asked.keys() & (one.line.roots | one.lead))


def _worth(question: str, evidence: Evidence) -> dict[str, float]:
    """What each word of the question counts: how rare it is among the sentences, and little where it is grammar."""
    worth: dict[str, float] = {}
    for term, share in weights(asked_terms(question)).items():
        one = root(term)
        if one.isdigit() and len(one) == 1:
            # A lone digit says little in a text, and much in a question.
            share *= NUMBER_WEIGHT
        worth[one] = max(worth.get(one, 0.0), share * evidence.weight(one))
    return worth


def _score(asked: Mapping[str, float], one: Candidate, evidence: Evidence) -> float:
    """Worth of the question's words in a sentence, against its length, and less for each place down the ranking."""
    own = asked.keys() & one.line.roots
    led = (asked.keys() & one.lead) - own
    worth = sum(asked[word] for word in own) + (KEYS if one.is_record else LEAD) * sum(asked[word] for word in led)
    if worth <= 0:
        return 0.0
    share = min(1.0, worth / evidence.total(one.line.roots))
    if own == one.line.roots and is_item(one.line.text):
        worth *= ECHO
    return float(worth * share**TIGHTNESS * RANK_DECAY ** (one.line.excerpt.number - 1))


def _alike(one: Line, other: Line) -> bool:
    return len(one.roots & other.roots) >= ALIKE * len(one.roots | other.roots)
