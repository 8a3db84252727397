from pathlib import Path

import pytest
from tokenizers import Tokenizer
from tokenizers.models import BPE, WordLevel
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import ByteLevel, Whitespace
from tokenizers.processors import TemplateProcessing

from lens_tui.errors import SettingsError
from lens_tui.text.model_tokens import SEGMENT
from lens_tui.text.tokens import open_tokenizer


def words(directory: Path) -> Path:
    """A tokenizer of words that puts marks around a text and cuts it off after three."""
    vocabulary = {"[UNK]": 0, "[CLS]": 1, "the": 2, "tide": 3, "cafe": 4}
    made = Tokenizer(WordLevel(vocabulary, unk_token="[UNK]"))
    made.normalizer = BertNormalizer(lowercase=True)
    made.pre_tokenizer = Whitespace()
    made.post_processor = TemplateProcessing(single="[CLS] $A", special_tokens=[("[CLS]", 1)])
    made.enable_truncation(3)
    made.enable_padding(length=8)
    file = directory / "tokenizer.json"
    made.save(str(file))
    return file


def bytes_of(directory: Path) -> Path:
    """A tokenizer of bytes, like those of most chat models."""
    alphabet = {letter: at for at, letter in enumerate(sorted(ByteLevel.alphabet()))}
    made = Tokenizer(BPE(alphabet, []))
    made.pre_tokenizer = ByteLevel(add_prefix_space=False)
    file = directory / "tokenizer.json"
    made.save(str(file))
    return file


def test_words_begin_where_they_stand_in_the_text_as_it_was(tmp_path: Path) -> None:
    tokenizer = open_tokenizer(str(words(tmp_path)))
    assert tokenizer.exact
    text = "The  café,  the tide the tide"
    assert list(tokenizer.starts(text)) == [0, 5, 9, 12, 16, 21, 25]
    assert tokenizer.count(text) == 7
    assert tokenizer.count("") == 0


@pytest.mark.parametrize("text", ["", "né 猫 👩‍👩‍👧", "a\ud800b", "word " * 30_000, "x" * 3 * SEGMENT, " \n" * 500])
@pytest.mark.parametrize("make", [words, bytes_of])
def test_there_is_one_start_for_each_token_and_they_ascend_within_the_text(
    tmp_path: Path, make: object, text: str
) -> None:
    tokenizer = open_tokenizer(str(make(tmp_path)))  # type: ignore[operator]
    starts = list(tokenizer.starts(text))
    assert len(starts) == tokenizer.count(text)
    assert starts == sorted(starts)
    assert all(0 <= start < len(text) for start in starts)


def test_a_file_that_changes_is_another_tokenizer(tmp_path: Path) -> None:
    first = open_tokenizer(str(words(tmp_path))).name
    assert open_tokenizer(str(words(tmp_path))).name == first
    assert open_tokenizer(str(bytes_of(tmp_path))).name != first


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("none.json", None, "cannot be read: No such file"),
        ("broken.json", "{", "is no tokenizer.json"),
        ("other.json", '{"a": 1}', "is no tokenizer.json"),
    ],
)
def test_what_is_no_tokenizer_is_told(tmp_path: Path, name: str, content: str | None, said: str) -> None:
    if content is not None:
        (tmp_path / name).write_text(content, "utf-8")
    with pytest.raises(SettingsError, match=said) as caught:
        open_tokenizer(str(tmp_path / name))
    assert caught.value.hint


def test_a_path_must_be_whole_since_the_engine_works_elsewhere() -> None:
    with pytest.raises(SettingsError, match="is no whole path"):
        open_tokenizer("model/tokenizer.json")
