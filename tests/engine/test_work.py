"""Text is read first, vectors are made after, and whoever waits for a run gets the one that began after asking."""

import threading
import time
from collections.abc import Callable, Iterator

import pytest

from lens_tui.cancel import CancelToken
from lens_tui.engine.work import IndexWork
from lens_tui.errors import FolderUnreadable, ModelUnreachable
from lens_tui.files.scan import Found
from lens_tui.indexer import Indexer
from lens_tui.types import Document, FileNote
from tests.folder_fakes import Disk, OneChunk, Rows, Shelf


@pytest.fixture
def disk() -> Disk:
    disk = Disk()
    for number in range(5):
        disk.write(f"{number}.md", f"text {number}")
    return disk


@pytest.fixture
def shelf() -> Shelf:
    return Shelf()


@pytest.fixture
def work(disk: Disk, shelf: Shelf) -> Iterator[IndexWork]:
    indexer = Indexer(disk, disk, OneChunk(), shelf, Rows())
    work = IndexWork(indexer, shelf, "builtin")
    yield work
    work.close()


def until(what: Callable[[], object], seconds: float = 5.0) -> None:
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, "it never happened"
        time.sleep(0.005)


def finish(work: IndexWork) -> int:
    ticket, before = work.want_everything()
    work.begin()
    list(work.wait_for(ticket, CancelToken()))
    return work.done_since(before).added


def test_the_first_run_serves_whoever_asked_before_it_began(work: IndexWork, disk: Disk) -> None:
    assert finish(work) == 5
    assert sorted(disk.reads) == [f"{n}.md" for n in range(5)]
    assert finish(work) == 0


def test_a_change_made_before_asking_is_in_the_run_waited_for(work: IndexWork, disk: Disk, shelf: Shelf) -> None:
    finish(work)
    disk.write("new.md", "new")
    assert finish(work) == 1
    assert "new.md" in shelf.records


def test_a_hint_is_followed_without_asking(work: IndexWork, disk: Disk, shelf: Shelf) -> None:
    finish(work)
    disk.write("new.md", "new")
    work.hint(["new.md"])
    until(lambda: "new.md" in shelf.records)


def test_vectors_follow_the_text(work: IndexWork, shelf: Shelf) -> None:
    finish(work)
    list(work.wait_for_vectors(CancelToken()))
    assert work.state().vectors == work.state().vectors_total == 5


def test_a_failed_embedder_is_said_and_holds_nobody_up(disk: Disk, shelf: Shelf, work: IndexWork) -> None:
    shelf.embed_error = ModelUnreachable("Nothing answers.", hint="Start it.")
    finish(work)
    until(lambda: work.state().vector_problem)
    assert work.state().vector_problem == "Nothing answers. Start it."
    list(work.wait_for_vectors(CancelToken()))


def test_a_folder_that_is_gone_ends_the_wait_with_its_error(disk: Disk, work: IndexWork) -> None:
    disk.gone = True
    ticket, _ = work.want_everything()
    work.begin()
    with pytest.raises(FolderUnreadable):
        list(work.wait_for(ticket, CancelToken()))
    assert work.state().phase == "stopped"
    assert work.state().notes == ("The folder is gone.",)
    disk.gone = False
    assert finish(work) == 5
    assert work.state().notes == ()


def test_pausing_stops_after_the_file_in_hand_and_resuming_finishes(disk: Disk, shelf: Shelf, work: IndexWork) -> None:
    entered, go = threading.Event(), threading.Event()
    read = disk.read

    def slow(found: Found) -> Document | FileNote:
        entered.set()
        assert go.wait(5)
        return read(found)

    disk.read = slow  # type: ignore[method-assign]
    work.begin()
    assert entered.wait(5)
    work.pause()
    go.set()
    until(lambda: not work.busy)
    assert len(shelf.records) == 1
    assert work.state().phase == "paused"
    work.resume()
    until(lambda: len(shelf.records) == 5)
    until(lambda: work.state().phase == "idle")


def test_stopping_keeps_what_was_read_and_ends_the_wait(disk: Disk, shelf: Shelf, work: IndexWork) -> None:
    read = disk.read

    def stop_then_read(found: Found) -> Document | FileNote:
        work.stop()
        return read(found)

    disk.read = stop_then_read  # type: ignore[method-assign]
    assert finish(work) == 1
    assert work.state().phase == "stopped"
    assert len(shelf.records) == 1


def test_whoever_waits_can_give_up(disk: Disk, work: IndexWork) -> None:
    go = threading.Event()
    read = disk.read

    def slow(found: Found) -> Document | FileNote:
        assert go.wait(5)
        return read(found)

    disk.read = slow  # type: ignore[method-assign]
    cancel = CancelToken()
    ticket, _ = work.want_everything()
    work.begin()
    threading.Timer(0.05, cancel.cancel).start()
    list(work.wait_for(ticket, cancel))
    go.set()
    assert work.progress().total == 5


def test_what_is_done_between_runs_is_done_while_no_file_is_in_hand(work: IndexWork, disk: Disk, shelf: Shelf) -> None:
    reading, go_on = threading.Event(), threading.Event()
    read = disk.read
    during: list[bool] = []

    def slow(found: Found) -> Document | FileNote:
        reading.set()
        go_on.wait(5)
        return read(found)

    disk.read = slow  # type: ignore[method-assign]
    ticket, _ = work.want_everything()
    work.begin()
    assert reading.wait(5)
    threading.Timer(0.05, go_on.set).start()
    work.between(lambda: during.append(work._running))
    assert during == [False]
    list(work.wait_for(ticket, CancelToken()))
    assert len(shelf.records) == 5


def test_what_fails_between_runs_leaves_the_work_going(work: IndexWork, shelf: Shelf) -> None:
    def fail() -> None:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        work.between(fail)
    assert finish(work) == 5
