"""Which words are most alike to one that was asked for, and that looking quickly finds what looking slowly finds."""

import random
import threading
from pathlib import Path

import pytest

from lens_tui.index.vocabulary import LEAST_ALIKE, MOST_ALIKE, Vocabulary, alike


def filled(*words: str) -> Vocabulary:
    made = Vocabulary()
    made.add(words)
    return made


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("configuraton", "configuration"),
        ("confguration", "configuration"),
        ("dateisytsem", "dateisystem"),
        ("системма", "система"),
        ("naïvité", "naïveté"),
        ("किताबे", "किताबें"),
    ],
)
def test_a_misspelled_word_finds_the_right_one_in_any_language(typed: str, meant: str) -> None:
    words = filled("configuration", "dateisystem", "система", "naïveté", "किताबें", "harbour", "порядок")
    assert words.similar(typed)[0][0] == meant


def test_two_letters_in_the_wrong_order_are_one_error_and_no_form() -> None:
    words = filled("receive", "retrieve", "reverse", "relieve", "trail", "trial", "trials")
    assert words.similar("recieve")[0] == ("receive", alike("recieve", "receive"))
    assert [word for word, _ in words.forms("trial")] == ["trials"]


def test_forms_come_by_how_alike_they_are_and_never_the_word_itself() -> None:
    words = filled("house", "houses", "housing", "horse", "elephant")
    found = words.similar("house")
    assert [word for word, _ in found] == ["houses", "horse", "housing"]
    assert [share for _, share in found] == [alike("house", word) for word, _ in found]
    assert alike("house", "house") == 1.0


def test_pairs_numbers_and_short_or_endless_words_are_left_alone() -> None:
    words = filled("経済", "python3", "cat", "car", "x" * 41, "cats")
    assert len(words) == 1
    assert words.similar("cat") == ()
    assert words.similar("経済") == ()
    assert words.similar("python4") == ()


def test_a_word_is_kept_once_however_often_it_comes() -> None:
    words = Vocabulary()
    for number in range(50):
        words.add(["lease", "harbour", f"harbour{chr(97 + number % 26)}"])
    assert len(words) == 28
    assert [word for word, _ in words.similar("leaze")] == ["lease"]
    words.add(["leases"])
    assert [word for word, _ in words.similar("lease")] == ["leases"]


def test_signatures_lose_little_of_the_best_even_where_every_word_is_like_many() -> None:
    chance = random.Random(3)
    letters = "aeiounrstl"
    every = {"".join(chance.choices(letters, k=chance.randint(4, 12))) for _ in range(5_000)}
    words = Vocabulary()
    for start in range(0, 5_000, 700):
        words.add(sorted(every)[start : start + 700])
    found = wanted = 0
    for word in sorted(every)[::100]:
        shares = sorted((alike(word, other) for other in every if other != word), reverse=True)
        best = [share for share in shares if share >= LEAST_ALIKE][:3]
        near = [share for _, share in words.similar(word)]
        assert len(near) <= MOST_ALIKE
        wanted += len(best)
        found += sum(share <= near[at] + 1e-9 for at, share in enumerate(best) if at < len(near))
    assert found >= 0.9 * wanted > 100


def test_what_is_written_down_comes_back_and_knows_its_words(tmp_path: Path) -> None:
    words = filled("configuration", "система", "harbour")
    words.add(["albatross"])
    words.save(tmp_path / "words", {"index": "a", "generation": 3})
    again = Vocabulary()
    assert again.load(tmp_path / "words", {"index": "a"}) == {"index": "a", "generation": 3}
    assert [word for word, _ in again.similar("albatros")] == ["albatross"]
    again.add(["configuration", "система", "harbour", "albatross"])
    assert len(again) == 4
    assert again.load(tmp_path / "words", {"index": "b"}) == {}


def test_a_file_that_is_missing_cut_or_garbled_is_none(tmp_path: Path) -> None:
    file = tmp_path / "words"
    assert Vocabulary().load(file, {}) == {}
    filled("configuration", "harbour").save(file, {"generation": 3})
    whole = file.read_bytes()
    for broken in (
        b"",
        b"{",
        whole[:-3],
        whole[:-3] + b"xyz",
        b'{"check": 0}\n',
        b"[]\n",
        whole.replace(b"{", b"[", 1),
    ):
        file.write_bytes(broken)
        words = Vocabulary()
        assert words.load(file, {}) == {}
        assert len(words) == 0


def test_one_thread_looks_while_another_adds() -> None:
    words = filled("configuration")
    stop = threading.Event()

    def add() -> None:
        number = 0
        while not stop.is_set():
            words.add(["".join(chr(97 + (number >> shift) % 26) for shift in (0, 3, 6, 9, 12))])
            number += 1

    thread = threading.Thread(target=add)
    thread.start()
    try:
        for _ in range(500):
            assert words.similar("configuraton")[0][0] == "configuration"
    finally:
        stop.set()
        thread.join()


def test_a_forms_beginning_and_most_of_its_letters_are_those_of_the_word() -> None:
    words = Vocabulary()
    words.add(["heap", "heaps", "heaped", "cheap", "help", "health", "heavy"])
    assert {word for word, _ in words.forms("heap")} == {"heaps", "heaped"}
    assert "cheap" in {word for word, _ in words.similar("heap")}
