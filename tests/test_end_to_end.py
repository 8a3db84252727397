"""The installed program as a person meets it: a real terminal, folder and engine, and the same from a shell."""

import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import Home
from tests.terminal import Terminal

pytestmark = [pytest.mark.network, pytest.mark.timeout(240)]

LEASE = """# House

## 4 Term and renewal

The term is two years. The lease runs until 31 March 2027 and renews by one year.

## 5 Rent

The rent is due on the third working day of each month.
"""
LETTER = "# Letter\n\nWe confirm three months' notice, in writing, as agreed on the telephone.\n"
QUESTION = "Until when does the lease run, and what notice do I owe?"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three notes, one of them in Japanese, and what is to be left out."""
    folder = tmp_path / "notes"
    for name, text in {
        "house/lease.md": LEASE,
        "letters/2024.md": LETTER,
        "日記.md": "# 日記\n\n屋根の修理は十月までに終わる予定です。\n",
        ".gitignore": "drafts/\n",
        "drafts/old.md": "The lease never ends.\n",
        "[red]\x1b[31m.md": "A file with a colourful name.\n",
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    (folder / "photo.bin").write_bytes(bytes(range(256)) * 20)
    return folder


@pytest.fixture(autouse=True)
def _no_engine_stays(home: Home) -> Iterator[None]:
    """Engines leave by themselves when their data is gone; this one does not even wait for that."""
    yield
    for lock in home.data.glob("brains/*/engine.lock"):
        words = lock.read_text("utf-8", "replace")
        pid = json.loads(words).get("pid") if words.startswith("{") else None
        if isinstance(pid, int):
            try:
                os.kill(pid, signal.SIGTERM)
            except ProcessLookupError:
                continue


def shell(installed: Path, *words: object, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """Run a command to its end, as a script would."""
    line = [str(installed), *map(str, words)]
    return subprocess.run(line, input=stdin, capture_output=True, text=True, timeout=100, check=False)


@pytest.mark.parametrize(("columns", "rows"), [(120, 36), (80, 24)])
def test_a_person_asks_walks_to_the_source_leaves_and_comes_back(
    installed: Path, folder: Path, columns: int, rows: int
) -> None:
    with Terminal([installed, folder], columns=columns, rows=rows) as terminal:
        terminal.wait("ask your notes")
        terminal.wait("4 files")
        terminal.press(QUESTION, "Enter")
        terminal.wait("No model answered")
        terminal.wait("31 March 2027")
        terminal.wait("house/lease.md:5")
        terminal.press("F8")
        terminal.wait("▏  ## 4 Term and renewal")
        terminal.press("Tab")
        terminal.wait("n p citation")
        terminal.press("Enter")
        shown = terminal.wait("line 5 of 9")
        carrying = [row for row in shown.splitlines() if "The lease runs until 31 March" in row]
        assert [row.split("▌")[0].strip() for row in carrying] == ["5"]
        terminal.wait("    7 ▏ ## 5 Rent")
        terminal.press("Esc")
        terminal.wait("No model answered")

        terminal.press("F4")
        terminal.wait("4 files")
        (folder / "roof.md").write_text("# Roof\n\nThe roof is repaired before October.\n", "utf-8")
        terminal.wait("5 files", seconds=20)
        (folder / "letters" / "2024.md").unlink()
        terminal.wait("4 files", seconds=20)
        terminal.press("Esc")
        terminal.wait("No model answered")

        terminal.press("i")
        terminal.wait("Enter ask")
        terminal.press("When is the roof repaired?", "Enter")
        terminal.wait("roof.md:3")
        terminal.press("not sent yet")
        terminal.wait("not sent yet")
        terminal.press("Ctrl+Q")
        assert terminal.end() == 0
        assert b"\x1b[?1049l" in terminal.raw
        assert b"\x1b[?25h" in terminal.raw

    with Terminal([installed, folder], columns=columns, rows=rows) as terminal:
        terminal.wait("not sent yet")
        terminal.wait("When is the roof repaired?")
        terminal.wait("roof.md:3")
        terminal.press("Ctrl+C", "Ctrl+C", "Ctrl+C")
        assert terminal.end() == 0


def test_everything_works_from_a_shell_while_the_app_is_open(installed: Path, folder: Path) -> None:
    with Terminal([installed, folder]) as terminal:
        terminal.wait("4 files")

        found = shell(installed, "search", folder, "-draft lease", "--json")
        assert found.returncode == 0, found.stderr
        hit = json.loads(found.stdout)["hits"][0]
        assert hit["path"] == "house/lease.md"
        assert hit["text"] == LEASE[hit["start"] : hit["end"]]
        assert all(hit["text"][start:end].strip() for start, end in hit["marks"])

        asked = shell(installed, "ask", folder, "-", "--json", stdin=QUESTION)
        assert asked.returncode == 0, asked.stderr
        events = [json.loads(line) for line in asked.stdout.splitlines()]
        assert [event["event"] for event in (events[0], events[-1])] == ["retrieved", "answered"]
        answered = events[-1]
        assert answered["model"] is None
        assert "".join(event["text"] for event in events[1:-1]) == answered["text"]
        carried = [mark for mark in answered["citations"] if mark["path"] == "house/lease.md"]
        assert LEASE[slice(*carried[0]["span"])] in answered["text"]
        assert answered["notes"]

        plain = shell(installed, "ask", folder, QUESTION)
        assert "\nSources:\n\n[1] " in plain.stdout
        assert plain.stdout.isprintable() or "\x1b" not in plain.stdout

        indexed = shell(installed, "index", folder, "--json")
        assert indexed.returncode == 0, indexed.stderr
        done = json.loads(indexed.stdout.splitlines()[-1])
        assert (done["files"], done["unchanged"], done["added"]) == (4, 4, 0)
        assert "photo.bin" in {note["path"] for note in done["left_out"]}
        assert done["vectors_pending"] == 0

        near = shell(installed, "related", folder, f"{folder}/house/lease.md:5", "--json")
        assert near.returncode in (0, 4), near.stderr
        places = [(hit["path"], *hit["lines"]) for hit in json.loads(near.stdout)["hits"]]
        assert not any(path == "house/lease.md" and first <= 5 <= last for path, first, last in places)

        doctor = shell(installed, "doctor", folder, "--json")
        assert doctor.returncode == 0, doctor.stderr
        assert all(check["ok"] or check["optional"] for check in json.loads(doctor.stdout)["checks"])

        brains = json.loads(shell(installed, "brains", "--json").stdout)["brains"]
        assert [brain["folder"] for brain in brains] == [str(folder.resolve())]

        terminal.press("still here")
        terminal.wait("still here")
        terminal.press("Ctrl+Q")
        assert terminal.end() == 0


def test_quitting_in_the_middle_loses_nothing(installed: Path, folder: Path) -> None:
    for number in range(400):
        (folder / f"note-{number:03}.md").write_text(
            f"# Note {number}\n\n" + f"Word{number} stands here. " * 200, "utf-8"
        )
    with Terminal([installed, folder]) as terminal:
        terminal.wait("indexing")
        terminal.press("Ctrl+Q")
        assert terminal.end() == 0
    run = shell(installed, "index", folder, "--text-only", "--json")
    done = json.loads(run.stdout.splitlines()[-1])
    assert done["files"] == 404
    assert shell(installed, "search", folder, "Word399").stdout.startswith("note-399.md:")


def test_an_engine_that_is_killed_is_started_again_and_nothing_is_lost(
    installed: Path, folder: Path, home: Home
) -> None:
    with Terminal([installed, folder]) as terminal:
        terminal.wait("4 files")
        (lock,) = home.data.glob("brains/*/engine.lock")
        os.kill(json.loads(lock.read_text("utf-8"))["pid"], signal.SIGKILL)
        time.sleep(0.5)
        terminal.press(QUESTION, "Enter")
        terminal.wait("house/lease.md:5")
        terminal.press("Ctrl+Q")
        assert terminal.end() == 0


def test_a_japanese_word_of_two_characters_is_found(installed: Path, folder: Path) -> None:
    assert shell(installed, "search", folder, "屋根").stdout.startswith("日記.md:")


def test_a_file_name_full_of_escapes_is_shown_and_obeyed_by_nobody(installed: Path, folder: Path) -> None:
    run = shell(installed, "search", folder, "colourful")
    assert run.stdout.startswith("[red]␛[31m.md:1  ")
    with Terminal([installed, folder]) as terminal:
        terminal.wait("[red]␛[31m.md")
        assert b"\x1b[31m.md" not in terminal.raw
        terminal.press("Ctrl+Q")
        assert terminal.end() == 0


def test_a_file_name_that_is_not_utf_8_is_named_with_what_mends_it(installed: Path, folder: Path) -> None:
    try:
        Path(os.fsdecode(os.fsencode(folder) + b"/caf\xe9.md")).write_text("An unusual name.\n", "utf-8")
    except OSError:
        pytest.skip("this file system takes only UTF-8 names")
    run = shell(installed, "index", folder)
    assert run.returncode == 0, run.stderr
    assert "rename it" in next(row for row in run.stdout.splitlines() if "caf" in row)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["index", "@empty"], 4, "nothing to read"),
        (["search", "@empty", "lease"], 4, "lens-tui: "),
        (["ask", "@empty", "why?"], 4, "lens-tui: "),
        (["index", "@binary"], 4, "nothing to read"),
        (["search", "@", "zzzzqqqq"], 4, "lens-tui: "),
        (["ask", "@", "zzzzqqqq"], 4, "lens-tui: "),
        (["ask", "@", "x" * 100_000], 2, "100,000 characters"),
        (["ask", "@", "why?", "--host", "http://[bad"], 2, "cannot be one"),
        (["ask", "@", "lease?", "--model", "nobody"], 1, "Nothing answers"),
        (["ask", "@", "why?", "-k", "0"], 2, "from 1 to 50"),
        (["search", "@", "why?", "-k", "51"], 2, "from 1 to 50"),
        (["search", "@/photo.bin", "x"], 2, "is a file"),
        (["related", "@", "photo.bin"], 4, "photo.bin is left out: binary."),
        (["search", "@", "lease", "--data-dir", "@/house/lease.md/x"], 1, "cannot be kept"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else None,
)
def test_bad_input_gets_a_sentence_a_step_and_its_exit_code(
    installed: Path, folder: Path, words: list[str], code: int, said: str
) -> None:
    (folder.parent / "empty").mkdir()
    (folder.parent / "binary").mkdir()
    (folder.parent / "binary" / "b.bin").write_bytes(bytes(range(256)))
    names = {"@empty": folder.parent / "empty", "@binary": folder.parent / "binary"}
    run = shell(installed, *(names.get(word, word.replace("@", str(folder))) for word in words))
    assert run.returncode == code, run
    told = run.stderr.splitlines()
    assert any(said in row for row in told), told
    sentence = max(index for index, row in enumerate(told) if row.startswith("lens-tui: "))
    assert len(told) > sentence + 1, f"no next step: {told}"
    assert "Traceback" not in run.stderr


def test_ctrl_c_in_a_long_index_leaves_what_is_done(installed: Path, folder: Path) -> None:
    for number in range(600):
        (folder / f"note-{number:03}.md").write_text(
            f"# Note {number}\n\n" + f"Word{number} stands here. " * 200, "utf-8"
        )
    line = [str(installed), "index", str(folder), "--json"]
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        assert json.loads(run.stdout.readline())["event"] == "progress"
        run.send_signal(signal.SIGINT)
        _, told = run.communicate(timeout=30)
    assert run.returncode == 130
    assert "kept" in told
    done = json.loads(shell(installed, "index", folder, "--text-only", "--json").stdout.splitlines()[-1])
    assert done["files"] == 604


@pytest.mark.parametrize("pause", [0.0, 0.15, 0.3, 0.45])
def test_what_is_typed_while_the_app_starts_is_all_in_the_question(installed: Path, folder: Path, pause: float) -> None:
    with Terminal([installed, folder]) as terminal:
        time.sleep(pause)
        terminal.press("typed early")
        terminal.wait("› typed early")


def test_a_byte_that_is_no_utf_8_and_a_key_that_is_none_end_nothing(installed: Path, folder: Path) -> None:
    with Terminal([installed, folder]) as terminal:
        terminal.wait("passages in all")
        terminal.press("caf\udce9 ", "\x1b[1114112u", "\x1b[97;1;99999999999999999999u", "日")
        terminal.wait("› caf\ufffd 日")
        terminal.press("Ctrl+Q")
        assert terminal.end() == 0
