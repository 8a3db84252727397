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


def editor_of(setting: str, environment: Mapping[str, str] = os.environ) -> str:
    """The command to edit with: the setting, else VISUAL, else EDITOR; empty where none is named."""
    return setting or environment.get("VISUAL", "") or environment.get("EDITOR", "")


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
    """Edit a file at a line and come back. Returns what went wrong, in a sentence; empty where nothing did."""
    editor = editor_of(setting)
    if not editor:
        return "No editor is named: set editor in settings.toml, or EDITOR."
    if not file.is_file():
        return f"{file.name} is not there any more."
    try:
        words = command(editor, file, line)
        if Path(words[0]).name in DESKTOP:
            silent = subprocess.DEVNULL
            subprocess.Popen(words, stdin=silent, stdout=silent, stderr=silent, start_new_session=True)
            return ""
        with app.suspend():
            done = subprocess.run(words, check=False)
    except SuspendNotSupported:
        return "This terminal cannot be left for an editor."
    except ValueError as error:
        return f"The editor {editor!r} cannot be run: {error}."
    except OSError as error:
        return f"The editor {editor!r} cannot be run: {error.strerror}."
    app.refresh(repaint=True, layout=True)
    return "" if done.returncode == 0 else f"The editor left with code {done.returncode}."
