"""Every file cut by the strategy that its kind asks for."""

from dataclasses import replace
from typing import ClassVar

from lens_tui.chunking.code import CodeChunker
from lens_tui.chunking.code_grammars import KNOWN
from lens_tui.chunking.markdown import MarkdownChunker
from lens_tui.chunking.paragraph import ParagraphChunker
from lens_tui.chunking.records import RecordsChunker
from lens_tui.options import DEFAULTS, ChunkOptions
from lens_tui.protocols import Chunker, Tokenizer
from lens_tui.text.languages import language_of
from lens_tui.types import Cut, Document

MARKDOWN_SIZE = 256
"""Tokens of a chunk where there are headings and no size is asked for.

Sections of 384 tokens, as ``markdown`` cuts them by itself, hold more that was not asked for: of what is relevant in
articles with Markdown's headings a search reads .927 within 4,000 characters, with 256 tokens .948, and .937 of
paragraphs of 220 tokens with an overlap of 40 (``char_recall@4000`` of ``lens-tui eval``).
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
        sized = options if options.size is not None else replace(options, size=MARKDOWN_SIZE)
        self._code = CodeChunker(tokenizer, options)
        self._records = RecordsChunker(tokenizer, options)
        self._markdown = MarkdownChunker(tokenizer, sized)
        self._paragraph = ParagraphChunker(tokenizer, options)
        self._type = options.type
        self._language = options.language

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
        return self._markdown if document.headings else self._paragraph

    def _is_code(self, document: Document) -> bool:
        if self._type or self._language:
            return self._type == "code" or bool(self._language)
        first_line = document.text[:200].partition("\n")[0]
        return document.kind in ("text", "code") and language_of(document.path, first_line) in KNOWN
