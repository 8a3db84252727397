"""Has the chat model write a note for each chunk that lacks one, a file at a time, behind everything else.

What is written is kept at once, for the person; a file's chunks get their notes together, once the last is there.
"""

import logging
import time
from collections.abc import Callable
from typing import Protocol

from lens_tui.chunking.contextual import NoteOptions, noted, section_of
from lens_tui.errors import ChunkModelError, FileUnreadable, ModelError, Stopped
from lens_tui.options import ChunkOptions
from lens_tui.protocols import Cancel, SearchBackend, Tokenizer
from lens_tui.types import Chunk, Document, Span

LOG = logging.getLogger(__name__)

RETRY_SECONDS = 30.0
"""Pause after no model could be had: a server is started again within minutes."""

STEP_SECONDS = 1.0
"""Work of one step: how often progress moves where notes are cheap."""


class Writer(Protocol):
    """Writes notes."""

    def note(self, document: Document, chunk: Chunk, section: Span | None, cancel: Cancel) -> str:
        """The note of one chunk, which opens a section. Raises ChunkModelError, ModelError or Stopped."""


class Noting:
    """Goes through the files whose chunks lack notes; one step at a time, from one thread."""

    def __init__(
        self,
        backend: SearchBackend,
        read: Callable[[str], Document],
        options: Callable[[], ChunkOptions],
        tokenizer: Tokenizer,
        writer: Callable[[ChunkOptions], Writer],
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Take where chunks are kept, what reads a file as it is now, how the folder is cut, and what opens a model."""
        self._backend, self._read, self._options = backend, read, options
        self._tokenizer, self._writer, self._clock = tokenizer, writer, clock
        self._hand: tuple[Document, list[Chunk], int] | None = None
        self._through: dict[str, tuple[str, int]] = {}
        self._retry_at = 0.0
        self._cut_by: ChunkOptions | None = None
        self._left, self._looked = 0, False
        self.problem = ""
        """A sentence where no note can be written now."""

    @property
    def failed(self) -> int:
        """Chunks that are indexed without a note because the model failed at them, until they are read anew."""
        return sum(count for _, count in self._through.values())

    @property
    def left(self) -> int:
        """Chunks that lack a note and are not given up; at least 1 where that is not known yet."""
        options = self._options()
        if not (options.contextual or options.summaries):
            return 0
        return self._left if self._looked else max(self._left, 1)

    def look(self) -> None:
        """Files have changed: there may be more to do."""
        self._looked = False

    def step(self, cancel: Cancel) -> int:
        """Write the next notes. Returns how many chunks were gone through; 0 when none is left.

        Where no model can be had, ``problem`` says so, and it is tried again after ``RETRY_SECONDS``.
        """
        options = self._options()
        if not (options.contextual or options.summaries):
            self._left, self._hand, self.problem = 0, None, ""
            return 0
        if options != self._cut_by:
            # Other chunks, or another model or template: what failed then says nothing of now.
            self._cut_by, self._hand, self._retry_at = options, None, 0.0
            self._through.clear()
        if self._clock() < self._retry_at:
            return 0
        try:
            done = self._some(options, cancel)
        except ModelError as error:
            self.problem = f"{error.message} {error.hint}".strip()
            self._retry_at = self._clock() + RETRY_SECONDS
            return 0
        self.problem = ""
        return done

    def _some(self, options: ChunkOptions, cancel: Cancel) -> int:
        began, done = self._clock(), 0
        writer: Writer | None = None
        while not cancel.cancelled and (not done or self._clock() - began < STEP_SECONDS):
            hand = self._hand or self._next()
            if hand is None:
                break
            writer = writer or self._writer(options)
            self._hand = hand
            try:
                self._hand = self._one(hand, writer, cancel)
            except Stopped:
                break
            done += 1
            self._left = max(self._left - 1, 0)
            if self._hand is not None and self._hand[2] == len(self._hand[1]):
                self._finish(*self._hand[:2])
        return done

    def _next(self) -> tuple[Document, list[Chunk], int] | None:
        """The next file with chunks that lack notes, as it is on the disk."""
        waiting = self._backend.without_note()
        left = sum(waiting.values())
        for path, (checksum, _) in list(self._through.items()):
            kept = self._backend.indexed().get(path)
            if kept is None or kept.checksum != checksum or path not in waiting:
                del self._through[path]
            else:
                left -= waiting[path]
        self._left, self._looked = left, True
        for path in waiting:
            if path in self._through:
                continue
            chunks = list(self._backend.chunks_of(path))
            try:
                document = self._read(path)
            except FileUnreadable:
                left -= waiting[path]
                self._left = left
                continue
            if chunks and chunks[0].checksum == document.checksum:
                return document, chunks, 0
        return None

    def _one(
        self, hand: tuple[Document, list[Chunk], int], writer: Writer, cancel: Cancel
    ) -> tuple[Document, list[Chunk], int]:
        document, chunks, at = hand
        if not NoteOptions.of(self._options()).wants(chunks[at]):
            return document, chunks, at + 1
        try:
            note = writer.note(document, chunks[at], section_of(chunks, at), cancel)
        except ChunkModelError as error:
            LOG.warning("%s, chunk %d, has no note: %s", document.path, at, error.message)
        else:
            chunks[at] = noted(chunks[at], note, self._tokenizer)
        return document, chunks, at + 1

    def _finish(self, document: Document, chunks: list[Chunk]) -> None:
        """Put the noted chunks in the place of the bare ones, unless the file has changed meanwhile."""
        self._hand = None
        wants = NoteOptions.of(self._options()).wants
        failed = sum(not chunk.contextualized and wants(chunk) for chunk in chunks)
        noted_ones = sum(chunk.contextualized for chunk in chunks)
        if noted_ones < len(chunks):
            self._through[document.path] = (document.checksum, failed)
        try:
            now = self._read(document.path)
        except FileUnreadable:
            return
        if now.checksum == document.checksum and noted_ones:
            self._backend.replace(now, chunks)
