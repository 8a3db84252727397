"""A terminal for tests: runs a program in a real pty, answers what programs ask terminals, and reads the screen."""

import contextlib
import errno
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType

import pyte

PATIENCE = 30.0
"""Seconds that a test waits for something to appear; a machine that builds something else beside it is slow."""

KEYS = {
    "Enter": "\r", "Esc": "\x1b", "Tab": "\t", "Up": "\x1b[A", "Down": "\x1b[B", "F1": "\x1bOP", "F2": "\x1bOQ",
    "F3": "\x1bOR", "F4": "\x1bOS", "F7": "\x1b[18~", "F8": "\x1b[19~", "Ctrl+C": "\x03", "Ctrl+D": "\x04",
    "Ctrl+Q": "\x11", "Ctrl+P": "\x10", "PgUp": "\x1b[5~", "PgDn": "\x1b[6~",
}  # fmt: skip

ANSWERS: Mapping[bytes, bytes] = {
    b"\x1b]11;?\x07": b"\x1b]11;rgb:1414/1616/1b1b\x07",
    b"\x1b]11;?\x1b\\": b"\x1b]11;rgb:1414/1616/1b1b\x1b\\",
    b"\x1b[c": b"\x1b[?62;22c",
    b"\x1b[0c": b"\x1b[?62;22c",
    b"\x1b[6n": b"\x1b[1;2R",
}
"""Question → what xterm says, a dark one that draws ambiguous characters in one column."""

_UNKNOWN_TO_PYTE = re.compile(rb"\x1b\[[<>=][0-9;]*[a-zA-Z]|\x1b\[\?[0-9;]*(?:\$p|u|c|n)|\x1b[P_^][^\x1b]*\x1b\\")
"""Sequences that pyte takes for something else; none of them draws."""

_UNFINISHED = re.compile(rb"\x1b(?:\[[0-9;<=>?$]*|\][^\x07\x1b]*|[P_^][^\x1b]*)?$")


class Terminal:
    """One program on one screen. Use it as a context manager: leaving ends the program."""

    def __init__(
        self,
        words: Sequence[str | Path],
        *,
        columns: int = 120,
        rows: int = 36,
        environment: Mapping[str, str] | None = None,
        cwd: Path | None = None,
    ) -> None:
        """Start ``words`` with the terminal as its stdin, stdout and stderr."""
        self.screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self.screen)
        self._rest = b""
        self.raw = b""
        """Every byte that the program wrote."""
        self._leader, follower = pty.openpty()
        fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.started = time.monotonic()
        self.process = subprocess.Popen(
            [str(word) for word in words],
            stdin=follower,
            stdout=follower,
            stderr=follower,
            env={**os.environ, **(environment or {})},
            cwd=cwd,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.close(follower)

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None:
            error.add_note(f"The screen was:\n{self.text}")
        if self.process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(10)
        os.close(self._leader)

    @property
    def lines(self) -> list[str]:
        """The screen's rows, blanks at their ends left out."""
        return [row.rstrip() for row in self.screen.display]

    @property
    def text(self) -> str:
        """The screen as one text."""
        return "\n".join(self.lines).rstrip()

    def read(self, seconds: float) -> bool:
        """Take in what the program writes within ``seconds``. Returns whether anything came."""
        ready, _, _ = select.select([self._leader], [], [], seconds)
        if not ready:
            return False
        try:
            data = os.read(self._leader, 65536)
        except OSError as error:
            if error.errno != errno.EIO:
                raise
            return False
        if not data:
            return False
        self.raw += data
        for question, answer in ANSWERS.items():
            for _ in range(data.count(question)):
                os.write(self._leader, answer)
        data = self._rest + data
        unfinished = _UNFINISHED.search(data)
        cut = unfinished.start() if unfinished else len(data)
        self._rest = data[cut:]
        self._stream.feed(_UNKNOWN_TO_PYTE.sub(b"", data[:cut]))
        return True

    def settle(self, quiet: float = 0.3, seconds: float = PATIENCE) -> None:
        """Read until the program has written nothing for ``quiet`` seconds, at most ``seconds``."""
        until = time.monotonic() + seconds
        while self.read(quiet) and time.monotonic() < until:
            pass

    def wait(self, wanted: str | Callable[[str], object], seconds: float = PATIENCE) -> str:
        """Read until the screen shows a text (or a condition holds of it), and to the end of that picture.

        Returns the screen; fails with it after ``seconds``.
        """
        until = time.monotonic() + seconds
        while True:
            if wanted in self.text if isinstance(wanted, str) else wanted(self.text):
                self.settle(0.05, 0.5)
                return self.text
            left = until - time.monotonic()
            if left <= 0:
                raise AssertionError(f"{wanted!r} did not appear within {seconds:.0f} s")
            if not self.read(min(left, 0.1)) and self.process.poll() is not None and not self.read(0.1):
                raise AssertionError(f"the program ended with {self.process.returncode} before {wanted!r} appeared")

    def press(self, *keys: str) -> None:
        """Type keys by name (``KEYS``), or text as it stands; a lone surrogate is the byte that it escapes."""
        for key in keys:
            os.write(self._leader, KEYS.get(key, key).encode("utf-8", "surrogateescape"))
            # Esc and what follows it would be one key.
            self.read(0.15 if key == "Esc" else 0.02)

    def end(self, seconds: float = PATIENCE) -> int:
        """Read until the program has ended. Returns its exit code."""
        until = time.monotonic() + seconds
        while self.process.poll() is None:
            self.read(0.05)
            if time.monotonic() > until:
                raise AssertionError(f"the program did not end within {seconds:.0f} s")
        while self.read(0.05):
            pass
        return self.process.returncode

    def bold_cells(self, row: int) -> str:
        """The characters of a row that are drawn bold."""
        cells = self.screen.buffer[row]
        return "".join(cells[column].data for column in range(self.screen.columns) if cells[column].bold)
