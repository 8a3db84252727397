"""The vectors in an answer of ``/api/embed``: counted, checked and made length 1."""

from typing import TYPE_CHECKING

import msgspec

from lens_tui.ollama import faults

if TYPE_CHECKING:
    from lens_tui.protocols import Vectors


class _Body(msgspec.Struct):
    embeddings: list[list[float]] | None = None


def vectors_from(body: bytes, count: int, *, model: str, address: str) -> "Vectors":
    """Read ``count`` vectors of one length; float32, shape (count, dimensions), rows of length 1.

    Raises:
        ModelError: The body is an error of the server's.
        ModelGarbled: Not ``count`` of them, of different lengths, no numbers, or without a direction.
    """
    import numpy as np

    try:
        rows = msgspec.json.decode(body, type=_Body).embeddings or []
    except msgspec.MsgspecError:
        raise faults.garbled(address, faults.described(body)) from None
    words = faults.words_of(body) if len(rows) != count else None
    if words is not None:
        raise faults.from_words(words, model=model, address=address)
    if len(rows) != count:
        raise faults.garbled(address, f"{len(rows)} vectors for {count} texts")
    if len({len(row) for row in rows}) > 1:
        raise faults.garbled(address, "vectors of different lengths")
    if not count:
        return np.zeros((0, 0), np.float32)
    made = np.array(rows, np.float64)
    lengths = np.linalg.norm(made, axis=1, keepdims=True)
    if not np.isfinite(lengths).all() or not made.shape[1] or not (lengths > 0).all():
        raise faults.garbled(address, "vectors that hold no numbers or only zeros")
    unit: Vectors = (made / lengths).astype(np.float32)
    return unit
