"""The lines of a file around a hit: at once those of the excerpt, the others once the file is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical

from lens_tui.requests import FileText
from lens_tui.tui.cells import cut_path, fitted
from lens_tui.tui.ink import signs_of
from lens_tui.tui.layout.hits import stand
from lens_tui.tui.widgets.drawn import Words
from lens_tui.tui.widgets.fileview import FileView

if TYPE_CHECKING:
    from lens_tui.types import SearchHit

KEPT = 4_000_000
"""Characters of files kept, so that going back and forth reads nothing twice."""


class Preview(Vertical):
    """A path, and the file's lines below it. Never has the focus."""

    DEFAULT_CSS = """
    Preview { height: 1fr; width: 1fr; }
    Preview Words { height: 1; }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        """Show nothing."""
        super().__init__(id=id)
        self._files: dict[str, FileText] = {}
        self._hit: SearchHit | None = None
        self._shown: tuple[str, int, str] | None = None

    def compose(self) -> ComposeResult:
        """Path and lines."""
        yield Words(id="preview-path")
        view = FileView(FileText(path="", text="", checksum=""))
        view.can_focus = False
        yield view

    @property
    def view(self) -> FileView:
        """The lines."""
        return self.query_one(FileView)

    def knows(self, hit: SearchHit) -> bool:
        """Whether the file is at hand as it was when the hit was found."""
        file = self._files.get(hit.path)
        return file is not None and hit.checksum in ("", file.checksum)

    def know(self, file: FileText) -> None:
        """Keep a file's text, and show it where its hit is current."""
        while self._files and sum(len(kept.text) for kept in self._files.values()) + len(file.text) > KEPT:
            self._files.pop(next(iter(self._files)))
        self._files[file.path] = file
        if self._hit is not None and self._hit.path == file.path:
            self._show()

    def show(self, hit: SearchHit | None) -> None:
        """Show a hit's lines."""
        self._hit = hit
        self._show()

    def _show(self) -> None:
        hit = self._hit
        self.display = hit is not None
        if hit is None:
            self._shown = None
            return
        path = cut_path(fitted(hit.path), max(self.size.width - 2, 12), signs_of(self).ellipsis)
        self.query_one("#preview-path", Words).show(((" ", "text"), (path, "text bold")))
        file = self._files.get(hit.path)
        if file is None or not self.knows(hit):
            # The excerpt on its own lines, the ones before it still blank.
            blank = "\n" * (hit.lines[0] - 1)
            file = FileText(path=hit.path, text=blank + hit.text, checksum="excerpt")
            start = len(blank)
        else:
            start = hit.start
        shown = (hit.path, hit.start, file.checksum)
        if shown != self._shown:
            self._shown = shown
            if file is not self.view.file:
                self.view.show(file)
            self.view.mark((start, start + len(hit.text)), None)
        self.view.embolden([(start + first, start + last) for first, last in hit.marks])
        self.view.go(start + stand(hit))
