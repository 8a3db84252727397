"""A folder cut otherwise: one file to look at, or every file from now on, while search goes on."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest

from lens_tui.cancel import CancelToken
from lens_tui.engine.folder_file import read_folder_file
from lens_tui.engine.recutting import BUILTIN_RATE
from lens_tui.engine.service import Service, open_service
from lens_tui.errors import ChunkingValueError, FileUnreadable
from lens_tui.options import ChunkOptions
from lens_tui.places import places_of, prepare
from lens_tui.requests import (
    CutFile,
    CutText,
    FileCut,
    FileText,
    Found,
    Index,
    IndexDone,
    OpenFile,
    Recut,
    RecutCost,
    Search,
    TextCut,
)
from lens_tui.settings import Settings, load_settings

pytestmark = pytest.mark.network

T = TypeVar("T")
TEXT = "# Tides\n\n" + "\n\n".join(
    f"The tide of day {day} was written down, and nobody asked why." for day in range(60)
)
SMALL = ChunkOptions(strategy="paragraph", size=60, overlap="10")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def open_one(tmp_path: Path, data: Path) -> Iterator[Callable[[], Service]]:
    folder = tmp_path / "notes"
    folder.mkdir()
    for name in ("a.md", "b.md"):
        (folder / name).write_text(TEXT + name, "utf-8")
    places = places_of(folder.resolve(), str(data))
    prepare(places)
    services: list[Service] = []

    def open_again() -> Service:
        for service in services:
            service.close()
        kept = load_settings(
            {"embedder": "builtin"}, environment={}, folder_choices=read_folder_file(places.data).choices
        )
        services[:] = [open_service(places, kept)]
        services[0].start()
        return services[0]

    yield open_again
    for service in services:
        service.close()


def last(service: Service, request: object, kind: type[T]) -> T:
    events = list(service.handle(request, CancelToken()))  # type: ignore[arg-type]
    assert isinstance(events[-1], kind), events[-1]
    return events[-1]


def test_a_file_is_cut_otherwise_and_its_index_stays(open_one: Callable[[], Service]) -> None:
    service = open_one()
    before = last(service, Index(), IndexDone)
    shown = last(service, OpenFile(path="a.md"), FileText)
    cut = last(service, CutFile(path="a.md", options=SMALL), FileCut)
    assert cut.told == "paragraph 60/10"
    assert cut.checksum == shown.checksum
    assert len(cut.chunks) > len(shown.chunks)
    assert all(chunk.tokens <= 60 for chunk in cut.chunks)
    assert cut.chunks[1].overlap_before == cut.chunks[0].overlap_after > 0
    assert cut.chunks[0].heading == ("Tides",)
    assert cut.chunks[0].lines[0] == 1
    assert last(service, OpenFile(path="a.md"), FileText) == shown
    assert last(service, Index(), IndexDone).chunks == before.chunks


def test_what_cannot_be_cut_is_told(open_one: Callable[[], Service]) -> None:
    service = open_one()
    with pytest.raises(FileUnreadable):
        last(service, CutFile(path="nothing.md"), FileCut)
    with pytest.raises(ChunkingValueError, match="0 ≤ overlap < size"):
        last(service, CutFile(path="a.md", options=ChunkOptions(size=10, overlap="10")), FileCut)
    with pytest.raises(ChunkingValueError, match="0 ≤ overlap < size"):
        last(service, Recut(options=ChunkOptions(size=10, overlap="10")), RecutCost)


def test_the_cost_is_told_before_anything_is_done(open_one: Callable[[], Service]) -> None:
    service = open_one()
    before = last(service, Index(), IndexDone)
    cost = last(service, Recut(options=SMALL, ask=True), RecutCost)
    cut = last(service, CutFile(path="a.md", options=SMALL), FileCut)
    assert (cost.same, cost.files, cost.chunks) == (False, 2, 2 * len(cut.chunks))
    assert cost.vectors == cost.chunks
    assert cost.seconds >= 0
    assert cost.vector_seconds is not None
    assert last(service, Index(), IndexDone).chunks == before.chunks
    same = last(service, Recut(options=last(service, OpenFile(path="a.md"), FileText).options), RecutCost)
    assert same == RecutCost(same=True, vector_seconds=same.vector_seconds)


def test_the_built_in_vectors_have_a_cost_before_any_was_made(open_one: Callable[[], Service]) -> None:
    service = open_one()
    last(service, Index(), IndexDone)
    opened_again = open_one()
    cost = last(opened_again, Recut(options=ChunkOptions(size=1), ask=True), RecutCost)
    assert cost.vectors > BUILTIN_RATE / 2
    assert cost.vector_seconds == round(cost.vectors / BUILTIN_RATE) > 0


def test_a_folder_is_cut_anew_and_keeps_that_as_its_own_choice(open_one: Callable[[], Service], data: Path) -> None:
    service = open_one()
    first = last(service, Index(), IndexDone)
    last(service, Recut(options=SMALL), RecutCost)
    assert last(service, Search(query="tide of day 7", fresh=False), Found).hits
    done = last(service, Index(), IndexDone)
    assert (done.changed, done.unchanged) == (2, 0)
    assert done.chunks > first.chunks
    assert done.vectors == done.chunks
    shown = last(service, OpenFile(path="b.md"), FileText)
    assert (shown.cut, shown.options) == ("paragraph 60/10", SMALL)
    again = open_one()
    done = last(again, Index(), IndexDone)
    assert (done.changed, done.unchanged, done.notes) == (0, 2, ())
    assert last(again, OpenFile(path="b.md"), FileText).cut == "paragraph 60/10"


def test_cutting_anew_that_was_not_finished_goes_on_with_the_next_engine(open_one: Callable[[], Service]) -> None:
    last(open_one(), Index(), IndexDone)
    service = open_one()
    last(service, Recut(options=SMALL), RecutCost)
    done = last(open_one(), Index(), IndexDone)
    assert (done.changed, done.unchanged, done.notes) == (2, 0, ())


def test_an_index_that_is_empty_yet_is_cut_so_from_the_start(open_one: Callable[[], Service]) -> None:
    service = open_one()
    cost = last(service, Recut(options=SMALL), RecutCost)
    assert (cost.same, cost.files, cost.seconds) == (False, 0, 0)
    done = last(service, Index(), IndexDone)
    assert (done.added, done.changed) == (2, 0)
    assert last(service, OpenFile(path="a.md"), FileText).cut == "paragraph 60/10"


def test_an_option_of_no_use_to_the_strategy_changes_nothing(open_one: Callable[[], Service]) -> None:
    service = open_one()
    last(service, Index(), IndexDone)
    options = ChunkOptions(strategy=last(service, OpenFile(path="a.md"), FileText).options.strategy)
    idle = {"threshold": 0.1} if options.strategy == "paragraph" else {"language": ""}
    assert last(service, Recut(options=ChunkOptions(strategy=options.strategy, **idle)), RecutCost).same


def test_settings_of_another_face_do_not_undo_the_folders_choice(open_one: Callable[[], Service]) -> None:
    service = open_one()
    last(service, Recut(options=SMALL), RecutCost)
    assert Settings().chunking != SMALL
    assert last(open_one(), OpenFile(path="a.md"), FileText).options == SMALL


def test_a_text_that_is_no_file_is_cut_by_its_name(open_one: Callable[[], Service]) -> None:
    service = open_one()
    text = "# Title\n\nSome words.\n"
    named = last(service, CutText(text=text, name="a.md", options=ChunkOptions(strategy="paragraph")), TextCut)
    plain = last(service, CutText(text=text, options=ChunkOptions(strategy="paragraph")), TextCut)
    assert named.strategy == "paragraph"
    assert [chunk.text for chunk in named.chunks] == [text.strip()]
    assert (named.chunks[0].heading, plain.chunks[0].heading) == (("Title",), ())
    blank = last(service, CutText(text=" ", options=ChunkOptions(strategy="paragraph")), TextCut)
    assert (blank.chunks, len(blank.warnings)) == ((), 1)
    with pytest.raises(ChunkingValueError, match="paragraph would make no use of depth"):
        last(service, CutText(text=text, options=ChunkOptions(strategy="paragraph", depth=2)), TextCut)
    with pytest.raises(ChunkingValueError, match="128 to 8192"):
        last(service, CutText(text=text, options=ChunkOptions(strategy="fixed", size=9)), TextCut)


def test_files_are_taken_for_what_the_folder_says_from_then_on(open_one: Callable[[], Service], tmp_path: Path) -> None:
    (tmp_path / "notes" / "c.txt").write_text(TEXT, "utf-8")
    service = open_one()
    last(service, Index(), IndexDone)
    assert last(service, OpenFile(path="c.txt"), FileText).chunks[0].heading == ()
    last(service, Recut(options=ChunkOptions(strategy="markdown", type="markdown")), RecutCost)
    assert last(service, Index(), IndexDone).changed == 3
    assert last(service, OpenFile(path="c.txt"), FileText).chunks[0].heading == ("Tides",)
