"""A call made beside what its caller does meanwhile, in a thread that the end of the process does not wait for."""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

T = TypeVar("T")


def beside(call: Callable[[], T], name: str) -> Future[T]:
    """Begin ``call`` in a thread of this name; what it returns or raises is had from the future's ``result``."""
    begun: Future[T] = Future()

    def run() -> None:
        try:
            begun.set_result(call())
        except BaseException as error:  # noqa: BLE001  (whatever it is, who waits for it raises it)
            begun.set_exception(error)

    threading.Thread(target=run, name=name, daemon=True).start()
    return begun
