"""Verdicts without a model: whether an excerpt bears a claim out, says otherwise, or leaves it open.

Supported is only what a sentence says word for word or in other forms and a few sure synonyms, with every figure, name,
denial and limit, and in an order that keeps who does what. Contradicted is only what is alike but for one figure, date,
name, denial or opposite in the same place. Everything else is weak.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from lens_tui.answering.alignment import SAYS, Alignment, align, same
from lens_tui.answering.bearing import UNBORNE, unborne
from lens_tui.answering.carrying import Carried, carriers
from lens_tui.answering.cells import cells_of, outside
from lens_tui.answering.evidence import Evidence, Line
from lens_tui.answering.lexicon import AND, PRONOUNS
from lens_tui.answering.opposing import Difference, difference
from lens_tui.answering.quotable import is_code, quotable_parts
from lens_tui.answering.statements import Statement, statement
from lens_tui.answering.unsaid import unsaid
from lens_tui.text.display import one_line
from lens_tui.text.sentences import sentences
from lens_tui.types import Excerpt, Span, Verdict

CONSIDERED = 3
"""Sentences of an excerpt that a claim is laid over: those that have most in common with it."""

MOST_SENTENCES = 40
"""Sentences of a claim that are judged one by one; a longer one is no claim."""

BESIDE = 40
"""Other sentences of an excerpt in which it is looked up whether they hold a claimed figure."""

BEFORE = 3
"""Sentences before one in which what its pronouns mean is looked for."""

LITTLE = 0.5
"""Share of a claim under which its source has little in common with it, and its missing words are not named."""

LEAST_TOLD = 1.9
"""Weight of a part of a claim, two words."""

LEAST_PART = 4.0
"""Weight of a part that is borne out wherever it stands: no other thing is said in as many words."""

LONGEST_NAMED = 60
"""Characters of a source or an answer that a reason quotes."""

_FRAME = re.compile(
    r"\s*(?:yes|ja|да|是的|はい)[,，、]\s*|\s*(?:according to|based on|as stated in|согласно) [^,.]{1,60},"
    r"|\s*(?:the|this|these) (?:document|text|source|excerpt|file|note|passage)s? (?:state|say|mention|note)s? that\b"
    r"|\s*laut (?:dem |der |den )?\w+\b|\s*根据[^，。]{1,16}，|\s*(?:資料|文書|抜粋|本文|ファイル)(?:によると|では)、?",
    re.IGNORECASE,
)
"""What opens a sentence and only says that it rests on a source."""

_MARKUP = re.compile(r"[*_`#>|\s]+")
_ENDS = " .。．!！?？;；,，、:：\"'“”‘’«»()（）[]"


@dataclass(frozen=True, slots=True)
class Judgement:
    """What an excerpt does to a claim."""

    line: Line | None
    """The sentence that carries it, or says otherwise; None where none has anything to do with it."""
    verdict: Verdict
    why: str
    """A sentence without its full stop."""
    said: Span | None = None
    """In the claim, what the source has otherwise."""
    found: Span | None = None
    """In the sentence, what stands there instead."""


def judge(claim: str, lines: Sequence[Line], evidence: Evidence) -> Judgement:
    """Judge one claim, without its citation marks, by one excerpt.

    Args:
        claim: A sentence, a clause, or a few sentences, which are judged one by one.
        lines: The excerpt's sentences, in order.
        evidence: Weighs words, over all excerpts at hand.
    """
    spans = sentences(claim)
    row = _verbatim(_plain(claim), lines) if is_code(claim.strip()) else None
    if row is not None:
        return Judgement(row, "supported", "word for word in its source")
    if len(spans) > MOST_SENTENCES:
        return Judgement(None, "weak", "is too long to be judged")
    if len(spans) < 2 or "?" in claim or "？" in claim:
        return _judge_sentence(claim, lines, evidence)
    judged = [(start, _judge_sentence(claim[start:end], lines, evidence)) for start, end in spans]
    for verdict in ("contradicted", "weak"):
        for start, one in judged:
            if one.verdict == verdict:
                said = (one.said[0] + start, one.said[1] + start) if one.said else None
                return Judgement(one.line, one.verdict, one.why, said, one.found)
    best = carriers(claim, lines, evidence)
    return Judgement(best[0].line if best else judged[0][1].line, "supported", judged[0][1].why)


def judge_text(claim: str, excerpt: str) -> Judgement:
    """Judge a claim by a text alone; spans count in that text."""
    lines = (1, 1 + excerpt.count("\n"))
    evidence = Evidence([Excerpt(1, "", 0, len(excerpt), lines, (1,), excerpt, (0, 0), "")])
    return judge(claim, evidence.lines[1], evidence)


def _judge_sentence(claim: str, lines: Sequence[Line], evidence: Evidence) -> Judgement:
    whole = _plain(claim)
    line = _verbatim(whole, lines)
    if line is not None:
        return Judgement(line, "supported", "word for word in its source")
    near = carriers(claim, lines, evidence)
    if not near:
        return Judgement(None, "weak", "has little in common with its source")
    claim = _FRAME.sub(lambda frame: " " * len(frame[0]), claim, count=1) if _FRAME.match(claim) else claim
    said = statement(claim)
    if said.cut:
        return Judgement(near[0].line, "weak", "is too long to be judged")
    laid = _laid(said, near[:CONSIDERED], lines)
    for line, over, before in laid:
        if not unborne(over, before):
            return Judgement(line, "supported", "its source says so")
    told = _of_cells(said, near)
    if told is not None:
        return told
    borne = together(claim, lines, evidence) if all(unsaid(over, before) for _, over, before in laid) else []
    if borne:
        return Judgement(near[0].line if near[0].line in borne else borne[0], "supported", "its source says so")
    # What stands there as it is may be half a number of an answer that broke off, and is never contradicted.
    verbatim = bool(whole) and any(whole in _plain(line.text) for line, _, _ in laid)
    line, over, before = laid[0]
    weak = Judgement(line, "weak", _doubt(over, before))
    return weak if verbatim else _contradicted(laid, near) or weak


def _verbatim(whole: str, lines: Sequence[Line]) -> Line | None:
    """The sentence that is the claim word for word, or the line of code, which stands in no sentence alone."""
    if not whole:
        return None
    parts = (part for line in lines for part in quotable_parts(line))
    return next((line for line in (*lines, *parts) if _plain(line.text) == whole), None)


Laid = tuple[Line, Alignment, list[Statement]]
"""A sentence, the claim over it, and the sentences before it."""


def _laid(said: Statement, near: Sequence[Carried], lines: Sequence[Line]) -> list[Laid]:
    """Lay a claim over the sentences that may carry it."""
    at = {id(line): index for index, line in enumerate(lines)}
    laid: list[Laid] = []
    for one in near:
        place = at[id(one.line)]
        before = [statement(line.text) for line in lines[max(0, place - BEFORE) : place]]
        laid.append((one.line, align(said, statement(one.line.text)), before))
    return laid


def _of_cells(said: Statement, near: Sequence[Carried]) -> Judgement | None:
    """What a table's row says of a claim on one of its cells, or says otherwise; None where it is on none of them."""
    otherwise: Judgement | None = None
    for row in (one.line for one in near[:CONSIDERED]):
        for cell in cells_of(row):
            over = align(said, statement(cell.text))
            if not cell.is_meant(over):
                continue
            if not unborne(over):
                return Judgement(row, "supported", "its source says so")
            if otherwise is None:
                # Other rows are of other things, and say nothing on this one.
                others = [statement(line.text) for line in outside(row, [one.line for one in near[:BESIDE]])]
                found = difference(over, others)
                if found is not None and _otherwise_borne(found, over):
                    there = cell.in_row(found.found)
                    otherwise = Judgement(row, "contradicted", _differs(found, over), _span(found.said), there)
    return otherwise


def _otherwise_borne(found: Difference, over: Alignment) -> bool:
    """Whether a figure is all that differs: with the source's own in its place the claim would be borne out."""
    if found.kind not in ("number", "date"):
        return False
    there = over.source.text[slice(*found.found)]
    claim = over.claim.text[: found.said[0]] + there + over.claim.text[found.said[1] :]
    return not unborne(align(statement(claim), over.source))


def _contradicted(laid: Sequence[Laid], near: Sequence[Carried]) -> Judgement | None:
    """What the first sentence says otherwise that does; None where none is sure to."""
    for line, over, _ in laid:
        others = [statement(other.line.text) for other in near[:BESIDE] if other.line is not line]
        found = difference(over, others)
        if found is not None:
            said, there = _span(found.said), _span(found.found)
            return Judgement(line, "contradicted", _differs(found, over), said, there)
    return None


def together(claim: str, lines: Sequence[Line], evidence: Evidence) -> list[Line]:
    """The sentences that bear out a claim of several parts, one for each part; none where any part lacks one.

    A part is borne out by a sentence that speaks of what the claim speaks of: it holds the claim's first word of
    weight, or the part is long enough to stand alone, or it follows such a sentence and begins with a pronoun.
    """
    said = statement(claim)
    parts = _parts(said)
    if len(parts) < 2:
        return []
    subject = next((piece for piece in said.pieces if piece.weight >= SAYS), None)
    found: list[Line] = []
    for part in parts:
        words = claim[part[0] : part[1]]
        over = statement(words)
        weight = sum(piece.weight for piece in over.pieces)
        bearing = None
        for line in (one.line for one in carriers(words, lines, evidence)[:CONSIDERED]):
            there = statement(line.text)
            if unborne(align(over, there)):
                continue
            meant = any(piece.key in PRONOUNS for piece in there.pieces[:4]) and found
            spoken = subject is not None and any(same(subject, piece) for piece in there.pieces)
            if spoken or meant or weight >= LEAST_PART:
                bearing = line
                break
        if bearing is None:
            return []
        found.append(bearing)
    return found


def _parts(said: Statement) -> list[Span]:
    """Where a claim's parts stand in it, cut at commas and conjunctions; a part says at least two things."""
    cuts = [at for at, piece in enumerate(said.pieces) if piece.kind == "stop" or piece.key in AND]
    parts: list[Span] = []
    first = 0
    for cut in [*cuts, len(said.pieces)]:
        held = said.pieces[first:cut]
        if sum(piece.weight for piece in held) >= LEAST_TOLD and sum(piece.weight >= SAYS for piece in held) > 1:
            parts.append((held[0].start, held[-1].end))
            first = cut + 1
    if parts and first < len(said.pieces) and any(piece.weight >= SAYS for piece in said.pieces[first:]):
        parts[-1] = (parts[-1][0], said.pieces[-1].end)
    return parts


def _plain(text: str) -> str:
    return _MARKUP.sub(" ", text).strip(_ENDS).casefold()


def _span(span: Span) -> Span | None:
    return span if span[0] < span[1] else None


def _differs(found: Difference, over: Alignment) -> str:
    """Say in words what is otherwise."""
    there = _quoted(over.source, found.found)
    said = _quoted(over.claim, found.said)
    if found.kind == "denial":
        if there:
            return f"the source denies it with “{there}”, the answer does not"
        return f"the source says it, the answer denies it with “{said}”"
    return f"the source says {there}, the answer {said}"


def _quoted(one: Statement, span: Span) -> str:
    words = one_line(one.text[span[0] : span[1]]).strip()
    return words if len(words) <= LONGEST_NAMED else words[: LONGEST_NAMED - 1] + "…"


def _doubt(over: Alignment, before: Sequence[Statement]) -> str:
    """Say why a claim is neither borne out nor contradicted."""
    reason = unborne(over, before)
    if reason == "missing":
        if over.share < LITTLE:
            return "has little in common with its source"
        named: dict[str, None] = {}
        for at in unsaid(over, before):
            piece = over.claim.pieces[at]
            named[over.claim.text[piece.start : piece.end]] = None
        joined = ("" if over.claim.signs else ", ").join(named)
        return f"its source does not say: {one_line(joined)[:LONGEST_NAMED]}"
    return UNBORNE[reason]
