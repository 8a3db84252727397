"""The indexer keeps an index true to a folder, whatever happens to the files."""

from collections.abc import Sequence

import pytest

from lens_tui.cancel import CancelToken
from lens_tui.errors import FolderUnreadable
from lens_tui.files.scan import Found
from lens_tui.indexer import Indexer
from lens_tui.requests import FileWarning
from lens_tui.types import Chunk, Document, FileNote, FileRow
from tests.folder_fakes import Disk, OneChunk, Rows, Shelf


@pytest.fixture
def disk() -> Disk:
    disk = Disk()
    disk.write("a.md", "alpha")
    disk.write("sub/b.md", "beta")
    return disk


@pytest.fixture
def shelf() -> Shelf:
    return Shelf()


@pytest.fixture
def rows() -> Rows:
    return Rows()


@pytest.fixture
def indexer(disk: Disk, shelf: Shelf, rows: Rows) -> Indexer:
    return Indexer(disk, disk, OneChunk(), shelf, rows)


def test_everything_new_is_read_once(indexer: Indexer, disk: Disk, shelf: Shelf) -> None:
    run = indexer.everything(CancelToken())
    assert (run.added, run.total, run.done, run.finished) == (2, 2, 2, True)
    run = indexer.everything(CancelToken())
    assert (run.added, run.unchanged, run.total) == (0, 2, 0)
    assert disk.reads == ["a.md", "sub/b.md"]


def test_files_that_hold_no_text_are_not_counted_among_those_that_are_indexed(
    disk: Disk, shelf: Shelf, rows: Rows
) -> None:
    Indexer(disk, disk, OneChunk(), shelf, rows).everything(CancelToken())
    disk.write("a.gz", "BINARY")
    disk.write("z.bin", "BINARY")
    # Another engine, which knows what is indexed and not what was left out.
    indexer = Indexer(disk, disk, OneChunk(), shelf, rows)
    run = indexer.everything(CancelToken())
    assert (run.total, run.done, run.unchanged) == (0, 0, 2)
    assert [note.path for note in indexer.left_out()] == ["a.gz", "z.bin"]
    disk.write("new.md", "gamma")
    disk.write("z.bin", "BINARY", 2)
    run = indexer.everything(CancelToken())
    assert (run.total, run.done, run.added) == (1, 1, 1)


def test_a_changed_file_is_read_again_and_a_gone_one_forgotten(indexer: Indexer, disk: Disk, shelf: Shelf) -> None:
    indexer.everything(CancelToken())
    disk.write("a.md", "alpha two", 2)
    del disk.files["sub/b.md"]
    run = indexer.everything(CancelToken())
    assert (run.changed, run.removed) == (1, 1)
    assert shelf.texts == {"a.md": "alpha two"}


def test_a_touched_file_keeps_its_chunks(indexer: Indexer, disk: Disk, shelf: Shelf) -> None:
    indexer.everything(CancelToken())
    disk.write("a.md", "alpha", 5)
    run = indexer.everything(CancelToken())
    assert (run.changed, run.unchanged) == (0, 2)
    assert shelf.records["a.md"].mtime_ns == 5


def test_a_folder_that_cannot_be_read_forgets_nothing(indexer: Indexer, disk: Disk, shelf: Shelf) -> None:
    indexer.everything(CancelToken())
    disk.gone = True
    with pytest.raises(FolderUnreadable):
        indexer.everything(CancelToken())
    assert set(shelf.records) == {"a.md", "sub/b.md"}


def test_what_is_to_be_known_of_a_file_is_told_by_every_run_until_it_is_read_without(
    indexer: Indexer, disk: Disk, shelf: Shelf, rows: Rows
) -> None:
    disk.write("a.md", "ODD")
    indexer.everything(CancelToken())
    again = Indexer(disk, disk, OneChunk(), shelf, rows)
    for _ in range(2):
        assert again.warnings() == (FileWarning(path="a.md", warning="It is odd."),)
        assert rows["a.md"] == FileRow("a.md", "indexed", 1, "It is odd.")
        rows.clear()
        again.everything(CancelToken())
    disk.write("a.md", "alpha", 2)
    again.everything(CancelToken())
    assert again.warnings() == ()
    assert rows["a.md"] == FileRow("a.md", "indexed", 1)


def test_a_touched_file_is_known_as_it_was_read_last(disk: Disk, shelf: Shelf, rows: Rows) -> None:
    disk.write("a.md", "ODD")
    Indexer(disk, disk, OneChunk("It is long."), shelf, rows).everything(CancelToken())
    disk.write("a.md", "ODD", 2)
    assert list(shelf.records["a.md"].warnings) == ["It is odd.", "It is long."]
    Indexer(disk, disk, OneChunk(), shelf, rows).everything(CancelToken())
    assert list(shelf.records["a.md"].warnings) == ["It is odd."]


def test_a_refused_file_is_told_with_its_reason_and_not_read_again(indexer: Indexer, disk: Disk, rows: Rows) -> None:
    disk.write("x.zip", "BINARY")
    disk.write("y.md", "BROKEN")
    indexer.everything(CancelToken())
    indexer.everything(CancelToken())
    assert disk.reads.count("x.zip") == disk.reads.count("y.md") == 1
    assert [(note.path, note.reason) for note in indexer.left_out()] == [("x.zip", "binary")]
    assert [error.path for error in indexer.failed()] == ["y.md"]
    assert rows["x.zip"].state == "left_out"
    assert rows["y.md"] == FileRow("y.md", "failed", detail="It cannot be read.")


def test_a_refused_file_that_changes_is_read_again(indexer: Indexer, disk: Disk, shelf: Shelf) -> None:
    disk.write("y.md", "BROKEN")
    indexer.everything(CancelToken())
    disk.write("y.md", "mended", 2)
    indexer.some(["y.md"], CancelToken())
    assert shelf.texts["y.md"] == "mended"
    assert indexer.failed() == ()


def test_an_indexed_file_that_becomes_binary_leaves_the_index(indexer: Indexer, disk: Disk, shelf: Shelf) -> None:
    indexer.everything(CancelToken())
    disk.write("a.md", "BINARY", 2)
    indexer.some(["a.md"], CancelToken())
    assert "a.md" not in shelf.records


def test_a_hint_on_a_folder_covers_what_is_under_it(indexer: Indexer, disk: Disk, shelf: Shelf, rows: Rows) -> None:
    indexer.everything(CancelToken())
    del disk.files["sub/b.md"]
    disk.write("sub/c.md", "gamma")
    run = indexer.some(["sub"], CancelToken())
    assert (run.added, run.removed) == (1, 1)
    assert set(shelf.records) == set(rows) == {"a.md", "sub/c.md"}


def test_a_hint_on_an_ignore_file_looks_at_everything(indexer: Indexer, disk: Disk, shelf: Shelf) -> None:
    indexer.everything(CancelToken())
    del disk.files["a.md"]
    indexer.some(["sub/.gitignore"], CancelToken())
    assert set(shelf.records) == {"sub/b.md"}


def test_a_stopped_run_keeps_what_it_did_and_is_not_finished(indexer: Indexer, disk: Disk, shelf: Shelf) -> None:
    cancel = CancelToken()
    read = disk.read

    def read_one(found: Found) -> Document | FileNote:
        cancel.cancel()
        return read(found)

    disk.read = read_one  # type: ignore[method-assign]
    run = indexer.everything(cancel)
    assert (run.added, run.finished) == (1, False)
    assert len(shelf.records) == 1


def test_every_file_has_a_row_before_the_first_is_read(disk: Disk, shelf: Shelf, rows: Rows) -> None:
    seen: list[set[str]] = []
    read = disk.read

    def look_first(found: Found) -> Document | FileNote:
        seen.append(set(rows))
        return read(found)

    disk.read = look_first  # type: ignore[method-assign]
    Indexer(disk, disk, OneChunk(), shelf, rows).everything(CancelToken())
    assert seen[0] == {"a.md", "sub/b.md"}


def test_expected_counts_the_folder_after_hints(indexer: Indexer, disk: Disk) -> None:
    indexer.everything(CancelToken())
    disk.write("c.md", "gamma")
    indexer.some(["c.md"], CancelToken())
    assert indexer.expected == 3
    del disk.files["a.md"]
    indexer.some(["a.md"], CancelToken())
    assert indexer.expected == 2


def test_distrusted_files_are_read_and_cut_anew_once(indexer: Indexer, disk: Disk) -> None:
    indexer.everything(CancelToken())
    indexer.distrust()
    assert indexer.everything(CancelToken()).changed == 2
    assert indexer.everything(CancelToken()).unchanged == 2
    assert len(disk.reads) == 4


def test_a_folder_that_cannot_be_entered_counts_as_failed(indexer: Indexer, disk: Disk, rows: Rows) -> None:
    disk.failed.append(FileNote("closed/", "cannot be read: Permission denied"))
    indexer.everything(CancelToken())
    assert [(e.path, e.error) for e in indexer.failed()] == [("closed/", "cannot be read: Permission denied")]
    assert rows["closed/"].state == "failed"


def test_a_file_that_nobody_foresaw_fails_alone(indexer: Indexer, disk: Disk, shelf: Shelf) -> None:
    read = disk.read

    def stumble(found: Found) -> Document | FileNote:
        if found.path == "a.md":
            raise RecursionError("too deep")
        return read(found)

    disk.read = stumble  # type: ignore[method-assign]
    assert indexer.everything(CancelToken()).finished
    assert set(shelf.records) == {"sub/b.md"}
    assert [error.error for error in indexer.failed()] == ["unforeseen: RecursionError: too deep"]


def test_a_file_that_the_index_cannot_take_fails_alone(indexer: Indexer, disk: Disk, shelf: Shelf) -> None:
    take = shelf.replace

    def stumble(document: Document, chunks: Sequence[Chunk]) -> None:
        if document.path == "a.md":
            raise IndexError("string index out of range")
        take(document, chunks)

    shelf.replace = stumble  # type: ignore[method-assign]
    assert indexer.everything(CancelToken()).finished
    assert set(shelf.records) == {"sub/b.md"}
    assert [error.path for error in indexer.failed()] == ["a.md"]
