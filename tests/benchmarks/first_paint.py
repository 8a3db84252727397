"""How long it takes from the command to the first paint, beside a bare Textual app in the same terminal.

``python -m tests.benchmarks.first_paint`` prints the medians and their ratio. Each run is a process of its own in a
pseudo-terminal that answers the questions a terminal answers; the clock stops when the words are on the screen.
"""

import os
import pty
import select
import signal
import statistics
import sys
import tempfile
import time
from pathlib import Path

RUNS = 11
ROWS, COLUMNS = 36, 120
LONGEST_SECONDS = 30.0
BARE = """
from textual.app import App
from textual.widgets import Static

class Bare(App):
    def compose(self):
        yield Static("sk your notes")

Bare().run()
"""
OURS = "import sys; from lens_tui.cli import main; sys.exit(main(sys.argv[1:]))"
DRAWN = b"sk your notes"
"""What both draw first; in ours the first letter can stand under the cursor and come apart from the others."""
WHOLE = b"commands"
"""What only our finished main screen shows, in its hint row."""


def seconds_to_paint(
    code: str, arguments: list[str], environment: dict[str, str], wanted: tuple[bytes, ...]
) -> list[float]:
    """Start a program in a terminal and wait until each of these words is drawn, in turn."""
    began = time.perf_counter()
    pid, screen = pty.fork()
    if pid == 0:
        os.execve(sys.executable, [sys.executable, "-c", code, *arguments], environment)
    try:
        return _until_drawn(screen, began, wanted)
    finally:
        os.kill(pid, signal.SIGKILL)
        os.close(screen)
        os.waitpid(pid, 0)


def _until_drawn(screen: int, began: float, wanted: tuple[bytes, ...]) -> list[float]:
    import fcntl
    import struct
    import termios

    fcntl.ioctl(screen, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    seen, times = b"", list[float]()
    while time.perf_counter() - began < LONGEST_SECONDS:
        if not select.select([screen], [], [], 0.5)[0]:
            continue
        piece = os.read(screen, 65536)
        seen += piece
        if b"\x1b[c" in piece:
            os.write(screen, b"\x1b]11;rgb:1414/1616/1b1b\x1b\\\x1b[1;6R\x1b[?62;22c")
        while len(times) < len(wanted) and wanted[len(times)] in seen:
            times.append(time.perf_counter() - began)
        if len(times) == len(wanted):
            return times
    raise SystemExit(f"nothing was drawn in {LONGEST_SECONDS:g} s:\n{seen[-2000:].decode(errors='replace')}")


def main() -> None:
    """Measure both in turn and print."""
    with tempfile.TemporaryDirectory(prefix="lt-", ignore_cleanup_errors=True) as scratch:
        folder = Path(scratch) / "notes"
        folder.mkdir()
        (folder / "a.md").write_text("# A note\n\nIt says little.\n")
        environment = {
            **{key: value for key, value in os.environ.items() if not key.startswith(("LENS_TUI", "TEXTUAL"))},
            "TERM": "xterm-256color",
            "COLORTERM": "truecolor",
            "LANG": "C.UTF-8",
            "LENS_TUI_DATA_DIR": str(Path(scratch) / "data"),
            "LENS_TUI_CONFIG_DIR": str(Path(scratch) / "config"),
            "XDG_RUNTIME_DIR": scratch,
        }
        environment.pop("NO_COLOR", None)
        bare, ours = [], []
        for _ in range(RUNS + 1):
            bare.append(seconds_to_paint(BARE, [], environment, (DRAWN,)))
            ours.append(seconds_to_paint(OURS, [str(folder)], environment, (DRAWN, WHOLE)))
    # The first of each reads modules from disk.
    a = statistics.median(run[0] for run in bare[1:])
    print(f"bare Textual app, first paint  {a * 1000:6.0f} ms")
    for place, name in enumerate(("lens-tui, first paint", "lens-tui, whole screen")):
        b = statistics.median(run[place] for run in ours[1:])
        print(f"{name:30} {b * 1000:6.0f} ms   ratio {b / a:4.2f}{'   (must reach 1.5)' if place == 0 else ''}")


if __name__ == "__main__":
    main()
