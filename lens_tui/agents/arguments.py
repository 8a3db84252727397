"""The arguments of a tool call, checked one by one: a wrong one is told with what to send instead."""

from collections.abc import Mapping
from typing import Any

from lens_tui.agents.quotes import well_formed
from lens_tui.errors import UsageError

Arguments = Mapping[str, Any]


def text_of(given: Arguments, name: str, default: str | None = None) -> str:
    """An argument that is text; it must say something where it has no default. Raises UsageError."""
    value = given.get(name, default)
    if value is None:
        raise UsageError(f"The {name} is missing.", hint=f'Pass it as text: {{"{name}": "…"}}.')
    if not isinstance(value, str):
        raise UsageError(f"The {name} is not text.", hint=f'Pass it as text: {{"{name}": "…"}}.')
    if default is None and not value.strip():
        raise UsageError(f"The {name} is empty.", hint=f"Write a {name} of at least one word.")
    return str(well_formed(value))


def whole_of(given: Arguments, name: str, low: int, high: int, default: int) -> int:
    """An argument that is a whole number from ``low`` to ``high``. Raises UsageError."""
    value = given.get(name, default)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool):
        raise UsageError(f"{name} is no whole number.", hint=f"Choose a {name} from {low} to {high}.")
    if not low <= value <= high:
        raise UsageError(f"{name} is {value}; it must be from {low} to {high}.", hint=f"Choose another {name}.")
    return value


def inside(path: str) -> str:
    """A path of the folder without ``.`` and double slashes. Raises UsageError for one that leads out of it."""
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if path.startswith("/") or ".." in parts:
        raise UsageError(f"{path} leads out of the folder.", hint="Name a path from the folder on, such as house.")
    return "/".join(parts)
