"""Where the index stands: how far it is, what it does now, which model answers, what failed and what was left out."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import ClassVar

from textual.binding import BindingType
from textual.widget import Widget

from lens_tui.requests import IndexState
from lens_tui.tui.cells import cut_middle, cut_path, fitted, width_of, wrapped
from lens_tui.tui.ink import signs_of
from lens_tui.tui.keymap import bindings_by_id
from lens_tui.tui.layout.facts import count
from lens_tui.tui.layout.leftout import LeftOut, gathered
from lens_tui.tui.messages import ControlWish, CopyWish
from lens_tui.tui.screens.page import Page
from lens_tui.tui.widgets.drawn import Lines, Piece
from lens_tui.types import FileRow, FileState, ModelChoice, Notice

LABEL = 10
"""Cells of the column of names at the left."""
NAME = 30
"""Cells of a file's name in the lists, where the page has room for twice as much."""
LISTED: Mapping[FileState, tuple[str, str]] = {
    "failed": ("failed", "bad"),
    "indexed": ("read, with a warning", "warn"),
    "left_out": ("left out", "muted"),
}
"""Files that are listed, by state, with the list's name and its ink; of the indexed ones only those with a warning."""
SHORTEST = 20
"""Cells that a shortened path needs at least to be known again."""


class StatusPage(Page):
    """The state of the index, kept up to date while one looks at it."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings_by_id("index.pause", "index.stop", "index.again", "index.copy")]
    part = "status"

    def __init__(
        self,
        state: IndexState,
        rows: Iterable[FileRow],
        choice: ModelChoice | None,
        notices: Iterable[Notice],
        folder: str,
        *,
        local: Callable[[float], time.struct_time] = time.localtime,
    ) -> None:
        """Show a state.

        Args:
            state: Where the index stands.
            rows: Every file; those that failed, were left out, or were read with a warning are listed.
            choice: Which model answers.
            notices: What happened, oldest first; shown newest first.
            folder: Its name as drawn.
            local: Seconds since the epoch → the clock on the person's wall.
        """
        super().__init__()
        self._state = state
        self._listed = {row.path: row for row in rows if _is_listed(row)}
        self._choice = choice
        self._notices = list(notices)
        self._folder = folder
        self._local = local

    def hint_part(self) -> str:
        """Space goes on where indexing rests."""
        return "paused" if self._state.phase in ("paused", "stopped") else "status"

    def body(self) -> Iterable[Widget]:
        """Lines to scroll."""
        yield Lines(id="status")

    def on_mount(self) -> None:
        """Read from the top."""
        self.set_focus(self.query_one(Lines))

    def draw(self) -> None:
        """Lay every line out anew."""
        self.title_row.show((("Status", "text bold"),), ((self._folder, "muted"),))
        width = max(40, self.size.width)
        lines: list[Sequence[Piece]] = [*self._jobs(width), *self._now(width), *self._model(width)]
        for state, (name, ink) in LISTED.items():
            lines += self._files(state, name, ink, width)
        if self._notices:
            lines += [(), ((" notices", "text bold"),)]
            for notice in reversed(self._notices):
                lines += self._hung(time.strftime("%H:%M", self._local(notice.at)), fitted(notice.text), 7, width)
        self.query_one(Lines).show(lines)
        super().draw()

    # The lines.

    def _jobs(self, width: int) -> Iterable[Sequence[Piece]]:
        state = self._state
        total = max(state.total, state.files)
        reading = state.phase in ("scanning", "reading", "paused", "stopped") and state.files < total
        files = f"{state.files:,} of {total:,} files" if reading else count(total, "file")
        share = state.files / total if reading and total else None
        yield self._job("text", files, count(state.chunks, "chunk"), state.rate, state.seconds_left, share, width)
        vectors = f"{state.vectors:,} of {state.vectors_total:,}"
        share = state.vectors / state.vectors_total if state.vectors < state.vectors_total else None
        if share is None:
            vectors = count(state.vectors, "chunk")
        rate, left = state.vector_rate, state.vector_seconds_left
        embedder = "built-in vectors" if state.embedder.startswith("builtin") else fitted(state.embedder)
        yield self._job("meaning", vectors, embedder, rate, left, share, width)
        if state.vector_problem:
            yield from self._hung("", fitted(state.vector_problem), LABEL, width, "warn")
        for note in state.vector_notes:
            yield from self._hung("", fitted(note), LABEL, width, "muted")
        if state.notes_failed or state.note_problem:
            lacking = f"{count(state.notes_failed, 'chunk')} indexed without one: the model failed at them"
            yield from self._hung("notes", fitted(state.note_problem) or lacking, LABEL, width, "warn")

    def _job(
        self, label: str, done: str, what: str, rate: float, left: float | None, share: float | None, width: int
    ) -> Sequence[Piece]:
        """One job: how much is done, of what, how fast, how long still, and a bar while it runs."""
        signs = signs_of(self)
        columns = (20, 16, 7, 8)
        speed = f"{rate:.0f}/s" if rate >= 1 and share is not None else ""
        time_left = _short(left) if left is not None and share is not None else ""
        facts = (done, cut_middle(what, columns[1], signs.ellipsis), speed, time_left)
        text = "".join(fact + " " * max(1, size - width_of(fact)) for fact, size in zip(facts, columns, strict=True))
        pieces: list[Piece] = [(f" {label}".ljust(LABEL), "muted"), (text, "text")]
        room = min(40, width - LABEL - width_of(text) - 1)
        if share is not None and room >= 4:
            full = round(room * min(1.0, max(0.0, share)))
            pieces += [(signs.done * full, "accent"), (signs.rule * (room - full), "line")]
        return pieces

    def _now(self, width: int) -> Iterable[Sequence[Piece]]:
        state = self._state
        words = {
            "scanning": "looking through the folder",
            "paused": "paused; space goes on",
            "stopped": "stopped; space goes on, and nothing that is done is lost",
            "idle": "everything is read; changes are followed",
            "reading": "reading",
        }[state.phase]
        if state.phase == "reading" and state.current:
            words = fitted(state.current)
        elif state.phase == "idle" and state.vectors < state.vectors_total and not state.vector_problem:
            words = "search is full; vectors for meaning are still being made"
        yield from self._hung("now", words, LABEL, width)
        for note in state.notes:
            yield from self._hung("", fitted(note), LABEL, width, "muted")

    def _model(self, width: int) -> Iterable[Sequence[Piece]]:
        choice = self._choice
        if choice is None:
            return
        if choice.name is None:
            yield from self._hung("model", "none: answers are quoted word for word", LABEL, width, "warn")
        else:
            info = choice.info
            facts = [fitted(choice.name)]
            facts += ["loaded"] if info and info.loaded else []
            facts += [f"{info.context:,} tokens at most"] if info and info.context else []
            yield from self._hung("model", ", ".join(facts), LABEL, width)
        yield from self._hung("", fitted(choice.why), LABEL, width, "muted")
        for line in choice.hint.splitlines():
            yield ((" " * (LABEL + 2), "text"), (fitted(line), "text"))

    def _files(self, state: FileState, name: str, ink: str, width: int) -> Iterable[Sequence[Piece]]:
        rows = sorted((row for row in self._listed.values() if row.state == state), key=lambda row: row.path)
        if not rows:
            return
        signs = signs_of(self)
        sign = signs.of_state(state) or signs.warned
        yield ()
        yield ((f" {name}", "text bold"), (f"  {len(rows):,}", "muted"))
        room = NAME if width >= 2 * NAME + 10 else width // 2 - 4
        for row in gathered(rows) if state == "left_out" else (LeftOut(row.path, row.detail) for row in rows):
            path = fitted(row.name)
            reason = fitted(row.reason) or "no reason was given"
            beside = width - width_of(reason) - 6
            if width_of(path) >= room and beside >= SHORTEST:
                # One row where the reason leaves room for a name; the copied list has every path whole.
                short = cut_path(path, beside, signs.ellipsis)
                mark = f"{ink} bold" if ink == "bad" else ink
                yield ((f" {sign} ", mark), (f"{short}  ", "text"), (reason, ink))
                continue
            # Else both are shown whole, in rows of their own.
            start: list[Piece] = [(f" {sign} ", f"{ink} bold" if ink == "bad" else ink)]
            if width_of(path) < room:
                first, *others = list(_parts(reason, width - room - 4))
                yield (*start, (path.ljust(room - width_of(path) + len(path)), "text"), (first, ink))
                yield from (((" " * (room + 3), "text"), (part, ink)) for part in others)
            else:
                yield from (
                    (*(start if not place else [("   ", "text")]), (part, "text"))
                    for place, part in enumerate(_parts(path, width - 4))
                )
                yield from (((" " * 5, "text"), (part, ink)) for part in _parts(reason, width - 6))

    def _hung(self, label: str, text: str, indent: int, width: int, ink: str = "text") -> Iterable[Sequence[Piece]]:
        """A name and a text that wraps under itself."""
        for place, part in enumerate(_parts(text, width - indent - 1)):
            yield ((f" {label if not place else ''}".ljust(indent), "muted"), (part, ink))

    # News and wishes.

    def index_moved(self, state: IndexState) -> None:
        """Where the index stands."""
        self._state = state
        self.draw()

    def model_chosen(self, choice: ModelChoice) -> None:
        """Who answers from now on."""
        self._choice = choice
        self.draw()

    def notices_came(self, notices: Sequence[Notice]) -> None:
        """What happened."""
        self._notices.extend(notices)
        self.draw()

    def rows_moved(self, rows: Sequence[FileRow], gone: Sequence[str], everything: bool = False) -> None:
        """Files that failed, were left out, were read with a warning, or are so no longer."""
        before = dict(self._listed)
        if everything:
            self._listed.clear()
        for path in gone:
            self._listed.pop(path, None)
        for row in rows:
            if _is_listed(row):
                self._listed[row.path] = row
            else:
                self._listed.pop(row.path, None)
        if self._listed != before:
            self.draw()

    def action_index_pause(self) -> None:
        """Pause, or go on."""
        self.post_message(ControlWish("resume" if self._state.phase in ("paused", "stopped") else "pause"))

    def action_index_stop(self) -> None:
        """End the run in hand."""
        self.post_message(ControlWish("stop"))

    def action_index_again(self) -> None:
        """Read failed and left-out files again."""
        self.post_message(ControlWish("reread"))

    def action_index_copy(self) -> None:
        """Copy what failed, was left out, or was read with a warning, with the reasons."""
        rows = sorted(self._listed.values(), key=lambda row: (list(LISTED).index(row.state), row.path))
        if not rows:
            self.say("No file failed and none was left out: there is nothing to copy.")
            return
        text = "".join(f"{LISTED[row.state][0]}\t{row.path}\t{row.detail}\n" for row in rows)
        self.post_message(CopyWish(text, "the list"))


def _is_listed(row: FileRow) -> bool:
    return row.state in LISTED and bool(row.state != "indexed" or row.detail)


def _parts(text: str, width: int) -> Iterable[str]:
    return (text[start:end].rstrip() for start, end in wrapped(text, max(8, width)))


def _short(seconds: float) -> str:
    """Time left in a few cells: ``5 s``, ``3 min``, ``2 h``."""
    if seconds < 60:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60)} min" if seconds < 5400 else f"{round(seconds / 3600)} h"
