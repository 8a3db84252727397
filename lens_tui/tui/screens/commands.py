"""The list of commands: everything that can be done, found by a few letters, themes among it."""

from collections.abc import Iterable

from textual.widget import Widget

from lens_tui.tui.ink import signs_of
from lens_tui.tui.keymap import BY_ID, keys_of, shown
from lens_tui.tui.messages import ThemeTried
from lens_tui.tui.picking import pick
from lens_tui.tui.screens.choosing import ChoosingPage
from lens_tui.tui.widgets.choices import Choices, Entry, Group

COMMANDS: tuple[tuple[str, str], ...] = (
    ("focus.ask", "write a question"),
    ("ask.again", "ask the last question again"),
    ("search.open", "search the files"),
    ("open.related", "passages like the current citation or hit"),
    ("talk.new", "begin a new conversation"),
    ("talk.list", "other conversations: read on, search, delete"),
    ("talk.rename", "rename this conversation"),
    ("talk.write", "write this conversation to a file, or copy it"),
    ("model.pick", "models: use another one, download one"),
    ("explain", "what the model was sent, or why a hit ranks so"),
    ("panel.files", "files: show or hide"),
    ("panel.sources", "sources: show or hide"),
    ("panel.status", "status of the index"),
    ("index.pause", "pause indexing, or go on"),
    ("index.stop", "stop indexing; what is done stays"),
    ("index.again", "read failed and left-out files again"),
    ("index.rebuild", "build the index anew from the files"),
    ("app.keys", "keys"),
    ("app.redraw", "draw the screen anew"),
    ("app.suspend", "leave to the shell for a while"),
    ("app.quit", "quit; nothing is lost"),
)
"""Id → what it does. Some have no key: the list is where they are."""
THEME = "theme."
"""What an id begins with that chooses a theme."""


class CommandsPage(ChoosingPage):
    """Commands and themes. A theme is tried while the cursor is on it, and taken back where none is chosen."""

    part = "commands"

    def __init__(self, themes: Iterable[str], theme: str) -> None:
        """List commands.

        Args:
            themes: Names of the themes that there are.
            theme: The one in use.
        """
        super().__init__()
        self._themes = tuple(themes)
        self._theme = theme
        self._tried = theme

    def body(self) -> Iterable[Widget]:
        """One column."""
        yield Choices(keys_first=False, id="list")

    def draw(self) -> None:
        """Name the page."""
        self.title_row.show((("Commands", "text bold"),))
        super().draw()

    def filter(self, text: str) -> None:
        """Show what holds the letters typed, the best first."""
        entries = [Entry(identity, title, self._key(identity)) for identity, title in COMMANDS]
        for name in self._themes:
            used = name == self._theme
            entries.append(
                Entry(
                    THEME + name, f"theme: {name}", "in use" if used else "", mark=signs_of(self).check if used else ""
                )
            )
        picks = pick(text, [entry.text for entry in entries])
        found = (entries[each.index] for each in picks)
        shown_entries = tuple(
            Entry(entry.id, entry.text, entry.keys, each.letters, entry.mark)
            for each, entry in zip(picks, found, strict=True)
        )
        self.list.show((Group("", shown_entries),))

    def _key(self, identity: str) -> str:
        if identity not in BY_ID or (identity.startswith(("index.", "talk.")) and identity != "talk.list"):
            return ""
        return " ".join(shown(name) for name in keys_of(identity, self.overrides))

    def on_choices_moved(self, event: Choices.Moved) -> None:
        """Try the theme under the cursor."""
        self._try(event.id.removeprefix(THEME) if event.id.startswith(THEME) else self._theme)

    def may_leave(self, chosen: str) -> bool:
        """A theme that is chosen stays; for anything else the old one comes back."""
        if not chosen.startswith(THEME):
            self._try(self._theme)
        return True

    def action_app_back(self) -> None:
        """Leave, the theme as it was."""
        self._try(self._theme)
        super().action_app_back()

    def _try(self, name: str) -> None:
        if name != self._tried:
            self._tried = name
            self.app.post_message(ThemeTried(name))
