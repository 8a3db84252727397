"""The column that divides two parts of the screen."""

from rich.segment import Segment
from textual.strip import Strip
from textual.widget import Widget

from lens_tui.tui.ink import ink_of, signs_of


class Divider(Widget):
    """One column of ``│``."""

    def render_line(self, y: int) -> Strip:
        """Draw one row of it."""
        return Strip([Segment(signs_of(self).column, ink_of(self)("line"))], 1)
