"""``lens-tui index FOLDER``: bring the index up to date, and report."""

from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from lens_tui.cli import Doors, output
from lens_tui.cli.commands import LensCommand, data_dir_option, json_option
from lens_tui.cli.cutting import chosen, cutting_options, demand_effect
from lens_tui.cli.opening import asking, engine_of, settled
from lens_tui.cli.progress import ProgressLine
from lens_tui.cli.wording import counted
from lens_tui.errors import EngineError, NothingFound
from lens_tui.requests import FolderNews, Index, IndexDone, IndexProgress, Leave, Recut, RecutCost, Status
from lens_tui.settings import Settings, is_directory
from lens_tui.types import Failed
from lens_tui.wire import as_error

if TYPE_CHECKING:
    from lens_tui.protocols import Engine

SOME_FAILED = 3
"""Exit code: done, but for some files."""


@click.command(
    cls=LensCommand,
    epilog="""\b
Examples:
  lens-tui index ./notes
  lens-tui index ./notes --text-only --json
  lens-tui index ./notes --strategy sentence --size 384""",
)
@click.argument("folder")
@click.option("--text-only", is_flag=True, help="Do not wait for vectors: full-text search needs none.")
@cutting_options
@json_option
@data_dir_option
@click.pass_obj
def command(
    doors: Doors,
    /,
    folder: str,
    text_only: bool,
    as_json: bool,
    data_dir: str | None,
    **cutting: Any,
) -> int:
    """Bring FOLDER's index up to date and report: full text first, then vectors.

    Flags that say how files are cut become the folder's own choice, and what is cut otherwise is cut anew. A flag
    without --strategy keeps the rest of that choice; with it a new one begins, sizes and all. Ctrl+C leaves what is
    done, and the next run goes on from there.
    """
    flags = chosen(cutting)
    places, settings = settled(folder, {"data_dir": data_dir, **flags})
    recut = None
    if flags:
        demand_effect(cutting, [settings.chunking.strategy])
        _demand_vectors(settings)
        recut = Recut(options=settings.chunking, embedder=cutting["embedder"] and settings.embedder)
    with engine_of(doors, places, settings) as engine, ProgressLine() as line:
        wanted = Index(text_only=text_only)
        if recut is not None and _recut(engine, recut):
            # That one has left: another makes vectors as they are wanted now.
            with closing(doors.engine(places, settings)) as anew:
                done = _indexed(anew, wanted, line, as_json=as_json)
        else:
            done = _indexed(engine, wanted, line, as_json=as_json)
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


def _demand_vectors(settings: Settings) -> None:
    """Raise LensError where vectors cannot be made as settings say: that must not become the folder's choice."""
    if settings.chunking.late or is_directory(settings.embedder):
        from lens_tui.chunk_opening import open_chunker
        from lens_tui.text.tokens import OfflineTokenizer

        open_chunker(settings, OfflineTokenizer())


def _recut(engine: "Engine", request: Recut) -> bool:
    """Have the folder indexed so from now on, and tell the cost.

    Returns whether the engine has left, since another one is to make the vectors.
    """
    reopens = False
    with asking(engine, request) as events:
        for event in events:
            if isinstance(event, Failed):
                raise as_error(event)
            if isinstance(event, RecutCost) and event.reopens:
                reopens = True
                output.say(f"Vectors are made otherwise from now on: {counted(event.vectors, 'chunk')} to go through.")
            elif isinstance(event, RecutCost) and event.files:
                output.say(_cost_told(event, request.options.strategy))
    if reopens:
        engine.start(Leave())
        # An answer to what was sent after it, or the end of the line, tells that it was heard.
        for _ in engine.start(Status()):
            pass
    return reopens


def _cost_told(cost: RecutCost, strategy: str) -> str:
    """What cutting anew takes: full text, and beside it vectors, whose time only a model that has worked can tell."""
    said = f"Cutting {counted(cost.files, 'file')} anew by {strategy}: about {counted(cost.chunks, 'chunk')}"
    said += f" in {_seconds(cost.seconds)}"
    if cost.vectors:
        said += f", then {counted(cost.vectors, 'vector')}"
        known = cost.vector_seconds is not None
        said += f" in {_seconds(cost.vector_seconds or 0.0)}" if known else ", at the speed of their model"
    return f"{said}."


def _seconds(seconds: float) -> str:
    return f"{max(seconds, 1.0):,.0f} s"


def _indexed(engine: "Engine", request: Index, line: ProgressLine, *, as_json: bool) -> IndexDone:
    """Wait until the index is up to date, showing how far it is.

    What its vectors will lack is said before they are made, and is no note in the end any more.
    """
    before = () if request.text_only else _told_before(engine)
    for note in before:
        output.say(note)
    with asking(engine, request) as events:
        for event in events:
            if isinstance(event, Failed):
                raise as_error(event)
            if isinstance(event, IndexDone):
                return replace(event, notes=tuple(note for note in event.notes if note not in before))
            if isinstance(event, IndexProgress) and as_json:
                output.write_json(event)
            elif isinstance(event, IndexProgress):
                line.show_index(event)
    raise EngineError("The engine ended before the index was done.", hint="Run the same command to go on.")


def _told_before(engine: "Engine") -> tuple[str, ...]:
    with asking(engine, Status()) as events:
        return next((event.state.vector_notes for event in events if isinstance(event, FolderNews)), ())


def _report(done: IndexDone) -> None:
    counts = (counted(done.files, "file"), counted(done.chunks, "chunk"), counted(done.vectors, "vector"))
    output.write_line(f"{', '.join(counts)} in {done.seconds:.1f} s")
    output.write_line(
        f"{done.added:,} added, {done.changed:,} changed, {done.removed:,} removed, {done.unchanged:,} unchanged"
    )
    if done.vectors_pending:
        output.write_line(f"{counted(done.vectors_pending, 'vector')} still to be made; full-text search is complete")
    if done.left_out or done.warnings or done.failed:
        kinds = (
            ("-", "left out", done.left_out),
            ("~", "read, with a warning", done.warnings),
            ("!", "failed", done.failed),
        )
        output.write_line("  ".join(f"{sign} {meaning} ({len(of):,})" for sign, meaning, of in kinds if of))
    for note in done.left_out:
        output.write_line(f"- {_name(note.path)}: {note.reason}")
    for warning in done.warnings:
        output.write_line(f"~ {_name(warning.path)}: {warning.warning}")
    for failure in done.failed:
        output.write_line(f"! {_name(failure.path)}: {failure.error}")


def _name(path: str) -> str:
    from lens_tui.text.display import one_line

    return one_line(path)
