"""How the main screen's parts share its rows and columns, and which of them can have the focus."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from textual.widget import Widget

from lens_tui.tui.widgets.chat import WIDEST

if TYPE_CHECKING:
    from lens_tui.tui.screens.main import MainScreen

WIDE, MIDDLE = 120, 96
"""Columns from which files and sources, and sources alone, stand beside the chat."""
FILES_WIDTH, SOURCES_WIDTH, SOURCES_WIDEST = 24, 37, 60
LOW, LOWER = 20, 16
"""Rows under which the hints go, and then the top row."""
TINY = (50, 12)
"""Columns and rows under which only answer and question are left."""

PARTS: Mapping[str, str] = {
    "question": "question",
    "chat": "answer",
    "sources": "sources",
    "sheet": "sources",
    "tree": "files",
}
"""Widget's id → part of the screen in the key map."""


def share(screen: "MainScreen", width: int, height: int) -> None:
    """Choose what has room; the chat grows before the sources do."""
    fits = {
        "-wide": width >= WIDE,
        "-middle": MIDDLE <= width < WIDE,
        "-narrow": width < MIDDLE,
        "-low": height < LOW,
        "-lower": height < LOWER,
        "-tiny": width < TINY[0] or height < TINY[1],
    }
    if any(screen.has_class(name) != fit for name, fit in fits.items()):
        # One pass of the stylesheet for all of them: each costs milliseconds of the first paint.
        screen.remove_class(*(name for name, fit in fits.items() if not fit), update=False)
        screen.add_class(*(name for name, fit in fits.items() if fit), update=True)
    files = FILES_WIDTH + 1 if width >= WIDE and not screen.has_class("-no-files") else 0
    free = width - files - 1
    chat = min(free - SOURCES_WIDTH, WIDEST)
    column, wanted = screen.query_one("#sources-column"), max(min(free - chat, SOURCES_WIDEST), SOURCES_WIDTH)
    if width >= MIDDLE and column.size.width != wanted:
        column.styles.width = wanted
    if screen.focused is not None and screen.focused not in stops(screen):
        screen.question.focus()


def stops(screen: "MainScreen") -> list[Widget]:
    """Parts that can have the focus now, in Tab's order."""
    parts: list[Widget] = [screen.question, screen.chat, screen.sheet, screen.sources, screen.tree_view]
    return [part for part in parts if part.display and all(getattr(up, "display", True) for up in part.ancestors)]


def toggle(screen: "MainScreen", hidden: str, part: Widget) -> None:
    """Show a column and go to it; from it, hide it. ``hidden`` is the class that hides it."""
    if screen.has_class(hidden):
        screen.set_class(False, hidden)
        share(screen, *screen.size)
        screen.call_after_refresh(part.focus)
    elif screen.focused is part:
        screen.question.focus()
        screen.set_class(True, hidden)
        share(screen, *screen.size)
    else:
        part.focus()


def toggle_sheet(screen: "MainScreen") -> None:
    """Show the current source below the chat, or hide it."""
    if screen.has_class("-sheet"):
        screen.close_sheet()
    else:
        screen.choose(screen.talk.chosen or screen.talk.first())


HIDING = ("-no-files", "-no-sources")
"""Classes that hide a column."""


def kept(screen: "MainScreen") -> dict[str, object]:
    """Panels that are hidden and the place in the conversation, as ``restore`` takes them."""
    place = screen.chat.top_place()
    return {
        "hidden": [name for name in HIDING if screen.has_class(name)],
        "place": list(place) if place is not None else None,
    }


def restore(screen: "MainScreen", state: Mapping[str, object]) -> None:
    """Bring back what was kept, the unsent question too; whatever does not look like it is passed over."""
    hidden, place, unsent = state.get("hidden"), state.get("place"), state.get("question")
    if isinstance(opened := state.get("open"), list | tuple):
        kept_open = {key for key in opened if isinstance(key, str)}
        screen.tree_view.open_folders({*screen.tree_view.opened, *kept_open})
    if isinstance(unsent, str) and unsent and not screen.question.text:
        screen.question.write(unsent)
    if isinstance(hidden, list | tuple):
        for name in HIDING:
            screen.set_class(name in hidden, name)
        share(screen, *screen.size)
    if isinstance(place, list | tuple) and len(place) == 3 and all(isinstance(part, int) for part in place):
        screen.call_after_refresh(screen.chat.stand_at, tuple(place))
