"""What became of the passages that answers rest on: whether their files changed, and where the text stands now."""

import re
from collections.abc import Mapping, Sequence

from lens_tui.errors import FileUnreadable
from lens_tui.history import Fate, Passage
from lens_tui.lens import Lens
from lens_tui.types import FileRecord, Query

ENOUGH = 16
"""Characters of a passage that are looked for in other files: a shorter one stands in many by chance."""

MOST_FILES = 3
"""Other files that are read for a passage: the best that a search by its words finds."""

LONGEST_QUERY = 400
"""Characters of a passage that it is searched by."""


def trace(lens: Lens, passages: Sequence[Passage]) -> tuple[Fate, ...]:
    """One fate for each passage, in order."""
    tracer = _Tracer(lens, lens.backend.indexed())
    return tuple(tracer.fate(passage) for passage in passages)


def find(text: str, words: str, near: int) -> tuple[int, int] | None:
    """Where ``words`` stand in ``text``, at the place nearest to ``near``: word for word, else wrapped otherwise."""
    found = [(match.start(), match.end()) for match in re.finditer(re.escape(words), text)]
    if not found:
        pattern = r"\s+".join(map(re.escape, words.split()))
        found = [(match.start(), match.end()) for match in re.finditer(pattern, text)] if pattern else []
    return min(found, key=lambda span: abs(span[0] - near)) if found else None


class _Tracer:
    """One request's passages: each file is read once."""

    def __init__(self, lens: Lens, files: Mapping[str, FileRecord]) -> None:
        self._lens = lens
        self._files = files
        self._texts: dict[str, str | None] = {}

    def fate(self, passage: Passage) -> Fate:
        record = self._files.get(passage.path)
        if record is not None and record.checksum == passage.checksum:
            return Fate()
        text = self._text(passage.path)
        gone = text is None
        at = record.mtime_ns / 1e9 if record is not None else None
        span = find(text, passage.text, passage.start) if text is not None else None
        if text is not None and span is not None:
            return Fate("changed", passage.path, *span, line=_line(text, span[0]), at=at)
        for path in self._elsewhere(passage):
            other = self._text(path)
            span = find(other, passage.text, passage.start) if other is not None else None
            if other is not None and span is not None:
                return Fate("moved", path, *span, line=_line(other, span[0]), file_gone=gone, at=at)
        return Fate("gone", passage.path, file_gone=gone, at=at)

    def _elsewhere(self, passage: Passage) -> list[str]:
        """Files that may hold the passage now: the same file under another name, then those that share its words."""
        if len(passage.text) < ENOUGH:
            return []
        paths = [path for path, record in self._files.items() if record.checksum == passage.checksum]
        if not paths:
            found = self._lens.backend.search(Query(passage.text[:LONGEST_QUERY], "lexical"), 10)
            paths = [hit.path for hit in found.hits]
        return [path for path in dict.fromkeys(paths) if path != passage.path][:MOST_FILES]

    def _text(self, path: str) -> str | None:
        """A file's text as it is now; None where it is gone, left out or cannot be read."""
        if path not in self._texts:
            try:
                self._texts[path] = self._lens.read(path).text
            except FileUnreadable:
                self._texts[path] = None
        return self._texts[path]


def _line(text: str, offset: int) -> int:
    return text.count("\n", 0, offset) + 1
