"""Which chunks a search may find at all: by their files' paths, types and tags, and by words that they must hold.

Files are few and their chunks' ids stand together, so a filter becomes some ranges of ids; the full-text index takes
these and the words before it ranks. What it cannot know, such as a phrase, is looked for in the text of what it names.
"""

import json
import re
import threading
import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from lens_tui.index.store import Row, Store, loaded
from lens_tui.text.listing import listed
from lens_tui.text.phrases import holds
from lens_tui.types import Filter, Query

MOST_NAMED = 12
"""Types, or tags, that are named where none is as asked."""


class Ranges:
    """A set of chunk ids, kept as ranges that neither touch nor overlap."""

    def __init__(self, spans: Sequence[tuple[int, int]]) -> None:
        """Take first and last id of each range, both inclusive, in any order."""
        joined: list[tuple[int, int]] = []
        for first, last in sorted(spans):
            if joined and first <= joined[-1][1] + 1:
                joined[-1] = (joined[-1][0], max(last, joined[-1][1]))
            else:
                joined.append((first, last))
        self.spans = tuple(joined)
        self._firsts = [first for first, _ in joined]

    def __contains__(self, id_: int) -> bool:
        at = bisect_right(self._firsts, id_) - 1
        return at >= 0 and id_ <= self.spans[at][1]

    def __len__(self) -> int:
        return sum(last - first + 1 for first, last in self.spans)

    def __iter__(self) -> Iterator[int]:
        for first, last in self.spans:
            yield from range(first, last + 1)


@dataclass(frozen=True, slots=True)
class Within:
    """What a chunk must be, hold and not hold to be found, as far as the full-text index knows it."""

    ids: Ranges | None = None
    """None: any."""
    required: tuple[str, ...] = ()
    """Terms that its text has, all of them."""
    excluded: tuple[str, ...] = ()
    """Terms that it has nowhere: not in its text, path, title or headings."""

    def takes(self, id_: int, terms: Sequence[Sequence[str]]) -> bool:
        """Whether a chunk passes, given its terms in each field, the text's first."""
        if self.ids is not None and id_ not in self.ids:
            return False
        return all(term in terms[0] for term in self.required) and not any(
            term in field for field in terms for term in self.excluded
        )


@dataclass(frozen=True, slots=True)
class File:
    """What filters ask of a file."""

    path: str
    kind: str
    tags: tuple[str, ...]
    first: int
    """Ids of its first and last chunk; those between are its own too."""
    last: int
    plain: str
    """The path for comparing: width, case and composition do not matter in names."""


class Catalogue:
    """Every indexed file that has a chunk, in the order of their paths; read anew once the store has changed."""

    def __init__(self, store: Store) -> None:
        """Read nothing yet."""
        self._store = store
        self._lock = threading.Lock()
        self._generation = -1
        self._files: tuple[File, ...] = ()
        self._last: tuple[tuple[int, tuple[Filter, ...]], tuple[tuple[File, ...], Ranges, str]] | None = None

    def files(self) -> tuple[File, ...]:
        """All of them. Raises StoreError."""
        with self._lock:
            generation = self._store.generation
            if generation != self._generation:
                sql = (
                    "SELECT f.path, f.kind, f.tags, c.first, c.last FROM files f JOIN"
                    " (SELECT file, min(id) AS first, max(id) AS last FROM chunks GROUP BY file) c ON c.file = f.id"
                )
                with self._store.database.read() as db:
                    rows = db.execute(sql).fetchall()
                found = (
                    File(loaded(path), kind, tuple(json.loads(tags)), first, last, _plain(loaded(path)))
                    for path, kind, tags, first, last in rows
                )
                self._files, self._generation = tuple(sorted(found, key=lambda file: file.path)), generation
            return self._files

    def matching(self, filters: tuple[Filter, ...]) -> tuple[tuple[File, ...], Ranges, str]:
        """The files that pass, by path, the ids of their chunks, and where none does a sentence on why.

        Of several paths or types one is enough; of tags every one must be there. An excluded one never matches.
        """
        files = self.files()
        with self._lock:
            last = self._last
        if last is not None and last[0] == (self._generation, filters):
            return last[1]
        tests = [(one, _test(one)) for one in filters]
        passing = tuple(file for file in files if _passes(file, tests))
        found = passing, Ranges([(file.first, file.last) for file in passing]), ""
        if files and not passing:
            alone = [one for one, test in tests if not one.excluded and not any(test(file) for file in files)]
            why = f"{' and '.join(map(written, filters))} together" if not alone else written(alone[0])
            found = (), Ranges(()), f"No file matches {why}.{_there_are(alone[0].kind, files) if alone else ''}"
        with self._lock:
            # One who types asks with the same filters again and again.
            self._last = (self._generation, filters), found
        return found


def _there_are(kind: str, files: Sequence[File]) -> str:
    """The types, or tags, that there are, the commonest first; nothing of paths. A sentence after another one."""
    if kind == "type":
        # The endings of files' names; the kind of those without one.
        named = Counter(PurePosixPath(file.plain).suffix.lstrip(".") or file.kind for file in files)
    elif kind == "tag":
        named = Counter(tag for file in files for tag in file.tags)
        if not named:
            return " No file here has a tag."
    else:
        return ""
    return f" {kind.capitalize()}s here: {listed([name for name, _ in named.most_common()], MOST_NAMED)}."


def written(one: Filter) -> str:
    """A filter as a person types it."""
    value = f'"{one.value}"' if re.search(r"\s", one.value) else one.value
    return f"{'-' if one.excluded else ''}{one.kind}:{value}"


def passes(query: Query, row: Row) -> bool:
    """Whether a chunk holds every phrase of the query and nothing that it excludes.

    A phrase is looked for in the text; an excluded word in everything that is searched: text, path, title, headings
    and context.
    """
    chunk = row.chunk
    if not all(holds(chunk.text, phrase) for phrase in query.phrases):
        return False
    if not query.excluded:
        return True
    texts = (chunk.text, chunk.path, row.title, *chunk.heading, chunk.context or "")
    return not any(holds(text, word) for word in query.excluded for text in texts if text)


def _passes(file: File, filters: Sequence[tuple[Filter, Callable[[File], bool]]]) -> bool:
    """Of several paths or types one is enough; of tags every one must be there; an excluded one never."""
    for kind in ("path", "type"):
        either = [test for one, test in filters if one.kind == kind and not one.excluded]
        if either and not any(test(file) for test in either):
            return False
    return all(test(file) != one.excluded for one, test in filters if one.excluded or one.kind == "tag")


def _test(one: Filter) -> Callable[[File], bool]:
    value = _plain(one.value)
    if one.kind == "path":
        # A prefix in which * stands for any characters, / among them.
        pattern = re.compile(".*".join(re.escape(part) for part in value.removeprefix("./").lstrip("/").split("*")))
        return lambda file: pattern.match(file.plain) is not None
    if one.kind == "type":
        kinds = {kind.strip().lstrip(".") for kind in value.split(",")} - {""}
        return lambda file: _plain(file.kind) in kinds or any(file.plain.endswith(f".{kind}") for kind in kinds)
    value = value.removeprefix("#")
    under = (f"{value}:", f"{value}/")
    return lambda file: any(tag == value or tag.startswith(under) for tag in map(_plain, file.tags))


def _plain(text: str) -> str:
    """Width, case and composition do not matter in names."""
    return text.lower() if text.isascii() else unicodedata.normalize("NFKC", text).casefold()
