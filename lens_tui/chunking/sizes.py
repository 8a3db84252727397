"""Sizes as people write them, in tokens."""

import re

from lens_tui.errors import ChunkingValueError

_SHARE = re.compile(r"(\d+(?:\.\d+)?)\s*%")


def overlap_tokens(overlap: str, size: int) -> int:
    """Tokens of an overlap that is written as a number of them or as a share of the size, such as ``20%``.

    Raises:
        ChunkingValueError: It is neither.
    """
    text = overlap.strip()
    share = _SHARE.fullmatch(text)
    if share:
        return int(size * float(share[1]) / 100)
    if text.isascii() and text.isdigit():
        return int(text)
    raise ChunkingValueError(
        f"The overlap {overlap!r} is neither a number of tokens nor a share of the size.",
        hint="Write it as 40 or as 20%.",
    )
