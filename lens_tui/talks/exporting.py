"""A conversation as a text of its own: Markdown to read, or JSON in the shapes of ``ask``'s events."""

import json
import time
from collections.abc import Callable

from lens_tui import wire
from lens_tui.history import Conversation, Turn
from lens_tui.text.display import printable
from lens_tui.text.exported import with_sources
from lens_tui.types import Answered

Local = Callable[[float], time.struct_time]


def as_json(talk: Conversation) -> str:
    """One object: ``title`` and ``turns``, each with ``question``, ``asked_at`` and its events as ``ask`` prints them.

    ``asked_at`` is in seconds since the epoch; ``events`` are ``retrieved``, ``sent``, ``answered`` and ``error``, as
    far as the turn came.
    """
    turns = [
        {
            "question": turn.question,
            "asked_at": turn.asked_at,
            "events": [
                wire.to_builtins(event)
                for event in (turn.retrieved, turn.sent, turn.answered, turn.failed)
                if event is not None
            ],
        }
        for turn in talk.turns
    ]
    fields = {"title": talk.title, "turns": turns}
    return json.dumps(fields, ensure_ascii=False, indent=1).encode("utf-8", "replace").decode("utf-8") + "\n"


def as_markdown(talk: Conversation, *, local: Local = time.localtime) -> str:
    """A heading for each question, under it the answer with its sources, and what was found wrong with it.

    Args:
        talk: What to write.
        local: Seconds since the epoch → the clock on the person's wall.
    """
    parts = [f"# {printable(talk.title) or 'Conversation'}\n"]
    parts += [_turn(turn, local) for turn in talk.turns]
    return "\n".join(parts).encode("utf-8", "replace").decode("utf-8")


def _turn(turn: Turn, local: Local) -> str:
    first, *others = printable(turn.question).strip().split("\n")
    asked = time.strftime("%Y-%m-%d %H:%M", local(turn.asked_at))
    by = "quoted, no model" if turn.answered is not None and turn.answered.model is None else ""
    if turn.answered is not None and turn.answered.model:
        by = turn.answered.model
    rows = [f"## {first}", "", *(f"> {row}" for row in others), *([""] if others else [])]
    rows += [f"*{asked}{', ' if by else ''}{by}*", ""]
    if turn.answered is not None:
        excerpts = turn.retrieved.excerpts if turn.retrieved is not None else ()
        # Sources come last, so that ``verify`` reads the text of a conversation with one answer.
        rows += _judged(turn.answered)
        rows += [with_sources(printable(turn.answered.text), turn.answered.citations, excerpts)]
    if turn.failed is not None:
        rows += [f"*Failed: {printable(turn.failed.message)}*", ""]
    return "\n".join(rows)


def _judged(answered: Answered) -> list[str]:
    """How far the answer is borne out, in words: without marks, which would count as citations."""
    rows: list[str] = []
    if answered.stopped:
        rows.append("Stopped before its end.")
    judged = [citation for citation in answered.citations if citation.verdict is not None]
    if judged:
        good = sum(citation.verdict == "supported" for citation in judged)
        rows.append(f"Checked: {good} of {len(judged)} citations supported.")
    for citation in judged:
        if citation.verdict != "supported":
            why = f": {printable(citation.why)}" if citation.why else ""
            rows.append(f"- citation of excerpt {citation.number} is {citation.verdict}{why}")
    if answered.uncited and not answered.stopped:
        count = len(answered.uncited)
        rows.append(f"- {count} sentence{'' if count == 1 else 's'} without a citation")
    return [*rows, ""] if rows else []
