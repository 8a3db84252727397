"""Writing a text where the person says: a name to begin with, and never over a file that is there without a yes."""

import os
import re
from dataclasses import dataclass
from pathlib import Path

LONGEST_NAME = 60
"""Characters of a file's name that is made of a title."""


@dataclass(frozen=True, slots=True)
class Written:
    """What became of a text that was to be written."""

    said: str
    """A sentence."""
    is_there: bool = False
    """Whether nothing was written because a file of that name is there."""


def name_for(title: str, ending: str) -> str:
    """A file's name that says what is in it, in the person's home: never in the folder that is read."""
    words = re.sub(r"[^\w.]+", "-", title, flags=re.UNICODE).strip("-.").lower()[:LONGEST_NAME].strip("-.")
    return f"~/{words or 'conversation'}.{ending}"


def path_of(typed: str, name: str) -> Path:
    """The file that a person means: ``~`` and a directory alone are understood; ``name`` is used in a directory."""
    path = Path(typed.strip())
    try:
        path = path.expanduser()
    except RuntimeError:
        return path  # ~somebody: no such person, so it is a name like any other
    # path.is_dir() raises where a name is too long or a directory may not be looked into.
    return path / Path(name).name if os.path.isdir(path) else path  # noqa: PTH112


def write(path: Path, text: str, *, over: bool = False) -> Written:
    """Write a text. With ``over`` a file that is there is replaced."""
    try:
        with path.open("w" if over else "x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        return Written(f"{path} is there already.", is_there=True)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        return Written(f"{path} cannot be written: {reason}. Name another place.")
    return Written(f"written to {path}")
