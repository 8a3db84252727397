"""The chunk lens of a file's page: borders shown or not, another strategy tried, and taken over for the folder."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from lens_tui.chunk_requests import CutFile, FileCut, Recut, RecutCost
from lens_tui.options import STRATEGY_NAMES, ChunkOptions
from lens_tui.tui.layout.chunks import cost_told, cut_by
from lens_tui.tui.messages import BordersShown, FindNews, FindWish
from lens_tui.tui.screens.choice import Choice
from lens_tui.types import Failed

if TYPE_CHECKING:
    from lens_tui.tui.screens.file import FilePage


class Cutting:
    """What one page shows of how its file is cut, and what it asks the engine about it."""

    def __init__(self, page: "FilePage", shown: bool) -> None:
        """Begin with the borders that the index has, ``shown`` or hidden."""
        self._page = page
        self.shown = shown
        self.cost = ""
        """What it costs to take it over, while that is asked."""
        self._tried: FileCut | None = None
        self._tried_by: ChunkOptions | None = None
        """What was asked for when it was tried."""
        self._options: ChunkOptions | None = None
        """The newest that was asked for; its answer can be on its way."""
        self._number = 0

    @property
    def told(self) -> str:
        """What cut the file as it is shown, for the top row."""
        if self._tried is not None and self._tried_by is not None:
            return f"{cut_by(self._tried_by.strategy, self._tried.told)}, tried"
        return cut_by(self._page.file.options.strategy, self._page.file.cut)

    @property
    def trying(self) -> bool:
        """Whether it is shown cut otherwise than the index has it."""
        return self._tried is not None

    @property
    def count(self) -> int:
        """Chunks that it is cut into as shown."""
        return len(self._page.file.chunks if self._tried is None else self._tried.chunks)

    def draw(self) -> None:
        """Show the borders as they are now."""
        file, tried = self._page.file, self._tried
        chunks, told = (file.chunks, file.cut) if tried is None else (tried.chunks, tried.told)
        self._page.view.show_borders(chunks if self.shown else (), told)

    def forget(self) -> None:
        """Back to the index's own borders: another file, or another text of it, is shown."""
        self._tried, self._options = None, None
        self._number += 1
        self.draw()

    def toggle(self) -> None:
        """Show or hide the borders."""
        self._show(not self.shown)
        if self.shown and not self.count:
            self._page.say("It has no chunks yet: the index is still to read it.")

    def _show(self, shown: bool) -> None:
        if shown != self.shown:
            self.shown = shown
            self.draw()
            self._page.post_message(BordersShown(shown))

    def try_next(self) -> None:
        """Cut this file by the next strategy, the index's own again after the last one."""
        at = STRATEGY_NAMES.index(self._options.strategy) if self._options is not None else -1
        own = self._page.file.options
        names = [*STRATEGY_NAMES[at + 1 :], ""]
        name = next(each for each in names if each != own.strategy)
        self._show(True)
        if not name:
            self.forget()
            self._page.draw()
            self._page.say(f"As the index has it: {self._page.file.cut}.")
            return
        self._options = ChunkOptions(strategy=name)
        self._ask(CutFile(path=self._page.file.path, options=self._options))

    def take_over(self) -> None:
        """Ask what it costs to cut the whole folder as tried."""
        if self._tried_by is None or self._tried is None:
            self._page.say("Try a strategy first; this key then takes it over for the folder.")
            return
        self._ask(Recut(options=self._tried_by, ask=True))

    def _ask(self, request: CutFile | Recut) -> None:
        self._number += 1
        self._page.post_message(FindWish(self._page, request, self._number))

    def news(self, news: FindNews) -> None:
        """Take what came; what was asked before something else is passed over."""
        if news.number != self._number:
            return
        event = news.event
        if isinstance(event, Failed):
            self._page.say(f"{event.message} {event.hint}".strip())
        elif isinstance(event, FileCut) and isinstance(news.request, CutFile):
            if event.checksum != self._page.file.checksum:
                self._page.say("The file has changed meanwhile; it is being read again.")
                return
            self._tried, self._tried_by = event, news.request.options
            self.draw()
            self._page.say(" ".join(event.warnings[:1]))
            self._page.draw()
        elif isinstance(event, RecutCost) and isinstance(news.request, Recut):
            self._costs(event, news.request)

    def _costs(self, cost: RecutCost, request: Recut) -> None:
        if cost.same:
            self._page.say("The folder is cut so already.")
        elif request.ask:
            self.cost = cost_told(cost, request.options.strategy)
            self._page.draw()
            choice = Choice({"y": "cut the folder so"})
            self._page.app.push_screen(choice, self._answered(replace(request, ask=False)))
        else:
            self._tried = None
            self._page.say("The folder is being cut anew; search goes on with what there was.")
            self._page.draw()

    def _answered(self, request: Recut) -> Callable[[str | None], None]:
        def answered(key: str | None) -> None:
            self.cost = ""
            self._page.draw()
            if key == "y":
                self._ask(request)

        return answered
