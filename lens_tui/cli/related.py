"""``lens-tui related FOLDER PATH[:LINE]``: passages near one that is named."""

import os
from pathlib import Path, PurePosixPath

import click

from lens_tui.cli import Doors, hits
from lens_tui.cli.commands import WordsCommand, data_dir_option, json_option
from lens_tui.cli.opening import asking, checked_k, engine_of, settled
from lens_tui.cli.progress import ProgressLine
from lens_tui.cli.wording import command_line
from lens_tui.errors import UsageError
from lens_tui.requests import Related


@click.command(
    cls=WordsCommand,
    epilog="""\b
Examples:
  lens-tui related ./notes house/lease.md
  lens-tui related ./notes house/lease.md:12 -k 5""",
)
@click.argument("folder")
@click.argument("place", metavar="PATH[:LINE]")
@click.option("-k", type=int, metavar="N", help="How many passages, 1 to 50.  [default: 10]")
@json_option
@data_dir_option
@click.pass_obj
def command(doors: Doors, folder: str, place: str, k: int | None, as_json: bool, data_dir: str | None) -> int:
    """Find passages near the one at PATH, a file of FOLDER, and LINE (its first where none is given).

    The passage itself and its near-copies are left out.
    """
    places, settings = settled(folder, {"data_dir": data_dir})
    path, line_number = place_in(places.folder, place)
    request = Related(path=path, line=line_number, k=checked_k(k, settings.search_default_k, settings))
    with engine_of(doors, places, settings) as engine, ProgressLine() as line, asking(engine, request) as events:
        found = hits.awaited(events, line)
    search = command_line("search", folder, data_dir, rest="QUERY")
    return hits.show(found, as_json=as_json, by_ranks=True, hint=f"Try another line, or: {search}")


def place_in(folder: Path, words: str) -> tuple[str, int | None]:
    """Read ``PATH[:LINE]``, the path counted from the folder or from where the person stands.

    Returns:
        The path relative to the folder, with ``/``, and the line, None where none is named.

    Raises:
        UsageError: No such file in the folder, a path that leads out of it, or a line below 1.
    """
    path, line = words, None
    before, colon, number = words.rpartition(":")
    if colon and number.isdecimal() and _inside(folder, words) is None:
        path, line = before, int(number)
    if line is not None and line < 1:
        raise UsageError(f"There is no line {line}.", hint="Lines count from 1.")
    found = _inside(folder, path)
    if found is None:
        raise UsageError(
            f"There is no file {path} in {folder}.", hint="Name it from the folder on, such as house/lease.md:12."
        )
    return found, line


def _inside(folder: Path, path: str) -> str | None:
    """Relative path of a file that is there, None for one that is missing or outside."""
    for candidate in (folder / path, Path(path).absolute()):
        plain = Path(os.path.normpath(candidate))
        try:
            real = candidate.resolve()
            there = real.is_relative_to(folder) and real.is_file()
        except (OSError, RuntimeError, ValueError):
            # A name too long, a circle of links: no file of the folder.
            continue
        for inside in (plain, real):
            if there and inside.is_relative_to(folder):
                return PurePosixPath(inside.relative_to(folder)).as_posix()
    return None
