"""What the word analysis promises: terms of every script, and offsets that hold."""

import pytest

from lens_tui.text.words import (
    DEFINES,
    LONGEST_TERM,
    Wanted,
    asked,
    beginning,
    is_cjk,
    is_word,
    occurrences,
    parts_of,
    terms,
    weights,
    words,
)

SAMPLES = [
    "A plain sentence, with 3.14 and 1,000 in it.",
    "def readFile(self): return HTTPServer.read_file(__init__)",
    "Ｌｅａｓｅ ﬁnd ① ㎏ x² ½ … — don’t",
    "経済学が好きな猫。ﾃﾞｰﾀﾍﾞｰｽ「ニャー」",
    "cafe\u0301 e\u0301tude STRASSE straße İstanbul",
    "हिन्दी भाषा 한국어 검색 ไทยภาษา Donau\u00addampf",
    "lone \ud83d surrogate, \x1b[31m escape, nul \x00 and 🎉",
    "",
    "… ---- !!",
]


@pytest.mark.parametrize("text", SAMPLES)
def test_terms_are_the_terms_of_words_and_every_word_stands_where_it_says(text: str) -> None:
    found = words(text)
    assert terms(text) == [word.term for word in found]
    for word in found:
        assert 0 <= word.start < word.end <= len(text)
        assert set(terms(text[word.start : word.end])) & {word.term}, word


@pytest.mark.parametrize("text", SAMPLES)
def test_what_is_asked_for_is_among_the_terms_of_the_same_text(text: str) -> None:
    assert set(asked(text)) <= set(terms(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("readFile", ["readfile", "read", "file"]),
        ("read_file", ["readfile", "read", "file"]),
        ("HTTPServer", ["httpserver", "http", "server"]),
        ("PDFs LEASE", ["pdfs", "lease"]),
        ("__init__", ["init"]),
        ("1,000", ["1000", "1", "000"]),
        ("3.14", ["3.14", "3", "14"]),
        ("ﬁnd Ｌｅａｓｅ", ["find", "lease"]),
        ("STRASSE straße", ["strasse", "strasse"]),
        ("cafe\u0301", ["caf\u00e9"]),
        ("हिन्दी", ["हिन्दी"]),
        ("한국어", ["한국", "국어"]),
        ("ネコ", ["ネコ"]),
        ("猫が", ["猫", "猫が"]),
        ("黒猫", ["黒", "黒猫", "猫"]),
        ("___", []),
    ],
)
def test_each_script_is_cut_by_its_own_rule(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


def test_half_width_kana_keep_their_offsets_though_two_become_one() -> None:
    text = "ﾃﾞｰﾀ"
    assert [(word.term, text[word.start : word.end]) for word in words(text)] == [("デー", "ﾃﾞｰ"), ("ータ", "ｰﾀ")]


def test_a_single_han_character_finds_every_word_that_it_is_part_of() -> None:
    assert asked("猫") == ["猫"]
    assert "猫" in terms("黒猫が来た")
    assert asked("黒猫") == ["黒猫"]


def test_occurrences_are_the_words_that_were_wanted() -> None:
    text = "The lease of readFile. LEASE 経済学"
    assert [(w.term, text[w.start : w.end]) for w in occurrences(text, ["lease", "file", "済学"])] == [
        ("lease", "lease"),
        ("file", "File"),
        ("lease", "LEASE"),
        ("済学", "済学"),
    ]


def test_a_line_of_encoded_data_is_one_term_of_bounded_length() -> None:
    assert [len(term) for term in terms("a" * 100_000)] == [LONGEST_TERM]


@pytest.mark.parametrize(("char", "expected"), [("猫", True), ("ね", True), ("ネ", True), ("한", True), ("a", False)])
def test_cjk_characters_are_known(char: str, expected: bool) -> None:
    assert is_cjk(char) is expected


@pytest.mark.parametrize("text", [*SAMPLES, "read reader read_file thread read", "a_b a ab _a a", "x1 1 3.14 14 x"])
def test_occurrences_agree_with_words(text: str) -> None:
    every = words(text)
    for wanted in ({word.term} for word in every):
        assert occurrences(text, wanted) == [word for word in every if word.term in wanted]
    assert occurrences(text, {word.term for word in every}) == every


@pytest.mark.parametrize(
    ("term", "start"),
    [
        ("houses", "house"),
        ("rent", "rent"),
        ("системы", "систе"),
        ("किताबें", "किताब"),
        ("python3", "python3"),
        ("1000.50", "1000.50"),
        (DEFINES + "größe", DEFINES + "größe"),
        ("経済", ""),
        ("검색", ""),
        ("กา", ""),
    ],
)
def test_forms_of_a_word_have_their_beginning_in_common(term: str, start: str) -> None:
    assert beginning(term) == start
    assert is_word(term) is (start not in ("", term) or term == "rent")


def test_stop_words_endings_and_parts_of_words_count_less() -> None:
    found = weights(asked("the lease 経済学の入門"))
    assert found["lease"] == found["経済"] == found["済学"] == found["入門"] == 1.0
    assert found["the"] == 0.3
    assert found["学の"] == 0.6
    assert [term for term, weight in found.items() if weight == 0.2] == ["経", "済", "学", "入", "門"]
    assert weights(asked("猫の写真"))["猫"] == 1.0
    assert weights(asked("ですか")) == {"です": 0.3, "すか": 0.3}


def test_every_word_that_begins_so_is_found_as_a_word_and_in_an_identifier() -> None:
    text = "Leases, leasing, lea, releases, readLeaseholds(), 経済 and Système."
    found = [text[word.start : word.end] for word in occurrences(text, Wanted(["経済"], ["lease", "systè", "lea"]))]
    assert found == ["Leases", "Leaseholds", "経済", "Système"]


@pytest.mark.parametrize("sign", ["\u200b", "\u200d", "\u00ad", "\ufeff"])
@pytest.mark.parametrize("text", ["東京{}都", "ภาษา{}ไทย", "한국{} 어", "{}", "a {} b", "東京{}"])
def test_a_silent_sign_beside_pairs_is_no_word(text: str, sign: str) -> None:
    bare = [term for term in terms(text.format(" ")) if term.strip()]
    assert set(bare) <= set(terms(text.format(sign)))
    assert all(word.term for word in words(text.format(sign)))
    assert all(asked(text.format(sign)))


@pytest.mark.parametrize(
    ("asked_for", "parts"),
    [
        ("raise_for_status", ["raise", "for", "status"]),
        ("readFile quickly", ["read", "file"]),
        ("read file", []),
        ("reader", []),
        ("3.11.2", []),
    ],
)
def test_what_follows_an_identifier_is_its_parts_where_they_make_it_up(asked_for: str, parts: list[str]) -> None:
    whole, *following = asked(asked_for)
    assert list(parts_of(whole, following)) == parts
