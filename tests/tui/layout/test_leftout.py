"""The list of what was left out, many of one kind as one row."""

from lens_tui.tui.layout.leftout import LeftOut, gathered
from lens_tui.types import FileRow


def out(path: str, detail: str) -> FileRow:
    return FileRow(path, "left_out", 0, detail)


def test_folders_of_one_name_and_reason_are_one_row_with_all_their_files() -> None:
    rows = [out("a/__pycache__/", "2,000 files, vendored folder"), out("b/__pycache__/", "1 file, vendored folder")]
    assert gathered(rows) == [LeftOut("__pycache__/", "2 folders, 2,001 files, vendored folder")]


def test_what_was_not_counted_to_the_end_is_said_to_be_more() -> None:
    rows = [
        out("a/node_modules/", "over 9,000 files, vendored folder"),
        out("node_modules/", "5 files, vendored folder"),
    ]
    assert gathered(rows) == [LeftOut("node_modules/", "2 folders, over 9,005 files, vendored folder")]


def test_one_alone_keeps_its_path_and_another_reason_its_own_row() -> None:
    rows = [out("a/x.png", "binary"), out("b/x.png", "binary"), out("c/x.png", "hidden"), out("x.png/", "hidden")]
    assert gathered(rows) == [
        LeftOut("x.png", "2 files, binary"),
        LeftOut("c/x.png", "hidden"),
        LeftOut("x.png/", "hidden"),
    ]
