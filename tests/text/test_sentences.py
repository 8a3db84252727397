"""Where sentences end."""

import time

import pytest

from lens_tui.text.sentences import sentences


def cut(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]),
        ("Dr. Smith met J. R. Tolkien. They ate.", ["Dr. Smith met J. R. Tolkien.", "They ate."]),
        ("It costs $3.14, i.e. little. No. 5 too.", ["It costs $3.14, i.e. little.", "No. 5 too."]),
        ("He left at 5 p.m. The U.S. Army came.", ["He left at 5 p.m.", "The U.S. Army came."]),
        ("“Why?” he asked. “Because!” “Oh.”", ["“Why?” he asked.", "“Because!”", "“Oh.”"]),
        ("And... so what? Well… Then.", ["And... so what?", "Well…", "Then."]),
        ("Am 3. Mai kam er, d.h. spät. Dann ging er.", ["Am 3. Mai kam er, d.h. spät.", "Dann ging er."]),
        ("See example.com/a.b for v1.2.3 now. Ok", ["See example.com/a.b for v1.2.3 now.", "Ok"]),
        ("I said no. Then Art. 5 came, p. 3. Fine.", ["I said no.", "Then Art. 5 came, p. 3.", "Fine."]),
        ("Born in 1998. Died in 2019.", ["Born in 1998.", "Died in 2019."]),
        ("It overturned Roe v. Wade. They won.", ["It overturned Roe v. Wade.", "They won."]),
        ("Das kostet 9 Euro, zzgl. 19 % Steuer. Gut.", ["Das kostet 9 Euro, zzgl. 19 % Steuer.", "Gut."]),
        ("Preis inkl. Steuer. Siehe Abs. 3, ca. 5.", ["Preis inkl. Steuer.", "Siehe Abs. 3, ca. 5."]),
        ("It took 17 ms. Two more. Ask Ms. Two.", ["It took 17 ms.", "Two more.", "Ask Ms. Two."]),
        ("Über. Été. Ñu.", ["Über.", "Été.", "Ñu."]),
        ("Он пришёл. Она ушла, т.е. исчезла.", ["Он пришёл.", "Она ушла, т.е. исчезла."]),
    ],
)
def test_prose_is_cut_after_sentences_and_not_after_abbreviations_initials_or_decimals(
    text: str, expected: list[str]
) -> None:
    assert cut(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("吾輩は猫である。名前はまだ無い。", ["吾輩は猫である。", "名前はまだ無い。"]),
        ("彼は「行く。すぐに。」と言った。私も。", ["彼は「行く。すぐに。」と言った。", "私も。"]),
        ("終わり（注。これは注である。）です！？次。", ["終わり（注。これは注である。）です！？", "次。"]),
        ("「え？」\n「はい。」\n彼は笑った。", ["「え？」", "「はい。」", "彼は笑った。"]),
        ("他说：“你好。我来了。”然后走了。好吗？好。", ["他说：“你好。我来了。”然后走了。", "好吗？", "好。"]),
        ("長さは3．5である．次．", ["長さは3．5である．", "次．"]),
        ("　一段落。\n　二段落\n　三段落", ["一段落。", "二段落", "三段落"]),
        ("そう……。まあ……ね。", ["そう……。", "まあ……ね。"]),
    ],
)
def test_cjk_is_cut_after_full_stops_outside_brackets_without_any_space(text: str, expected: list[str]) -> None:
    assert cut(text) == expected


def test_a_bracket_that_is_never_closed_spoils_neither_its_paragraph_nor_the_next() -> None:
    assert cut("「閉じない。次の文。\n\n別の段落。二つ目。") == ["「閉じない。", "次の文。", "別の段落。", "二つ目。"]


def test_markdown_blocks_end_a_sentence_and_wrapped_lines_do_not() -> None:
    text = (
        "# Title\nfirst line\nof prose. Next\n- item a\n  goes on\n* item b\n1. One. Two.\n\n"
        "| a | b |\n|---|---|\n| 1 | 2 |\n> quoted\n> on. More\n\nSetext\n======\nafter"
    )
    assert cut(text) == [
        "# Title",
        "first line\nof prose.",
        "Next",
        "- item a\n  goes on",
        "* item b",
        "1. One.",
        "Two.",
        "| a | b |",
        "|---|---|",
        "| 1 | 2 |",
        "> quoted\n> on.",
        "More",
        "Setext",
        "======",
        "after",
    ]


def test_inside_a_fence_each_line_stands_alone() -> None:
    text = "Before:\n```py\nx = f. Y\n\n# no heading\n~~~\n```\nAfter. End"
    assert cut(text) == ["Before:", "```py", "x = f. Y", "# no heading", "~~~", "```", "After.", "End"]


def test_a_line_of_code_that_ends_a_statement_ends_a_sentence() -> None:
    assert cut("int f() {\n  return 1;\n}\nint g;") == ["int f() {", "return 1;", "}", "int g;"]


NASTY = [
    "",
    " \n\t ",
    ".",
    "...",
    "\n" * 50,
    "「「「。",
    "。。。」」」",
    "a\x0cb. C",
    "👨‍👩‍👧. 👍🏽! e\u0301.",
    "`" * 9,
    "\u2028x. Y",
]


@pytest.mark.parametrize(
    "text", [*NASTY, "# a\n" * 40, "A. B. " * 30, "| x. Y |\n" * 9, "```\nnever closed. Ever\n\nx"]
)
def test_every_visible_character_is_in_exactly_one_sentence_and_edges_are_visible(text: str) -> None:
    spans = sentences(text)
    covered = [place for start, end in spans for place in range(start, end)]
    assert covered == sorted(set(covered))
    assert [i for i, sign in enumerate(text) if not sign.isspace() and i not in set(covered)] == []
    assert all(text[start:end] == text[start:end].strip() != "" for start, end in spans)


@pytest.mark.parametrize("unit", ["a", ".", ". ", "「", "「。", "\n", "「\n\n", "A. ", " ", "*_", "- ", "。」", "x\n"])
def test_a_giant_line_takes_linear_time(unit: str) -> None:
    text = unit * (300_000 // len(unit))
    begun = time.process_time()
    sentences(text)
    assert time.process_time() - begun < 4.0
