"""A file's page: its text, the excerpt and the sentence in it, finding, going to a line, walking citations."""

from collections.abc import Iterable, Sequence
from typing import ClassVar

from textual.binding import BindingType
from textual.widget import Widget

from lens_tui.requests import FileText
from lens_tui.tui.cells import cut_path, fitted, width_of
from lens_tui.tui.ink import signs_of
from lens_tui.tui.keymap import bindings_by_id
from lens_tui.tui.messages import CiteWish, CopyWish, EditWish, FindNews, OpenFileWish
from lens_tui.tui.screens.cutting import Cutting
from lens_tui.tui.screens.page import Page
from lens_tui.tui.widgets.drawn import Words
from lens_tui.tui.widgets.field import Field
from lens_tui.tui.widgets.fileview import FileView
from lens_tui.types import FileRow, Span


class FilePage(Page):
    """One file, standing at the line that was asked for."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings_by_id("cite.next", "cite.previous", "file.find", "file.line", "open.editor", "copy"),
        *bindings_by_id("file.chunks", "file.strategy", "file.recut"),
    ]
    part = "file"
    opens_field = ("file.find", "file.line")

    def __init__(
        self,
        file: FileText,
        *,
        line: int | None = None,
        excerpt: Span | None = None,
        sentence: Span | None = None,
        words: str = "",
        mark: str = "",
        why: str = "",
        position: str = "",
        changed: str = "",
        bold: Sequence[Span] = (),
        hints: str = "file",
        borders: bool = False,
    ) -> None:
        """Show a file.

        Args:
            file: Its text now.
            line: Where to stand, from 1; None for the sentence, else the excerpt, else the first line.
            excerpt: What the model had, in the text as it was answered from.
            sentence: The sentence that carries the claim, in the same text.
            words: That sentence word for word: where the text now says something else there, it is looked for, and
                never is another sentence marked.
            mark: The citation as it stands in the answer, its sign included (``[1]``).
            why: What its verdict says, or empty.
            position: Which citation of how many (``1 of 3``).
            changed: What happened to the file since the answer, or empty.
            bold: Words that a search found, in the file's text.
            hints: The row of the table of hints that holds while nothing is sought in it.
            borders: Whether the borders of its chunks are drawn.
        """
        super().__init__()
        self.file = file
        self.cutting = Cutting(self, borders)
        self._find = ""
        self._matches = (0, 0)
        self._asked = ""
        self._answered: tuple[Span | None, Span | None, str] = (None, None, "")
        self._bold, self._hints = tuple(bold), hints
        self._set(line, excerpt, sentence, words, (mark, why, position), changed)

    def _set(
        self,
        line: int | None,
        excerpt: Span | None,
        sentence: Span | None,
        words: str,
        citation: tuple[str, str, str],
        changed: str,
    ) -> None:
        text = self.file.text
        self._citation = citation
        self._changed = changed
        self._line = line
        self._excerpt, self._sentence = excerpt, sentence
        if not words and sentence:
            # The same citation again, in a text that was read anew: what it says is known from before.
            words = self._answered[2] if self._answered[1] == sentence else text[slice(*sentence)]
        self._answered = (excerpt, sentence, words)
        if sentence and words and text[slice(*sentence)] != words:
            place = nearest(text, words, sentence[0])
            shift = place - sentence[0] if place is not None else 0
            self._sentence = (place, place + len(words)) if place is not None else None
            self._excerpt = (excerpt[0] + shift, excerpt[1] + shift) if excerpt and place is not None else None
            self._line = None if place is not None else line
            before = line if line is not None else 0
            now = text.count("\n", 0, place) + 1 if place is not None else 0
            moved = f"the sentence moved from line {before} to {now}" if before and now else "the sentence moved"
            if place is None:
                moved = "the sentence that was cited is no longer in it"
                mark, why, position = citation
                self._citation = (mark, f"when answered: {why}" if why else "", position)
            elif before == now:
                moved = "the sentence is still there"
            self._changed = f"{changed or 'changed after the answer'}; {moved}"

    def show_file(
        self,
        file: FileText,
        *,
        line: int | None = None,
        excerpt: Span | None = None,
        sentence: Span | None = None,
        words: str = "",
        mark: str = "",
        why: str = "",
        position: str = "",
        changed: str = "",
        bold: Sequence[Span] = (),
        hints: str = "file",
    ) -> None:
        """Show another file or citation in the same page; arguments as in the constructor."""
        other = file != self.file
        self.file = file
        self._find, self._matches = "", (0, 0)
        self._bold, self._hints = tuple(bold), hints
        self._set(line, excerpt, sentence, words, (mark, why, position), changed)
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
        self.view.mark(self._excerpt, self._sentence)
        self.view.embolden(self._bold)
        if self._sentence and self._line is None:
            self.view.go(self._sentence[0])
        elif self._line is not None:
            self.view.go_to_line(self._line)
        elif self._excerpt:
            self.view.go(self._excerpt[0])

    def hint_part(self) -> str:
        """Hints of the field or of the matches, while there are some."""
        if self.is_mounted and self.field.display:
            return "field"
        return "finding" if self._find else self._hints

    def draw(self) -> None:
        """Name the file and the line, and say what is cited or found."""
        signs = signs_of(self)
        size, cut = self.cutting.count, self.cutting.told
        chunks = f"{size:,} chunk" + ("" if size == 1 else "s") if size else "not indexed yet"
        where = f"line {self.view.line:,} of {self.view.lines:,} · {chunks}"
        room = self.size.width - width_of(where) - (width_of(cut) + 2 if cut else 0) - 4
        path = cut_path(fitted(self.file.path), max(room, 12), signs.ellipsis)
        self.title_row.show(((path, "text bold"), (where, "muted")), ((cut, "muted"),))
        changed = self.query_one("#changed", Words)
        changed.display = bool(self._changed)
        if self._changed:
            changed.show(((" ", "text"), (signs.changed, "warn bold"), (f" {signs.said(self._changed)}", "text")))
        mark, why, position = self._citation
        if self._find:
            found, many = self._matches
            what = f"match {found:,} of {many:,}" if many else "found nowhere in this file"
            self.rule_row.show(((f"{fitted(self._find)}", "text bold"), (what, "muted")))
        elif self.cutting.cost:
            self.rule_row.show(self.cutting.cost)
        else:
            self.rule_row.show(((mark, "cursor"), (why, "muted")), None, ((position, "muted"),))
        super().draw()

    def on_file_view_moved(self) -> None:
        """Name the line."""
        self.draw()

    def rows_moved(self, rows: Sequence[FileRow], gone: Sequence[str], everything: bool = False) -> None:
        """Say that the file changes under the reader, and show its new text once it is read."""
        if self.file.path in gone:
            self._changed = "this file is gone; its text stands here as it was read"
        for row in rows:
            if row.path != self.file.path or everything:
                continue
            if row.state in ("changed", "reading", "waiting"):
                self._changed = "changed just now, being read again"
            elif row.state == "indexed":
                self.post_message(OpenFileWish(row.path, self.view.line, *self._answered[:2]))
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
        if number.isdecimal() and 1 <= int(number) <= self.view.lines:
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
        if self._sentence:
            self.post_message(CopyWish(self.file.text[slice(*self._sentence)], "the sentence"))
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


def nearest(text: str, words: str, near: int) -> int | None:
    """Offset at which ``words`` stand in ``text``, the one nearest to ``near``; None where they do not."""
    before, after = text.rfind(words, 0, near + len(words)), text.find(words, near)
    found = [place for place in (before, after) if place >= 0]
    return min(found, key=lambda place: abs(place - near)) if found else None
