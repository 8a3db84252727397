"""Opening a file in the person's own editor, with the app out of the way meanwhile."""

import os
import shlex
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from textual.app import App, SuspendNotSupported

PLUS_LINE = (
    "vi",
    "vim",
    "nvim",
    "view",
    "nano",
    "emacs",
    "emacsclient",
    "kak",
    "micro",
    "joe",
    "mg",
    "ne",
    "ed",
    "jed",
)
"""Editors that take ``+12 file``."""
COLON_LINE = ("hx", "helix", "subl", "zed", "lapce")
"""Editors that take ``file:12``."""
GOTO_LINE = ("code", "codium", "code-insiders", "cursor")
"""Editors that take ``--goto file:12``."""
DESKTOP = (*GOTO_LINE, "subl", "zed", "lapce", "gedit", "kate")
"""Editors with a window of their own: the app stays on the screen."""


EXTRACTED = (".html", ".htm", ".xhtml", ".xht", ".ipynb")
"""Endings of files of which a text is taken out: a line of that text is no line of the file."""
AT_ITS_BEGINNING = "Opened at its beginning: lines count here in the text that is taken out of it."


def editor_of(setting: str, environment: Mapping[str, str] = os.environ) -> str:
    """The command to edit with: the setting, else VISUAL, else EDITOR; empty where none is named."""
    return setting or environment.get("VISUAL", "") or environment.get("EDITOR", "")


def line_in(file: Path, line: int | None) -> int | None:
    """The line of the file itself that a line of its text is; None where that is not known."""
    return None if file.suffix.lower() in EXTRACTED else line


def command(editor: str, file: Path, line: int | None) -> list[str]:
    """The words to run. Raises ValueError where the editor's own words cannot be parted."""
    words = shlex.split(editor)
    if not words:
        raise ValueError("it is empty")
    name = Path(words[0]).name
    if line is None:
        return [*words, str(file)]
    if name in PLUS_LINE:
        return [*words, f"+{line}", str(file)]
    if name in COLON_LINE:
        return [*words, f"{file}:{line}"]
    if name in GOTO_LINE:
        return [*words, "--goto", f"{file}:{line}"]
    return [*words, str(file)]


def edit(app: App[Any], file: Path, line: int | None, setting: str) -> str:
    """Edit a file at a line of its text and come back.

    Returns what a person should know, in a sentence: what went wrong, or that it could not be that line.
    """
    editor = editor_of(setting)
    at = line_in(file, line)
    told = AT_ITS_BEGINNING if at != line else ""
    if not editor:
        return "No editor is named: set editor in settings.toml, or EDITOR."
    if not file.is_file():
        return f"{file.name} is not there any more."
    try:
        words = command(editor, file, at)
        if Path(words[0]).name in DESKTOP:
            silent = subprocess.DEVNULL
            subprocess.Popen(words, stdin=silent, stdout=silent, stderr=silent, start_new_session=True)
            return told
        with app.suspend():
            done = subprocess.run(words, check=False)
    except SuspendNotSupported:
        return "This terminal cannot be left for an editor."
    except ValueError as error:
        return f"The editor {editor!r} cannot be run: {error}."
    except OSError as error:
        return f"The editor {editor!r} cannot be run: {error.strerror}."
    app.refresh(repaint=True, layout=True)
    return told if done.returncode == 0 else f"The editor left with code {done.returncode}."
