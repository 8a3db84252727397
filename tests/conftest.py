"""What holds for every test: a home of its own, no socket unless it is marked, snapshots in one place.

A test that speaks to a server or an engine on this machine is marked ``network``, one that needs a real Ollama
``ollama``; every other test fails at the first connection. Nothing here reaches beyond this machine.
"""

import os
import shutil
import signal
import socket
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import pytest
from pytest_textual_snapshot import SVGImageExtension
from syrupy.location import PyTestLocation

from tests.ollama.real import endless, real_ollama, running_ollama

__all__ = ["endless", "home", "installed", "real_ollama", "running_ollama"]
"""Fixtures that every test may ask for; one real Ollama serves the whole run."""

ROOT = Path(__file__).resolve().parent.parent
LONGEST_HOME = 60
"""Bytes of a home's path that leave room for ``run/lens-tui/<12 hex>.sock`` under the 100 that a socket may have."""
CLOSED_PORT = 9
"""Discard: nothing listens there, and binding it takes a privilege that no test has."""
KEPT = ("LENS_TUI_TEST_", "TEXTUAL_SNAPSHOT_")
"""Variables that the person who runs the tests, or the plugin of the pictures, sets for them."""
CLEARED = ("LENS_TUI_", "OLLAMA_", "XDG_", "TEXTUAL", "CHROMA_", "TIKTOKEN_")
CLEARED_NAMES = ("NO_COLOR", "FORCE_COLOR", "CLICOLOR", "COLUMNS", "LINES", "EDITOR", "VISUAL", "TMUX", "SSH_TTY")


@dataclass(frozen=True, slots=True)
class Home:
    """Directories that stand in for a person's own; their paths are short enough for Unix sockets."""

    root: Path
    data: Path
    """``LENS_TUI_DATA_DIR``."""
    config: Path
    """``LENS_TUI_CONFIG_DIR``."""
    runtime: Path
    """``XDG_RUNTIME_DIR``."""


def _short_directory() -> Path:
    for parent in (tempfile.gettempdir(), "/tmp"):
        if len(os.fsencode(parent)) + 12 <= LONGEST_HOME and os.access(parent, os.W_OK):
            return Path(tempfile.mkdtemp(prefix="lt-", dir=parent)).resolve()
    pytest.exit("The tests need a writable temporary directory with a short path: set TMPDIR to one.", returncode=4)


def _home(root: Path) -> Home:
    home = Home(root, root / "data", root / "config", root / "run")
    for directory in (home.data, home.config, home.runtime):
        directory.mkdir(mode=0o700)
    return home


def _move_in(patch: pytest.MonkeyPatch, home: Home) -> None:
    for name in os.environ:
        mine = name.startswith(CLEARED) and not name.startswith(KEPT)
        if mine or name in CLEARED_NAMES or name.lower().endswith("_proxy"):
            patch.delenv(name)
    patch.setenv("HOME", str(home.root))
    patch.setenv("LENS_TUI_DATA_DIR", str(home.data))
    patch.setenv("LENS_TUI_CONFIG_DIR", str(home.config))
    patch.setenv("XDG_RUNTIME_DIR", str(home.runtime))
    patch.setenv("OLLAMA_HOST", f"127.0.0.1:{CLOSED_PORT}")
    patch.setenv("TEXTUAL_ANIMATIONS", "none")
    patch.setenv("TERM", "xterm-256color")
    patch.setenv("COLORTERM", "truecolor")
    patch.setenv("LC_ALL", "C.UTF-8")


def pytest_configure() -> None:
    """Hear Ctrl+C even where the run was started in the background, which hands "ignore it" to every child."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def _session_home() -> Iterator[None]:
    """Move the whole run out of the person's home, for fixtures that live longer than a test."""
    root = _short_directory()
    with pytest.MonkeyPatch.context() as patch:
        _move_in(patch, _home(root))
        yield
    shutil.rmtree(root, ignore_errors=True)


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch) -> Iterator[Home]:
    """Give this test directories of its own; an engine left in them ends when they go."""
    root = _short_directory()
    made = _home(root)
    _move_in(monkeypatch, made)
    yield made
    shutil.rmtree(root, ignore_errors=True)


@pytest.fixture(autouse=True)
def _no_sockets(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse connections and name look-ups where the test is marked neither ``network`` nor ``ollama``."""
    if request.node.get_closest_marker("network") or request.node.get_closest_marker("ollama"):
        return

    before = frozenset(threading.enumerate()) - {threading.main_thread()}

    def refuse(*args: Any, **_: Any) -> NoReturn:
        if threading.current_thread() in before:
            raise ConnectionRefusedError("the test that this thread is of is over")
        # Not an OSError: the code under test would take that for a server that is down, and the test would pass.
        pytest.fail(f"a unit test opened a connection ({args[-1]!r}): mark it network, or hand it a fake")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket.socket, "connect_ex", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


@pytest.fixture(scope="session")
def installed() -> Path:
    """The installed ``lens-tui``, beside the Python that runs the tests."""
    import sys

    found = Path(sys.executable).parent / "lens-tui"
    if not found.exists():
        pytest.exit("lens-tui is not installed here: pip install -e '.[test]'", returncode=4)
    return found


def _snapshots(cls: type[SVGImageExtension], *, test_location: PyTestLocation) -> str:
    return str(ROOT / "snapshots" / Path(test_location.filepath).stem)


# The plugin would put pictures beside each test; one folder at the top is what a person looks through. The
# plugin takes a picture for its test's own only where the test file's name is in its path.
SVGImageExtension.dirname = classmethod(_snapshots)
