import io
from pathlib import Path

import pytest

from lens_tui.cli.mcp import Progress
from lens_tui.cli.progress import ProgressLine
from lens_tui.requests import IndexProgress
from tests.cli.running import Shell


@pytest.mark.parametrize(
    ("words", "code", "expected"),
    [
        (["nowhere"], 2, "There is no folder nowhere."),
        (["notes/house/lease.md"], 2, "is a file, not a folder"),
        ([], 2, "Missing argument 'FOLDER'"),
        (["notes", "--json"], 2, "no option --json"),
        (["notes", "--data-dir", "notes/house/lease.md/x"], 1, "cannot be kept"),
    ],
)
def test_what_cannot_be_served_is_told_before_a_client_is_answered(
    shell: Shell, words: list[str], code: int, expected: str
) -> None:
    ran = shell.fails(code, "mcp", *words)
    assert expected in ran.err
    assert ran.out == ""
    assert ran.engine.asked == []


def test_wrong_settings_are_told(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LENS_TUI_SEARCH_MAX_K", "none")
    shell.fails(2, "mcp", "@")


def test_without_streams_there_is_nobody_to_serve(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    assert "one is closed" in shell.fails(2, "mcp", "@").err


def test_the_help_shows_how_a_client_is_told(shell: Shell, tmp_path: Path) -> None:
    ran = shell.run("mcp", "--help")
    assert ran.code == 0
    assert '"mcpServers"' in ran.out


def test_each_wait_for_the_index_is_told_only_where_it_is_long() -> None:
    stderr, now = io.StringIO(), [0.0]
    progress = Progress(lambda: ProgressLine(stderr, lambda: now[0]))
    step = IndexProgress(done=1, total=2, current="a.md", chunks=3)
    for seconds in (0.1, 20.0, 0.1):
        progress.show(step)
        now[0] += seconds
        progress.show(step)
        progress.show(None)
    assert stderr.getvalue() == "indexing 1 of 2 files, 3 chunks: a.md\n"
