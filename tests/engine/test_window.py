"""Chunks longer than the embedding model reads at once: told when the folder is opened, and counted when indexed."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from lens_tui.cancel import CancelToken
from lens_tui.engine.service import Service, open_service
from lens_tui.options import ChunkOptions
from lens_tui.places import places_of, prepare
from lens_tui.requests import FolderNews, Index, IndexDone, Recut, Status, Watch
from lens_tui.settings import Settings
from tests.engine.test_service import folder
from tests.ollama.scripted import ScriptedOllama, scripted

__all__ = ["folder", "scripted"]

pytestmark = pytest.mark.network

TOLD = "Chunks can have 384 tokens, and words:latest reads 256 at once"


@pytest.fixture
def service(folder: Path, tmp_path: Path, scripted: ScriptedOllama) -> Iterator[Service]:
    scripted.models[1].context = 256
    scripted.models[1].longest = 120
    places = places_of(folder.resolve(), str(tmp_path / "data"))
    prepare(places)
    service = open_service(places, Settings(embedder="words", ollama_host=scripted.host))
    service.start()
    yield service
    service.close()


def told(service: Service) -> tuple[str, ...]:
    (news,) = service.handle(Status(), CancelToken())
    assert isinstance(news, FolderNews)
    return news.state.vector_notes


def indexed(service: Service) -> IndexDone:
    done = list(service.handle(Index(), CancelToken()))[-1]
    assert isinstance(done, IndexDone)
    return done


def test_a_size_above_the_models_context_is_told_before_anything_is_indexed(service: Service) -> None:
    (note,) = told(service)
    assert note.startswith(TOLD)
    assert note.endswith("lens-tui index FOLDER --size 256")
    cancel = CancelToken()
    news = next(iter(service.handle(Watch(), cancel)))
    cancel.cancel()
    assert isinstance(news, FolderNews)
    assert any(notice.text.startswith(TOLD) for notice in news.notices)


def test_texts_that_were_embedded_in_parts_are_counted_at_the_end_of_indexing(service: Service) -> None:
    done = indexed(service)
    assert done.vectors == done.chunks
    assert any(note.startswith(TOLD) for note in done.notes)
    assert any(
        "longer than words:latest reads at once: embedded in parts, and averaged." in note for note in done.notes
    )
    assert told(service)[1:] == done.notes[-1:]


def test_it_is_told_no_more_once_the_folder_is_cut_smaller(service: Service) -> None:
    for _ in service.handle(Recut(options=ChunkOptions(size=200, overlap="40")), CancelToken()):
        pass
    assert not any(note.startswith("Chunks can") for note in told(service))
