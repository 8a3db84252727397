"""A text is written where the person says, and what cannot be is a sentence."""

from pathlib import Path

import pytest

from lens_tui.tui.writing import path_of, write


def test_a_directory_alone_is_given_the_name(tmp_path: Path) -> None:
    assert path_of(f" {tmp_path} ", "~/rent.md") == tmp_path / "rent.md"


@pytest.mark.parametrize("typed", ["x" * 300, "a\0b.md"])
def test_what_can_be_no_name_is_told_and_ends_nothing(tmp_path: Path, typed: str) -> None:
    path = path_of(f"{tmp_path}/{typed}", "rent.md")
    assert path.name == typed
    written = write(path, "words")
    assert written.said
    assert not written.is_there
