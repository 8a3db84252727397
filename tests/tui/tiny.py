"""A small app that knows what a drawn widget and a page ask of theirs: themes, inks, signs, folder; it keeps wishes."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from rich.style import Style
from textual.app import App, ComposeResult
from textual.message import Message
from textual.screen import Screen
from textual.widget import Widget

from lens_tui.tui import messages
from lens_tui.tui.ink import Inks
from lens_tui.tui.signs import UNICODE, Signs
from lens_tui.tui.themes import load_themes, textual_theme, theme_directories

HERE = Path(__file__).parent


class TinyApp(App[object]):
    """One widget or one page, in one of the real themes."""

    TITLE = "lens-tui"
    ENABLE_COMMAND_PALETTE = False
    CSS = "Screen { background: $lens-background; color: $lens-text; }"

    def __init__(
        self,
        widget: Callable[[], Widget] | None = None,
        *,
        page: Callable[[], Screen[Any]] | None = None,
        theme: str = "lens-dark",
        signs: Signs = UNICODE,
        keys: Mapping[str, str] | None = None,
    ) -> None:
        self.themes, _ = load_themes(theme_directories(HERE))
        self.ink = Inks(self.themes[theme])
        super().__init__(ansi_color=self.themes[theme].ansi)
        for each in self.themes.values():
            self.register_theme(textual_theme(each))
        self.theme = theme
        self.signs = signs
        self.keys = dict(keys or {})
        self.folder = Path("/home/ada/notes")
        self.folder_name = "~/notes"
        self.widget = widget
        self.page = page
        self.wishes: list[Message] = []

    def compose(self) -> ComposeResult:
        if self.widget is not None:
            yield self.widget()

    def on_mount(self) -> None:
        if self.page is not None:
            self.push_screen(self.page())

    def restyle(self, theme: str) -> None:
        self.ink = Inks(self.themes[theme])
        self.theme = theme

    def on_open_file_wish(self, wish: messages.OpenFileWish) -> None:
        self.wishes.append(wish)

    def on_edit_wish(self, wish: messages.EditWish) -> None:
        self.wishes.append(wish)

    def on_command_chosen(self, wish: messages.CommandChosen) -> None:
        self.wishes.append(wish)

    def on_cite_wish(self, wish: messages.CiteWish) -> None:
        self.wishes.append(wish)

    def on_copy_wish(self, wish: messages.CopyWish) -> None:
        self.wishes.append(wish)

    def on_theme_tried(self, wish: messages.ThemeTried) -> None:
        self.wishes.append(wish)

    def on_find_wish(self, wish: messages.FindWish) -> None:
        self.wishes.append(wish)

    def on_borders_shown(self, wish: messages.BordersShown) -> None:
        self.wishes.append(wish)

    def on_control_wish(self, wish: messages.ControlWish) -> None:
        self.wishes.append(wish)


def row_text(app: App[object], y: int) -> str:
    """The characters of one row of the screen."""
    return "".join(segment.text for segment in app.screen._compositor.render_strips()[y])


def style_at(app: App[object], x: int, y: int) -> Style:
    """The style of one cell."""
    for segment in app.screen._compositor.render_strips()[y].divide([x, x + 1])[1]:
        return segment.style or Style()
    raise IndexError(x)
