"""The two streams: stdout is data, stderr everything else; neither ever steers the terminal with a file's text."""

import contextlib
import io
import os
import re
import sys
from typing import BinaryIO, TextIO

from lens_tui.errors import LensError
from lens_tui.text.display import printable

_STEERING = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb]")
"""Characters that JSON allows as they are and a terminal may obey; the rest of them JSON escapes by itself."""


class OutputClosed(Exception):
    """Nobody reads stdout any more."""


def write(text: str) -> None:
    """Put data on stdout at once, as it is. Raises OutputClosed, or LensError where it cannot be written."""
    stream = sys.stdout
    if stream is None:
        return
    try:
        stream.write(text)
        stream.flush()
    except BrokenPipeError as error:
        raise OutputClosed from error
    except OSError as error:
        raise LensError(
            f"The output cannot be written: {error.strerror}.", hint="Make room, or send it elsewhere, and try again."
        ) from error


def write_line(text: str) -> None:
    """Put a line that may hold a file's words on stdout, made printable."""
    write(printable(text) + "\n")


def write_json(value: object) -> None:
    """Put one noun on stdout as a line of JSON that is safe to look at in a terminal."""
    from lens_tui.wire import to_json

    write(_STEERING.sub(lambda match: f"\\u{ord(match[0]):04x}", to_json(value)) + "\n")


def say(text: str) -> None:
    """Put a sentence on stderr, made printable."""
    if sys.stderr is not None:
        with contextlib.suppress(OSError):
            sys.stderr.write(printable(text) + "\n")
            sys.stderr.flush()


def is_terminal(stream: TextIO | None) -> bool:
    """Whether a person sees the stream and it may be decorated: a terminal, not a dumb one."""
    return stream is not None and stream.isatty() and os.environ.get("TERM", "") not in ("", "dumb")


def bold(text: str) -> str:
    """Make a match stand out on a terminal that may be decorated; the text itself elsewhere."""
    if is_terminal(sys.stdout) and not os.environ.get("NO_COLOR"):
        return f"\x1b[1m{text}\x1b[22m"
    return text


def dim(text: str) -> str:
    """Let something stand back on a terminal that may be decorated; the text itself elsewhere."""
    if is_terminal(sys.stdout) and not os.environ.get("NO_COLOR"):
        return f"\x1b[2m{text}\x1b[22m"
    return text


def read_stdin(what: str) -> str:
    """Read all of stdin as the ``what`` (question, query) that ``-`` stands for; one last line end is dropped."""
    text = stdin_stream(what).read().decode("utf-8-sig", "replace").replace("\r\n", "\n")
    return text.removesuffix("\n")


def stdin_stream(what: str) -> BinaryIO:
    """Stdin's bytes; a person who sits before it is told what is awaited."""
    stream = sys.stdin
    if stream is None:
        raise LensError(f"There is no standard input to read the {what} from.", hint=f"Give the {what} as a word.")
    if stream.isatty():
        say(f"Write the {what}; Ctrl+D on a line of its own ends it.")
    return stream.buffer if hasattr(stream, "buffer") else io.BytesIO(stream.read().encode())


def tolerate_any_character() -> None:
    """Let both streams replace what their encoding lacks, instead of failing at it."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def finish() -> None:
    """Flush stdout while failing can still be told. Raises OutputClosed or LensError."""
    write("")


def abandon() -> None:
    """Send what is still buffered nowhere, so that the interpreter's last flush is quiet."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
