"""Themes: ours are legible, a broken one is named and skipped, few colours get the terminal's own."""

from pathlib import Path

import pytest

from lens_tui.tui.ink import Inks
from lens_tui.tui.themes import (
    LensTheme,
    chosen_name,
    load_themes,
    on_light,
    parse_theme,
    textual_theme,
    theme_directories,
)

OURS, PROBLEMS = load_themes(theme_directories())
COLOURED = sorted(name for name, theme in OURS.items() if not theme.ansi)


def luminance(colour: str) -> float:
    """Relative luminance, WCAG 2.1."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_ours_are_read_without_a_complaint() -> None:
    assert PROBLEMS == []
    assert set(OURS) >= {"lens-dark", "lens-light", "lens-ansi", "lens-contrast"}


@pytest.mark.parametrize("name", COLOURED)
def test_text_and_mark_have_a_contrast_of_seven(name: str) -> None:
    roles = OURS[name].roles
    assert contrast(roles.text, roles.background) >= 7
    assert contrast(roles.on_mark, roles.mark) >= 7


@pytest.mark.parametrize("name", COLOURED)
@pytest.mark.parametrize("role", ["muted", "accent", "ok", "warn", "bad"])
def test_muted_and_signs_have_a_contrast_of_four_and_a_half(name: str, role: str) -> None:
    roles = OURS[name].roles
    least = 7 if name == "lens-contrast" else 4.5
    assert contrast(getattr(roles, role), roles.background) >= least
    assert contrast(roles.on_accent, roles.accent) >= least


def test_a_broken_theme_is_named_and_skipped(tmp_path: Path) -> None:
    good = (theme_directories()[0] / "lens-dark.toml").read_text()
    (tmp_path / "mine.toml").write_text(good.replace("lens-dark", "mine"))
    (tmp_path / "typo.toml").write_text(good.replace("accent =", "acent ="))
    (tmp_path / "colour.toml").write_text(good.replace("#d8dbe2", "greyish"))
    (tmp_path / "torn.toml").write_text("name = ")
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    themes, problems = load_themes([*theme_directories(), tmp_path])
    assert "mine" in themes
    assert len(problems) == 4
    assert any("typo.toml is skipped: it lacks accent" in problem for problem in problems)
    assert any("text must be a colour" in problem for problem in problems)


def test_the_terminals_own_colours_and_others_are_not_mixed() -> None:
    text = (theme_directories()[0] / "lens-ansi.toml").read_text()
    with pytest.raises(ValueError, match="cannot be mixed"):
        parse_theme(text.replace('bad = "ansi_red"', 'bad = "#ff0000"'), "x")


@pytest.mark.parametrize(
    ("wanted", "background", "colours", "name", "said"),
    [
        ("", "dark", 1 << 24, "lens-dark", False),
        ("", "light", 256, "lens-light", False),
        ("", "light", 16, "lens-ansi", False),
        ("", "dark", 0, "lens-ansi", False),
        ("lens-light", "dark", 256, "lens-light", False),
        ("lens-light", "dark", 16, "lens-ansi", True),
        ("no-such", "dark", 256, "lens-dark", True),
    ],
)
def test_the_theme_is_the_settings_else_the_terminals(
    wanted: str, background: str, colours: int, name: str, said: bool
) -> None:
    found, problem = chosen_name(wanted, background, colours, OURS)
    assert found == name
    assert bool(problem) is said


def test_sixteen_colours_never_use_yellow_nor_a_coloured_background() -> None:
    for theme in (OURS["lens-ansi"], on_light(OURS["lens-ansi"])):
        ink = Inks(theme)
        for name in ("text", "muted", "line", "accent bold", "mark", "cursor", "ok", "warn", "bad", "differs"):
            style = ink(name)
            assert style.bgcolor is None or style.bgcolor.name == "default"
            assert style.color is None or "yellow" not in style.color.name
        assert ink("muted").dim
        assert ink("mark").underline
        assert ink("cursor").reverse


def test_on_a_light_background_the_accent_is_blue() -> None:
    assert on_light(OURS["lens-ansi"]).roles.accent == "ansi_blue"


def test_every_theme_can_be_given_to_textual() -> None:
    for theme in OURS.values():
        made = textual_theme(theme)
        assert made.ansi is theme.ansi
        assert made.variables["lens-accent"] == theme.roles.accent
        assert isinstance(theme, LensTheme)
