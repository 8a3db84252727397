"""The hint row: which keys each part of the screen names, in which words, and what goes first where it is narrow."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from lens_tui.tui.cells import width_of
from lens_tui.tui.keymap import keys_of, shown


class Hint(NamedTuple):
    """One entry of the hint row."""

    keys: str
    """As printed, such as ``n p``."""
    word: str
    id: str
    """Of the first key in it: a click on the hint does that."""


_FILE = (
    ("file.find", "find", 2),
    ("file.line", "line", 3),
    ("file.chunks", "chunks", 4),
    ("file.strategy", "strategy", 5),
    ("file.recut", "take over", 7),
    ("open.editor", "editor", 6),
    ("app.back", "back", 0),
)

HINTS: Mapping[str, tuple[tuple[str, str, int], ...]] = {
    "question": (
        ("ask.send", "ask", 0),
        ("search.open", "search", 3),
        ("focus.next", "answer", 2),
        ("app.commands", "commands", 1),
        ("app.keys", "keys", 1),
    ),
    "answer": (
        ("cite.next cite.previous", "citation", 0),
        ("open.file", "open", 1),
        ("open.editor", "editor", 5),
        ("copy", "copy", 3),
        ("explain", "sent", 3),
        ("ask.again", "ask again", 4),
        ("focus.ask", "ask", 1),
        ("app.keys", "keys", 2),
    ),
    "sources": (
        ("cite.next cite.previous", "citation", 0),
        ("open.file", "open", 1),
        ("open.editor", "editor", 4),
        ("copy", "copy", 3),
        ("focus.ask", "ask", 1),
        ("app.keys", "keys", 2),
    ),
    "files": (
        ("open.file", "open", 1),
        ("files.filter", "filter", 2),
        ("panel.status", "status", 4),
        ("app.back", "back", 0),
        ("app.keys", "keys", 3),
    ),
    "file": _FILE,
    "cited": (("cite.next cite.previous", "citation", 1), *_FILE),
    "tried": (
        ("file.strategy", "next strategy", 1),
        ("file.recut", "take over", 1),
        ("file.chunks", "chunks", 2),
        ("file.find", "find", 3),
        ("file.line", "line", 4),
        ("open.editor", "editor", 5),
        ("app.back", "back", 0),
    ),
    "hit": (
        ("cite.next cite.previous", "hit", 1),
        ("file.find", "find", 2),
        ("file.line", "line", 3),
        ("file.chunks", "chunks", 4),
        ("file.strategy", "strategy", 5),
        ("open.editor", "editor", 6),
        ("app.back", "back", 0),
    ),
    "search": (
        ("move:2", "choose", 1),
        ("open.file", "open", 1),
        ("search.ranking", "ranking", 3),
        ("focus.next", "to the list", 2),
        ("app.back", "back", 0),
    ),
    "hits": (
        ("open.file", "open", 1),
        ("explain", "why", 2),
        ("open.related", "related", 3),
        ("open.editor", "editor", 5),
        ("copy", "copy", 4),
        ("search.open", "search", 2),
        ("search.ranking", "ranking", 4),
        ("search.sections", "sections", 5),
        ("app.back", "back", 0),
    ),
    "related": (
        ("open.file", "open", 1),
        ("explain", "why", 2),
        ("open.related", "related", 3),
        ("open.editor", "editor", 4),
        ("copy", "copy", 4),
        ("search.open", "search", 3),
        ("app.back", "back", 0),
    ),
    "finding": (("cite.next cite.previous", "match", 1), ("file.find", "find", 2), ("app.back", "clear", 0)),
    "filtering": (("list.choose", "to the files", 1), ("app.back", "clear", 0)),
    "field": (("list.choose", "find", 1), ("app.back", "back", 0)),
    "status": (
        ("index.pause", "pause", 2),
        ("index.stop", "stop", 3),
        ("index.again", "read again", 1),
        ("index.copy", "copy the list", 4),
        ("app.back", "back", 0),
    ),
    "paused": (
        ("index.pause", "go on", 2),
        ("index.again", "read again", 1),
        ("index.copy", "copy the list", 4),
        ("app.back", "back", 0),
    ),
    "talk field": (
        ("move:2", "choose", 2),
        ("list.choose", "read on", 1),
        ("focus.next", "to the list", 3),
        ("app.back", "back", 0),
    ),
    "talks": (
        ("list.choose", "read on", 1),
        ("talk.rename", "rename", 3),
        ("talk.delete", "delete", 4),
        ("talk.write", "write", 2),
        ("talk.new", "new", 2),
        ("app.back", "back", 0),
    ),
    "deleted": (
        ("list.choose", "read on", 2),
        ("talk.undo", "bring back", 1),
        ("talk.delete", "delete", 3),
        ("talk.write", "write", 4),
        ("app.back", "back", 0),
    ),
    "no talk": (("talk.new", "new", 1), ("app.back", "back", 0)),
    "all deleted": (("talk.undo", "bring back", 1), ("talk.new", "new", 2), ("app.back", "back", 0)),
    "naming": (("list.choose", "done", 1), ("app.back", "back", 0)),
    "models": (("move:2", "choose", 2), ("list.choose", "use", 1), ("app.back", "back", 0)),
    "pulling": (
        ("move:2", "choose", 3),
        ("list.choose", "use", 1),
        ("pull.stop", "stop the download", 2),
        ("app.back", "back", 0),
    ),
    "sent": (("move:2", "scroll", 2), ("copy", "copy both", 1), ("app.back", "back", 0)),
    "keys": (("list.choose", "do it", 1), ("app.back", "back", 0)),
    "commands": (("move:2", "choose", 2), ("list.choose", "do it", 1), ("app.back", "back", 0)),
}
"""Part of the screen → its hint row: ids (``move:2`` is its first two keys), word, and rank (the highest goes first
where the row is too narrow). ``finding`` and ``field`` are the file page while matches are walked and while its field
is open, ``cited`` is one that a citation led to, ``hit`` one that a search did, ``tried`` one that is cut otherwise to
see how, ``related`` the page of passages like one, ``filtering`` the files page
while letters go into its filter, ``paused`` Status while indexing rests; ``talk field``, ``naming`` and ``deleted``
are the conversations while one searches, while a name is asked for and while something can be brought back,
``no talk`` and ``all deleted`` are they while the cursor stands on none of them,
``pulling`` the models while one is fetched."""


def hints_for(where: str, width: int, overrides: Mapping[str, str] | None = None) -> tuple[Hint, ...]:
    """Entries of the hint row that fit ``width`` cells, whole, in reading order.

    Args:
        where: A key of ``HINTS``.
        width: Cells of the whole row; a blank stands before the first entry and three between two.
        overrides: What passed ``usable``.
    """
    ranked = [(rank, _hint(ids, word, where, overrides)) for ids, word, rank in HINTS.get(where, ())]
    while ranked and hint_width([hint for _, hint in ranked]) > width:
        worst = max(range(len(ranked)), key=lambda place: (ranked[place][0], place))
        del ranked[worst]
    return tuple(hint for _, hint in ranked)


def _hint(ids: str, word: str, where: str, overrides: Mapping[str, str] | None) -> Hint:
    names: list[str] = []
    first = ""
    for part in ids.split():
        identity, _, many = part.partition(":")
        first = first or identity
        keys = keys_of(identity, overrides)
        # In the question box letters are typed, so its hints name keys that work there.
        empty = ("app.commands", "app.keys", "search.open")
        typed = where == "search" or (where == "question" and identity not in empty)
        if many:
            names.extend(shown(key) for key in keys[: int(many)])
        else:
            names.append(shown(_best(keys, typed=typed)))
    return Hint(" ".join(names), word, first)


def _best(keys: Sequence[str], *, typed: bool) -> str:
    """The shortest to read; one that types nothing where ``typed``."""
    fit = [key for key in keys if len(shown(key)) > 1 or not typed] or list(keys)
    return min(fit, key=lambda key: len(shown(key)))


def hint_width(hints: Sequence[Hint]) -> int:
    """Cells of a hint row with these entries."""
    return 1 + sum(width_of(f"{hint.keys} {hint.word}") for hint in hints) + 3 * max(0, len(hints) - 1)
