"""What a face may ask about how files are cut, and what comes back."""

from dataclasses import dataclass
from typing import Literal

from lens_tui.options import DEFAULTS, ChunkOptions
from lens_tui.types import Chunk, Lines


@dataclass(frozen=True, slots=True)
class ChunkOutline:
    """A chunk as the chunk lens draws it: everything but its text, which is ``text[start:end]`` of its file."""

    start: int
    end: int
    lines: Lines
    tokens: int
    overlap_before: int = 0
    """Tokens shared with the chunk before, as counted."""
    overlap_after: int = 0
    heading: tuple[str, ...] = ()
    """Titles from the highest heading down to the one that it stands under."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CutFile:
    """Cut one file of the folder otherwise than the index does, which stays as it is. Replies: FileCut."""

    request: Literal["cut"] = "cut"
    path: str
    options: ChunkOptions = DEFAULTS


@dataclass(frozen=True, slots=True, kw_only=True)
class CutText:
    """Cut a text that is no file of the folder. Replies: TextCut.

    An option that has no effect on the strategy is refused.
    """

    request: Literal["cut_text"] = "cut_text"
    text: str = ""
    name: str = "text"
    """What it is called; its ending says what it is, where ``options.type`` does not."""
    options: ChunkOptions = DEFAULTS


@dataclass(frozen=True, slots=True, kw_only=True)
class Recut:
    """Take a way to cut over for the whole folder, kept as its own choice. Replies: RecutCost.

    The files are read and cut anew from then on, while search goes on with what there was; ``Index`` waits for it.
    Options by which the index is cut already change nothing.
    """

    request: Literal["recut"] = "recut"
    options: ChunkOptions = DEFAULTS
    ask: bool = False
    """Only tell what it would cost."""
    embedder: str | None = None
    """What makes the vectors from then on, as the setting names it; None for what does so now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileCut:
    """How a file would be cut."""

    event: Literal["cut"] = "cut"
    path: str
    checksum: str
    """Of the text that was cut: that of a ``FileText`` with the same checksum."""
    told: str
    """What cut it, with its sizes, such as ``fixed 512/64``, also under ``auto``."""
    tokenizer: str
    chunks: tuple[ChunkOutline, ...] = ()
    warnings: tuple[str, ...] = ()
    milliseconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class TextCut:
    """How a text was cut."""

    event: Literal["text_cut"] = "text_cut"
    strategy: str
    """As asked for, ``auto`` too."""
    told: str
    """What cut it, with its sizes, such as ``fixed 512/64``, also under ``auto``."""
    tokenizer: str
    chunks: tuple[Chunk, ...] = ()
    warnings: tuple[str, ...] = ()
    milliseconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RecutCost:
    """What it costs to cut every file of the folder otherwise; all but ``files`` is estimated from some of them."""

    event: Literal["recut"] = "recut"
    same: bool = False
    """The index is cut so already: there is nothing to do."""
    reopens: bool = False
    """It takes another embedder, and so another engine: the choice is kept, and this one is to be asked to leave."""
    files: int = 0
    """To be read and cut anew."""
    chunks: int = 0
    """That they will have."""
    seconds: float = 0.0
    """Until full text is complete."""
    vectors: int = 0
    """To be made anew, since their chunks are other ones."""
    vector_seconds: float | None = None
    """Until those are there too; None where nothing was embedded lately that would tell."""


def outline_of(chunk: Chunk) -> ChunkOutline:
    """A chunk without its text."""
    return ChunkOutline(
        chunk.start,
        chunk.end,
        chunk.lines,
        chunk.tokens,
        chunk.overlap_before,
        chunk.overlap_after,
        chunk.heading,
    )
