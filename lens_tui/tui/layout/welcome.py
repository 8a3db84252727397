"""What stands in the chat while there is no conversation: what to do, how far the folder is read, who would answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from lens_tui.text.display import one_line
from lens_tui.tui.layout.facts import count
from lens_tui.tui.layout.lines import Line, Piece, hung
from lens_tui.tui.layout.names import model_name

if TYPE_CHECKING:
    from lens_tui.requests import IndexState
    from lens_tui.types import ModelChoice

_INDENT = Piece("   ")
_LOCAL = ("localhost", "::1", "0.0.0.0", "")
KINDS = "Text in any encoding, Markdown and source code are read; hidden, binary and ignored files are not."


def welcome_lines(state: IndexState | None, choice: ModelChoice | None, width: int) -> list[Line]:
    """Rows for an empty conversation. None means: not known yet, nothing is said of it."""
    lines = [Line()]
    lines += _paragraph([Piece("Ask, and every sentence of the answer shows the line it rests on.", "bold")], width)
    if state is not None:
        lines += _paragraph([Piece(_folder(state))], width)
    if choice is not None and choice.name is None:
        lines += _no_model(choice, width)
    elif choice is not None and choice.name is not None:
        lines += _paragraph(_answers(choice, choice.name), width)
    if choice is not None:
        lines += _paragraph([Piece(_privacy(choice.address, state), "muted")], width)
    return lines


def is_local(address: str) -> bool:
    """Whether an address is this machine's own."""
    host = urlsplit(address if "//" in address else f"//{address}").hostname or ""
    return host in _LOCAL or host.startswith("127.")


def _paragraph(pieces: Sequence[Piece], width: int) -> list[Line]:
    return [*hung(pieces, width, first=[_INDENT], rest=[_INDENT]), Line()]


def _folder(state: IndexState) -> str:
    if state.phase == "scanning" and not state.files:
        return "The folder is being looked through."
    if state.phase in ("reading", "scanning") and state.files < state.total:
        read = f"{state.files:,} of {count(state.total, 'file')} {'is' if state.files == 1 else 'are'} read."
        return f"{read} You can ask now; answers use what has been read so far."
    if state.phase in ("paused", "stopped") and state.files < state.total:
        return f"{state.files:,} of {count(state.total, 'file')} are read; reading is {state.phase}."
    if not state.files:
        out = f" {count(state.left_out, 'file')} left out: F4 says why." if state.left_out else ""
        return f"Nothing to read in this folder yet. {KINDS}{out}"
    return f"{count(state.files, 'file is', 'files are')} read, {count(state.chunks, 'passage')} in all."


def _answers(choice: ModelChoice, name: str) -> list[Piece]:
    """Who answers, and why that one."""
    why = one_line(choice.why)
    why = why if not why or why.endswith(".") else f"{why}."
    if why.startswith(one_line(name)):
        why = model_name(name) + why.removeprefix(one_line(name))
        return [Piece(f"Answers come from {why}")]
    return [Piece(f"Answers come from {model_name(name)}. "), Piece(why[:1].upper() + why[1:], "muted")]


def _no_model(choice: ModelChoice, width: int) -> list[Line]:
    """That nothing answers, what happens instead, and the commands that change it."""
    why = one_line(choice.why).rstrip(".")
    if why.startswith("No model, "):
        # Chosen so: nothing is missing, and the choice's own sentence says what happens.
        return _paragraph([Piece(f"{why}.")], width)
    for opening in ("No model: ", "no model: "):
        why = why.removeprefix(opening)
    why = why[:1].lower() + why[1:] if why[1:2].islower() else why
    until = "Until something does" if not choice.reachable else "Until there is one"
    words = f" {why}. {until}, answers are sentences quoted word for word from your files."
    if not choice.hint:
        return _paragraph([Piece("No model:", "warn bold"), Piece(words)], width)
    lines = _paragraph([Piece("No model:", "warn bold"), Piece(f"{words} To get a model:")], width)
    for command in choice.hint.splitlines():
        lines.append(Line((Piece("     "), Piece(one_line(command.strip())))))
    lines.append(Line())
    if choice.reachable:
        lines += _paragraph([Piece("Or have one fetched from here: Ctrl+P, models.")], width)
    return lines


def _privacy(address: str, state: IndexState | None) -> str:
    """True or absent: what leaves this machine."""
    if is_local(address):
        return "Nothing leaves this machine, and nothing is downloaded unless you ask."
    if state is not None and state.embedder and not state.embedder.startswith("builtin"):
        return f"Questions, and the text of your files for their vectors, go to {one_line(address)}."
    return f"Questions and the excerpts found for them go to {one_line(address)}; nothing else leaves this machine."
