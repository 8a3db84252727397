"""``lens-tui doctor [FOLDER]``: what works, what does not, and the command that mends it."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path

import click

from lens_tui.cli import Doors, output
from lens_tui.cli.checks import Check, all_checks
from lens_tui.cli.commands import LensCommand, data_dir_option, host_option, json_option
from lens_tui.cli.opening import asking, engine_of, settled
from lens_tui.cli.wording import counted
from lens_tui.errors import LensError
from lens_tui.places import checked_folder
from lens_tui.requests import FolderNews, Status
from lens_tui.types import Failed
from lens_tui.wire import as_error

SOMETHING_AMISS = 1
ROW = 80
"""Characters of a row from which a list goes on in the next; a path, which may be copied, is not broken."""


@click.command(
    cls=LensCommand,
    epilog="""\b
Examples:
  lens-tui doctor
  lens-tui doctor ./notes --json""",
)
@click.argument("folder", required=False)
@host_option
@json_option
@data_dir_option
@click.pass_obj
def command(doors: Doors, folder: str | None, host: str | None, as_json: bool, data_dir: str | None) -> int:
    """Look at everything that lens-tui rests on, and at FOLDER's engine and index where one is named.

    Exit code 0 where all that is needed works; Ollama, models and the exact tokenizer are extras.
    """
    if folder is not None:
        checked_folder(Path(folder))
    flags = {"data_dir": data_dir, "ollama.host": host}
    checks = []
    for check in _every(doors, folder, flags):
        checks.append(check)
        if not as_json:
            _show(check)
    if as_json:
        output.write_json({"checks": [asdict(check) for check in checks]})
    amiss = [check.name for check in checks if not check.ok and not check.optional]
    if amiss:
        output.say(f"lens-tui: {' and '.join(amiss)}: this must be mended before lens-tui can work.")
        output.say("The step that mends it stands under each ✗ above." if not as_json else "See mend in the JSON.")
        return SOMETHING_AMISS
    return 0


def _every(doors: Doors, folder: str | None, flags: Mapping[str, object]) -> Iterator[Check]:
    yield from all_checks(flags)
    if folder is not None:
        yield _folder(doors, folder, flags)


def _folder(doors: Doors, folder: str, flags: Mapping[str, object]) -> Check:
    """Start the folder's engine, or attach to it, and ask how the index stands."""
    try:
        places, settings = settled(folder, flags)
        with engine_of(doors, places, settings) as engine, asking(engine, Status()) as events:
            for event in events:
                if isinstance(event, Failed):
                    raise as_error(event)
                if isinstance(event, FolderNews):
                    state = event.state
                    vectors = f"{state.vectors:,} of {state.vectors_total:,} vectors"
                    found = (
                        f"{counted(state.files, 'file')}, {counted(state.chunks, 'chunk')}, {vectors}, in {places.data}"
                    )
                    if not state.files:
                        return Check(
                            "index",
                            False,
                            True,
                            f"not built yet; it will be in {places.data}",
                            f"lens-tui index {folder}",
                        )
                    told = "\n".join(filter(None, (state.vector_problem, *state.vector_notes)))
                    return Check("index", not told, True, found, told or None)
    except LensError as error:
        return Check("index", False, False, error.message, error.hint)
    return Check("index", False, False, "The engine ended without an answer.", "Run the same command again.")


def _show(check: Check) -> None:
    sign = "✓" if check.ok else "–" if check.optional else "✗"
    word = "" if check.ok else "  (optional)" if check.optional else "  (needed)"
    for row in _folded(f"{sign} {check.name}: {check.found}{word}"):
        output.write_line(row)
    if check.mend:
        for row in check.mend.splitlines():
            output.write_line(f"    {row}")


def _folded(text: str) -> Iterator[str]:
    """A list's rows, broken after its commas."""
    row = ""
    for entry in text.replace(", ", ",\n").split("\n"):
        if row.strip() and len(row) + len(entry) >= ROW:
            yield row.rstrip()
            row = "    "
        row += f"{entry} "
    yield row.rstrip()
