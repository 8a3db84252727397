"""The backend as the rest of the house sees it: what is put in is found, with scores, reasons and notes."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from lens_tui.cancel import CancelToken
from lens_tui.errors import ModelUnreachable, NothingFound, UsageError
from lens_tui.index.hashing import HashingEmbedder
from lens_tui.index.hybrid import HybridBackend
from lens_tui.index.related import NOTHING_YET, TELLING_WORDS
from lens_tui.index.searching import MOST_TERMS
from lens_tui.types import FileRecord, Filter, Place, Query, Retrieved
from tests.index.making import Concepts, chunks, document, embed_all, opened, put


@pytest.fixture
def backend(tmp_path: Path) -> Iterator[HybridBackend]:
    made = opened(tmp_path / "index", HashingEmbedder())
    yield made
    made.close()


@pytest.fixture
def embedder() -> Concepts:
    return Concepts()


@pytest.fixture
def knowing(tmp_path: Path, embedder: Concepts) -> Iterator[HybridBackend]:
    made = opened(tmp_path / "index", embedder)
    yield made
    made.close()


def paths(found: Retrieved) -> list[str]:
    return [hit.path for hit in found.hits]


def test_a_hit_carries_everything_that_a_face_shows(backend: HybridBackend) -> None:
    text = "Nothing here.\n\nThe lease ends in winter.\nThe Lease was long."
    made = document("notes/lease.md", text, "Of houses")
    cut = [replace(chunk, page=3, tags=("law",), heading=("Houses", "Leases")) for chunk in chunks(made)]
    backend.replace(made, cut)
    (hit,) = backend.search(Query("winter lease"), 1).hits
    assert (hit.rank, hit.path, hit.chunk, hit.id) == (1, "notes/lease.md", 1, cut[1].id)
    assert text[hit.start : hit.end] == hit.text == "The lease ends in winter.\nThe Lease was long."
    assert (hit.lines, hit.page, hit.heading, hit.tags) == ((3, 4), 3, ("Houses", "Leases"), ("law",))
    assert [hit.text[start:end] for start, end in hit.marks] == ["lease", "winter", "Lease"]
    assert hit.snippet in text
    assert hit.checksum == made.checksum
    assert list(hit.why) == ["lexical"]
    assert hit.why["lexical"].rank == 1
    assert hit.why["lexical"].score > 0


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("def readFile(path): pass", "readFile"),
        ("def readFile(path): pass", "read_file"),
        ("def readFile(path): pass", "file"),
        ("吾輩は黒猫である", "猫"),
        ("経済学の入門", "経済"),
        ("ﾃﾞｰﾀﾍﾞｰｽを使う", "データベース"),
        ("한국어 검색 엔진", "검색"),
        ("Straße und Haus", "STRASSE"),
        ("The price is 1,000.50 euros", "1000.50"),
        ("version 3.11.2 is out", "3.11.2"),
        ("cafe\u0301 noir", "café"),
        ("Пироги с ЧЁРНЫМ хлебом", "черным"),
        ("Зеленая ель", "зелёная"),
        ("Des ŒUFS frais", "oeufs"),
        ("De tout coeur", "cœur"),
    ],
)
def test_a_word_is_found_as_it_is_typed(backend: HybridBackend, text: str, query: str) -> None:
    put(backend, "a.md", text)
    put(backend, "b.md", "Something else altogether")
    found = backend.search(Query(query), 5)
    assert paths(found) == ["a.md"]
    assert found.hits[0].marks


def test_the_score_says_how_much_of_the_question_is_there(backend: HybridBackend) -> None:
    for number in range(30):
        put(backend, f"{number}.md", f"Filling text number {number} about grain and salt in the harbour.")
    put(backend, "all.md", "The landlord ended the lease in winter, and so on and on.")
    put(backend, "half.md", "The lease of the boat was for the summer, and so on and on.")
    found = backend.search(Query("landlord lease winter"), 5)
    assert paths(found) == ["all.md", "half.md"]
    whole, half = (hit.score for hit in found.hits)
    assert 0.85 <= whole <= 1.0
    assert 0.1 < half < 0.5
    (alone,) = backend.search(Query("landlord xyzzy plugh quux"), 5).hits
    assert alone.score < 0.4


def test_what_shares_too_little_is_not_returned(backend: HybridBackend) -> None:
    for number in range(1_100):
        put(backend, f"{number}.md", f"The house number {number}.")
    put(backend, "a.md", "The lease.")
    found = backend.search(Query("what does the lease say of the roof and the garden and the cellar"), 50)
    assert paths(found) == ["a.md"]


def test_equal_hits_come_by_path_and_place(backend: HybridBackend) -> None:
    for path in ("c.md", "a.md", "b.md"):
        put(backend, path, "The same lease.\n\nThe same lease.")
    for _ in ("in memory", "on disk"):
        found = backend.search(Query("lease"), 10)
        assert [(hit.path, hit.chunk) for hit in found.hits] == [
            (p, n) for p in ("a.md", "b.md", "c.md") for n in (0, 1)
        ]
        backend.flush()


@pytest.mark.parametrize(
    ("query", "note"),
    [
        ("", "no word or number"),
        ("?! … --", "no word or number"),
        ("xyzzy plugh", "Not in the index: xyzzy, plugh."),
        ("a1 b2 c3 d4 e5 f6 g7", "a1, b2, c3, d4, e5 and 2 more."),
        ("猫", "shares enough"),
    ],
)
def test_nothing_found_says_why(backend: HybridBackend, query: str, note: str) -> None:
    put(backend, "a.md", "The lease.")
    found = backend.search(Query(query), 5)
    assert found.hits == ()
    assert note in " ".join(found.notes)


def test_a_question_of_a_hundred_thousand_characters_is_answered_and_says_what_it_searched(
    backend: HybridBackend,
) -> None:
    put(backend, "a.md", " ".join(f"word{n}" for n in range(200)))
    found = backend.search(Query(" ".join(f"word{n}" for n in range(13_000))), 5)
    assert f"the {MOST_TERMS} rarest were searched" in found.notes[0]
    assert paths(found) == ["a.md"]


def test_what_is_replaced_or_forgotten_is_found_no_more(backend: HybridBackend) -> None:
    made = put(backend, "a.md", "The lease.\n\nThe rent.")
    assert backend.indexed() == {"a.md": FileRecord("a.md", made.checksum, made.size, 1, 2, 2)}
    put(backend, "a.md", "The harbour.")
    assert backend.search(Query("lease"), 5).hits == ()
    assert paths(backend.search(Query("harbour"), 5)) == ["a.md"]
    assert backend.counts()[:2] == (1, 1)
    backend.touch(FileRecord("a.md", made.checksum, 7, 8, 9, 1))
    assert backend.indexed()["a.md"].mtime_ns == 8
    backend.forget("a.md")
    backend.forget("never there.md")
    assert backend.search(Query("harbour"), 5).hits == ()
    assert backend.counts() == (0, 0, 0, 0)
    assert backend.chunks_of("a.md") == []


def test_putting_the_same_twice_changes_nothing(backend: HybridBackend) -> None:
    made = document("a.md", "The lease.")
    backend.replace(made, chunks(made))
    backend.replace(made, chunks(made))
    assert backend.counts()[:2] == (1, 1)
    assert len(backend.search(Query("lease"), 5).hits) == 1
    embed_all(backend)
    backend.replace(made, chunks(made))
    embed_all(backend)
    assert backend.counts() == (1, 1, 1, 0)
    assert paths(backend.search(Query("lease", "vector"), 5)) == ["a.md"]


def test_vectors_find_what_has_no_word_of_the_question(knowing: HybridBackend) -> None:
    put(knowing, "cat.md", "A cat sleeps.")
    put(knowing, "ship.md", "A ship sails.")
    put(knowing, "rain.md", "Much rain falls.")
    assert embed_all(knowing) >= 3
    assert knowing.counts() == (3, 3, 3, 0)
    found = knowing.search(Query("feline", "vector"), 5)
    assert found.retriever == "vector"
    assert paths(found) == ["cat.md"]
    assert found.hits[0].why["vector"].rank == 1
    assert found.hits[0].score == pytest.approx(found.hits[0].why["vector"].score, abs=1e-3)
    both = knowing.search(Query("feline sails", "hybrid"), 5)
    assert both.retriever == "hybrid"
    assert set(paths(both)) == {"cat.md", "ship.md"}
    assert {"lexical", "vector"} >= set(both.hits[0].why) | set(both.hits[1].why)


def test_what_vectors_name_and_is_too_far_is_counted(knowing: HybridBackend) -> None:
    for name, text in (("cat", "A cat sleeps."), ("ship", "A ship sails."), ("rain", "Much rain falls.")):
        put(knowing, f"{name}.md", text)
    embed_all(knowing)
    found = knowing.search(Query("feline", "vector"), 5)
    assert paths(found) == ["cat.md"]
    assert "2 passages that vectors name are left out: a cosine below 0.25 shares too little." in found.notes
    assert not any("left out" in note for note in knowing.search(Query("feline", "vector"), 1).notes)
    (note,) = knowing.search(Query("feline", "vector", filters=(Filter("path", "rain.md"),)), 5).notes
    assert note.startswith("Nothing in the index shares enough with this question: the best, rain.md, scores 0.")
    assert note.endswith("and less than 0.25 is not shown.")


def test_exact_words_lead_in_a_hybrid_search(knowing: HybridBackend) -> None:
    put(knowing, "word.md", "The vessel Albatross was lost.")
    put(knowing, "near.md", "Ship after ship sails.")
    embed_all(knowing)
    found = knowing.search(Query("vessel Albatross", "hybrid"), 5)
    assert paths(found)[0] == "word.md"
    assert set(found.hits[0].why) == {"lexical", "vector"}


def test_missing_vectors_are_counted_in_a_note_and_hold_nothing_up(knowing: HybridBackend) -> None:
    put(knowing, "cat.md", "A cat sleeps.")
    found = knowing.search(Query("cat", "hybrid"), 5)
    assert (paths(found), found.retriever) == (["cat.md"], "lexical")
    assert "None of 1 chunks has a vector yet" in found.notes[0]
    embed_all(knowing)
    put(knowing, "dog.md", "A dog barks at the cat.")
    found = knowing.search(Query("cat", "hybrid"), 5)
    assert (set(paths(found)), found.retriever) == ({"cat.md", "dog.md"}, "hybrid")
    assert "1 of 2 chunks have no vector yet" in found.notes[0]


def test_an_embedder_that_is_down_leaves_words_and_says_so(knowing: HybridBackend, embedder: Concepts) -> None:
    put(knowing, "cat.md", "A cat sleeps.")
    embed_all(knowing)
    embedder.down = True
    for retriever in ("hybrid", "vector"):
        found = knowing.search(Query("cat", retriever), 5)
        assert (paths(found), found.retriever) == (["cat.md"], "lexical")
        assert "Nothing answers at" in found.notes[0]
    put(knowing, "b.md", "Another cat.")
    with pytest.raises(ModelUnreachable):
        knowing.embed_next(CancelToken())
    embedder.down = False
    assert embed_all(knowing) == 1


def test_the_built_in_vectors_have_no_vote_unless_they_are_asked(backend: HybridBackend) -> None:
    put(backend, "a.md", "Tenants repaired the roof.")
    embed_all(backend)
    hybrid = backend.search(Query("roof repairing tenant", "hybrid"), 5)
    assert (hybrid.retriever, "Without an embedding model" in hybrid.notes[0]) == ("lexical", True)
    vector = backend.search(Query("roof repairing tenant", "vector"), 5)
    assert (vector.retriever, paths(vector)) == ("vector", ["a.md"])
    assert "not what they mean" in " ".join(vector.notes)


def test_without_vectors_everything_else_works(tmp_path: Path) -> None:
    backend = opened(tmp_path, HashingEmbedder(), vector=False)
    put(backend, "a.md", "The lease of the tenant.")
    put(backend, "b.md", "A tenant and a lease.")
    assert backend.embed_next(CancelToken()) == 0
    assert backend.counts() == (2, 2, 0, 0)
    found = backend.search(Query("lease", "vector"), 5)
    assert (len(found.hits), found.retriever) == (2, "lexical")
    assert "switched off" in found.notes[0]
    near = backend.related(Place("a.md"), 5)
    assert (paths(near), near.retriever) == (["b.md"], "lexical")
    backend.close()


def test_old_vectors_serve_content_that_comes_back(knowing: HybridBackend, embedder: Concepts) -> None:
    put(knowing, "a.md", "A cat sleeps.\n\nA ship sails.")
    embed_all(knowing)
    asked = len(embedder.asked)
    put(knowing, "a.md", "A cat sleeps.\n\nMuch rain falls.")
    embed_all(knowing)
    assert embedder.asked[asked:] == ["Much rain falls."]
    knowing.forget("a.md")
    put(knowing, "b.md", "A ship sails.")
    embed_all(knowing)
    assert len(embedder.asked) == asked + 1
    assert paths(knowing.search(Query("vessel", "vector"), 5)) == ["b.md"]


def test_a_cancelled_batch_makes_nothing(knowing: HybridBackend) -> None:
    put(knowing, "a.md", "A cat sleeps.")
    cancel = CancelToken()
    cancel.cancel()
    assert knowing.embed_next(cancel) == 0
    assert knowing.counts() == (1, 1, 0, 1)


def test_related_leaves_out_the_place_itself_and_its_copies(knowing: HybridBackend) -> None:
    put(knowing, "a.md", "A cat sleeps.\n\nA ship sails.")
    put(knowing, "copy.md", "A cat sleeps.")
    put(knowing, "b.md", "One feline with a vessel or a cat.")
    put(knowing, "c.md", "Much rain falls.")
    embed_all(knowing)
    found = knowing.related(Place("a.md", line=1), 5)
    assert (paths(found), found.retriever) == (["b.md"], "hybrid")
    assert found.notes[0] == "By the vectors of concepts-1 and by shared words."
    assert "are left out: copy.md:1." in found.notes[-1]
    assert paths(knowing.related(Place("a.md", chunk=1), 5)) == ["b.md"]
    assert paths(knowing.related(Place("a.md"), 5)) == ["b.md"]


def test_where_nothing_is_near_that_is_said_first(backend: HybridBackend) -> None:
    put(backend, "a.md", "The lease ends in March.")
    embed_all(backend)
    found = backend.related(Place("a.md"), 5)
    assert found.hits == ()
    assert found.notes[0] == "Nothing else in the index is near this passage."
    assert len(found.notes) > 1
    searched = backend.search(Query("xyzzy", "hybrid"), 5)
    assert searched.notes[0] == "Not in the index: xyzzy."
    assert len(searched.notes) > 1


def test_nothing_is_said_to_be_near_only_once_vectors_say_so_too(backend: HybridBackend) -> None:
    put(backend, "a.md", "The lease ends in March.")
    put(backend, "b.md", "Ships left every harbour.")
    found = backend.related(Place("a.md"), 5)
    assert (found.hits, found.notes[0]) == ((), NOTHING_YET)


def test_a_long_file_has_others_near_it_by_words_alone(backend: HybridBackend) -> None:
    own = " ".join(f"only{number}" for number in range(2 * TELLING_WORDS))
    common = " ".join(f"common{number}" for number in range(TELLING_WORDS))
    put(backend, "a.md", f"{own}\n\n{common}")
    put(backend, "b.md", f"Other words, and {common}.")
    put(backend, "c.md", "Ships left every harbour.")
    assert paths(backend.related(Place("a.md"), 5)) == ["b.md"]


def test_others_are_near_a_long_file_by_what_it_says_again_and_again(backend: HybridBackend) -> None:
    again = " ".join(f"again{number}" for number in range(20))
    odd = [[f"odd{part}x{number}" for number in range(20)] for part in range(10)]
    put(backend, "a.md", "\n\n".join(f"{again} {' '.join(words)}" for words in odd))
    put(backend, "b.md", f"Other words, and {again}.")
    put(backend, "c.md", "\n\n".join(f"{word} fills this place." for words in odd for word in words))
    assert paths(backend.related(Place("a.md"), 5)) == ["b.md"]


def test_related_finds_its_way_before_there_are_vectors(backend: HybridBackend) -> None:
    put(backend, "a.md", "The tenant repaired the roof.")
    put(backend, "b.md", "A roof that the tenant never repaired.")
    put(backend, "c.md", "Ships left the harbour.")
    found = backend.related(Place("a.md"), 5)
    assert (paths(found), "have no vector yet" in " ".join(found.notes)) == (["b.md"], True)
    embed_all(backend)
    assert paths(backend.related(Place("a.md"), 5)) == ["b.md"]


@pytest.mark.parametrize(
    ("place", "error", "words"),
    [
        (Place("no.md"), NothingFound, "not in the index"),
        (Place("a.md", line=99), UsageError, "no text at line 99"),
        (Place("a.md", line=0), UsageError, "no text at line 0"),
        (Place("a.md", chunk=9), UsageError, "no chunk 9"),
    ],
)
def test_a_place_that_is_none_is_refused_with_a_step(
    backend: HybridBackend, place: Place, error: type[UsageError], words: str
) -> None:
    put(backend, "a.md", "The lease.")
    with pytest.raises(error, match=words) as caught:
        backend.related(place, 5)
    assert caught.value.hint


def test_names_that_are_no_unicode_are_found_by_words_and_vectors(backend: HybridBackend) -> None:
    put(backend, "caf\udce9 [red].md", "The lone \ud83d lease.")
    put(backend, "b.md", "Another lone lease.")
    embed_all(backend)
    assert set(paths(backend.search(Query("lease"), 5))) == {"caf\udce9 [red].md", "b.md"}
    assert set(paths(backend.search(Query("lone lease", "vector"), 5))) == {"caf\udce9 [red].md", "b.md"}
    backend.forget("caf\udce9 [red].md")
    embed_all(backend)
    assert paths(backend.search(Query("lone lease", "vector"), 5)) == ["b.md"]


def test_closing_twice_is_no_trouble(tmp_path: Path) -> None:
    backend = opened(tmp_path, HashingEmbedder())
    backend.close()
    backend.close()


def test_a_name_leads_to_its_definition_before_what_uses_it_often(backend: HybridBackend) -> None:
    uses = "high_tide(1) + high_tide(2) + high_tide(3) or wait(3)"
    for number in range(5):
        put(backend, f"use{number}.py", f"value{number} = {uses}")
        put(backend, f"other{number}.md", f"Where the grain of harvest {number} is kept.")
    made = document(
        "tide.py", "def high_tide(hour):\n    " + "wait for the water to rise\n    " * 3 + "return hour + 6"
    )
    backend.replace(made, [replace(chunk, strategy="code") for chunk in chunks(made, ("high_tide",))])
    for _ in ("in memory", "on disk"):
        assert backend.search(Query("high_tide"), 10).hits[0].path == "tide.py"
        assert backend.search(Query("where is high_tide"), 10).hits[0].path == "tide.py"
        backend.flush()
