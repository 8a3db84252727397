"""What a model was sent for an answer: both messages as they went out, with the tokens of each excerpt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar

from textual.binding import BindingType
from textual.widget import Widget

from lens_tui.text.display import printable
from lens_tui.tui.cells import width_of, wrapped
from lens_tui.tui.ink import signs_of
from lens_tui.tui.keymap import bindings_by_id
from lens_tui.tui.layout.facts import count
from lens_tui.tui.layout.names import model_name
from lens_tui.tui.messages import CopyWish
from lens_tui.tui.screens.page import Page
from lens_tui.tui.widgets.drawn import Lines, Piece

if TYPE_CHECKING:
    from lens_tui.history import PromptSent
    from lens_tui.types import Answered

TABS = 4
"""Columns of a tab: a terminal's own stops would break the rows."""


class SentPage(Page):
    """The two messages, word for word; a history is never among them."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings_by_id("copy")]
    part = "sent"

    def __init__(self, sent: PromptSent, answered: Answered | None) -> None:
        """Show what was sent, and how the server counted it, where it has told."""
        super().__init__()
        self._sent = sent
        self._answered = answered

    def body(self) -> Iterable[Widget]:
        """Lines to scroll."""
        yield Lines(id="sent")

    def on_mount(self) -> None:
        """Read from the top."""
        self.set_focus(self.query_one(Lines))

    def draw(self) -> None:
        """Lay both messages out anew."""
        sent, answered = self._sent, self._answered
        self.title_row.show(
            (("What was sent", "text bold"), (model_name(sent.model), "muted")),
            ((count(len(sent.excerpts), "excerpt"), "muted"),),
        )
        read = answered.prompt_tokens if answered is not None else None
        counted = sent.system_tokens + sent.user_tokens
        used = f"{read:,} tokens read by the model" if read is not None else f"about {counted:,} tokens"
        context = f" · context of {sent.context_tokens:,}" if sent.context_tokens else ""
        self.rule_row.show(signs_of(self).said(f"{used}{context}"))
        width = max(20, self.size.width)
        lines: list[Sequence[Piece]] = list(_head("system", sent.system_tokens))
        lines += _text(sent.system, width)
        lines += [(), *_head("user", sent.user_tokens)]
        tokens = {excerpt.start: count(excerpt.tokens, "token") for excerpt in sent.excerpts}
        lines += _text(sent.user, width, tokens)
        self.query_one(Lines).show(lines)
        super().draw()

    def action_copy(self) -> None:
        """Copy both messages."""
        self.post_message(CopyWish(f"{self._sent.system}\n\n{self._sent.user}", "both messages"))


def _head(name: str, tokens: int) -> Iterable[Sequence[Piece]]:
    yield ((f" {name} message", "text bold"), (f"  about {count(tokens, 'token')}", "muted"))
    yield ()


def _text(text: str, width: int, tokens: Mapping[int, str] = MappingProxyType({})) -> Iterable[Sequence[Piece]]:
    """The text's own lines, wrapped. ``tokens`` has, by the offset of its heading, how long an excerpt is."""
    place = 0
    for line in text.split("\n"):
        shown = printable(line).expandtabs(TABS)
        rows = (
            [f"   {shown[start:end].rstrip()}" for start, end in wrapped(shown, width - 4)] if shown.strip() else [""]
        )
        size = tokens.get(place)
        ink = "text" if size is None else "accent"
        yield from (((row, ink),) for row in rows[:-1])
        gap = width - 1 - width_of(rows[-1]) - len(size or "")
        if size is None:
            yield ((rows[-1], ink),)
        elif gap >= 2:
            yield ((rows[-1], ink), (" " * gap + size, "muted"))
        else:
            yield from (((rows[-1], ink),), ((" " * 3 + size, "muted"),))
        place += len(line) + 1
