"""The line that tells where an excerpt stands."""

from dataclasses import replace

import pytest

from lens_tui.text.standing import above, defined, has_heading, standing
from lens_tui.types import Chunk


def test_headings_make_a_path() -> None:
    assert standing("markdown", "notes/a.md", ("A", "B"), "text") == "A > B"
    assert standing("paragraph", "notes/a.md", (), "text") == ""


def test_code_stands_in_its_file_class_and_function() -> None:
    assert standing("code", "src/tides.py", ("Tide", "height"), "def height(self): ...") == "tides.py › Tide › height"
    assert standing("code", "src/tides.py", (), "import os") == ""


def test_a_tree_inherits_the_headings_above_its_own() -> None:
    assert standing("hierarchical", "a.md", ("A", "B", "C"), "### C\n\nOn C.") == "Context: A > B"
    assert standing("hierarchical", "a.md", ("A", "B", "C"), "More on it.") == "Context: A > B > C"
    assert standing("hierarchical", "a.md", ("A",), "# A\n\nOn A.") == ""


@pytest.mark.parametrize(
    ("text", "has"),
    [
        ("## The *Sea*\n\ntext", True),
        ("before\n\nThe Sea\n-------\n\ntext", True),
        ("The sea is deep.", False),
        ("text", False),
        ("", False),
    ],
)
def test_a_line_is_the_heading_whatever_marks_stand_around_its_letters(text: str, has: bool) -> None:
    assert has_heading(("A", "The Sea"), text) is has


def test_a_heading_without_letters_is_in_no_text() -> None:
    assert not has_heading(("* * *",), "* * *")
    assert not has_heading((), "text")


def chunk(text: str, heading: tuple[str, ...], strategy: str = "markdown", context: str | None = None) -> Chunk:
    made = Chunk("src/a.md", "0" * 64, 0, 0, len(text), text, (1, 1), 1, strategy=strategy, heading=heading)
    return replace(made, context=context)


def test_a_model_reads_the_place_of_a_text_that_does_not_tell_it() -> None:
    assert above(chunk("On the sea.", ("A", "Sea"))) == "A > Sea"
    assert above(chunk("## Sea\n\nDeep.", ("A", "Sea"))) == ""
    assert above(chunk("Deep.", ())) == ""


def test_of_code_it_reads_the_place_where_a_name_is_missing() -> None:
    assert above(chunk("def height(self): ...", ("Tide", "height"), "code")) == "a.md › Tide › height"
    assert above(chunk("class Tide:\n    def height(self): ...", ("Tide", "height"), "code")) == ""
    assert above(chunk("class Tide:\n    def low(): ...\n    def high(): ...", ("Tide", "low, high"), "code")) == ""
    assert above(chunk("def low(): ...\ndef high(): ...", ("Tide", "low, high"), "code")) == "a.md › Tide › low, high"


def test_code_defines_what_its_last_heading_and_its_text_name() -> None:
    low = "class Tide:\n    def low(): ...\n    def high(): ...\n    def slack(): ..."
    assert defined(chunk(low, ("low, high",), "code")) == ["low", "high"]
    assert defined(chunk(low, ("low, high, slack and 3 more",), "code")) == ["low", "high", "slack"]
    assert defined(chunk("class Tide:\n    def low(): ...", ("Tide", "low"), "code")) == ["Tide", "low"]
    assert defined(chunk("    def low(self) -> Tide: ...", ("Tide", "low"), "code")) == ["low"]
    assert defined(chunk("    return highest", ("Tide", "high"), "code")) == []
    assert defined(chunk(low, (), "code")) == defined(chunk("# Tide", ("Tide",))) == []


def test_a_note_comes_after_the_place() -> None:
    assert above(chunk("Deep.", ("A",), context="On tides.")) == "A\nOn tides."
    assert above(chunk("# A\n\nDeep.", ("A",), context="On tides.")) == "On tides."
