"""One file's text with line numbers, the excerpt's bar and the highlighter on the sentence that carries a claim."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise
from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.message import Message

from lens_tui.chunk_requests import ChunkOutline
from lens_tui.requests import FileText
from lens_tui.tui.borders import BorderedStretches
from lens_tui.tui.layout.chunks import border_row
from lens_tui.tui.stretches import At, Row
from lens_tui.tui.widgets.drawn import MOVES, Drawn, Piece
from lens_tui.types import Span

NUMBERS = 5
"""Cells of the line numbers at least, the blank before them counted."""
WHEEL = 3
"""Rows that one turn of the wheel scrolls."""
_HEADING = re.compile(r"#{1,6} ")
_FENCE = re.compile(r"^ {0,3}(?:```|~~~)", re.MULTILINE)
FENCED_BELOW = 4_000_000
"""Code points of a Markdown text up to which fences are looked for; in a longer one ``#`` lines are not set bold."""


class FileView(Drawn):
    """The text of one file. Rows are made only where they are looked at."""

    BINDINGS: ClassVar[list[BindingType]] = [*MOVES]

    class Moved(Message):
        """The current line is another one."""

    def __init__(self, file: FileText, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        """Make a view of a file, standing on its first line."""
        super().__init__(id=id)
        self._take(file)

    def _take(self, file: FileText) -> None:
        self.file = file
        self._text = BorderedStretches(file.text)
        self._told = ""
        self._width = 0
        self._top: At = (0, 0)
        self._cursor: At = (0, 0)
        self._excerpt: Span | None = None
        self._sentence: Span | None = None
        self._bold: Sequence[Span] = ()
        self._drawn: list[At] | None = None
        self._folded = ""
        self._found: Span | None = None
        self._sought = ""
        self._fences: list[int] | None = None

    # What the page gives and asks.

    def show(self, file: FileText) -> None:
        """Show another file, from its first line."""
        self._take(file)
        self._measure()
        self.refresh()
        self.post_message(self.Moved())

    def mark(self, excerpt: Span | None, sentence: Span | None) -> None:
        """Mark an excerpt with the thin bar, and a sentence with the thick one and the highlighter."""
        self._excerpt, self._sentence = excerpt, sentence
        self.refresh()

    def embolden(self, words: Sequence[Span]) -> None:
        """Set words bold that a search found, in the file's text."""
        if tuple(words) != tuple(self._bold):
            self._bold = tuple(words)
            self.refresh()

    def show_borders(self, chunks: Sequence[ChunkOutline], told: str) -> None:
        """Draw the borders of these chunks (none hides them), cut as ``told`` says; where one stands stays."""
        self._measure()
        top, here = (self._text.row(at).offsets[0] for at in (self._top, self._cursor))
        self._told = told
        self._text.show_borders(chunks)
        self._cursor = self._text.at(here)
        self._show_from(self._text.with_borders_above(self._text.at(top)))
        if self._cursor not in self._in_sight():
            self._stand(self._cursor, centre=True)
        self._place_cursor()

    def go(self, offset: int) -> None:
        """Stand on the row that holds an offset, a third down the screen unless it is in sight."""
        self._measure()
        self._stand(self._text.at(offset), centre=True)

    def go_to_line(self, line: int) -> None:
        """Stand on a line, from 1; the nearest where there is none of that number."""
        self.go(self._text.start_of(line))

    @property
    def line(self) -> int:
        """Number of the current line, from 1."""
        return self._text.row(self._cursor).line

    @property
    def lines(self) -> int:
        """Lines of the file."""
        return self._text.lines

    @property
    def line_text(self) -> str:
        """The current line as it stands in the file, without its end."""
        return self.file.text[slice(*self.line_span(self.line))]

    def line_span(self, line: int) -> Span:
        """Where a line stands in the file's text, from 1, without its end."""
        return self._text.start_of(line), self._text.end_of(line)

    # Finding.

    def find(self, text: str, *, step: int = 1) -> tuple[int, int]:
        """Stand on the next match of ``text`` in any case (the one before with ``step`` -1), round the ends.

        Returns:
            Which match it is, from 1, and how many there are; (0, 0) where there is none.
        """
        if text != self._sought:
            self._folded = self._folded or _fold(self.file.text)
            self._sought = text
            self._found = None
        wanted = _fold(text)
        if not wanted:
            self.clear_find()
            return 0, 0
        here = self._found[0] if self._found else self._text.row(self._cursor).offsets[0] - (step > 0)
        if step > 0:
            place = self._folded.find(wanted, here + 1)
            place = place if place >= 0 else self._folded.find(wanted)
        else:
            place = self._folded.rfind(wanted, 0, max(0, here + len(wanted) - 1))
            place = place if place >= 0 else self._folded.rfind(wanted)
        self._found = (place, place + len(wanted)) if place >= 0 else None
        self.refresh()
        if self._found is None:
            return 0, 0
        self.go(place)
        # Counted without overlaps, as they are walked: "aa" stands in "aaaa" three times.
        return _count(self._folded, wanted, place), _count(self._folded, wanted, None)

    def clear_find(self) -> None:
        """Forget the match and what was sought."""
        self._found, self._sought, self._folded = None, "", ""
        self.refresh()

    # Drawing.

    def count(self) -> int:
        """Rows in sight: the view scrolls by rows of its own, not by Textual's offset."""
        return len(self._in_sight())

    @property
    def _gutter(self) -> int:
        return max(NUMBERS, len(str(self._text.lines)) + 1) + 3

    def _in_sight(self) -> list[At]:
        if self._drawn is None:
            self._drawn = self._text.from_row(self._top, max(1, self.size.height))
        return self._drawn

    def pieces(self, line: int, width: int) -> Sequence[Piece]:
        """One row: number, bar, text."""
        at = self._in_sight()[line]
        row = self._text.row(at)
        if row.border is not None:
            indent = self._gutter - 3
            words = border_row(self._text.chunks, row.border, self._told, width - indent, self.signs)
            return [(" " * indent, "text"), *words]
        number = str(row.line) if row.first else ""
        here = row.line == self.line
        bar = self._bar(row)
        return [
            (number.rjust(self._gutter - 3), "text bold" if here else "muted"),
            (" ", "text"),
            (bar or " ", "accent" if bar else "text"),
            (" " * (1 + row.hang), "text"),
            *self._runs(row),
        ]

    def _bar(self, row: Row) -> str:
        if self._sentence and _covers(row, self._sentence):
            return self.signs.thick
        if self._excerpt:
            start, end = row.offsets[0], row.offsets[-1]
            if start < self._excerpt[1] and (self._excerpt[0] < end or self._excerpt[0] == start):
                return self.signs.thin
        return ""

    def _runs(self, row: Row) -> Sequence[Piece]:
        """The row's text in pieces of one role each: match over highlighter over heading."""
        base = "text bold" if self._is_heading(row) else "text"
        layers: list[tuple[int, int, str]] = []
        first, last = row.offsets[0], row.offsets[-1]
        shared = self._text.shared(first, last) if self._text.chunks else ()
        layers.extend((*row.columns(span), "muted") for span in shared)
        layers.extend((*row.columns(word), "accent bold") for word in self._bold if word[0] < last and first < word[1])
        if self._sentence:
            layers.append((*_inked(row, self._sentence), "mark"))
        if self._found:
            layers.append((*row.columns(self._found), "cursor"))
        cuts = sorted({0, len(row.text), *(place for start, end, _ in layers for place in (start, end))})
        runs: list[Piece] = []
        for start, end in pairwise(cuts):
            role = base
            for first, last, ink in layers:
                if first <= start and end <= last:
                    role = f"{base} {ink}"
            runs.append((row.text[start:end], role))
        return runs

    def _is_heading(self, row: Row) -> bool:
        if self.file.kind != "markdown" or len(self.file.text) > FENCED_BELOW:
            return False
        start = self._text.start_of(row.line)
        if not _HEADING.match(self.file.text, start):
            return False
        if self._fences is None:
            self._fences = [fence.start() for fence in _FENCE.finditer(self.file.text)]
        return bisect_right(self._fences, start) % 2 == 0

    # Keeping place.

    def _measure(self) -> None:
        """Wrap at the width that there is now; where one stands stays, though rows have other numbers then."""
        width = max(8, self.size.width - self._gutter - 1)
        if width != self._width:
            begun = [at if at == (0, 0) else self._text.row(at).offsets[0] for at in (self._top, self._cursor)]
            self._text.set_width(width)
            self._width = width
            self._top, self._cursor = (self._text.at(place) if isinstance(place, int) else place for place in begun)
        self._drawn = None

    def _stand(self, at: At, *, centre: bool = False) -> None:
        """Make a row of text the current one and bring it into sight: that beyond a border in its place."""
        before, was = self.line, self._cursor
        at = self._text.text_row(at, -1 if at < was else 1)
        self._cursor = at
        height = max(1, self.size.height)
        seen = self._in_sight()
        comfortable = seen[: max(1, height - height // 3)] if centre else seen
        if at in comfortable:
            self._redraw_numbers(seen, {self._text.row(was).line, self._text.row(at).line})
        elif centre:
            self._show_from(self._text.step(at, -(height // 3)))
        elif at < self._top:
            self._show_from(self._text.with_borders_above(at))
        else:
            self._show_from(self._text.step(at, 1 - height))
        self._place_cursor()
        if self.line != before:
            self.post_message(self.Moved())

    def _redraw_numbers(self, seen: Sequence[At], lines: set[int]) -> None:
        for place, at in enumerate(seen):
            row = self._text.row(at)
            if row.first and row.line in lines:
                self.redraw(place)

    def _show_from(self, top: At) -> None:
        height = max(1, self.size.height)
        self._top = max((0, 0), min(top, self._text.step(self._text.last, 1 - height)))
        self._drawn = None
        self.refresh()

    def _place_cursor(self) -> None:
        seen = self._in_sight()
        if self._cursor in seen:
            self.put_cursor(self._gutter, seen.index(self._cursor))

    # Handlers and actions.

    def on_resize(self) -> None:
        """Wrap anew; the line at the top stays there."""
        top, here = (self._text.row(at).offsets[0] for at in (self._top, self._cursor))
        self._measure()
        self._cursor = self._text.at(here)
        self._show_from(self._text.at(top))
        self._place_cursor()

    def on_focus(self) -> None:
        """Put the terminal's cursor on the current line."""
        self._place_cursor()

    def on_click(self, event: events.Click) -> None:
        """Make the clicked line the current one."""
        seen = self._in_sight()
        row = event.get_content_offset_capture(self).y
        if 0 <= row < len(seen):
            self._stand(seen[row])

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Scroll; the current line stays in sight."""
        event.stop()
        self._wheel(WHEEL)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Scroll; the current line stays in sight."""
        event.stop()
        self._wheel(-WHEEL)

    def _wheel(self, rows: int) -> None:
        self._show_from(self._text.step(self._top, rows))
        seen = self._in_sight()
        self._stand(min(max(self._cursor, seen[0]), seen[-1]))

    def action_up(self) -> None:
        """One row up."""
        self._stand(self._text.step(self._cursor, -1))

    def action_down(self) -> None:
        """One row down."""
        self._stand(self._text.step(self._cursor, 1))

    def action_page_up(self) -> None:
        """One screen up, one row kept."""
        self._page(1 - max(2, self.size.height))

    def action_page_down(self) -> None:
        """One screen down, one row kept."""
        self._page(max(2, self.size.height) - 1)

    def _page(self, rows: int) -> None:
        target = self._text.step(self._cursor, rows)
        self._show_from(self._text.step(self._top, rows))
        self._stand(target)

    def action_home(self) -> None:
        """To the first line."""
        self._stand((0, 0))

    def action_end(self) -> None:
        """To the last line."""
        self._stand(self._text.last)


def _covers(row: Row, span: Span) -> bool:
    start, end = _inked(row, span)
    return start < end


def _inked(row: Row, span: Span) -> tuple[int, int]:
    """What the highlighter covers of a row: the span's words, never blanks at either end."""
    start, end = row.columns(span)
    piece = row.text[start:end]
    if not piece.strip():
        return start, start
    return start + len(piece) - len(piece.lstrip()), end - len(piece) + len(piece.rstrip())


def _fold(text: str) -> str:
    """Small letters, place for place: only the dotted capital I would grow."""
    return text.replace("\u0130", "i").lower()


def _count(text: str, wanted: str, until: int | None) -> int:
    """Places where ``wanted`` begins, overlaps counted, up to and with ``until``."""
    if not _overlaps(wanted):
        return text.count(wanted) if until is None else text.count(wanted, 0, until + len(wanted))
    found, place = 0, text.find(wanted)
    while place >= 0 and (until is None or place <= until):
        found += 1
        place = text.find(wanted, place + 1)
    return found


def _overlaps(wanted: str) -> bool:
    """Whether two matches can share characters: some beginning is an end too."""
    return any(wanted.endswith(wanted[:size]) for size in range(1, len(wanted)))
