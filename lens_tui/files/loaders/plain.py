"""Plain text of any kind: code, notes, CSV, JSON and whatever else decodes."""

import hashlib

from lens_tui.files.decoding import decode, is_binary
from lens_tui.files.outline import inline_tags
from lens_tui.types import Document

TAGGED = (".txt", ".text")
"""Endings of prose, where ``#word`` is a tag; in code it is a comment, a colour or a directive."""


class PlainLoader:
    """Reads every file that is not binary, without any outline."""

    kind = "text"

    def reads(self, path: str, head: bytes) -> bool:
        """Whether the head is text."""
        return not is_binary(head)

    def load(self, path: str, data: bytes) -> Document:
        """Decode. Raises FileUnreadable where the byte order mark is wrong."""
        decoded = decode(data)
        tags = inline_tags(decoded.text) if path.lower().endswith(TAGGED) else ()
        return Document(
            path=path,
            text=decoded.text,
            checksum=hashlib.sha256(data).hexdigest(),
            kind=self.kind,
            tags=tags,
            encoding=decoded.encoding,
            warnings=decoded.warnings,
        )
