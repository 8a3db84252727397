"""Counting a prompt part by part, each once: it is tried with fewer and fewer excerpts, and told by its parts."""

from collections.abc import Sequence

from lens_tui.answering.prompt import BETWEEN, NOTHING_FOUND, shown, user_message
from lens_tui.protocols import Tokenizer
from lens_tui.types import Excerpt


class Counting:
    """Counts for one question. Parts counted apart are a token or two more than in one, which errs to the safe side."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        """Count with ``tokenizer``."""
        self._tokenizer = tokenizer
        self._counts: dict[str, int] = {}

    def count(self, text: str) -> int:
        """Tokens of a text."""
        if text not in self._counts:
            self._counts[text] = self._tokenizer.count(text)
        return self._counts[text]

    def user(self, question: str, excerpts: Sequence[Excerpt]) -> int:
        """Tokens of the second message."""
        around = user_message(question, ())
        if not excerpts:
            return self.count(around)
        between = self.count(BETWEEN) * (len(excerpts) - 1)
        return self.count(around.replace(NOTHING_FOUND, "", 1)) + between + sum(map(self.count, map(shown, excerpts)))
