"""How long a key waits for its letter to appear, at rest and while a folder is being indexed.

``python -m tests.benchmarks.key_to_paint`` runs the installed program in a pseudo-terminal of 120×36, types into the
question, and prints p50 and p99 of both, with their ratio.
"""

import fcntl
import os
import pty
import random
import select
import signal
import statistics
import struct
import sys
import tempfile
import termios
import time
from pathlib import Path

FILES = 4000
"""Enough for the indexer to be at work for the whole measurement."""
KEYS = 200
REST_SECONDS = 0.03
LETTERS = "QZXJ"
"""Capitals that stand in no word of the screen."""
FOREIGN = ("LENS_TUI", "TEXTUAL", "OLLAMA", "NO_COLOR")
PROGRAM = "import sys; from lens_tui.cli import main; sys.exit(main(sys.argv[1:]))"


def make_folder(folder: Path, files: int) -> None:
    """Write notes of about 6 kB each, the same ones every time."""
    chance = random.Random(7)
    words = ["lease", "notice", "garden", "roof", "deposit", "letter", "month", "tenant", "repair", "winter", "index"]
    folder.mkdir()
    for number in range(files):
        text = "\n\n".join(" ".join(chance.choices(words, k=60)) + "." for _ in range(15))
        (folder / f"note-{number:05}.md").write_text(f"# Note {number}\n\n{text}\n")


def environment_in(scratch: Path) -> dict[str, str]:
    """What the program is started with: nothing of this person's, everything kept under ``scratch``."""
    return {
        **{key: value for key, value in os.environ.items() if not key.startswith(FOREIGN)},
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
        "LANG": "C.UTF-8",
        "LENS_TUI_DATA_DIR": str(scratch / "data"),
        "LENS_TUI_CONFIG_DIR": str(scratch / "config"),
        "LENS_TUI_BACKGROUND": "dark",
        "LENS_TUI_SIGNS": "unicode",
        "OLLAMA_HOST": "127.0.0.1:9",
        "XDG_RUNTIME_DIR": str(scratch),
    }


class Screen:
    """The program in its terminal."""

    def __init__(self, folder: Path, scratch: Path) -> None:
        environment = environment_in(scratch)
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.execve(sys.executable, [sys.executable, "-c", PROGRAM, str(folder)], environment)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", 36, 120, 0, 0))

    def until(self, words: bytes, seconds: float = 30.0) -> float:
        """Read until these bytes were drawn. Returns the seconds that it took."""
        began, seen = time.perf_counter(), b""
        while time.perf_counter() - began < seconds:
            if select.select([self.fd], [], [], 0.2)[0]:
                seen += os.read(self.fd, 65536)
                if words in seen:
                    return time.perf_counter() - began
        raise SystemExit(f"{words!r} was not drawn in {seconds:g} s")

    def drain(self, seconds: float) -> bytes:
        """Read what comes within a time."""
        end, seen = time.perf_counter() + seconds, b""
        while (left := end - time.perf_counter()) > 0:
            if select.select([self.fd], [], [], left)[0]:
                seen += os.read(self.fd, 65536)
        return seen

    def keys(self) -> list[float]:
        """Type letters; how long each took to appear, in ms."""
        took = []
        for number in range(KEYS):
            letter = LETTERS[number % len(LETTERS)].encode()
            if number % 40 == 39:
                os.write(self.fd, b"\x15")
                self.drain(0.1)
            os.write(self.fd, letter)
            took.append(self.until(letter) * 1000)
            self.drain(REST_SECONDS)
        return took

    def close(self) -> None:
        os.kill(self.pid, signal.SIGKILL)
        os.close(self.fd)
        os.waitpid(self.pid, 0)


def figures(took: list[float]) -> tuple[float, float]:
    """p50 and p99."""
    ordered = sorted(took)
    return statistics.median(ordered), ordered[int(len(ordered) * 0.99)]


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory(prefix="lt-", ignore_cleanup_errors=True) as name:
        scratch = Path(name)
        results = {}
        for label, files in (("at rest", 3), ("while indexing", FILES)):
            folder = scratch / f"notes{files}"
            make_folder(folder, files)
            screen = Screen(folder, scratch)
            try:
                screen.until(b"commands")
                seen = screen.drain(4.0)
                took = screen.keys()
                still = label == "at rest" or b"indexing" in seen + screen.drain(2.0)
            finally:
                screen.close()
            results[label] = figures(took)
            print(f"{label:15} p50 {results[label][0]:5.1f} ms   p99 {results[label][1]:5.1f} ms")
            if not still:
                print("the indexer was done before the keys: take more files")
        ratio = results["while indexing"][1] / results["at rest"][1]
        print(f"p99 while indexing / at rest {ratio:4.2f}   (must reach 3)")


if __name__ == "__main__":
    main()
