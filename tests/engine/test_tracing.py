"""What became of the passages that answers rest on, through a folder's engine on real files."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from lens_tui.cancel import CancelToken
from lens_tui.engine.service import Service, open_service
from lens_tui.engine.tracing import find
from lens_tui.history import Fate, Passage
from lens_tui.places import places_of, prepare
from lens_tui.requests import Index, OpenFile, Trace, Traced
from lens_tui.settings import Settings

pytestmark = pytest.mark.network

SENTENCE = "The lease runs until 31 March 2027 and renews by one year."
LEASE = f"# Lease\n\nThe term is two years. {SENTENCE}\n\n## Deposit\n\nIt is three months' rent.\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "lease.md").write_text(LEASE, "utf-8")
    (folder / "garden.md").write_text("A garden on the roof.", "utf-8")
    return folder


@pytest.fixture
def service(folder: Path, tmp_path: Path) -> Iterator[Service]:
    places = places_of(folder.resolve(), str(tmp_path / "data"))
    prepare(places)
    service = open_service(places, Settings(embedder="builtin", ollama_host="127.0.0.1:1"))
    yield service
    service.close()


@pytest.fixture
def passage(service: Service) -> Passage:
    """The cited sentence, as the file has it before anything happens to it."""
    index(service)
    (file,) = service.handle(OpenFile(path="lease.md"), CancelToken())
    start = LEASE.index(SENTENCE)
    return Passage("lease.md", file.checksum, start, start + len(SENTENCE), SENTENCE)  # type: ignore[union-attr]


def index(service: Service) -> None:
    for _ in service.handle(Index(text_only=True), CancelToken()):
        pass


def fate(service: Service, passage: Passage) -> Fate:
    index(service)
    (traced,) = service.handle(Trace(passages=(passage,)), CancelToken())
    assert isinstance(traced, Traced)
    return traced.fates[0]


def test_a_file_that_is_the_same_has_nothing_to_tell(service: Service, passage: Passage) -> None:
    assert fate(service, passage) == Fate()


def test_a_sentence_that_moved_down_is_found_on_its_new_line(service: Service, passage: Passage, folder: Path) -> None:
    new = "A line more.\n\n" + LEASE
    (folder / "lease.md").write_text(new, "utf-8")
    found = fate(service, passage)
    assert (found.state, found.path, found.line) == ("changed", "lease.md", 5)
    assert new[found.start : found.end] == SENTENCE
    assert found.at == pytest.approx((folder / "lease.md").stat().st_mtime)


def test_a_sentence_that_was_wrapped_otherwise_is_still_the_same(
    service: Service, passage: Passage, folder: Path
) -> None:
    new = LEASE.replace("runs until", "runs\nuntil")
    (folder / "lease.md").write_text(new, "utf-8")
    found = fate(service, passage)
    assert (found.state, found.line) == ("changed", 3)
    assert new[found.start : found.end] == SENTENCE.replace("runs until", "runs\nuntil")


def test_a_renamed_file_is_followed(service: Service, passage: Passage, folder: Path) -> None:
    (folder / "lease.md").rename(folder / "old lease.md")
    found = fate(service, passage)
    assert (found.state, found.path, found.line, found.file_gone) == ("moved", "old lease.md", 3, True)


def test_a_sentence_that_was_put_into_another_file_is_found_by_its_words(
    service: Service, passage: Passage, folder: Path
) -> None:
    (folder / "lease.md").write_text(LEASE.replace(SENTENCE, ""), "utf-8")
    (folder / "terms.md").write_text(f"# Terms\n\nIn short:\n{SENTENCE}\n", "utf-8")
    found = fate(service, passage)
    assert (found.state, found.path, found.line, found.file_gone) == ("moved", "terms.md", 4, False)


def test_a_sentence_that_says_something_else_now_is_gone(service: Service, passage: Passage, folder: Path) -> None:
    (folder / "lease.md").write_text(LEASE.replace("2027", "2028"), "utf-8")
    found = fate(service, passage)
    assert (found.state, found.path, found.line, found.file_gone) == ("gone", "lease.md", None, False)


def test_a_file_that_is_gone_says_so(service: Service, passage: Passage, folder: Path) -> None:
    (folder / "lease.md").unlink()
    found = fate(service, passage)
    assert (found.state, found.path, found.file_gone) == ("gone", "lease.md", True)


def test_a_few_words_are_not_looked_for_in_other_files(service: Service, passage: Passage, folder: Path) -> None:
    (folder / "lease.md").unlink()
    short = Passage("lease.md", passage.checksum, 0, 8, "A garden")
    assert fate(service, short).state == "gone"


def test_of_several_places_the_nearest_counts() -> None:
    assert find("so it is. so it is. so it is.", "so it is", 12) == (10, 18)
    assert find("nothing", "something", 0) is None
    assert find("nothing", "  ", 0) is None
