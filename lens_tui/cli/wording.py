"""Small turns of phrase that several commands print."""


def counted(count: int, noun: str) -> str:
    """Write a count with its noun: ``1 file``, ``4,120 files``."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
