"""The store keeps every field, counts its changes, and heals."""

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from lens_tui.errors import StoreError
from lens_tui.index.store import SCHEMA, Store, place_key
from lens_tui.options import ChunkOptions
from lens_tui.types import Chunk, Document, FileRecord, Recipe
from tests.index.making import chunks, document


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "store.sqlite3"


def put(store: Store, made: Document, cut: list[Chunk] | None = None) -> None:
    cut = chunks(made) if cut is None else cut
    store.replace(made, cut, [(3, 1)] * len(cut), [b"k%d" % n for n in range(len(cut))], 1)


def test_every_field_of_a_chunk_comes_back(file: Path) -> None:
    store = Store(file)
    made = replace(document("a/b.md", "Text.", "Title"), tags=("x",), pages=(0, 3))
    full = Chunk(
        "a/b.md", made.checksum, 0, 0, 5, "Text.", (1, 1), 2, "hierarchical", 3, 4, 7, ("A", "B"), ("t", "u"), 2,
        "abc-1", ("abc-2", "abc-3"), "A note.", 3, True, True,
    )  # fmt: skip
    put(store, made, [full])
    store.close()
    store = Store(file)
    rows = store.chunks_of("a/b.md")
    assert [row.chunk for row in rows] == [full]
    assert (rows[0].title, rows[0].lengths) == ("Title", (3, 1))
    assert store.indexed() == {"a/b.md": FileRecord("a/b.md", made.checksum, 5, 1, 2, 1)}
    store.close()


@pytest.mark.parametrize("name", ["[red]x.md", "a\nb", "caf\udce9.txt", "\x1b[31m.md", "x#y-1.md", "日本.md"])
def test_names_and_texts_that_are_no_unicode_come_back_as_they_are(file: Path, name: str) -> None:
    store = Store(file)
    made = document(name, "lone \ud83d surrogate and nul \x00.")
    put(store, made)
    assert store.chunks_of(name)[0].chunk.text == made.text
    assert list(store.indexed()) == [name]
    place_key(name, made.checksum, 0).encode("utf-8")
    store.close()


def test_two_files_with_the_same_bytes_share_ids_and_not_places(file: Path) -> None:
    store = Store(file)
    put(store, document("one.md", "Same."))
    put(store, document("two.md", "Same."))
    one, two = store.chunks_of("one.md")[0], store.chunks_of("two.md")[0]
    assert one.chunk.id == two.chunk.id
    assert one.id != two.id
    store.close()


def test_a_replaced_file_leaves_nothing_but_the_memory_of_what_went(file: Path) -> None:
    store = Store(file)
    put(store, document("a.md", "One.\n\nTwo."))
    old = [row.id for row in store.chunks_of("a.md")]
    put(store, document("a.md", "Three."))
    assert [row.chunk.text for row in store.chunks_of("a.md")] == ["Three."]
    assert store.rows(old) == {}
    assert store.lacking(1) == (1, old)
    assert (store.totals.files, store.totals.chunks, store.totals.lengths) == (1, 1, (3, 1))
    store.lexical_has(store.generation)
    assert store.lacking(1) == (1, [])
    store.close()


def test_totals_generation_and_ids_go_on_after_opening_again(file: Path) -> None:
    store = Store(file)
    put(store, document("a.md", "One.\n\nTwo."))
    put(store, document("b.md", "Three."))
    store.forget("a.md")
    before = store.totals, store.generation, store.next_id, store.identity
    store.close()
    store = Store(file)
    assert (store.totals, store.generation, store.next_id, store.identity) == before
    assert store.forget("a.md") is None
    store.close()


def test_touching_keeps_the_chunks(file: Path) -> None:
    store = Store(file)
    made = document("a.md", "One.")
    put(store, made)
    touched = FileRecord("a.md", made.checksum, 9, 10, 11, 1, ("It is odd.",))
    store.touch(touched)
    assert store.indexed()["a.md"] == touched
    assert len(store.chunks_of("a.md")) == 1
    store.close()


def test_the_recipe_comes_back(file: Path) -> None:
    store = Store(file)
    assert store.recipe() is None
    store.keep_recipe(Recipe("t", ChunkOptions(levels=(1, 2), threshold=0.5), "r", "w", "e"))
    store.close()
    store = Store(file)
    assert store.recipe() == Recipe("t", ChunkOptions(levels=(1, 2), threshold=0.5), "r", "w", "e")
    store.close()


def test_a_damaged_file_is_set_aside_and_said(file: Path) -> None:
    file.write_bytes(b"this is not a database, but it is long enough to be looked at" * 40)
    store = Store(file)
    assert store.totals.files == 0
    assert "set aside as store.sqlite3.broken" in store.notes[0]
    assert file.with_name("store.sqlite3.broken").exists()
    put(store, document("a.md", "One."))
    store.close()


def test_damage_found_while_working_is_an_error_now_and_healed_at_the_next_opening(file: Path) -> None:
    store = Store(file)
    for number in range(60):
        put(store, document(f"{number}.md", f"{'word ' * 300}{number}"))
    store.close()
    data = bytearray(file.read_bytes())
    for at in range(4096, len(data)):
        data[at] = 0x55
    file.write_bytes(bytes(data))
    with pytest.raises(StoreError, match="damaged") as caught:
        Store(file).chunks_of("3.md")
    assert "open it again" in caught.value.hint
    store = Store(file)
    assert store.notes
    assert store.indexed() == {}
    store.close()


def test_a_newer_file_is_refused_with_what_to_do(file: Path) -> None:
    Store(file).close()
    with sqlite3.connect(file) as db:
        db.execute(f"PRAGMA user_version={SCHEMA + 1}")
    db.close()
    with pytest.raises(StoreError, match="newer lens-tui") as caught:
        Store(file)
    assert "Update lens-tui" in caught.value.hint
    assert file.exists()


def test_an_older_file_is_made_anew_and_said(file: Path) -> None:
    with sqlite3.connect(file) as db:
        db.execute("CREATE TABLE old (x)")
    db.close()
    store = Store(file)
    assert "older lens-tui" in store.notes[0]
    put(store, document("a.md", "One."))
    store.close()


def test_a_file_that_cannot_be_opened_is_one_sentence_and_a_step(tmp_path: Path) -> None:
    (tmp_path / "store.sqlite3").mkdir()
    with pytest.raises(StoreError) as caught:
        Store(tmp_path / "store.sqlite3")
    assert caught.value.hint


def test_a_full_disk_is_said_and_loses_nothing_that_was_acknowledged(file: Path) -> None:
    store = Store(file)
    put(store, document("a.md", "One."))
    with store.database.write() as db:
        pages = db.execute("PRAGMA page_count").fetchone()[0]
    store.database._writer.execute(f"PRAGMA max_page_count={pages}")
    with pytest.raises(StoreError, match="No space") as caught:
        put(store, document("b.md", "Two " * 9_000))
    assert "Free some space" in caught.value.hint
    assert list(store.indexed()) == ["a.md"]
    assert store.totals.files == 1
    store.database._writer.execute("PRAGMA max_page_count=100000")
    put(store, document("b.md", "Two."))
    assert store.totals.files == 2
    store.close()


def test_clearing_takes_everything_out_at_once_and_another_identity(file: Path) -> None:
    store = Store(file)
    put(store, document("a.md", "One."))
    identity, next_id = store.identity, store.next_id
    store.clear()
    assert (store.totals.files, store.totals.chunks, store.next_id) == (0, 0, next_id)
    assert store.identity != identity
    store.close()
