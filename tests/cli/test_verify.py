"""Claims are judged line by line, and a text's citations by the files that it lists; every bad line is named."""

import io
import json
from collections.abc import Iterable
from pathlib import Path

import pytest

from lens_tui.requests import Event, FileText, OpenFile, Request
from lens_tui.types import Failed
from tests.cli.running import Shell
from tests.fakes import LEASE

EXCERPT = "The lease runs until 31 March 2027.\nThe term is two years."
ANSWER = "The lease runs until 13 March 2027 [1]. Tell the neighbours. It ends [7].\n\nSources:\n\n"


def claims(tmp_path: Path, *rows: object) -> str:
    file = tmp_path / "claims.jsonl"
    file.write_text("\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows), "utf-8")
    return str(file)


def answer(tmp_path: Path, text: str) -> str:
    file = tmp_path / "answer.md"
    file.write_text(text, "utf-8")
    return str(file)


class Folder:
    """Answers as an engine whose folder holds one file."""

    def __init__(self, text: str = "# Lease\n\n" + EXCERPT) -> None:
        self.text = text

    def __call__(self, request: Request) -> Iterable[Event]:
        assert isinstance(request, OpenFile)
        if request.path == "house/lease.md":
            return [FileText(path=request.path, text=self.text, checksum="0")]
        return [Failed(message=f"{request.path} is not in the folder.", kind="FileUnreadable")]


def test_each_line_is_judged_in_order_with_the_sentence_that_carries_it(shell: Shell, tmp_path: Path) -> None:
    file = claims(
        tmp_path,
        {"claim": "The term is two years.", "excerpt": EXCERPT},
        {"claim": "The lease runs until 13 March 2027.", "excerpt": EXCERPT},
        {"claim": "Bananas grow in Ecuador.", "excerpt": EXCERPT},
    )
    ran = shell.run("verify", "--json", file)
    assert ran.code == 0
    assert ran.rows == [
        {"span": [36, 58], "verdict": "supported", "why": "word for word in its source"},
        {
            "span": [0, 35],
            "verdict": "contradicted",
            "why": "the source says 31 March 2027, the answer 13 March 2027",
        },
        {"span": None, "verdict": "weak", "why": "has little in common with its source"},
    ]
    assert ran.engine.asked == []


def test_claims_are_read_from_standard_input(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    row = json.dumps({"claim": "二年です。", "excerpt": "期間は二年です。"}, ensure_ascii=False)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(row.encode() + b"\n\n")))
    ran = shell.run("verify", "--json", "-")
    assert [row["verdict"] for row in ran.rows] == ["supported"]


def test_a_person_reads_verdict_claim_and_why(shell: Shell, tmp_path: Path) -> None:
    ran = shell.run("verify", claims(tmp_path, {"claim": "The term is\nthree years.", "excerpt": EXCERPT}))
    assert ran.out.splitlines() == [
        "contradicted: The term is three years.",
        "    the source says two, the answer three",
        "    The term is two years.",
    ]


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("{", "Line 2 of"),
        ("[]", "not an object"),
        ('{"claim": "a"}', "no text as its excerpt"),
        ('{"claim": 1, "excerpt": "b"}', "no text as its claim"),
        ('{"claim": " ", "excerpt": "b"}', "an empty claim"),
        ("[" * 100_000, "is not JSON"),
    ],
)
def test_a_bad_line_is_named_before_anything_is_judged(shell: Shell, tmp_path: Path, row: str, told: str) -> None:
    ran = shell.fails(2, "verify", "--json", claims(tmp_path, {"claim": "a", "excerpt": "b"}, row))
    assert told in ran.err
    assert ran.out == ""


def test_what_cannot_be_read_is_told(shell: Shell, tmp_path: Path) -> None:
    latin = tmp_path / "latin.jsonl"
    latin.write_bytes(b"\xe4\xff")
    for file in (str(tmp_path / "none.jsonl"), str(tmp_path), str(latin), claims(tmp_path, "")):
        shell.fails(2, "verify", file)
    shell.fails(2, "verify")
    shell.fails(2, "verify", "a", "b", "c")


def test_a_verdict_that_must_not_be_ends_with_code_5(shell: Shell, tmp_path: Path) -> None:
    file = claims(tmp_path, {"claim": "The lease runs until 13 March 2027.", "excerpt": EXCERPT})
    assert shell.fails(5, "verify", "--json", file, "--fail-on", "contradicted").rows[0]["verdict"] == "contradicted"
    assert shell.run("verify", file, "--fail-on", "weak,invented").code == 0
    shell.fails(2, "verify", file, "--fail-on", "wrong")


def test_a_text_is_judged_by_the_lines_that_it_lists(shell: Shell, tmp_path: Path) -> None:
    file = answer(tmp_path, ANSWER + "[1] house/lease.md:3-4\n")
    ran = shell.run("verify", "@", file, "--json", script=Folder())
    assert ran.code == 0
    first, second = ran.rows
    assert first == {
        "span": [9, 44],
        "verdict": "contradicted",
        "why": "the source says 31 March 2027, the answer 13 March 2027",
        "number": 1,
        "claim": [0, 39],
        "path": "house/lease.md",
        "lines": [3, 3],
    }
    assert (second["verdict"], second["why"], second["path"]) == ("invented", "there is no source 7", None)
    assert "1 sentence has no citation:\n    line 1: Tell the neighbours.\n" in ran.err
    assert [request.path for request in ran.engine.asked if isinstance(request, OpenFile)] == ["house/lease.md"]


def test_a_source_that_is_not_there_is_invented_and_says_why(shell: Shell, tmp_path: Path) -> None:
    listed = "[1] ../secret.md:1-2\n[7] house/lease.md:90-91\n[8] gone.md\n"
    ran = shell.run("verify", "@", answer(tmp_path, ANSWER + listed), "--json", script=Folder())
    assert [(row["number"], row["verdict"], row["why"]) for row in ran.rows] == [
        (1, "invented", "../secret.md is not in the folder"),
        (7, "invented", "house/lease.md has only 4 lines"),
    ]
    assert "[8], which nothing cites: gone.md is not in the folder." in ran.err


@pytest.mark.parametrize("end", ["", "\n"])
def test_a_line_end_at_a_file_s_end_begins_no_other_line(shell: Shell, tmp_path: Path, end: str) -> None:
    file = answer(tmp_path, ANSWER + "[1] house/lease.md:5-6\n")
    row, _ = shell.run("verify", "@", file, "--json", script=Folder("# Lease\n\n" + EXCERPT + end)).rows
    assert row["why"] == "house/lease.md has only 4 lines"


def test_a_text_of_a_folder_shows_where_its_claims_stand(shell: Shell, tmp_path: Path) -> None:
    file = answer(tmp_path, "The term is two years [1].\n\nSources:\n- [1] house/lease.md\n")
    ran = shell.run("verify", "@", file, script=Folder())
    assert ran.out.splitlines() == [
        "supported: [1] The term is two years [1].",
        "    word for word in its source",
        "    house/lease.md:4",
    ]


def test_of_many_sentences_without_a_citation_the_first_are_named(shell: Shell, tmp_path: Path) -> None:
    text = "The term is two years [1].\n\n" + "Nobody said so.\n" * 12 + "\nSources:\n- [1] house/lease.md\n"
    err = shell.run("verify", "@", answer(tmp_path, text), script=Folder()).err
    assert "12 sentences have no citation:\n    line 3: Nobody said so.\n    line 4: " in err
    assert "    line 12: Nobody said so.\n    and 2 more\n" in err


@pytest.mark.parametrize("text", ["It ends [1].", "It ends [1].\n\nSources:\n\nlease.md\n"])
def test_a_text_without_a_list_of_sources_is_wrong_usage(shell: Shell, tmp_path: Path, text: str) -> None:
    ran = shell.fails(2, "verify", "@", answer(tmp_path, text), script=Folder())
    assert "Sources:" in ran.err


def test_a_file_with_escapes_reaches_no_terminal(shell: Shell, tmp_path: Path) -> None:
    file = claims(tmp_path, {"claim": "\x1b[31mred\x1b[0m is 5\ud800", "excerpt": "\x1b]0;owned\x07 red is 6 \x9b31m"})
    plain, written = shell.run("verify", file), shell.run("verify", file, "--json")
    assert "\x1b" not in plain.out + written.out
    assert "\x9b" not in plain.out + written.out


def test_what_ask_prints_can_be_verified(shell: Shell, tmp_path: Path) -> None:
    text = f"{LEASE.splitlines()[0]} [1]\n\nSources:\n\n[1] house/lease.md:1-9\n"
    ran = shell.run("verify", "@", answer(tmp_path, text), "--json", script=Folder(LEASE))
    assert [row["verdict"] for row in ran.rows] == ["supported"]


def test_an_exported_conversation_is_judged_answer_by_answer(shell: Shell, tmp_path: Path) -> None:
    head = "*2026-11-21 19:59, quoted, no model*\n\nChecked: 1 of 1 citations supported.\n\n"
    first = f"# Term [1]\n\n## What is the term?\n\n{head}The term is two years. [1]\n\nSources:\n\n[1] gone.md:1-1\n\n"
    second = f"## When?\n\n{head}The term is two years. [1]\n\nSources:\n\n[1] house/lease.md:3-4\n"
    ran = shell.run("verify", "@", answer(tmp_path, first + second), "--json", script=Folder())
    judged = [((first + second)[slice(*row["claim"])], row["verdict"]) for row in ran.rows]
    assert judged == [("The term is two years. [1]", "invented"), ("The term is two years. [1]", "supported")]
    assert ran.rows[1]["claim"][0] > len(first)
    assert ran.err == ""
