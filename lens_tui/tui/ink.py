"""Inks: the names that lines are drawn with (``accent bold``, ``mark``, ``cursor``) as styles of the theme in force."""

from typing import Protocol, cast

from rich.color import Color
from rich.style import Style
from textual.filter import ANSIToTruecolor
from textual.geometry import Region
from textual.message_pump import MessagePump
from textual.strip import Strip
from textual.widget import Widget

from lens_tui.tui.signs import Signs
from lens_tui.tui.themes import LensTheme

_WEIGHTS = {"bold": Style(bold=True), "italic": Style(italic=True), "underline": Style(underline=True)}


class Inks:
    """The inks of one theme. A name is roles and weights joined by blanks; the later stand over the earlier."""

    def __init__(self, theme: LensTheme) -> None:
        """Mix the roles."""
        self.theme = theme
        self._made: dict[str, Style] = {}
        self._roles = _ansi_roles(theme) if theme.ansi else _colour_roles(theme)

    def __call__(self, name: str) -> Style:
        """The style of an ink. Raises KeyError for a word that is no role and no weight."""
        style = self._made.get(name)
        if style is None:
            style = self._roles["text"]
            for word in name.split():
                style += self._roles[word]
            self._made[name] = style
        return style


def _colour(value: str) -> Color:
    if value.startswith("ansi_"):
        return Color.parse(value.removeprefix("ansi_"))
    return Color.parse(value)


def _colour_roles(theme: LensTheme) -> dict[str, Style]:
    roles = theme.roles
    ground = _colour(roles.background)
    inks = {
        name: Style.from_color(_colour(getattr(roles, name)), ground)
        for name in ("text", "muted", "line", "accent", "ok", "warn", "bad")
    }
    mark = Style.from_color(_colour(roles.on_mark), _colour(roles.mark))
    if theme.name == "lens-contrast":
        mark += Style(underline=True)
    cursor = Style.from_color(_colour(roles.on_accent), _colour(roles.accent)) + Style(bold=True)
    # Code has no colour of its own: the accent belongs to citations.
    return {
        **inks,
        "mark": mark,
        "cursor": cursor,
        "code": Style(),
        "differs": _WEIGHTS["bold"] + _WEIGHTS["underline"],
    } | _WEIGHTS


def _ansi_roles(theme: LensTheme) -> dict[str, Style]:
    """Sixteen colours or none: weight carries every meaning, colour repeats it."""
    roles = theme.roles
    inks = {
        name: Style.from_color(_colour(getattr(roles, name)), Color.parse("default"))
        for name in ("text", "accent", "ok", "warn", "bad")
    }
    return {
        **inks,
        "muted": Style(dim=True),
        "line": Style(dim=True),
        "mark": Style(underline=True),
        "cursor": Style(reverse=True, bold=True, dim=False),
        "code": Style(),
        "differs": Style(reverse=True, bold=True),
    } | _WEIGHTS


class Drawn(Protocol):
    """What an app offers to everything that draws lines."""

    ink: Inks
    signs: Signs


def ink_of(node: MessagePump) -> Inks:
    """The inks in force for a widget or screen."""
    return cast(Drawn, node.app).ink


def signs_of(node: MessagePump) -> Signs:
    """The signs in force for a widget or screen."""
    return cast(Drawn, node.app).signs


def drawn_lines(widget: Widget, crop: Region) -> list[Strip]:
    """The lines of a widget that draws each one whole, for its ``render_lines``.

    Textual's own way goes through a cache of borders, padding and tints that none of ours has; without it a line
    costs a third.
    """
    strips = [widget.render_line(y) for y in range(crop.y, crop.bottom)]
    if crop.x or crop.width != widget.size.width:
        strips = [strip.crop(crop.x, crop.right) for strip in strips]
    ansi = ink_of(widget).theme.ansi
    for each in widget.app.get_line_filters():
        # Our inks are of one kind: what turns a terminal's colours into others finds none in the others.
        if ansi or not isinstance(each, ANSIToTruecolor):
            ground = widget.background_colors[1]
            strips = [strip.apply_filter(each, ground) for strip in strips]
    return strips
