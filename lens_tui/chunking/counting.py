"""A document's tokens, found once for all the questions that cutting it asks."""

import re
from bisect import bisect_left
from collections.abc import Sequence

from lens_tui.protocols import Tokenizer
from lens_tui.types import Document

SLACK = 16
"""Tokens that a piece counted alone never has more than in its place: its edges can only tear a token each."""

EDGE = 160
"""Characters at each end of a piece in which a word's end is looked for, to count only those anew."""

SHORT = 120
"""Characters of a piece that is as soon counted as a whole."""

_WORD_END = r"[^\W\d_](?=[\s!-&(-/:-@\[-`{-~、。，])"
_FIRST_WORD_END = re.compile(_WORD_END)
_LAST_WORD_END = re.compile(f".*{_WORD_END}", re.DOTALL)
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

    def token(self, at: int) -> int:
        """Number of the first token that begins at ``at`` or later."""
        return bisect_left(self._starts, at - self._base)

    def offset(self, token: int) -> int:
        """Where a token begins; the body's end beyond the last one."""
        return self._starts[token] + self._base if token < len(self._starts) else self.stop

    def between(self, start: int, end: int) -> int:
        """Tokens of the whole text that begin in ``text[start:end]``."""
        first = bisect_left(self._starts, start - self._base)
        return bisect_left(self._starts, end - self._base, first) - first

    def alone(self, start: int, end: int) -> int:
        """Tokens of ``text[start:end]`` counted alone: by its first and last words where the rest is known."""
        text = self.text
        if self._by_words and end - start > SHORT:
            # A slash does not, as o200k_base has tokens of a line's end and what comments begin with.
            begins_line = start == self._base or (text[start - 1] == "\n" and text[start] != "/")
            first = None if begins_line else _FIRST_WORD_END.search(text, start, start + EDGE)
            last = _LAST_WORD_END.match(text, max(start, end - EDGE), end + 1)
            if last and (begins_line or first):
                after, before = first.end() if first else start, last.end()
                if after <= before:
                    return self._edge(start, after) + self.between(after, before) + self._edge(before, end)
        return self._count(text[start:end])

    def fits(self, start: int, end: int, most: int) -> bool:
        """Whether ``text[start:end]``, counted alone, has at most ``most`` tokens; counts only where that is close."""
        if end <= self.sure(self.token(start), most):
            return True
        return self.between(start, end) <= most and self.alone(start, end) <= most

    def sure(self, token: int, most: int) -> int:
        """Up to where what begins with a token has at most ``most`` of them, however it is counted; 0: nowhere."""
        return self.offset(token + most - SLACK) if most >= SLACK else 0

    def _edge(self, start: int, end: int) -> int:
        """Tokens of a piece's first or last words."""
        return self._count(self.text[start:end]) if start < end else 0

    def visible(self, at: int) -> int:
        """First visible character from ``at`` on; the body's end where there is none."""
        found = _VISIBLE.search(self.text, at, self.stop)
        return found.start() if found else self.stop

    def trimmed(self, start: int, end: int) -> int:
        """``end`` without the white space before it; ``start`` where all is white."""
        return start + len(self.text[start:end].rstrip())
