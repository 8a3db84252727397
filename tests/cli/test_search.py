import io
import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from lens_tui.requests import Event, Found, IndexProgress, Related, Search
from lens_tui.types import AskedWord, Explanation, Failed, Place, Reason
from tests.cli.running import Shell
from tests.fakes import lease_hit

FOUND = Found(query="lease", k=10, retriever="lexical", hits=(lease_hit(),), notes=("Vectors are still being made.",))


def test_a_hit_shows_path_lines_score_and_snippet(shell: Shell) -> None:
    ran = shell.run("search", "@", "lease", script=[IndexProgress(done=1, total=2, current="a.md", chunks=3), FOUND])
    assert ran.code == 0
    assert ran.out == ("house/lease.md:9-10  0.83  House > 4 Term\n    The lease ends on 31 March 2027.\n\n")
    assert ran.err == "Vectors are still being made.\n"
    assert ran.engine.closed


def test_other_places_of_the_same_passage_are_named(shell: Shell) -> None:
    copies = tuple(Place(f"copies/{number}.md", number, 0) for number in range(1, 8))
    found = replace(FOUND, hits=(replace(lease_hit(), also=copies[:1]), replace(lease_hit(), also=copies)))
    rows = shell.run("search", "@", "lease", script=[found]).out.splitlines()
    assert rows[2] == "    also in copies/1.md:1"
    named = ", ".join(f"copies/{number}.md:{number}" for number in range(1, 6))
    assert rows[6] == f"    also in {named} and 2 more"


def test_json_is_one_object_in_the_promised_shape(shell: Shell) -> None:
    (found,) = shell.run("search", "@", "lease", "--json", script=[FOUND]).rows
    assert list(found) == ["query", "k", "retriever", "hits", "notes"]
    hit = found["hits"][0]
    promised = "rank score path id chunk start end lines page heading tags text snippet marks why"
    assert set(promised.split()) <= set(hit)
    assert hit["lines"] == [9, 10]
    assert hit["marks"] == [[4, 9]]
    assert hit["page"] is None
    assert hit["why"] == {"lexical": {"rank": 1, "score": 12.31}}


def test_what_was_asked_reaches_the_engine(shell: Shell) -> None:
    ran = shell.run("search", "@", "lease", "-k", "50", "--retriever", "vector", script=[FOUND])
    assert ran.engine.asked == [Search(query="lease", k=50, retriever="vector")]


@pytest.mark.parametrize("k", ["0", "51", "-1"])
def test_k_out_of_its_bounds_names_them(shell: Shell, k: str) -> None:
    assert "from 1 to 50" in shell.fails(2, "search", "@", "lease", "-k", k).err


def test_the_settings_may_lower_the_highest_k(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LENS_TUI_SEARCH_MAX_K", "20")
    monkeypatch.setenv("LENS_TUI_SEARCH_DEFAULT_K", "5")
    assert shell.run("search", "@", "lease").engine.asked == [Search(query="lease", k=5)]
    assert "from 1 to 20" in shell.fails(2, "search", "@", "lease", "-k", "21").err


@pytest.mark.parametrize("query", ["", " ", "\n\t"])
def test_an_empty_query_is_wrong_usage(shell: Shell, query: str) -> None:
    assert "The query is empty." in shell.fails(2, "search", "@", query).err


def test_no_hits_is_exit_4_with_the_note_as_the_sentence(shell: Shell) -> None:
    nothing = Found(query="xyz", k=10, retriever="lexical", notes=("No excerpt shares enough with the query.",))
    ran = shell.fails(4, "search", "@", "xyz", "--json", script=[nothing])
    assert ran.rows[0]["hits"] == []
    assert "lens-tui: No excerpt shares enough with the query." in ran.err


def test_the_step_after_no_hits_names_the_folder_as_it_was_typed(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("my notes").mkdir()
    nothing = Found(query="xyz", k=10, retriever="lexical", notes=("No excerpt shares enough with the query.",))
    told = shell.fails(4, "search", "my notes", "xyz", script=[nothing]).err
    assert told.endswith("Which files are left out, and why, is told by: lens-tui index 'my notes'\n")
    told = shell.fails(4, "search", "my notes", "xyz", "--data-dir", "kept here", script=[nothing]).err
    assert told.endswith(": lens-tui index 'my notes' --data-dir 'kept here'\n")


def test_a_failure_of_the_engine_keeps_its_class_and_exit_code(shell: Shell) -> None:
    failed = Failed(message="The index is of a newer version.", hint="Update lens-tui.", kind="StoreError")
    assert shell.fails(1, "search", "@", "lease", script=[failed]).out == ""
    failed = Failed(message="There is no such file.", hint="Name another.", kind="UsageError")
    shell.fails(2, "search", "@", "lease", script=[failed])
    failed = Failed(message="Something from the future.", hint="Wait.", kind="FutureError")
    shell.fails(1, "search", "@", "lease", script=[failed])


def test_an_engine_that_ends_without_an_answer_is_told(shell: Shell) -> None:
    assert "ended before" in shell.fails(1, "search", "@", "lease").err


def test_file_names_and_text_reach_the_terminal_harmless(shell: Shell) -> None:
    hit = lease_hit(path="[red]\x1b[31m\nx.md")
    bad = Found(query="x", k=1, retriever="lexical", hits=(hit,))
    ran = shell.run("search", "@", "x", script=[bad])
    assert ran.out.startswith("[red]␛[31m␊x.md:9-10")
    assert "\x1b" not in ran.out


def test_json_escapes_what_a_terminal_might_obey_and_loses_nothing(shell: Shell) -> None:
    path = "a\x1b\x9b\u202e\udcff.md"
    bad = Found(query="x", k=1, retriever="lexical", hits=(lease_hit(path=path),))
    ran = shell.run("search", "@", "x", "--json", script=[bad])
    assert not {"\x1b", "\x9b", "\u202e", "\udcff"} & set(ran.out)
    assert json.loads(ran.out)["hits"][0]["path"] == path


def test_matched_words_are_bold_on_a_terminal_only(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert "The \x1b[1mlease\x1b[22m ends" in shell.run("search", "@", "lease", script=[FOUND]).out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in shell.run("search", "@", "lease", script=[FOUND]).out


def test_sections_are_asked_for_with_a_flag(shell: Shell) -> None:
    ran = shell.run("search", "@", "lease", "--section", script=[FOUND])
    assert ran.engine.asked == [Search(query="lease", section=True)]


def test_scores_that_do_not_fall_are_told_to_be_no_order(shell: Shell) -> None:
    def found(*scores: float) -> Found:
        hits = tuple(replace(lease_hit(), rank=rank, score=score) for rank, score in enumerate(scores, 1))
        return Found(query="lease", k=10, retriever="lexical", hits=hits)

    told = "In the order of BM25 over the words, not of the score; --explain says how both come about.\n"
    assert shell.run("search", "@", "lease", script=[found(0.5, 0.7)]).err == told
    assert shell.run("search", "@", "lease", script=[found(0.7, 0.7, 0.5)]).err == ""
    for flag in ("--json", "--explain"):
        assert shell.run("search", "@", "lease", flag, script=[found(0.5, 0.7)]).err == ""


def test_explain_tells_where_each_index_put_a_hit(shell: Shell) -> None:
    out = shell.run("search", "@", "lease", "--explain", script=[FOUND]).out
    assert "lexical: rank 1, 12.31" in out
    assert "The score is absolute, 0 to 1" in out


def test_explain_tells_the_words_the_order_and_the_score(shell: Shell) -> None:
    words = (
        AskedWord("lease", 0.6, "lease", "text"),
        AskedWord("tenant", 0.3, "tenants", "title"),
        AskedWord("xyz", 0.1),
    )
    why = Explanation(words, 12.31, "BM25 12.31", "0.90 by words\x1b[31m")
    found = Found(query="lease", k=1, retriever="lexical", hits=(replace(lease_hit(), explain=why),))
    ran = shell.run("search", "@", "lease", "--explain", script=[found])
    assert "    words    lease 60% in the text, tenant 30% as tenants in the title, xyz 10% not there\n" in ran.out
    assert "    order    BM25 12.31\n    score    0.90 by words␛[31m\n" in ran.out
    assert ran.engine.asked == [Search(query="lease", explain=True)]
    (row,) = shell.run("search", "@", "lease", "--explain", "--json", script=[found]).rows
    assert row["hits"][0]["explain"]["words"][0] == {"word": "lease", "share": 0.6, "found": "lease", "where": "text"}


def test_ctrl_c_stops_the_work_and_leaves_with_130(shell: Shell) -> None:
    def script(_: object) -> "list[Event]":
        raise KeyboardInterrupt

    shell.fails(130, "search", "@", "lease", script=script)

    def later(_: object):  # type: ignore[no-untyped-def]
        yield IndexProgress(done=1, total=2, current="", chunks=0)
        raise KeyboardInterrupt

    ran = shell.fails(130, "search", "@", "lease", script=later)
    assert ran.engine.calls[0].cancelled.is_set()
    assert ran.engine.closed


def test_related_names_the_file_from_the_folder_or_from_where_one_stands(shell: Shell) -> None:
    asked = [
        shell.run("related", "@", place, script=[FOUND]).engine.asked[0]
        for place in ("house/lease.md", "house/lease.md:12", "notes/house/lease.md:3", "./house/../house/lease.md")
    ]
    lines = [None, 12, 3, None]
    assert asked == [Related(path="house/lease.md", line=line) for line in lines]


def test_related_finds_nothing_and_names_the_search_of_the_same_folder(shell: Shell) -> None:
    nothing = Found(query="lease.md", k=10, retriever="hybrid", notes=("Nothing else is near.",))
    told = shell.fails(4, "related", "@", "house/lease.md", script=[nothing]).err
    assert told.endswith(f"Try another line, or: lens-tui search {shell.folder} QUERY\n")


def test_related_takes_a_name_that_ends_like_a_line(shell: Shell) -> None:
    (shell.folder / "a:7").write_text("x", "utf-8")
    asked = [shell.run("related", "@", place, script=[FOUND]).engine.asked[0] for place in ("a:7", "a:7:2")]
    assert asked == [Related(path="a:7"), Related(path="a:7", line=2)]


def test_related_shows_the_ranks_that_order_its_hits_and_says_so(shell: Shell) -> None:
    why = {"lexical": Reason(2, 12.31), "vector": Reason(1, 0.7)}
    both = replace(FOUND, retriever="hybrid", hits=(replace(lease_hit(), why=why),), notes=())
    ran = shell.run("related", "@", "house/lease.md", script=[both])
    assert ran.out.startswith("house/lease.md:9-10  words 2, vectors 1  House > 4 Term\n")
    assert ran.err == "Best first, by both ranks together: where each stands by words and by vectors.\n"
    (told,) = shell.run("related", "@", "house/lease.md", "--json", script=[both]).rows
    assert told["hits"][0]["score"] == both.hits[0].score
    words = shell.run("related", "@", "house/lease.md", script=[FOUND])
    assert words.out.startswith("house/lease.md:9-10  words 1  ")
    assert "ranks" not in words.err


@pytest.mark.parametrize("place", ["nowhere.md", "house", "../secret.md", "house/lease.md:0", "link.md", ""])
def test_related_refuses_what_is_no_place_in_the_folder(shell: Shell, place: str) -> None:
    outside = shell.folder.parent / "secret.md"
    outside.write_text("x", "utf-8")
    (shell.folder / "link.md").symlink_to(outside)
    shell.fails(2, "related", "@", place)


def test_the_query_is_read_from_stdin_without_its_last_line_end(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xef\xbb\xbfnotice\r\nperiod\n")))
    assert shell.run("search", "@", "-", script=[FOUND]).engine.asked == [Search(query="notice\nperiod")]
