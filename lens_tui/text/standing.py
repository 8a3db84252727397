"""Where an excerpt stands in its file, as the line that index and model read before it."""

import posixpath
import re
from collections.abc import Iterator, Sequence

from lens_tui.types import Chunk

NAMES_APART = ", "
"""Between the names of several definitions that share a chunk, in its heading path."""

_KIND = re.compile(
    r"\b(?:class|enum|extension|impl|interface|module|namespace|object|protocol|record|struct|trait|type|union)\Z"
)
"""What stands before the name of something that holds functions, in the languages that are cut by their syntax."""

_AND_MORE = re.compile(r" and \d+ more\Z")

LONGEST = 300
"""Characters of the beginnings of a line that are compared with a heading."""


def standing(strategy: str, path: str, heading: Sequence[str], text: str) -> str:
    """The line that tells where a text stands: ``A > B``, of code ``file › class › function``; empty under no heading.

    What ``hierarchical`` cut inherits the headings above its own as ``Context: A > B``, and its own one too where its
    text goes on without it.

    Args:
        strategy: What cut the file.
        path: The file's.
        heading: Titles from the highest down, or the names of what the text is in.
        text: The text itself.
    """
    if strategy == "hierarchical":
        heading = heading[:-1] if has_heading(heading, text) else heading
        return f"Context: {' > '.join(heading)}" if heading else ""
    if strategy == "code" and heading:
        return " › ".join((posixpath.basename(path), *heading))
    return " > ".join(heading)


def above(chunk: Chunk) -> str:
    """What a model reads before a chunk: its place, where its own text does not tell it, and its note."""
    if chunk.strategy == "code":
        told = all(_names(chunk.text, name) for name in ", ".join(chunk.heading).split(NAMES_APART))
    else:
        told = has_heading(chunk.heading, chunk.text)
    place = "" if told else standing_of(chunk)
    return "\n".join(part for part in (place, chunk.context) if part)


def defined(chunk: Chunk) -> list[str]:
    """The functions and classes that begin in a chunk of source code, or go on in it and are named there again."""
    if chunk.strategy != "code" or not chunk.heading:
        return []
    around = [name for name in chunk.heading[:-1] if any(_is_begun(chunk.text, at) for at in _places(chunk.text, name))]
    inner = _AND_MORE.sub("", chunk.heading[-1]).split(NAMES_APART)
    return around + [name for name in inner if _names(chunk.text, name)]


def standing_of(chunk: Chunk) -> str:
    """Where a chunk stands; see ``standing``."""
    return standing(chunk.strategy, chunk.path, chunk.heading, chunk.text)


def has_heading(heading: Sequence[str], text: str) -> bool:
    """Whether a line of the text is the last of these headings, whatever marks stand around its letters."""
    wanted = _letters(heading[-1]) if heading else ""
    return bool(wanted) and any(_letters(line[:LONGEST]) == wanted for line in text.splitlines())


def _names(text: str, name: str) -> bool:
    return next(_places(text, name), None) is not None


def _places(text: str, name: str) -> Iterator[int]:
    """Where a name stands as a whole word. A pattern for each name would take longer to make than all the rest."""
    at = text.find(name)
    while at >= 0:
        end = at + len(name)
        if not (_in_word(text[at - 1 : at]) or _in_word(text[end : end + 1])):
            yield at
        at = text.find(name, at + 1)


def _in_word(sign: str) -> bool:
    return sign.isalnum() or sign == "_"


def _is_begun(text: str, at: int) -> bool:
    """Whether what is named at ``at`` is said there to be a class or the like."""
    before = text[:at].rsplit(None, 1)
    return bool(before) and text[at - 1].isspace() and _KIND.search(before[-1]) is not None


def _letters(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalnum())
