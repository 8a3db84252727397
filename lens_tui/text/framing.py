"""The words that an embedding model wants around what it is given."""

SPAN = "{span}"
"""The frame of vectors that are made of a span of their whole document: a chunk's own text does not make them."""

TEXT = "{text}"
"""The frame of a model that is given passages as they are."""


def framed(frame: str, text: str, title: str = "") -> str:
    """Put a text (and its file's title) into a frame; braces in either are only braces."""
    before, _, after = frame.partition(TEXT)
    return before.replace("{title}", " ".join(title.split()) or "none") + text + after
