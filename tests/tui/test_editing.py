"""An editor is given the line that a person stands on, where the file has that line."""

from pathlib import Path

import pytest

from lens_tui.tui.editing import command, edit, line_in
from tests.tui.tiny import TinyApp

FILE = Path("a.md")


@pytest.mark.parametrize(
    ("editor", "words"),
    [
        ("vim -u NONE", ["vim", "-u", "NONE", "+12", "a.md"]),
        ("/usr/bin/hx", ["/usr/bin/hx", "a.md:12"]),
        ("code --wait", ["code", "--wait", "--goto", "a.md:12"]),
        ("strange", ["strange", "a.md"]),
    ],
)
def test_each_editor_is_told_the_line_in_its_own_way(editor: str, words: list[str]) -> None:
    assert command(editor, FILE, 12) == words
    assert command(editor, FILE, None) == [*editor.split(), "a.md"]


@pytest.mark.parametrize(("name", "line"), [("a.HTML", None), ("a.ipynb", None), ("a.md", 12), ("a.py", 12)])
def test_a_line_of_a_text_that_is_taken_out_of_a_file_is_no_line_of_it(name: str, line: int | None) -> None:
    assert line_in(Path(name), 12) == line


def test_what_keeps_an_editor_from_opening_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("text")
    assert edit(TinyApp(), tmp_path / "b.md", 1, "vim") == "b.md is not there any more."
    assert "cannot be run" in edit(TinyApp(), tmp_path / "a.md", 1, "'vim")
