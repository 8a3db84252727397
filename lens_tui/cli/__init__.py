"""The door from a shell: which word is a command, which one a folder, and what is said when something fails.

Nothing heavy is imported here: ``lens-tui FOLDER`` is on its way to the first paint.
"""

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lens_tui.cli import output
from lens_tui.errors import LensError, Stopped

if TYPE_CHECKING:
    from lens_tui.places import Places
    from lens_tui.protocols import Engine
    from lens_tui.settings import Settings

COMMANDS = {
    "index": "bring a folder's index up to date and report",
    "search": "ranked excerpts with path, lines and score",
    "ask": "an answer with its sources",
    "related": "passages near one that you name",
    "chunks": "how a file is cut: chunks, statistics, warnings",
    "eval": "measures search on a person's own questions",
    "verify": "judges claims by excerpts, or a text's citations by a folder",
    "mcp": "the folder as tools for agents, over stdin and stdout",
    "doctor": "what works, what does not, and what mends it",
    "tokenizer": "which tokenizer counts; fetch or import its vocabulary",
    "brains": "the indexed folders: list, remove",
}
"""Word → what it does. Each is a file of this room; every other first word is a folder."""


def _open_engine(places: "Places", settings: "Settings") -> "Engine":
    from lens_tui.engine.client import EngineClient

    return EngineClient(places, settings)


def _open_app(places: "Places", settings: "Settings") -> int:
    from lens_tui.tui.start import run

    return run(places, settings)


@dataclass(frozen=True, slots=True)
class Doors:
    """What lies behind the command line."""

    engine: "Callable[[Places, Settings], Engine]" = _open_engine
    app: "Callable[[Places, Settings], int]" = _open_app


def main(arguments: Sequence[str] | None = None, doors: Doors = Doors()) -> int:
    """Do what the words ask and return the exit code; every code but 0 leaves a sentence and a next step on stderr."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    output.tolerate_any_character()
    try:
        code = _run(words, doors)
        output.finish()
        return code
    except LensError as error:
        return _fail(error)
    except KeyboardInterrupt:
        return _fail(Stopped("Stopped.", hint="What was done is kept; the same command goes on from there."))
    except output.OutputClosed:
        output.abandon()
        return 0
    except Exception as error:  # noqa: BLE001 (the last resort: a person gets a sentence, the log gets the traceback)
        return _fail(unforeseen(error))


def _run(words: list[str], doors: Doors) -> int:
    if not words or (len(words) == 1 and words[0] not in COMMANDS and not words[0].startswith("-")):
        from lens_tui.cli.opening import open_app

        return open_app(words[0] if words else ".", {}, doors)
    from lens_tui.cli.commands import run_command

    return run_command(words, doors)


def _fail(error: LensError) -> int:
    try:
        output.say(f"lens-tui: {error.message}")
        if error.hint:
            output.say(error.hint)
        output.finish()
    except (output.OutputClosed, LensError):
        output.abandon()
    return error.exit_code


def unforeseen(error: Exception) -> LensError:
    """Make a sentence of what nobody foresaw, and put its traceback where it can be read."""
    import traceback

    from lens_tui.cli.crash_log import keep

    story = "".join(traceback.format_exception(error))
    if os.environ.get("LENS_TUI_DEBUG", "") not in ("", "0"):
        output.say(story)
        return LensError(f"Something unforeseen went wrong ({type(error).__name__}).", hint="The story is above.")
    kept = keep(story)
    where = f"It is written down in {kept}." if kept else "Run it again with LENS_TUI_DEBUG=1 to see where."
    return LensError(f"Something unforeseen went wrong: {type(error).__name__}: {error}.", hint=where)
