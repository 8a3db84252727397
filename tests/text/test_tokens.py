"""What every tokenizer promises, and which one is opened."""

import base64
import functools
import hashlib
import itertools
import os
import socket
from pathlib import Path

import pytest
import tiktoken
from hypothesis import given, settings
from hypothesis import strategies as st

from lens_tui.errors import SettingsError
from lens_tui.protocols import Tokenizer
from lens_tui.text.tokens import CL100K, SEGMENT, BpeTokenizer, OfflineTokenizer, open_tokenizer
from lens_tui.text.vocabularies import VOCABULARIES, Vocabulary, find_vocabulary

NASTY = {
    "empty": "",
    "one letter": "a",
    "english": "The quick brown fox doesn't jump over 1,234.56 lazy dogs — twice!\n\n    Indented.\n",
    "japanese": "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。",
    "emoji": "👩‍👩‍👧‍👦 family, flag 🇯🇵, thumbs 👍🏽.",
    "combining": "e\u0301e\u0301 a\u0300\u0301\u0302\u0303 नमस्ते",
    "special": "<|endoftext|> and <|fim_prefix|> are words here",
    "surrogate": "a\ud800b\udfffc",
    "nul": "a\x00b\x1b[31m",
    "spaces": " " * 500 + "x" + "\t" * 300 + "\n" * 200,
    "long line": "0123456789abcdef" * 10_000,
    "long script": "漢字仮名交じり文" * 10_000,
    "long lines": "def f(x):\n    return x  # 値\n" * 4_000,
}

MERGES = (b"th", b"the", b" the", b"in", b"er", b"\xe3\x81", b"\xe3\x81\xae", b"  ", b"\n\n", b"\xe7\x8c", b"\xb0\xe7")


RANKS = {bytes([value]): value for value in range(256)} | {merge: 256 + place for place, merge in enumerate(MERGES)}
"""Every byte and a few merges, some of them across the bytes of two characters."""


def tiny() -> BpeTokenizer:
    return BpeTokenizer("tiny", RANKS)


@pytest.fixture(params=["offline", "tiny"])
def tokenizer(request: pytest.FixtureRequest) -> Tokenizer:
    return OfflineTokenizer() if request.param == "offline" else tiny()


@pytest.mark.parametrize("text", NASTY.values(), ids=NASTY.keys())
def test_there_is_one_start_for_each_token_counted_and_they_ascend_within_the_text(
    tokenizer: Tokenizer, text: str
) -> None:
    starts = list(tokenizer.starts(text))
    assert len(starts) == tokenizer.count(text)
    assert starts == sorted(starts)
    assert all(0 <= start < len(text) for start in starts)
    assert starts[:1] == ([0] if text else [])


@pytest.mark.parametrize("text", NASTY.values(), ids=NASTY.keys())
def test_starts_of_a_real_vocabulary_are_where_decoding_says_they_are(text: str) -> None:
    tokenizer = tiny()
    text = text[:3000].replace("\ud800", "?").replace("\udfff", "?")
    ids = tokenizer._encoding.encode_ordinary(text)
    assert list(tokenizer.starts(text)) == tokenizer._encoding.decode_with_offsets(ids)[1]


def test_a_token_that_begins_inside_a_character_has_the_offset_of_that_character() -> None:
    assert list(tiny().starts("a猫b")) == [0, 1, 1, 2]


EVERY_MERGE = RANKS | {
    bytes(pair): 1000 + place for place, pair in enumerate(itertools.product(b" \t\r\n'.,/aAsSlLe1\xcc\x81", repeat=2))
}
"""Merges whatever may stand beside one another, so that a piece cut otherwise has other tokens."""


@functools.cache
def both_forms(pattern: str) -> tuple[BpeTokenizer, tiktoken.Encoding]:
    published = tiktoken.Encoding("published", pat_str=pattern, mergeable_ranks=EVERY_MERGE, special_tokens={})
    return BpeTokenizer("ours", EVERY_MERGE, pattern), published


@settings(max_examples=400, deadline=None, database=None, derandomize=True)
@given(
    text=st.lists(st.sampled_from([*" \t\r\n'.,/aAsSlLe12²ſ漢\u0301\xa0\u3000\x1c", "  ", "\n\n", "'ll", "'RE"])).map(
        "".join
    ),
    vocabulary=st.sampled_from(sorted(VOCABULARIES)),
)
def test_any_text_has_the_tokens_that_the_published_pattern_cuts(text: str, vocabulary: str) -> None:
    ours, published = both_forms(VOCABULARIES[vocabulary].pattern)
    assert list(ours.starts(text)) == published.decode_with_offsets(published.encode_ordinary(text))[1]


def test_special_tokens_in_a_text_count_as_ordinary_text() -> None:
    assert tiny().count("<|endoftext|>") > 5


@pytest.mark.parametrize("unit", ["a", " ", "\n", "^", "漢", "\u0301", " \n", "x "])
def test_a_text_of_a_million_characters_without_borders_is_counted_in_linear_time(
    tokenizer: Tokenizer, unit: str
) -> None:
    import time

    text = unit * (200_000 // len(unit))
    begun = time.process_time()
    tokenizer.count(text)
    once = time.process_time() - begun
    tokenizer.count(text * 5)
    assert time.process_time() - begun < 12 * once + 1.0


def test_counting_a_long_text_in_segments_gives_what_counting_it_whole_gives() -> None:
    tokenizer = tiny()
    text = "".join(f"line {n}: the winner's th{n}e,\n\n    (inner) 猫の{n}\n" for n in range(6_000))
    assert len(text) > 2 * SEGMENT
    assert tokenizer.count(text) == len(tokenizer._encoding.encode_ordinary(text))


def test_no_segment_ends_where_a_vocabulary_joins_what_is_on_both_sides() -> None:
    ours, published = both_forms(VOCABULARIES["o200k_base"].pattern)
    text = "A'lls.\n//" * SEGMENT
    assert ours.count(text) == len(published.encode_ordinary(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The committee will meet again on Thursday to discuss the budget for next year. ", 15),
        ("東京は日本の首都であり、世界最大の都市の一つである。", 28),
        ("def scan(self, cancel: Cancel | None = None) -> Scan:\n    return self._walk('')\n", 25),
    ],
)
def test_the_offline_count_is_near_that_of_cl100k(text: str, expected: int) -> None:
    assert OfflineTokenizer().count(text * 20) == pytest.approx(expected * 20, rel=0.2)


def test_without_a_vocabulary_the_offline_tokenizer_is_opened(tmp_path: Path) -> None:
    assert open_tokenizer("", [tmp_path, tmp_path / "missing"]).name == "offline"


def test_a_damaged_vocabulary_is_not_used(tmp_path: Path) -> None:
    for name in CL100K.files:
        (tmp_path / name).write_bytes(base64.b64encode(b"a") + b" 0\n")
    assert find_vocabulary(CL100K, [tmp_path]) is None
    assert not open_tokenizer("", [tmp_path]).exact


def test_a_pipe_in_the_place_of_the_vocabulary_does_not_hang(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / CL100K.files[0])
    assert open_tokenizer("", [tmp_path]).name == "offline"


@pytest.mark.parametrize("choice", ["", "bytes"])
def test_a_verified_vocabulary_is_used(tmp_path: Path, choice: str) -> None:
    rows = b"".join(base64.b64encode(bytes([value])) + b" %d\n" % value for value in range(256))
    known = {"bytes": Vocabulary("bytes", hashlib.sha256(rows).hexdigest(), CL100K.pattern)}
    (tmp_path / "bytes.tiktoken").write_bytes(rows)
    opened = open_tokenizer(choice, [tmp_path / "missing", tmp_path], vocabularies=known)
    assert (opened.name, opened.exact) == ("bytes", True)
    assert opened.count("abc") == 3


def test_cl100k_by_name_without_its_vocabulary_is_an_error_with_a_next_step(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="not on this machine") as caught:
        open_tokenizer("cl100k_base", [tmp_path])
    assert str(tmp_path) in caught.value.hint


def test_an_unknown_tokenizer_is_an_error_that_lists_the_known_ones() -> None:
    with pytest.raises(SettingsError, match="o200k") as caught:
        open_tokenizer("o200k")
    assert "cl100k_base" in caught.value.hint


def test_opening_a_tokenizer_makes_no_connection(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a connection was attempted")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    assert open_tokenizer("").count("hello") >= 1


@pytest.mark.parametrize(
    "text", ["the winner's, end", "猫の名前、はまだ。", "Größe: naïve, x; y\n\nzeta", "a1 b2, ½ c", "각 나라, 말"]
)
def test_what_follows_a_words_end_counts_the_same_alone(tokenizer: Tokenizer, text: str) -> None:
    import re

    assert getattr(tokenizer, "ends_tokens_with_words", False)
    for border in re.finditer(r"[^\W\d_](?=[\s,.;:、。，])", text):
        head, tail = text[: border.end()], text[border.end() :]
        assert tokenizer.count(head) + tokenizer.count(tail) == tokenizer.count(text)
        assert border.end() in tokenizer.starts(text)
