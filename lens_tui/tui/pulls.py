"""A download of a model as the screen tells it: how far, how fast, how long still."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lens_tui.text.display import one_line
from lens_tui.tui.layout.facts import left

if TYPE_CHECKING:
    from lens_tui.requests import Pulling
    from lens_tui.tui.calls import Errand


@dataclass(slots=True)
class LivePull:
    """The one download that runs, or ran last."""

    name: str
    errand: Errand | None = None
    progress: Pulling | None = None
    over: bool = False
    problem: str = ""
    """Why it failed, and the next step."""

    @property
    def share(self) -> float | None:
        """How far it is, 0 to 1; None before the server knows its size."""
        progress = self.progress
        return progress.done / progress.total if progress is not None and progress.total else None

    def words(self, stops: str = "") -> str:
        """What the rule says of it; ``stops`` is what stops it."""
        parts = [f"pulling {one_line(self.name)}"]
        progress = self.progress
        if progress is not None and progress.total and progress.done < progress.total:
            parts.append(f"{amount(progress.done, progress.total)} of {amount(progress.total)}")
            if progress.rate:
                parts += [f"{amount(round(progress.rate))}/s", left((progress.total - progress.done) / progress.rate)]
        elif progress is not None and progress.step:
            parts.append(one_line(progress.step))
        return " · ".join([*parts, stops] if stops else parts)


def amount(size: int, like: int | None = None) -> str:
    """Bytes as a person reads them: ``2.5 GB``, ``640 MB``, ``12 kB``; a bare number in the unit of ``like``."""
    unit, name = next((unit for unit in _UNITS if (like or size) >= unit[0] * 0.95), _UNITS[-1])
    number = f"{size / unit:.1f}" if unit >= 10**9 else f"{size / unit:.0f}"
    return number if like is not None else f"{number} {name}"


_UNITS = ((10**9, "GB"), (10**6, "MB"), (10**3, "kB"))
