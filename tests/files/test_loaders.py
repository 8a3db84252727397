"""What each format's loader takes out of a file, and that nothing that it is given breaks it."""

import json
from collections.abc import Sequence

import pytest

from lens_tui.files.loaders.html import MOST_NESTED
from lens_tui.files.reading import LOADERS, document_of
from lens_tui.types import Document

PAGE = """<!doctype html><html><head><title> The  tides </title><style>p {}</style></head><body>
<script>evil()</script><h1>Tides &amp; <b>moons</b></h1><p>They come
<i>twice</i> a day.<br>Always.</p><ul><li>ebb</li><li><p>flood</p></li></ul>
<table><tr><th>hour</th><th>height</th></tr><tr><td>1</td><td><p>2</p></td></tr></table><pre>
high  water
    low
</pre><h2></h2><h2>Sources</h2><div><div>deep</div></div></body></html>"""


def read(path: str, data: str | bytes) -> Document:
    document = document_of(path, data.encode() if isinstance(data, str) else data)
    assert isinstance(document, Document)
    return document


def parts(document: Document) -> list[str]:
    return [document.text[start:end] for start, end in document.parts]


def titles(document: Document) -> list[tuple[int, str]]:
    return [(heading.level, heading.title) for heading in document.headings]


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("a.md", "markdown"),
        ("a.ipynb", "notebook"),
        ("a.HTM", "html"),
        ("a.json", "json"),
        ("a.jsonl", "json"),
        ("a.tsv", "csv"),
        ("a.kt", "code"),
        ("Makefile", "code"),
        ("a.txt", "text"),
        ("a.yaml", "text"),
    ],
)
def test_a_files_kind_is_told_by_its_name(path: str, kind: str) -> None:
    assert read(path, "x").kind == kind


def test_a_script_without_an_ending_is_code() -> None:
    document = read("bin/run", "#!/bin/sh\n# no #tag\necho 1\n")
    assert (document.kind, document.tags, document.text) == ("code", (), "#!/bin/sh\n# no #tag\necho 1\n")


def test_a_page_gives_its_words_by_block_and_nothing_that_nobody_sees() -> None:
    document = read("a.html", PAGE)
    assert document.text == (
        "Tides & moons\n\nThey come twice a day.\nAlways.\n\n- ebb\n- flood\n\n"
        "| hour | height |\n| 1 | 2 |\n\nhigh  water\n    low\n\nSources\n\ndeep"
    )
    assert document.title == "The tides"


def test_headings_of_a_page_stand_where_its_text_has_them() -> None:
    document = read("a.html", PAGE)
    assert titles(document) == [(1, "Tides & moons"), (2, "Sources")]
    for heading in document.headings:
        assert document.text.startswith(heading.title, heading.start)


def test_a_headings_link_to_itself_is_no_part_of_its_title() -> None:
    for sign in ("¶", "#", "§", "🔗"):
        page = read("a.html", f'<h1>Tides<a href="#tides">{sign}</a></h1><h3><a href="#c">{sign}</a>C# &amp; §7</h3>')
        assert titles(page) == [(1, "Tides"), (3, "C# & §7")]
        assert page.text == "Tides\n\nC# & §7"
    assert titles(read("a.html", '<h1><a href="#t">Tides</a> <a href="/x">#</a></h1>')) == [(1, "Tides #")]


def test_a_page_without_a_title_has_that_of_its_first_heading() -> None:
    assert read("a.html", "<h2>Low</h2><h1>High</h1>").title == "High"


@pytest.mark.parametrize(
    ("inside", "text"),
    [
        ("<span>new</span> <span>AbortController</span>", "new AbortController"),
        ("<b>if</b> x:\n    <b>return</b>\n\n\n\ty", "if x:\n    return\n\n\n\ty"),
        ("<i>a</i>\n  <i>b</i>  \n", "a\n  b"),
        ("\n  one<br>\n  two", "  one\n  two"),
        ("<div>one </div>  <div>  two</div>", "one\n\n  two"),
    ],
)
def test_what_is_preformatted_keeps_the_blanks_between_its_parts(inside: str, text: str) -> None:
    assert read("a.html", f"<p>Call it:</p><pre>{inside}</pre><p>after</p>").text == f"Call it:\n\n{text}\n\nafter"


def test_navigation_comes_after_what_a_page_says_and_is_not_lost() -> None:
    page = "<body><nav><a>Home</a> | <a>About</a></nav><h1>Tides</h1>Low<nav><nav>1</nav> 2</nav>water.</body>"
    document = read("a.html", page)
    assert document.text == "Tides\n\nLow\n\nwater.\n\nHome | About\n\n1\n\n2"
    assert titles(document) == [(1, "Tides")]
    assert document.headings[0].start == 0
    assert read("a.html", "<nav>Home</nav>").text == "Home"


def test_a_page_is_read_in_the_encoding_that_it_names() -> None:
    page = '<meta charset="{}"><p>Größe „x“</p>'
    assert read("a.html", page.format("windows-1252").encode("cp1252")).text == "Größe „x“"
    assert read("a.html", page.format("iso-8859-1").encode("cp1252")).text == "Größe „x“"
    assert "x" in read("a.html", page.format("nonsense").encode("cp1252")).text


def test_a_page_that_is_nested_beyond_reason_is_read_without_its_tags() -> None:
    document = read("a.html", "<div>" * (MOST_NESTED + 1) + "<p>words</p>")
    assert document.text == "words"
    assert "nested too deeply" in document.warnings[-1]
    assert read("a.html", "<p>word " * (MOST_NESTED + 1)).warnings == ()


def test_members_of_json_are_parts_and_its_text_is_the_files_own() -> None:
    text = json.dumps({"name": "x" * 90, "size": 3, "users": [{"id": n, "bio": "y" * 90} for n in range(5)]}, indent=1)
    document = read("a.json", text)
    assert document.text == text
    assert [title for _, title in titles(document)] == ["name", "size", "users", *(f"[{n}]" for n in range(5))]
    assert [level for level, _ in titles(document)] == [1, 1, 1, 2, 2, 2, 2, 2]
    found = parts(document)
    assert found[0].startswith('"name": "x')
    assert json.loads("{" + found[2] + "}")["users"][4]["id"] == 4
    assert [json.loads(part)["id"] for part in found[3:]] == [0, 1, 2, 3, 4]


def test_lines_of_json_are_parts() -> None:
    lines = [json.dumps({"id": n, "text": "word " * 30}) for n in range(4)]
    assert parts(read("a.jsonl", "\n".join(lines) + "\n")) == lines


def test_small_members_in_a_row_are_one_part() -> None:
    document = read("a.json", json.dumps(list(range(10_000))))
    assert 400 < len(document.parts) < 2_000
    assert all(end - start <= 100 for start, end in document.parts)


@pytest.mark.parametrize(
    "text",
    ["[1, 2", "{]", "}", '{"a": [1, 2}', "[" * 100_000],
    ids=["cut off", "closed by another", "closed alone", "crossed", "100,000 deep"],
)
def test_what_is_no_json_is_plain_text_with_a_warning(text: str) -> None:
    document = read("a.json", text)
    assert (document.text, document.parts, document.headings) == (text, (), ())
    assert "read as plain text" in document.warnings[-1]


@pytest.mark.parametrize("text", ['{"a', '"', "nul", "1 2 3", '{"a" "b" 1}', '{"\\ud800": ' + "1" * 500 + "}", ","])
def test_what_is_nearly_json_breaks_nothing(text: str) -> None:
    document = read("a.json", text)
    assert document.text == text
    assert all(0 <= start < end <= len(text) for start, end in document.parts)


def test_json_may_be_nested_as_deep_as_it_likes() -> None:
    document = read("a.json", '{"a":' * 50_000 + "1" + "}" * 50_000)
    assert document.headings[0].title == "a"
    assert max(heading.level for heading in document.headings) == 6


def test_rows_of_a_table_are_parts_and_hold_quoted_line_breaks() -> None:
    document = read("a.csv", 'name,note\nann,"two\nlines, one ""quote"""\n\nbob,x\n')
    assert parts(document) == ["name,note", 'ann,"two\nlines, one ""quote"""', "bob,x"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("name,price\nann,3\nbob,4\n", ["name, price"]),
        ("name;the price, net\nann;3,5\nbob;4,5\n", ["name, the price, net"]),
        ("name\tprice\na\t3\n", ["name, price"]),
        ('"a ""b""",c\n1,2\n', ['a "b", c']),
        ("1,2\n3,4\n", []),
        ("a,a\n3,4\n", []),
        ("a,\n3,4\n", []),
        ("one line of prose\nand another\n", []),
        ("name,price\n", []),
    ],
)
def test_the_names_of_columns_are_the_heading_of_all_rows_below_them(text: str, names: Sequence[str]) -> None:
    document = read("a.csv", text)
    assert [heading.title for heading in document.headings] == names
    assert all(heading.start == document.parts[1][0] for heading in document.headings)


def test_a_quote_that_is_never_closed_takes_no_other_rows_along() -> None:
    document = read("a.csv", 'a,b\n5" pipe,1\n' + "x,2\n" * 500)
    assert len(document.parts) == 502


def notebook(*cells: tuple[str, object], **more: object) -> str:
    made = [{"cell_type": kind, "source": source, "outputs": [{"text": "printed"}]} for kind, source in cells]
    return json.dumps({"cells": made, "nbformat": 4, **more})


def test_cells_of_a_notebook_are_parts_and_what_running_them_printed_is_left_out() -> None:
    document = read(
        "a.ipynb", notebook(("markdown", ["# Tides\n", "of #sea"]), ("code", "x = 1\r\ny = 2\n"), ("raw", ""))
    )
    assert document.text == "# Tides\nof #sea\n\nx = 1\ny = 2"
    assert parts(document) == ["# Tides\nof #sea", "x = 1\ny = 2"]
    assert (document.title, document.tags, titles(document)) == ("Tides", ("sea",), [(1, "Tides")])


def test_headings_of_later_cells_stand_where_they_are_and_comments_in_code_are_none() -> None:
    document = read("a.ipynb", notebook(("code", "# no heading"), ("markdown", "text\n\n## Method")))
    (heading,) = document.headings
    assert document.text[heading.start :] == "## Method"


def test_a_notebook_of_the_third_format_is_read() -> None:
    text = json.dumps({"worksheets": [{"cells": [{"cell_type": "code", "input": ["x = ", "1"]}]}], "nbformat": 3})
    assert read("a.ipynb", text).text == "x = 1"


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "3", '{"cells": 3}', '{"cells": [3]}', '{"cells": [{"source": 3}]}', "{}", "[" * 100_000]
)
def test_what_is_no_notebook_is_plain_text_with_a_warning(text: str) -> None:
    document = read("a.ipynb", text)
    assert (document.text, document.parts) == (text, ())
    assert "no notebook" in document.warnings[-1]


def test_a_lone_surrogate_in_a_notebook_becomes_a_sign_that_can_be_stored() -> None:
    assert read("a.ipynb", notebook(("code", "\ud800x 👍"))).text == "\ufffdx 👍"


@pytest.mark.parametrize("loader", LOADERS, ids=lambda loader: str(loader.kind))
@pytest.mark.parametrize("unit", ["<div", "<p>x", '"', "{", "[1,", "a,b\n", '"a\n', "</", "&amp", "<td>", "<!--", "x"])
def test_garbage_is_read_in_every_format(loader: object, unit: str) -> None:
    document = loader.load("a", (unit * 3_000).encode())  # type: ignore[attr-defined]
    assert all(0 <= start < end <= len(document.text) for start, end in document.parts)
    assert all(0 <= heading.start < len(document.text) for heading in document.headings)
    starts = [start for start, _ in document.parts]
    assert starts == sorted(starts)
