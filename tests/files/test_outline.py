"""Front matter, headings and tags of Markdown."""

import time

import pytest

from lens_tui.files.loaders.markdown import MarkdownLoader
from lens_tui.files.outline import code_spans, front_matter, inline_tags, plain_title
from lens_tui.types import Document

LOADER = MarkdownLoader()


def load(text: str) -> Document:
    return LOADER.load("a.md", text.encode("utf-8"))


def outline(text: str) -> list[tuple[int, str]]:
    document = load(text)
    for heading in document.headings:
        assert heading.start == 0 or document.text[heading.start - 1] == "\n"
    return [(heading.level, heading.title) for heading in document.headings]


@pytest.mark.parametrize("name", ["a.md", "B.MD", "x/c.markdown", "d.mdx"])
def test_markdown_is_told_by_its_name(name: str) -> None:
    assert LOADER.reads(name, b"text")
    assert not LOADER.reads(name, b"\0\0")
    assert not LOADER.reads(name + ".txt", b"text")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# One\n## Two ##\n###### Six\n####### Seven\n#No", [(1, "One"), (2, "Two"), (6, "Six")]),
        ("Title\nof two lines\n====\n\nSub\n---\n", [(1, "Title of two lines"), (2, "Sub")]),
        ("```\n# code\n```\n~~~\n## code\n~~~\n    # code\n# Real", [(1, "Real")]),
        ("> # quoted\n\n- # in a list\n\n# Real", [(1, "Real")]),
        ("<!--\n# comment\n-->\n\n# Real", [(1, "Real")]),
        ("---\n\ntext\n\n---\n\n| a |\n|---|\n| # b |\n", []),
        ("   # Three spaces\n", [(1, "Three spaces")]),
        ("#\n\n# \n", [(1, ""), (1, "")]),
        ("```\n# never closed", []),
        ("[a]: /url 'title'\n\n# After", [(1, "After")]),
        ("# 見出し\n", [(1, "見出し")]),
    ],
)
def test_headings_are_those_of_commonmark_outside_code_quotes_and_lists(
    text: str, expected: list[tuple[int, str]]
) -> None:
    assert outline(text) == expected


def test_a_headings_start_is_the_offset_of_its_line() -> None:
    document = load("---\na: 1\n---\nintro\n\n# One\ntext\n\nTwo\n---\n")
    assert [document.text[heading.start :].split("\n")[0] for heading in document.headings] == ["# One", "Two"]


@pytest.mark.parametrize(
    ("source", "title"),
    [
        ("The [[Sea]] and [[Tide tables|the tables]]", "The Sea and the tables"),
        ("**Bold** and *slanted* and ~~struck~~ _too_", "Bold and slanted and struck too"),
        ("`__init__` of snake_case_name", "__init__ of snake_case_name"),
        ("[link](http://x/a_b) and [ref][1] ![pic](a.png)", "link and ref pic"),
        (r"a \* b \# c &amp; d &lt;", "a * b # c & d <"),
        ("<b>HTML</b> {#anchor .class}", "HTML"),
        ("2 * 3 * 4 and a_b", "2 * 3 * 4 and a_b"),
        ("<https://example.org>", "example.org"),
        ("``a ` b``", "a ` b"),
    ],
)
def test_a_title_is_the_headings_words_without_markup(source: str, title: str) -> None:
    assert plain_title(source) == title


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("---\ntitle: From data\n---\n# Heading", "From data"),
        ("---\ntitle: 2024\n---\n", "2024"),
        ("---\ntitle: [a]\n---\n# Heading", "Heading"),
        ("## Sub\n\n# First *real*\n\n# Second", "First real"),
        ("text", ""),
    ],
)
def test_the_title_is_the_front_matters_else_the_first_h1(text: str, title: str) -> None:
    assert load(text).title == title


@pytest.mark.parametrize(
    ("text", "data", "body"),
    [
        ("---\na: 1\nb: [x, y]\n---\nbody", {"a": 1, "b": ["x", "y"]}, "body"),
        ("---\na: 1\n...\nbody", {"a": 1}, "body"),
        ("---\n---\nbody", {}, "body"),
        ("+++\na = 1\nd = 2024-01-02\n+++\nbody", {"a": 1, "d": "2024-01-02"}, "body"),
        ("---\ndate: 2024-01-02\n---\n", {"date": "2024-01-02"}, ""),
        ("---  \na: b\n---\t\n\nbody", {"a": "b"}, "\nbody"),
        ("---\nnot closed: 1\n", {}, "---\nnot closed: 1\n"),
        ("---\njust words\n---\n", {}, "---\njust words\n---\n"),
        ("text\n---\na: 1\n---\n", {}, "text\n---\na: 1\n---\n"),
        ("----\na: 1\n---\n", {}, "----\na: 1\n---\n"),
    ],
)
def test_front_matter_becomes_data_and_the_body_begins_after_it(text: str, data: dict[str, object], body: str) -> None:
    front = front_matter(text)
    assert (front.data, text[front.body_start :], front.warnings) == (data, body, ())


BOMB = "a0: &a0 [1, 1]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 8)}]\n" for n in range(1, 12))


@pytest.mark.parametrize(
    "source",
    [
        "a: [1",
        "a: 2024-13-45",
        "a: &x [*x]",
        "? [a]\n: b",
        "a: !!python/object/apply:os.system [ls]",
        "[" * 3000,
        "a: \x01",
        BOMB,
    ],
)
def test_broken_or_hostile_front_matter_stays_text_with_a_warning(source: str) -> None:
    document = load(f"---\n{source}\n---\nbody")
    assert (document.data, document.body_start) == ({}, 0)
    assert document.warnings[0].startswith("Its front matter is not YAML and was read as text")


def test_broken_toml_is_told_too() -> None:
    assert "TOML" in load("+++\na =\n+++\n").warnings[0]


@pytest.mark.parametrize(
    ("front", "tags"),
    [
        ("tags: [a, b, a]", ("a", "b")),
        ("tags: a, b c", ("a", "b c")),
        ("tags: a b", ("a", "b")),
        ("tags:\n  - '#a'\n  - 3\n  - {x: 1}\n  -", ("a", "3")),
        ("Tag: one", ("one",)),
        ("tags: 2024", ("2024",)),
        ("tags:", ()),
        ("tags: true", ()),
        ("tags: ' , #'", ()),
    ],
)
def test_front_matters_tags_come_in_every_usual_form(front: str, tags: tuple[str, ...]) -> None:
    assert load(f"---\n{front}\n---\n").tags == tags


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("#start, (#mid) and #end.", ("start", "mid", "end")),
        ("#伏線:追跡装置、#次の章。「#中」", ("伏線:追跡装置", "次の章", "中")),
        ("#a/b-c_d:e #x/ #y: #z-", ("a/b-c_d:e", "x", "y", "z")),
        ("#123 #1a #３", ("1a",)),
        ("#fff000 #3f51b5 #12ab #facade", ("facade",)),
        ("a#b http://x/#frag [l](#anchor) &#39; ##two #", ()),
        ("`#no` ``x ` #no`` ` #never closed", ("never",)),
        ("＃全角 #हिन्दी #naïve", ("全角", "हिन्दी", "naïve")),
        ("#twice #twice #Twice", ("twice", "Twice")),
        ("# Heading #no\n\n#yes", ("yes",)),
        ("```\n#no\n```\n\n    #no\n\n<div>\n#no\n</div>\n\n#yes", ("yes",)),
        ("Setext #no\n===\n\n#yes", ("yes",)),
    ],
)
def test_inline_tags_are_words_after_a_sign_outside_code_links_and_headings(text: str, tags: tuple[str, ...]) -> None:
    assert load(text).tags == tags


def test_tags_of_front_matter_come_first_and_each_once() -> None:
    assert load("---\ntags: [b, a]\n---\n#a #c").tags == ("b", "a", "c")


def test_code_spans_pair_runs_of_backticks_of_one_length() -> None:
    assert code_spans("a `b` ``c ` d`` ` e") == [(2, 5), (6, 15)]
    assert code_spans("``` ` ```") == [(0, 9)]
    assert code_spans("no code") == []


@pytest.mark.parametrize(
    "unit", ["`#a ", "#t ", ">", "- ", "- a\n", "[a]: b\n", "[", "*a ", "<a ", "```\n", "|a|\n", "a\n", "_a_ "]
)
def test_a_giant_line_or_a_thousand_blocks_take_linear_time(unit: str) -> None:
    begun = time.process_time()
    load("# x\n\n" + unit * (200_000 // len(unit)))
    load("# " + unit.strip() * 50_000 + "\n===\n")
    inline_tags(unit * (200_000 // len(unit)))
    assert time.process_time() - begun < 6.0
