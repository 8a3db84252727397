"""From the words of a command line to a folder, its settings and its engine."""

import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from lens_tui.cli import output
from lens_tui.engine.folder_file import read_folder_file
from lens_tui.errors import UsageError
from lens_tui.places import Places, checked_folder, places_of, prepare
from lens_tui.settings import Settings, load_settings, made_otherwise

if TYPE_CHECKING:
    from lens_tui.cli import Doors
    from lens_tui.protocols import Engine
    from lens_tui.requests import Event, Request
    from lens_tui.types import Retriever


def settled(folder: str, flags: Mapping[str, object]) -> tuple[Places, Settings]:
    """Find the folder and read the settings that hold for it; makes the directories that its data needs.

    Raises:
        FolderError: No folder at this path.
        FolderUnreadable: It cannot be listed.
        SettingsError: A setting that cannot be used.
        StoreError: The data directory cannot be written.
    """
    real = checked_folder(Path(folder))
    places = places_of(real, load_settings(flags).data_dir)
    prepare(places)
    return places, load_settings(flags, folder_choices=read_folder_file(places.data).choices)


def open_app(folder: str, flags: Mapping[str, object], doors: "Doors") -> int:
    """Open the app on a folder.

    Raises:
        UsageError: There is no terminal to draw on.
        SettingsError: The address of the model's server cannot be one.
        LensError: As ``settled``.
    """
    refuse_missing(folder)
    checked_folder(Path(folder))
    # Before anything is made for the folder: what cannot be drawn leaves nothing behind.
    _demand_terminal()
    places, settings = settled(folder, flags)
    if settings.ollama_host:
        # Said here, as by ``ask``: in the app it would be one line of Status.
        from lens_tui.ollama.address import address_of

        address_of(settings.ollama_host)
    return doors.app(places, settings)


def refuse_missing(word: str) -> None:
    """Raise UsageError for a word that is no folder and, by its look, was meant as a command or a plain name."""
    if os.sep in word or word.startswith((".", "~")) or is_there(Path(word)):
        return
    import difflib

    from lens_tui.cli import COMMANDS

    near = difflib.get_close_matches(word, COMMANDS, 1)
    raise UsageError(
        f"There is no folder and no command {word}.",
        hint=f"Did you mean: lens-tui {near[0]}" if near else "See the commands with: lens-tui --help",
    )


def is_there(path: Path) -> bool:
    """Whether anything answers to the name; also where only looking is forbidden, since that can be told better."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return True


def _demand_terminal() -> None:
    hint = "Without a terminal, use: lens-tui search FOLDER QUERY, or: lens-tui ask FOLDER QUESTION"
    if sys.stderr is None or not sys.stderr.isatty():
        raise UsageError("The app is drawn on stderr, and that is not a terminal.", hint=hint)
    if sys.stdin is None or not sys.stdin.isatty():
        raise UsageError("The app reads keys from stdin, and that is not a terminal.", hint=hint)
    if os.environ.get("TERM") == "dumb":
        raise UsageError("This terminal says that it is dumb (TERM=dumb): the app cannot be drawn on it.", hint=hint)


@contextmanager
def engine_of(doors: "Doors", places: Places, settings: Settings) -> "Iterator[Engine]":
    """Open a folder's engine and let go of it at the end; tell where its index is not made as the settings say.

    Raises:
        EngineError: None can be started or reached.
    """
    engine = doors.engine(places, settings)
    try:
        yield engine
    finally:
        engine.close()
    _tell_otherwise(places, settings)


def _tell_otherwise(places: Places, settings: Settings) -> None:
    """Say what the index is made of that these settings say otherwise."""
    for sentence in made_otherwise(read_folder_file(places.data).made_of, settings):
        output.say(sentence)


@contextmanager
def asking(engine: "Engine", request: "Request") -> "Iterator[Iterable[Event]]":
    """Send a request; whatever ends the block early (Ctrl+C, a closed pipe) stops the engine's work on it too."""
    call = engine.start(request)
    try:
        yield call
    except BaseException:
        call.cancel()
        raise


def checked_k(k: int | None, default: int, settings: Settings) -> int:
    """Return how many hits to ask for. Raises UsageError outside 1 to ``search.max_k``."""
    chosen = default if k is None else k
    if not 1 <= chosen <= settings.search_max_k:
        raise UsageError(
            f"k is {chosen}; it must be from 1 to {settings.search_max_k}.",
            hint=f"Ask for fewer or more with -k, such as -k {min(default, settings.search_max_k)}.",
        )
    return chosen


def chosen_retriever(settings: Settings) -> "Retriever | None":
    """Return the retriever that was set, None to let the engine choose."""
    known: dict[str, Retriever] = {"lexical": "lexical", "vector": "vector", "hybrid": "hybrid"}
    return known.get(settings.search_retriever)


def checked_words(text: str, what: str) -> str:
    """Return the query or question in well-formed Unicode. Raises UsageError where it says nothing."""
    words = text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    if not words.strip():
        raise UsageError(f"The {what} is empty.", hint=f"Write the {what} in quotes, after the folder.")
    return words
