"""The list of conversations: read on, search all that was said, rename, delete and bring back, write to a file."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual.binding import BindingType
from textual.widget import Widget

from lens_tui.requests import EditTalk, ExportTalk, ListTalks, Request, TalkList, TalkText
from lens_tui.text.display import one_line
from lens_tui.tui.cells import cut_end
from lens_tui.tui.ink import signs_of
from lens_tui.tui.keymap import bindings_by_id
from lens_tui.tui.layout.facts import count
from lens_tui.tui.layout.moments import Local, moment
from lens_tui.tui.messages import CopyWish, FindWish, TalkTitled, TalkWish
from lens_tui.tui.screens.choice import Choice
from lens_tui.tui.screens.choosing import ChoosingPage
from lens_tui.tui.widgets.choices import Choices, Entry, Group
from lens_tui.tui.widgets.field import Field
from lens_tui.tui.writing import name_for, path_of, write
from lens_tui.types import Failed

if TYPE_CHECKING:
    from lens_tui.history import TalkRow
    from lens_tui.tui.messages import FindNews

NEW = "new"
"""Id of the entry that begins a new conversation."""
SEEK = "type to search all questions and answers"
FORMS = {"m": "Markdown", "j": "JSON with everything", "c": "copy as Markdown"}
"""Keys and words of what a conversation can be written as."""
FULL_WIDTH = 70
"""Columns from which a row also says how many turns a conversation has."""


class TalksPage(ChoosingPage):
    """Conversations, the one with the newest question first. A search goes over everything that was said."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings_by_id("talk.rename", "talk.delete", "talk.undo", "talk.write", "talk.new")
    ]
    part = "talks"

    def __init__(
        self,
        current: int | None,
        folder: str,
        *,
        answering: bool = False,
        doing: str = "",
        clock: Callable[[], float] = time.time,
        local: Local = time.localtime,
    ) -> None:
        """List conversations.

        Args:
            current: Id of the one on the screen.
            folder: The folder's name as drawn.
            answering: Whether an answer is coming there, so that it cannot be left or deleted.
            doing: ``rename`` or ``write``: what is to be done at once with the current one.
            clock: Seconds since the epoch.
            local: Seconds since the epoch → the clock on the person's wall.
        """
        super().__init__()
        self._current, self._folder, self._answering, self._doing = current, folder, answering, doing
        self._clock, self._local = clock, local
        self._query, self._number, self._shown = "", 0, 0
        self._found = TalkList(query="")
        self._deleted: list[TalkRow] = []
        self._asked, self._form, self._subject = "", "m", 0
        self._text = ""

    def body(self) -> Iterable[Widget]:
        """One column."""
        yield Choices(keys_first=False, nothing="nothing like that was said", id="list")

    def on_mount(self) -> None:
        """Say what the field is for."""
        self.query_one(Field).ask("/", SEEK)

    def hint_part(self) -> str:
        """Keys of the field, of the list, or of what is asked in the field."""
        if self._asked:
            return "naming"
        if self.is_mounted and self.query_one(Field).typing:
            return "talk field"
        if self._row() is None:
            return "all deleted" if self._deleted else "no talk"
        return "deleted" if self._deleted else "talks"

    def on_choices_moved(self) -> None:
        """What stands for no conversation cannot be written or deleted: its keys are not named there."""
        self.show_hints()

    def draw(self) -> None:
        """Say how many there are, and what was deleted."""
        found = self._found
        tally = (
            f"{found.total:,}"
            if len(found.talks) == found.total
            else f"the newest {len(found.talks)} of {found.total:,}"
        )
        self.title_row.show((("Conversations", "text bold"), (tally, "muted")), ((self._folder, "muted"),))
        words = ""
        if self._deleted:
            others = f" and {len(self._deleted) - 1} more" if len(self._deleted) > 1 else ""
            words = f"deleted {one_line(self._deleted[-1].title)}{others}; z in the list brings it back until you leave"
        self.rule_row.show(words)
        super().draw()

    # The list.

    def filter(self, text: str) -> None:
        """Search at each letter."""
        self._query = text
        self._ask(ListTalks(query=text))

    def _ask(self, request: Request) -> None:
        self._number += 1
        self.post_message(FindWish(self, request, self._number))

    def find_news(self, news: FindNews) -> None:
        """Show what the engine found, unless something newer is shown; or go on with what was asked."""
        event = news.event
        if isinstance(event, TalkList) and news.number > self._shown:
            before, self._shown, self._found = self._found, news.number, event
            self._show(stay=isinstance(news.request, EditTalk))
            if isinstance(news.request, EditTalk):
                self._edited(news.request, before)
            self._begin()
        elif isinstance(event, TalkList) and isinstance(news.request, EditTalk):
            # A newer list is shown already; what was edited is to be told all the same.
            self._edited(news.request, self._found)
        elif isinstance(event, TalkText):
            self._take(event.text)
        elif isinstance(event, Failed):
            if isinstance(news.request, EditTalk) and news.request.deleted:
                self._deleted = [row for row in self._deleted if row.id != news.request.talk]
                self.draw()
            self.say(f"{event.message} {event.hint}".strip())

    def _show(self, *, stay: bool) -> None:
        entries = [self._entry(row) for row in self._found.talks]
        if not self._query:
            entries.append(Entry(NEW, "new conversation", "the others stay"))
        self.list.show((Group("", tuple(entries)),), stay=stay)
        self.draw()

    def _entry(self, row: TalkRow) -> Entry:
        asked = f"{moment(row.asked_at, self._clock(), self._local):>10}"
        title, note = one_line(row.title) or signs_of(self).ellipsis, one_line(row.snippet)
        if note:
            title = cut_end(title, max(12, self.size.width // 3), signs_of(self).ellipsis)
        elif self.size.width >= FULL_WIDTH:
            asked = f"{count(row.turns, 'question')}  {asked}"
        mark = signs_of(self).check if row.id == self._current else ""
        return Entry(str(row.id), title, asked, _letters(title, self._query), mark, note, _letters(note, self._query))

    def _edited(self, edit: EditTalk, before: TalkList) -> None:
        """Stand on what was renamed or brought back, or where something was deleted; tell the screen its title."""
        rows = self._found.talks
        if edit.deleted:
            at = next((at for at, row in enumerate(before.talks) if row.id == edit.talk), 0)
            self.list.choose(str(rows[min(at, len(rows) - 1)].id) if rows else NEW)
            return
        self.list.choose(str(edit.talk))
        row = next((row for row in rows if row.id == edit.talk == self._current), None)
        if edit.title is not None and row is not None:
            self.app.post_message(TalkTitled(row.title))

    def _begin(self) -> None:
        """Do at once what the page was opened for."""
        doing, self._doing = self._doing, ""
        if not doing:
            return
        self.list.choose(str(self._current))
        if self._row() is None:
            self.say("This conversation is still empty.")
        elif doing == "rename":
            self.action_talk_rename()
        else:
            self.action_talk_write()

    def _row(self) -> TalkRow | None:
        """The conversation under the cursor."""
        return next((row for row in self._found.talks if str(row.id) == self.list.chosen), None)

    # The field.

    def on_field_typed(self, event: Field.Typed) -> None:
        """A title or a file's name is no search."""
        if self._asked:
            event.prevent_default()

    def on_field_sent(self, event: Field.Sent) -> None:
        """Enter names the conversation or the file; else it reads on."""
        if not self._asked:
            return
        event.prevent_default()
        asked = self._asked
        self._leave_field()
        if asked == "title":
            self._ask(EditTalk(talk=self._subject, title=event.text, query=self._query))
        elif event.text.strip():
            self._write(path_of(event.text, name_for("", self._ending)))

    def _ask_for(self, what: str, sign: str, placeholder: str, text: str) -> None:
        self._asked = what
        field = self.query_one(Field)
        field.ask(sign, placeholder)
        field.write(text)
        self.draw()

    def _leave_field(self) -> None:
        self._asked = ""
        field = self.query_one(Field)
        field.ask("/", SEEK)
        field.write(self._query)
        self.set_focus(self.list)
        self.draw()

    # What the person does.

    def on_choices_chosen(self, event: Choices.Chosen) -> None:
        """Read on."""
        event.prevent_default()
        if self._answering and event.id != str(self._current):
            self.say("An answer is coming: Esc stops it first, on the page before this one.")
            return
        row = self._row()
        turn = row.turn if row is not None and self._query else None
        self._leave(TalkWish(row.id if row is not None else None, turn))

    def _leave(self, wish: TalkWish | None) -> None:
        """Leave; what stood on the screen and was deleted gives way to a new conversation."""
        if wish is None and any(row.id == self._current for row in self._deleted):
            wish = TalkWish(None)
        app = self.app
        self.dismiss()
        if wish is not None and (wish.talk != self._current or wish.turn is not None):
            app.post_message(wish)

    def action_talk_new(self) -> None:
        """Begin a new conversation."""
        if self._answering:
            self.say("An answer is coming: Esc stops it first, on the page before this one.")
        else:
            self._leave(TalkWish(None))

    def action_talk_rename(self) -> None:
        """Give the conversation under the cursor another title."""
        if (row := self._row()) is not None:
            self._subject = row.id
            self._ask_for("title", "r", "a title; empty for the first question's", row.title)

    def action_talk_delete(self) -> None:
        """Delete the conversation under the cursor."""
        row = self._row()
        if row is None:
            return
        if self._answering and row.id == self._current:
            self.say("An answer is coming in it: Esc stops it first, on the page before this one.")
            return
        self._deleted.append(row)
        self._ask(EditTalk(talk=row.id, deleted=True, query=self._query))

    def action_talk_undo(self) -> None:
        """Bring back what was deleted last."""
        if not self._deleted:
            self.say("Nothing was deleted here.")
            return
        self._ask(EditTalk(talk=self._deleted.pop().id, deleted=False, query=self._query))

    def action_talk_write(self) -> None:
        """Write the conversation under the cursor to a file, or copy it."""
        row = self._row()
        if row is None:
            return
        self._subject = row.id

        def chosen(form: str | None) -> None:
            if form:
                self._form = form
                self._ask(ExportTalk(talk=row.id, form="json" if form == "j" else "markdown"))

        self.app.push_screen(Choice(FORMS), chosen)

    @property
    def _ending(self) -> str:
        return "json" if self._form == "j" else "md"

    def _take(self, text: str) -> None:
        """Copy a text that came, or ask where it is to be written."""
        if self._form == "c":
            self.post_message(CopyWish(text, "the conversation"))
            return
        self._text = text
        row = next((row for row in self._found.talks if row.id == self._subject), None)
        self._ask_for("file", "w", "where to write it", name_for(row.title if row else "", self._ending))

    def _write(self, path: Path) -> None:
        written = write(path, self._text)
        if not written.is_there:
            self.say(written.said)
            return

        def chosen(key: str | None) -> None:
            self.say(write(path, self._text, over=True).said if key else "Nothing was written.")

        self.app.push_screen(Choice({"o": f"write over {one_line(path.name)}, which is there already"}), chosen)

    def action_app_back(self) -> None:
        """From what is asked to the list, else leave."""
        if self._asked:
            self._leave_field()
        elif self.is_current:
            self._leave(None)


def _letters(text: str, query: str) -> tuple[int, ...]:
    """Places in ``text`` where a word of the query stands, in capitals or not."""
    folded = text.lower()
    if len(folded) != len(text):
        return ()
    places: set[int] = set()
    for word in query.lower().split():
        at = folded.find(word)
        while at >= 0:
            places.update(range(at, at + len(word)))
            at = folded.find(word, at + 1)
    return tuple(sorted(places))
