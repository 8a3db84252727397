"""Cutting what is too large to be held whole: read in pieces, every chunk put out as soon as it is sure."""

import time
from dataclasses import replace
from typing import BinaryIO

from lens_tui.chunk_json import Tally, chunk_event, done_event
from lens_tui.chunk_opening import open_chunker
from lens_tui.chunking.streaming import stream
from lens_tui.cli import output
from lens_tui.cli.drawing import draw, sum_up
from lens_tui.errors import ChunkingError, FileUnreadable
from lens_tui.files.pieces import Pieces
from lens_tui.settings import Settings
from lens_tui.text.tokens import open_tokenizer
from lens_tui.text.vocabularies import directories_of
from lens_tui.types import Document

FOR_AUTO = "paragraph"
"""What cuts a large text where no strategy was chosen."""


def show_large(file: BinaryIO, path: str, settings: Settings, *, as_json: bool) -> None:
    """Print how a large file is cut, as plain text.

    Raises:
        ChunkingError: The strategy needs the whole text.
        FileUnreadable: It holds no text, or cannot be decoded.
    """
    asked = settings.chunking.strategy
    if asked == "auto":
        settings = replace(settings, chunking=replace(settings.chunking, strategy=FOR_AUTO))
    tokenizer = open_tokenizer(settings.tokenizer, directories_of(settings.data_dir))
    # What needs an embedder needs the whole text too, and is refused.
    chunker, _ = open_chunker(settings, tokenizer)
    pieces = Pieces(file)
    if pieces.binary:
        raise FileUnreadable(f"{path} cannot be cut: binary.", hint="Name a file of text.")
    document = Document(path, "", pieces.checksum, encoding=pieces.encoding)
    try:
        chunks = stream(chunker, pieces, document)
    except ChunkingError as error:
        raise type(error)(
            error.message, hint=f"{error.hint} Or set files.max_bytes above its size, to have it held in memory."
        ) from error
    tally, spent, before = Tally(), 0.0, 0
    while True:
        began = time.perf_counter()
        chunk = next(chunks, None)
        spent += time.perf_counter() - began
        if chunk is None:
            break
        tally.add(chunk)
        if as_json:
            output.write_json(chunk_event(chunk))
        else:
            draw(chunk, None, before)
        before = chunk.end
    taken = f"It is above {settings.files_max_bytes:,} bytes, so it was cut in pieces as plain text, without headings."
    warnings = (taken, *pieces.warnings, *chunks.warnings)
    if as_json:
        done = done_event(
            tally,
            strategy=asked,
            told=chunker.told(document),
            tokenizer=tokenizer.name,
            milliseconds=spent * 1000,
            warnings=warnings,
        )
        output.write_json(done)
    else:
        sum_up(tally, chunker.told(document), tokenizer, spent * 1000, warnings)
