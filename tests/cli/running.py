"""Runs a command line in this process, on a scripted engine, and gives what a shell would see."""

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from lens_tui.cli import Doors, main
from lens_tui.places import Places
from lens_tui.settings import Settings
from tests.fakes import Script, ScriptedEngine


@dataclass
class Ran:
    """What a command left behind."""

    code: int
    out: str
    err: str
    engine: ScriptedEngine

    @property
    def rows(self) -> list[Any]:
        """Stdout as JSON lines."""
        return [json.loads(line) for line in self.out.splitlines()]


@dataclass
class Shell:
    """A folder to name, and a way to run a command on it."""

    folder: Path
    capture: pytest.CaptureFixture[str]
    opened: list[tuple[Places, Settings]] = field(default_factory=list)

    def run(self, *words: str, script: Script = (), app: Callable[[], int] = lambda: 0) -> Ran:
        """Run ``lens-tui words``, where ``@`` stands for the folder."""
        engine = ScriptedEngine(script)

        def open_engine(places: Places, settings: Settings) -> ScriptedEngine:
            self.opened.append((places, settings))
            return engine

        def open_app(places: Places, settings: Settings) -> int:
            self.opened.append((places, settings))
            return app()

        code = main([str(self.folder) if word == "@" else word for word in words], Doors(open_engine, open_app))
        out, err = self.capture.readouterr()
        return Ran(code, out, err, engine)

    def on_terminal(self, *words: str, app: Callable[[], int] = lambda: 0) -> Ran:
        """Run a command as if a person looked at it."""
        with pytest.MonkeyPatch.context() as patch:
            for stream in (sys.stdin, sys.stdout, sys.stderr):
                patch.setattr(stream, "isatty", lambda: True)
            return self.run(*words, app=app)

    def fails(self, code: int, *words: str, script: Script = ()) -> Ran:
        """Run a command that must end with ``code`` and say so: a sentence, then a next step, on stderr."""
        ran = self.run(*words, script=script)
        assert ran.code == code, ran
        told = [row for row in ran.err.splitlines() if row]
        sentence = next(index for index, row in enumerate(told) if row.startswith("lens-tui: "))
        assert told[sentence].endswith((".", "?", "!")), told
        assert len(told) > sentence + 1, f"no next step: {told}"
        assert "Traceback" not in ran.err
        return ran
