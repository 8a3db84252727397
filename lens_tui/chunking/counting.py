"""A document's tokens, found once for all the questions that cutting it asks."""

import re
from bisect import bisect_left
from collections.abc import Sequence

from lens_tui.protocols import Tokenizer
from lens_tui.types import Document

SLACK = 16
"""Tokens that a piece counted alone never has more than in its place: its edges can only tear a token each."""

EDGE = 40
"""Characters at each end of a piece in which a word's end is looked for, to count only those anew."""

_WORD_END = re.compile(r"[^\W\d_](?=[\s,.;:、。，])")
_AFTER_WORD = frozenset(" \t\n\r\u3000\u00a0,.;:、。，")
_VISIBLE = re.compile(r"\S")


class Counted:
    """A document's body, from its first to its last visible character, and where each of its tokens begins."""

    def __init__(self, document: Document, tokenizer: Tokenizer) -> None:
        """Find the tokens; takes as long as counting them."""
        self.text = document.text
        self._base = document.body_start
        body = document.text[self._base :].rstrip()
        self.stop = self._base + len(body)
        """The body's end."""
        self.start = self.visible(self._base)
        """The body's first visible character; ``stop`` where it is blank."""
        self._starts: Sequence[int] = tokenizer.starts(body)
        self._count = tokenizer.count
        # Other tokenizers may join a word with what follows it, and are asked about every piece as a whole.
        self._by_words = bool(getattr(tokenizer, "ends_tokens_with_words", False))
        self._tail = (-1, -1, 0)
        """The end that was counted last, the end of a word shortly before it, and the tokens between."""

    def token(self, at: int) -> int:
        """Number of the first token that begins at ``at`` or later."""
        return bisect_left(self._starts, at - self._base)

    def offset(self, token: int) -> int:
        """Where a token begins; the body's end beyond the last one."""
        return self._starts[token] + self._base if token < len(self._starts) else self.stop

    def between(self, start: int, end: int) -> int:
        """Tokens of the whole text that begin in ``text[start:end]``."""
        return self.token(end) - self.token(start)

    def alone(self, start: int, end: int) -> int:
        """Tokens of ``text[start:end]`` counted alone: by its first and last words where the rest is known."""
        if self._by_words and end - start > 3 * EDGE:
            after, head = self._to_first_word(start)
            before, tail = self._after_last_word(end)
            if after >= 0 and before >= 0:
                return head + self.between(after, before) + tail
        return self._count(self.text[start:end])

    def fits(self, start: int, end: int, most: int) -> bool:
        """Whether ``text[start:end]``, counted alone, has at most ``most`` tokens; counts only where that is close."""
        tokens = self.between(start, end)
        return tokens <= most and (tokens + SLACK <= most or self.alone(start, end) <= most)

    def _to_first_word(self, start: int) -> tuple[int, int]:
        """A place from which on tokens are those of the whole, -1 where none is near, and the tokens up to there."""
        if start == self._base or self.text[start - 1] == "\n":
            return start, 0
        found = _WORD_END.search(self.text, start, start + EDGE)
        return (found.end(), self._count(self.text[start : found.end()])) if found else (-1, 0)

    def _after_last_word(self, end: int) -> tuple[int, int]:
        """The last end of a word shortly before ``end``, -1 where there is none, and the tokens from there to it."""
        if self._tail[0] != end:
            text, low = self.text, end - EDGE
            at = end
            while at > low and not (text[at - 1].isalpha() and (at == len(text) or text[at] in _AFTER_WORD)):
                at -= 1
            self._tail = (end, at, self._count(text[at:end])) if at > low else (end, -1, 0)
        return self._tail[1:]

    def visible(self, at: int) -> int:
        """First visible character from ``at`` on; the body's end where there is none."""
        found = _VISIBLE.search(self.text, at, self.stop)
        return found.start() if found else self.stop

    def trimmed(self, start: int, end: int) -> int:
        """``end`` without the white space before it; ``start`` where all is white."""
        return start + len(self.text[start:end].rstrip())
