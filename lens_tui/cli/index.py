"""``lens-tui index FOLDER``: bring the index up to date, and report."""

import click

from lens_tui.cli import Doors, output
from lens_tui.cli.commands import LensCommand, data_dir_option, json_option
from lens_tui.cli.opening import asking, engine_of, settled
from lens_tui.cli.progress import ProgressLine
from lens_tui.cli.wording import counted
from lens_tui.errors import EngineError, NothingFound
from lens_tui.requests import Index, IndexDone, IndexProgress
from lens_tui.types import Failed
from lens_tui.wire import as_error

SOME_FAILED = 3
"""Exit code: done, but for some files."""


@click.command(
    cls=LensCommand,
    epilog="""\b
Examples:
  lens-tui index ./notes
  lens-tui index ./notes --text-only --json""",
)
@click.argument("folder")
@click.option("--text-only", is_flag=True, help="Do not wait for vectors: full-text search needs none.")
@json_option
@data_dir_option
@click.pass_obj
def command(doors: Doors, folder: str, text_only: bool, as_json: bool, data_dir: str | None) -> int:
    """Bring FOLDER's index up to date and report: full text first, then vectors.

    Ctrl+C leaves what is done, and the next run goes on from there.
    """
    places, settings = settled(folder, {"data_dir": data_dir})
    done = None
    request = Index(text_only=text_only)
    with engine_of(doors, places, settings) as engine, ProgressLine() as line, asking(engine, request) as events:
        for event in events:
            if isinstance(event, Failed):
                raise as_error(event)
            if isinstance(event, IndexDone):
                done = event
            elif isinstance(event, IndexProgress) and as_json:
                output.write_json(event)
            elif isinstance(event, IndexProgress):
                line.show_index(event)
    if done is None:
        raise EngineError("The engine ended before the index was done.", hint="Run the same command to go on.")
    if as_json:
        output.write_json(done)
    else:
        _report(done)
    for note in done.notes:
        output.say(note)
    if done.failed:
        output.say(f"lens-tui: {counted(len(done.failed), 'file')} could not be read; everything else is indexed.")
        output.say("Mend what is marked with ! and run the same command again.")
        return SOME_FAILED
    if not done.files:
        raise NothingFound(
            f"There is nothing to read in {folder}.",
            hint="Put text, Markdown or source code there; what was left out is listed with its reason.",
        )
    return 0


def _report(done: IndexDone) -> None:
    counts = (counted(done.files, "file"), counted(done.chunks, "chunk"), counted(done.vectors, "vector"))
    output.write_line(f"{', '.join(counts)} in {done.seconds:.1f} s")
    output.write_line(
        f"{done.added:,} added, {done.changed:,} changed, {done.removed:,} removed, {done.unchanged:,} unchanged"
    )
    if done.vectors_pending:
        output.write_line(f"{counted(done.vectors_pending, 'vector')} still to be made; full-text search is complete")
    for note in done.left_out:
        output.write_line(f"- {_name(note.path)}: {note.reason}")
    for warning in done.warnings:
        output.write_line(f"~ {_name(warning.path)}: {warning.warning}")
    for failure in done.failed:
        output.write_line(f"! {_name(failure.path)}: {failure.error}")


def _name(path: str) -> str:
    from lens_tui.text.display import one_line

    return one_line(path)
