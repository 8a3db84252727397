import sys
from pathlib import Path

import pytest

from lens_tui.cli import checks
from lens_tui.requests import Event, FolderNews, IndexState, Status
from lens_tui.types import Failed
from tests.cli.running import Shell
from tests.conftest import Home
from tests.ollama.scripted import ScriptedOllama, scripted

__all__ = ["scripted"]

pytestmark = pytest.mark.network
"""Ollama's closed port is knocked at."""


def by_name(shell: Shell, *words: str, script: "list[Event] | tuple[()]" = ()) -> dict[str, dict[str, object]]:
    ran = shell.run("doctor", "--json", *words, script=script)
    return {check["name"]: check for check in ran.rows[0]["checks"]}


def test_a_machine_without_ollama_is_well(shell: Shell) -> None:
    ran = shell.run("doctor")
    assert ran.code == 0
    assert "✓ python" in ran.out
    assert "– ollama" in ran.out
    assert ran.err == ""


def test_a_long_list_goes_on_in_the_next_row_and_in_json_it_is_whole(shell: Shell) -> None:
    packages = str(by_name(shell)["packages"]["found"])
    assert len(packages) > 160
    rows = shell.run("doctor").out.splitlines()
    first = rows.index(next(row for row in rows if row.startswith("✓ packages: ")))
    last = next(place for place in range(first + 1, len(rows)) if not rows[place].startswith("    "))
    assert all(len(row) <= 80 for row in rows[first:last])
    assert " ".join(row.strip() for row in rows[first:last]) == f"✓ packages: {packages}"


def test_every_check_has_the_promised_shape(shell: Shell) -> None:
    found = by_name(shell)
    assert all(list(check) == ["name", "ok", "optional", "found", "mend"] for check in found.values())
    expected = {"python", "packages", "settings", "data directory", "watch limit", "terminal", "tokenizer", "ollama"}
    assert set(found) == expected | {"chat model", "embedding model"}
    assert found["ollama"]["mend"] is not None
    assert all(check["mend"] is None for check in found.values() if check["ok"])


def test_a_broken_settings_file_is_one_finding_and_the_rest_is_still_looked_at(shell: Shell, home: Home) -> None:
    (home.config / "settings.toml").write_text("modle = 'x'\n", "utf-8")
    ran = shell.fails(1, "doctor")
    assert "✗ settings" in ran.out
    assert "nearest known key is model" in ran.out
    assert "– ollama" in ran.out


def test_chunks_longer_than_the_embedding_model_reads_are_a_finding(shell: Shell, scripted: ScriptedOllama) -> None:
    scripted.models[1].context = 256
    found = by_name(shell, "--host", scripted.host)
    assert found["embedding model"]["ok"]
    assert "reads 256 at once" in str(found["chunk size"]["found"])
    assert str(found["chunk size"]["mend"]).endswith("--size 256")
    scripted.models[1].context = 2048
    assert "chunk size" not in by_name(shell, "--host", scripted.host)


def test_a_variable_that_nothing_reads_is_named(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LENS_TUI_MODLE", "x")
    settings = by_name(shell)["settings"]
    assert not settings["ok"]
    assert "LENS_TUI_MODLE" in str(settings["found"])


def test_a_data_directory_that_cannot_be_written_is_amiss(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", "utf-8")
    ran = shell.fails(1, "doctor", "--data-dir", str(tmp_path / "file" / "data"))
    assert "✗ data directory" in ran.out


def test_an_address_that_cannot_be_one_is_told(shell: Shell) -> None:
    ollama = by_name(shell, "--host", "http://[::1")["ollama"]
    assert not ollama["ok"]
    assert "address" in str(ollama["found"])


def test_a_low_watch_limit_has_its_command(tmp_path: Path) -> None:
    limit = tmp_path / "max_user_watches"
    limit.write_text("8192\n", "ascii")
    check = checks._watches(limit)
    assert not check.ok
    assert check.optional
    assert "sysctl" in str(check.mend)


def test_a_named_folder_tells_how_its_index_stands(shell: Shell) -> None:
    news = FolderNews(state=IndexState(phase="idle", files=3, chunks=9, vectors=9, vectors_total=9))
    index = by_name(shell, "@", script=[news])["index"]
    assert index["ok"]
    assert "3 files, 9 chunks, 9 of 9 vectors" in str(index["found"])


def test_what_is_said_of_a_folders_vectors_stands_under_its_index(shell: Shell) -> None:
    state = IndexState(files=3, chunks=9, vectors=9, vectors_total=9, vector_notes=("One is too long.", "Cut smaller."))
    index = by_name(shell, "@", script=[FolderNews(state=state)])["index"]
    assert not index["ok"]
    assert index["optional"]
    assert index["mend"] == "One is too long.\nCut smaller."


def test_a_folder_that_was_never_indexed_is_no_failure(shell: Shell) -> None:
    ran = shell.run("doctor", "@", script=[FolderNews(state=IndexState())])
    assert ran.code == 0
    assert f"lens-tui index {shell.folder}" in ran.out
    assert ran.engine.asked == [Status()]


def test_an_engine_that_fails_is_amiss(shell: Shell) -> None:
    failed = Failed(message="The engine cannot be started.", hint="See its log.", kind="EngineError")
    assert "✗ index: The engine cannot be started." in shell.fails(1, "doctor", "@", script=[failed]).out


def test_a_folder_that_is_not_there_is_wrong_usage(shell: Shell) -> None:
    shell.fails(2, "doctor", "nowhere")


def test_a_terminal_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert checks._terminal({"TERM": "xterm-256color"}).ok
    assert not checks._terminal({"TERM": "dumb"}).ok
