"""The text of a file that is too large to be held whole, in pieces, each decoded as it is read."""

import codecs
import hashlib
import io
import re
from collections.abc import Iterator
from typing import BinaryIO

from lens_tui.files.decoding import HEAD, decode, is_binary, replaced

PIECE = 1_048_576
"""Bytes read at a time."""

SAMPLE = 4_194_304
"""First bytes by which the encoding is told; what follows is taken to be in the same one."""

_SURROGATE = re.compile("[\ud800-\udfff]")


class Pieces(Iterator[str]):
    """The text of an open file as ``decoding.decode`` gives it: line ends LF, no byte order mark. Read it once."""

    def __init__(self, file: BinaryIO) -> None:
        """Look at its beginning, and take its checksum, which reads it once.

        Raises:
            FileUnreadable: Its byte order mark promises an encoding that it is not in.
            OSError: It cannot be read.
        """
        self._file = file
        file.seek(0)
        digest = hashlib.sha256()
        while data := file.read(PIECE):
            digest.update(data)
        self.checksum = digest.hexdigest()
        """SHA-256 of its bytes, in hex."""
        file.seek(0)
        sample = file.read(SAMPLE)
        self.binary = is_binary(sample[:HEAD])
        """Whether it holds no text; then there are no pieces to be had."""
        whole = sample[: sample.rfind(b"\n") + 1] or sample
        self.encoding = "utf-8" if self.binary else decode(whole).encoding
        file.seek(0)
        name = "utf-8-sig" if self.encoding == "utf-8" else self.encoding
        decoder = codecs.getincrementaldecoder(name)("replace")
        self._decoder = io.IncrementalNewlineDecoder(decoder, translate=True)
        self._bad = 0
        self._ended = self.binary

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a person should know of the pieces so far; all of it once they are read."""
        return (replaced(self._bad, self.encoding.upper()),) if self._bad > 0 else ()

    def __next__(self) -> str:
        """The next piece; it may be empty."""
        if self._ended:
            raise StopIteration
        data = self._file.read(PIECE)
        self._ended = not data
        text: str = self._decoder.decode(data, final=self._ended)
        if "\ufffd" in text:
            self._bad += text.count("\ufffd") - data.count(b"\xef\xbf\xbd")
        return _SURROGATE.sub("\ufffd", text)
