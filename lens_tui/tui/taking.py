"""Copying: to the terminal's clipboard, to tmux's where it runs in one, and always to a file."""

import contextlib
import os
import subprocess
from collections.abc import Mapping
from typing import TYPE_CHECKING

from lens_tui.text.exported import with_sources
from lens_tui.tui.turns import LiveTalk

if TYPE_CHECKING:
    from lens_tui.tui.app import LensApp

TMUX_SECONDS = 2.0
"""Longest wait for tmux to take a copy."""
CHOICES: Mapping[str, str] = {"a": "answer", "s": "with sources", "e": "excerpt", "l": "path:line", "c": "code"}
"""Keys and words of what can be copied."""


def take(app: "LensApp", text: str) -> str:
    """Copy a text. Returns what happened, in a sentence: whether the terminal took it cannot be known."""
    app.copy_to_clipboard(text)
    if os.environ.get("TMUX"):
        # Where tmux does not take it, the file below holds it all the same.
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):
            subprocess.run(
                ["tmux", "load-buffer", "-w", "-"],
                input=text.encode(),
                check=False,
                timeout=TMUX_SECONDS,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
    if app.data is None:
        return "sent to the clipboard"
    file = app.data / "copied.txt"
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
        file.chmod(0o600)
    except OSError as error:
        return f"sent to the clipboard; copied.txt cannot be written: {error.strerror}"
    return f"sent to the clipboard, kept in {file}"


def wanted(talk: LiveTalk, key: str) -> str:
    """The text that a choice names, of the turn that is read now; empty where there is none."""
    if talk.shown is None:
        return ""
    turn, citation = talk.turns[talk.shown], talk.citation()
    excerpt = turn.source(citation) if citation is not None else None
    if key == "a":
        return turn.text
    if key == "s":
        return with_sources(turn.text, turn.citations, turn.excerpts)
    if key == "e":
        return excerpt.text if excerpt is not None else ""
    if key == "l" and excerpt is not None and citation is not None:
        return f"{excerpt.path}:{(citation.lines or excerpt.lines)[0]}"
    return code_of(turn.text) if key == "c" else ""


def code_of(text: str) -> str:
    """What stands in an answer's code fences, a blank line between two."""
    blocks: list[list[str]] = []
    inside = False
    for line in text.split("\n"):
        if line.lstrip().startswith(("```", "~~~")):
            inside = not inside
            if inside:
                blocks.append([])
        elif inside:
            blocks[-1].append(line)
    return "\n\n".join("\n".join(block) for block in blocks)
