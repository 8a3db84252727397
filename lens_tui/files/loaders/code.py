"""Source code: text in a language that its name or its first line tells."""

from dataclasses import replace

from lens_tui.files.decoding import is_binary
from lens_tui.files.loaders.plain import PlainLoader
from lens_tui.text.languages import language_of
from lens_tui.types import Document


class CodeLoader:
    """Reads source code as the text that it is; what it is made of, only cutting it asks."""

    kind = "code"

    def reads(self, path: str, head: bytes) -> bool:
        """Whether its name, or the program that its first line calls, is that of a language, and the head is text."""
        line = head[:200].partition(b"\n")[0].decode("ascii", "replace")
        return bool(language_of(path, line)) and not is_binary(head)

    def load(self, path: str, data: bytes) -> Document:
        """Decode. Raises FileUnreadable where the byte order mark is wrong."""
        return replace(PlainLoader().load(path, data), kind=self.kind, tags=())
