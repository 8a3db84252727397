"""Vocabularies of tokens: which are known, where their files may lie, and how one is taken in. Opens no connection."""

import base64
import hashlib
import os
import stat
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from lens_tui.errors import TokenizerError
from lens_tui.places import data_root

PUBLISHED = "https://openaipublic.blob.core.windows.net/encodings"
"""Where OpenAI publishes them, as tiktoken_ext/openai_public.py has it, like the checksums and patterns below."""

LARGEST = 8_000_000
"""Bytes; a larger file is none of the vocabularies (the largest has 3.6 MB) and is not read."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """One encoding of tiktoken's."""

    name: str
    sha256: str
    """Of its file, in hex."""
    pattern: str
    """How it cuts a text before merging bytes."""

    @property
    def address(self) -> str:
        """Where its file is published."""
        return f"{PUBLISHED}/{self.name}.tiktoken"

    @property
    def files(self) -> tuple[str, str]:
        """Names that its file goes by: in tiktoken's cache (SHA-1 of its address), and as published."""
        return hashlib.sha1(self.address.encode(), usedforsecurity=False).hexdigest(), f"{self.name}.tiktoken"


_R50K_PATTERN = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s"
_CL100K_PATTERN = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+"
    r"|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
)
_UPPER, _LOWER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
_ENDING = "(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
_O200K_PATTERN = (
    rf"[^\r\n\p{{L}}\p{{N}}]?{_UPPER}*{_LOWER}+{_ENDING}|[^\r\n\p{{L}}\p{{N}}]?{_UPPER}+{_LOWER}*{_ENDING}"
    r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)

VOCABULARIES: Mapping[str, Vocabulary] = {
    made.name: made
    for made in (
        Vocabulary("cl100k_base", "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7", _CL100K_PATTERN),
        Vocabulary("o200k_base", "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d", _O200K_PATTERN),
        Vocabulary("p50k_base", "94b5ca7dff4d00767bc256fdd1b27e5b17361d7b8a5f968547f9f23eb70d2069", _R50K_PATTERN),
        Vocabulary("r50k_base", "306cd27f03c1a714eca7108e03d66b7dc042abe8c258b44c199a7ed9838dd930", _R50K_PATTERN),
    )
}
"""By name; the first one counts where none is named."""


def own_directory(data_dir: str = "") -> Path:
    """Where lens-tui keeps the vocabularies that it was given. Raises SettingsError for a path that cannot be one."""
    return data_root(data_dir) / "tokenizer"


def directories_of(data_dir: str = "", environment: Mapping[str, str] = os.environ) -> tuple[Path, ...]:
    """Where a vocabulary may lie, in the order of looking: tiktoken's caches, then lens-tui's own directory."""
    named = [environment.get(name, "") for name in ("TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR")]
    caches = [Path(name) for name in named if name]
    return (*caches, Path(tempfile.gettempdir()) / "data-gym-cache", own_directory(data_dir))


def find_vocabulary(vocabulary: Vocabulary, directories: Sequence[Path]) -> Path | None:
    """Return the first file of a vocabulary whose checksum is right; None where there is none or only damaged ones."""
    for directory in directories:
        for name in vocabulary.files:
            if verified(directory / name, vocabulary) is not None:
                return directory / name
    return None


def verified(file: Path, vocabulary: Vocabulary) -> bytes | None:
    """Return a vocabulary's bytes where the file is there, regular and undamaged."""
    try:
        seen = file.stat()
        if not stat.S_ISREG(seen.st_mode) or seen.st_size > LARGEST:
            return None
        data = file.read_bytes()
    except (OSError, ValueError):
        return None
    return data if hashlib.sha256(data).hexdigest() == vocabulary.sha256 else None


def ranks_of(data: bytes) -> dict[bytes, int]:
    """Read a verified vocabulary: token bytes → rank."""
    rows = (line.split() for line in data.splitlines() if line)
    return {base64.b64decode(token): int(rank) for token, rank in rows}


def taken_in(data: bytes, directory: Path, vocabularies: Mapping[str, Vocabulary] = VOCABULARIES) -> Path:
    """Keep the bytes of a known vocabulary, told by their checksum. Returns the file.

    Raises:
        TokenizerError: They are none of the known ones, or cannot be written.
    """
    digest = hashlib.sha256(data).hexdigest()
    vocabulary = next((one for one in vocabularies.values() if one.sha256 == digest), None)
    if vocabulary is None:
        raise TokenizerError(
            f"These {len(data):,} bytes are no known vocabulary, or are damaged (SHA-256 {digest[:12]}…).",
            hint=f"Known are the .tiktoken files of {', '.join(vocabularies)}.",
        )
    file = directory / vocabulary.files[1]
    draft = file.with_suffix(".new")
    try:
        directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        draft.write_bytes(data)
        draft.replace(file)
    except OSError as error:
        raise TokenizerError(
            f"{file} cannot be written: {error.strerror}.", hint="Free some space, or mend its permissions."
        ) from error
    return file
