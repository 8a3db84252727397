"""The one line of stderr that shows running work: rewritten on a terminal, now and then a new one elsewhere."""

import contextlib
import shutil
import sys
import time
from collections.abc import Callable
from typing import TextIO

from lens_tui.cli.output import is_terminal
from lens_tui.requests import IndexProgress
from lens_tui.text.display import one_line

QUIET_SECONDS = 0.5
"""Work that ends sooner says nothing."""
REWRITE_SECONDS = 0.1
"""Fastest that a terminal's line changes."""
SPARSE_SECONDS = 10.0
"""Between two lines where they cannot be rewritten, such as in a log."""


class ProgressLine:
    """Shows the newest sentence of what is going on. Use it as a context manager: leaving wipes the line."""

    def __init__(self, stream: TextIO | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin to count the quiet time. ``stream`` is stderr where it is not given."""
        self._stream = sys.stderr if stream is None else stream
        self._clock = clock
        self._rewrites = is_terminal(self._stream)
        self._next = clock() + QUIET_SECONDS
        self._drawn = False

    def __enter__(self) -> "ProgressLine":
        """Show nothing yet."""
        return self

    def __exit__(self, *_: object) -> None:
        """Leave no half a line behind."""
        self.wipe()

    def show(self, text: str) -> None:
        """Show ``text`` if its time has come; a later call replaces it."""
        now = self._clock()
        if now < self._next:
            return
        self._next = now + (REWRITE_SECONDS if self._rewrites else SPARSE_SECONDS)
        if self._rewrites:
            width = shutil.get_terminal_size().columns - 1
            self._put("\r" + _fitted(one_line(text), width) + "\x1b[K")
            self._drawn = True
        else:
            self._put(one_line(text) + "\n")

    def show_index(self, progress: IndexProgress) -> None:
        """Show how far the index is."""
        if progress.current == "vectors":
            self.show(f"vectors {progress.done:,} of {progress.total:,}")
        elif not progress.total:
            self.show("looking for files that have changed")
        else:
            of = f"{progress.done:,} of {progress.total:,} files, {progress.chunks:,} chunks"
            self.show(f"indexing {of}" + (f": {progress.current}" if progress.current else ""))

    def wipe(self) -> None:
        """Take the line away, so that something else can be written."""
        if self._drawn:
            self._put("\r\x1b[K")
            self._drawn = False

    def _put(self, text: str) -> None:
        if self._stream is not None:
            # Progress is a courtesy: work goes on when nobody can see it.
            with contextlib.suppress(OSError, ValueError):
                self._stream.write(text)
                self._stream.flush()


def _fitted(text: str, width: int) -> str:
    """Cut to ``width`` columns, wide characters counted as two, with ``…`` for what is missing."""
    import unicodedata

    used, fits = 0, 0
    for char in text:
        used += 0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1
        if used > width:
            return text[:fits] + "…"
        fits += used < width
    return text
