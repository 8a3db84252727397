"""Every file cut by the strategy that its kind asks for."""

from collections.abc import Iterable
from dataclasses import replace
from typing import ClassVar

from lens_tui.chunking.code import CodeChunker
from lens_tui.chunking.code_grammars import KNOWN
from lens_tui.chunking.markdown import LEVELS, MarkdownChunker
from lens_tui.chunking.paragraph import ParagraphChunker
from lens_tui.chunking.records import RecordsChunker
from lens_tui.options import DEFAULTS, ChunkOptions
from lens_tui.protocols import Chunker, Tokenizer
from lens_tui.text.languages import language_of
from lens_tui.types import Cut, Document, Heading

SIZE = 256
OVERLAP = "0"
"""Tokens of a chunk of a text, with headings or without, where no others are asked for.

Larger ones hold more that was not asked for, smaller ones too little to be found by, and an overlap is read twice: what
stands on both sides of a cut is found by the neighbours' share of the ranking instead (index/matching.py). Of what is
relevant in prose a search reads .929 within 4,000 characters (``char_recall@4000`` of ``lens-tui eval``, mean of long
texts in English, Italian, French, Japanese and Arabic); with ``paragraph``'s own 220/40 .912, with 220/0 .927, 300/0
.923, 100/0 .869. In articles with Markdown's headings it was .948, with ``markdown``'s own 384 .927 (measured without
that share).
"""

TINY = 64
"""Tokens under which neighbouring sections go together: a changelog's versions, a glossary's words.

One line under a heading says little alone, and a search that gives ten hits should not spend them on ten lines.
"""


class AutoChunker:
    """Cuts any file; the strategy ``auto``."""

    strategy = "auto"
    takes: ClassVar[frozenset[str]] = CodeChunker.takes | MarkdownChunker.takes | ParagraphChunker.takes

    def __init__(self, tokenizer: Tokenizer, options: ChunkOptions = DEFAULTS) -> None:
        """Take the options, each strategy those that it knows; ``type`` overrides what a file is taken for.

        Raises:
            ChunkingValueError: One is out of its bounds for one of the strategies.
        """
        size = SIZE if options.size is None else options.size
        sized = replace(options, size=size, overlap=options.overlap or OVERLAP)
        self._tokenizer, self._sized = tokenizer, sized
        # The smallest size first, so that an overlap above it is told with the size that it must be under.
        self._paragraph = ParagraphChunker(tokenizer, sized)
        self._markdown = self._at(options.levels)
        self._code = CodeChunker(tokenizer, options)
        self._records = RecordsChunker(tokenizer, options)
        self._type = options.type
        self._language = options.language

    @property
    def largest(self) -> int:
        """See ``Strategy``."""
        return max(each.largest for each in (self._code, self._records, self._markdown, self._paragraph))

    def told(self, document: Document) -> str:
        """What really cuts this document, with its sizes."""
        return self._for(document).told(document)

    def chunk(self, document: Document) -> Cut:
        """Cut a document as its strategy does; the chunks name that one.

        JSON, CSV and notebooks are cut by member, row and cell, source code by its grammar, other texts at their
        headings, and what has none by paragraph.
        """
        return self._for(document).chunk(document)

    def _for(self, document: Document) -> Chunker:
        if document.parts:
            return self._records
        if self._is_code(document):
            return self._code
        if not document.headings:
            return self._paragraph
        instead = () if self._sized.levels else _instead(document.headings)
        return self._at(instead) if instead else self._markdown

    def _at(self, levels: tuple[int, ...]) -> MarkdownChunker:
        tiny = TINY if self._sized.minimum is None else 0
        return MarkdownChunker(self._tokenizer, replace(self._sized, levels=levels), tiny=tiny)

    def _is_code(self, document: Document) -> bool:
        if self._type or self._language:
            return self._type == "code" or bool(self._language)
        first_line = document.text[:200].partition("\n")[0]
        return document.kind in ("text", "code") and language_of(document.path, first_line) in KNOWN


def _instead(headings: Iterable[Heading]) -> tuple[int, ...]:
    """Levels to cut at where a text leaves the second one out, as many pages do; none where it does not.

    The next lower one that it has stands for it.
    """
    top, second = LEVELS
    used = {heading.level for heading in headings}
    lower = [level for level in used if level > second]
    return () if second in used or not lower else (top, min(lower))
