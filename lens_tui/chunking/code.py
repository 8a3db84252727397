"""Source code cut by its grammar: functions and types whole where they fit, longer ones between their parts."""

from collections.abc import Sequence
from typing import ClassVar

from lens_tui.chunking.code_grammars import KNOWN, GrammarError, trees
from lens_tui.chunking.code_names import FUNCTION_VALUES, FUNCTIONS, heading_of
from lens_tui.chunking.code_tree import Walk
from lens_tui.chunking.groups import Grouping
from lens_tui.chunking.packing import Packer
from lens_tui.chunking.placing import cut_of
from lens_tui.chunking.sizes import COMMON_OPTIONS, sizes_of
from lens_tui.errors import ChunkingValueError
from lens_tui.options import DEFAULTS, ChunkOptions
from lens_tui.protocols import Tokenizer
from lens_tui.text.languages import language_of
from lens_tui.types import Cut, Document, Span

SIZE = 384
"""ChocoBuilder's size, in tokens."""

MINIMUM = 64
"""Tokens under which a definition joins its neighbours: some five lines, such as a getter."""


class CodeChunker:
    """Cuts source code; the strategy ``code``. What is no code, or of no known language, it cuts by paragraph."""

    strategy = "code"
    takes: ClassVar[frozenset[str]] = COMMON_OPTIONS

    def __init__(self, tokenizer: Tokenizer, options: ChunkOptions = DEFAULTS) -> None:
        """Take the sizes: size > overlap ≥ 0.

        Raises:
            ChunkingValueError: One is out of its bounds, or the language has no grammar here.
        """
        self._sizes = sizes_of(options, size=SIZE, overlap="0", minimum=MINIMUM)
        self._tokenizer = tokenizer
        self._language = options.language
        if self._language and self._language not in KNOWN:
            raise ChunkingValueError(
                f"There is no grammar of {self._language!r}.", hint=f"Known languages: {', '.join(KNOWN)}."
            )

    @property
    def largest(self) -> int:
        """See ``Strategy``."""
        return self._sizes.size

    def told(self, document: Document) -> str:
        """Its name and sizes, or those of ``paragraph`` where that cuts this document."""
        return self._sizes.told("code" if self._language_of(document) in KNOWN else "paragraph")

    def chunk(self, document: Document) -> Cut:
        """Cut a document; takes linear time.

        A function, class or interface of at most the size is in one chunk, with the comments, attributes and
        decorators before it where they fit too. A longer class is cut between its members, a longer function between
        statements, a longer statement between its parts, and only what has none as text is. Definitions under the
        minimum go together. A chunk's heading has the names of what it is in and of the definitions that make up half
        of it. Source with mistakes is cut all the same; what is not source is cut by paragraph, with a warning, and
        its chunks name that strategy.
        """
        language = self._language_of(document)
        packer = Packer(document, self._tokenizer, self._sizes)
        if packer.counted.start == packer.counted.stop:
            return cut_of(document, self.strategy, (), self._sizes.size)
        why = f"There is no grammar of {language}" if language else "It is no source code of a known language"
        if language in KNOWN:
            try:
                return self._by_grammar(document, language, packer)
            except GrammarError as error:
                why = str(error)
        spans = packer.joined(packer.cut(packer.counted.start, packer.counted.stop))
        warning = f"{why}, so it is cut by paragraph."
        return cut_of(document, "paragraph", list(packer.pieces(spans)), self._sizes.size, (warning,))

    def _by_grammar(self, document: Document, language: str, packer: Packer) -> Cut:
        stretches = [
            stretch
            for base, root in trees(document.text, language)
            for stretch in Walk(packer.counted, self._sizes.size, base).stretches(root)
        ]
        grouping = Grouping(packer)
        groups = grouping.groups(stretches)
        pieces = list(packer.pieces(map(grouping.span, groups)))
        return cut_of(
            document, self.strategy, pieces, self._sizes.size, paths=[heading_of(group.parts) for group in groups]
        )

    def _language_of(self, document: Document) -> str:
        if document.kind not in ("text", "code"):
            return ""
        return self._language or language_of(document.path, document.text[:200].partition("\n")[0])


def functions_of(document: Document) -> Sequence[Span]:
    """Where functions stand in source code, in order of their beginnings, one in another both; none in other texts.

    Raises nothing: what cannot be parsed has none.
    """
    language = language_of(document.path, document.text[:200].partition("\n")[0])
    if language not in KNOWN:
        return ()
    spans: list[Span] = []
    kinds = FUNCTIONS | FUNCTION_VALUES
    try:
        for base, root in trees(document.text, language):
            waiting = [root]
            while waiting:
                node = waiting.pop()
                if node.type in kinds:
                    spans.append((base + node.start_byte, base + node.end_byte))
                waiting.extend(reversed(node.named_children))
    except GrammarError:
        return ()
    return spans
