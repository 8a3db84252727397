import io
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from lens_tui.cli import progress
from lens_tui.cli.progress import ProgressLine
from lens_tui.requests import IndexProgress
from tests.cli.running import Shell
from tests.conftest import Home


class Clock:
    """Seconds that pass when a test says so."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Terminal(io.StringIO):
    """A stream that a person looks at."""

    def isatty(self) -> bool:
        return True


def test_a_closed_pipe_ends_quietly(installed: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    run = subprocess.run([installed, "--help"], stdout=write, stderr=subprocess.PIPE, timeout=60, check=False)
    os.close(write)
    assert (run.returncode, run.stderr) == (0, b"")


def test_a_full_disk_is_a_sentence(installed: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    with Path("/dev/full").open("wb") as full:
        run = subprocess.run([installed, "--version"], stdout=full, stderr=subprocess.PIPE, timeout=60, check=False)
    assert run.returncode == 1
    assert run.stderr.startswith(b"lens-tui: The output cannot be written: No space left on device.\n")
    assert b"Traceback" not in run.stderr


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_do_no_harm(installed: Path, closed: str) -> None:
    run = subprocess.run(
        ["sh", "-c", f"'{installed}' --version {closed}"], capture_output=True, timeout=60, check=False
    )
    assert run.returncode == 0
    assert run.stderr == b""


def test_a_locale_without_the_character_gets_another(installed: Path, tmp_path: Path) -> None:
    environment = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii:strict"}
    run = subprocess.run(
        [installed, "日記"], capture_output=True, env=environment, cwd=tmp_path, timeout=60, check=False
    )
    assert run.returncode == 2
    assert b"There is no folder and no command ??" in run.stderr


def test_ctrl_c_while_stdin_is_read_is_130_and_no_traceback(installed: Path, tmp_path: Path) -> None:
    import signal

    line = [str(installed), "search", str(tmp_path), "-"]
    with subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
        # The only sign from outside that it waits for words is that it waits.
        with pytest.raises(subprocess.TimeoutExpired):
            run.wait(1.5)
        run.send_signal(signal.SIGINT)
        _, told = run.communicate(timeout=30)
    assert run.returncode == 130
    assert told.startswith(b"lens-tui: Stopped.\n")
    assert b"Traceback" not in told


def test_an_unforeseen_failure_is_a_sentence_and_its_story_is_in_the_log(shell: Shell, home: Home) -> None:
    def break_down(_: object) -> list[object]:
        raise ZeroDivisionError("by zero")

    ran = shell.fails(1, "search", "@", "x", script=break_down)  # type: ignore[arg-type]
    log = home.data / "lens-tui.log"
    assert "ZeroDivisionError: by zero" in ran.err
    assert str(log) in ran.err
    assert "Traceback" in log.read_text("utf-8")
    assert log.stat().st_mode & 0o077 == 0


def test_a_person_who_debugs_sees_the_story(shell: Shell, home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    def break_down(_: object) -> list[object]:
        raise ZeroDivisionError("by zero")

    monkeypatch.setenv("LENS_TUI_DEBUG", "1")
    ran = shell.run("search", "@", "x", script=break_down)  # type: ignore[arg-type]
    assert ran.code == 1
    assert "Traceback" in ran.err
    assert not (home.data / "lens-tui.log").exists()


def test_a_log_that_cannot_be_written_leaves_the_sentence(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def break_down(_: object) -> list[object]:
        monkeypatch.setenv("LENS_TUI_DATA_DIR", str(tmp_path / "file" / "x"))
        raise ZeroDivisionError("by zero")

    (tmp_path / "file").write_text("x", "utf-8")
    assert "LENS_TUI_DEBUG=1" in shell.fails(1, "search", "@", "x", script=break_down).err  # type: ignore[arg-type]


class TestProgress:
    def test_work_that_ends_at_once_says_nothing(self) -> None:
        stream, clock = Terminal(), Clock()
        with ProgressLine(stream, clock) as line:
            line.show("indexing")
            clock.now += progress.QUIET_SECONDS / 2
            line.show("indexing")
        assert stream.getvalue() == ""

    def test_a_terminals_line_is_rewritten_and_wiped(self) -> None:
        stream, clock = Terminal(), Clock()
        with ProgressLine(stream, clock) as line:
            for done in range(3):
                clock.now += 1
                line.show_index(IndexProgress(done=done, total=1200, current="a\n.md", chunks=7))
        shown = stream.getvalue()
        assert "\n" not in shown
        assert "\r" + "indexing 2 of 1,200 files, 7 chunks: a␊.md" in shown
        assert shown.endswith("\r\x1b[K")

    def test_it_is_rewritten_no_faster_than_eyes_follow(self) -> None:
        stream, clock = Terminal(), Clock()
        line = ProgressLine(stream, clock)
        clock.now += 1
        for _ in range(100):
            clock.now += progress.REWRITE_SECONDS / 10
            line.show("x")
        assert stream.getvalue().count("\r") <= 11

    def test_a_long_name_stays_on_its_row(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("COLUMNS", "40")
        stream, clock = Terminal(), Clock()
        line = ProgressLine(stream, clock)
        clock.now += 1
        line.show("日" * 60)
        assert stream.getvalue() == "\r" + "日" * 19 + "…\x1b[K"

    def test_elsewhere_a_line_comes_now_and_then(self) -> None:
        stream, clock = io.StringIO(), Clock()
        with ProgressLine(stream, clock) as line:
            for second in range(25):
                clock.now += 1
                line.show(f"at {second}")
        assert stream.getvalue() == "at 0\nat 10\nat 20\n"

    def test_vectors_are_named(self) -> None:
        stream, clock = io.StringIO(), Clock()
        line = ProgressLine(stream, clock)
        clock.now += 1
        line.show_index(IndexProgress(done=1204, total=4120, current="vectors", chunks=4120))
        assert stream.getvalue() == "vectors 1,204 of 4,120\n"

    def test_before_the_files_are_counted_it_says_what_is_done(self) -> None:
        stream, clock = io.StringIO(), Clock()
        line = ProgressLine(stream, clock)
        clock.now += 1
        line.show_index(IndexProgress(done=0, total=0, current="", chunks=4120))
        assert stream.getvalue() == "looking for files that have changed\n"

    def test_a_dumb_terminal_is_not_rewritten(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("TERM", "dumb")
        stream, clock = Terminal(), Clock()
        with ProgressLine(stream, clock) as line:
            clock.now += 1
            line.show("x")
        assert stream.getvalue() == "x\n"

    def test_a_stream_that_is_gone_does_not_stop_the_work(self) -> None:
        stream, clock = io.StringIO(), Clock()
        line = ProgressLine(stream, clock)
        stream.close()
        clock.now += 1
        line.show("x")


def test_help_is_plain_text_on_a_terminal_too(installed: Path) -> None:
    leader, follower = pty.openpty()
    run = subprocess.run([installed, "ask", "--help"], stdout=follower, stderr=follower, timeout=60, check=True)
    os.close(follower)
    shown = os.read(leader, 65536)
    os.close(leader)
    assert run.returncode == 0
    assert b"\x1b" not in shown
    assert b"Examples:" in shown


def test_the_way_to_the_app_imports_little() -> None:
    code = "import sys, lens_tui.cli, lens_tui.cli.opening; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"click", "msgspec", "numpy", "tomllib", "tempfile", "subprocess", "asyncio"} & set(loaded)
