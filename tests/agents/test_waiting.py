import asyncio
import os
import threading
from collections.abc import Iterator
from contextlib import aclosing

import pytest

from lens_tui.agents.waiting import READ_BYTES, Lines, events_of
from lens_tui.errors import EngineError
from lens_tui.requests import Event, IndexProgress
from tests.engine.conftest import until
from tests.fakes import ScriptedCall

STEPS = [IndexProgress(done=done, total=3, current="", chunks=0) for done in range(3)]


async def test_events_arrive_in_order_and_end() -> None:
    assert [event async for event in events_of(lambda: ScriptedCall(STEPS))] == STEPS


async def test_the_loop_goes_on_while_the_engine_is_waited_for() -> None:
    may_go = threading.Event()

    def slow() -> Iterator[Event]:
        assert may_go.wait(10)
        yield STEPS[0]

    waiting = asyncio.ensure_future(anext(events_of(lambda: ScriptedCall(slow()))))
    await asyncio.sleep(0.02)
    assert not waiting.done()
    may_go.set()
    assert await waiting == STEPS[0]


async def test_whoever_leaves_early_cancels_the_call() -> None:
    held = threading.Event()

    def endless() -> Iterator[Event]:
        yield STEPS[0]
        held.wait(10)

    call = ScriptedCall(endless())
    async with aclosing(events_of(lambda: call)) as events:
        async for _ in events:
            break
    assert call.cancelled.is_set()
    held.set()


async def test_a_call_that_begins_after_its_asker_left_is_cancelled_too() -> None:
    may_start = threading.Event()
    call = ScriptedCall(STEPS)

    def start() -> ScriptedCall:
        assert may_start.wait(10)
        return call

    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.02), aclosing(events_of(start)) as events:
            await anext(events)
    assert not call.cancelled.is_set()
    may_start.set()
    assert until(call.cancelled.is_set)


async def test_what_fails_in_the_thread_is_raised_where_it_is_waited_for() -> None:
    def start() -> ScriptedCall:
        raise EngineError("No engine can be started.")

    with pytest.raises(EngineError, match="No engine"):
        await anext(events_of(start))


async def test_lines_are_whole_however_they_arrive() -> None:
    long = "日" * READ_BYTES
    read, write = os.pipe()
    data = f"one\n\n{long}\nlast".encode() + b"\xff"

    def give() -> None:
        for at in range(0, len(data), 7001):
            os.write(write, data[at : at + 7001])
        os.close(write)

    giving = threading.Thread(target=give)
    giving.start()
    assert [line async for line in Lines(read)] == ["one", "", long, "last\ufffd"]
    giving.join()
    os.close(read)


async def test_a_descriptor_that_is_closed_has_no_lines() -> None:
    assert [line async for line in Lines(-1)] == []
