"""Small turns of phrase that several commands print."""

import shlex


def counted(count: int, noun: str) -> str:
    """Write a count with its noun: ``1 file``, ``4,120 files``."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def command_line(name: str, folder: str, data_dir: str | None = None, *, rest: str = "") -> str:
    """A command on the folder as a person named it, to be copied into a shell; ``rest`` stands as it is."""
    data = f" --data-dir {shlex.quote(data_dir)}" if data_dir is not None else ""
    return f"lens-tui {name} {shlex.quote(folder)}{rest and ' '}{rest}{data}"
