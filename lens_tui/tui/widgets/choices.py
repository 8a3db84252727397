"""A list to choose from: groups under a name, one or two columns, the chosen entry reversed."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message

from lens_tui.tui.cells import cut_end, width_of
from lens_tui.tui.keymap import bindings_by_id
from lens_tui.tui.widgets.drawn import Piece, Walked

KEYS = 10
"""Cells of the keys before what they do."""
SHORTEST_NOTE = 12
"""Cells under which a note would say nothing."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing to choose."""

    id: str
    text: str
    keys: str = ""
    letters: tuple[int, ...] = ()
    """Places in ``text`` to be set bold: what was typed to find it."""
    mark: str = ""
    """Sign before it, such as that of the one in use."""
    note: str = ""
    """What stands muted beside the text."""
    note_letters: tuple[int, ...] = ()
    """Places in ``note`` to be set bold."""


@dataclass(frozen=True, slots=True)
class Group:
    """Entries under a name."""

    name: str
    entries: tuple[Entry, ...]


class Choices(Walked):
    """Entries in order: ``down`` is the next one, ``right`` the one beside it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "beside(-1)", show=False),
        Binding("right", "beside(1)", show=False),
        *bindings_by_id("list.choose"),
    ]

    @dataclass
    class Chosen(Message):
        """Enter or a click chose an entry."""

        id: str

    @dataclass
    class Moved(Message):
        """The cursor stands on another entry; an empty id where there is none."""

        id: str

    def __init__(
        self,
        *,
        keys_first: bool,
        two_columns_from: int = 1_000_000,
        nothing: str = "nothing of that name",
        id: str | None = None,  # noqa: A002
    ) -> None:
        """Make an empty list.

        Args:
            keys_first: Keys before the text, as on the Keys page; else at the right end.
            two_columns_from: Columns of the screen from which entries stand side by side.
            nothing: What stands there where there is no entry.
            id: As every widget.
        """
        super().__init__(id=id)
        self._keys_first = keys_first
        self._wide = two_columns_from
        self._nothing = nothing
        self._groups: tuple[Group, ...] = ()
        self._entries: list[Entry] = []
        self._lines: list[str | list[int]] = []

    def show(self, groups: Sequence[Group], *, stay: bool = False) -> None:
        """Show groups; the cursor goes to the first entry, or stays on the one it is on."""
        chosen = self.chosen
        self._groups = tuple(group for group in groups if group.entries)
        self._entries = [entry for group in self._groups for entry in group.entries]
        ids = [entry.id for entry in self._entries]
        self._at = ids.index(chosen) if stay and chosen in ids else 0
        self._lay_out()
        self.post_message(self.Moved(self.chosen))

    def choose(self, identity: str) -> None:
        """Put the cursor on an entry."""
        for place, entry in enumerate(self._entries):
            if entry.id == identity:
                self._go(place)

    @property
    def chosen(self) -> str:
        """Id of the entry under the cursor; empty where there is none."""
        return self._entries[self._at].id if self._at < len(self._entries) else ""

    def _columns(self) -> int:
        return 2 if self.size.width >= self._wide else 1

    def _lay_out(self) -> None:
        """Names, rows of entries, and a blank between two groups; down the first column, then the second."""
        self._lines = []
        first, columns = 0, self._columns()
        for group in self._groups:
            if self._lines:
                self._lines.append("")
            if group.name:
                self._lines.append(group.name)
            size = len(group.entries)
            rows = -(-size // columns)
            self._lines.extend([first + place for place in range(row, size, rows)] for row in range(rows))
            first += size
        if self.is_attached:
            self.resized()
            self._see()
            self.refresh()

    def count(self) -> int:
        """Rows in all; one where there is nothing to choose, which says so."""
        return max(1, len(self._lines))

    def pieces(self, line: int, width: int) -> Sequence[Piece]:
        """A name, or the entries of a row."""
        if not self._lines:
            return [(f" {self._nothing}", "muted")]
        row = self._lines[line]
        if isinstance(row, str):
            return [(f" {row}", "text bold")]
        columns = self._columns()
        room = width // columns
        pieces: list[Piece] = []
        for place in row:
            pieces.extend(self._cell(self._entries[place], room, chosen=place == self._at))
        return pieces

    def _cell(self, entry: Entry, width: int, *, chosen: bool) -> Sequence[Piece]:
        ellipsis = self.signs.ellipsis
        text = self.signs.said(entry.text)
        if self._keys_first:
            keys = entry.keys.ljust(KEYS) if width_of(entry.keys) < KEYS else f"{entry.keys}  "
            text = cut_end(text, max(0, width - width_of(keys) - 2), ellipsis)
            rest = " " * (width - width_of(keys) - width_of(text) - 1)
            if chosen:
                return [(f" {keys}{text}{rest}", "cursor")]
            return [(" ", "text"), (keys, "text"), *_bold(text, entry.letters, "muted", "text bold"), (rest, "text")]
        text = cut_end(text, max(0, width - width_of(entry.keys) - 6), ellipsis)
        room = width - width_of(text) - width_of(entry.keys) - 8
        note = cut_end(self.signs.said(entry.note), room, ellipsis) if entry.note and room >= SHORTEST_NOTE else ""
        note = f"  {note}" if note else ""
        gap = " " * max(1, width - width_of(text) - width_of(note) - width_of(entry.keys) - 4)
        before = f" {entry.mark or ' '} "
        if chosen:
            return [(f"{before}{text}{note}{gap}{entry.keys} ", "cursor")]
        return [
            (before, "text"),
            *_bold(text, entry.letters, "text", "accent bold"),
            *_bold(note, [place + 2 for place in entry.note_letters], "muted", "text bold"),
            (gap, "text"),
            (f"{entry.keys} ", "muted"),
        ]

    # Moving.

    def _line_of(self, place: int) -> int:
        return next((line for line, row in enumerate(self._lines) if isinstance(row, list) and place in row), 0)

    @property
    def _end(self) -> int:
        return len(self._entries) - 1

    def _go(self, place: int) -> None:
        if not self._entries:
            return
        before, self._at = self._at, max(0, min(place, len(self._entries) - 1))
        self.redraw(self._line_of(before))
        self.redraw(self._line_of(self._at))
        self._see()
        if before != self._at:
            self.post_message(self.Moved(self.chosen))

    def _see(self) -> None:
        line = self._line_of(self._at)
        # The name above the first entry of a group is shown with it.
        above = line - 1 if line and isinstance(self._lines[line - 1], str) else line
        self.in_sight(above, line)
        self.put_cursor(1, line)

    def on_resize(self) -> None:
        """Columns depend on the width."""
        self._lay_out()

    def on_click(self, event: events.Click) -> None:
        """A click chooses; a second one does it."""
        offset = event.get_content_offset_capture(self)
        line = offset.y + self.scroll_offset.y
        row = self._lines[line] if 0 <= line < len(self._lines) else ""
        if isinstance(row, list):
            place = row[min(offset.x * self._columns() // max(1, self.size.width), len(row) - 1)]
            self._go(place)
            if event.chain == 2:
                self.action_list_choose()

    def action_beside(self, step: int) -> None:
        """The entry in the other column."""
        row = self._lines[self._line_of(self._at)] if self._lines else ""
        if isinstance(row, list):
            place = row.index(self._at) + step
            if 0 <= place < len(row):
                self._go(row[place])

    def action_list_choose(self) -> None:
        """Take the entry under the cursor."""
        if self._entries:
            self.post_message(self.Chosen(self.chosen))


def _bold(text: str, letters: Sequence[int], ink: str, bold: str) -> Sequence[Piece]:
    """The text in runs, with some of its letters in another ink."""
    chosen = set(letters)
    pieces: list[Piece] = []
    for place, character in enumerate(text):
        role = bold if place in chosen else ink
        if pieces and pieces[-1][1] == role:
            pieces[-1] = (pieces[-1][0] + character, role)
        else:
            pieces.append((character, role))
    return pieces
