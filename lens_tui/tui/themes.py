"""Themes: files of colour roles, ours and the person's own, checked and turned into what Textual draws with."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from textual.theme import Theme

_COLOUR = re.compile(r"#[0-9a-fA-F]{6}\Z|ansi_(?:bright_)?(?:black|red|green|yellow|blue|magenta|cyan|white)\Z")
_ANSI_VARIABLES = {
    "ansi-background": "ansi_black",
    "ansi-foreground": "ansi_white",
    "border-blurred": "ansi_default",
    "block-cursor-foreground": "ansi_default",
    "block-cursor-background": "ansi_default",
    "block-cursor-text-style": "reverse",
    "input-cursor-background": "ansi_default",
    "input-cursor-foreground": "ansi_default",
    "input-cursor-text-style": "reverse",
    "input-selection-background": "ansi_default",
    "input-selection-foreground": "ansi_default",
    "screen-selection-background": "ansi_default",
    "screen-selection-foreground": "ansi_default",
}
"""Variables without which Textual 8.2.8's own stylesheet fails under a theme of the terminal's colours."""


@dataclass(frozen=True, slots=True)
class Roles:
    """The colours of a theme: ``#rrggbb``, or ``ansi_…`` for the terminal's own."""

    background: str
    text: str
    muted: str
    line: str
    accent: str
    on_accent: str
    mark: str
    on_mark: str
    ok: str
    warn: str
    bad: str


@dataclass(frozen=True, slots=True)
class LensTheme:
    """A theme as its file says it."""

    name: str
    dark: bool
    roles: Roles

    @property
    def ansi(self) -> bool:
        """Whether it draws with the terminal's own colours."""
        return self.roles.background.startswith("ansi_")


def theme_directories(config: Path | None = None) -> tuple[Path, ...]:
    """Where themes are looked for, ours first: beside the installed package, beside its source, the person's own."""
    package = Path(__file__).parent.parent
    ours = package / "themes" if (package / "themes").is_dir() else package.parent / "themes"
    return (ours, config / "themes") if config is not None else (ours,)


def load_themes(directories: Sequence[Path]) -> tuple[dict[str, LensTheme], list[str]]:
    """Read every theme by name, a later one standing over an earlier, and a sentence for each that cannot be used."""
    themes: dict[str, LensTheme] = {}
    problems: list[str] = []
    for directory in directories:
        for file in sorted(directory.glob("*.toml")):
            try:
                theme = parse_theme(file.read_text("utf-8"), file.stem)
            except (OSError, UnicodeDecodeError, ValueError) as error:
                problems.append(f"The theme {file.name} is skipped: {error}.")
                continue
            themes[theme.name] = theme
    return themes, problems


def parse_theme(text: str, stem: str) -> LensTheme:
    """Read one theme file. Raises ValueError with what is wrong with it (TOML's own error is one)."""
    values = tomllib.loads(text)
    name = values.pop("name", stem)
    dark = values.pop("dark", None)
    if not isinstance(name, str) or not re.fullmatch(r"[\w.-]{1,40}", name):
        raise ValueError("its name must be letters, digits, dots and dashes")
    if not isinstance(dark, bool):
        raise ValueError("dark must be true or false")
    known = [field.name.replace("_", "-") for field in fields(Roles)]
    if missing := [key for key in known if key not in values]:
        raise ValueError(f"it lacks {', '.join(missing)}")
    if strange := [key for key in values if key not in known]:
        raise ValueError(f"{strange[0]} is no role of a theme")
    for key in known:
        value = values[key]
        if not isinstance(value, str) or not (_COLOUR.match(value) or value == "ansi_default"):
            raise ValueError(f"{key} must be a colour such as #7fc8ea, not {value!r}")
    ansi = {str(value).startswith("ansi_") for value in values.values()}
    if len(ansi) > 1:
        raise ValueError("the terminal's own colours and #rrggbb cannot be mixed")
    return LensTheme(name, dark, Roles(**{key.replace("-", "_"): str(values[key]) for key in known}))


def chosen_name(wanted: str, background: str, colours: int, themes: Mapping[str, LensTheme]) -> tuple[str, str]:
    """Name the theme to use, and say where it is not the one that was wanted.

    Args:
        wanted: The setting, or empty.
        background: ``dark`` or ``light``, as set or as the terminal says.
        colours: How many the terminal has: under 256 only its own sixteen are legible.
        themes: What there is.
    """
    fitting = "lens-ansi" if colours < 256 else f"lens-{background}"
    if not wanted:
        return fitting, ""
    if wanted not in themes:
        known = ", ".join(sorted(themes))
        return fitting, f"There is no theme {wanted!r}; known are {known}."
    if colours < 256 and not themes[wanted].ansi:
        return fitting, f"{wanted} needs 256 colours; this terminal has {colours}."
    return wanted, ""


def on_light(theme: LensTheme) -> LensTheme:
    """The terminal's own colours on a light background: cyan and green are hard to read there, blue is not."""
    values: dict[str, Any] = {field.name: getattr(theme.roles, field.name) for field in fields(Roles)}
    values["accent"] = values["accent"].replace("cyan", "blue")
    return LensTheme(theme.name, False, Roles(**values))


def textual_theme(theme: LensTheme) -> Theme:
    """The theme as Textual takes it, with ``$lens-…`` variables for the stylesheet."""
    roles = theme.roles
    variables = {f"lens-{field.name.replace('_', '-')}": str(getattr(roles, field.name)) for field in fields(Roles)}
    if theme.ansi:
        variables |= _ANSI_VARIABLES
    else:
        variables |= {
            "block-cursor-background": roles.accent,
            "block-cursor-foreground": roles.on_accent,
            "input-cursor-background": roles.accent,
            "input-cursor-foreground": roles.on_accent,
            "input-selection-background": roles.mark,
            "input-selection-foreground": roles.on_mark,
            "screen-selection-background": roles.accent,
            "screen-selection-foreground": roles.on_accent,
        }
    return Theme(
        name=theme.name,
        primary=roles.accent,
        secondary=roles.accent,
        accent=roles.accent,
        warning=roles.warn,
        error=roles.bad,
        success=roles.ok,
        foreground=roles.text,
        background=roles.background,
        surface=roles.background,
        panel=roles.background,
        boost=roles.background,
        dark=theme.dark,
        text_alpha=1.0,
        ansi=theme.ansi,
        variables=variables,
    )
