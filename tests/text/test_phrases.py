"""Phrases are found word for word, whatever their case, width and white space."""

import pytest

from lens_tui.text.phrases import holds, places


@pytest.mark.parametrize(
    ("text", "phrase", "found"),
    [
        ("The Exact  \nPhrase here", "exact phrase", ["Exact  \nPhrase"]),
        ("one two, one two", "one two", ["one two", "one two"]),
        ("吾輩は\n猫である", "吾輩は猫", ["吾輩は\n猫"]),
        ("吾輩は猫である", "吾輩は 猫", ["吾輩は猫"]),
        ("ﾃﾞｰﾀの表", "データ", ["ﾃﾞｰﾀ"]),
        ("die Straße lang", "STRASSE LANG", ["Straße lang"]),
        ("ｆｕｌｌ　width", "full width", ["ｆｕｌｌ　width"]),
        ("leaseは黒い", "lease", ["lease"]),
        ("readFile and read_file", "read", []),
        ("released", "lease", []),
        ("in C++, and x->y", "c++", ["C++"]),
        ("in C++, and x->y", "->", ["->"]),
        ("cafe\u0301 noir", "café noir", ["cafe\u0301 noir"]),
        ("a\tb", "a b", ["a\tb"]),
        ("ab", "a b", []),
    ],
)
def test_a_phrase_stands_where_it_is_written(text: str, phrase: str, found: list[str]) -> None:
    assert [text[start:end] for start, end in places(text, phrase)] == found
    assert holds(text, phrase) == bool(found)


def test_a_phrase_without_a_sign_is_everywhere_and_nowhere_marked() -> None:
    assert holds("anything", "  ")
    assert places("anything", "  ") == []
