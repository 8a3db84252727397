"""How a file becomes a Document, or a note on why not."""

import hashlib
import os
from pathlib import Path

import pytest

from lens_tui.errors import FileUnreadable
from lens_tui.files.reading import Reader, document_of
from lens_tui.files.scan import Found
from lens_tui.types import Document, FileNote

JAPANESE = (
    "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。何でも薄暗いじめじめした所で泣いていた。\n" * 4
)
CHINESE = "北京是中华人民共和国的首都，也是全国的政治、文化中心。这座城市有三千多年的历史。\n" * 6
RUSSIAN = "Москва является столицей Российской Федерации и крупнейшим городом страны по численности населения.\n" * 6
FRENCH = "L'été dernier, nous étions déjà allés à la plage où les élèves répétaient leur leçon de français.\n" * 6
KOREAN = "대한민국의 수도는 서울이며 인구는 약 천만 명이다. 한강이 도시를 가로질러 흐른다.\n" * 6


def note_of(root: Path, name: str, data: bytes) -> Document | FileNote:
    (root / name).write_bytes(data)
    return Reader(root).read(Found(name, len(data), 0, 0))


def read(root: Path, data: bytes, name: str = "a.txt") -> Document:
    document = note_of(root, name, data)
    assert isinstance(document, Document), document
    return document


def test_a_document_carries_the_checksum_of_its_bytes_and_the_files_state(tmp_path: Path) -> None:
    document = read(tmp_path, b"one\r\ntwo")
    seen = (tmp_path / "a.txt").stat()
    assert document.text == "one\ntwo"
    assert document.checksum == hashlib.sha256(b"one\r\ntwo").hexdigest()
    assert (document.size, document.mtime_ns, document.inode) == (8, seen.st_mtime_ns, seen.st_ino)
    assert (document.path, document.kind, document.encoding, document.warnings) == ("a.txt", "text", "utf-8", ())


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"a\r\nb\rc\nd\r", "a\nb\nc\nd\n"),
        (b"\r\r\n\n", "\n\n\n"),
        (b"\xef\xbb\xbfa", "a"),
        (b"", ""),
        ("a\u2028b\x0c\x85".encode(), "a\u2028b\x0c\x85"),
    ],
)
def test_line_ends_become_lf_and_a_mark_is_no_text(tmp_path: Path, raw: bytes, text: str) -> None:
    assert read(tmp_path, raw).text == text


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "iso2022_jp", "cp932", "euc_jp"])
def test_japanese_is_read_in_every_encoding_it_comes_in(tmp_path: Path, codec: str) -> None:
    assert read(tmp_path, JAPANESE.encode(codec)).text == JAPANESE


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_utf16_without_a_mark_is_told_by_its_nuls(tmp_path: Path, codec: str) -> None:
    assert read(tmp_path, FRENCH.encode(codec)).text == FRENCH


@pytest.mark.parametrize(
    ("text", "codec"),
    [
        (CHINESE, "gb18030"),
        (RUSSIAN, "cp1251"),
        (RUSSIAN, "koi8_r"),
        (FRENCH, "cp1252"),
        (FRENCH, "latin_1"),
        (KOREAN, "cp949"),
    ],
)
def test_legacy_encodings_are_recognised_and_that_is_told(tmp_path: Path, text: str, codec: str) -> None:
    document = read(tmp_path, text.encode(codec))
    assert document.text == text
    assert document.encoding in document.warnings[0]


def test_a_single_accent_is_read_as_windows_1252(tmp_path: Path) -> None:
    assert read(tmp_path, b"the caf\xe9 is open \x93today\x94\n").text == "the café is open “today”\n"


def test_a_stray_byte_in_utf8_is_replaced_and_told(tmp_path: Path) -> None:
    document = read(tmp_path, JAPANESE.encode() + b"\xff" + JAPANESE.encode())
    assert document.text == JAPANESE + "\ufffd" + JAPANESE
    assert document.warnings == ("1 place is not UTF-8, and shown as \ufffd.",)


def test_no_text_holds_a_lone_surrogate(tmp_path: Path) -> None:
    for raw in (b"\xed\xa0\x80" + JAPANESE.encode(), b"\xff\xfe\x00\xd8a\x00b\x00c\x00d\x00e\x00f\x00"):
        document = read(tmp_path, raw)
        assert document.text.encode("utf-8")
        assert "\ufffd" in document.text
        assert document.warnings


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("a.bin", bytes(range(256)) * 4, "binary"),
        ("a.dat", b"text and a \0 NUL", "binary"),
        ("a.txt", b"\x01\x02\x03\x04\x05\x06 abc", "binary"),
        ("a.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "binary, image"),
        ("a.zip", b"PK\x03\x04\x14\0\0\0", "binary, archive"),
        ("a.pdf", b"%PDF-1.7\n%abc\n", "PDF is not read yet"),
        ("no ending", b"%PDF-1.7\n", "PDF is not read yet"),
        ("a.docx", b"PK\x03\x04\x14\0\0\0", "DOCX is not read yet"),
        ("a.md", b"# not\0markdown", "binary"),
    ],
)
def test_what_holds_no_text_is_left_out_with_a_reason(tmp_path: Path, name: str, data: bytes, reason: str) -> None:
    assert note_of(tmp_path, name, data) == FileNote(name, reason)


def test_of_what_holds_no_text_only_the_beginning_is_read(tmp_path: Path) -> None:
    with (tmp_path / "disk.img").open("wb") as file:
        file.truncate(1 << 40)
    left_out = Reader(tmp_path).read(Found("disk.img", 1 << 40, 1, 1))
    assert left_out == FileNote("disk.img", "binary")


def test_a_mark_that_lies_is_unreadable_with_a_next_step(tmp_path: Path) -> None:
    with pytest.raises(FileUnreadable, match=r"a\.txt cannot be read") as caught:
        read(tmp_path, b"\x00\x00\xfe\xff" + b"\xff\xff\xff\xff" * 9)
    assert "UTF-8" in caught.value.hint


def test_a_file_that_is_gone_is_unreadable(tmp_path: Path) -> None:
    with pytest.raises(FileUnreadable, match="gone"):
        Reader(tmp_path).read(Found("a.md", 1, 0, 0))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_unreadable_and_the_hint_is_its_permissions(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("x", encoding="utf-8")
    (tmp_path / "a.md").chmod(0)
    with pytest.raises(FileUnreadable, match="Permission denied") as caught:
        Reader(tmp_path).read(Found("a.md", 1, 0, 0))
    assert "permissions" in caught.value.hint


@pytest.mark.parametrize(
    "path", ["../secret.md", "link/secret.md", "link.md", "/etc/passwd", "a//b", "sub/../../secret.md"]
)
def test_no_path_leads_out_of_the_folder(tmp_path: Path, path: str) -> None:
    (tmp_path / "secret.md").write_text("secret", encoding="utf-8")
    root = tmp_path / "root"
    (root / "sub").mkdir(parents=True)
    (root / "link").symlink_to(tmp_path)
    (root / "link.md").symlink_to(tmp_path / "secret.md")
    with pytest.raises(FileUnreadable):
        Reader(root).read(Found(path, 6, 0, 0))


def test_a_pipe_that_took_a_files_place_does_not_hang(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.md")
    assert Reader(tmp_path).read(Found("a.md", 1, 0, 0)) == FileNote("a.md", "not a file")


def test_a_file_that_grew_past_the_limit_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"x" * 50)
    note = Reader(tmp_path, max_bytes=40).read(Found("a.md", 1, 0, 0))
    assert note == FileNote("a.md", "50 bytes, above the limit of 40 bytes")


def test_a_file_that_changes_while_it_is_read_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a.md"
    file.write_text("old", encoding="utf-8")
    real, calls = os.fstat, []

    def changing(descriptor: int) -> os.stat_result:
        calls.append(descriptor)
        if len(calls) == 2:
            file.write_text("new and longer", encoding="utf-8")
        return real(descriptor)

    monkeypatch.setattr(os, "fstat", changing)
    document = Reader(tmp_path).read(Found("a.md", 3, 0, 0))
    assert isinstance(document, Document)
    assert (document.text, document.size, document.warnings) == ("new and longer", 14, ())


def test_a_file_that_never_holds_still_is_read_with_a_warning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a.md"
    file.write_text("x", encoding="utf-8")
    real = os.fstat

    def growing(descriptor: int) -> os.stat_result:
        with file.open("a", encoding="utf-8") as more:
            more.write("x")
        return real(descriptor)

    monkeypatch.setattr(os, "fstat", growing)
    document = Reader(tmp_path).read(Found("a.md", 1, 0, 0))
    assert isinstance(document, Document)
    assert document.warnings == ("It changed while it was being read.",)


def test_tags_are_read_from_prose_and_not_from_code(tmp_path: Path) -> None:
    assert read(tmp_path, "a #伏線:追跡装置 b".encode(), "a.txt").tags == ("伏線:追跡装置",)
    assert read(tmp_path, b"#include <x>\n #define Y", "a.c").tags == ()


def test_bytes_at_hand_are_read_by_their_name_or_in_the_format_that_is_named() -> None:
    data = b"# Title\n\ntext"
    by_name = document_of("a.md", data)
    plain = document_of("-", data)
    named = document_of("-", data, kind="markdown")
    assert isinstance(by_name, Document)
    assert isinstance(plain, Document)
    assert isinstance(named, Document)
    assert [document.kind for document in (by_name, plain, named)] == ["markdown", "text", "markdown"]
    assert named.headings == by_name.headings
    assert isinstance(document_of("-", b"\0\1\2", kind="markdown"), FileNote)


def test_what_files_are_taken_for_can_change_between_two_of_them(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("# Title\n\ntext", "utf-8")
    kinds = iter(["", "markdown"])
    reader = Reader(tmp_path, kind=lambda: next(kinds))
    plain, typed = reader.read(Found("a.txt", 13, 1, 1)), reader.read(Found("a.txt", 13, 1, 1))
    assert isinstance(plain, Document)
    assert isinstance(typed, Document)
    assert (len(plain.headings), len(typed.headings)) == (0, 1)
