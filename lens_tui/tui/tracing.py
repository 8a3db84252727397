"""Follows the sources of the conversation on the screen: what became of them since they were cited."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from lens_tui.history import Passage
from lens_tui.tui.turns import LiveTalk, LiveTurn

if TYPE_CHECKING:
    from lens_tui.history import Fate
    from lens_tui.types import Citation, FileRow

SETTLED = ("indexed", "left_out", "failed")
"""States of a file in which the engine can tell what became of it."""


class Tracing:
    """Knows which passages to ask after, and where their fates belong."""

    def __init__(self, talk: LiveTalk, ask: Callable[[tuple[Passage, ...]], None]) -> None:
        """Follow ``talk``; ``ask`` is called with passages whose fates are wanted."""
        self._talk = talk
        self._ask = ask
        self._touched: set[str] = set()

    def everything(self) -> None:
        """Ask after every citation: another conversation, or another index."""
        self._touched.clear()
        self._ask_after(lambda passage, fate: True)

    def newest(self) -> None:
        """Ask after the newest answer: its files may have changed while it was written."""
        self._ask_after(lambda passage, fate: True, self._talk.turns[-1:])

    def touched(self, rows: Iterable[FileRow], gone: Iterable[str]) -> bool:
        """Note files that changed. Returns whether any of them can matter, so that ``some`` should be called soon."""
        settled = {row.path for row in rows if row.state in SETTLED} | set(gone)
        fates = [fate for turn in self._talk.turns for fate in turn.fates.values()]
        lost = any(fate.state == "gone" for fate in fates)
        paths = {citation.path for turn in self._talk.turns for citation in turn.citations}
        paths |= {fate.path for fate in fates}
        self._touched |= settled if lost else settled & paths
        return bool(self._touched)

    def some(self) -> None:
        """Ask after the citations of the files that were touched, and after texts that are lost: they may be back."""
        touched, self._touched = self._touched, set()
        self._ask_after(
            lambda passage, fate: (
                passage.path in touched or (fate is not None and (fate.state == "gone" or fate.path in touched))
            )
        )

    def take(self, passages: tuple[Passage, ...], fates: tuple[Fate, ...]) -> bool:
        """Put fates where they belong. Returns whether anything is to be drawn anew."""
        known = dict(zip(passages, fates, strict=True))
        changed = False
        for turn in self._talk.turns:
            after = dict(turn.fates)
            for index, citation in enumerate(turn.citations):
                passage = passage_of(turn, citation)
                if passage is not None and (fate := known.get(passage)) is not None:
                    after[index] = fate
            after = {index: fate for index, fate in after.items() if fate.state != "same"}
            if after != turn.fates:
                turn.fates = after
                turn.version += 1
                changed = True
        return changed

    def _ask_after(
        self, wanted: Callable[[Passage, Fate | None], bool], turns: Sequence[LiveTurn] | None = None
    ) -> None:
        passages: dict[Passage, None] = {}
        for turn in self._talk.turns if turns is None else turns:
            for index, citation in enumerate(turn.citations):
                passage = passage_of(turn, citation)
                if passage is not None and wanted(passage, turn.fates.get(index)):
                    passages[passage] = None
        if passages:
            self._ask(tuple(passages))


def passage_of(turn: LiveTurn, citation: Citation) -> Passage | None:
    """What a citation rests on, as the file said it then; None where it rests on nothing."""
    excerpt = turn.source(citation)
    if excerpt is None or not excerpt.checksum:
        return None
    start, end = citation.span or (excerpt.start, excerpt.end)
    text = excerpt.text[max(0, start - excerpt.start) : max(0, end - excerpt.start)]
    return Passage(excerpt.path, excerpt.checksum, start, end, text) if text.strip() else None
