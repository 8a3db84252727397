"""The first paint: name of the folder, rule and question, written before Textual is loaded; Textual draws over it.

Loading Textual takes longer than everything else at the start. Meanwhile the parts of the screen stand where they will
stand, in the terminal's own colours, and what is typed is kept.
"""

import contextlib
import os
from collections.abc import Mapping

from lens_tui.tui.signs import Signs

ENTER = "\x1b[?1049h\x1b[?25l\x1b[H\x1b[2J"
"""The alternate screen, empty, without a cursor. Textual enters it again, which changes nothing, and leaves it."""
LEAVE = "\x1b[?1049l\x1b[?25h"
MUTE = ("", "dumb", "unknown", "linux")
"""Values of TERM for which nothing is written: no alternate screen is certain there."""
HINTS_FROM, TITLE_FROM = 20, 16
"""Rows from which the main screen has its hint row, and its top row (screens/room.py)."""
WIDE, FILES_WIDTH = 120, 24
"""Columns from which the files stand beside the chat, and what they take."""


def frame(width: int, height: int, folder: str, signs: Signs) -> str:
    """What is written for a screen of this size. ``folder`` is its name as drawn, printable and on one row."""
    dim, plain = "\x1b[2m", "\x1b[0m"
    question = height - (1 if height >= HINTS_FROM else 0)
    rows = [ENTER]
    if height >= TITLE_FROM:
        rows.append(f"\x1b[1;2H{dim}{folder[: (FILES_WIDTH if width >= WIDE else width) - 2]}{plain}")
    if width >= WIDE:
        rows += [f"\x1b[{row};{FILES_WIDTH + 1}H{dim}{signs.column}{plain}" for row in range(1, question - 1)]
    rows.append(f"\x1b[{question - 1};1H{dim}{signs.rule * width}{plain}")
    rows.append(f"\x1b[{question};1H{signs.ask} {dim}ask your notes{plain}")
    # The terminal is asked about its signs next, on the row of the cursor: an empty one.
    return "".join([*rows, f"\x1b[{height if height >= HINTS_FROM else 2};1H"])


def paint(screen: int, folder: str, signs: Signs, environment: Mapping[str, str] = os.environ) -> bool:
    """Write the frame to a terminal. Returns whether it was written; ``wipe`` takes it away."""
    if environment.get("TERM", "") in MUTE:
        return False
    try:
        size = os.get_terminal_size(screen)
        os.write(screen, frame(size.columns, size.lines, folder, signs).encode("utf-8", "replace"))
    except OSError:
        return False
    return True


def wipe(screen: int) -> None:
    """Give the terminal back where the app did not come to take it over."""
    with contextlib.suppress(OSError):
        os.write(screen, LEAVE.encode())
