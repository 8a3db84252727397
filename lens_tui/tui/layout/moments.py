"""When something happened, as short as it is still clear."""

import time
from collections.abc import Callable

Local = Callable[[float], time.struct_time]
"""Seconds since the epoch → the clock on the person's wall."""


def moment(at: float, now: float, local: Local = time.localtime) -> str:
    """``14:02`` today, ``Tue 14:02`` within a week, else ``2026-03-31``."""
    then, today = local(at), local(now)
    if then[:3] == today[:3]:
        return time.strftime("%H:%M", then)
    if 0 <= now - at < 6 * 86_400:
        return time.strftime("%a %H:%M", then)
    return time.strftime("%Y-%m-%d", then)
