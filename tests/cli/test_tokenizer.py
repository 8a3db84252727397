import base64
import hashlib
from pathlib import Path

import pytest

from lens_tui.text.vocabularies import VOCABULARIES
from tests.cli.running import Shell
from tests.text.serving import served
from tests.text.test_model_tokens import words

ROWS = b"".join(base64.b64encode(bytes([value])) + b" %d\n" % value for value in range(256))


def test_json_tells_which_whether_it_is_exact_and_where_its_vocabulary_lies(shell: Shell, tmp_path: Path) -> None:
    assert shell.run("tokenizer", "--json", "--data-dir", "d").rows in (
        [{"tokenizer": "offline", "exact": False, "vocabulary": None}],
        [
            {
                "tokenizer": "cl100k_base",
                "exact": True,
                "vocabulary": shell.run("tokenizer", "--json").rows[0]["vocabulary"],
            }
        ],
    )


def test_the_estimate_is_told_to_be_one(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LENS_TUI_TOKENIZER", "offline")
    assert shell.run("tokenizer").out.startswith("offline: an estimate")
    assert shell.run("tokenizer", "--json").rows == [{"tokenizer": "offline", "exact": False, "vocabulary": None}]


def test_a_models_own_tokenizer_is_told_and_cuts(shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = words(tmp_path)
    monkeypatch.setenv("LENS_TUI_TOKENIZER", str(file))
    (told,) = shell.run("tokenizer", "--json").rows
    assert (told["exact"], told["vocabulary"]) == (True, str(file))
    assert told["tokenizer"].startswith(f"{tmp_path.name}/tokenizer.json ")
    (tmp_path / "a.txt").write_text("the tide\n\nthe tide the tide", "utf-8")
    *chunks, done = shell.run(
        "chunks", "a.txt", "--strategy", "paragraph", "--size", "4", "--overlap", "0", "--json"
    ).rows
    assert done["tokenizer"] == told["tokenizer"]
    assert [chunk["tokens"] for chunk in chunks] == [2, 4]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("tokenizer", "wash"), "tokenizer cannot wash."),
        (("tokenizer", "import"), "Which file is to be imported?"),
        (("tokenizer", "import", "nothing"), "There is no file nothing."),
        (("tokenizer", "import", "notes"), "notes is a folder, not a file."),
        (("tokenizer", "fetch", "gpt9"), "There is no vocabulary gpt9."),
    ],
)
def test_wrong_words_are_refused(shell: Shell, words: tuple[str, ...], said: str) -> None:
    assert said in shell.fails(2, *words).err


def test_a_file_that_is_no_vocabulary_is_not_kept(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "cl100k_base.tiktoken").write_bytes(ROWS)
    ran = shell.fails(1, "tokenizer", "import", "cl100k_base.tiktoken", "--data-dir", "data")
    assert hashlib.sha256(ROWS).hexdigest()[:12] in ran.err
    assert not (tmp_path / "data" / "tokenizer").exists()


def test_an_encoding_that_is_missing_says_how_to_have_it(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LENS_TUI_TOKENIZER", "r50k_base")
    ran = shell.fails(2, "tokenizer", "--data-dir", "data")
    assert "lens-tui tokenizer fetch r50k_base" in ran.err


@pytest.mark.network
def test_fetch_takes_from_the_address_that_is_named_and_checks_what_comes(shell: Shell) -> None:
    with served() as address:
        wrong = shell.fails(1, "tokenizer", "fetch", "--from", f"{address}/words", "--data-dir", "data")
        missing = shell.fails(1, "tokenizer", "fetch", "--from", f"{address}/missing")
    assert "no known vocabulary" in wrong.err
    assert next(iter(VOCABULARIES)) in wrong.err
    assert "the server says 404" in missing.err
