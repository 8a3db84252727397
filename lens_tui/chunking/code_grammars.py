"""Syntax trees of source code: one grammar a language, loaded where it is first needed.

A tree's offsets are those of the text: what is not ASCII stands in it as one byte a character. Only strings, comments
and names hold such characters, and a name of other letters is a name still.
"""

import codecs
import importlib
import re
import time
from collections.abc import Callable, Iterator
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Language, Node

SEGMENT = 1_000_000
"""Characters parsed at a time: a tree takes some 100 to 200 bytes of memory for each."""

SECONDS = 2.0
SECONDS_EACH = 2e-5
"""CPU time that a segment may take, at least and for each character. Source takes .1 to .3 µs a character, Kotlin up
to 4; what is no source at all can take minutes, as a parser that looks for the smallest mistake tries everything."""

ASKED_EACH = 32
"""Times that the parser asks whether to stop, some 10 µs apart, for one look at the clock, which is a system call."""

_GRAMMARS = {
    "bash": ("tree_sitter_bash", "language"),
    "c": ("tree_sitter_c", "language"),
    "cpp": ("tree_sitter_cpp", "language"),
    "csharp": ("tree_sitter_c_sharp", "language"),
    "go": ("tree_sitter_go", "language"),
    "java": ("tree_sitter_java", "language"),
    "javascript": ("tree_sitter_javascript", "language"),
    "kotlin": ("tree_sitter_kotlin", "language"),
    "php": ("tree_sitter_php", "language_php"),
    "python": ("tree_sitter_python", "language"),
    "ruby": ("tree_sitter_ruby", "language"),
    "rust": ("tree_sitter_rust", "language"),
    "scala": ("tree_sitter_scala", "language"),
    "swift": ("tree_sitter_swift", "language"),
    "tsx": ("tree_sitter_typescript", "language_tsx"),
    "typescript": ("tree_sitter_typescript", "language_typescript"),
}
"""Language → its package and the function there."""

KNOWN = tuple(_GRAMMARS)
"""Languages whose source can be parsed, by the names of ``text/languages.py``."""

ONE_BYTE = "lens_tui.one_byte_each"
"""How a source becomes bytes, by the name that Python's encoder knows it by: five times as fast as a pattern."""

_BORDER = re.compile(r"\n\n(?=\S)")


class GrammarError(Exception):
    """A language cannot be parsed, or a text not in time; its message is a sentence for people, without a full stop."""


def trees(text: str, language: str, clock: Callable[[], float] = time.thread_time) -> Iterator[tuple[int, "Node"]]:
    """Parse a source: the root of each segment's tree, and where in the text that segment begins.

    Every text has a tree, in which what is wrong is marked as such.

    Raises:
        GrammarError: The grammar cannot be loaded, or the parser takes far longer than any source does.
    """
    from tree_sitter import Parser

    parser = Parser(_grammar(language))
    for start, stop in _segments(text):
        source = _Source(_one_byte_each(text[start:stop]), clock)
        try:
            tree = parser.parse(source.read, progress_callback=source.is_late)
        except ValueError:
            raise GrammarError(f"It is hardly {language}: parsing took too long") from None
        yield start, tree.root_node


class _Source:
    """What a parser reads, and how long it may take."""

    def __init__(self, data: bytes, clock: Callable[[], float]) -> None:
        self._data = data
        self._clock = clock
        self._end = clock() + SECONDS + SECONDS_EACH * len(data)
        self._asked = 0

    def read(self, at: int, _point: object) -> bytes:
        return self._data[at : at + 65_536]

    def is_late(self, _at: int, _has_error: bool) -> bool:
        """Whether to stop. Being called also lets other threads run, as the parser holds Python's lock."""
        self._asked += 1
        return self._asked % ASKED_EACH == 0 and self._clock() > self._end


@cache
def _grammar(language: str) -> "Language":
    from tree_sitter import Language

    package, function = _GRAMMARS[language]
    try:
        return Language(getattr(importlib.import_module(package), function)())
    except (ImportError, AttributeError, ValueError, OSError) as error:
        raise GrammarError(f"The grammar of {language} cannot be loaded ({error})") from error


def _one_byte_each(text: str) -> bytes:
    return text.encode("ascii", ONE_BYTE)


def _stand_in(error: UnicodeError) -> tuple[str, int]:
    """What is read in the place of a run of characters that are not ASCII."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(" " if char.isspace() else "x" for char in error.object[error.start : error.end]), error.end


codecs.register_error(ONE_BYTE, _stand_in)


def _segments(text: str) -> Iterator[tuple[int, int]]:
    """Cut a very long source: before a line that begins at the margin after a blank one, else at a line, else anywhere.

    What is open there is wrong in both segments, and is cut all the same.
    """
    start = 0
    while len(text) - start > SEGMENT:
        low, high = start + SEGMENT // 2, start + SEGMENT
        stop = max((border.end() for border in _BORDER.finditer(text, low, high)), default=0)
        stop = stop or text.rfind("\n", low, high) + 1 or high
        yield start, stop
        start = stop
    yield start, len(text)
