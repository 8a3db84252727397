"""The sources of an answer: the right-hand column, and under 96 columns a sheet with the current one below the chat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar

from rich.segment import Segment
from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.strip import Strip

from lens_tui.text.display import one_line
from lens_tui.tui.ink import ink_of, signs_of
from lens_tui.tui.layout.facts import line_range
from lens_tui.tui.layout.lines import Line, cells, shortened_path
from lens_tui.tui.widgets.rows import RowsView

if TYPE_CHECKING:
    from lens_tui.history import Fate
    from lens_tui.tui.layout.excerpts import Source
    from lens_tui.types import Citation, Excerpt

SHEET_ROWS = 8
"""Rows that the sheet takes at most, its heading included: the chat keeps the others."""
OTHERS = 4
"""Rows of top, rule, question and hints: on a low screen sheet and chat halve what is left."""


class Sources(RowsView, can_focus=True):
    """Every excerpt of one answer: the cited ones by number, the current one whole, the others as a list."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "rows(-1)", show=False),
        Binding("down,j", "rows(1)", show=False),
        Binding("pageup", "pages(-1)", show=False),
        Binding("pagedown", "pages(1)", show=False),
        Binding("home", "top", show=False),
        Binding("end", "bottom", show=False),
    ]

    @dataclass
    class Chosen(Message):
        """An excerpt was clicked; ``twice`` to open its file."""

        number: int
        twice: bool = False

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        """Show nothing."""
        super().__init__(id=id)
        self._sources: list[Source] = []
        self._lines: list[Line] = []

    def line(self, number: int) -> Line | None:
        """A row of the column."""
        return self._lines[number] if 0 <= number < len(self._lines) else None

    def count(self) -> int:
        """Rows in all."""
        return len(self._lines)

    def show(
        self,
        excerpts: Sequence[Excerpt],
        citations: Sequence[Citation],
        current: Citation | None,
        *,
        streaming: bool = False,
        left_out: int = 0,
        fates: Mapping[int, Fate] = MappingProxyType({}),
    ) -> None:
        """Show an answer's excerpts, the last ``left_out`` unsent; the current one is brought into sight.

        ``fates`` tells by number what became of those whose file is not the same any more.
        """
        if not excerpts and not self._sources:
            return  # and what draws sources is not loaded before there are any
        from lens_tui.tui.layout.excerpts import sources_of

        sources = sources_of(excerpts, citations, current, streaming=streaming, left_out=left_out, fates=fates)
        if sources == self._sources:
            return
        same = [s.excerpt for s in sources] == [s.excerpt for s in self._sources]
        self._sources = sources
        self._lay(keep=same)

    def _lay(self, *, keep: bool) -> None:
        if not self._sources and not self._lines:
            return
        from lens_tui.tui.layout.excerpts import source_lines

        before = self._lines
        self._lines = source_lines(self._sources, self.size.width, signs_of(self)) if self.size.width else []
        while self._lines and not self._lines[-1].pieces:
            self._lines.pop()
        first = next((i for i, (a, b) in enumerate(zip(before, self._lines, strict=False)) if a != b), None)
        if first is None and len(before) != len(self._lines):
            first = min(len(before), len(self._lines))
        self.resized(first)
        current = next((s.excerpt.number for s in self._sources if s.current), None)
        if current is None:
            if not keep:
                self.place(0)
            return
        rows = [number for number, line in enumerate(self._lines) if line.at[0] == current and line.pieces]
        if rows:
            marked = [n for n in rows if any(" mark" in piece.ink for piece in self._lines[n].pieces)]
            self.show_rows(rows[0], rows[-1])
            if marked and marked[-1] >= self.scroll_offset.y + self.size.height:
                self.show_rows(marked[0], marked[-1])

    def on_resize(self, event: events.Resize) -> None:
        """Lay out anew."""
        self._lay(keep=True)
        self.refresh()

    def redraw(self) -> None:
        """Other signs, another theme."""
        self._lay(keep=True)
        self.refresh()

    def on_click(self, event: events.Click) -> None:
        """A click makes an excerpt's citation current; a double click opens its file."""
        found = self.piece_at(event.x, event.y)
        if found is not None and found[1].tag >= 0:
            self.post_message(self.Chosen(found[1].tag, event.chain > 1))

    def action_rows(self, by: int) -> None:
        """Scroll by rows."""
        self.place(self.scroll_offset.y + by)

    def action_pages(self, by: int) -> None:
        """Scroll by pages."""
        self.place(self.scroll_offset.y + by * max(self.size.height - 1, 1))

    def action_top(self) -> None:
        """Go to the first source."""
        self.place(0)

    def action_bottom(self) -> None:
        """Go to the last one."""
        self.place(self.count())


class Sheet(RowsView, can_focus=True):
    """The current source alone, below the chat: its place in a rule, its text under it."""

    BINDINGS = Sources.BINDINGS

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        """Show nothing."""
        super().__init__(id=id)
        self._source: Source | None = None
        self._lines: list[Line] = []
        self._tally = ""

    def line(self, number: int) -> Line | None:
        """A row of the excerpt."""
        return self._lines[number] if 0 <= number < len(self._lines) else None

    def count(self) -> int:
        """Rows of the excerpt, and one for the rule over it."""
        return len(self._lines) + 1

    def show(self, excerpt: Excerpt | None, citation: Citation | None, tally: str, fate: Fate | None = None) -> None:
        """Show one excerpt with the sentence that carries a citation; None for a number that names none."""
        from lens_tui.tui.layout.excerpts import Source

        span, instead = (citation.span, citation.instead) if citation is not None else (None, None)
        self._source = (
            Source(excerpt, cited=True, current=True, span=span, fate=fate, instead=instead)
            if excerpt is not None
            else None
        )
        self._tally = tally
        self._lay()

    def _lay(self) -> None:
        from lens_tui.tui.layout.excerpts import excerpt_rows
        from lens_tui.tui.layout.staleness import fate_lines

        width, signs, source = self.size.width or self.app.size.width, signs_of(self), self._source
        self._lines = []
        if source is not None:
            excerpt = source.excerpt
            self._lines += fate_lines(excerpt.number, excerpt.start, source.fate, width, signs)
            self._lines += excerpt_rows(source, width, signs)
        most = max(min(SHEET_ROWS, (self.app.size.height - OTHERS) // 2), 3)
        self.styles.height = min(most, len(self._lines) + 1)
        self.resized(0)
        marked = [n for n, line in enumerate(self._lines) if any(" mark" in p.ink for p in line.pieces)]
        room = most - 1
        first = 0
        if marked and marked[-1] >= room:
            first = min(marked[0], max(marked[-1] - room + 1, marked[0] - 1))
        self.call_after_refresh(self.place, first)
        self.refresh()

    def on_resize(self, event: events.Resize) -> None:
        """Lay out anew at another width."""
        if event.size.width != event.virtual_size.width:
            self._lay()

    def redraw(self) -> None:
        """Other signs, another theme."""
        self._lay()

    def render_line(self, y: int) -> Strip:
        """The rule with the place stays at the top; rows move under it."""
        if y == 0:
            return self._rule()
        return super().render_line(y - 1)

    def _rule(self) -> Strip:
        ink, signs, width = ink_of(self), signs_of(self), self.size.width
        if self._source is None:
            return Strip([Segment(signs.rule * width, ink("line"))], width)
        excerpt = self._source.excerpt
        place = line_range(excerpt.lines, signs)
        tally = f" {self._tally} " if self._tally and width > 60 else ""
        number = f" {excerpt.number} "
        room = width - cells(number) - cells(place) - cells(tally) - 6
        path = shortened_path(one_line(excerpt.path), room, signs.ellipsis)
        rest = width - 4 - cells(number) - cells(path) - cells(place) - cells(tally) - 1
        return Strip(
            [
                Segment(f"{signs.rule} ", ink("line")),
                Segment(number, ink("cursor")),
                Segment(" ", ink("text")),
                Segment(path, ink("bold")),
                Segment(place, ink("muted")),
                Segment(" ", ink("text")),
                Segment(signs.rule * max(rest, 0), ink("line")),
                Segment(tally, ink("muted")),
                Segment(signs.rule, ink("line")),
            ]
        ).adjust_cell_length(width, ink("text"))

    def action_rows(self, by: int) -> None:
        """Scroll by rows."""
        self.place(self.scroll_offset.y + by)

    def action_pages(self, by: int) -> None:
        """Scroll by pages."""
        self.place(self.scroll_offset.y + by * max(self.size.height - 2, 1))

    def action_top(self) -> None:
        """Go to its first row."""
        self.place(0)

    def action_bottom(self) -> None:
        """Go to its last row."""
        self.place(self.count())
