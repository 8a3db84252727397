"""A file's page: its text, the excerpt and the sentence in it, finding, going to a line, walking citations."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import ClassVar

from textual.binding import BindingType
from textual.widget import Widget

from lens_tui.requests import FileText
from lens_tui.tui.cells import cut_path, fitted, width_of
from lens_tui.tui.ink import signs_of
from lens_tui.tui.keymap import bindings_by_id
from lens_tui.tui.landing import FIRST_LINE, Landing
from lens_tui.tui.messages import CiteWish, CopyWish, EditWish, FindNews, OpenFileWish
from lens_tui.tui.screens.cutting import Cutting
from lens_tui.tui.screens.page import Page
from lens_tui.tui.widgets.drawn import Words
from lens_tui.tui.widgets.field import Field
from lens_tui.tui.widgets.fileview import FileView
from lens_tui.types import FileRow

MOST_DIGITS = 18
"""Of a line's number: Python refuses to read one of thousands."""


class FilePage(Page):
    """One file, standing at the line that was asked for."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings_by_id("cite.next", "cite.previous", "file.find", "file.line", "open.editor", "copy"),
        *bindings_by_id("file.chunks", "file.strategy", "file.recut"),
    ]
    part = "file"
    opens_field = ("file.find", "file.line")

    def __init__(self, file: FileText, landing: Landing = FIRST_LINE, *, borders: bool = False) -> None:
        """Show a file's text as it is now; ``borders`` says whether those of its chunks are drawn."""
        super().__init__()
        self.file = file
        self.cutting = Cutting(self, borders)
        self._find = ""
        self._matches = (0, 0)
        self._asked = ""
        self._wanted = FIRST_LINE
        self._land(landing)

    def _land(self, landing: Landing) -> None:
        if landing.sentence and not landing.words:
            # The same citation again, in a text that was read anew: what it says is known from before.
            again = self._wanted.sentence == landing.sentence
            words = self._wanted.words if again else self.file.text[slice(*landing.sentence)]
            landing = replace(landing, words=words)
        self._wanted = landing
        self._landing = landing.within(self.file.text)

    def show_file(self, file: FileText, landing: Landing) -> None:
        """Show another file or citation in the same page."""
        other = file != self.file
        self.file = file
        self._find, self._matches = "", (0, 0)
        self._land(landing)
        if other:
            self.view.show(file)
            self.cutting.forget()
        else:
            self.view.clear_find()
        self._stand()
        self.draw()

    @property
    def view(self) -> FileView:
        """The text."""
        return self.query_one(FileView)

    @property
    def field(self) -> Field:
        """The field of find and line, while it is open."""
        return self.query_one(Field)

    def body(self) -> Iterable[Widget]:
        """A row on what changed, and the text."""
        yield Words(id="changed")
        yield FileView(self.file)

    def below(self) -> Iterable[Widget]:
        """The field."""
        yield Field("/", "")

    def on_mount(self) -> None:
        """Stand where it was asked."""
        self.field.display = False
        self.cutting.draw()
        self.set_focus(self.view)
        self.call_after_refresh(self._stand)

    def _stand(self) -> None:
        landing = self._landing
        self.view.mark(landing.excerpt, landing.sentence)
        self.view.embolden(landing.bold)
        if landing.line is not None:
            self.view.go(landing.offset(*self.view.line_span(landing.line)))
        elif (span := landing.sentence or landing.excerpt) is not None:
            self.view.go(span[0])

    def hint_part(self) -> str:
        """Hints of the field, of the matches or of a strategy that is tried, while there is one."""
        if self.is_mounted and self.field.display:
            return "field"
        if self._find:
            return "finding"
        return "tried" if self.cutting.trying else self._landing.hints

    def draw(self) -> None:
        """Name the file and the line, and say what is cited or found."""
        signs, landing = signs_of(self), self._landing
        size, cut = self.cutting.count, self.cutting.told
        chunks = f"{size:,} chunk" + ("" if size == 1 else "s") if size else "not indexed yet"
        where = f"line {self.view.line:,} of {self.view.lines:,} · {chunks}"
        room = self.size.width - width_of(where) - (width_of(cut) + 2 if cut else 0) - 4
        path = cut_path(fitted(self.file.path), max(room, 12), signs.ellipsis)
        self.title_row.show(((path, "text bold"), (where, "muted")), ((cut, "muted"),))
        changed = self.query_one("#changed", Words)
        changed.display = bool(landing.changed)
        if landing.changed:
            changed.show(((" ", "text"), (signs.changed, "warn bold"), (f" {signs.said(landing.changed)}", "text")))
        if self._find:
            found, many = self._matches
            what = f"match {found:,} of {many:,}" if many else "found nowhere in this file"
            self.rule_row.show(((f"{fitted(self._find)}", "text bold"), (what, "muted")))
        elif self.cutting.cost:
            self.rule_row.show(self.cutting.cost)
        else:
            self.rule_row.show(((landing.mark, "cursor"), (landing.why, "muted")), None, ((landing.position, "muted"),))
        super().draw()

    def on_file_view_moved(self) -> None:
        """Name the line."""
        self.draw()

    def rows_moved(self, rows: Sequence[FileRow], gone: Sequence[str], everything: bool = False) -> None:
        """Say that the file changes under the reader, and show its new text once it is read."""
        if self.file.path in gone:
            self._landing = replace(self._landing, changed="this file is gone; its text stands here as it was read")
        for row in rows:
            if row.path != self.file.path or everything:
                continue
            if row.state in ("changed", "reading", "waiting"):
                self._landing = replace(self._landing, changed="changed just now, being read again")
            elif row.state == "indexed":
                self.post_message(OpenFileWish(row.path, self.view.line, self._wanted.excerpt, self._wanted.sentence))
        self.draw()

    # Fields and actions.

    def on_field_sent(self, event: Field.Sent) -> None:
        """Find, or go to a line."""
        asked, text = self._asked, event.text
        self._close_field()
        if asked == "line":
            self._go_to_line(text)
        elif text:
            self._find = text
            self._walk(1)

    def _go_to_line(self, text: str) -> None:
        number = text.strip().replace(",", "")
        if not number:
            return
        if number.isdecimal() and len(number) <= MOST_DIGITS and 1 <= int(number) <= self.view.lines:
            self.view.go_to_line(int(number))
        else:
            self.say(f"There is no line {fitted(text.strip())}: type a number from 1 to {self.view.lines:,}.")

    def _walk(self, step: int) -> None:
        self._matches = self.view.find(self._find, step=step)
        self.draw()

    def _close_field(self) -> None:
        self.field.display = False
        self.set_focus(self.view)
        self.draw()

    def action_file_find(self) -> None:
        """Open the field for what is to be found."""
        self._asked = "find"
        self.field.ask("/", "find in this file, in capitals or not")
        self.show_hints()

    def action_file_line(self) -> None:
        """Open the field for a line's number."""
        self._asked = "line"
        self.field.ask("g", f"number of a line, 1 to {self.view.lines:,}")
        self.show_hints()

    def action_file_chunks(self) -> None:
        """Show or hide the borders of chunks."""
        self.cutting.toggle()

    def action_file_strategy(self) -> None:
        """Try the next strategy on this file."""
        self.cutting.try_next()

    def action_file_recut(self) -> None:
        """Take what is tried over for the folder, after saying what that costs."""
        self.cutting.take_over()

    def find_news(self, news: FindNews) -> None:
        """Take what the engine says of cutting."""
        self.cutting.news(news)

    def action_cite_next(self) -> None:
        """The next match while matches are walked, else the next citation."""
        self._step(1)

    def action_cite_previous(self) -> None:
        """The match before, or the citation before."""
        self._step(-1)

    def _step(self, step: int) -> None:
        if self._find:
            self._walk(step)
        else:
            self.post_message(CiteWish(step))

    def action_open_editor(self) -> None:
        """Open the file in the person's editor at the current line."""
        self.post_message(EditWish(self.file.path, self.view.line))

    def action_copy(self) -> None:
        """Copy the marked sentence, or the current line where none is marked."""
        if (sentence := self._landing.sentence) is not None:
            self.post_message(CopyWish(self.file.text[slice(*sentence)], "the sentence"))
        else:
            self.post_message(CopyWish(self.view.line_text, "the line"))

    def action_app_back(self) -> None:
        """Close the field, else end the walk over matches, else leave."""
        if self.field.display:
            self._close_field()
        elif self._find:
            self._find = ""
            self.view.clear_find()
            self.draw()
        else:
            super().action_app_back()
