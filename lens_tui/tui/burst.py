"""Keys that come in one burst are handed on one at a time, so that each goes where the one before it led."""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from textual import events
from textual.message_pump import MessagePump

from lens_tui.tui.widgets.question import QuestionBox

if TYPE_CHECKING:
    from textual.app import App

LONGEST_WAIT_SECONDS = 1.0
"""Longest time that keys are held for the one before them; then they go to whatever has the focus."""
ROUNDS = 2
"""Times that the sign of completion goes through each part: once behind the key, once behind what the key caused."""

STARTING = -1
"""In the place of a key's number: what comes before the screen stands would reach no part of it."""


class Burst:
    """Holds keys until the part that took the last one, and all that it bubbles through, are done with it.

    Textual hands a key to the part that has the focus at that moment, while the part before may still be about to
    give the focus away: ``Tab Enter`` sent at once would both reach the question.
    """

    def __init__(self, app: App[int], hand_on: Callable[[events.Event], Awaitable[None]]) -> None:
        """Hold nothing.

        Args:
            app: Whose keys these are.
            hand_on: Gives a key to the part that has the focus.
        """
        self._app = app
        self._hand_on = hand_on
        self._held: deque[events.Event] = deque()
        self._waiting = STARTING
        """Number of the key that is waited for; 0 for none."""
        self._given = 0

    async def begin(self) -> None:
        """Hand on what was held while the app was not standing yet."""
        if self._waiting == STARTING:
            await self._done()

    async def take(self, event: events.Event) -> None:
        """Hand a key or a paste on, now or when the one before it is done with."""
        if not self._waiting:
            await self._give(event)
            return
        if not self._held:
            self._app.set_timer(LONGEST_WAIT_SECONDS, self._lost(self._waiting))
        self._held.append(event)

    async def _give(self, event: events.Event) -> None:
        at = self._app.focused or self._app.screen
        if isinstance(event, events.Key) and event.is_printable and isinstance(at, QuestionBox) and at.text:
            # A letter of a text moves nothing: fast typing pays nothing for what comes after it.
            await self._hand_on(event)
            return
        self._given += 1
        self._waiting = self._given
        # The whole way twice: a binding runs at the end of the first, and what it wishes takes the way again.
        way: list[MessagePump] = [part for part in at.ancestors_with_self for _ in range(ROUNDS)]
        await self._hand_on(event)
        await self._follow(self._given, way * 2, {id(self._app.screen)})

    async def _follow(self, number: int, path: list[MessagePump], seen: set[int]) -> None:
        """Go behind the key through every part that may act on it; a screen that it opened is the last of them."""
        while path:
            part = path.pop(0)
            if part.call_later(self._follow, number, path, seen):
                return
        if self._waiting != number:
            return
        screen = self._app.screen
        if id(screen) not in seen:
            seen.add(id(screen))
            await self._follow(number, [screen] * ROUNDS + [self._app] * ROUNDS, seen)
            return
        await self._done()

    def _lost(self, number: int) -> Callable[[], Awaitable[None]]:
        """What happens where the part that took a key does not come back from it."""

        async def give_up() -> None:
            if self._waiting == number:
                await self._done()

        return give_up

    async def _done(self) -> None:
        self._waiting = 0
        while self._held and not self._waiting:
            await self._give(self._held.popleft())
        if self._held:
            self._app.set_timer(LONGEST_WAIT_SECONDS, self._lost(self._waiting))
