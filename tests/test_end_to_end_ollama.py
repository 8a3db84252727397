"""The installed program with a real Ollama behind it: an answer that streams, is cited, stopped, and kept."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.ollama.real import RealOllama
from tests.terminal import Terminal

pytestmark = [pytest.mark.network, pytest.mark.ollama, pytest.mark.timeout(240)]

LEASE = "# House\n\nThe term is two years. The lease ends on 31 March 2027. It renews by one year.\n"
ANSWER = "The lease ends on 31 March 2027 [1]. It renews [2].\n"
"""What the model ``cites`` says, whatever it is asked."""


@pytest.fixture
def folder(tmp_path: Path, real_ollama: RealOllama, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two notes, and the server's address where the program looks for it."""
    monkeypatch.setenv("OLLAMA_HOST", real_ollama.host)
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "lease.md").write_text(LEASE, "utf-8")
    (folder / "rent.md").write_text("# Rent\n\nThe rent of the lease renews by the index.\n", "utf-8")
    return folder


def shell(installed: Path, *words: object) -> subprocess.CompletedProcess[str]:
    """Run a command to its end, as a script would."""
    return subprocess.run([str(installed), *map(str, words)], capture_output=True, text=True, timeout=100, check=False)


def test_an_answer_streams_in_and_its_citation_leads_to_the_sentence(installed: Path, folder: Path) -> None:
    with Terminal([installed, "--model", "cites", folder]) as terminal:
        terminal.wait("cites")
        terminal.wait("2 files")
        terminal.press("When does the lease end?", "Enter")
        terminal.wait("The lease ends on 31 March 2027 [1].")
        terminal.wait("2 excerpts, 2 cited")
        terminal.press("F8")
        terminal.wait("▌  The term is two years.")
        terminal.press("Tab")
        terminal.wait("n p citation")
        terminal.press("Enter")
        shown = terminal.wait("lease.md  line 3 of 3")
        assert "3 ▌ The term is two years. The lease ends on 31 March 2027." in shown
        terminal.press("Esc", "Ctrl+Q")
        assert terminal.end() == 0
    with Terminal([installed, folder]) as terminal:
        terminal.wait("The lease ends on 31 March 2027 [1].")
        terminal.press("Ctrl+Q")
        assert terminal.end() == 0


def test_an_answer_is_stopped_at_any_token_and_stays(installed: Path, folder: Path, endless: str) -> None:
    with Terminal([installed, "--model", endless, folder], columns=80, rows=24) as terminal:
        terminal.wait("2 files")
        terminal.press("When does the lease end?", "Enter")
        terminal.wait("word3")
        terminal.wait("Esc stops")
        terminal.press("Esc")
        terminal.wait("Stopped by you")
        stopped = terminal.text
        assert "word3" in stopped
        terminal.settle(1.0, 3.0)
        assert terminal.text.count("word") == stopped.count("word")
        terminal.press("Ctrl+Q")
        assert terminal.end() == 0


def test_a_shell_gets_the_same_answer_as_events(installed: Path, folder: Path, real_ollama: RealOllama) -> None:
    run = shell(installed, "ask", folder, "When does the lease end?", "--model", "cites", "--json")
    assert run.returncode == 0, run.stderr
    events = [json.loads(line) for line in run.stdout.splitlines()]
    assert [event["event"] for event in events if event["event"] != "text"] == ["retrieved", "answered"]
    answered = events[-1]
    assert "".join(event["text"] for event in events if event["event"] == "text").strip() == ANSWER.strip()
    assert answered["model"].partition(":")[0] == "cites"
    first = answered["citations"][0]
    assert (first["number"], first["path"]) == (1, "lease.md")
    assert LEASE[slice(*first["span"])] == "The lease ends on 31 March 2027."
    assert answered["prompt_tokens"] > 50
    assert answered["context_tokens"] >= answered["prompt_tokens"]

    plain = shell(installed, "ask", folder, "When does the lease end?", "--model", "cites", "--host", real_ollama.host)
    assert plain.stdout.startswith("The lease ends on 31 March 2027 [1].")
    assert "\nSources:\n\n[1] lease.md:1-3\n" in plain.stdout


def test_a_model_that_the_server_lacks_is_an_error_with_its_command(installed: Path, folder: Path) -> None:
    run = shell(installed, "ask", folder, "When does the lease end?", "--model", "nobody")
    assert run.returncode == 1
    assert "ollama pull nobody" in run.stderr


def test_doctor_names_server_and_models(installed: Path, folder: Path) -> None:
    run = shell(installed, "doctor", "--json")
    checks = {check["name"]: check for check in json.loads(run.stdout)["checks"]}
    assert checks["ollama"]["ok"]
    assert checks["chat model"]["ok"]
    assert checks["embedding model"]["found"].startswith("words")


def test_an_embedding_model_makes_the_vectors_and_search_becomes_hybrid(installed: Path, folder: Path) -> None:
    done = json.loads(shell(installed, "index", folder, "--json").stdout.splitlines()[-1])
    assert done["vectors"] == done["chunks"] == 2
    found = json.loads(shell(installed, "search", folder, "lease", "--json").stdout)
    assert found["retriever"] == "hybrid"
    assert {"lexical", "vector"} <= {name for hit in found["hits"] for name in hit["why"]}
