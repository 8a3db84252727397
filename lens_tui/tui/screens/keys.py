"""The page of keys, drawn from the key map: those of the place it was opened from, then those that work everywhere."""

from collections.abc import Iterable

from textual.widget import Widget

from lens_tui.tui.keymap import KEYMAP, Key, keys_of, shown
from lens_tui.tui.screens.choosing import ChoosingPage
from lens_tui.tui.widgets.choices import Choices, Entry, Group

PLACES = {
    "question": "in the question",
    "answer": "in an answer",
    "sources": "in the sources",
    "files": "in the files",
    "file": "in a file",
    "search": "in the search",
    "hits": "among the hits",
    "status": "in the status",
    "sent": "in what was sent",
    "keys": "in a list",
    "commands": "in a list",
    "talks": "among the conversations",
    "models": "among the models",
}
"""Part of the screen → how the page says where its keys hold."""
TWO_COLUMNS_FROM = 80
EMPTY_BOX = ("app.commands", "app.keys", "search.open")
"""What an empty question box takes by its sign."""
SPOKEN = {"cite.number": "1-9", "move": "arrows j k"}
"""Keys too many to be listed one by one."""


class KeysPage(ChoosingPage):
    """What every key does where one stands; Enter does it."""

    part = "keys"

    def __init__(self, where: str = "answer") -> None:
        """Show the keys of a part of the screen (see ``keymap.ANYWHERE``)."""
        super().__init__()
        self._where = where if where in PLACES else "answer"

    def body(self) -> Iterable[Widget]:
        """Two columns, where there is room."""
        yield Choices(keys_first=True, two_columns_from=TWO_COLUMNS_FROM, id="list")

    def draw(self) -> None:
        """Say where the keys hold, and how they are changed."""
        left = (("Keys", "text bold"), (PLACES[self._where], "muted"))
        self.title_row.show(left, (("change them in settings.toml", "muted"),))
        super().draw()

    def filter(self, text: str) -> None:
        """Keep the keys whose names or words hold every word typed."""
        words = text.lower().split()
        here: list[Entry] = []
        everywhere: list[Entry] = []
        for key in KEYMAP:
            if self._where not in key.where:
                continue
            entry = Entry(key.id, key.does, self._keys(key))
            if all(word in f"{entry.keys} {entry.text} {key.id}".lower() for word in words):
                (everywhere if key.id.startswith(("app.", "focus.", "panel.")) else here).append(entry)
        self.list.show((Group("Here", tuple(here)), Group("Everywhere", tuple(everywhere))))

    def may_leave(self, chosen: str) -> bool:
        """Keys that stand for many things cannot be done by one Enter."""
        if chosen in SPOKEN:
            self.say(f"Press {SPOKEN[chosen]} itself, {PLACES[self._where]}.")
        return chosen not in SPOKEN

    def _keys(self, key: Key) -> str:
        if key.id in SPOKEN:
            return SPOKEN[key.id]
        names = [shown(name) for name in keys_of(key.id, self.overrides)]
        if self._where == "search" or (self._where == "question" and key.id not in EMPTY_BOX):
            # A letter is typed there; what is left works while one types.
            names = [name for name in names if len(name) > 1] or names
        return " ".join(names)
