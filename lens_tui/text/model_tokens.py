"""Tokens as a model's own ``tokenizer.json`` cuts them, so that sizes are those that the model counts."""

import hashlib
from array import array
from collections.abc import Sequence
from pathlib import Path

from lens_tui.errors import SettingsError

LARGEST = 64_000_000
"""Bytes of a file that is read; the largest in common use has 33 MB."""

SEGMENT = 20_000
"""Characters encoded at a time: some kinds of tokenizer need time or memory that grows faster than the text."""


class ModelTokenizer:
    """Counts with a ``tokenizer.json``; special tokens that a model puts around a text are not counted."""

    exact = True

    def __init__(self, file: Path) -> None:
        """Read the file.

        Raises:
            SettingsError: It is not there, or is no such file.
        """
        import tokenizers

        try:
            data = file.read_bytes() if file.stat().st_size <= LARGEST else b""
            self._tokenizer = tokenizers.Tokenizer.from_str(data.decode("utf-8"))
        except OSError as error:
            raise SettingsError(
                f"The tokenizer {file} cannot be read: {error.strerror}.",
                hint="Set tokenizer to the whole path of a tokenizer.json, or leave it out.",
            ) from error
        except Exception as error:
            reason = str(error).partition("\n")[0][:200]
            raise SettingsError(
                f"{file} is no tokenizer.json: {reason}.", hint="Take it from the directory of a model."
            ) from error
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self.name = f"{file.parent.name}/{file.name} {hashlib.sha256(data).hexdigest()[:12]}"

    def count(self, text: str) -> int:
        """Number of tokens in ``text``."""
        return len(self.starts(text))

    def starts(self, text: str) -> Sequence[int]:
        """Offset of the character at which each token begins; see ``protocols.Tokenizer``."""
        found = array("q")
        for base, part in _parts(text):
            latest = base
            for start, _ in self._tokenizer.encode(part, add_special_tokens=False).offsets:
                # White space that a token holds may be left out of its span, and normalised text may go back.
                latest = max(latest, base + start)
                found.append(latest)
        return found


def _parts(text: str) -> list[tuple[int, str]]:
    """A text in parts that end with white space where they can, and where each begins."""
    parts = []
    start = 0
    while start < len(text):
        end = start + SEGMENT
        if end < len(text):
            border = max(text.rfind(sign, start + SEGMENT // 2, end) for sign in " \n") + 1
            end = border or end
        parts.append((start, text[start:end].encode("utf-8", "replace").decode("utf-8")))
        start = end
    return parts
