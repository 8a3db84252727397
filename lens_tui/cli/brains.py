"""``lens-tui brains``: the indexed folders, and how one index is removed."""

import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lens_tui.cli import output
from lens_tui.cli.commands import LensCommand, data_dir_option, json_option
from lens_tui.cli.wording import counted
from lens_tui.errors import UsageError
from lens_tui.places import data_root, places_of
from lens_tui.settings import load_settings
from lens_tui.text.display import one_line

if TYPE_CHECKING:
    from lens_tui.engine.brains import Brain

SIZE_STEP = 1000
"""Sizes are told in powers of this, as file managers do."""


@click.command(
    cls=LensCommand,
    epilog="""\b
Examples:
  lens-tui brains
  lens-tui brains --json
  lens-tui brains remove ./notes""",
)
@click.argument("action", required=False, metavar="[remove")
@click.argument("folder", required=False, metavar="FOLDER]")
@json_option
@data_dir_option
def command(action: str | None, folder: str | None, as_json: bool, data_dir: str | None) -> int:
    """List the indexed folders, the last used first: where each index lies and what it takes.

    remove FOLDER takes the index away; the files are never touched, and conversations stay.
    """
    from lens_tui.engine.brains import list_brains, remove_brain

    settings = load_settings({"data_dir": data_dir})
    root = data_root(settings.data_dir)
    if action is None:
        _list(list_brains(root), root, as_json=as_json)
        return 0
    if action != "remove":
        raise UsageError(f"brains cannot {action}.", hint="It lists, or removes: lens-tui brains remove FOLDER")
    if not folder:
        raise UsageError("Which index is to be removed?", hint="Name its folder: lens-tui brains remove FOLDER")
    data = _data_of(folder, settings.data_dir, list_brains(root))
    freed = remove_brain(root, data)
    talks = root / "talks" / f"{data.name}.sqlite3"
    kept = talks if talks.exists() else None
    if as_json:
        output.write_json({"removed": str(data), "bytes": freed, "talks": str(kept) if kept else None})
    else:
        output.write_line(f"removed {data} ({_size(freed)})")
        if kept:
            output.write_line(f"its conversations are kept in {kept}")
    return 0


def _data_of(folder: str, data_dir: str, brains: "list[Brain]") -> Path:
    """Directory of a folder's index, also where the folder itself is gone. Raises UsageError where there is none."""
    data = places_of(Path(folder).resolve(), data_dir).data
    if data.is_dir():
        return data
    for brain in brains:
        if folder in (brain.folder, brain.data, Path(brain.data).name):
            return Path(brain.data)
    raise UsageError(f"There is no index of {folder}.", hint="See which there are with: lens-tui brains")


def _list(brains: "list[Brain]", root: Path, *, as_json: bool) -> None:
    if as_json:
        output.write_json({"brains": [asdict(brain) for brain in brains]})
        return
    for brain in brains:
        output.write_line(one_line(brain.folder or "(its folder is not known)"))
        counts = (
            "not counted yet"
            if brain.files is None
            else f"{counted(brain.files, 'file')}, {counted(brain.chunks or 0, 'chunk')}"
        )
        used = (
            "never used"
            if brain.last_used is None
            else f"used {time.strftime('%Y-%m-%d %H:%M', time.localtime(brain.last_used))}"
        )
        output.write_line(f"    {counts}, {_size(brain.bytes)}, {used}")
        output.write_line(f"    {one_line(brain.data)}")
    if not brains:
        output.say(f"No folder is indexed yet in {root}. Index one with: lens-tui index FOLDER")


def _size(count: int) -> str:
    size = float(count)
    for unit in ("bytes", "kB", "MB", "GB"):
        if size < SIZE_STEP or unit == "GB":
            break
        size /= SIZE_STEP
    return f"{size:,.0f} {unit}" if unit == "bytes" else f"{size:,.1f} {unit}"
