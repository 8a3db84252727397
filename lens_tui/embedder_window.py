"""What is said where chunks can be, or were, longer than what makes their vectors reads at once."""

from lens_tui.options import ChunkOptions

_WITH_MAXIMUM = frozenset(("sentence", "semantic"))
"""Strategies whose chunks may be larger than their size, up to a maximum."""


def too_large(options: ChunkOptions, largest: int, embedder: str, window: int | None) -> tuple[str, str]:
    """A sentence and the next step where chunks can be longer than the window; both empty where they cannot.

    Args:
        options: By which files are cut.
        largest: Tokens that a chunk can then have.
        embedder: The name of what makes the vectors.
        window: Tokens that it reads at once; None where that is not known.
    """
    if window is None or largest <= window:
        return "", ""
    flags = f"--size {window}"
    if options.strategy in _WITH_MAXIMUM:
        flags = f"--size {window // 2} --maximum {window}"
    return (
        f"Chunks can have {largest:,} tokens, and {_short(embedder)} reads {window:,} at once: what is longer is"
        " embedded in parts, and their vectors are averaged.",
        f"To have each embedded whole: lens-tui index FOLDER {flags}",
    )


def in_parts(count: int, embedder: str) -> str:
    """A sentence on texts that were embedded in parts; empty where there were none."""
    if not count:
        return ""
    were = "1 text was" if count == 1 else f"{count:,} texts were"
    return f"{were} longer than {_short(embedder)} reads at once: embedded in parts, and averaged."


def _short(embedder: str) -> str:
    """The model's name without where it runs and which version it is."""
    return embedder.partition("/")[2].partition("@")[0] or embedder
