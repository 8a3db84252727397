"""The files of the folder as a tree: states, counts and reasons, in the panel and on a page of its own."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message

from lens_tui.tui.cells import cut_end, cut_name, fitted, width_of
from lens_tui.tui.forest import Forest, Line
from lens_tui.tui.keymap import bindings_by_id
from lens_tui.tui.messages import EditWish, FoldersOpened, OpenFileWish
from lens_tui.tui.widgets.drawn import Piece, Walked

if TYPE_CHECKING:
    from lens_tui.types import FileRow

SETTLE_SECONDS = 0.1
"""Files that come and go rebuild the lines at most this often; a changed state is drawn at once."""
SHORT = 9
"""Cells of a detail for which the panel cuts a name; a longer one is left to the Files page."""


class FilesTree(Walked):
    """Folders and files with their state. It posts ``OpenFileWish``, ``EditWish`` and ``FoldersOpened``."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right", "unfold", show=False),
        Binding("left", "fold", show=False),
        *bindings_by_id("open.file", "open.editor"),
    ]

    class Moved(Message):
        """The cursor stands on another line, or what it stands on has changed."""

    def __init__(
        self,
        *,
        words: bool = False,
        clock: Callable[[], float] = time.monotonic,
        name: str | None = None,
        id: str | None = None,  # noqa: A002 - Textual's name
        classes: str | None = None,
    ) -> None:
        """Make an empty tree.

        Args:
            words: Details in words, for a page; else short, for the panel.
            clock: Seconds, for how often lines are rebuilt.
            name: As every widget.
            id: As every widget.
            classes: As every widget.
        """
        super().__init__(name=name, id=id, classes=classes)
        self._words = words
        self._clock = clock
        self._forest = Forest()
        self._cursor = ""
        self._settled = float("-inf")
        self._waiting = False

    # What the screen gives.

    def show(self, rows: Iterable[FileRow]) -> None:
        """Take these rows for the whole folder; open folders and the cursor stay."""
        self._forest.show(rows)
        self._settle()

    def apply(self, rows: Iterable[FileRow], gone: Iterable[str] = ()) -> None:
        """Take in rows that are new or changed, and paths that are gone."""
        moved, touched = self._forest.apply(rows, gone)
        if moved:
            self._settle_soon()
            return
        for key in touched:
            if (place := self._forest.place(key)) is not None:
                self.redraw(place)

    def filter(self, text: str) -> None:
        """Show only files whose path holds every word of ``text``."""
        self._forest.filter(text)
        self._settle()

    @property
    def opened(self) -> tuple[str, ...]:
        """What is open, for ``open_folders`` of another time."""
        return self._forest.opened

    def open_folders(self, keys: Iterable[str]) -> None:
        """Open what ``opened`` had named, and nothing else."""
        self._forest.open_all(keys)
        self._settle()

    def choose(self, path: str) -> None:
        """Put the cursor on a file, its folders opened."""
        self._forest.reveal(path)
        self._cursor = path
        self._settle()

    @property
    def chosen(self) -> FileRow | None:
        """The file under the cursor; None on a folder."""
        line = self._current()
        return self._forest.row(line.path) if line and line.kind == "file" else None

    # Drawing.

    def count(self) -> int:
        """Lines of what is open."""
        return len(self._forest.lines)

    def pieces(self, line: int, width: int) -> Sequence[Piece]:
        """One file or folder: indent, sign, name, and at the right how it stands."""
        entry = self._forest.lines[line]
        sign, sign_role, name_role = self._sign(entry)
        right, right_role = self._right(entry)
        before = " " + "  " * min(entry.depth, max(0, (width - 14) // 2))
        room = width - width_of(before) - 3
        name, right = self._fit(fitted(entry.name), self.signs.said(right), room)
        gap = " " * (room - width_of(name) - width_of(right))
        if line == self._at and entry.key == self._cursor and self.has_focus:
            return [(f"{before}{sign or ' '} {name}{gap}{right} ", "cursor bold")]
        return [(before, "text"), (f"{sign or ' '} ", sign_role), (name, name_role), (gap, "text"), (right, right_role)]

    def _fit(self, name: str, right: str, room: int) -> tuple[str, str]:
        ellipsis = self.signs.ellipsis
        free = room - width_of(name) - 1
        if width_of(right) <= free:
            return name, right
        if self._words:
            right = cut_end(right, max(free, room // 2), ellipsis)
        elif width_of(right) > SHORT or room - width_of(right) < SHORT:
            right = ""
        return cut_name(name, room - width_of(right) - (1 if right else 0), ellipsis), right

    def _sign(self, line: Line) -> tuple[str, str, str]:
        """Sign, its roles, and the name's roles."""
        if line.kind != "file":
            sign = self.signs.unfolded if self._forest.is_open(line) else self.signs.folded
            return sign, "muted", "text" if line.kind == "folder" else "muted"
        row = self._forest.row(line.path)
        if row is None:
            return "", "text", "text"
        sign = self.signs.of_state(row.state)
        return {
            "indexed": (sign, "text", "text"),
            "waiting": (sign, "muted", "muted"),
            "reading": (sign, "accent", "text"),
            "changed": (sign, "warn", "text"),
            "left_out": (sign, "muted", "muted"),
            "failed": (sign, "bad bold", "bad"),
        }[row.state]

    def _right(self, line: Line) -> tuple[str, str]:
        if line.kind == "group":
            return self._number(self._forest.group_size(line), "entry", "entries"), "muted"
        if line.kind == "folder":
            done, total = self._forest.counts(line.path)
            if done == total or self._forest.is_open(line):
                return self._number(total, "file", "files"), "muted"
            return (f"{done:,} of {total:,} files" if self._words else f"{done}/{total}"), "muted"
        row = self._forest.row(line.path)
        if row is None:
            return "", "muted"
        text = fitted(in_words(row) if self._words else in_short(row))
        return text, "bad" if row.state == "failed" else "muted"

    def _number(self, number: int, one: str, many: str) -> str:
        if not self._words:
            return f"{number}"
        return f"{number:,} {one if number == 1 else many}"

    # Keeping place.

    def _current(self) -> Line | None:
        lines = self._forest.lines
        return lines[self._at] if 0 <= self._at < len(lines) else None

    def _settle_soon(self) -> None:
        if self._clock() - self._settled >= SETTLE_SECONDS:
            self._settle()
        elif not self._waiting:
            self._waiting = True
            self.set_timer(SETTLE_SECONDS, self._settle)

    def _settle(self) -> None:
        """Bring cursor and size in line with the lines of now."""
        self._waiting = False
        self._settled = self._clock()
        lines = self._forest.lines
        place = self._forest.place(self._cursor)
        before = self._at
        self._at = place if place is not None else max(0, min(self._at, len(lines) - 1))
        self._cursor = lines[self._at].key if lines else ""
        if not self.is_attached:
            return
        self.resized()
        top = self.scroll_offset.y
        if self._at != before and top <= before < top + self.size.height:
            # What came or went above must not move the line that one is reading.
            self.scroll_to(y=max(0, top + self._at - before), animate=False, force=True, immediate=True)
        self.refresh()
        self.post_message(self.Moved())

    @property
    def _end(self) -> int:
        return len(self._forest.lines) - 1

    def _go(self, place: int) -> None:
        lines = self._forest.lines
        if not lines:
            return
        before, self._at = self._at, max(0, min(place, len(lines) - 1))
        self._cursor = lines[self._at].key
        self.redraw(before)
        self.redraw(self._at)
        self.in_sight(self._at)
        self._place_cursor()
        self.post_message(self.Moved())

    def _place_cursor(self) -> None:
        if line := self._current():
            self.put_cursor(1 + 2 * line.depth, self._at)

    # Handlers and actions.

    def on_mount(self) -> None:
        """Take over what was shown before there was a screen."""
        self._settle()

    def on_resize(self) -> None:
        """Keep the cursor in sight."""
        self.in_sight(self._at)

    def on_focus(self) -> None:
        """Show the cursor."""
        self.redraw(self._at)
        # Focus can come before the first layout, when no cell has a place yet.
        self.call_after_refresh(self._place_cursor)

    def on_blur(self) -> None:
        """Hide the cursor."""
        self.redraw(self._at)

    def on_click(self, event: events.Click) -> None:
        """Choose a line; a folder opens or closes, a double click opens a file."""
        place = event.get_content_offset_capture(self).y + self.scroll_offset.y
        lines = self._forest.lines
        if not 0 <= place < len(lines):
            return
        self._go(place)
        if lines[place].kind == "file" and event.chain == 2:
            self.action_open_file()
        elif lines[place].kind != "file" and event.chain % 2:
            self._toggle(lines[place])

    def action_unfold(self) -> None:
        """Open the folder, or step into the open one."""
        line = self._current()
        if line and not self._toggle(line, unfold=True) and line.kind != "file":
            self._go(self._at + 1)

    def action_fold(self) -> None:
        """Close the folder, or go to the one above."""
        line = self._current()
        if line and not self._toggle(line, unfold=False) and line.depth:
            lines = self._forest.lines
            self._go(next(place for place in range(self._at, -1, -1) if lines[place].depth < line.depth))

    def action_open_file(self) -> None:
        """Open the file, or open and close the folder."""
        line = self._current()
        if line and line.kind == "file":
            self.post_message(OpenFileWish(line.path))
        elif line:
            self._toggle(line)

    def action_open_editor(self) -> None:
        """Open the file in the person's editor."""
        if row := self.chosen:
            self.post_message(EditWish(row.path))

    def _toggle(self, line: Line, *, unfold: bool | None = None) -> bool:
        changed = self._forest.toggle(line, unfold=unfold)
        if changed:
            self._settle()
            self.post_message(FoldersOpened(self.opened))
        return changed


_STEPS = re.compile(r"^(\d[\d,]*)\s*/\s*(\d[\d,]*)$")


def in_words(row: FileRow) -> str:
    """How a file stands, for a page: ``11 chunks``, ``reading page 12 of 80``, ``left out: binary``."""
    detail = row.detail.strip()
    if row.state == "indexed":
        return f"{row.chunks:,} chunk" + ("" if row.chunks == 1 else "s") + (f": {detail}" if detail else "")
    if row.state == "waiting":
        return f"waiting, {detail}" if detail else "waiting"
    if row.state == "reading":
        steps = _STEPS.match(detail)
        detail = f"page {steps[1]} of {steps[2]}" if steps else detail
        return f"reading {detail}".strip()
    if row.state == "changed":
        return f"changed {detail}".strip() + ", being read again"
    return ("left out" if row.state == "left_out" else "failed") + (f": {detail}" if detail else "")


def in_short(row: FileRow) -> str:
    """The same for the panel: how far it is read, or the first words of why it was left out; nothing else."""
    if row.state == "left_out":
        return row.detail.partition(",")[0].strip()
    return row.detail.strip() if row.state == "reading" else ""
