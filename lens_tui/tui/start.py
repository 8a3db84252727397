"""The way from the command line into the app: asks the terminal first, then loads the screen."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from lens_tui.errors import UsageError
from lens_tui.settings import Settings, config_dir, made_otherwise
from lens_tui.tui import skeleton
from lens_tui.tui.layout.names import folder_name
from lens_tui.tui.signs import signs_for
from lens_tui.tui.terminal import Asking, is_utf8

if TYPE_CHECKING:
    from collections.abc import Callable

    from lens_tui.places import Places
    from lens_tui.protocols import Call, Engine
    from lens_tui.requests import Request
    from lens_tui.tui.app import LensApp

SCREEN = 2
"""Textual draws on standard error."""

FRAMES = "120"
"""Pictures a second at most. With Textual's own 60 the list of a search waits up to 17 ms to be drawn after the letter
that was typed (tests/benchmarks/search_page.py: 43 → 34 ms); over SSH 60 stay: each picture goes over the network."""


class LateEngine:
    """An engine that is loaded and reached by its first request: not before the first paint."""

    def __init__(self, make: Callable[[], Engine]) -> None:
        """Keep the way to make it."""
        import threading

        self._make = make
        self._lock = threading.Lock()
        self._engine: Engine | None = None

    def start(self, request: Request) -> Call:
        """Send a request. Raises EngineError where no engine can be started or reached."""
        with self._lock:
            if self._engine is None:
                self._engine = self._make()
        return self._engine.start(request)

    def close(self) -> None:
        """Let go of the connection, where there is one."""
        with self._lock:
            if self._engine is not None:
                self._engine.close()


def run(places: Places, settings: Settings) -> int:
    """Open the app on a folder and stay until the person leaves. Returns the exit code.

    Raises:
        UsageError: The keyboard or the screen is no terminal.
    """
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UsageError(
            "The app needs a terminal for its keyboard and its screen.",
            hint="In a pipe use: lens-tui ask FOLDER QUESTION, or lens-tui search FOLDER QUERY.",
        )
    if settings.motion == "none":
        os.environ.setdefault("TEXTUAL_ANIMATIONS", "none")
    if not (os.environ.get("SSH_TTY") or os.environ.get("SSH_CONNECTION")):
        os.environ.setdefault("TEXTUAL_FPS", FRAMES)
    signs = signs_for(settings.signs, utf8=is_utf8(os.environ), term=os.environ.get("TERM", ""))
    painted = skeleton.paint(SCREEN, folder_name(places.folder, Path.home()), signs)
    try:
        app, engine = _made(places, settings)
    except BaseException:
        if painted:
            skeleton.wipe(SCREEN)
        raise
    try:
        code = app.run(mouse=settings.mouse)
    finally:
        engine.close()
    # Whoever leaves does so with a code: without one something went wrong, and Textual has shown what.
    return 1 if code is None else code


def _made(places: Places, settings: Settings) -> tuple[LensApp, LateEngine]:
    """Ask the terminal, load the screen meanwhile, and make the app for what it is."""
    asking = Asking(settings)
    try:
        from lens_tui.places import data_root
        from lens_tui.tui.app import LensApp
        from lens_tui.tui.garbled import take_anything
        from lens_tui.tui.person import Person
        from lens_tui.tui.themes import chosen_name, load_themes, on_light, theme_directories
    finally:
        terminal = asking.read()

    def make() -> Engine:
        from lens_tui.engine.client import EngineClient

        return EngineClient(places, settings)

    config = config_dir()
    themes, broken = load_themes(theme_directories(config))
    person = Person(data_root(settings.data_dir) / "person.json")
    kept = person.theme if person.theme in themes else ""
    name, problem = chosen_name(settings.theme or kept, terminal.background, terminal.colours, themes)
    theme = themes[name]
    if theme.ansi and terminal.background == "light":
        theme = on_light(theme)
    take_anything()
    driver = None
    if not terminal.answered:
        from lens_tui.tui.late import PatientDriver as driver  # type: ignore[assignment]

    def otherwise() -> tuple[str, ...]:
        from lens_tui.engine.folder_file import read_folder_file

        return tuple(made_otherwise(read_folder_file(places.data).made_of, settings))

    engine = LateEngine(make)
    app = LensApp(
        engine,
        places.folder,
        settings,
        data=places.data,
        themes=themes,
        theme=theme,
        person=person,
        signs=terminal.signs,
        typed=terminal.typed,
        returning=places.talks.exists(),
        notices=(*((problem,) if problem else ()), *broken),
        otherwise=otherwise,
        driver_class=driver,
    )
    return app, engine
