"""The same questions asked of the same folder, cut by one strategy after the other, each in an index of its own."""

import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from lens_tui.chunking import chunker_for
from lens_tui.cli import Doors
from lens_tui.cli.asked import retrievers_of, targets_in, tried
from lens_tui.cli.opening import asking, chosen_retriever, engine_of
from lens_tui.cli.progress import ProgressLine
from lens_tui.engine.folder_file import FolderFile, read_folder_file
from lens_tui.engine.lock import EngineLock
from lens_tui.errors import EngineError, LensError
from lens_tui.evaluation import Question, Trial
from lens_tui.options import ChunkOptions
from lens_tui.places import Places, places_of, prepare
from lens_tui.protocols import Engine
from lens_tui.requests import Index, IndexDone, IndexProgress, Leave, Recut
from lens_tui.settings import Settings, set_keys
from lens_tui.text.tokens import OfflineTokenizer
from lens_tui.types import Failed
from lens_tui.wire import as_error

LEAVING_SECONDS = 10.0
"""Longest wait for an engine to let go of an index that is thrown away."""


def by_strategy(
    doors: Doors, places: Places, settings: Settings, strategies: Sequence[str], asked: Sequence[Question]
) -> tuple[dict[str, list[Trial]], list[str]]:
    """Index the folder once for each strategy, in a directory that is gone afterwards, and ask every question.

    Returns:
        What was found, by strategy, with the retriever that serves; and sentences on what is relevant and not there.

    Raises:
        ChunkingValueError: There is no such strategy, or the settings' sizes are out of its bounds.
    """
    choices = [replace(settings.chunking, strategy=name) for name in strategies]
    for options in choices:
        chunker_for(options, OfflineTokenizer())
    trials: dict[str, list[Trial]] = {}
    notes: list[str] = []
    with tempfile.TemporaryDirectory(prefix="lens-tui-eval-", ignore_cleanup_errors=True) as scratch:
        for options in choices:
            with _indexed(doors, places, settings, options, Path(scratch) / options.strategy) as (engine, line):
                retriever = retrievers_of(engine, line, chosen_retriever(settings))[-1]
                targets, notes = targets_in(engine, asked)
                trials[options.strategy] = tried(engine, retriever, asked, targets, line)
    return trials, notes


@contextmanager
def _indexed(
    doors: Doors, places: Places, settings: Settings, options: ChunkOptions, data_dir: Path
) -> Iterator[tuple[Engine, ProgressLine]]:
    """The folder in an index of its own, cut by the options, with vectors; its engine leaves at the end."""
    apart = places_of(places.folder, str(data_dir))
    prepare(apart)
    # The embedder that serves the folder's own index serves here too.
    known = read_folder_file(places.data)
    kept = FolderFile(apart.data / "folder.json", places.folder, time.time)
    kept.keep(embedder=known.embedder, choices=known.choices | set_keys(options))
    with engine_of(doors, apart, replace(settings, chunking=options)) as engine, ProgressLine() as line:
        _read(engine, options, line)
        try:
            yield engine, line
        finally:
            # Left behind, it would find out by itself that its directory is gone.
            with suppress(LensError), asking(engine, Leave()) as events:
                list(events)
    _await_end(apart)


def _read(engine: Engine, options: ChunkOptions, line: ProgressLine) -> None:
    for request in (Recut(options=options), Index()):
        with asking(engine, request) as events:
            for event in events:
                if isinstance(event, Failed):
                    raise as_error(event)
                if isinstance(event, IndexProgress):
                    line.show(f"{options.strategy}: read {event.done:,} of {event.total:,} ({event.chunks:,} chunks)")
                elif isinstance(event, IndexDone):
                    return
    raise EngineError("The engine ended before the index was done.", hint="Run the same command again.")


def _await_end(places: Places) -> None:
    lock = EngineLock(places.data)
    end = time.monotonic() + LEAVING_SECONDS
    while not lock.take() and time.monotonic() < end:
        time.sleep(0.02)
    lock.release()
