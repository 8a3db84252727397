"""What parts the screen: columns side by side, and the line between two of them."""

from rich.segment import Segment
from textual.containers import Horizontal, Vertical
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from lens_tui.tui.ink import drawn_lines, ink_of, signs_of


class Columns(Horizontal):
    """Parts side by side."""

    BLANK = True


class Column(Vertical):
    """Parts below one another."""

    BLANK = True


class Divider(Widget):
    """One column of ``│``."""

    def render_line(self, y: int) -> Strip:
        """Draw one row of it."""
        return Strip([Segment(signs_of(self).column, ink_of(self)("line"))], 1)

    def render_lines(self, crop: Region) -> list[Strip]:
        """Draw rows that are all the same."""
        return drawn_lines(self, Region(crop.x, 0, crop.width, 1)) * crop.height
