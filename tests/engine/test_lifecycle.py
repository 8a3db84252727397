"""How an engine begins: nothing of the face's is shared with it but the user, the environment and the flags."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lens_tui.engine import lifecycle
from lens_tui.errors import EngineError
from lens_tui.requests import Found, Search
from tests.engine.conftest import COMMAND, Bench, is_running, until

pytestmark = pytest.mark.network


def test_an_engine_that_dies_before_it_listens_is_told_with_its_last_words(bench: Bench) -> None:
    with pytest.raises(EngineError, match="the fake cannot start"):
        bench.face(environment={**os.environ, "FAKE_BAD_START": "1"}).connect()


def test_a_program_that_cannot_be_started_is_one_sentence(bench: Bench) -> None:
    with pytest.raises(EngineError, match="cannot be started"):
        bench.face(command=("/no/such/program",)).connect()


def test_the_flags_and_the_environment_of_the_face_reach_the_engine(bench: Bench) -> None:
    flags = {"chunk.size": 300, "embedder": "über", "model": None}
    face = bench.face(flags=flags, environment={**os.environ, "LENS_TEST_WORD": "kept"})
    seen = bench.all_of(face, Search(query="flags"))[0]
    assert isinstance(seen, Found)
    told = json.loads(seen.notes[0])
    assert (told["chunk.size"], told["embedder"]) == (300, "über")
    assert "model" not in told
    seen = bench.all_of(face, Search(query="environment"))[0]
    assert isinstance(seen, Found)
    assert seen.notes[:2] == ("kept", "/")
    assert int(seen.notes[2]) not in (os.getsid(0), 0)


def test_the_engine_is_given_nothing_of_the_faces_terminal_or_pipes(bench: Bench) -> None:
    read_end, write_end = os.pipe()
    os.set_inheritable(write_end, True)
    try:
        pid = bench.pid_of(bench.face())
        list(bench.faces[0].start(Search(query="print")))
    finally:
        os.close(write_end)
    # Nobody else holds the pipe: it is at its end, where an engine that had inherited it would keep it open.
    os.set_blocking(read_end, False)
    assert os.read(read_end, 1) == b""
    os.close(read_end)
    assert os.getsid(pid) == pid
    assert "said on stdout" in bench.log()


FACE = """
import sys
from pathlib import Path
sys.path.insert(0, {root!r})
from lens_tui.engine.client import EngineClient
from lens_tui.places import places_of
from lens_tui.requests import Search, Ask
from lens_tui.settings import Settings
client = EngineClient(places_of(Path({folder!r}), {data!r}), Settings(), command={command!r})
print(list(client.start(Search(query="x")))[0].k, flush=True)
{then}
"""


def face_program(bench: Bench, then: str = "") -> list[str]:
    root = str(Path(__file__).resolve().parent.parent.parent)
    data = str(bench.places.data.parent.parent)
    code = FACE.format(root=root, folder=str(bench.places.folder), data=data, command=COMMAND, then=then)
    return [sys.executable, "-c", code]


def test_a_pipe_that_waits_for_the_face_ends_with_the_face(bench: Bench) -> None:
    began = time.monotonic()
    environment = {**os.environ, "FAKE_IDLE": "20"}
    done = subprocess.run(face_program(bench), capture_output=True, timeout=15, env=environment)
    assert time.monotonic() - began < 15
    assert done.stderr == b""
    pid = int(done.stdout)
    bench.pids.add(pid)
    assert is_running(pid)
    os.kill(pid, signal.SIGTERM)


def test_an_interrupt_of_the_faces_group_does_not_reach_the_engine(bench: Bench) -> None:
    face = subprocess.Popen(
        face_program(bench, "list(client.start(Ask(question='count')))"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    assert face.stdout is not None
    pid = int(face.stdout.readline())
    other = bench.face()
    assert bench.pid_of(other) == pid
    os.killpg(face.pid, signal.SIGINT)
    _, said = face.communicate(timeout=10)
    assert b"KeyboardInterrupt" in said
    assert until(lambda: f"cancelled {pid}" in bench.noted())
    assert bench.pid_of(other) == pid


def test_the_client_loads_no_room_behind_the_engine() -> None:
    code = (
        "import sys, lens_tui.engine.client;"
        "print([m for m in sys.modules if m.startswith(('lens_tui.index', 'lens_tui.lens', 'lens_tui.files',"
        " 'lens_tui.answering', 'lens_tui.talks', 'lens_tui.ollama', 'lens_tui.engine.service', 'chromadb',"
        " 'tantivy', 'sqlite3', 'subprocess', 'numpy', 'asyncio', 'logging'))])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_a_log_that_has_grown_is_moved_aside_when_an_engine_starts(bench: Bench) -> None:
    bench.places.data.mkdir(parents=True)
    log = lifecycle.log_of(bench.places)
    log.write_bytes(b"old\n" * 300_000)
    bench.pid_of(bench.face())
    assert log.with_name("engine.log.1").stat().st_size == 1_200_000
    assert log.stat().st_size < 1000


def test_relative_paths_in_the_environment_mean_the_same_to_the_engine(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(bench.places.folder)
    face = bench.face(environment={**os.environ, "LENS_TUI_CONFIG_DIR": "here", "PYTHONPATH": "there"})
    seen = bench.all_of(face, Search(query="environment"))[0]
    assert isinstance(seen, Found)
    assert seen.notes[3:] == (str(bench.places.folder / "here"), str(bench.places.folder / "there"))
