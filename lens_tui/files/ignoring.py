"""What ignore files say: ``.gitignore``, ``.ignore`` and ``.lensignore``, each folder's over its parents'."""

import re
import stat
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

IGNORE_FILES = (".gitignore", ".ignore", ".lensignore")
"""In rising precedence within one folder."""

OWN_FILE = ".lensignore"
"""The one whose ``!name`` also brings back hidden and vendored names."""

EXCLUDE_SETTING = "files.exclude"

LONGEST_IGNORE_FILE = 1_000_000
"""Bytes; a longer one is not read."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the last matching pattern says of one path."""

    ignored: bool
    source: str
    """The ignore file, relative to the indexed folder, or ``files.exclude``."""

    @property
    def is_own(self) -> bool:
        """Whether a person said so for lens-tui alone: it then stands over the rules on hidden and vendored names."""
        return self.source.rpartition("/")[2] in (OWN_FILE, EXCLUDE_SETTING)


@dataclass(frozen=True, slots=True)
class _Pattern:
    matches: "re.Pattern[str]"
    ignores: bool
    source: str


class Rules:
    """The patterns of one folder, later ones over earlier ones, in .gitignore's form."""

    def __init__(self, prefix: str, sources: Sequence[tuple[str, str]]) -> None:
        """Read patterns.

        Args:
            prefix: The folder that they hold for: empty or ending in ``/``, relative to the indexed folder.
            sources: Name and text of each ignore file, in rising precedence.
        """
        self.prefix = prefix
        self.broken: list[tuple[str, int, str]] = []
        """Source, line and text of what is no pattern."""
        self._patterns: list[_Pattern] = []
        for source, text in sources:
            for number, line in enumerate(re.split(r"\r?\n", text.removeprefix("\ufeff")), 1):
                self._add(source, number, line)
        self._any = _any_of(self._patterns)

    def __bool__(self) -> bool:
        """Whether there is any pattern."""
        return bool(self._patterns)

    def verdict(self, path: str) -> Verdict | None:
        """What is said of a path relative to the indexed folder; a folder's ends in ``/``. None: nothing."""
        local = path[len(self.prefix) :]
        if self._any is not None and not self._any.match(local):
            return None
        for pattern in reversed(self._patterns):
            if pattern.matches.match(local):
                return Verdict(pattern.ignores, pattern.source)
        return None

    def _add(self, source: str, number: int, line: str) -> None:
        from pathspec.patterns.gitignore import GitIgnorePatternError
        from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

        try:
            parsed = GitIgnoreSpecPattern(line)
        except (GitIgnorePatternError, re.error):
            self.broken.append((source, number, line))
            return
        if parsed.include is not None and parsed.regex is not None:
            self._patterns.append(_Pattern(parsed.regex, parsed.include, source))


def read_rules(folder: Path, prefix: str, names: Sequence[str]) -> tuple[Rules, list[str]]:
    """Read the ignore files ``names`` of one folder. Returns its rules and the names that could not be read."""
    sources: list[tuple[str, str]] = []
    unread: list[str] = []
    for name in IGNORE_FILES:
        if name not in names:
            continue
        try:
            seen = (folder / name).lstat()
            if not stat.S_ISREG(seen.st_mode) or seen.st_size > LONGEST_IGNORE_FILE:
                unread.append(prefix + name)
                continue
            sources.append((prefix + name, (folder / name).read_bytes().decode("utf-8", "replace")))
        except FileNotFoundError:
            continue
        except OSError:
            unread.append(prefix + name)
    return Rules(prefix, sources), unread


def judge(path: str, rules: Sequence[Rules]) -> Verdict | None:
    """What the innermost of ``rules`` that knows ``path`` says; ``rules`` run from the outermost to the innermost."""
    for held in reversed(rules):
        verdict = held.verdict(path)
        if verdict is not None:
            return verdict
    return None


def _any_of(patterns: Sequence[_Pattern]) -> "re.Pattern[str] | None":
    """One expression that matches where any pattern does: most paths match none, and are settled by one call."""
    if not patterns:
        return None
    joined = "|".join(re.sub(r"\(\?P<\w+>", "(?:", pattern.matches.pattern) for pattern in patterns)
    try:
        return re.compile(joined)
    except (re.error, OverflowError):
        return None
