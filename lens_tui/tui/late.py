"""Keeps a terminal's late replies from being typed into the app: Textual would hand them over as keys."""

import string
import time
from collections.abc import Callable, Iterable

from textual import events
from textual.drivers.linux_driver import LinuxDriver
from textual.message import Message

LATE_SECONDS = 5.0
"""How long after the start a reply may still come; then every key passes at once."""
LONGEST = 48
"""Characters that a reply has at most; a longer run of keys is no reply."""
_COLOUR = set(string.hexdigits + "rgba:/;")
_NUMBERS = set(string.digits + ";")


class Sieve:
    """Holds back keys that spell a reply to our questions, and drops them once they do.

    Textual spells what it does not know, an ESC as ``^``, as Alt of the key that follows, or not at all.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Hold nothing; ``clock`` gives seconds."""
        self._clock = clock
        self._until = clock() + LATE_SECONDS
        self._held: list[Message] = []
        self._spelt = ""

    def pass_on(self, message: Message) -> Iterable[Message]:
        """The messages that go on to the app now, in order."""
        if not isinstance(message, events.Key) or (not self._held and self._clock() > self._until):
            # News that is no key says nothing of the keys before it.
            return (message,)
        if message.key == "escape" and not self._held:
            # A person's own: Textual never spells a reply's first sign so.
            return (message,)
        spelt = self._spelt + _spell(message)
        state = _state(spelt)
        if state == "no" and self._held:
            held, self._held, self._spelt = self._held, [], ""
            return [*held, *self.pass_on(message)]
        if state == "no":
            return (message,)
        if state == "whole":
            self._held, self._spelt = [], ""
            return ()
        self._held.append(message)
        self._spelt = spelt
        return ()


def _spell(key: events.Key) -> str:
    """What a key stands for in a reply: ESC for ``^``, ESC and the sign for Alt and a key."""
    if key.key == "circumflex_accent" or key.key == "escape":
        return "\x1b"
    if key.key == "ctrl+g":
        return "\x07"
    character = key.character or ""
    if key.key.startswith("alt+"):
        name = key.key.removeprefix("alt+")
        signs = {"right_square_bracket": "]", "left_square_bracket": "[", "backslash": "\\"}
        return "\x1b" + signs.get(name, character or name)
    return character or "\x00"


def _state(spelt: str) -> str:
    """``whole`` for a reply, ``part`` for the beginning of one, else ``no``."""
    bare = spelt.removeprefix("\x1b")
    if len(spelt) > LONGEST:
        return "no"
    if "]11;".startswith(bare) or "[?".startswith(bare):
        return "part"
    if bare.startswith("]11;"):
        body = bare[4:]
        colour = body.removesuffix("\x07").removesuffix("\\").removesuffix("\x1b")
        if not _COLOUR.issuperset(colour):
            return "no"
        return "whole" if body.endswith(("\\", "\x07")) else "part"
    if bare.startswith("[?"):
        body = bare[2:]
        if body.endswith("c") and _NUMBERS.issuperset(body[:-1]):
            return "whole"
        return "part" if _NUMBERS.issuperset(body) else "no"
    return "no"


class PatientDriver(LinuxDriver):
    """Textual's driver for a terminal that has not answered yet (``Terminal.answered``)."""

    _sieve: Sieve | None = None

    def process_message(self, message: Message) -> None:
        """Send on what is no late reply. Called by the thread that reads input, and by no other."""
        if self._sieve is None:
            self._sieve = Sieve()
        for each in self._sieve.pass_on(message):
            super().process_message(each)
