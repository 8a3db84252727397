import codecs
import hashlib
from io import BytesIO

import pytest

from lens_tui.files.decoding import decode
from lens_tui.files.pieces import PIECE, Pieces

TEXTS = {
    "crlf over a border": "a" * (PIECE - 1) + "\r\nb\rc\n",
    "characters over a border": "é" * PIECE + "👩‍👩‍👧‍👦" * 10,
    "plain": "one\ntwo\n",
    "empty": "",
}


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("mark", [b"", codecs.BOM_UTF8])
def test_pieces_are_together_what_the_whole_decodes_to(name: str, mark: bytes) -> None:
    data = mark + TEXTS[name].encode()
    pieces = Pieces(BytesIO(data))
    assert "".join(pieces) == decode(data).text
    assert pieces.checksum == hashlib.sha256(data).hexdigest()
    assert pieces.warnings == ()


@pytest.mark.parametrize("encoding", ["utf-16", "cp932", "cp1252"])
def test_other_encodings_are_told_by_the_beginning(encoding: str) -> None:
    text = {"cp932": "吾輩は猫である。名前はまだ無い。\n", "cp1252": "Der Müller aß Öl für fünf Gäste.\n"}.get(
        encoding, "né\n"
    )
    data = (text * 2000).encode(encoding)
    assert "".join(Pieces(BytesIO(data))) == text * 2000


def test_bytes_of_another_encoding_further_on_are_replaced_and_counted() -> None:
    pieces = Pieces(BytesIO(b"plain words\n" * 500_000 + b"caf\xe9\n" + "\ufffd".encode()))
    text = "".join(pieces)
    assert text.endswith("caf\ufffd\n\ufffd")
    assert pieces.warnings == ("1 place is not UTF-8, and shown as \ufffd.",)


def test_a_binary_has_no_pieces() -> None:
    pieces = Pieces(BytesIO(b"\0\1\2" * 1000))
    assert pieces.binary
    assert list(pieces) == []
