"""Rows of a table and members of JSON in excerpts: each can be quoted alone, under what stands above it."""

from collections.abc import Iterator
from itertools import islice

from lens_tui.text import members, tables
from lens_tui.text.members import Member, members_of
from lens_tui.text.sentences import sentences
from lens_tui.text.tables import names_of, rows_of
from lens_tui.types import Excerpt, Span


def records_of(excerpt: Excerpt) -> list[Member]:
    """The rows or members in an excerpt, in order; none where its file has none.

    A table's first row is no record where it names the columns, which stand above all others.
    """
    path = excerpt.path.lower()
    if path.endswith(members.ENDINGS):
        return members_of(excerpt.text)
    if path.endswith(tables.ENDINGS):
        return list(_rows(excerpt))
    return []


def _rows(excerpt: Excerpt) -> Iterator[Member]:
    rows = list(rows_of(excerpt.text))
    names = names_of(excerpt.text, rows) if excerpt.start == 0 else ""
    for start, end in islice(rows, 1 if names else 0, None):
        yield Member(start, end, names or excerpt.above)


def spans_of(excerpt: Excerpt) -> list[Span]:
    """What can be quoted of an excerpt, at most: its records, else its sentences."""
    return [(record.start, record.end) for record in records_of(excerpt)] or list(sentences(excerpt.text))
