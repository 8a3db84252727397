"""Tokens: how many a text has and where each begins, with OpenAI's cl100k_base or, without its vocabulary, an estimate.

Nothing here opens a connection: the vocabulary is used where its file already lies on this machine and its SHA-256 is
right. tiktoken's own loader would download it, and hangs for minutes where a firewall drops packets.
"""

import re
from array import array
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from lens_tui.errors import SettingsError
from lens_tui.protocols import Tokenizer
from lens_tui.text.vocabularies import VOCABULARIES, Vocabulary, directories_of, find_vocabulary, ranks_of, verified

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CL100K = VOCABULARIES["cl100k_base"]
OFFLINE = "offline"

SEGMENT = 65_536
"""Characters encoded at a time. Merging a run of one piece costs n log n, and 2 MB/s instead of 7 at 5 MB."""

SHORT = 40
"""Characters of a text whose count is kept: the first and last words of pieces are often the same."""

SHORT_KEPT = 10_000
"""Counts that are kept: about 1.5 MB."""

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

_SURROGATE = re.compile("[\ud800-\udfff]")

_POSSESSIVE = re.compile(r"([+*?]|\{\d,\d\})\+")
_LOOK_AHEAD = r"|\s+(?!\S)"


def open_tokenizer(
    choice: str = "",
    directories: Sequence[Path] | None = None,
    *,
    vocabularies: Mapping[str, Vocabulary] = VOCABULARIES,
) -> Tokenizer:
    """Open a tokenizer without ever touching the network.

    Args:
        choice: The name of an encoding, ``offline``, the whole path of a ``tokenizer.json``, or empty for the first
            encoding where its vocabulary is at hand and undamaged, else ``offline``.
        directories: Where to look for vocabularies; those of ``directories_of`` by default.
        vocabularies: The known encodings.

    Raises:
        SettingsError: An unknown name, an encoding by name whose vocabulary is missing or damaged, or a file that is
            no tokenizer.
    """
    if choice == OFFLINE:
        return OfflineTokenizer()
    if choice.endswith(".json"):
        return _open_file(choice)
    vocabulary = vocabularies.get(choice or next(iter(vocabularies)))
    if vocabulary is None:
        raise SettingsError(
            f"There is no tokenizer {choice!r}.",
            hint=f"Known are {', '.join(vocabularies)}, {OFFLINE} and the path of a tokenizer.json; leave it out to let"
            " us choose.",
        )
    places = directories_of() if directories is None else tuple(directories)
    file = find_vocabulary(vocabulary, places)
    if file is not None:
        return _open_vocabulary(file, vocabulary)
    if choice:
        where = places[-1] if places else "its directory"
        raise SettingsError(
            f"The vocabulary of {choice} is not on this machine, or is damaged.",
            hint=f"Fetch it into {where}: lens-tui tokenizer fetch {choice}, or set tokenizer to {OFFLINE}.",
        )
    return OfflineTokenizer()


def _open_file(choice: str) -> Tokenizer:
    from lens_tui.text.model_tokens import ModelTokenizer

    file = Path(choice).expanduser()
    if not file.is_absolute():
        raise SettingsError(
            f"The tokenizer {choice} is no whole path.", hint=f"Write it from the root: {file.absolute()}"
        )
    return ModelTokenizer(file)


class BpeTokenizer:
    """Byte-pair tokens of a tiktoken vocabulary. Special tokens in a text count as the ordinary text they are.

    A run of more than ``SEGMENT`` characters without any border between words is cut there, which can add a token.
    """

    exact = True
    ends_tokens_with_words = True
    """A token never reaches from a letter over a space or sign after it, but for ``'``: the rest counts the same alone.
    """

    def __init__(self, name: str, ranks: Mapping[bytes, int], pattern: str = CL100K.pattern) -> None:
        """Take a vocabulary (token bytes → rank, every single byte among them); takes 60 ms for cl100k_base."""
        import numpy as np
        import tiktoken

        self.name = name
        self._count_short = lru_cache(SHORT_KEPT)(lambda text: len(self._encode(text)))
        size = max(ranks.values()) + 1
        # Without any, tiktoken stops at each character to see that none begins there. This one is never allowed.
        special = {"<|endoftext|>": size}
        self._encoding = tiktoken.Encoding(
            name, pat_str=_eased(pattern), mergeable_ranks=dict(ranks), special_tokens=special
        )
        # Characters that begin in each token, and whether its first byte continues a character begun before:
        # summed up they give offsets forty times as fast as decoding does.
        self._begins = np.zeros(size, np.int16)
        self._inside = np.zeros(size, np.int8)
        for token, rank in ranks.items():
            self._begins[rank] = sum(byte & 0xC0 != 0x80 for byte in token)
            self._inside[rank] = token[0] & 0xC0 == 0x80

    def count(self, text: str) -> int:
        """Number of tokens in ``text``."""
        if len(text) <= SHORT:
            return self._count_short(text)
        if len(text) <= SEGMENT:
            return len(self._encode(text))
        return sum(len(self._encode(text[start:end])) for start, end in _segments(text))

    def starts(self, text: str) -> Sequence[int]:
        """Offset of the character at which each token begins; see ``protocols.Tokenizer``."""
        import numpy as np

        found = array("q")
        for start, end in _segments(text):
            part = text[start:end]
            ids = self._encode(part)
            begun = self._begins.take(ids)
            offsets = np.cumsum(begun, dtype=np.int64)
            offsets -= begun
            if not part.isascii():
                offsets -= self._inside.take(ids)
            offsets += start
            found.frombytes(offsets.tobytes())
        return found

    def _encode(self, text: str) -> "NDArray[np.uint32]":
        try:
            return self._encoding.encode_to_numpy(text, disallowed_special=())
        except UnicodeEncodeError:
            text = _SURROGATE.sub("\ufffd", text)
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


def _eased(pattern: str) -> str:
    """A vocabulary's pattern in a form that cuts alike and makes a pass almost twice as fast.

    tiktoken's engine steps back and forth wherever it meets a possessive quantifier or a look ahead. The former change
    nothing here, as nothing that may follow one matches what it holds; and what stands before the one look ahead goes
    into a group, which is then matched without stepping back.
    """
    easy, look_ahead, rest = pattern.partition(_LOOK_AHEAD)
    easy = _POSSESSIVE.sub(r"\1", easy)
    return f"(?:{easy}){look_ahead}{rest}"


@lru_cache(maxsize=4)
def _open_vocabulary(file: Path, vocabulary: Vocabulary) -> Tokenizer:
    data = verified(file, vocabulary)
    return OfflineTokenizer() if data is None else BpeTokenizer(vocabulary.name, ranks_of(data), vocabulary.pattern)


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
    """Last border between pieces in ``text[low:high]``: before a line's first word or after a word; else ``high``.

    None is before ``'`` or ``/``: o200k_base joins the one to a word, as in ``don't``, and the other to a line's end.
    """
    for at in range(high, low, -1):
        before, after = text[at - 1], text[at]
        if after in "'/":
            continue
        if before.isalpha():
            if not after.isalpha():
                return at
        elif before == "\n" and not after.isspace():
            return at
    return high
