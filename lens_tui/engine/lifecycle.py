"""How an engine process begins: its command line, a session, log and environment of its own, and who won the race."""

import json
import os
import socket
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from lens_tui.engine import channel
from lens_tui.engine.lock import EngineLock, Holder, holder_of
from lens_tui.errors import EngineError, StoreError
from lens_tui.places import Places, prepare

if TYPE_CHECKING:
    import subprocess

LOG_BYTES = 1_000_000
"""A log above this is moved to ``engine.log.1`` when an engine starts, and once a minute while it runs."""

NAP_SECONDS = 0.008
"""Between two looks at something that another process is about to do."""

COMMAND = (sys.executable, "-P", "-X", "faulthandler", "-m", "lens_tui.engine")
"""The engine's program. ``-P``: a module in the working directory must not stand in for one of ours."""


@dataclass(slots=True)
class Child:
    """An engine that this face started."""

    process: "subprocess.Popen[bytes]"
    log: Path
    begun_at: int
    """Size of the log when it started."""

    @property
    def exit_code(self) -> int | None:
        """None while it runs; negative: the signal that ended it."""
        return self.process.returncode

    def last_words(self) -> str:
        """The last line that it left in the log, cut to 300 characters; empty where it left none."""
        try:
            with self.log.open("rb") as file:
                file.seek(min(self.begun_at, self.log.stat().st_size))
                text = file.read(LOG_BYTES).decode("utf-8", "replace")
        except OSError:
            return ""
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        return lines[-1][:300] if lines else ""


def log_of(places: Places) -> Path:
    """Where a folder's engine writes what it has to say."""
    return places.data / "engine.log"


def spawn(
    places: Places,
    *,
    flags: Mapping[str, object],
    command: Sequence[str] = COMMAND,
    environment: Mapping[str, str] = os.environ,
) -> Child:
    """Start an engine that outlives this process and shares nothing with it but the user.

    Args:
        places: The folder's; the directories exist.
        flags: Settings of the face's command line, handed on as ``--set``.
        command: The engine's program and first arguments.
        environment: The person's, kept but for paths that would change their meaning in another directory.

    Raises:
        EngineError: The system cannot start another process.
        StoreError: The log cannot be written.
    """
    import subprocess  # 10 ms of start-up that a face which finds its engine running does not need

    log = log_of(places)
    line = [*command, str(places.folder), "--data-dir", str(places.data.parent.parent), "--socket", str(places.socket)]
    for key, value in flags.items():
        if value is not None:
            line += ["--set", f"{key}={json.dumps(value)}"]
    try:
        rotate(log)
        with log.open("ab", buffering=0) as stream:
            begun_at = stream.seek(0, os.SEEK_END)
            try:
                process = subprocess.Popen(
                    line,
                    stdin=subprocess.DEVNULL,
                    stdout=stream,
                    stderr=stream,
                    cwd="/",
                    env=_elsewhere(environment),
                    close_fds=True,
                    start_new_session=True,
                )
            except OSError as error:
                raise EngineError(
                    f"The engine cannot be started: {error.strerror}.", hint="Close some programs and try again."
                ) from error
    except OSError as error:
        raise StoreError(f"{log} cannot be written: {error.strerror}.", hint="Mend its permissions.") from error
    # Reaps it whenever it ends, so that no zombie is left and its exit code is known without asking.
    threading.Thread(target=process.wait, name="engine-reaper", daemon=True).start()
    return Child(process, log, begun_at)


def _elsewhere(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment with its relative paths made absolute: the engine works in another directory."""
    kept = dict(environment)
    for name in ("LENS_TUI_CONFIG_DIR", "PYTHONPATH"):
        if kept.get(name):
            kept[name] = os.pathsep.join(str(Path(part).absolute()) for part in kept[name].split(os.pathsep))
    return kept


def rotate(log: Path, limit: int = LOG_BYTES) -> bool:
    """Move a log that is above ``limit`` bytes to ``<name>.1``, in the place of the one before. Returns whether it did.

    Raises:
        OSError: It cannot be moved.
    """
    try:
        if log.stat().st_size <= limit:
            return False
    except FileNotFoundError:
        return False
    log.replace(log.with_name(log.name + ".1"))
    return True


def reopen(log: Path) -> None:
    """Point this process's output at ``log`` again, after it was moved away.

    Raises:
        OSError: It cannot be opened.
    """
    fd = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        os.dup2(fd, 1)
        os.dup2(fd, 2)
    finally:
        os.close(fd)


def knock(places: Places, seconds: float) -> socket.socket | None:
    """Connect to the folder's engine where one listens, with ``seconds`` as the limit of each further read.

    An engine that was started with another runtime directory is found through its lock file.

    Raises:
        EngineError: Another user's process listens in its place.
    """
    found = channel.connect(places.socket, seconds)
    if found is None and (holder := holder_of(places.data)) and holder.socket != str(places.socket):
        found = channel.connect(Path(holder.socket), seconds)
    return found


def win(places: Places, lock: EngineLock, *, seconds: float) -> bool:
    """Take the engine's lock, or find that another engine serves the folder. Returns whether it was taken.

    An engine on its way out holds the lock and no longer listens: it is waited for.

    Raises:
        EngineError: Another engine holds the lock, and does not listen within ``seconds``.
        StoreError: The data directory cannot be written.
    """
    end = time.monotonic() + seconds
    while not lock.take():
        if (engine := knock(places, 1.0)) is not None:
            engine.close()
            return False
        if time.monotonic() > end:
            holder = holder_of(places.data)
            raise EngineError(
                "Another engine of this folder does not answer" + (f" (process {holder.pid})." if holder else "."),
                hint=f"End it with: kill {holder.pid}" if holder else "Try again in a moment.",
            )
        time.sleep(NAP_SECONDS)
        if not places.data.is_dir():
            prepare(places)
    lock.say(Holder(os.getpid(), str(places.socket), str(places.folder)))
    return True
