"""A real Ollama, started for the tests on a port, with models and in a home of its own.

It is the one named by LENS_TUI_TEST_OLLAMA, else the one on the PATH; where there is none the tests are skipped and
say so. A test that uses it is marked ``ollama``; ``tests/conftest.py`` gives it the fixture ``real_ollama``.
"""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.ollama.scripted import closed_port
from tests.ollama.tiny_models import CHAT_TEMPLATE, THINKING_TEMPLATE, write_script_model, write_word_model

VARIABLE = "LENS_TUI_TEST_OLLAMA"
START_SECONDS = 60.0

CITES = ("The", " lease", " ends", " on", " 31", " March", " 2027", " [", "1", "].", " It", " renews", " [2", "].\n")
"""What ``cites`` says: the first mark comes as three tokens."""
THINKS = ("<think>", "Let", " me", " look", ".", "</think>", "The", " lease", " ends", " [1", "].")
TELLS = (*(f" part{number}" for number in range(40)), " end", ".")
"""What ``tells`` says: more than is left where a prompt fills its context but for a little."""
ENDLESS = tuple(f" word{number}" for number in range(40))
VOCABULARY = [
    "lease",
    "ends",
    "march",
    "notice",
    "tenant",
    "deposit",
    "rent",
    "roof",
    "garden",
    "cat",
    "dog",
    "mouse",
    "train",
    "ticket",
    "the",
    "a",
    "in",
    "on",
    "of",
    "and",
]


def ollama_binary() -> Path | None:
    """The program to test with, None where there is none."""
    named = os.environ.get(VARIABLE)
    found = named or shutil.which("ollama")
    return Path(found) if found and Path(found).is_file() else None


class RealOllama:
    """A server that the tests own: it can be stopped, started again and robbed of its runner."""

    def __init__(self, binary: Path, home: Path) -> None:
        self.binary = binary
        self.home = home
        self.port = closed_port()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def environment(self) -> dict[str, str]:
        """What ``ollama`` needs to meet this server and nothing of the person's."""
        kept = {name: os.environ[name] for name in ("PATH", "TMPDIR") if name in os.environ}
        return {
            **kept,
            "HOME": str(self.home),
            "OLLAMA_HOST": self.host,
            "OLLAMA_MODELS": str(self.home / "models"),
            "OLLAMA_KEEP_ALIVE": "5m",
        }

    def start(self) -> None:
        """Serve, and wait until it answers."""
        log = (self.home / "serve.log").open("ab")
        with log:
            self._process = subprocess.Popen(
                [str(self.binary), "serve"],
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        until = time.monotonic() + START_SECONDS
        while time.monotonic() < until:
            try:
                with urllib.request.urlopen(f"http://{self.host}/api/version", timeout=2):
                    return
            except (urllib.error.URLError, OSError):
                time.sleep(0.05)
        raise RuntimeError(f"ollama did not answer within {START_SECONDS:.0f} s; see {self.home / 'serve.log'}")

    def stop(self) -> None:
        """End the server and its runners, and wait until they are gone."""
        if self._process is None:
            return
        group = self._process.pid
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        for runner in self._runners_of(group):
            _kill(runner)
        self._process = None

    def kill_runner(self) -> None:
        """``kill -9`` whatever runs a model: what happens when the machine takes its memory."""
        assert self._process is not None
        for runner in self._runners_of(self._process.pid):
            if runner != self._process.pid:
                _kill(runner)

    def unload(self, name: str) -> None:
        """Have the server forget a model that is in memory; the next request starts a new runner.

        It is also how a model is had back that this server lost. A request that is hung up on while two of its tokens
        are on their way leaves a routine of the server waiting for ever, which holds the model's only place: every
        later request on it waits too. It takes hundreds of tokens a second on a busy machine, as in these tests.
        """
        asked = json.dumps({"model": name, "keep_alive": 0}).encode()
        self._api("/api/generate", asked)
        until = time.monotonic() + START_SECONDS
        while time.monotonic() < until:
            loaded = json.loads(self._api("/api/ps"))["models"]
            if not any(model["name"].partition(":")[0] == name for model in loaded):
                return
            time.sleep(0.02)
        raise RuntimeError(f"{name} did not leave the memory within {START_SECONDS:.0f} s")

    def create(self, name: str, gguf: Path, template: str = "") -> None:
        """Give the server a model from a file."""
        modelfile = gguf.with_suffix(".Modelfile")
        # By one thread: two of so small a model wait for each other wherever something else needs a core.
        rows = [f"FROM {gguf}", "PARAMETER num_thread 1", f'TEMPLATE """{template}"""' if template else ""]
        modelfile.write_text("\n".join(rows), "utf-8")
        done = subprocess.run(
            [str(self.binary), "create", name, "-f", str(modelfile)],
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stderr.decode("utf-8", "replace")
        gguf.unlink()

    def script(self, name: str, pieces: Sequence[str], *, loop: bool = False, context: int = 4096) -> None:
        """Make a model that says these pieces."""
        file = self.home / f"{name}.gguf"
        write_script_model(file, pieces, loop=loop, context=context)
        self.create(name, file, THINKING_TEMPLATE if pieces[0] == "<think>" else CHAT_TEMPLATE)

    def words(self, name: str, vocabulary: Sequence[str], *, context: int = 512) -> None:
        """Make a model that embeds these words."""
        file = self.home / f"{name}.gguf"
        write_word_model(file, vocabulary, context=context)
        self.create(name, file)

    def _api(self, path: str, body: bytes | None = None) -> bytes:
        with urllib.request.urlopen(f"http://{self.host}{path}", body, timeout=30) as answer:
            told: bytes = answer.read()
            return told

    def _runners_of(self, group: int) -> list[int]:
        """Processes of the server's own process group; Ollama starts its runners in it."""
        return [pid for pid in _processes() if _group_of(pid) == group]


def _processes() -> list[int]:
    if Path("/proc/self").exists():
        return [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]
    listed = subprocess.run(["ps", "-axo", "pid="], capture_output=True, text=True, check=True).stdout
    return [int(row) for row in listed.split()]


def _group_of(pid: int) -> int | None:
    try:
        return os.getpgid(pid)
    except (ProcessLookupError, PermissionError):
        return None


def _kill(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


@pytest.fixture(scope="session")
def real_ollama() -> Iterator[RealOllama]:
    """A running server with the models ``cites``, ``thinks``, ``endless``, ``brief``, ``long``, ``tells``, ``words``.

    ``endless`` (32,768 tokens) and ``brief`` (1,280) never stop by themselves; ``long`` is ``cites`` with 16,384
    tokens, which ``tells`` has too.
    """
    binary = ollama_binary()
    if binary is None:
        pytest.skip(f"no ollama on the PATH; name one with {VARIABLE}=/path/to/ollama")
    home = Path(tempfile.mkdtemp(prefix="lens-tui-ollama-"))
    server = RealOllama(binary, home)
    try:
        server.start()
        server.script("cites", CITES)
        server.script("thinks", THINKS)
        server.script("endless", ENDLESS, loop=True, context=32_768)
        server.script("brief", ENDLESS, loop=True, context=1280)
        server.script("long", CITES, context=16_384)
        server.script("tells", TELLS, context=16_384)
        server.words("words", VOCABULARY)
        yield server
    finally:
        server.stop()
        shutil.rmtree(home, ignore_errors=True)


@pytest.fixture
def endless(real_ollama: RealOllama) -> str:
    """The name of the model that never stops, which no earlier test can have left in a bad state."""
    real_ollama.unload("endless")
    return "endless"


@pytest.fixture
def running_ollama(real_ollama: RealOllama) -> Iterator[RealOllama]:
    """The same server for a test that stops it: it runs again afterwards."""
    yield real_ollama
    real_ollama.stop()
    real_ollama.start()
