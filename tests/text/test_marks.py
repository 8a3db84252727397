"""Citation marks, and what is no mark although it looks like one."""

import pytest

from lens_tui.text.marks import Held, code_spans, marks


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("ends [1].", (1,)),
        ("ends [1, 2] and", (1, 2)),
        ("ends [1,2;3、4]", (1, 2, 3, 4)),
        ("ends [1-3].", (1, 2, 3)),
        ("ends [1–3, 7]", (1, 2, 3, 7)),
        ("ends [ 1 ]", (1,)),
        ("終わる【1】。", (1,)),
        ("終わる［１、２］。", (1, 2)),
        ("終わる［１－３］。", (1, 2, 3)),
        ("ends [3-1]", (3, 1)),
        ("ends [1-300]", (1, 300)),
        ("ends [1, 1]", (1,)),
        ("ends [0]", (0,)),
        ("see[12]now", (12,)),
        ("as in [1]: this", (1,)),
        ("\\[1]", (1,)),
    ],
)
def test_every_form_of_mark_is_recognised(text: str, numbers: tuple[int, ...]) -> None:
    (mark,) = marks(text)
    assert mark.numbers == numbers
    assert text[mark.start] in "[【［"
    assert text[mark.end - 1] in "]】］"


@pytest.mark.parametrize(
    "text",
    [
        "[1](https://example.com)",
        "[1]: https://example.com",
        "text\n  [1]: lease.md",
        "`a[1]`",
        "``a ` [1]``",
        "```\na[1]\n```",
        "```python\na[1]",
        "~~~\n[1]\n```\n[2]\n~~~",
        "- item\n\n  ```\n  [1]\n  ```",
        "[2024]",
        "[^1]",
        "[a1]",
        "[]",
        "[,]",
        "[1",
        "1]",
        "[1】",
        "[ ]",
        "[x]",
    ],
)
def test_what_only_looks_like_a_mark_is_none(text: str) -> None:
    assert marks(text) == []


def test_marks_beside_each_other_are_two() -> None:
    assert [mark.numbers for mark in marks("ends [1][2] [3].")] == [(1,), (2,), (3,)]


def test_marks_after_code_and_after_a_lone_backtick_count() -> None:
    assert [mark.numbers for mark in marks("`x` [1]\n```\n[2]\n```\nand ` [3] or\n\n`[4]`")] == [(1,), (3,)]


def test_code_spans_are_in_order_and_apart() -> None:
    text = "a `b` c\n```\nd `e`\n```\nf `g`"
    found = [text[start:end] for start, end in code_spans(text)]
    assert found == ["`b`", "```\nd `e`\n```", "`g`"]


def drawn(pieces: list[str]) -> tuple[list[str], str]:
    held = Held()
    shown = [held.feed(piece) for piece in pieces]
    return shown, held.end()


def test_an_unfinished_mark_is_held_back_until_it_is_one() -> None:
    assert drawn(["ends [", "1", "]."]) == (["ends ", "", "[1]."], "")
    assert drawn(["ends 【1", "、2", "】"]) == (["ends ", "", "【1、2】"], "")


def test_what_turns_out_to_be_no_mark_is_let_go_at_once() -> None:
    assert drawn(["see [", "a link]"]) == (["see ", "[a link]"], "")
    assert drawn(["x [" + " 1," * 40])[0][0].startswith("x [")


def test_a_stream_that_ends_in_half_a_mark_loses_nothing() -> None:
    assert drawn(["ends [1"]) == (["ends "], "[1")


@pytest.mark.parametrize("text", ["The lease [1] ends [2, 3]. [", "[1][2]\n[3]", "a [b [1"])
def test_pieces_joined_are_the_text_at_every_cut(text: str) -> None:
    shown, rest = drawn(list(text))
    assert "".join(shown) + rest == text
    so_far = ""
    for piece in shown:
        so_far += piece
        assert not so_far.rstrip("0123456789, ").endswith("[")
