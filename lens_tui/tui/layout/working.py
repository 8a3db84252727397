"""What the rule and the headers say: running work, how far it has come, who answers, what was found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lens_tui.text.display import one_line
from lens_tui.tui.layout.facts import count, left
from lens_tui.tui.layout.names import model_name
from lens_tui.tui.turns import LiveTurn

if TYPE_CHECKING:
    from lens_tui.requests import IndexState
    from lens_tui.types import ModelChoice

QUIET_SECONDS = 0.5
"""Under half a second nothing is said of work that runs."""

Words = list[tuple[str, str]]
"""Words and their inks."""


def answering(turn: LiveTurn | None, now: float) -> str:
    """What the newest answer is waiting for; empty where none runs or it has run for less than half a second."""
    if turn is None or turn.over:
        return ""
    elapsed = now - turn.began
    if elapsed < QUIET_SECONDS:
        return ""
    if turn.answering_since is not None:
        parts = ["answering", f"{int(elapsed)} s"]
        taken = now - turn.answering_since
        if taken >= 1 and turn.pieces > 1:
            parts.append(f"{turn.pieces / taken:.0f} tokens/s")
    elif turn.thought_since is not None:
        parts = ["thinking", f"{int(elapsed)} s"]
    else:
        parts = [one_line(turn.step) or "searching", f"{int(elapsed)} s"]
    return " · ".join([*parts, "Esc stops"])


def busy(state: IndexState | None) -> bool:
    """Whether files are being looked for or read."""
    return state is not None and state.phase in ("scanning", "reading")


def indexing(state: IndexState | None) -> tuple[str, float | None]:
    """What the indexer does, in words and as a share; empty where it rests."""
    if state is None:
        return "", None
    if state.phase == "reading" and state.run_total:
        parts = [f"indexing {state.done:,} of {state.run_total:,}"]
        if state.rate:
            parts.append(f"{state.rate:.0f}/s" if state.rate >= 1 else f"{state.rate:.1f}/s")
        if state.seconds_left is not None and state.done < state.run_total:
            parts.append(left(state.seconds_left))
        return " · ".join(parts), state.done / state.run_total
    if state.phase == "scanning":
        return "looking through the folder", None
    if state.phase in ("paused", "stopped"):
        if state.files < state.total:
            return f"{state.phase} at {state.files:,} of {count(state.total, 'file')}", state.files / state.total
        return state.phase if state.phase == "paused" else "", None
    if state.notes_left and not state.note_problem:
        written = max(state.chunks - state.notes_left, 0)
        return f"notes {written:,} of {state.chunks:,}", written / max(state.chunks, 1)
    if state.vectors < state.vectors_total and state.vector_rate:
        parts = [f"meaning {state.vectors:,} of {state.vectors_total:,}", f"{state.vector_rate:.0f}/s"]
        if state.vector_seconds_left is not None:
            parts.append(left(state.vector_seconds_left))
        return " · ".join(parts), state.vectors / state.vectors_total
    return "", None


def standing(
    state: IndexState | None, choice: ModelChoice | None, *, below: int, engine: str, is_answering: bool, wanted: str
) -> Words:
    """What is true now, for the right end of the rule, the model last."""
    words: Words = []
    if below:
        words.append((f"↓ {count(below, 'more line')}, End", "muted"))
    if engine:
        words.append((one_line(engine), "warn"))
    if state is not None and state.notes:
        words.append(("indexing failed, F4 says why", "bad"))
    if state is not None and state.failed:
        words.append((f"{state.failed:,} failed", "bad"))
    _, share = indexing(state)
    if is_answering and share is not None and state is not None and state.phase == "reading":
        words.append((f"indexing {share:.0%}".replace("%", " %"), "muted"))
    if choice is not None and choice.name is not None:
        words.append((model_name(choice.name), "muted"))
    elif choice is not None:
        # Chosen so, nothing is missing: the choice's own sentence says it.
        chosen = wanted == "none" or choice.why.startswith("No model, ")
        words.append(("quoting", "muted") if chosen else ("no model, quoting", "warn"))
    return words


def found(turn: LiveTurn | None) -> str:
    """How many excerpts there are, and how many of them are cited or quoted."""
    if turn is None or turn.retrieved is None:
        return ""
    excerpts = len(turn.excerpts)
    if not excerpts:
        return "nothing found"
    if turn.answered is None:
        return f"{count(excerpts, 'excerpt')} found"
    numbers = {excerpt.number for excerpt in turn.excerpts}
    cited = len({citation.number for citation in turn.citations if turn.source(citation)} & numbers)
    return f"{count(excerpts, 'excerpt')}, {cited} {'quoted' if turn.quoted else 'cited'}"
