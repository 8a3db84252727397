"""One folder's engine without its socket: every request on the real rooms, on a real folder."""

import shutil
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest

from lens_tui.cancel import CancelToken
from lens_tui.engine.service import Service, open_service
from lens_tui.errors import FileUnreadable, NothingFound, UsageError
from lens_tui.places import places_of, prepare
from lens_tui.requests import (
    Ask,
    Control,
    Event,
    FileText,
    FolderNews,
    Found,
    Index,
    IndexDone,
    IndexState,
    LastTalk,
    OpenFile,
    Related,
    Remember,
    Search,
    Status,
    Talk,
    Watch,
)
from lens_tui.settings import Settings
from lens_tui.types import Answered, AnswerText, AskRetrieved, Failed

pytestmark = pytest.mark.network

T = TypeVar("T")

LEASE = """# Lease

The term is two years. The lease runs until 31 March 2027 and renews by one year.

## Deposit

The deposit is three months' rent. It is kept in an account of its own.
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    (folder / "house").mkdir(parents=True)
    (folder / "house" / "lease.md").write_text(LEASE, "utf-8")
    (folder / "日記.md").write_text("大家さんに三か月前の通知を書面で送ること。", "utf-8")
    (folder / "photo.bin").write_bytes(b"\x00\x01\x02" * 100)
    return folder


@pytest.fixture
def opened(folder: Path, tmp_path: Path) -> Iterator[Callable[[], Service]]:
    services: list[Service] = []

    def open_one() -> Service:
        places = places_of(folder.resolve(), str(tmp_path / "data"))
        prepare(places)
        service = open_service(places, Settings(embedder="builtin", ollama_host="127.0.0.1:1"))
        service.start()
        services.append(service)
        return service

    yield open_one
    for service in services:
        service.close()


@pytest.fixture
def service(opened: Callable[[], Service]) -> Service:
    return opened()


def last(service: Service, request: object, kind: type[T]) -> T:
    events = list(service.handle(request, CancelToken()))  # type: ignore[arg-type]
    assert isinstance(events[-1], kind), events[-1]
    return events[-1]


def test_indexing_tells_what_was_added_and_what_was_left_out(service: Service) -> None:
    done = last(service, Index(), IndexDone)
    assert (done.files, done.added, done.unchanged) == (2, 2, 0)
    assert done.vectors == done.chunks > 0
    assert [note.path for note in done.left_out] == ["photo.bin"]
    again = last(service, Index(), IndexDone)
    assert (again.added, again.changed, again.unchanged) == (0, 0, 2)


def test_a_search_without_an_index_makes_one_first(service: Service) -> None:
    found = last(service, Search(query="lease runs until"), Found)
    assert found.hits[0].path == "house/lease.md"
    assert found.retriever == "lexical"


def test_a_file_written_a_moment_ago_is_found(service: Service, folder: Path) -> None:
    last(service, Index(text_only=True), IndexDone)
    (folder / "roof.md").write_text("The roof is repaired in October.", "utf-8")
    assert last(service, Search(query="roof repaired"), Found).hits[0].path == "roof.md"


def test_a_question_is_quoted_word_for_word_where_there_is_no_model(service: Service) -> None:
    events = list(service.handle(Ask(question="When does the lease run until?"), CancelToken()))
    retrieved = next(event for event in events if isinstance(event, AskRetrieved))
    answered = events[-1]
    assert isinstance(answered, Answered)
    assert answered.model is None
    assert "".join(event.text for event in events if isinstance(event, AnswerText)) == answered.text
    citation = answered.citations[0]
    assert citation.span is not None
    assert LEASE[slice(*citation.span)].startswith("The lease runs until 31 March 2027")
    assert retrieved.excerpts[citation.number - 1].path == citation.path
    assert any("ollama" in note for note in answered.notes)


def test_a_model_asked_for_by_name_that_cannot_be_had_fails_with_the_next_step(service: Service) -> None:
    failed = last(service, Ask(question="lease?", model="qwen3:4b"), Failed)
    assert failed.kind == "ModelUnreachable"
    assert "ollama serve" in failed.hint


def test_the_app_quotes_instead_and_says_so(service: Service) -> None:
    answered = last(service, Ask(question="lease?", model="qwen3:4b", quote_on_failure=True), Answered)
    assert answered.model is None
    assert any("Nothing answers" in note for note in answered.notes)


@pytest.mark.parametrize("question", ["", "  \n", "why " * 25_000])
def test_a_question_without_words_or_without_end_is_refused(service: Service, question: str) -> None:
    with pytest.raises(UsageError) as error:
        list(service.handle(Ask(question=question), CancelToken()))
    assert error.value.hint


@pytest.mark.parametrize("k", [0, 51])
def test_a_k_out_of_bounds_is_refused_with_the_range(service: Service, k: int) -> None:
    for request in (Search(query="lease", k=k), Related(path="house/lease.md", k=k), Ask(question="lease?", k=k)):
        with pytest.raises(UsageError, match="from 1 to 50"):
            list(service.handle(request, CancelToken()))


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("photo.bin", "photo.bin is left out: binary."),
        ("empty.md", "empty.md holds no text."),
        ("no.md", "no.md is not in the folder."),
    ],
)
def test_of_a_file_without_passages_it_is_said_why(service: Service, folder: Path, path: str, why: str) -> None:
    (folder / "empty.md").write_text("---\ntags: [law]\n---\n\n", "utf-8")
    with pytest.raises(NothingFound) as error:
        list(service.handle(Related(path=path), CancelToken()))
    assert error.value.message == why


def test_a_conversation_is_there_after_a_restart(opened: Callable[[], Service]) -> None:
    service = opened()
    last(service, Ask(question="When does the lease end?", keep=True), Answered)
    last_state = {"draft": "and the dep"}
    assert list(service.handle(Remember(state=last_state), CancelToken())) == []
    service.close()
    talk = last(opened(), LastTalk(), Talk)
    assert [turn.question for turn in talk.conversation.turns] == ["When does the lease end?"]
    answered = talk.conversation.turns[0].answered
    assert answered is not None
    assert answered.citations
    assert talk.state["draft"] == "and the dep"


def test_a_file_is_opened_as_the_index_reads_it(service: Service) -> None:
    last(service, Index(text_only=True), IndexDone)
    text = last(service, OpenFile(path="house/lease.md"), FileText)
    assert text.text == LEASE
    assert text.cut == "markdown 256/0"
    assert text.chunks[0].start == 0


@pytest.mark.parametrize("path", ["nothing.md", "photo.bin", "../outside.md", "/etc/passwd", "house"])
def test_what_is_not_in_the_index_cannot_be_opened(service: Service, folder: Path, path: str) -> None:
    (folder.parent / "outside.md").write_text("secret", "utf-8")
    with pytest.raises(FileUnreadable):
        list(service.handle(OpenFile(path=path), CancelToken()))


def until(news: Iterator[Event], holds: Callable[[dict[str, str]], bool]) -> float:
    """Apply news until the rows are as wanted; returns the seconds it took."""
    rows: dict[str, str] = {}
    began = time.monotonic()
    for part in news:
        assert isinstance(part, FolderNews)
        rows |= {row.path: row.state for row in part.rows}
        for path in part.gone:
            rows.pop(path, None)
        if holds(rows):
            return time.monotonic() - began
        assert time.monotonic() - began < 20, rows
    raise AssertionError("the news ended")


def test_edits_additions_renames_and_deletions_reach_a_watching_face(service: Service, folder: Path) -> None:
    cancel = CancelToken()
    news = service.handle(Watch(host="127.0.0.1:1"), cancel)
    standing = {"house/lease.md": "indexed", "日記.md": "indexed", "photo.bin": "left_out"}
    until(news, lambda rows: rows == standing)
    (folder / "new.md").write_text("brand new", "utf-8")
    until(news, lambda rows: rows == {"new.md": "indexed"})
    (folder / "new.md").rename(folder / "newer.md")
    until(news, lambda rows: rows == {"newer.md": "indexed"})
    shutil.rmtree(folder / "house")
    until(news, lambda rows: not rows)
    assert last(service, Search(query="lease", fresh=False), Found).hits == ()
    (folder / "日記.md").write_text("屋根を直す。", "utf-8")
    end = time.monotonic() + 20
    while not last(service, Search(query="屋根", fresh=False), Found).hits:
        assert time.monotonic() < end
        time.sleep(0.02)
    cancel.cancel()
    assert list(news) == []
    assert "model" not in {thread.name for thread in threading.enumerate()}, "the server is still asked"


def test_a_fresh_status_waits_for_the_index_and_has_every_row(service: Service) -> None:
    before = last(service, Status(), FolderNews)
    assert (before.state.files, before.rows) == (0, ())
    news = last(service, Status(fresh=True, rows=True), FolderNews)
    assert news.all
    assert news.state.files == 2
    assert {row.path: row.state for row in news.rows} == {
        "house/lease.md": "indexed",
        "日記.md": "indexed",
        "photo.bin": "left_out",
    }


def test_letting_go_of_a_fresh_status_stops_nothing(service: Service, folder: Path) -> None:
    for number in range(300):
        (folder / f"{number}.md").write_text(f"Note {number} on the weather.", "utf-8")
    cancel = CancelToken()
    events = service.handle(Status(fresh=True), cancel)
    next(events)
    cancel.cancel()
    assert all(isinstance(event, FolderNews) for event in events)
    end = time.monotonic() + 30
    while last(service, Status(), FolderNews).state.files < 302:
        assert time.monotonic() < end
        time.sleep(0.05)


def test_news_has_counts_and_says_why_there_is_no_model(service: Service) -> None:
    cancel = CancelToken()
    model, state = None, IndexState()
    for news in service.handle(Watch(host="127.0.0.1:1"), cancel):
        assert isinstance(news, FolderNews)
        model, state = news.model or model, news.state
        if model is not None and state.phase == "idle" and state.vectors == state.chunks > 0:
            break
    assert model is not None
    assert model.name is None
    assert "Nothing answers" in model.why
    assert state.files == state.total == 2
    assert state.left_out == 1


def test_what_an_interrupted_engine_had_read_is_there_and_the_rest_follows(
    opened: Callable[[], Service], folder: Path
) -> None:
    for number in range(300):
        (folder / f"{number}.md").write_text(f"Note {number} on the weather.", "utf-8")
    service = opened()
    events = service.handle(Index(text_only=True), CancelToken())
    next(events)
    list(service.handle(Control(action="pause"), CancelToken()))
    service.close()
    done = last(opened(), Index(text_only=True), IndexDone)
    assert done.added + done.unchanged == done.files == 302


def test_a_folder_that_is_gone_says_so_and_forgets_nothing(
    service: Service, folder: Path, opened: Callable[[], Service]
) -> None:
    last(service, Index(text_only=True), IndexDone)
    moved = folder.rename(folder.parent / "away")
    with pytest.raises(Exception, match="notes"):
        list(service.handle(Index(text_only=True), CancelToken()))
    moved.rename(folder)
    assert last(service, Index(text_only=True), IndexDone).files == 2


def test_names_that_look_like_markup_or_escapes_are_ordinary_names(service: Service, folder: Path) -> None:
    for name in ("[red]x.md", "line\nbreak.md", "esc\x1b[31m.md"):
        (folder / name).write_text(f"Peculiar contents {len(name)}.", "utf-8")
    found = last(service, Search(query="peculiar contents"), Found)
    assert {hit.path for hit in found.hits} == {"[red]x.md", "line\nbreak.md", "esc\x1b[31m.md"}
