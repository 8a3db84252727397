import json
from dataclasses import replace
from pathlib import Path

import pytest

from lens_tui.options import ChunkOptions
from lens_tui.requests import (
    Event,
    FileError,
    FileWarning,
    FolderNews,
    Index,
    IndexDone,
    IndexProgress,
    IndexState,
    Leave,
    Recut,
    RecutCost,
    Request,
    Status,
)
from lens_tui.types import Failed, FileNote
from tests.cli.running import Shell
from tests.token_models import make_onnx

PROGRESS = IndexProgress(done=1, total=3, current="a.md", chunks=4)


def done(**fields: object) -> IndexDone:
    plain = {"files": 3, "chunks": 9, "vectors": 9, "vectors_pending": 0, "added": 3, "changed": 0, "removed": 0}
    return IndexDone(**{**plain, "unchanged": 0, "seconds": 1.25, **fields})  # type: ignore[arg-type]


def test_the_report_gives_every_count(shell: Shell) -> None:
    ran = shell.run("index", "@", script=[PROGRESS, done(notes=("Made anew.",))])
    assert ran.code == 0
    assert ran.out == ("3 files, 9 chunks, 9 vectors in 1.2 s\n3 added, 0 changed, 0 removed, 0 unchanged\n")
    assert ran.err == "Made anew.\n"


def test_json_is_lines_in_the_promised_shapes(shell: Shell) -> None:
    note = FileNote("old.zip", "binary")
    script: list[Event] = [
        PROGRESS,
        done(left_out=(note,), warnings=(FileWarning(path="b.md", warning="guessed encoding"),)),
    ]
    progress, end = shell.run("index", "@", "--json", script=script).rows
    assert progress == {"event": "progress", "done": 1, "total": 3, "current": "a.md", "chunks": 4}
    promised = (
        "event files chunks vectors vectors_pending added changed removed unchanged left_out failed warnings "
        "notes_failed seconds"
    )
    assert list(end)[: len(promised.split())] == promised.split()
    assert end["left_out"] == [{"path": "old.zip", "reason": "binary"}]
    assert end["warnings"] == [{"path": "b.md", "warning": "guessed encoding"}]


@pytest.mark.parametrize("text_only", [True, False])
def test_text_only_reaches_the_engine(shell: Shell, text_only: bool) -> None:
    words = ["index", "@", "--text-only"] if text_only else ["index", "@"]
    assert shell.run(*words, script=[done()]).engine.asked[-1] == Index(text_only=text_only)


def test_files_that_failed_are_named_and_the_exit_code_is_3(shell: Shell) -> None:
    failed = (FileError(path="bro\x1bken.pdf", error="it cannot be read: Permission denied"),)
    ran = shell.fails(3, "index", "@", script=[done(failed=failed, left_out=(FileNote("z.zip", "binary"),))])
    assert "! bro␛ken.pdf: it cannot be read: Permission denied\n" in ran.out
    assert "\n- left out (1)  ! failed (1)\n" in ran.out
    assert "- z.zip: binary\n" in ran.out
    assert "1 file could not be read" in ran.err


def test_missing_vectors_are_told(shell: Shell) -> None:
    assert "7 vectors still to be made" in shell.run("index", "@", script=[done(vectors_pending=7)]).out


def test_what_its_vectors_will_lack_is_told_once_and_before_they_are_made(shell: Shell) -> None:
    def script(request: Request) -> list[Event]:
        if isinstance(request, Status):
            return [FolderNews(state=IndexState(vector_notes=("Chunks can be too long.",)))]
        return [PROGRESS, done(notes=("Chunks can be too long.", "2 texts were embedded in parts."))]

    ran = shell.run("index", "@", script=script)
    assert ran.engine.asked == [Status(), Index()]
    told = [line for line in ran.err.splitlines() if "Chunks" in line or "parts" in line]
    assert told == ["Chunks can be too long.", "2 texts were embedded in parts."]
    assert "Chunks" not in shell.run("index", "@", "--text-only", script=[done()]).err


def test_a_folder_with_nothing_to_read_is_exit_4_after_the_report(shell: Shell) -> None:
    note = FileNote("z.zip", "binary")
    ran = shell.fails(4, "index", "@", script=[done(files=0, chunks=0, vectors=0, added=0, left_out=(note,))])
    assert "- z.zip: binary" in ran.out
    assert "nothing to read" in ran.err


def test_a_failure_is_exit_1(shell: Shell) -> None:
    failed = Failed(message="No space is left on the disk.", hint="Free some.", kind="StoreError")
    shell.fails(1, "index", "@", "--json", script=[PROGRESS, failed])


def test_an_engine_that_vanishes_is_told(shell: Shell) -> None:
    assert "before the index was done" in shell.fails(1, "index", "@", script=[PROGRESS]).err


def test_ctrl_c_says_that_what_is_done_is_kept(shell: Shell) -> None:
    def script(_: object):  # type: ignore[no-untyped-def]
        yield PROGRESS
        raise KeyboardInterrupt

    assert "kept" in shell.fails(130, "index", "@", script=script).err


def test_a_data_directory_that_cannot_be_made_is_exit_1(shell: Shell) -> None:
    (shell.folder.parent / "file").write_text("x", "utf-8")
    ran = shell.fails(1, "index", "@", "--data-dir", str(shell.folder.parent / "file" / "data"))
    assert "data_dir" in ran.err
    assert ran.engine.asked == []


@pytest.mark.parametrize(
    ("vectors", "said"),
    [
        (RecutCost(vectors=1200, vector_seconds=80.0), ", then 1,200 vectors in 80 s"),
        (RecutCost(vectors=1200), ", then 1,200 vectors, at the speed of their model"),
        (RecutCost(), ""),
    ],
)
def test_flags_that_say_how_files_are_cut_reach_the_engine_before_the_run(
    shell: Shell, vectors: RecutCost, said: str
) -> None:
    def script(request: Request) -> list[Event]:
        if isinstance(request, Recut):
            return [replace(vectors, files=3, chunks=12, seconds=2.4)]
        return [done()]

    ran = shell.run("index", "@", "--strategy", "sentence", "--size", "300", "--delimiters", "。 !", script=script)
    assert ran.code == 0
    options = ChunkOptions(strategy="sentence", size=300, delimiters=("。", "!"))
    assert ran.engine.asked == [Recut(options=options), Status(), Index()]
    assert ran.err == f"Cutting 3 files anew by sentence: about 12 chunks in 2 s{said}.\n"


def test_the_folders_own_choice_stays_where_a_flag_says_nothing_else(shell: Shell) -> None:
    shell.run("index", "@", script=[done()])
    (places, _), *_ = shell.opened
    kept = {"choices": {"chunk.strategy": "sentence", "chunk.size": 300}}
    (places.data / "folder.json").write_text(json.dumps(kept), "utf-8")
    script: list[Event] = [RecutCost(same=True), done()]
    asked = shell.run("index", "@", "--maximum", "400", script=script).engine.asked
    assert asked[0] == Recut(options=ChunkOptions(strategy="sentence", size=300, maximum=400))
    asked = shell.run("index", "@", "--strategy", "fixed", script=script).engine.asked
    assert asked[0] == Recut(options=ChunkOptions(strategy="fixed"))


def test_a_flag_of_no_use_or_out_of_its_bounds_never_reaches_the_engine(shell: Shell) -> None:
    assert "no use of --depth" in shell.fails(2, "index", "@", "--strategy", "fixed", "--depth", "2").err
    assert "0 to 5" in shell.fails(2, "index", "@", "--overlap-sentences", "9").err
    refused = Failed(message="The size is 9.", hint="Choose 128 to 8192.", kind="ChunkingValueError")
    shell.fails(2, "index", "@", "--strategy", "fixed", "--size", "9", script=[refused])


def test_a_face_is_told_that_the_index_is_made_otherwise_than_its_settings_say(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell.run("index", "@", script=[done()])
    (places, _), *_ = shell.opened
    made = {"made_of": {"chunk.strategy": "fixed", "chunk.levels": [1, 2]}}
    choices = {"choices": {"chunk.strategy": "fixed", "chunk.levels": [1, 2]}}
    (places.data / "folder.json").write_text(json.dumps(made | choices), "utf-8")
    assert shell.run("index", "@", script=[done()]).err == ""
    monkeypatch.setenv("LENS_TUI_EMBEDDER", "other")
    monkeypatch.setenv("LENS_TUI_CHUNK_SIZE", "300")
    told = shell.run("index", "@", script=[done()]).err
    assert "The index is made with chunk.size not set, not 300 as your settings say" in told
    assert "lens-tui index --help" in told
    assert "The index is made with embedder not set, not other as your settings say" in told


def test_what_makes_vectors_otherwise_is_taken_over_by_an_engine_anew(shell: Shell, tmp_path: Path) -> None:
    make_onnx(tmp_path / "tiny")

    def script(request: Request) -> list[Event]:
        if isinstance(request, Recut):
            return [RecutCost(reopens=True, files=3, chunks=12, vectors=12)]
        return [done()]

    ran = shell.run("index", "@", "--late", "--embedder", str(tmp_path / "tiny"), script=script)
    assert ran.code == 0
    assert ran.err == "Vectors are made otherwise from now on: 12 chunks to go through.\n"
    recut = Recut(options=ChunkOptions(late=True), embedder=str(tmp_path / "tiny"))
    assert ran.engine.asked == [recut, Leave(), Status(), Status(), Index()]
    assert len(shell.opened) == 2, "the second time it is another engine that is opened"
    shell.opened.clear()
    shell.run("index", "@", "--size", "300", script=lambda request: [done()] if isinstance(request, Index) else [])
    assert len(shell.opened) == 1


@pytest.mark.parametrize(
    ("flags", "code", "said"),
    [
        (("--late",), 2, "Late chunking needs a vector for each token"),
        (("--late", "--embedder", "builtin"), 2, "Late chunking needs a vector for each token"),
        (("--embedder", "./nowhere"), 1, "nowhere has no tokenizer.json"),
    ],
)
def test_what_cannot_make_vectors_never_becomes_the_folders_choice(
    shell: Shell, flags: tuple[str, ...], code: int, said: str
) -> None:
    assert said in shell.fails(code, "index", "@", *flags).err
    assert shell.opened == []
