"""The engine's life: its lock and socket, who it takes in, and when it leaves."""

import itertools
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from lens_tui import wire
from lens_tui.engine import channel
from lens_tui.engine.lock import EngineLock, holder_of
from lens_tui.errors import EngineError, LensError
from lens_tui.requests import Ask, Control, Leave, Search, Watch
from lens_tui.types import Answered, AnswerText, Failed
from tests.engine.conftest import Bench, is_running, until

pytestmark = pytest.mark.network


def _idle(seconds: float) -> dict[str, str]:
    return {**os.environ, "FAKE_IDLE": str(seconds)}


def _program(version: str) -> dict[str, str]:
    return {**os.environ, "FAKE_PROGRAM": version, "FAKE_IDLE": "20"}


def _connected(bench: Bench) -> socket.socket:
    peer = socket.socket(socket.AF_UNIX)
    peer.settimeout(10)
    peer.connect(str(bench.places.socket))
    return peer


def _hello(bench: Bench, folder: str = "") -> bytes:
    hello = wire.Hello("0.1.0", wire.WIRE_VERSION, folder or str(bench.places.folder), str(bench.places.data))
    return wire.pack(0, hello)


def test_the_engine_leaves_after_the_last_face_and_cleans_up(bench: Bench) -> None:
    one, two = bench.face(environment=_idle(0.4)), bench.face()
    pid = bench.pid_of(one)
    bench.pid_of(two)
    one.close()
    time.sleep(0.8)
    assert is_running(pid)
    two.close()
    began = time.monotonic()
    assert until(lambda: not is_running(pid))
    assert 0.3 < time.monotonic() - began < 3
    assert bench.noted() == [f"start {pid}", f"close {pid}"]
    assert not bench.places.socket.exists()


def test_an_engine_with_a_batch_in_hand_stays_a_while_longer(bench: Bench) -> None:
    face = bench.face(environment=_idle(0.2))
    pid = bench.pid_of(face)
    list(face.start(Control(action="pause")))
    face.close()
    time.sleep(1.0)
    assert is_running(pid)
    again = bench.face()
    assert bench.pid_of(again) == pid
    list(again.start(Control(action="resume")))
    again.close()
    assert until(lambda: not is_running(pid), 3.0)


def test_the_engine_leaves_at_once_when_its_data_is_gone_and_the_next_one_begins_anew(bench: Bench) -> None:
    news: list[str] = []
    face = bench.face(environment=_idle(30), on_engine=news.append)
    pid = bench.pid_of(face)
    call = iter(face.start(Ask(question="count")))
    next(call)
    shutil.rmtree(bench.places.data)
    assert until(lambda: not is_running(pid), 3.0)
    rest = list(call)
    assert isinstance(rest[-1], Answered | Failed)
    assert until(lambda: "gone" in news)
    assert f"close {pid}" in bench.noted()
    assert bench.pid_of(face) != pid


def test_a_terminated_engine_closes_in_order_and_says_why(bench: Bench) -> None:
    face = bench.face(environment=_idle(30))
    pid = bench.pid_of(face)
    call = iter(face.start(Ask(question="count")))
    next(call)
    os.kill(pid, signal.SIGTERM)
    rest = list(call)
    assert isinstance(rest[-1], Answered)
    assert rest[-1].stopped
    assert until(lambda: not is_running(pid), 3.0)
    assert f"close {pid}" in bench.noted()
    assert "SIGTERM" in bench.log()


def test_leave_ends_the_engine_and_its_lock_is_free_for_the_next(bench: Bench) -> None:
    face = bench.face(environment=_idle(30), flags={"fake.close_seconds": 0.5})
    pid = bench.pid_of(face)
    assert list(face.start(Leave())) == []
    # The old one is still closing: the new one waits for its lock instead of opening beside it.
    new = bench.pid_of(bench.face())
    assert new != pid
    assert bench.noted() == [f"start {pid}", f"close {pid}", f"start {new}"]


def test_an_older_engine_makes_room_for_a_newer_face(bench: Bench) -> None:
    old_face = bench.face(environment=_program("0.0.9"), program="0.0.9")
    old = bench.pid_of(old_face)
    new_face = bench.face(environment=_program("0.1.0"), program="0.1.0")
    new = bench.pid_of(new_face)
    assert new != old
    assert bench.noted() == [f"start {old}", f"close {old}", f"start {new}"]
    with pytest.raises(EngineError, match=r"A newer lens-tui \(0.1.0\)") as caught:
        old_face.start(Search(query="x"))
    assert caught.value.hint
    os.kill(new, signal.SIGTERM)


def test_a_socket_of_a_dead_engine_is_replaced(bench: Bench) -> None:
    face = bench.face()
    pid = bench.pid_of(face)
    os.kill(pid, signal.SIGKILL)
    assert until(lambda: not is_running(pid))
    assert bench.places.socket.exists()
    assert bench.pid_of(bench.face()) != pid


def test_a_socket_that_is_tidied_away_comes_back(bench: Bench) -> None:
    face = bench.face()
    pid = bench.pid_of(face)
    shutil.rmtree(bench.places.socket.parent)
    assert until(bench.places.socket.exists)
    assert bench.pid_of(bench.face()) == pid


def test_socket_and_lock_are_for_this_user_alone(bench: Bench) -> None:
    bench.pid_of(bench.face())
    assert bench.places.socket.stat().st_mode & 0o777 == 0o600
    assert bench.places.socket.parent.stat().st_mode & 0o777 == 0o700
    assert bench.places.data.stat().st_mode & 0o777 == 0o700
    with EngineLock(bench.places.data) as lock:
        assert not lock.take()


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become another user")
def test_another_users_process_is_not_served(bench: Bench) -> None:
    bench.pid_of(bench.face())
    bench.places.socket.chmod(0o666)
    for directory in (bench.places.socket.parent, *bench.places.socket.parent.parents):
        if directory.stat().st_uid == 0 and len(directory.parts) > 2:
            directory.chmod(0o755)
    code = (
        "import os, socket, sys; os.setuid(12345); peer = socket.socket(socket.AF_UNIX); peer.settimeout(10)\n"
        "peer.connect(sys.argv[1])\n"
        "try:\n    peer.sendall(sys.argv[2].encode()); print(peer.recv(100))\n"
        "except ConnectionError:\n    print(b'')"
    )
    line = [sys.executable, "-c", code, str(bench.places.socket), _hello(bench).decode()]
    done = subprocess.run(line, capture_output=True, text=True, timeout=20)
    assert (done.stdout, done.stderr) == ("b''\n", "")


@pytest.mark.parametrize(
    "line",
    [b"no json\n", b"[]\n", b'{"id":1}\n', b'{"id":1,"request":"fly"}\n', b'{"id":1,"request":"search"}\n', b"\xff\n"],
)
def test_a_message_that_cannot_be_read_is_answered_with_a_sentence_and_the_end(bench: Bench, line: bytes) -> None:
    face = bench.face()
    pid = bench.pid_of(face)
    with _connected(bench) as peer:
        peer.sendall(_hello(bench) + line)
        replies = list(channel.lines(peer, 10_000))
    failed = wire.event_from(json.loads(replies[-1]))
    assert isinstance(failed, Failed)
    assert failed.message.endswith(".")
    assert "Traceback" not in bench.log()
    assert bench.pid_of(face) == pid


def test_a_stranger_who_says_nothing_or_another_folder_is_not_kept(bench: Bench) -> None:
    face = bench.face()
    pid = bench.pid_of(face)
    with _connected(bench) as peer:
        peer.sendall(_hello(bench, folder="/elsewhere"))
        assert b"not /elsewhere" in b"".join(channel.lines(peer, 10_000))
    silent = _connected(bench)
    face.close()
    # A connection that never greeted is no face: it does not keep the engine.
    assert until(lambda: not is_running(pid), 5.0)
    silent.close()


def test_a_face_that_stops_reading_holds_up_nobody_else_and_is_dropped(bench: Bench) -> None:
    face = bench.face()
    pid = bench.pid_of(face)
    slow = _connected(bench)
    slow.sendall(_hello(bench) + wire.pack(1, Watch(host="x" * 100)))
    time.sleep(0.3)
    before = _memory(pid)
    began = time.monotonic()
    answered = [event for event in face.start(Ask(question="50")) if isinstance(event, AnswerText)]
    assert len(answered) == 50
    assert time.monotonic() - began < 5
    time.sleep(0.3)
    assert _memory(pid) - before < 20_000_000
    slow.close()
    assert until(lambda: any(line.startswith("watch ended") for line in bench.noted()))


def _memory(pid: int) -> int:
    """Bytes that the process holds, where the system tells; 0 elsewhere."""
    status = Path(f"/proc/{pid}/status")
    lines = status.read_text().splitlines() if status.exists() else []
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("VmRSS")), 0)


def test_the_lock_file_tells_who_holds_it(bench: Bench) -> None:
    pid = bench.pid_of(bench.face())
    holder = holder_of(bench.places.data)
    assert holder is not None
    assert (holder.pid, holder.socket, holder.folder) == (pid, str(bench.places.socket), str(bench.places.folder))


def test_engines_that_leave_and_start_at_the_same_moment_never_serve_beside_each_other(bench: Bench) -> None:
    problems: list[object] = []

    def visit() -> None:
        for _ in range(6):
            face = bench.face(environment=_idle(0.0), clock=_never)
            try:
                found = bench.all_of(face, Search(query="x"))[0]
                if isinstance(found, Failed):
                    problems.append(found)
            except LensError as error:
                problems.append((error.message, error.hint))
            face.close()

    threads = [threading.Thread(target=visit) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []
    assert until(lambda: bench.noted()[-1].startswith("close"))
    lines = [line.split() for line in bench.noted()]
    assert [word for word, _ in lines] == ["start", "close"] * (len(lines) // 2)
    assert all(start[1] == close[1] for start, close in itertools.pairwise(lines) if start[0] == "start")


def _never() -> float:
    """A clock that jumps far ahead each time: restarts are not counted here."""
    return next(_CLOCK)


_CLOCK = iter(range(0, 10**9, 1000))


def test_a_face_waits_for_an_engine_that_takes_its_time_to_open(bench: Bench) -> None:
    slow, other = bench.face(flags={"fake.open_seconds": 1.0}, environment=_idle(0.1)), bench.face()
    pids: list[int] = []
    threads = [threading.Thread(target=lambda face=face: pids.append(bench.pid_of(face))) for face in (slow, other)]
    for thread in threads:
        thread.start()
        # The second arrives while the first one's engine is opening.
        time.sleep(0.4)
    for thread in threads:
        thread.join()
    assert len(set(pids)) == 1


def test_an_engine_that_is_terminated_while_it_opens_closes_in_order(bench: Bench) -> None:
    face = bench.face(flags={"fake.open_seconds": 0.6}, environment=_idle(30))
    problems: list[LensError] = []

    def connect() -> None:
        try:
            face.connect()
        except LensError as error:
            problems.append(error)

    thread = threading.Thread(target=connect)
    thread.start()
    assert until(lambda: holder_of(bench.places.data) is not None)
    holder = holder_of(bench.places.data)
    assert holder is not None
    assert until(bench.places.socket.exists)
    os.kill(holder.pid, signal.SIGTERM)
    thread.join()
    assert until(lambda: f"close {holder.pid}" in bench.noted())
    # The face either began a second engine or says in a sentence that the first one ended.
    assert problems == [] or problems[0].message


def test_a_face_that_is_killed_leaves_nothing_behind(bench: Bench) -> None:
    from tests.engine.test_lifecycle import face_program

    program = face_program(bench, "list(client.start(Ask(question='count')))")
    with subprocess.Popen(program, stdout=subprocess.PIPE, env=_idle(0.3)) as face:
        assert face.stdout is not None
        pid = int(face.stdout.readline())
        bench.pids.add(pid)
        assert until(lambda: bool(bench.noted()))
        time.sleep(0.2)
        face.kill()
    assert until(lambda: f"cancelled {pid}" in bench.noted())
    assert until(lambda: not is_running(pid))


def test_a_hang_up_of_a_terminal_does_not_end_the_engine(bench: Bench) -> None:
    face = bench.face()
    pid = bench.pid_of(face)
    os.kill(pid, signal.SIGHUP)
    time.sleep(0.2)
    assert bench.pid_of(face) == pid


def test_a_log_that_grows_while_the_engine_runs_is_moved_aside(bench: Bench) -> None:
    face = bench.face()
    pid = bench.pid_of(face)
    log = bench.places.data / "engine.log"
    with log.open("ab") as file:
        file.write(b"x" * 1_100_000)
    assert until(lambda: log.with_name("engine.log.1").exists())
    list(face.start(Search(query="print")))
    assert until(lambda: log.exists() and "said on stdout" in log.read_text())
    assert bench.pid_of(face) == pid


def test_the_engines_program_loads_nothing_heavy_before_it_listens() -> None:
    code = (
        "import sys, lens_tui.engine.__main__;"
        "print([m for m in sys.modules if m.startswith(('lens_tui.index', 'lens_tui.lens', 'lens_tui.ollama',"
        " 'chromadb', 'tantivy', 'sqlite3', 'tiktoken', 'numpy', 'asyncio', 'httpx', 'textual'))])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
