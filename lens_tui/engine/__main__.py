"""``python -m lens_tui.engine FOLDER --data-dir DIR``: one folder's engine; faces start it, people need not."""

import argparse
import json
import logging
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from lens_tui import __version__
from lens_tui.engine.lifecycle import win
from lens_tui.engine.lock import EngineLock
from lens_tui.engine.server import IDLE_SECONDS, LOOK_SECONDS, Server, Serving
from lens_tui.errors import LensError
from lens_tui.places import Places, places_of, prepare

WIN_SECONDS = 60.0
"""Longest wait for an engine that is on its way out: its last batch of vectors may take as long."""


def main(
    arguments: Sequence[str],
    opening: Callable[[Places, Mapping[str, object]], Serving],
    *,
    idle_seconds: float = IDLE_SECONDS,
    look_seconds: float = LOOK_SECONDS,
    program: str = __version__,
) -> int:
    """Serve a folder until there is a reason to leave; 0 too where another engine does so already.

    Args:
        arguments: The command line after the program's name.
        opening: Opens the service, given the folder's places and the settings of the command line.
        idle_seconds: How long to stay after the last face.
        look_seconds: How often to look whether the data directory is still there.
        program: This program's version.
    """
    logging.basicConfig(stream=sys.stderr, level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    parsed = _parsed(arguments)
    places = places_of(Path(parsed.folder), parsed.data_dir)
    if parsed.socket:
        places = replace(places, socket=Path(parsed.socket))
    try:
        prepare(places)
        with EngineLock(places.data) as lock:
            if not win(places, lock, seconds=WIN_SECONDS):
                return 0
            logging.info("lens-tui %s serves %s, process %d", program, places.folder, os.getpid())
            flags = {"data_dir": parsed.data_dir, **_flags(parsed.set)}
            server = Server(
                places,
                lambda: opening(places, flags),
                lock,
                idle_seconds=idle_seconds,
                look_seconds=look_seconds,
                program=program,
            )
            server.take_signals()
            server.run()
            return 0
    except LensError as error:
        # The face that started this process reads the last line of its log.
        sys.stderr.write(f"{error.message} {error.hint}\n")
        return error.exit_code


def _parsed(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m lens_tui.engine", description=__doc__)
    parser.add_argument("folder", help="the folder's real path")
    parser.add_argument("--data-dir", required=True, help="directory of brains/ and talks/")
    parser.add_argument("--socket", default="", help="where to listen")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a setting, its value as JSON")
    return parser.parse_args(arguments)


def _flags(pairs: Sequence[str]) -> dict[str, object]:
    flags: dict[str, object] = {}
    for pair in pairs:
        key, _, text = pair.partition("=")
        try:
            flags[key] = json.loads(text)
        except ValueError:
            flags[key] = text
    return flags


def _open(places: Places, flags: Mapping[str, object]) -> Serving:
    """Open the real service. Imports it here: the socket listens before the libraries are loaded."""
    from lens_tui.engine.folder_file import read_folder_file
    from lens_tui.engine.service import open_service
    from lens_tui.settings import load_settings

    return open_service(places, load_settings(flags, folder_choices=read_folder_file(places.data).choices))


if __name__ == "__main__":
    code = main(sys.argv[1:], _open)
    sys.stdout.flush()
    sys.stderr.flush()
    # Past the interpreter's own end: everything is closed, and a library's thread may not hold the process up.
    os._exit(code)
