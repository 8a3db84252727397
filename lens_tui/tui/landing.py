"""Where a reader is put in a file, what is marked there and what is said of it, also where the text has moved since."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lens_tui.types import Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Landing:
    """What a citation, a hit or a person's wish says of a file that is opened."""

    line: int | None = None
    """Where to stand, from 1; None for the sentence, else the excerpt, else the first line."""
    word: int | None = None
    """Offset of what was found on that line: a line may be longer than a screen."""
    excerpt: Span | None = None
    """What the model had, in the text as it was answered from."""
    sentence: Span | None = None
    """The sentence that carries the claim, in the same text."""
    words: str = ""
    """That sentence word for word: where the text now says something else there, it is looked for, and never is another
    sentence marked."""
    mark: str = ""
    """The citation as it stands in the answer, its sign included (``[1]``)."""
    why: str = ""
    """What its verdict says, or empty."""
    position: str = ""
    """Which citation of how many (``1 of 3``)."""
    changed: str = ""
    """What happened to the file since the answer, or empty."""
    bold: tuple[Span, ...] = ()
    """Words that a search found, in the file's text."""
    hints: str = "file"
    """The row of the table of hints that holds while nothing is sought in the file."""

    def within(self, text: str) -> Landing:
        """The same in the text as it is now: what has moved is marked where it stands, a lost sentence nowhere."""
        if not (self.sentence and self.words) or text[slice(*self.sentence)] == self.words:
            return self
        place = nearest(text, self.words, self.sentence[0])
        changed = self.changed or "changed after the answer"
        if place is None:
            return replace(
                self,
                excerpt=None,
                sentence=None,
                why=f"when answered: {self.why}" if self.why else "",
                changed=f"{changed}; the sentence that was cited is no longer in it",
            )
        shift, now = place - self.sentence[0], text.count("\n", 0, place) + 1
        moved = f"the sentence moved from line {self.line} to {now}" if self.line else "the sentence moved"
        return replace(
            self,
            line=None,
            excerpt=(self.excerpt[0] + shift, self.excerpt[1] + shift) if self.excerpt else None,
            sentence=(place, place + len(self.words)),
            changed=f"{changed}; {'the sentence is still there' if self.line == now else moved}",
        )

    def offset(self, start: int, end: int) -> int:
        """Where to stand on the line ``text[start:end]``: at the word, sentence or excerpt that begins on it."""
        marked = (self.word, *(span[0] for span in (self.sentence, self.excerpt) if span))
        return next((place for place in marked if place is not None and start <= place <= end), start)


FIRST_LINE = Landing()
"""At a file's beginning, nothing marked and nothing said."""


def nearest(text: str, words: str, near: int) -> int | None:
    """Offset at which ``words`` stand in ``text``, the one nearest to ``near``; None where they do not."""
    before, after = text.rfind(words, 0, near + len(words)), text.find(words, near)
    found = [place for place in (before, after) if place >= 0]
    return min(found, key=lambda place: abs(place - near)) if found else None
