"""The query language over a real index: what passes is found, what does not is not, and why is told."""

import dataclasses
import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from lens_tui.index import searching
from lens_tui.index.hashing import HashingEmbedder
from lens_tui.index.hybrid import HybridBackend
from lens_tui.text.querying import parse
from lens_tui.types import Document, Query, Retrieved
from tests.index.making import Concepts, chunks, embed_all, opened


@pytest.fixture
def backend(tmp_path: Path) -> Iterator[HybridBackend]:
    made = opened(tmp_path / "index", HashingEmbedder())
    yield made
    made.close()


@pytest.fixture(params=["in memory", "on disk"])
def house(request: pytest.FixtureRequest, backend: HybridBackend) -> HybridBackend:
    """A folder of leases, in memory or on disk."""
    put(backend, "drafts/lease.md", "The lease is a draft.\n\nThe lease of the boat.", tags=("law", "伏線:追跡装置"))
    put(backend, "notes/lease.md", "The old lease ends in the winter.", tags=("law:old", "Idea"), kind="markdown")
    put(backend, "notes/lease.txt", "A lease ends. In winter, the old tree falls.", tags=("伏線",))
    put(backend, "src/Lease.py", "def read_lease(self): pass", kind="code")
    put(backend, "日記/猫.md", "吾輩は\n猫である。名前はまだ無い。", tags=("伏線:日常",))
    if request.param == "on disk":
        backend.flush()
    return backend


def put(backend: HybridBackend, path: str, text: str, tags: tuple[str, ...] = (), kind: str = "text") -> None:
    checksum = hashlib.sha256(text.encode()).hexdigest()
    made = Document(path, text, checksum, kind=kind, tags=tags)
    backend.replace(made, [dataclasses.replace(chunk, tags=tags) for chunk in chunks(made)])


def paths(found: Retrieved) -> set[str]:
    return {hit.path for hit in found.hits}


LEASES = {"drafts/lease.md", "notes/lease.md", "notes/lease.txt", "src/Lease.py"}


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("lease", LEASES),
        ("lease path:drafts/", {"drafts/lease.md"}),
        ("lease path:./Drafts", {"drafts/lease.md"}),
        ("lease path:*.txt", {"notes/lease.txt"}),
        ("lease path:drafts/ path:src", {"drafts/lease.md", "src/Lease.py"}),
        ("lease -path:notes/", {"drafts/lease.md", "src/Lease.py"}),
        ("lease type:md", {"drafts/lease.md", "notes/lease.md"}),
        ("lease type:.TXT", {"notes/lease.txt"}),
        ("lease type:markdown", {"notes/lease.md"}),
        ("lease type:py,txt", {"notes/lease.txt", "src/Lease.py"}),
        ("lease -type:md", {"notes/lease.txt", "src/Lease.py"}),
        ("lease tag:law", {"drafts/lease.md", "notes/lease.md"}),
        ("lease tag:#law:old", {"notes/lease.md"}),
        ("lease tag:law tag:idea", {"notes/lease.md"}),
        ("lease -tag:law", {"notes/lease.txt", "src/Lease.py"}),
        ("lease tag:伏線", {"drafts/lease.md", "notes/lease.txt"}),
        ("tag：伏線：追跡装置 lease", {"drafts/lease.md"}),
        ("猫 path:日記/", {"日記/猫.md"}),
        ("lease -winter", {"drafts/lease.md", "src/Lease.py"}),
        ('lease -"old lease"', {"drafts/lease.md", "notes/lease.txt", "src/Lease.py"}),
        ('"OLD  lease"', {"notes/lease.md"}),
        ('"lease ends" winter', {"notes/lease.md", "notes/lease.txt"}),
        ("“lease ends” type:txt", {"notes/lease.txt"}),
        ('"吾輩は猫"', {"日記/猫.md"}),
        ("＂猫である＂", {"日記/猫.md"}),
        ('"ead_lease"', set()),
        ('"read_lease(self)"', {"src/Lease.py"}),
        ("lease -lease", set()),
        ("-猫である lease", LEASES),
        ("名前 -猫である", set()),
    ],
)
def test_a_search_finds_what_passes_and_nothing_else(house: HybridBackend, query: str, expected: set[str]) -> None:
    assert paths(house.search(parse(query), 10)) == expected


def test_a_question_is_only_words(house: HybridBackend) -> None:
    found = house.search(Query('lease type:txt -draft "old tree'), 10)
    assert paths(found) >= {"drafts/lease.md", "notes/lease.md", "notes/lease.txt"}
    assert not any("filter" in note or "quote" in note for note in found.notes)


def test_filters_alone_list_chunks_by_path_and_place(house: HybridBackend) -> None:
    found = house.search(parse("type:md"), 3)
    assert [(hit.path, hit.chunk, hit.score) for hit in found.hits] == [
        ("drafts/lease.md", 0, 1.0),
        ("drafts/lease.md", 1, 1.0),
        ("notes/lease.md", 0, 1.0),
    ]
    assert found.notes == ("These are the first of 4 chunks, in the order of their paths.",)
    assert [hit.rank for hit in found.hits] == [1, 2, 3]
    assert found.hits[0].why == {}


def test_an_exclusion_alone_lists_what_does_not_hold_it(house: HybridBackend) -> None:
    found = house.search(parse("-lease"), 10)
    assert paths(found) == {"日記/猫.md"}


def test_a_phrase_without_words_is_looked_for_in_the_text(house: HybridBackend) -> None:
    (hit,) = house.search(parse('"):"'), 10).hits
    assert hit.path == "src/Lease.py"
    assert [hit.text[start:end] for start, end in hit.marks] == ["):"]


def test_a_phrase_is_marked_as_a_whole_and_its_words_elsewhere_are_not(backend: HybridBackend) -> None:
    put(backend, "a.md", "Old is the tree. The old\n  lease ended; the winter was old.")
    (hit,) = backend.search(parse('"old lease" winter'), 10).hits
    assert [hit.text[start:end] for start, end in hit.marks] == ["old\n  lease", "winter"]


@pytest.mark.parametrize(
    ("query", "note"),
    [
        ("lease type:pdf", "No file matches type:pdf. Types here: md, txt, py."),
        (
            "lease tag:nope",
            "No file matches tag:nope. Tags here: law, 伏線:追跡装置, law:old, Idea, 伏線, 伏線:日常.",
        ),
        ("lease path:drafts type:py", "No file matches path:drafts and type:py together."),
        ('path:"no such/" lease', 'No file matches path:"no such/".'),
        ("winter path:drafts", "2 chunks match the words, but none within path:drafts."),
        ("lease -lease", "Every chunk that was found holds lease, which is left out."),
        ('"lease boat"', 'No chunk holds "lease boat" word for word.'),
        ('"lease boat" type:md', 'No chunk of type:md holds "lease boat" word for word.'),
        ("xyzzy type:md", "Not in the index: xyzzy."),
        ("lease author:me", "There is no filter author:, so it is searched as it stands."),
        ("lease pth:x", "Did you mean path:?"),
        ("lease tag:", "tag: names nothing"),
        ('"old lease', "The quote before old lease is not closed"),
        ("猫車", "Nothing in the index shares enough with this search"),
    ],
)
def test_a_note_says_what_was_not_found_or_not_understood(house: HybridBackend, query: str, note: str) -> None:
    assert note in " ".join(house.search(parse(query), 10).notes)


def test_without_any_tag_that_is_told_and_of_many_the_commonest_are_named(backend: HybridBackend) -> None:
    put(backend, "a.md", "The lease.")
    assert backend.search(parse("tag:nope"), 5).notes == ("No file matches tag:nope. No file here has a tag.",)
    put(backend, "b.md", "The boat.", tags=tuple(f"t{number}" for number in range(14)))
    put(backend, "c.md", "The tree.", tags=("t13",))
    (note,) = backend.search(parse("tag:nope"), 5).notes
    assert note.startswith("No file matches tag:nope. Tags here: t13, t0, t1,")
    assert note.endswith(", t10 and 2 more.")


@pytest.mark.parametrize("query", [Query("When does it end?"), parse("foo"), parse("path:a"), parse("type:md foo")])
def test_of_a_folder_without_text_that_alone_is_told(backend: HybridBackend, query: Query) -> None:
    backend.replace(Document("empty.md", "", "0"), ())
    assert backend.search(query, 10).notes == ("The index holds no text.",)


def test_a_phrase_of_common_words_is_found_where_many_chunks_hold_its_words(backend: HybridBackend) -> None:
    for number in range(300):
        put(backend, f"{number:03}.md", "to be here and not to go or to be there")
    put(
        backend,
        "zz.md",
        "It was long. And so it came up, to be or not to be, of course, and so on and on and on.",
    )
    backend.flush()
    found = backend.search(parse('"to be or not to be"'), 5)
    assert paths(found) == {"zz.md"}


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("release 3.11.2 came", "3.11"),
        ("it costs 1,000,500 today", "1,000"),
        ("the DC3 flew", "dc3"),
        ("黒猫が来た", "が"),
        ("長い\n経済学の話", "経済学の話"),
        ("ภาษา\nไทย", "ภาษาไทย"),
        ("call read_file(x)", "read_file(x"),
    ],
)
def test_a_phrase_at_the_edge_of_longer_words_is_found(backend: HybridBackend, text: str, phrase: str) -> None:
    put(backend, "a.md", f"alpha {text}")
    put(backend, "b.md", "alpha and nothing of the kind")
    backend.flush()
    assert paths(backend.search(parse(f'alpha "{phrase}"'), 5)) == {"a.md"}


def test_what_could_not_be_looked_through_is_told(backend: HybridBackend, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "MOST_CHECKED", 20)
    for number in range(60):
        put(backend, f"{number:03}.md", "or to be not")
    found = backend.search(parse('"to be or not"'), 5)
    assert found.hits == ()
    assert "Only the 20 likeliest chunks were looked through." in found.notes


def test_many_scattered_files_pass_a_filter_wherever_they_rank(backend: HybridBackend) -> None:
    for number in range(240):
        put(backend, f"{number:03}.{'md' if number % 4 else 'txt'}", "lease " * (1 + number % 4) + "and more")
    for _ in ("in memory", "on disk"):
        found = backend.search(parse("lease type:txt"), 50)
        assert len(found.hits) == 50
        assert all(hit.path.endswith(".txt") for hit in found.hits)
        backend.flush()


def test_a_changed_file_passes_by_what_it_is_now(house: HybridBackend) -> None:
    put(house, "notes/lease.md", "The new lease.", tags=("fresh",))
    assert paths(house.search(parse("lease tag:fresh"), 10)) == {"notes/lease.md"}
    assert "notes/lease.md" not in paths(house.search(parse("lease tag:law"), 10))
    house.forget("drafts/lease.md")
    assert house.search(parse("lease tag:law"), 10).notes == (
        "No file matches tag:law. Tags here: fresh, 伏線, 伏線:日常.",
    )


def test_the_word_being_typed_is_a_beginning_below_the_whole_word(house: HybridBackend) -> None:
    put(house, "boat.md", "The win was great.")
    typed = house.search(parse("wint", typing=True), 10)
    assert paths(typed) == {"notes/lease.md", "notes/lease.txt"}
    assert {hit.text[start:end] for hit in typed.hits for start, end in hit.marks} == {"winter"}
    assert next(hit.path for hit in house.search(parse("win", typing=True), 10).hits) == "boat.md"
    assert len(house.search(parse("win", typing=True), 10).hits) == 3
    assert paths(house.search(parse("wint lease", typing=True), 10)) == LEASES
    assert house.search(parse("win ", typing=True), 10).hits[0].path == "boat.md"


@pytest.mark.parametrize("part", ["photo", "pho", "synthesis", "thesis", "photosynthetic"])
def test_a_words_beginning_end_or_other_form_finds_it_below_the_whole_word(backend: HybridBackend, part: str) -> None:
    put(backend, "leaf.md", "Photosynthesis in green leaves.")
    assert paths(backend.search(parse(part), 10)) == {"leaf.md"}
    put(backend, "whole.md", f"One {part} of many.")
    hits = backend.search(parse(part), 10).hits
    assert hits[0].path == "whole.md"
    assert hits[0].score > max([hit.score for hit in hits[1:]], default=0.0)


def test_a_word_in_longer_questions_is_found_by_its_beginning_too(backend: HybridBackend) -> None:
    put(backend, "leaf.md", "Photosynthesis in green leaves.")
    put(backend, "photo.md", "A photo of a lamp.")
    assert "leaf.md" in paths(backend.search(parse("photo"), 10))


def test_an_identifier_and_katakana_being_typed_are_beginnings(backend: HybridBackend) -> None:
    put(backend, "a.py", "def readFile(path): pass")
    put(backend, "b.md", "データベースを使う")
    assert paths(backend.search(parse("readFi", typing=True), 10)) == {"a.py"}
    assert paths(backend.search(parse("データベ", typing=True), 10)) == {"b.md"}


def test_a_misspelled_word_is_told_with_what_was_searched(house: HybridBackend) -> None:
    notes = house.search(parse("wintr"), 10).notes
    assert notes == ("Not in the index: wintr; similar words were searched: winter.",)
    assert house.search(parse("wintr", typing=True), 10).notes == notes
    assert house.search(Query("wintr"), 10).notes == ()
    assert house.search(parse("wint", typing=True), 10).notes == ()


def test_a_folders_name_finds_and_excludes_what_is_in_it(house: HybridBackend) -> None:
    assert paths(house.search(parse("drafts"), 1)) == {"drafts/lease.md"}
    assert paths(house.search(parse("lease -drafts"), 10)) == {"notes/lease.md", "notes/lease.txt", "src/Lease.py"}
    assert paths(house.search(parse('lease -"drafts/lease"'), 10)) == paths(house.search(parse("lease -drafts"), 10))


def test_an_explanation_names_words_shares_and_places(house: HybridBackend) -> None:
    hit = house.search(parse("boat lease xyzzy", explain=True), 1).hits[0]
    assert hit.explain is not None
    words = {word.word: word for word in hit.explain.words}
    assert (words["boat"].found, words["boat"].where) == ("boat", "text")
    assert words["xyzzy"].found == ""
    assert abs(sum(word.share for word in words.values()) - 1) < 0.01
    assert words["xyzzy"].share > words["boat"].share > words["lease"].share
    assert "BM25" in hit.explain.order
    assert f"{hit.score:.2f}" in hit.explain.score
    assert house.search(parse("boat lease"), 1).hits[0].explain is None


def test_a_hybrid_explanation_has_both_retrievers(tmp_path: Path) -> None:
    backend = opened(tmp_path / "index", Concepts())
    put(backend, "a.md", "A cat sat.")
    put(backend, "b.md", "A feline ran.")
    embed_all(backend)
    found = backend.search(parse("cat", "hybrid", explain=True), 5)
    assert paths(found) == {"a.md", "b.md"}
    first, second = (hit.explain for hit in found.hits)
    assert first is not None
    assert second is not None
    assert "BM25" in first.order
    assert "cosine" in first.order
    assert "no place by words" in second.order
    backend.close()


@pytest.mark.parametrize("retriever", ["vector", "hybrid"])
def test_filters_hold_for_what_vectors_find(tmp_path: Path, retriever: str) -> None:
    backend = opened(tmp_path / "index", Concepts())
    for number in range(80):
        put(backend, f"a/{number}.md", f"A cat number {number} sat.")
    put(backend, "b/feline.md", "A feline ran, being a vessel.")
    put(backend, "b/rain.md", "Rain fell.")
    embed_all(backend)
    found = backend.search(parse("cat path:b/", "vector" if retriever == "vector" else "hybrid"), 5)
    assert paths(found) == {"b/feline.md"}
    assert paths(backend.search(parse('cat -"number 5" path:a/5', "vector"), 50)) == {
        f"a/{number}.md" for number in range(50, 60)
    }
    backend.close()
