"""A short name for what began with a question."""

import re

from lens_tui.text.display import one_line

TITLE_CHARACTERS = 60
"""A title is this long at most."""

_CLAUSE = re.compile(r"(?<=\w)[,;:.?!](?:\s|\Z)|[、。？！；]")


def title_of(question: str) -> str:
    """The first clause of a question's first line, cut at a word where it is long, with ``…``."""
    line = next((part for part in map(one_line, question.splitlines()) if part.strip()), "")
    words = " ".join(line.split())
    title = _CLAUSE.split(words, maxsplit=1)[0] or words
    if len(title) <= TITLE_CHARACTERS:
        return title
    cut = title[: TITLE_CHARACTERS - 1]
    head, space, _ = cut.rpartition(" ")
    return (head.rstrip() if space and len(head) > TITLE_CHARACTERS // 2 else cut) + "…"
