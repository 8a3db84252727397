"""The rows of one turn: question, thinking, answer, what is wrong with it, how sure it is, what it cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lens_tui.text.display import one_line, printable
from lens_tui.tui.layout import marks as citation_marks
from lens_tui.tui.layout.facts import count, line_range, seconds
from lens_tui.tui.layout.lines import UNFOLD, Drawing, Line, Piece, hung
from lens_tui.tui.layout.markdown import Style, answer_lines
from lens_tui.tui.layout.marks import Mark
from lens_tui.tui.layout.names import model_name
from lens_tui.tui.layout.staleness import stale_words
from lens_tui.tui.signs import Signs
from lens_tui.tui.turns import LiveTurn

if TYPE_CHECKING:
    from lens_tui.types import Answered, Citation

QUESTION, THOUGHT, ANSWER, AFTER = range(4)
"""Parts of a turn, in the order of its rows; first half of every row's ``at``."""
INDENT = "   "
_AGAIN = ("try again", "ask again")
"""What a next step begins with that is just this screen's key."""
MOST_PROBLEMS = 3
"""So many stand in words; the others are counted."""


def turn_lines(
    turn: LiveTurn, how: Drawing, answer: Sequence[Line] | None = None, *, invites: bool = True
) -> list[Line]:
    """Every row of a turn, a blank one at its end.

    Args:
        turn: What is drawn.
        how: What it is drawn with.
        answer: Its rows, where they are known already.
        invites: Whether it says how to get a model: once in a conversation is enough.
    """
    lines = question_lines(turn, how)
    lines += _thinking(turn, how)
    if turn.quoted and turn.answered is not None and turn.answered.citations:
        lines += _quotes(turn, turn.answered, how)
    else:
        lines += list(answer) if answer is not None else _answer(turn, how)
    while len(lines) > 1 and not lines[-1].pieces:
        lines.pop()
    after = _after(turn, how, invites=invites)
    if after:
        lines += [Line((), (AFTER, 0)), *after]
    lines.append(Line((), (AFTER, 1)))
    return lines


def question_lines(turn: LiveTurn, how: Drawing) -> list[Line]:
    """The question, bold, and a blank row."""
    lines: list[Line] = []
    for number, row in enumerate(printable(turn.question).split("\n")):
        first = [Piece(" "), Piece(f"{how.signs.ask} ", "accent")] if number == 0 else [Piece(INDENT)]
        first = [Piece(" "), Piece(how.signs.ask, "accent"), Piece(" ")] if number == 0 else first
        text = [Piece(row.replace("\t", " "), "bold", at=0)]
        lines += hung(text, how.width, first=first, rest=[Piece(INDENT)], part=QUESTION)
    return [*lines, Line((), (THOUGHT, 0))]


def _thinking(turn: LiveTurn, how: Drawing) -> list[Line]:
    if not turn.thinking:
        return []
    if not turn.thought_seconds and turn.running:
        words = "thinking" + how.signs.ellipsis
    elif turn.thought_seconds:
        words = f"thought for {seconds(turn.thought_seconds)}"
    else:
        words = "thought"
    sign = how.signs.unfolded if turn.unfolded else how.signs.folded
    head = [Piece(f"{sign} {words}", "muted", UNFOLD)]
    lines = [Line((Piece(" "), *head), (THOUGHT, 0))]
    if turn.unfolded:
        bar = [Piece(INDENT), Piece(f"{how.signs.thin} ", "muted")]
        for row in turn.thinking.strip().split("\n"):
            lines += hung([Piece(row.replace("\t", " "), "muted")], how.width, first=bar, rest=bar, part=THOUGHT)
    return [*lines, Line((), (THOUGHT, 1))]


def marks_of(turn: LiveTurn, signs: Signs) -> list[Mark]:
    """The marks of an answer: judged where it is finished, by their looks while it streams."""
    if turn.answered is None:
        return citation_marks.streamed(turn.text)
    answered = turn.answered
    uncited = answered.uncited if answered.citations and not answered.stopped and turn.failed is None else ()
    return citation_marks.judged(turn.text, answered.citations, uncited, signs, turn.fates)


def _answer(turn: LiveTurn, how: Drawing) -> list[Line]:
    text = turn.text if turn.over or turn.answered else citation_marks.finished(turn.text)
    if not text.strip():
        return []
    style = Style(how.signs.thin, INDENT)
    return answer_lines(text.rstrip(), marks_of(turn, how.signs), how.width, style, part=ANSWER)[0]


def _quotes(turn: LiveTurn, answered: Answered, how: Drawing) -> list[Line]:
    """Sentences quoted from the files: each under a thick bar, with its number and the line that it stands on."""
    lead = [Piece("No model answered.", "warn bold"), Piece(" These sentences are from your files, word for word:")]
    lines = hung(lead, how.width, first=[Piece(INDENT)], rest=[Piece(INDENT)], part=ANSWER)
    bar = [Piece(INDENT), Piece(how.signs.thick, "accent"), Piece(" ")]
    for index, citation in enumerate(answered.citations):
        start, end = citation.claim
        quote = " ".join(_without_marks(turn.text, citation, start, end).split())
        stale = how.signs.stale if index in turn.fates else ""
        mark = Piece(f"[{citation.number}{stale}]", citation_marks.ink_of(citation), index)
        lines.append(Line((), (ANSWER, start)))
        pieces = [Piece(f"{quote} ", at=start), mark]
        lines += hung(pieces, how.width, first=bar, rest=bar, part=ANSWER)
        if citation.path is not None:
            place = one_line(citation.path) + line_range(citation.lines, how.signs)
            under = [Piece(INDENT + "  ")]
            lines += hung([Piece(place, "muted", index)], how.width, first=under, rest=under, part=ANSWER)
    return lines


def _without_marks(text: str, citation: Citation, start: int, end: int) -> str:
    """The claim's words, its own mark taken out."""
    if start <= citation.start and citation.end <= end:
        return text[start : citation.start] + text[citation.end : end]
    return text[start:end]


def _after(turn: LiveTurn, how: Drawing, *, invites: bool) -> list[Line]:
    """What stands under an answer."""
    lines: list[Line] = []
    if turn.answered is not None:
        lines += _problems(turn, turn.answered, how)
    if turn.failed is not None:
        lines += _failure(turn, how)
    elif turn.answered is not None and turn.answered.stopped:
        lines += _said(how, "", "muted", [Piece(f"Stopped by you after {seconds(turn.answered.seconds)}", "muted")])
    elif turn.over and turn.answered is None:
        lines += _said(how, how.signs.cross, "bad", [Piece("The answer broke off. "), Piece("r asks again.", "muted")])
    if turn.answered is not None:
        for note in _notes(turn, turn.answered, how):
            lines += _said(how, "", "muted", [Piece(printable(note).replace("\n", " "), "muted")])
        if turn.failed is None and not turn.quoted and not turn.answered.stopped:
            lines += _verdicts(turn.answered, how, bool(turn.fates))
        lines += _said(
            how, "", "muted", [Piece(how.signs.said(_cost(turn, turn.answered, how, invites=invites)), "muted")]
        )
    return lines


def _notes(turn: LiveTurn, answered: Answered, how: Drawing) -> list[str]:
    """Sentences on what is missing, each once; what the answer's first line or its last one says is not repeated."""
    notes = list(dict.fromkeys([*(turn.retrieved.notes if turn.retrieved else ()), *answered.notes]))
    if turn.quoted and answered.citations:
        notes = [note for note in notes if not note.startswith("No model answered")]
    if answered.model is None and (how.model_hint or turn.kept_id is not None):
        # The last line has the command, for an answer of last time too where it still helps; why no model answered is
        # told only where nothing could be quoted.
        kept = 0 if answered.citations else 1
        notes = [
            note.partition("For a model:")[0].rstrip() * kept if "For a model:" in note else note for note in notes
        ]
    if answered.model is not None and answered.left_out:
        notes = [note for note in notes if " excerpts fit " not in note]
    return [note for note in notes if note]


def _said(how: Drawing, sign: str, ink: str, words: Sequence[Piece]) -> list[Line]:
    """A sentence under an answer, hanging beside its sign."""
    first = [Piece(INDENT), Piece(sign, f"{ink} bold"), Piece(" " * (2 - len(sign)))]
    return hung(words, how.width, first=first, rest=[Piece(INDENT + "  ")], part=AFTER)


def _problems(turn: LiveTurn, answered: Answered, how: Drawing) -> list[Line]:
    """Up to three doubtful citations in words, worst first, each number once; of quotes only sources that changed."""
    signs = how.signs
    found: list[tuple[int, str, str, str]] = []
    for citation in answered.citations if not turn.quoted else ():
        number = f"[{citation.number}]"
        if citation.verdict == "contradicted":
            found.append((0, signs.differs, "bad", f"{number} {_why(citation, signs)}"))
        elif citation.verdict == "invented":
            had = f"the model had {len(turn.excerpts) - answered.left_out}"
            found.append((1, signs.cross, "bad", f"{number} there is no excerpt {citation.number}; {had}"))
        elif citation.verdict == "weak":
            found.append((2, signs.weak, "warn", f"{number} {_why(citation, signs)}"))
    found += [(3, signs.stale, "warn", words) for words in stale_words(turn)]
    found = sorted(dict.fromkeys(found), key=lambda problem: problem[0])
    lines: list[Line] = []
    for _, sign, ink, words in found[:MOST_PROBLEMS]:
        lines += _said(how, sign, ink, [Piece(one_line(words))])
    if more := len(found) - MOST_PROBLEMS:
        lines += _said(how, "", "muted", [Piece(f"and {more} more", "muted")]) if more > 0 else []
    return lines


def _why(citation: Citation, signs: Signs) -> str:
    """Why a citation is doubtful, its source called by the file's name, and where little fits by the line too."""
    name = (citation.path or "its source").rpartition("/")[2]
    if citation.verdict == "contradicted":
        return (citation.why or "the source says otherwise").replace("the source", name, 1)
    place = name + (line_range(citation.lines[:1], signs) if citation.lines else "")
    return (citation.why or "has little in common with its source").replace("its source", place, 1)


def _verdicts(answered: Answered, how: Drawing, stale: bool) -> list[Line]:
    """One row on how far the answer is borne out. What was not judged is not called supported."""
    all_of = answered.citations
    none = len(answered.uncited)
    without = f" · {count(none, 'sentence')} {'has' if none == 1 else 'have'} none" if none else ""
    if not all_of:
        if not answered.text.strip():
            return []
        return _said(how, how.signs.failed, "warn", [Piece("Nothing in this answer is cited.", "warn")])
    judged = [citation for citation in all_of if citation.verdict not in (None, "invented")]
    if judged:
        good = sum(citation.verdict == "supported" for citation in all_of)
        words = f"{good} of {count(len(all_of), 'citation')} supported{', by the files as they were' if stale else ''}"
        tail = how.signs.said(without)
        return _said(how, how.signs.check if good else "", "ok", [Piece(words + tail, "muted")])
    placed = sum(citation.span is not None for citation in all_of)
    words = f"{count(placed, 'citation')} traced"
    if placed < len(all_of):
        words = f"{placed} of {count(len(all_of), 'citation')} traced"
    words += without
    return _said(how, "", "muted", [Piece(how.signs.said(words), "muted")])


def _cost(turn: LiveTurn, answered: Answered, how: Drawing, *, invites: bool) -> str:
    """Model, excerpts, tokens and seconds; in a quoted answer what it was taken from."""
    took = seconds(answered.seconds)
    excerpts = len(turn.excerpts)
    if answered.model is None:
        parts = [f"{count(len(answered.citations), 'sentence')} from {count(excerpts, 'excerpt')}", took]
        if invites and how.model_hint:
            parts.append(f"for a model: {how.model_hint}")
        return " · ".join(parts)
    parts = [model_name(answered.model)]
    if answered.left_out:
        parts.append(f"{excerpts - answered.left_out} of {count(excerpts, 'excerpt')} fit")
    else:
        parts.append(count(excerpts, "excerpt"))
    if answered.prompt_tokens is not None:
        used = answered.prompt_tokens + (answered.answer_tokens or 0)
        of = f" of {answered.context_tokens:,}" if answered.context_tokens else ""
        parts.append(f"{used:,}{of} tokens")
    return " · ".join([*parts, took])


def _failure(turn: LiveTurn, how: Drawing) -> list[Line]:
    """What went wrong, what is kept, and the next step, where the work was."""
    assert turn.failed is not None
    words = printable(turn.failed.message).replace("\n", " ")
    lead = "Stopped: " if turn.text.strip() else ""
    lines = _said(how, how.signs.cross, "bad", [Piece(lead + words)])
    if turn.text.strip():
        good = sum(citation.verdict == "supported" for citation in turn.citations)
        kept = f"What arrived is kept: {good} of {count(len(turn.citations), 'citation')} supported."
        lines += _said(how, "", "muted", [Piece(kept if turn.citations else "What arrived is kept.", "muted")])
    return lines + _said(how, "", "muted", [Piece(_next_step(turn.failed.hint), "muted")])


def _next_step(hint: str) -> str:
    """The failure's own next step and the key that asks again, as one way: ``r asks again; if …``."""
    words = printable(hint).replace("\n", " ").strip()
    for opening in _AGAIN:
        if words.lower().startswith(opening):
            rest = words[len(opening) :].lstrip()
            if rest.startswith((";", ",")):
                return f"r asks again{rest}"
            return f"r asks again. {rest.lstrip('. ')}".rstrip()
    if not words:
        return "r asks again."
    if words.endswith((".", "。")):
        return f"{words} Then r asks again."
    return f"{words}, then r asks again."
