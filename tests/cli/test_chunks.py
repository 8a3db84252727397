import io
import os
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

from lens_tui.chunking import STRATEGIES
from lens_tui.cli.cutting import FLAGS
from lens_tui.options import ChunkOptions
from tests.cli.running import Shell
from tests.ollama.scripted import ScriptedOllama, scripted

__all__ = ["scripted"]

TEXT = "# House\n\n" + "\n\n".join(
    f"Paragraph {n} has a few words of its own. And a second sentence." for n in range(40)
)
PROMISED = [
    *("event", "path", "checksum", "index", "id", "strategy", "start", "end", "lines", "page", "tokens"),
    *("overlap_before", "overlap_after", "heading", "level", "parent", "children", "tags", "text"),
    *("context", "context_tokens", "contextualized", "late"),
]
SUM = ["event", "strategy", "tokenizer", "count", "average", "smallest", "largest", "milliseconds", "warnings", "told"]


@pytest.fixture
def file(shell: Shell) -> Path:
    file = shell.folder.parent / "text.md"
    file.write_text(TEXT, "utf-8")
    return file


def stdin(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), "utf-8"))


@pytest.mark.network
def test_an_embedder_that_is_named_and_not_to_be_had_is_told_with_a_step(
    shell: Shell, file: Path, scripted: ScriptedOllama, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OLLAMA_HOST", scripted.host)
    words = ("chunks", "text.md", "--embedder", "nosuch", "--strategy", "semantic")
    ran, as_json = shell.run(*words), shell.run(*words, "--json")
    assert (ran.code, as_json.code) == (0, 0)
    (said,) = ran.err.splitlines()
    assert "nosuch" in said
    assert "Built-in vectors serve until then." in said
    assert "ollama pull nosuch" in said
    assert as_json.rows[-1]["warnings"] == [said]
    compared = shell.run(*words[:4], "--compare", "semantic,paragraph")
    assert (compared.code, compared.err.splitlines()) == (0, [said])


def test_json_is_chunks_and_a_sum_in_the_promised_shapes(shell: Shell, file: Path) -> None:
    ran = shell.run("chunks", "text.md", "--strategy", "paragraph", "--size", "100", "--overlap", "20", "--json")
    assert ran.code == 0
    *chunks, done = ran.rows
    assert all(list(chunk)[: len(PROMISED)] == PROMISED for chunk in chunks)
    assert all(TEXT[chunk["start"] : chunk["end"]] == chunk["text"] for chunk in chunks)
    assert [chunk["index"] for chunk in chunks] == list(range(len(chunks)))
    assert {chunk["path"] for chunk in chunks} == {"text.md"}
    assert chunks[0]["heading"] == ["House"]
    assert list(done) == SUM
    assert (done["event"], done["strategy"], done["count"]) == ("done", "paragraph", len(chunks))
    assert done["told"] == "paragraph 100/20"
    tokens = [chunk["tokens"] for chunk in chunks]
    assert (done["smallest"], done["largest"]) == (min(tokens), max(tokens))
    assert done["average"] == round(sum(tokens) / len(tokens), 1)
    assert max(tokens) <= 100


def test_a_person_sees_every_chunk_with_what_it_shares_set_apart(shell: Shell, file: Path) -> None:
    out = shell.run("chunks", "text.md", "--strategy", "paragraph", "--size", "100", "--overlap", "20").out
    rows = out.splitlines()
    assert rows[0].startswith("── 1 of ")
    assert "lines 1–" in rows[0]
    assert "│ # House" in rows
    second = next(at for at, row in enumerate(rows) if row.startswith("── 2 of "))
    assert "shares " in rows[second]
    assert rows[second + 1].startswith("┆ Paragraph ")
    own = [row.removeprefix("│ ") for row in rows if row.startswith("│ ")]
    assert "".join("".join(own).split()) == "".join(TEXT.split())
    assert "tokens on average" in out
    assert "paragraph 100/20" in rows[-1]


def test_one_token_is_told_in_the_singular(shell: Shell, file: Path) -> None:
    file.write_text("a\n", "utf-8")
    assert "1 chunk, 1 token on average, 1 to 1" in shell.run("chunks", "text.md").out


def test_a_file_cannot_steer_the_terminal(shell: Shell) -> None:
    (shell.folder.parent / "evil.md").write_text("# A\x1b[31m\n\nred \x1b]0;title\x07 [bold]\n", "utf-8")
    ran = shell.run("chunks", "evil.md")
    assert "\x1b" not in ran.out + ran.err
    assert "[bold]" in ran.out
    assert "\x1b" not in shell.run("chunks", "evil.md", "--json").out


@pytest.mark.parametrize("text", ["", " \n\t\n\u3000"])
def test_a_blank_file_has_no_chunks_a_warning_and_no_sizes(shell: Shell, text: str) -> None:
    (shell.folder.parent / "blank.txt").write_text(text, "utf-8")
    ran = shell.run("chunks", "blank.txt", "--json")
    assert ran.code == 0
    (done,) = ran.rows
    assert (done["count"], done["average"], done["smallest"], done["largest"]) == (0, None, None, None)
    assert len(done["warnings"]) == 1
    shown = shell.run("chunks", "blank.txt")
    assert shown.code == 0
    assert shown.out.startswith("0 chunks\n")
    assert f"~ {done['warnings'][0]}\n" in shown.out


def test_standard_input_is_what_its_name_says(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    stdin(monkeypatch, b"# House\n\nOne.\n")
    plain = shell.run("chunks", "-", "--strategy", "paragraph", "--json").rows[0]
    stdin(monkeypatch, b"# House\n\nOne.\n")
    named = shell.run("chunks", "-", "--strategy", "paragraph", "--name", "a.md", "--json").rows[0]
    stdin(monkeypatch, b"# House\n\nOne.\n")
    typed = shell.run("chunks", "-", "--strategy", "paragraph", "--type", "markdown", "--json").rows[0]
    assert (plain["path"], plain["heading"]) == ("-", [])
    assert (named["path"], named["heading"]) == ("a.md", ["House"])
    assert typed["heading"] == ["House"]
    assert plain["checksum"] == named["checksum"]


@pytest.mark.parametrize(
    "text", ["日本語の文章です。次の文。\n" * 50, "Ünïcode — 👩‍👩‍👧‍👦\n" * 50], ids=["japanese", "emoji"]
)
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_every_strategy_cuts_any_script(
    shell: Shell, strategy: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LENS_TUI_EMBEDDER", "builtin")
    (shell.folder.parent / "any.txt").write_text(text, "utf-8")
    *chunks, done = shell.run("chunks", "any.txt", "--strategy", strategy, "--json").rows
    assert done["strategy"] == strategy
    assert all(text[chunk["start"] : chunk["end"]] == chunk["text"] for chunk in chunks)


def test_a_comparison_is_a_table_or_one_object(shell: Shell, file: Path) -> None:
    words = ("chunks", "text.md", "--compare", "paragraph,fixed", "--size", "128")
    ran = shell.run(*words)
    head, first, second, *_ = ran.out.splitlines()
    assert " ".join(head.split()) == "strategy chunks smallest average largest in sentences in functions ms"
    assert (first.split()[0], second.split()[0]) == ("paragraph", "fixed")
    (made,) = shell.run(*words, "--json").rows
    assert (made["path"], list(made["results"])) == ("text.md", ["paragraph", "fixed"])
    assert made["results"]["paragraph"]["cuts_in_sentences"] == 0
    assert made["results"]["fixed"]["cuts_in_sentences"] > 0
    assert int(first.split()[1]) == made["results"]["paragraph"]["count"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nothing.md",), "There is no file nothing.md."),
        (("notes",), "notes is a folder, not a file."),
        (("/dev/zero",), "/dev/zero is a device, not a file."),
        (("text.md", "--strategy", "paragrap"), "it is one of auto, paragraph,"),
        (("text.md", "--size", "9000"), "--size is 9000; it must be from 1 to 8192."),
        (("text.md", "--size", "many"), "--size must be a whole number"),
        (("text.md", "--threshold", "2"), "--threshold is 2.0; it must be from 0 to 1."),
        (("text.md", "--levels", "a b"), "--levels must be a list of whole numbers, not 'a b'."),
        (("text.md", "--levels", "a"), 'such as: --levels "1 2"'),
        (("text.md", "--depth", "a"), "such as: --depth 6"),
        (("text.md", "--levels", "1 9"), "--levels is 9; it must be from 1 to 6."),
        (("text.md", "--strategy", "fixed", "--size", "100"), "128 to 8192"),
        (("text.md", "--strategy", "paragraph", "--overlap", "300"), "0 ≤ overlap < size"),
        (("text.md", "--overlap", "some"), "neither a number of tokens nor a share"),
        (("text.md", "--strategy", "paragraph", "--depth", "2"), "paragraph would make no use of --depth."),
        (("text.md", "--strategy", "paragraph", "--no-inherit"), "paragraph would make no use of --inherit."),
        (("text.md", "--compare", "paragraph,fixed", "--depth", "2"), "make no use of --depth"),
        (("text.md", "--compare", "paragraph,unknown"), "no chunking strategy 'unknown'"),
        (("text.md", "--compare", " , "), "Which strategies"),
        (("text.md", "--compare", "fixed", "--strategy", "fixed"), "--compare names the strategies itself."),
        (("text.md", "--sise", "3"), "There is no option --sise"),
    ],
)
def test_what_cannot_be_used_is_refused_before_anything_is_cut(
    shell: Shell, file: Path, words: tuple[str, ...], said: str
) -> None:
    ran = shell.fails(2, "chunks", *words)
    assert said in ran.err
    assert ran.out == ""


def test_a_binary_is_refused(shell: Shell) -> None:
    (shell.folder.parent / "photo.png").write_bytes(bytes(range(256)) * 8)
    assert "photo.png cannot be cut: binary, image." in shell.fails(1, "chunks", "photo.png").err


def test_settings_for_other_strategies_are_no_hindrance(
    shell: Shell, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LENS_TUI_CHUNK_THRESHOLD", "0.5")
    monkeypatch.setenv("LENS_TUI_CHUNK_SIZE", "100")
    assert "paragraph 100/40" in shell.run("chunks", "text.md", "--strategy", "paragraph").out


def test_there_is_a_flag_for_every_option() -> None:
    assert list(FLAGS) == [*(field.name for field in fields(ChunkOptions)), "embedder"]


def test_a_reader_that_leaves_ends_it_quietly(installed: Path, file: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    run = subprocess.run([installed, "chunks", file], stdout=write, stderr=subprocess.PIPE, timeout=60, check=False)
    os.close(write)
    assert (run.returncode, run.stderr) == (0, b"")


@pytest.fixture
def large(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LENS_TUI_FILES_MAX_BYTES", "1000")
    file = shell.folder.parent / "large.txt"
    file.write_bytes(TEXT.replace("\n", "\r\n").encode())
    return file


@pytest.mark.parametrize("strategy", ["fixed", "paragraph", "sentence", "recursive"])
def test_a_file_too_large_to_be_held_is_cut_in_pieces_as_it_is_cut_whole(
    shell: Shell, large: Path, strategy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("chunks", "large.txt", "--strategy", strategy, "--size", "128", "--json")
    *pieces, done = shell.run(*words).rows
    monkeypatch.setenv("LENS_TUI_FILES_MAX_BYTES", "100000")
    *whole, held = shell.run(*words).rows
    assert pieces == whole
    assert (done["count"], done["largest"]) == (held["count"], held["largest"])
    assert "cut in pieces as plain text" in done["warnings"][0]
    assert held["warnings"] == done["warnings"][1:]


def test_a_large_file_without_a_strategy_is_cut_by_paragraph(shell: Shell, large: Path) -> None:
    ran = shell.run("chunks", "large.txt", "--strategy", "auto")
    assert ran.code == 0
    assert ran.out.startswith("── 1 · ")
    assert "paragraph 220/40" in ran.out


def test_standard_input_that_is_too_large_is_cut_in_pieces_too(
    shell: Shell, large: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stdin(monkeypatch, large.read_bytes())
    piped = shell.run("chunks", "-", "--strategy", "fixed", "--name", "large.txt", "--json").rows
    named = shell.run("chunks", "large.txt", "--strategy", "fixed", "--json").rows
    assert piped[:-1] == named[:-1]


def test_what_needs_the_whole_text_says_so(shell: Shell, large: Path) -> None:
    ran = shell.fails(1, "chunks", "large.txt", "--strategy", "hierarchical")
    assert "needs the whole text" in ran.err
    assert "files.max_bytes" in ran.err
    assert "a comparison holds the whole text" in shell.fails(2, "chunks", "large.txt", "--compare", "fixed").err
    large.write_bytes(b"\0\1\2" * 1000)
    assert "binary" in shell.fails(1, "chunks", "large.txt", "--strategy", "fixed").err


KOTLIN = (
    "class Tide(val hour: Int) {\n"
    + "".join(
        f"    fun level{n}(at: Int): Int {{\n        val base = at * {n}\n        return base + hour\n    }}\n\n"
        for n in range(40)
    )
    + "}\n"
)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("main.kt", KOTLIN),
        ("neko.txt", "吾輩は猫である。名前はまだ無い。" * 80),
        ("page.html", "<h1>Tides</h1><p>" + "They come and go. " * 200 + "</p>"),
    ],
)
def test_every_strategy_is_compared_on_any_kind_of_file(
    shell: Shell, name: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LENS_TUI_EMBEDDER", "builtin")
    (shell.folder.parent / name).write_text(text, "utf-8")
    (made,) = shell.run("chunks", name, "--compare", ",".join(STRATEGIES), "--json").rows
    assert list(made["results"]) == list(STRATEGIES)
    assert all(result["count"] > 1 for result in made["results"].values())
    if name == "main.kt":
        assert made["results"]["code"]["cuts_in_functions"] == 0
        assert made["results"]["fixed"]["cuts_in_functions"] > 0
    else:
        assert all(result["cuts_in_functions"] is None for result in made["results"].values())


def test_a_pipe_is_read_like_a_file(installed: Path, file: Path) -> None:
    words = "--strategy paragraph --json"
    run = subprocess.run(
        ["bash", "-c", f"'{installed}' chunks <(cat '{file}') --name text.md {words}"],
        capture_output=True,
        timeout=60,
        check=True,
    )
    plain = subprocess.run(
        ["bash", "-c", f"'{installed}' chunks '{file}' --name text.md {words}"],
        capture_output=True,
        timeout=60,
        check=True,
    )
    assert run.stdout.splitlines()[:-1] == plain.stdout.splitlines()[:-1]
