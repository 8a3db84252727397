"""What ``doctor`` looks at: each check says what it found and, where something is amiss, the step that mends it."""

import importlib.metadata
import locale
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from lens_tui.errors import LensError, ModelError
from lens_tui.places import data_root
from lens_tui.settings import SPECS, Settings, config_dir, load_settings
from lens_tui.types import ModelInfo

ENOUGH_WATCHES = 65_536
"""Folders that Linux should let one user watch; below, a large tree is polled instead of watched."""

WATCH_LIMIT = Path("/proc/sys/fs/inotify/max_user_watches")
LEAST_ROOM = 200_000_000
"""Bytes free where the data lies, under which a person should know: 50,000 chunks take about 150 MB."""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at."""

    name: str
    ok: bool
    optional: bool
    """Whether everything else works without it."""
    found: str
    """A sentence or a value."""
    mend: str | None = None
    """The next step, where something is amiss."""


def all_checks(flags: Mapping[str, object], environment: Mapping[str, str] = os.environ) -> Iterator[Check]:
    """Look at everything that no folder is needed for, one after the other."""
    settings = Settings()
    yield _python()
    yield _packages()
    try:
        settings = load_settings(flags, environment=environment)
        yield _settings(environment)
    except LensError as error:
        yield Check("settings", False, False, error.message, error.hint)
    yield _data_directory(settings)
    yield _watches()
    yield _terminal(environment)
    yield from _guarded("tokenizer", lambda: _tokenizer(settings))
    yield from _guarded("ollama", lambda: _models(settings, environment))


def _python() -> Check:
    version = ".".join(map(str, sys.version_info[:3]))
    ok = sys.version_info >= (3, 11)
    return Check("python", ok, False, f"{version} in {sys.prefix}", None if ok else "Install Python 3.11 or newer.")


def _packages() -> Check:
    """Every library that lens-tui itself asks for, with its version."""
    try:
        wanted = importlib.metadata.requires("lens-tui") or []
    except importlib.metadata.PackageNotFoundError:
        return Check("packages", False, False, "lens-tui itself is not installed", "Install it with: pip install -e .")
    found, missing = [], []
    for line in wanted:
        match = re.match(r"[A-Za-z0-9._-]+", line)
        if match is None or "extra ==" in line:
            continue
        try:
            found.append(f"{match[0]} {importlib.metadata.version(match[0])}")
        except importlib.metadata.PackageNotFoundError:
            missing.append(match[0])
    if missing:
        return Check("packages", False, False, f"missing: {', '.join(missing)}", f"pip install {' '.join(missing)}")
    return Check("packages", True, False, ", ".join(sorted(found)))


def _settings(environment: Mapping[str, str]) -> Check:
    file = config_dir(environment) / "settings.toml"
    known = {spec.key.variable for spec in SPECS.values()} | {"LENS_TUI_CONFIG_DIR", "LENS_TUI_DEBUG"}
    stray = [name for name in environment if name.startswith("LENS_TUI_") and name not in known]
    stray = sorted(name for name in stray if not name.startswith("LENS_TUI_TEST_"))
    if stray:
        return Check("settings", False, True, f"unknown variables: {', '.join(stray)}", f"unset {' '.join(stray)}")
    return Check("settings", True, False, str(file) if file.exists() else f"none; they would be in {file}")


def _data_directory(settings: Settings) -> Check:
    try:
        root = data_root(settings.data_dir)
        root.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.TemporaryFile(dir=root) as file:
            file.write(b"lens-tui")
        free = shutil.disk_usage(root).free
    except LensError as error:
        return Check("data directory", False, False, error.message, error.hint)
    except OSError as error:
        where = settings.data_dir or "the platform's data directory"
        mend = "Choose another place: set data_dir in settings.toml, or LENS_TUI_DATA_DIR."
        return Check("data directory", False, False, f"{where} cannot be written: {error.strerror}", mend)
    room = f"{root}, {free / 1e9:.1f} GB free"
    if free < LEAST_ROOM:
        return Check("data directory", False, False, room, "Free some space, or move it: set data_dir.")
    return Check("data directory", True, False, room)


def _watches(limit: Path = WATCH_LIMIT) -> Check:
    try:
        allowed = int(limit.read_text("ascii"))
    except (OSError, ValueError):
        return Check("watch limit", True, True, "this system names none")
    if allowed < ENOUGH_WATCHES:
        mend = "sudo sysctl fs.inotify.max_user_watches=524288 (larger folders are polled until then)"
        return Check("watch limit", False, True, f"{allowed:,} folders", mend)
    return Check("watch limit", True, True, f"{allowed:,} folders")


def _terminal(environment: Mapping[str, str]) -> Check:
    kind = environment.get("TERM", "")
    if not sys.stderr or not sys.stderr.isatty():
        return Check("terminal", True, True, "stderr is not a terminal, so it was not looked at")
    columns, rows = shutil.get_terminal_size()
    coding = locale.getpreferredencoding(False)
    found = f"{kind or 'TERM is not set'}, {columns}×{rows}, {coding}"
    if kind in ("", "dumb"):
        return Check(
            "terminal", False, True, found, "Use a terminal that sets TERM, such as export TERM=xterm-256color"
        )
    if coding.lower().replace("-", "") != "utf8":
        return Check("terminal", False, True, found, "export LC_ALL=C.UTF-8 (until then signs are drawn in ASCII)")
    return Check("terminal", True, True, found)


def _tokenizer(settings: Settings) -> Iterator[Check]:
    from lens_tui.text.tokens import open_tokenizer
    from lens_tui.text.vocabularies import directories_of

    tokenizer = open_tokenizer(settings.tokenizer, directories_of(settings.data_dir))
    if tokenizer.exact:
        yield Check("tokenizer", True, True, f"{tokenizer.name}, exact")
    else:
        mend = "To count exactly: lens-tui tokenizer fetch"
        yield Check("tokenizer", False, True, f"{tokenizer.name}: sizes are estimated, which is good enough", mend)


def _models(settings: Settings, environment: Mapping[str, str]) -> Iterator[Check]:
    from lens_tui.ollama.client import OllamaServer
    from lens_tui.ollama.models import choose_chat, choose_embedder

    server = OllamaServer(settings.ollama_host, environment=environment)
    try:
        yield Check("ollama", True, True, f"{server.version()} at {server.address}")
    except ModelError as error:
        yield Check("ollama", False, True, error.message, error.hint)
    named = {"chat model": settings.model, "embedding model": settings.embedder}
    for name in named:
        try:
            if name == "chat model":
                choice = choose_chat(server, wanted=settings.model or None, remembered=None)
            else:
                choice = choose_embedder(server, wanted=settings.embedder, remembered=None)
        except LensError as error:
            yield Check(name, False, True, error.message, error.hint)
            continue
        found = f"{choice.name}: {choice.why}" if choice.name else choice.why
        chosen = choice.name is not None or named[name] in ("none", "builtin")
        yield Check(name, chosen, True, found, None if chosen else choice.hint)
        if name == "embedding model" and choice.info is not None:
            yield from _chunk_size(settings, choice.info)


def _chunk_size(settings: Settings, embedder: ModelInfo) -> Iterator[Check]:
    from lens_tui.chunk_opening import told_too_large
    from lens_tui.text.tokens import OfflineTokenizer

    said, mend = told_too_large(settings, OfflineTokenizer(), embedder)
    if said:
        yield Check("chunk size", False, True, said, mend)


def _guarded(name: str, checks: Callable[[], Iterator[Check]]) -> Iterator[Check]:
    """Run optional checks; what they raise is what they found."""
    try:
        yield from checks()
    except LensError as error:
        yield Check(name, False, True, error.message, error.hint)
    except ImportError as error:
        yield Check(
            name,
            False,
            False,
            f"cannot be loaded: {error}",
            "Install lens-tui again, where it came from: pip install -e .",
        )
