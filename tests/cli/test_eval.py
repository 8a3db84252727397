"""A person's own questions are asked of every retriever, and what they got is measured and told."""

import json
from collections.abc import Iterable
from pathlib import Path

import pytest

from lens_tui import requests
from lens_tui.evaluation import MEASURES
from lens_tui.options import ChunkOptions
from lens_tui.requests import (
    Event,
    FileText,
    Found,
    IndexDone,
    Leave,
    OpenFile,
    Recut,
    RecutCost,
    Request,
    Search,
)
from lens_tui.types import Failed, Retriever
from tests.cli.running import Shell
from tests.fakes import LEASE, lease_hit, outlines

FILE = "x" * 100 + LEASE


def questions(tmp_path: Path, *rows: object) -> str:
    file = tmp_path / "questions.jsonl"
    file.write_text("\n".join(json.dumps(row) for row in rows), "utf-8")
    return str(file)


class Index:
    """Answers as an engine whose index holds one file, which every question finds unless it says nothing."""

    def __init__(self, serves: Retriever = "lexical") -> None:
        self.serves: Retriever = serves

    def __call__(self, request: Request) -> Iterable[Event]:
        if isinstance(request, OpenFile):
            if request.path == "house/lease.md":
                return [FileText(path=request.path, text=FILE, checksum="0", chunks=outlines((100, len(FILE))))]
            return [Failed(message=f"{request.path} is not in the folder.", kind="FileUnreadable")]
        assert isinstance(request, Search)
        hits = () if "nothing" in request.query else (lease_hit(),)
        used = request.retriever or self.serves
        return [Found(query=request.query, k=request.k, retriever=used, hits=hits, milliseconds=2.0)]


def test_json_has_every_promised_measure_of_the_retriever_that_serves(shell: Shell, tmp_path: Path) -> None:
    file = questions(
        tmp_path,
        {"question": "lease?", "relevant": [{"path": "house/lease.md"}]},
        {"question": "nothing", "relevant": [{"path": "house/lease.md"}]},
    )
    ran = shell.run("eval", "@", file, "--json", script=Index())
    assert ran.code == 0
    (told,) = ran.rows
    assert (told["questions"], told["k"], told["failed"]) == (2, 10, ["nothing"])
    assert list(told["results"]) == ["lexical"]
    assert set(told["results"]["lexical"]) == {*MEASURES, "p50_ms", "p99_ms"}
    assert told["results"]["lexical"]["recall@1"] == 0.5
    assert told["results"]["lexical"]["p50_ms"] == 2.0


def test_with_an_embedding_model_every_retriever_stands_in_one_table(shell: Shell, tmp_path: Path) -> None:
    file = questions(tmp_path, {"question": "lease?", "relevant": [{"path": "house/lease.md"}]})
    ran = shell.run("eval", "@", file, script=Index("hybrid"))
    assert ran.out.splitlines()[0].split() == ["1", "question", "lexical", "vector", "hybrid"]
    assert "recall@1               1.000     1.000     1.000" in ran.out


def test_help_says_which_retrievers_are_measured_with_a_model_and_without(shell: Shell) -> None:
    said = " ".join(shell.run("eval", "--help").out.split())
    assert "With an embedding model lexical, vector and hybrid are measured side by side" in said
    assert "without one lexical alone, and the built-in vectors with --retriever vector." in said


def test_a_retriever_that_is_named_is_measured_alone(shell: Shell, tmp_path: Path) -> None:
    file = questions(tmp_path, {"question": "lease?", "relevant": [{"path": "house/lease.md"}]})
    ran = shell.run("eval", "@", file, "--retriever", "vector", "--json", script=Index("hybrid"))
    assert list(ran.rows[0]["results"]) == ["vector"]


def test_every_question_is_only_words_and_asked_for_fifty_hits(shell: Shell, tmp_path: Path) -> None:
    file = questions(tmp_path, {"question": 'type:md "lease', "relevant": [{"path": "house/lease.md"}]})
    ran = shell.run("eval", "@", file, script=Index())
    asked = [request for request in ran.engine.asked if isinstance(request, Search)]
    assert asked[-1] == Search(query='type:md "lease', k=50, retriever="lexical", fresh=False, plain=True)
    assert asked[0].fresh


def test_a_file_that_is_not_indexed_counts_as_missed_and_is_told(shell: Shell, tmp_path: Path) -> None:
    file = questions(tmp_path, {"question": "lease?", "relevant": [{"path": "gone.md"}]})
    ran = shell.run("eval", "@", file, "--json", script=Index())
    assert ran.rows[0]["results"]["lexical"]["recall@10"] == 0
    assert ran.rows[0]["failed"] == ["lease?"]
    assert "gone.md" in ran.err


def test_a_quote_serves_instead_of_offsets(shell: Shell, tmp_path: Path) -> None:
    relevant = [{"path": "house/lease.md", "quote": "ends on 31 March"}]
    ran = shell.run(
        "eval", "@", questions(tmp_path, {"question": "lease?", "relevant": relevant}), "--json", script=Index()
    )
    assert ran.rows[0]["results"]["lexical"]["char_recall@4000"] == 1


def test_failed_questions_are_listed_and_the_rest_counted(shell: Shell, tmp_path: Path) -> None:
    rows = [{"question": f"nothing {n}", "relevant": [{"path": "house/lease.md"}]} for n in range(25)]
    ran = shell.run("eval", "@", questions(tmp_path, *rows), script=Index())
    assert "Nothing right in the first 10 (lexical), 25 of 25:" in ran.out
    assert "  nothing 19\n" in ran.out
    assert "and 5 more" in ran.out


@pytest.mark.parametrize("text", ["", "not json\n", '{"question": "x"}\n', '{"question": "x", "relevant": []}\n'])
def test_a_file_without_usable_questions_is_refused(shell: Shell, tmp_path: Path, text: str) -> None:
    (tmp_path / "bad.jsonl").write_text(text, "utf-8")
    shell.fails(2, "eval", "@", str(tmp_path / "bad.jsonl"), script=Index())


@pytest.mark.parametrize("name", ["missing.jsonl", "."])
def test_questions_that_cannot_be_read_are_refused(shell: Shell, name: str) -> None:
    shell.fails(2, "eval", "@", name, script=Index())


def test_questions_that_are_not_text_are_refused(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "bad.jsonl").write_bytes(b"\xff\xfe\x00\xd8")
    shell.fails(2, "eval", "@", str(tmp_path / "bad.jsonl"), script=Index())


def test_an_engine_that_fails_is_told(shell: Shell, tmp_path: Path) -> None:
    file = questions(tmp_path, {"question": "lease?", "relevant": [{"path": "house/lease.md"}]})
    shell.fails(1, "eval", "@", file, script=[Failed(message="It broke.", hint="Mend it.", kind="StoreError")])


def cut_and_asked(request: Request) -> Iterable[Event]:
    """Answers as an engine that can be told how to cut."""
    if isinstance(request, Recut):
        return [RecutCost(same=True)]
    if isinstance(request, requests.Index):
        return [
            IndexDone(files=1, chunks=1, vectors=1, vectors_pending=0, added=1, changed=0, removed=0, unchanged=0),
        ]
    return () if isinstance(request, Leave) else Index()(request)


def test_strategies_are_compared_in_indexes_that_are_gone_afterwards(shell: Shell, tmp_path: Path) -> None:
    file = questions(tmp_path, {"question": "lease?", "relevant": [{"path": "house/lease.md"}]})
    ran = shell.run("eval", "@", file, "--chunking", "paragraph, hierarchical", "--json", script=cut_and_asked)
    assert ran.code == 0
    (told,) = ran.rows
    assert list(told["results"]) == ["paragraph", "hierarchical"]
    assert set(told["results"]["paragraph"]) == {*MEASURES, "p50_ms", "p99_ms"}
    assert [settings.chunking.strategy for _, settings in shell.opened] == ["paragraph", "hierarchical"]
    directories = {places.data for places, _ in shell.opened}
    assert len(directories) == 2
    assert not any(directory.exists() or directory.parent.exists() for directory in directories)
    assert ran.engine.asked[:2] == [Recut(options=ChunkOptions(strategy="paragraph")), requests.Index()]
    assert [type(request) for request in ran.engine.asked].count(Leave) == 2


def test_a_table_of_strategies_has_room_for_their_names(shell: Shell, tmp_path: Path) -> None:
    file = questions(tmp_path, {"question": "nothing", "relevant": [{"path": "house/lease.md"}]})
    ran = shell.run("eval", "@", file, "--chunking", "paragraph,hierarchical", script=cut_and_asked)
    assert ran.out.splitlines()[0].split() == ["1", "question", "paragraph", "hierarchical"]
    assert "Nothing right in the first 10 (paragraph), 1 of 1:" in ran.out


def test_strategies_that_cannot_be_compared_are_refused_before_anything_is_read(shell: Shell, tmp_path: Path) -> None:
    file = questions(tmp_path, {"question": "lease?", "relevant": [{"path": "house/lease.md"}]})
    assert "no chunking strategy 'what'" in shell.fails(2, "eval", "@", file, "--chunking", "paragraph,what").err
    assert "Which strategies" in shell.fails(2, "eval", "@", file, "--chunking", ",").err
    assert shell.opened == []


def test_help_says_what_the_measures_in_characters_are(shell: Shell) -> None:
    told = shell.run("eval", "--help").out
    assert [name for name in MEASURES if f"\n    {name}  " in told] == ["char_recall@4000", "iou@5"]
