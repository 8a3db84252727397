"""The signs that the screen draws with, in Unicode and in ASCII: drawn, never part of copied text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from lens_tui.types import FileState, Verdict


@dataclass(frozen=True, slots=True)
class Signs:
    """One set of signs. Each is one cell wide in a terminal that the set is meant for, an empty one is none."""

    waiting: str = "·"
    reading: str = "◐"
    changed: str = "~"
    left_out: str = "-"
    failed: str = "!"
    warned: str = "~"
    """Before a file that was read, with a warning."""
    weak: str = "?"
    differs: str = "≠"
    cross: str = "✗"
    """After an invented citation's number, and before what failed in the chat."""
    stale: str = "~"
    """The source changed since the answer; may follow another sign."""
    none: str = "–"
    ask: str = "›"
    folded: str = "▸"
    unfolded: str = "▾"
    check: str = "✓"
    """In the line of verdicts; a supported citation itself carries no sign."""
    ellipsis: str = "…"
    dash: str = "–"
    """Between two numbers of a range."""
    dot: str = "·"
    """Between two facts in a row."""
    thick: str = "▌"
    """Bar before the carrying sentence's lines."""
    thin: str = "▏"
    """Bar before an excerpt's lines."""
    column: str = "│"
    rule: str = "─"
    done: str = "━"
    down: str = "↓"
    up: str = "↑"

    def of_state(self, state: FileState) -> str:
        """Sign before a file's name; empty for an indexed one."""
        return {
            "indexed": "",
            "waiting": self.waiting,
            "reading": self.reading,
            "changed": self.changed,
            "left_out": self.left_out,
            "failed": self.failed,
        }[state]

    def of_verdict(self, verdict: Verdict | None) -> str:
        """Sign after a citation's number; empty for a supported one and for one not judged yet."""
        if verdict is None or verdict == "supported":
            return ""
        return {"weak": self.weak, "contradicted": self.differs, "invented": self.cross}[verdict]

    def said(self, text: str) -> str:
        """Our own words with the signs of this set: its dots, dashes and ellipses for the Unicode ones."""
        if self.dot == UNICODE.dot and self.ellipsis == UNICODE.ellipsis:
            return text
        return text.replace("·", self.dot).replace("–", self.dash).replace("…", self.ellipsis).replace("↓", self.down)


UNICODE = Signs()

ASCII = Signs(
    waiting=".",
    reading="*",
    differs="!",
    none="-",
    ask=">",
    folded=">",
    unfolded="v",
    check="+",
    ellipsis="...",
    dash="-",
    dot="-",
    thick=">",
    thin="|",
    column="|",
    rule="-",
    done="=",
    down="v",
    up="^",
    cross="x",
)
"""For terminals that draw ambiguous signs two cells wide, the Linux console and locales other than UTF-8."""


def signs_for(
    choice: Literal["unicode", "ascii", "auto"] | str, *, wide: bool = False, utf8: bool = True, term: str = ""
) -> Signs:
    """Choose a set.

    Args:
        choice: The setting; anything but ``auto`` decides by itself.
        wide: Whether the terminal draws ambiguous signs two cells wide.
        utf8: Whether the locale's encoding is UTF-8.
        term: The variable TERM.
    """
    if choice == "ascii":
        return ASCII
    if choice == "unicode":
        return UNICODE
    return ASCII if wide or not utf8 or term == "linux" else UNICODE
