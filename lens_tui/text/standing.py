"""Where an excerpt stands in its file, as the line that index and model read before it."""

import posixpath
import re
from collections.abc import Sequence

from lens_tui.types import Chunk

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
        names = ", ".join(chunk.heading).split(", ")
        told = all(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", chunk.text) for name in names)
    else:
        told = has_heading(chunk.heading, chunk.text)
    place = "" if told else standing_of(chunk)
    return "\n".join(part for part in (place, chunk.context) if part)


def standing_of(chunk: Chunk) -> str:
    """Where a chunk stands; see ``standing``."""
    return standing(chunk.strategy, chunk.path, chunk.heading, chunk.text)


def has_heading(heading: Sequence[str], text: str) -> bool:
    """Whether a line of the text is the last of these headings, whatever marks stand around its letters."""
    wanted = _letters(heading[-1]) if heading else ""
    return bool(wanted) and any(_letters(line[:LONGEST]) == wanted for line in text.splitlines())


def _letters(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalnum())
