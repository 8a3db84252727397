"""Texts too large to be held whole, cut in windows: the same chunks for a little memory.

A window is cut as a text of its own, and of its chunks those are taken that what comes after it cannot change; the next
one begins a little before the first that was not. So the chunks are those of the whole text, with exceptions only where
something is longer than half a window:

- in a paragraph so long a bracket that is never closed may move a border,
- in a fence so long rows of tables and fences of the other kind are kept whole,
- a sentence longer than ``LONGEST`` is cut, and white space as long ends what chunks share.

Headings, pages and parts are not known: the text is taken for plain.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from lens_tui.chunking.borders import LOOK_AHEAD
from lens_tui.chunking.packed import PackedChunker
from lens_tui.chunking.packing import Packer
from lens_tui.chunking.placing import BLANK, LARGE, Piece, large_told, placed
from lens_tui.errors import ChunkingError
from lens_tui.protocols import Chunker
from lens_tui.types import Chunk, Document, Span

WINDOW = 1_000_000
"""Characters that are cut at a time: with their tokens about 20 MB."""

LONGEST = 4 * WINDOW
"""Characters that are held at most, where nothing can be cut off yet."""

CONTEXT = 50_000
"""Characters before a window's first chunk in which a paragraph's beginning is looked for."""

_FENCE = re.compile(r"^[ \t]*(?P<signs>`{3,}+(?=[^`\n]*$)|~{3,}+)(?P<rest>.*)$", re.MULTILINE)
_BLANK_LINE = re.compile(r"\n\n(?=\S)")
_LINE = re.compile(r"\n(?=\S)")
_AFTER_WORD = re.compile(r"(?<=[^\W\d_])(?=[\s,.;:、。，])")


def stream(chunker: Chunker, pieces: Iterator[str], document: Document) -> "Stream":
    r"""Cut a text that comes in pieces.

    Args:
        chunker: One that can stop anywhere and go on: ``fixed``, ``paragraph``, ``sentence`` or ``recursive``.
        pieces: The text without byte order mark, line ends ``\n``, in pieces of any length.
        document: What the chunks are said to be of; its text is not looked at.

    Raises:
        ChunkingError: The chunker needs the whole text.
    """
    if not isinstance(chunker, PackedChunker):
        raise ChunkingError(
            f"The strategy {chunker.strategy} needs the whole text at once.",
            hint="For a text of this length choose fixed, paragraph, sentence or recursive.",
        )
    return Stream(chunker, pieces, document)


@dataclass(frozen=True, slots=True)
class _Window:
    """A stretch of the text that is being cut."""

    text: str
    """Where a fence is open at its beginning, with the line that opens it put before."""
    offset: int
    """Where it begins in the whole text, the line put before counted in."""
    line: int
    """Number of its first line, the one put before counted in."""
    start: int | None
    """Where in it the next chunk's own text begins; None at the beginning of the whole."""
    before: Piece | None
    """The piece before that, in its offsets."""


class Stream(Iterator[Chunk]):
    """The chunks of a text, in order, as soon as they are sure. Read it once."""

    def __init__(self, chunker: PackedChunker, pieces: Iterator[str], document: Document) -> None:
        """Take what ``stream`` takes."""
        self._chunker = chunker
        self._pieces = (piece[at : at + WINDOW] for piece in pieces for at in range(0, len(piece), WINDOW))
        self._ended = False
        self._document = replace(document, text="", headings=(), parts=(), pages=(), body_start=0)
        self._oversize: list[Piece] = []
        self._large: list[int] = []
        """Tokens of chunks that are told as far above the target."""
        self._count = 0
        self._chunks = self._numbered()

    def __next__(self) -> Chunk:
        """The next chunk."""
        return next(self._chunks)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a person should know of the chunks so far; all of it once they are read."""
        blank = () if self._count or not self._ended else (BLANK,)
        return (*self._chunker.warned(self._oversize), *blank, *large_told(self._large, self._chunker.target))

    def _numbered(self) -> Iterator[Chunk]:
        """Chunks with their index, each once it is known what it shares with the next."""
        held: Chunk | None = None
        for chunk in self._located():
            if held is not None:
                yield replace(held, overlap_after=chunk.overlap_before)
            held = replace(chunk, index=self._count)
            self._count += 1
        if held is not None:
            yield held

    def _located(self) -> Iterator[Chunk]:
        """Chunks by window, with offsets and lines in the whole text."""
        window, most = _Window("", 0, 1, None, None), WINDOW
        while True:
            window = replace(window, text=window.text + self._read(most - len(window.text)))
            packer = self._chunker.packer(replace(self._document, text=window.text))
            found, following = self._sure(packer, window, most >= LONGEST)
            for chunk in placed(packer.document, self._chunker.strategy, found):
                yield _moved(chunk, window)
            self._note(found)
            if self._ended and following is None:
                return
            if following is None and most >= LONGEST:
                window, most = _after_blank(window), WINDOW
            elif following is None or not found:
                most *= 2
            else:
                window, most = _next(packer, window, found[-1], following), WINDOW

    def _note(self, found: Iterable[Piece]) -> None:
        for piece in found:
            if piece.tokens > self._chunker.sizes.size:
                self._oversize.append(piece)
            if piece.tokens > LARGE * self._chunker.target:
                self._large.append(piece.tokens)

    def _read(self, wanted: int) -> str:
        """About as many characters as are wanted; fewer only at the text's end."""
        read: list[str] = []
        while wanted > 0 and not self._ended:
            piece = next(self._pieces, None)
            if piece is None:
                self._ended = True
            else:
                read.append(piece)
                wanted -= len(piece)
        return "".join(read)

    def _sure(self, packer: Packer, window: _Window, forced: bool) -> tuple[list[Piece], int | None]:
        """Pieces that the rest of the text cannot change, and where the next one's own text begins; None: nowhere.

        Every decision looks at most at what a piece and the block after it may hold. Where a window is ``forced``, its
        first piece is made to end within it.
        """
        counted = packer.counted
        start = counted.start if window.start is None else counted.visible(window.start)
        sure = counted.stop if self._ended else _sure_until(packer)
        found: list[Piece] = []
        spans = self._chunker.spans(packer, start, window.before)
        for piece in self._chunker.pieces(packer, spans, window.before):
            if piece.end > sure:
                break
            found.append(piece)
        else:
            return found, None
        if not found and forced:
            span = _forced(packer, start, sure if sure > start else counted.stop)
            return list(self._chunker.pieces(packer, [span], window.before)), counted.visible(span[1])
        return found, piece.start


def _sure_until(packer: Packer) -> int:
    """Up to where pieces stay what they are, whatever follows the window: none of a paragraph that may go on."""
    counted = packer.counted
    far = counted.offset(max(0, counted.token(counted.stop) - 3 * packer.sizes.size)) - LOOK_AHEAD
    blank = counted.text.rfind("\n\n", counted.stop // 2, counted.stop)
    return min(far, blank) if blank >= 0 else far


def _forced(packer: Packer, start: int, stop: int) -> Span:
    """The longest span from ``start`` that ends well."""
    return start, packer.borders.end(start, start + (stop - start) // 2, stop, stop)


def _moved(chunk: Chunk, window: _Window) -> Chunk:
    """A chunk of a window as one of the whole text."""
    first, last = chunk.lines
    return replace(
        chunk,
        start=chunk.start + window.offset,
        end=chunk.end + window.offset,
        lines=(first + window.line - 1, last + window.line - 1),
    )


def _after_blank(window: _Window) -> _Window:
    """The window after one whose rest is white."""
    text = window.text
    return _Window("", window.offset + len(text), window.line + text.count("\n"), None, None)


def _next(packer: Packer, window: _Window, before: Piece, start: int) -> _Window:
    """The window that goes on at ``start``, after the piece ``before``."""
    text = window.text
    low = _beginning(packer, before.first)
    opening = _open_fence(text[:low])
    moved = low - len(opening)
    kept = before._replace(first=before.first - moved, start=before.start - moved, end=before.end - moved)
    line = window.line + text.count("\n", 0, low) - opening.count("\n")
    return _Window(opening + text[low:], window.offset + moved, line, start - moved, kept)


def _beginning(packer: Packer, at: int) -> int:
    """Where a window that holds ``at`` may begin, so that it is read there as the whole text is.

    That is a paragraph's beginning outside fences, else a line's, else after a word, else ``at``.
    """
    text, low = packer.counted.text, max(0, at - CONTEXT)
    for border in (_BLANK_LINE, _LINE, _AFTER_WORD):
        found = [match.end() for match in border.finditer(text, low, at + 1)]
        outside = next((place for place in reversed(found) if packer.borders.block(place) is None), 0)
        if outside and border is _BLANK_LINE:
            return outside
        if found:
            return found[-1]
    return at


def _open_fence(text: str) -> str:
    """The line that opens the fence in which a text ends, as sentences are told it; empty where it ends in none."""
    opened = ""
    for found in _FENCE.finditer(text):
        if not opened:
            opened = found["signs"]
        elif found["signs"].startswith(opened) and not found["rest"].strip():
            opened = ""
    return opened + "\n" if opened else ""
