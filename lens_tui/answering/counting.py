"""Counting a prompt part by part, each once: it is tried with fewer and fewer excerpts, and told by its parts."""

from collections.abc import Sequence

from lens_tui.answering.prompt import BETWEEN, shown, user_message
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
        between = self.count(BETWEEN) * max(0, len(excerpts) - 1)
        return self.count(user_message(question, ())) + between + sum(self.count(shown(each)) for each in excerpts)
