"""What a person wishes of files, copies, themes and commands, and who does it; the app is made of it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, cast

from textual.app import App

from lens_tui.tui import messages as news
from lens_tui.tui.ink import Inks
from lens_tui.tui.themes import LensTheme, on_light, textual_theme

if TYPE_CHECKING:
    from lens_tui.settings import Settings
    from lens_tui.tui.app import LensApp
    from lens_tui.tui.link import Link
    from lens_tui.tui.person import Person
    from lens_tui.tui.screens.found import FoundPage
    from lens_tui.tui.screens.main import MainScreen
    from lens_tui.tui.sought import Sought


class Wishes(App[int], inherit_bindings=False):
    """Answers the messages that ask for something which the main screen cannot do by itself."""

    folder: Path
    settings: Settings
    themes: Mapping[str, LensTheme]
    look: LensTheme
    person: Person | None
    ink: Inks
    sought: Sought

    @property
    def main(self) -> MainScreen:
        """The main screen."""
        raise NotImplementedError

    @property
    def link(self) -> Link:
        """The way to the engine."""
        raise NotImplementedError

    def tell(self, text: str) -> None:
        """Say a sentence in the hint row of the screen on top."""
        raise NotImplementedError

    @property
    def _whole(self) -> LensApp:
        return cast("LensApp", self)

    def on_open_file_wish(self, message: news.OpenFileWish) -> None:
        """Read a file as the index reads it, then show it."""
        self.link.open_file(message)

    def on_file_opened(self, message: news.FileOpened) -> None:
        """Show a file over what was there."""
        from lens_tui.tui.opening import show_file

        show_file(self._whole, message)

    def found_page(self) -> FoundPage | None:
        """The uppermost page of hits that is open; what stands over it was opened from it."""
        if len(self.screen_stack) == 1:
            return None
        from lens_tui.tui.screens.found import FoundPage

        return next((screen for screen in reversed(self.screen_stack) if isinstance(screen, FoundPage)), None)

    def action_search_open(self) -> None:
        """Open the search page."""
        self.on_search_page_wish(news.SearchPageWish())

    def on_search_page_wish(self, message: news.SearchPageWish) -> None:
        """Open the search page, or go back to it."""
        from lens_tui.tui.opening import show_search

        show_search(self._whole, typing=message.typing)

    def action_open_related(self) -> None:
        """Open the page of passages like the current citation or hit."""
        from lens_tui.tui.opening import relate

        relate(self._whole)

    def on_find_wish(self, message: news.FindWish) -> None:
        """Ask the engine for a page."""
        self.link.find(message)

    def on_find_news(self, message: news.FindNews) -> None:
        """Hand a page what came for it, while it is there."""
        take = getattr(message.page, "find_news", None)
        if take is not None and message.page.is_attached:
            take(message)

    borders = False
    """Whether files are shown with the borders of their chunks."""

    def on_borders_shown(self, message: news.BordersShown) -> None:
        """Keep that for the next file, and for another day."""
        self.borders = message.shown
        self.link.remember({"borders": message.shown})

    def on_folders_opened(self, message: news.FoldersOpened) -> None:
        """Keep them for next time; on a page of their own the files show what is open beside the chat, and back."""
        if self.main.tree_view.opened != message.opened:
            self.main.tree_view.open_folders(message.opened)
        self.link.remember({"open": list(message.opened)})

    def on_ranking_chosen(self, message: news.RankingChosen) -> None:
        """Keep the ranking for another day."""
        self.link.remember({"ranking": message.ranking})

    def on_files_page_wish(self, message: news.FilesPageWish) -> None:
        """Show the files as a page."""
        from lens_tui.tui.opening import show_files

        show_files(self._whole, filtering=message.filtering)

    def on_cite_wish(self, message: news.CiteWish) -> None:
        """Walk citations or hits from the file page: the next one's file, at its line."""
        found = self.found_page()
        if found is not None:
            if found.step(message.step):
                found.action_open_file()
            else:
                self.tell("This is the last hit." if message.step > 0 else "This is the first hit.")
            return
        before = self.main.talk.chosen
        if message.step > 0:
            self.main.action_cite_next()
        else:
            self.main.action_cite_previous()
        if self.main.talk.chosen != before:
            self.main.action_open_file()
        else:
            self.tell("This is the last citation." if message.step > 0 else "This is the first citation.")

    def on_edit_wish(self, message: news.EditWish) -> None:
        """Open a file in the person's editor."""
        from lens_tui.tui.editing import edit

        if told := edit(self, self.folder / message.path, message.line, self.settings.editor):
            self.tell(told)

    def on_control_wish(self, message: news.ControlWish) -> None:
        """Steer the indexer."""
        self.link.control(message.action, message.path)

    def on_copy_wish(self, message: news.CopyWish) -> None:
        """Copy a text that a page names."""
        from lens_tui.tui.taking import take

        self.tell(
            f"{message.what}: {take(self._whole, message.text)}" if message.what else take(self._whole, message.text)
        )

    def on_copy_choice(self) -> None:
        """Ask in the hint row what of the answer is to be copied."""
        from lens_tui.tui.opening import choose_copy

        choose_copy(self._whole)

    def on_theme_tried(self, message: news.ThemeTried) -> None:
        """Draw with another theme."""
        self.use_theme(message.name)

    def pick_theme(self, name: str) -> None:
        """Draw with a theme from now on, in every folder; where settings name one, until the app is left."""
        self.use_theme(name)
        if self.settings.theme:
            self.tell(f"Until you quit: settings name {self.settings.theme}.")
        elif self.person is not None and (problem := self.person.keep(theme=name)):
            self.tell(problem)

    def use_theme(self, name: str) -> None:
        """Draw with a theme by its name; nothing where there is none."""
        look = self.themes.get(name)
        if look is None:
            return
        if look.ansi and self.look.ansi and not self.look.dark:
            look = on_light(look)
        self.look, self.ink = look, Inks(look)
        self.ansi_color = True if look.ansi else None
        self.register_theme(textual_theme(look))
        self.theme = look.name
        self.main.themed()

    def on_command_chosen(self, message: news.CommandChosen) -> None:
        """Do what the key of a command does, where the person stands."""
        from lens_tui.tui.opening import do_command

        do_command(self._whole, message.id)
