"""Where the story of an unforeseen failure is kept: ``lens-tui.log`` in the data directory."""

import os
import time
from pathlib import Path

from lens_tui.places import data_root

LONGEST_LOG = 1_000_000
"""Bytes; a fuller log begins anew, the one before stays beside it."""


def keep(story: str, *, now: float | None = None) -> Path | None:
    """Write the story down. Returns the log, None where it cannot be written."""
    try:
        log = data_root(os.environ.get("LENS_TUI_DATA_DIR", "")) / "lens-tui.log"
        log.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        if log.exists() and log.stat().st_size > LONGEST_LOG:
            log.replace(log.with_suffix(".log.1"))
        stamp = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(now))
        descriptor = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        with os.fdopen(descriptor, "a", encoding="utf-8", errors="replace") as file:
            file.write(f"{stamp}\n{story}\n")
    except (OSError, RuntimeError, ValueError):
        return None
    return log
