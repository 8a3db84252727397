"""A face's end of one connection, on a pair of sockets, with an engine that the test plays."""

import gc
import socket
from collections.abc import Iterator
from queue import SimpleQueue

import pytest

from lens_tui import wire
from lens_tui.engine import channel
from lens_tui.engine.link import EngineCall, GoneEarly, Link, Stream, greet, order_of, wait_open
from lens_tui.errors import EngineError, StoreError
from lens_tui.requests import Ask, IndexProgress, Search
from lens_tui.types import AnswerText, Failed
from tests.engine.conftest import until

HELLO = wire.Hello("1", wire.WIRE_VERSION, "/f", "/d")


@pytest.fixture
def pair() -> Iterator[tuple[socket.socket, socket.socket]]:
    here, there = socket.socketpair()
    here.settimeout(5)
    with here, there:
        yield here, there


def _progress(done: int) -> bytes:
    return wire.pack(1, IndexProgress(done=done, total=9, current="a", chunks=0))


def test_an_engine_that_takes_leave_instead_of_welcoming_is_worth_another_try(
    pair: tuple[socket.socket, socket.socket],
) -> None:
    here, there = pair
    there.sendall(wire.pack(0, wire.Bye("It left.")) * 2)
    replies = channel.lines(here, 1000)
    with pytest.raises(GoneEarly):
        greet(here, replies, HELLO)
    with pytest.raises(GoneEarly):
        wait_open(here, replies)
    replies.close()


def test_an_engine_that_refuses_is_an_error_of_its_own_class(pair: tuple[socket.socket, socket.socket]) -> None:
    here, there = pair
    there.sendall(wire.pack(0, Failed(message="No.", hint="Do this.", kind="StoreError")))
    replies = channel.lines(here, 1000)
    with pytest.raises(StoreError, match=r"^No\.$") as caught:
        greet(here, replies, HELLO)
    assert caught.value.hint == "Do this."
    replies.close()


def test_a_stranger_on_the_socket_is_one_sentence(pair: tuple[socket.socket, socket.socket]) -> None:
    here, there = pair
    there.sendall(b"SSH-2.0-OpenSSH_9.6\r\n")
    replies = channel.lines(here, 1000)
    with pytest.raises(EngineError, match="cannot be read"):
        greet(here, replies, HELLO)
    replies.close()


def test_a_link_whose_engine_sends_nonsense_ends_its_calls_and_says_so_once(
    pair: tuple[socket.socket, socket.socket],
) -> None:
    here, there = pair
    gone: list[str] = []
    link = Link(here, channel.lines(here, 1000), on_gone=lambda _, reason: gone.append(reason), log="engine.log")
    call = link.open(Ask(question="why?"))
    assert call is not None
    there.sendall(wire.pack(1, AnswerText(text="well")) + b"nonsense\n")
    answer, failed = list(call)
    assert answer == AnswerText(text="well")
    assert isinstance(failed, Failed)
    assert "cannot be read" in failed.message
    assert until(lambda: gone == [""])
    link.close()
    assert not link.alive
    assert link.open(Search(query="x")) is None


def test_a_farewell_is_the_sentence_that_calls_end_with(pair: tuple[socket.socket, socket.socket]) -> None:
    here, there = pair
    gone: list[str] = []
    link = Link(here, channel.lines(here, 1000), on_gone=lambda _, reason: gone.append(reason), log="engine.log")
    call = link.open(Ask(question="why?"))
    assert call is not None
    there.sendall(wire.pack(0, wire.Bye("The index was removed.")))
    there.close()
    [failed] = list(call)
    assert isinstance(failed, Failed)
    assert failed.message == "The index was removed."
    assert until(lambda: gone == ["The index was removed."])
    link.close()


def test_only_the_newest_progress_waits_for_a_slow_reader() -> None:
    stream = Stream()
    for done in range(1, 4):
        stream.put("progress", _progress(done))
    stream.put("text", wire.pack(1, AnswerText(text="a")))
    stream.put("text", wire.pack(1, AnswerText(text="b")))
    stream.put("progress", _progress(4))
    stream.end()
    events = [stream.next() for _ in range(5)]
    assert events == [
        IndexProgress(done=3, total=9, current="a", chunks=0),
        AnswerText(text="a"),
        AnswerText(text="b"),
        IndexProgress(done=4, total=9, current="a", chunks=0),
        None,
    ]


def test_a_call_is_cancelled_once_however_often_that_is_asked() -> None:
    stream, sent = Stream(), SimpleQueue[bytes | None]()
    call = EngineCall(5, stream, sent)
    call.cancel()
    call.cancel()
    del call
    gc.collect()
    assert sent.get(timeout=1) == b'{"id":5,"request":"cancel"}\n'
    assert sent.empty()


def test_a_call_that_was_read_to_its_end_cancels_nothing() -> None:
    stream, sent = Stream(), SimpleQueue[bytes | None]()
    call = EngineCall(5, stream, sent)
    stream.end()
    assert list(call) == []
    del call
    gc.collect()
    assert sent.empty()


def test_what_comes_after_a_call_was_let_go_of_is_not_kept() -> None:
    stream = Stream()
    EngineCall(5, stream, SimpleQueue()).__del__()
    stream.put("text", wire.pack(5, AnswerText(text="late")))
    stream.end()
    assert stream.next() is None


def test_versions_are_compared_by_their_numbers() -> None:
    ordered = [("0.1.0", 1), ("0.1.0", 2), ("0.2.0", 1), ("0.10.0", 1), ("1.0", 1)]
    assert sorted(ordered, key=lambda version: order_of(*version)) == ordered
    assert order_of("0.1.0", 1) == order_of("0.1.0", 1)
    assert order_of("nonsense", 1) < order_of("0.0.1", 1)
