"""Where an excerpt stands in its file, as the line that index and model read before it."""

import posixpath
import re
from collections.abc import Sequence

from lens_tui.types import Chunk

NAMES_APART = ", "
"""Between the names of several definitions that share a chunk, in its heading path."""

_KINDS = "(?:class|enum|extension|impl|interface|module|namespace|object|protocol|record|struct|trait|type|union)"
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
    around = [name for name in chunk.heading[:-1] if re.search(rf"\b{_KINDS}\s+{re.escape(name)}(?!\w)", chunk.text)]
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
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


def _letters(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalnum())
