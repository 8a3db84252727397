"""The shell that every test of the command line uses."""

from pathlib import Path

import pytest

from tests.cli.running import Shell


@pytest.fixture
def shell(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Shell:
    """A shell standing beside a small folder."""
    folder = tmp_path / "notes"
    (folder / "house").mkdir(parents=True)
    (folder / "house" / "lease.md").write_text("# House\n\nThe lease ends on 31 March 2027.\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    return Shell(folder, capsys)
