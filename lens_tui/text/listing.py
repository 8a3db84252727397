"""Lists in sentences: the first few of many, and how many more there are."""

from collections.abc import Sequence


def listed(names: Sequence[str], most: int) -> str:
    """Write ``a, b and 3 more``: the first ``most`` names, and how many are left where there are more."""
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return f"{', '.join(names[:most])}{more}"
