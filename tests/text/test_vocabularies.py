import base64
import hashlib
import importlib
from pathlib import Path

import pytest

from lens_tui.errors import TokenizerError
from lens_tui.text.tokens import BpeTokenizer
from lens_tui.text.vocabularies import (
    LARGEST,
    VOCABULARIES,
    Vocabulary,
    directories_of,
    find_vocabulary,
    own_directory,
    ranks_of,
    taken_in,
)

ROWS = b"".join(base64.b64encode(bytes([value])) + b" %d\n" % value for value in range(256))
TINY = Vocabulary("tiny", hashlib.sha256(ROWS).hexdigest(), VOCABULARIES["cl100k_base"].pattern)
KNOWN = {"tiny": TINY}


@pytest.mark.parametrize("name", VOCABULARIES)
def test_patterns_addresses_and_checksums_are_those_that_tiktoken_has(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    published = importlib.import_module("tiktoken_ext.openai_public")
    asked: list[tuple[str, str]] = []

    def load(address: str, expected_hash: str) -> dict[bytes, int]:
        asked.append((address, expected_hash))
        return {}

    monkeypatch.setattr(published, "load_tiktoken_bpe", load)
    theirs = getattr(published, name)()
    ours = VOCABULARIES[name]
    assert ours.pattern == theirs["pat_str"]
    assert asked == [(ours.address, ours.sha256)]


def test_a_vocabulary_is_found_under_either_of_its_names() -> None:
    assert VOCABULARIES["cl100k_base"].files == (
        "9b5ad71b2ce5302211f9c61530b329a4922fc6a4",
        "cl100k_base.tiktoken",
    )


def test_a_known_vocabulary_is_kept_and_found_again(tmp_path: Path) -> None:
    own = own_directory(str(tmp_path / "data"))
    file = taken_in(ROWS, own, KNOWN)
    assert file == tmp_path / "data" / "tokenizer" / "tiny.tiktoken"
    directories = directories_of(str(tmp_path / "data"), {"TIKTOKEN_CACHE_DIR": str(tmp_path)})
    assert directories[0] == tmp_path
    assert find_vocabulary(TINY, directories) == file
    assert [one.name for one in own.iterdir()] == ["tiny.tiktoken"]
    assert BpeTokenizer("tiny", ranks_of(file.read_bytes())).count("é") == 2


@pytest.mark.parametrize("data", [b"", ROWS + b"\n", ROWS[:-1], b"<html>"])
def test_what_is_no_known_vocabulary_is_refused_and_not_kept(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(TokenizerError, match="no known vocabulary") as caught:
        taken_in(data, tmp_path / "own", KNOWN)
    assert "tiny" in caught.value.hint
    assert not (tmp_path / "own").exists()


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "own").write_text("a file")
    with pytest.raises(TokenizerError, match="cannot be written"):
        taken_in(ROWS, tmp_path / "own", KNOWN)


def test_a_file_that_is_far_too_large_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "tiny.tiktoken").open("wb") as file:
        file.truncate(LARGEST + 1)
    assert find_vocabulary(TINY, [tmp_path]) is None
