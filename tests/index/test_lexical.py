"""Full text: what is in memory and what is on disk rank as one, and the files heal from the store."""

import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from lens_tui.errors import StoreError
from lens_tui.index.fresh import NORM_STEPS, Entry, field_terms
from lens_tui.index.fulltext import MOST_SEGMENTS, FullText
from lens_tui.index.lexical import Damaged, Lexical
from lens_tui.index.store import Store
from lens_tui.types import Document
from tests.index.making import chunks, document

WORDS = ("lease", "term", "rent", "notice", "landlord", "tenant", "repair", "deposit", "market", "harbour", "grain")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    made = Store(tmp_path / "store.sqlite3")
    yield made
    made.close()


def opened(tmp_path: Path, store: Store, **more: float) -> FullText:
    return FullText(tmp_path / "lexical", store, analysis="a", **more)  # type: ignore[arg-type]


def put(store: Store, full: FullText, made: Document, heading: tuple[str, ...] = ()) -> list[int]:
    cut = chunks(made, heading)
    found = [field_terms(chunk, made.title, full.title_times) for chunk in cut]
    lengths = [(len(words), len(beginnings)) for words, beginnings in found]
    change = store.replace(made, cut, lengths, [b"key"] * len(cut), 1)
    full.learn(found)
    first = change.added[0]
    full.apply(change, [Entry(id_, terms, first, len(cut)) for id_, terms in zip(change.added, found, strict=True)])
    return list(change.added)


def forget(store: Store, full: FullText, path: str) -> None:
    change = store.forget(path)
    assert change is not None
    full.apply(change, ())


def text(number: int) -> str:
    return " ".join(WORDS[(number * step) % len(WORDS)] for step in range(1, 3 + number % 50))


def test_a_paths_words_stand_among_the_texts_several_times_its_numbers_and_ending_once() -> None:
    (chunk,) = chunks(document("Leases/2024 01.txt", "The roof."))
    words, beginnings = field_terms(chunk, "", 3)
    assert [words.count(term) for term in ("leases", "2024", "01", "txt")] == [3, 1, 1, 1]
    assert beginnings.count("lease") == 3
    assert "leases" not in field_terms(chunk, "", 0)[0]


def test_a_change_is_found_at_once_and_after_it_is_on_disk(tmp_path: Path, store: Store) -> None:
    full = opened(tmp_path, store)
    (one,) = put(store, full, document("a.md", "The lease ends in winter."))
    assert [id_ for id_, _ in full.search(["lease"], 10).rows] == [one]
    full.flush()
    assert [id_ for id_, _ in full.search(["lease"], 10).rows] == [one]
    (two,) = put(store, full, document("a.md", "The rent is due."))
    assert full.search(["lease"], 10).rows == ()
    assert [id_ for id_, _ in full.search(["rent"], 10).rows] == [two]
    full.flush()
    assert full.search(["lease"], 10).rows == ()
    forget(store, full, "a.md")
    assert full.search(["rent"], 10).rows == ()
    full.close()


def test_a_chunk_has_the_same_score_in_memory_as_on_disk(tmp_path: Path, store: Store) -> None:
    full = opened(tmp_path, store, commit_seconds=1000.0)
    for number in range(200):
        put(store, full, document(f"{number} harbour.md", text(number), title="Winter"), heading=("Grain", "Rent"))
    full.flush()
    # The same texts again under other names: each stands in memory beside its twin on disk.
    twins = {}
    for number in (3, 17, 49, 120):
        (new,) = put(store, full, document(f"{number}  harbour.md", text(number), title="Winter"), ("Grain", "Rent"))
        twins[new] = store.chunks_of(f"{number} harbour.md")[0].id
    scores = dict(full.search(["lease", "rent", "winter", "harbour", "grain"], 300).rows)
    assert set(twins) <= set(scores)
    for new, old in twins.items():
        assert scores[new] == pytest.approx(scores[old], rel=0.005)
    full.close()


def test_similar_words_and_forms_score_the_same_in_memory_as_on_disk(tmp_path: Path, store: Store) -> None:
    full = opened(tmp_path, store, commit_seconds=1000.0)
    for number in range(100):
        put(store, full, document(f"{number}.md", f"{text(number)} configuration{'s' * (number % 2)}"))
    full.flush()
    twins = {}
    for number in (3, 18, 49, 72):
        (new,) = put(store, full, document(f"{number} .md", f"{text(number)} configuration{'s' * (number % 2)}"))
        twins[new] = store.chunks_of(f"{number}.md")[0].id
    scores = dict(full.search(["configuraton", "leasing"], 300).rows)
    assert set(twins) <= set(scores)
    for new, old in twins.items():
        assert scores[new] == pytest.approx(scores[old], rel=0.01)
    full.close()


def test_a_new_word_is_found_misspelled_at_once_on_disk_and_after_opening(tmp_path: Path, store: Store) -> None:
    full = opened(tmp_path, store, commit_seconds=1000.0)
    (one,) = put(store, full, document("a.md", "The albatross flies."))
    for step in ("in memory", "on disk", "opened again"):
        ranked = full.search(["albatros", "harbour"], 5)
        assert [id_ for id_, _ in ranked.rows] == [one], step
        assert ranked.respelled == {"albatros": ("albatross",)}
        assert ranked.unknown == ("harbour",)
        assert ranked.alike["albatross"][0] == "albatros"
        full.flush()
        if step == "on disk":
            full.close()
            full = opened(tmp_path, store)
    full.close()


@pytest.mark.parametrize("harm", ["none", "gone", "garbled", "killed"])
def test_words_are_known_again_after_opening_whatever_became_of_their_file(
    tmp_path: Path, store: Store, harm: str
) -> None:
    full = opened(tmp_path, store)
    put(store, full, document("a.md", "The albatross flies."))
    full.close()
    file = tmp_path / "lexical" / "words.lens"
    if harm == "gone":
        file.unlink()
    elif harm == "garbled":
        file.write_bytes(file.read_bytes()[:-2])
    elif harm == "killed":
        kept = file.read_bytes()
        full = opened(tmp_path, store)
        put(store, full, document("b.md", "The cormorant dives."))
        full.close()
        # As after a kill that left the file as it was before.
        file.write_bytes(kept)
    full = opened(tmp_path, store)
    assert full.search(["albatros"], 5).respelled == {"albatros": ("albatross",)}
    assert full.search(["cormorants"], 5).respelled == ({"cormorants": ("cormorant",)} if harm == "killed" else {})
    full.close()


def test_the_word_itself_leads_and_similar_ones_follow(tmp_path: Path, store: Store) -> None:
    full = opened(tmp_path, store)
    (other,) = put(store, full, document("a.md", "One horse stands here."))
    (form,) = put(store, full, document("b.md", "Many houses stand here."))
    (word,) = put(store, full, document("c.md", "One house stands here."))
    put(store, full, document("d.md", "Nothing stands here."))
    assert [id_ for id_, _ in full.search(["house"], 9).rows] == [word, form, other]
    assert [id_ for id_, _ in full.search(["house"], 9, widen=False).rows] == [word, form]
    full.close()


def test_a_chunk_gains_by_the_chunks_beside_it(tmp_path: Path, store: Store) -> None:
    full = opened(tmp_path, store)
    put(store, full, document("a.md", "The lease ends.\n\nThe grain.\n\nThe salt."))
    put(store, full, document("b.md", "The lease ends.\n\nThe lease.\n\nThe lease."))
    best, *_ = full.search(["lease", "ends"], 9).rows
    assert best[0] == store.chunks_of("b.md")[0].id
    full.close()


def test_lengths_are_rounded_as_tantivy_rounds_them() -> None:
    assert len(NORM_STEPS) == 256
    assert NORM_STEPS[:49] == [*range(41), 42, 44, 46, 48, 50, 52, 54, 56]
    assert NORM_STEPS[49:57] == [60, 64, 68, 72, 76, 80, 84, 88]
    assert NORM_STEPS[-1] == 2_013_265_944


def test_title_name_and_heading_count_more_than_the_text(tmp_path: Path, store: Store) -> None:
    full = opened(tmp_path, store)
    (body,) = put(store, full, document("a.md", "The lease is long.", title="Grain"), ("Market",))
    (name,) = put(store, full, document("lease.md", "This one is long.", title="Grain"), ("Market",))
    (title,) = put(store, full, document("b.md", "That one is long.", title="Lease"), ("Market",))
    (heading,) = put(store, full, document("c.md", "Another one is long.", title="Grain"), ("Lease",))
    put(store, full, document("d.md", "Nothing of it is here.", title="Grain"), ("Market",))
    for _ in ("memory", "disk"):
        ranked = [id_ for id_, _ in full.search(["lease"], 10).rows]
        assert set(ranked) == {body, name, title, heading}
        assert ranked[-1] == body
        full.flush()
    full.close()


def test_deleted_chunks_never_crowd_out_what_is_there(tmp_path: Path, store: Store) -> None:
    full = opened(tmp_path, store, commit_seconds=1000.0)
    for number in range(120):
        put(store, full, document(f"{number}.md", "lease lease lease"))
    (last,) = put(store, full, document("last.md", "One lease among many other words of a longer text."))
    full.flush()
    for number in range(120):
        forget(store, full, f"{number}.md")
    assert [id_ for id_, _ in full.search(["lease"], 3).rows] == [last]
    full.close()


def test_it_is_on_disk_within_three_seconds_by_itself(tmp_path: Path, store: Store) -> None:
    full = opened(tmp_path, store)
    put(store, full, document("a.md", "The lease."))
    until = time.monotonic() + 3.0
    while store.lacking(0)[0] and time.monotonic() < until:
        time.sleep(0.05)
        with store.database.read() as db:
            row = db.execute("SELECT value FROM meta WHERE key = 'lexical'").fetchone()
        if row and row[0] == store.generation:
            break
    else:
        pytest.fail("not on disk after three seconds")
    full.close()


def test_what_a_crash_kept_from_disk_is_found_after_opening(tmp_path: Path, store: Store) -> None:
    full = opened(tmp_path, store, commit_seconds=1000.0)
    put(store, full, document("a.md", "The lease."))
    put(store, full, document("b.md", "The rent."))
    full.flush()
    (new,) = put(store, full, document("a.md", "The harbour."))
    forget(store, full, "b.md")
    # As after a kill before the last commit.
    kept = tmp_path / "kept"
    shutil.copytree(tmp_path, kept)
    full.close()
    store = Store(kept / "store.sqlite3")
    full = opened(kept, store)
    assert full.notes == []
    assert [id_ for id_, _ in full.search(["harbour"], 5).rows] == [new]
    assert full.search(["lease", "rent"], 5).rows == ()
    full.close()
    store.close()


@pytest.mark.parametrize("harm", ["gone", "meta", "segments", "other"])
def test_missing_or_broken_files_are_made_anew_from_the_store(tmp_path: Path, store: Store, harm: str) -> None:
    full = opened(tmp_path, store)
    ids = [put(store, full, document(f"{number}.md", f"The lease {number}."))[0] for number in range(30)]
    full.close()
    directory = tmp_path / "lexical"
    if harm == "gone":
        shutil.rmtree(directory)
    elif harm == "meta":
        (directory / "meta.json").write_text("{ broken")
    elif harm == "segments":
        for segment in [*directory.glob("*.idx"), *directory.glob("*.store"), *directory.glob("*.term")]:
            segment.write_bytes(b"\0" * 10)
    else:
        shutil.rmtree(directory)
        other = Store(tmp_path / "other.sqlite3")
        FullText(directory, other, analysis="a").close()
        other.close()
    full = opened(tmp_path, store)
    full.search(["lease"], 50)
    full.flush()
    assert sorted(id_ for id_, _ in full.search(["lease"], 50).rows) == ids
    full.close()
    full = opened(tmp_path, store)
    assert full.notes == []
    assert full.rebuilding is None
    full.close()


def test_a_large_lack_is_brought_in_beside_searches_and_changes(
    tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lens_tui.index.fulltext.COMMIT_CHUNKS", 50)
    full = opened(tmp_path, store)
    for number in range(300):
        put(store, full, document(f"{number}.md", f"The lease {number}."))
    full.close()
    shutil.rmtree(tmp_path / "lexical")
    full = opened(tmp_path, store)
    for number in range(0, 300, 3):
        forget(store, full, f"{number}.md")
    for number in range(1, 300, 3):
        put(store, full, document(f"{number}.md", f"The lease anew {number}."))
    full.flush()
    found = [id_ for id_, _ in full.search(["lease"], 1000).rows]
    assert len(found) == len(set(found)) == 200
    assert set(store.rows(found)) == set(found)
    full.close()
    full = opened(tmp_path, store)
    assert full.notes == []
    full.close()


def test_a_second_process_is_refused(tmp_path: Path, store: Store) -> None:
    full = opened(tmp_path, store)
    code = (
        "import sys, pathlib; from lens_tui.errors import StoreError; from lens_tui.index.lexical import Lexical\n"
        "try: Lexical(pathlib.Path(sys.argv[1]))\n"
        "except StoreError as error: print(error.message, error.hint)"
    )
    run = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "lexical")], capture_output=True, text=True, check=True, timeout=60
    )
    assert "Another lens-tui holds" in run.stdout
    assert "Close every lens-tui" in run.stdout
    full.close()


@pytest.mark.parametrize("error", [Damaged, StoreError, RuntimeError])
def test_a_disk_that_takes_no_commit_is_told_and_searching_goes_on(
    tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    full = opened(tmp_path, store, commit_seconds=1000.0)
    put(store, full, document("a.md", "The lease."))
    full.flush()
    real = Lexical.write

    def refuse(*_: object) -> None:
        raise error("No space left on device (os error 28)")

    monkeypatch.setattr(Lexical, "write", refuse)
    (new,) = put(store, full, document("b.md", "The harbour."))
    with pytest.raises(StoreError, match="No space left"):
        full.flush()
    assert "No space left" in full.problem
    assert [id_ for id_, _ in full.search(["harbour"], 5).rows] == [new]
    monkeypatch.setattr(Lexical, "write", real)
    full.flush()
    assert full.problem == ""
    assert [id_ for id_, _ in full.search(["harbour"], 5).rows] == [new]
    full.close()


def test_memory_stays_small_however_fast_changes_come(
    tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lens_tui.index.fulltext.COMMIT_CHUNKS", 20)
    monkeypatch.setattr("lens_tui.index.fulltext.MOST_IN_MEMORY", 60)
    full = opened(tmp_path, store)
    for number in range(500):
        put(store, full, document(f"{number}.md", "The lease."))
        assert len(full._fresh) <= 61
    assert len(full.search(["lease"], 1000).rows) == 500
    full.close()


def test_a_term_beyond_every_text_is_unknown_and_tells_most(tmp_path: Path, store: Store) -> None:
    full = opened(tmp_path, store)
    put(store, full, document("a.md", "The lease."))
    put(store, full, document("b.md", "The rent."))
    ranked = full.search(["lease", "xyzzy", "the"], 5)
    assert ranked.unknown == ("xyzzy",)
    assert ranked.idf["xyzzy"] > ranked.idf["lease"] > ranked.idf["the"]
    full.close()


def test_searches_beside_commits_never_miss_or_double_a_chunk(tmp_path: Path, store: Store) -> None:
    full = opened(tmp_path, store, commit_seconds=0.01)
    wanted = [put(store, full, document(f"{number}.md", "The lease."))[0] for number in range(20)]
    stop = threading.Event()

    def churn() -> None:
        number = 0
        while not stop.is_set():
            put(store, full, document("other.md", f"The harbour {number}."))
            number += 1

    thread = threading.Thread(target=churn)
    thread.start()
    try:
        for _ in range(300):
            assert sorted(id_ for id_, _ in full.search(["lease"], 100).rows) == wanted
    finally:
        stop.set()
        thread.join()
        full.close()


def test_at_rest_small_segments_are_merged_and_everything_is_found_as_before(
    tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lens_tui.index.fulltext.REST_SECONDS", 0.01)
    full = opened(tmp_path, store, commit_seconds=1000.0)
    wanted = []
    for number in range(7):
        wanted += put(store, full, document(f"{number}.md", "The lease."))
        full.flush()
    deadline = time.monotonic() + 30
    while full._files.reading.segments > MOST_SEGMENTS and time.monotonic() < deadline:
        time.sleep(0.01)
    assert full._files.reading.segments <= MOST_SEGMENTS
    assert sorted(id_ for id_, _ in full.search(["lease"], 100).rows) == wanted
    full.close()
    again = opened(tmp_path, store)
    assert again.notes == []
    assert sorted(id_ for id_, _ in again.search(["lease"], 100).rows) == wanted
    again.close()
