"""A face's view of its engine: found, started, noticed when it dies, started again within reason."""

import json
import os
import signal
import threading
import time
from dataclasses import replace

import pytest

from lens_tui.engine.client import EngineClient
from lens_tui.errors import EngineError, FolderUnreadable, LensError, StoreError, UsageError
from lens_tui.requests import Ask, FileText, FolderNews, Found, OpenFile, Remember, Search, Status
from lens_tui.types import Answered, AnswerText, Failed
from tests.engine.conftest import Bench, until

pytestmark = pytest.mark.network


def test_two_faces_racing_to_start_share_one_engine(bench: Bench) -> None:
    faces = [bench.face() for _ in range(4)]
    pids: list[int] = []
    threads = [threading.Thread(target=lambda f=face: pids.append(bench.pid_of(f))) for face in faces]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(pids) == 4
    assert len(set(pids)) == 1
    assert bench.noted() == [f"start {pids[0]}"]


def test_an_engine_that_is_killed_is_noticed_and_started_again(bench: Bench) -> None:
    news: list[str] = []
    face = bench.face(on_engine=news.append)
    first = bench.pid_of(face)
    call = iter(face.start(Ask(question="count")))
    assert isinstance(next(call), AnswerText)
    os.kill(first, signal.SIGKILL)
    last = list(call)[-1]
    assert isinstance(last, Failed)
    assert last.kind == "EngineError"
    assert last.message == "The engine ended before it had answered."
    assert "engine.log" in last.hint
    assert until(lambda: news == ["up", "gone"])
    second = bench.pid_of(face)
    assert second != first
    assert news == ["up", "gone", "restarting", "up"]


def test_an_engine_is_restarted_three_times_a_minute_and_no_more(bench: Bench) -> None:
    now = [1000.0]
    face = bench.face(clock=lambda: now[0])
    for _ in range(4):
        list(face.start(Search(query="die")))
    with pytest.raises(EngineError, match="ended 4 times within a minute") as caught:
        face.start(Search(query="x"))
    assert "engine.log" in caught.value.hint
    now[0] += 61
    assert bench.pid_of(face)


def test_a_cancelled_call_ends_by_itself_with_what_arrived(bench: Bench) -> None:
    call = bench.face().start(Ask(question="count"))
    events = []
    for event in call:
        events.append(event)
        if len(events) == 3:
            threading.Thread(target=call.cancel).start()
    assert isinstance(events[-1], Answered)
    assert events[-1].stopped


@pytest.mark.parametrize("how", ["break", "close", "never read"])
def test_a_call_that_is_let_go_of_is_cancelled(bench: Bench, how: str) -> None:
    face = bench.face()
    call = face.start(Ask(question="count"))
    if how == "break":
        for _ in call:
            break
    elif how == "close":
        events = iter(call)
        next(events)
        events.close()  # type: ignore[attr-defined]
    else:
        bench.pid_of(face)
    del call
    assert until(lambda: any(line.startswith("cancelled") for line in bench.noted()))


def test_closing_a_face_cancels_what_it_asked_for_and_ends_its_calls(bench: Bench) -> None:
    face, other = bench.face(), bench.face()
    pid = bench.pid_of(other)
    events: list[object] = []
    call = face.start(Ask(question="count"))
    reading = threading.Thread(target=lambda: events.extend(call))
    reading.start()
    assert until(lambda: len(events) > 2)
    face.close()
    reading.join(5)
    assert not reading.is_alive()
    assert isinstance(events[-1], Failed)
    assert events[-1].kind == "Stopped"
    assert until(lambda: f"cancelled {pid}" in bench.noted())
    assert bench.pid_of(other) == pid
    with pytest.raises(EngineError, match="was closed"):
        face.start(Search(query="x"))


def test_many_streams_of_one_face_run_at_once_and_keep_apart(bench: Bench) -> None:
    face = bench.face()
    bench.pid_of(face)
    found: dict[int, list[object]] = {}

    def read(last: int) -> None:
        found[last] = list(face.start(Ask(question=str(last))))

    threads = [threading.Thread(target=read, args=(40 + n,)) for n in range(10)]
    began = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert time.monotonic() - began < 10 * 40 * 0.005
    for last, events in found.items():
        texts = [event.text for event in events if isinstance(event, AnswerText)]
        assert texts == [f"{last} {n}" for n in range(last)]
        assert isinstance(events[-1], Answered)


def test_a_face_with_too_many_requests_is_told(bench: Bench) -> None:
    face = bench.face()
    calls = [face.start(Ask(question="count")) for _ in range(32)]
    last = bench.all_of(face, Search(query="x"))[-1]
    assert isinstance(last, Failed)
    assert "More than 32 requests" in last.message
    for call in calls:
        call.cancel()


def test_a_file_of_twenty_megabytes_arrives_whole(bench: Bench) -> None:
    event = bench.all_of(bench.face(), OpenFile(path="10000000"))[0]
    assert isinstance(event, FileText)
    assert event.text == "é" * 10_000_000


def test_what_a_face_remembers_arrives_in_its_order(bench: Bench) -> None:
    face = bench.face()
    calls = [face.start(Remember(state={"n": n})) for n in range(20)]
    for call in calls:
        assert list(call) == []
    news = bench.all_of(face, Status())[0]
    assert isinstance(news, FolderNews)
    assert json.loads(news.state.current) == list(range(20))


def test_what_is_sent_just_before_closing_still_arrives(bench: Bench) -> None:
    face, other = bench.face(), bench.face()
    bench.pid_of(other)
    kept = face.start(Remember(state={"n": 7}))
    face.close()

    def arrived() -> bool:
        news = bench.all_of(other, Status())[0]
        return isinstance(news, FolderNews) and json.loads(news.state.current) == [7]

    assert until(arrived)
    del kept


@pytest.mark.parametrize(("query", "kind", "code"), [("missing", "ModelMissing", 1), ("nothing", "NothingFound", 4)])
def test_an_error_of_the_service_arrives_in_its_own_class(bench: Bench, query: str, kind: str, code: int) -> None:
    from lens_tui.wire import as_error

    failed = bench.all_of(bench.face(), Search(query=query))[-1]
    assert isinstance(failed, Failed)
    error = as_error(failed)
    assert (type(error).__name__, error.exit_code) == (kind, code)


def test_a_bug_in_the_service_is_one_sentence_for_the_face_and_a_traceback_in_the_log(bench: Bench) -> None:
    face = bench.face()
    failed = bench.all_of(face, Search(query="bug"))[-1]
    assert isinstance(failed, Failed)
    assert "ZeroDivisionError: a bug" in failed.message
    assert str(bench.places.data / "engine.log") in failed.message
    assert "Traceback" not in failed.message
    assert "Traceback" in bench.log()
    assert bench.pid_of(face)


def test_an_index_that_cannot_be_opened_is_the_same_error_for_every_face(bench: Bench) -> None:
    for _ in range(2):
        with pytest.raises(StoreError, match="It cannot be opened") as caught:
            bench.face(flags={"fake.fails": "StoreError"}).connect()
        assert caught.value.hint == "Do this."
    with pytest.raises(FolderUnreadable):
        bench.face(flags={"fake.fails": "FolderUnreadable"}).connect()


def test_a_bug_while_opening_is_one_sentence(bench: Bench) -> None:
    with pytest.raises(EngineError, match="could not open the index") as caught:
        bench.face(flags={"fake.bug": True}).connect()
    assert "engine.log" in caught.value.hint


def test_an_engine_that_crashes_while_opening_is_told_with_its_signal(bench: Bench) -> None:
    with pytest.raises(EngineError, match="signal 11"):
        bench.face(flags={"fake.crashes": True}).connect()


def test_an_engine_that_does_not_answer_is_given_up_in_time(bench: Bench) -> None:
    face = bench.face()
    pid = bench.pid_of(face)
    os.kill(pid, signal.SIGSTOP)
    try:
        with pytest.raises(EngineError, match=f"process {pid}.*does not answer") as caught:
            bench.face(start_seconds=0.3).connect()
        assert f"kill {pid}" in caught.value.hint
    finally:
        os.kill(pid, signal.SIGCONT)


def test_a_face_with_another_runtime_directory_finds_the_same_engine(bench: Bench, home: object) -> None:
    pid = bench.pid_of(bench.face())
    elsewhere = replace(bench.places, socket=bench.places.data.parent.parent / "other" / "e.sock")
    assert bench.pid_of(bench.face(places=elsewhere)) == pid


def test_a_socket_directory_of_someone_else_is_refused(bench: Bench) -> None:
    directory = bench.places.socket.parent
    directory.mkdir(parents=True)
    directory.chmod(0o755)
    with pytest.raises(EngineError, match="not a private directory of yours"):
        bench.face().connect()
    if os.getuid() == 0:
        directory.chmod(0o700)
        os.chown(directory, 12345, 12345)
        with pytest.raises(EngineError, match="not a private directory of yours"):
            bench.face().connect()


def test_a_data_directory_that_cannot_be_made_is_a_store_error(bench: Bench) -> None:
    bench.places.data.parent.parent.joinpath("brains").write_text("a file in its place")
    with pytest.raises(StoreError, match="cannot be kept"):
        bench.face().connect()


def test_a_request_that_is_too_long_is_refused_before_it_is_sent(bench: Bench) -> None:
    face = bench.face()
    with pytest.raises(UsageError, match="too long to be asked"):
        face.start(Search(query="x" * 16_000_001))
    assert bench.pid_of(face)


def test_a_question_of_a_hundred_thousand_characters_is_taken(bench: Bench) -> None:
    found = bench.all_of(bench.face(), Search(query="問" * 100_000))[0]
    assert isinstance(found, Found)
    assert len(found.query) == 100_000


def test_an_event_that_cannot_be_read_ends_its_call_with_a_sentence_and_cancels_it(bench: Bench) -> None:
    face = bench.face()
    events = list(face.start(OpenFile(path="newer")))
    assert isinstance(events[-1], Failed)
    assert "unknown event" in events[-1].message
    assert until(lambda: any(line.startswith("newer cancelled") for line in bench.noted()))


def test_connecting_raises_only_errors_with_a_sentence(bench: Bench) -> None:
    face = EngineClient(bench.places, bench.face().settings, command=("/no/such/program",))
    with pytest.raises(LensError) as caught:
        face.connect()
    assert caught.value.message.endswith(".")
    assert caught.value.hint
