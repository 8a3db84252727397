"""What was left out, many of one kind as one row: ``__pycache__/  37 folders, 2,104 files, vendored folder``."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from lens_tui.tui.layout.facts import count
from lens_tui.types import FileRow

_COUNTED = re.compile(r"(over )?([\d,]+) files?, (.+)", re.DOTALL)
"""How the scanner words a folder that it did not enter: how many files are in it, and why."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """One row of the list."""

    name: str
    """A path, or the last name of several."""
    reason: str


def gathered(rows: Iterable[FileRow]) -> list[LeftOut]:
    """One row for all of one last name and one reason, in the order of the first of each."""
    kinds: dict[tuple[str, str], list[FileRow]] = {}
    for row in rows:
        kinds.setdefault((_last(row.path), _kind(row.detail)), []).append(row)
    return [_one(name, reason, found) for (name, reason), found in kinds.items()]


def _one(name: str, reason: str, rows: list[FileRow]) -> LeftOut:
    if len(rows) == 1:
        return LeftOut(rows[0].path, rows[0].detail)
    parts = [count(len(rows), "folder" if name.endswith("/") else "file")]
    counted = [_COUNTED.fullmatch(row.detail) for row in rows]
    known = [match for match in counted if match is not None]
    if known:
        total = sum(int(match[2].replace(",", "")) for match in known)
        parts.append(("over " if any(match[1] for match in known) else "") + count(total, "file"))
    return LeftOut(name, ", ".join([*parts, reason] if reason else parts))


def _kind(detail: str) -> str:
    match = _COUNTED.fullmatch(detail)
    return match[3] if match else detail


def _last(path: str) -> str:
    return path.rstrip("/").rpartition("/")[2] + ("/" if path.endswith("/") else "")
