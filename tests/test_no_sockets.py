"""A unit test speaks to nobody, and is not blamed for a thread that an earlier test left behind."""

import queue
import socket
import threading
from collections.abc import Iterator

import pytest

Asked = queue.Queue[bool]
Told = queue.Queue[BaseException]


def _call(told: Told) -> None:
    try:
        socket.create_connection(("127.0.0.1", 9), timeout=1)
    except BaseException as error:  # noqa: BLE001  (the error of a failed test is no Exception)
        told.put(error)


@pytest.fixture(scope="module")
def left_behind() -> Iterator[tuple[Asked, Told]]:
    """A thread that was there before the test, and connects when it is asked."""
    asked, told = Asked(), Told()

    def serve() -> None:
        if asked.get():
            _call(told)

    thread = threading.Thread(target=serve)
    thread.start()
    yield asked, told
    asked.put(False)
    thread.join()


def test_a_connection_of_the_test_fails_it() -> None:
    told = Told()
    thread = threading.Thread(target=_call, args=(told,))
    thread.start()
    thread.join()
    _call(told)
    assert [type(told.get()) for _ in range(2)] == [pytest.fail.Exception] * 2


def test_a_thread_of_an_earlier_test_finds_nobody_there(left_behind: tuple[Asked, Told]) -> None:
    asked, told = left_behind
    asked.put(True)
    assert isinstance(told.get(timeout=10), ConnectionRefusedError)
