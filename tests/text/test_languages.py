"""Languages of source files, by name and first line."""

import pytest

from lens_tui.text.languages import language_of


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("src/a.py", "python"),
        ("Main.KT", "kotlin"),
        ("a/b.h", "cpp"),
        ("view.tsx", "tsx"),
        ("Rakefile", "ruby"),
        ("notes.md", ""),
        ("data.json", ""),
        ("README", ""),
        ("a.py/readme.txt", ""),
    ],
)
def test_a_name_tells_the_language(path: str, language: str) -> None:
    assert language_of(path) == language


@pytest.mark.parametrize(
    ("line", "language"),
    [
        ("#!/bin/sh", "bash"),
        ("#!/usr/bin/env python3", "python"),
        ("#! /usr/bin/env -S node --harmony", "javascript"),
        ("#!/usr/bin/env", ""),
        ("# a heading", ""),
    ],
)
def test_the_first_line_of_a_script_tells_it_where_the_name_does_not(line: str, language: str) -> None:
    assert language_of("bin/run", line) == language


def test_the_name_stands_over_the_first_line() -> None:
    assert language_of("a.rb", "#!/bin/sh") == "ruby"
