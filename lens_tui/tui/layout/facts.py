"""Figures in words, as every part of the screen says them: counts, seconds, places."""

from collections.abc import Sequence

from lens_tui.tui.signs import Signs


def count(number: int, one: str, many: str = "") -> str:
    """``1 file``, ``1,204 files``."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def seconds(value: float) -> str:
    """``0.02 s`` under a tenth, ``0.4 s`` under one, ``8 s``, ``2 min 5 s``."""
    if value < 0.095:
        return f"{max(value, 0.01):.2f} s"
    if value < 0.95:
        return f"{value:.1f} s"
    whole = round(value)
    if whole < 60:
        return f"{whole} s"
    return f"{whole // 60} min {whole % 60} s" if whole % 60 else f"{whole // 60} min"


def left(value: float) -> str:
    """Time that remains: ``5 s left``."""
    return f"{took(value)} left"


def took(value: float) -> str:
    """A length of time, no finer than one can be told beforehand: ``5 s``, ``1 min``, ``2 h``."""
    if value < 55:
        return f"{max(round(value), 1)} s"
    if value < 3300:
        return f"{max(round(value / 60), 1)} min"
    return f"{max(round(value / 3600), 1)} h"


def line_range(lines: Sequence[int] | None, signs: Signs) -> str:
    """``:9–14``, ``:12``, or nothing."""
    if not lines:
        return ""
    first, last = lines[0], lines[-1]
    return f":{first}" if first == last else f":{first}{signs.dash}{last}"
