"""Tokens: how many a text has and where each begins, with OpenAI's cl100k_base or, without its vocabulary, an estimate.

Nothing here opens a connection: the vocabulary is used where its file already lies on this machine and its SHA-256 is
right. tiktoken's own loader would download it, and hangs for minutes where a firewall drops packets.
"""

import base64
import hashlib
import os
import re
import stat
import tempfile
from array import array
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from lens_tui.errors import SettingsError
from lens_tui.protocols import Tokenizer

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CL100K = "cl100k_base"
OFFLINE = "offline"

VOCABULARY_FILES = ("9b5ad71b2ce5302211f9c61530b329a4922fc6a4", "cl100k_base.tiktoken")
"""Names that the vocabulary goes by: in tiktoken's cache (SHA-1 of its address), and as published."""

VOCABULARY_SHA256 = "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"
"""Of cl100k_base's vocabulary, as tiktoken itself checks it (tiktoken_ext/openai_public.py)."""

VOCABULARY_BYTES = 4_000_000
"""A larger file is not the vocabulary (1.7 MB) and is not read."""

CL100K_PATTERN = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+"
    r"|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
)
"""How cl100k_base cuts a text before merging bytes, from tiktoken_ext/openai_public.py."""

SEGMENT = 65_536
"""Characters encoded at a time. Merging a run of one piece costs n log n, and 2 MB/s instead of 7 at 5 MB."""

_OFFLINE_PIECES = re.compile(
    "|".join(
        (
            # Most characters of these blocks cost two tokens: an empty match first, then the character's own.
            r"(?=[\u3400-\u4dbf\u4e80-\u4eff\u6400-\u66ff\u8300-\u9fff\uc400-\ud7a3\ue000-\uf8ff\U0001f000-\U0003ffff])",
            r"[\u2e80-\u9fff\uac00-\ud7a3\uff00-\uffef\U0001f000-\U0003ffff]",
            # The rest of a long word.
            r"(?<=[a-zA-Z])[a-z]{1,4}(?![\u00c0-\u024f])",
            r"[^\S\n]?[A-Z]?[a-z]{1,10}(?![\u00c0-\u024f])",
            r"[_./\-(\"'#][a-z]{1,10}(?![\u00c0-\u024f])",
            r" ?[A-Z]{1,4}(?![a-z])",
            # Words with accents are rarer in the vocabulary, and shorter there.
            r" ?[A-Za-z\u00c0-\u024f]{1,3}",
            r"(?<=[\u0400-\u052f])[\u0400-\u052f]{1,2}",
            r" ?[\u0400-\u052f]{1,3}",
            r" ?[^\W\d_]",
            r"\d{1,3}",
            r"[ \t]{0,80}[\r\n]{1,32}",
            r"[ \t]{1,80}(?=[ \t]\S)",
            r"[ \t]{80}",
            r"\s{1,80}(?! )",
            r" ?([-=*_#.~])\1{1,31}\n*",
            r" ?[^\w\s\u2e80-\U0003ffff]{1,3}\n?",
            r".",
        )
    ),
    re.DOTALL,
)

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def vocabulary_directories(environment: Mapping[str, str] = os.environ) -> tuple[Path, ...]:
    """Where the vocabulary may lie, in the order of looking: tiktoken's caches, then lens-tui's own directory."""
    import platformdirs

    named = [environment.get(name, "") for name in ("TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR")]
    directories = [Path(name) for name in named if name]
    directories.append(Path(tempfile.gettempdir()) / "data-gym-cache")
    directories.append(Path(platformdirs.user_data_dir("lens-tui")) / "tokenizer")
    return tuple(directories)


def find_vocabulary(directories: Sequence[Path]) -> Path | None:
    """Return the first vocabulary file whose checksum is right; None where there is none or only damaged ones."""
    for directory in directories:
        for name in VOCABULARY_FILES:
            if _verified(directory / name) is not None:
                return directory / name
    return None


def open_tokenizer(choice: str = "", directories: Sequence[Path] | None = None) -> Tokenizer:
    """Open a tokenizer without ever touching the network.

    Args:
        choice: ``cl100k_base``, ``offline``, or empty for the first where its vocabulary is at hand and undamaged,
            else the second.
        directories: Where to look for the vocabulary; ``vocabulary_directories()`` by default.

    Raises:
        SettingsError: An unknown name, or ``cl100k_base`` by name where its vocabulary is missing or damaged.
    """
    if choice == OFFLINE:
        return OfflineTokenizer()
    if choice not in ("", CL100K):
        raise SettingsError(
            f"There is no tokenizer {choice!r}.",
            hint=f"Known are {CL100K} and {OFFLINE}; leave it out to let us choose.",
        )
    places = vocabulary_directories() if directories is None else tuple(directories)
    file = find_vocabulary(places)
    if file is not None:
        return _open_cl100k(file)
    if choice:
        where = places[-1] if places else "its directory"
        raise SettingsError(
            f"The vocabulary of {CL100K} is not on this machine, or is damaged.",
            hint=f"Put cl100k_base.tiktoken into {where}, or set tokenizer to {OFFLINE}.",
        )
    return OfflineTokenizer()


class BpeTokenizer:
    """Byte-pair tokens of a tiktoken vocabulary. Special tokens in a text count as the ordinary text they are.

    A run of more than ``SEGMENT`` characters without any border between words is cut there, which can add a token.
    """

    exact = True
    ends_tokens_with_words = True
    """A token never reaches from a letter over the space or stop after it: what follows counts the same alone."""

    def __init__(self, name: str, ranks: Mapping[bytes, int], pattern: str = CL100K_PATTERN) -> None:
        """Take a vocabulary (token bytes → rank, every single byte among them); takes 60 ms for cl100k_base."""
        import numpy as np
        import tiktoken

        self.name = name
        self._encoding = tiktoken.Encoding(name, pat_str=pattern, mergeable_ranks=dict(ranks), special_tokens={})
        size = max(ranks.values()) + 1
        # Characters that begin in each token, and whether its first byte continues a character begun before:
        # summed up they give offsets forty times as fast as decoding does.
        self._begins = np.zeros(size, np.int64)
        self._inside = np.zeros(size, np.int64)
        for token, rank in ranks.items():
            self._begins[rank] = sum(byte & 0xC0 != 0x80 for byte in token)
            self._inside[rank] = token[0] & 0xC0 == 0x80

    def count(self, text: str) -> int:
        """Number of tokens in ``text``."""
        if len(text) <= SEGMENT:
            return len(self._encode(text))
        return sum(len(self._encode(text[start:end])) for start, end in _segments(text))

    def starts(self, text: str) -> Sequence[int]:
        """Offset of the character at which each token begins; see ``protocols.Tokenizer``."""
        import numpy as np

        found = array("q")
        for start, end in _segments(text):
            ids = self._encode(text[start:end])
            begun = self._begins[ids]
            offsets = np.cumsum(begun) - begun - self._inside[ids] + start
            found.frombytes(offsets.astype(np.int64).tobytes())
        return found

    def _encode(self, text: str) -> "NDArray[np.uint32]":
        try:
            return self._encoding.encode_to_numpy(text, disallowed_special=())
        except UnicodeEncodeError:
            text = _LONE_SURROGATE.sub("\ufffd", text)
            return self._encoding.encode_to_numpy(text, disallowed_special=())


class OfflineTokenizer:
    """An estimate of cl100k_base's tokens by pieces of words, by script; needs no vocabulary.

    Its counts are, as a share of cl100k_base's: English 1.05, code 1.07, Japanese .97–1.03, Chinese .92–1.12, Korean
    1.07, French .96, Spanish .95, German .86, Russian 1.03 (measured; single texts stray further).
    """

    name = OFFLINE
    exact = False
    ends_tokens_with_words = True

    def count(self, text: str) -> int:
        """Number of pieces in ``text``."""
        return sum(len(_OFFLINE_PIECES.findall(text, start, end)) for start, end in _segments(text))

    def starts(self, text: str) -> Sequence[int]:
        """Offset at which each piece begins; a character that counts as two has its offset twice."""
        found = array("q")
        for start, end in _segments(text):
            found.extend([match.start() for match in _OFFLINE_PIECES.finditer(text, start, end)])
        return found


def _verified(file: Path) -> bytes | None:
    """Return the vocabulary's bytes where the file is there, regular and undamaged."""
    try:
        seen = file.stat()
        if not stat.S_ISREG(seen.st_mode) or seen.st_size > VOCABULARY_BYTES:
            return None
        data = file.read_bytes()
    except (OSError, ValueError):
        return None
    return data if hashlib.sha256(data).hexdigest() == VOCABULARY_SHA256 else None


@lru_cache(maxsize=4)
def _open_cl100k(file: Path) -> Tokenizer:
    data = _verified(file)
    if data is None:
        return OfflineTokenizer()
    rows = (line.split() for line in data.splitlines() if line)
    return BpeTokenizer(CL100K, {base64.b64decode(token): int(rank) for token, rank in rows})


def _segments(text: str) -> Iterator[tuple[int, int]]:
    """Cut a long text where no token spans the cut, so that its parts count what the whole counts."""
    start = 0
    while len(text) - start > SEGMENT:
        end = _border(text, start + SEGMENT // 2, start + SEGMENT)
        yield start, end
        start = end
    if start < len(text) or not text:
        yield start, len(text)


def _border(text: str, low: int, high: int) -> int:
    """Last border between pieces in ``text[low:high]``: before a line's first word or after a word; else ``high``."""
    for at in range(high, low, -1):
        before, after = text[at - 1], text[at]
        if before.isalpha():
            if not after.isalpha():
                return at
        elif before == "\n" and not after.isspace():
            return at
    return high
