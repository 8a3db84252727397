"""What a keyboard should not send, and Textual (8.2) does not survive, made harmless."""

from codecs import getincrementaldecoder
from functools import partial

from textual import events
from textual._xterm_parser import XTermParser
from textual.drivers import linux_driver
from textual.keys import Keys

_parsed = XTermParser._parse_extended_key


def take_anything() -> None:
    """Have bytes that are no UTF-8 read as ``�``, such as a Latin-1 terminal's, and keys that there are not as none."""
    linux_driver.getincrementaldecoder = _decoder  # type: ignore[attr-defined, assignment]
    XTermParser._parse_extended_key = _key  # type: ignore[method-assign, assignment]


def _decoder(encoding: str) -> object:
    return partial(getincrementaldecoder(encoding), errors="replace")


def _key(parser: XTermParser, sequence: str) -> list[events.Key] | None:
    """The keys that a sequence of kitty's protocol stands for: one that nobody reads where it has no such character."""
    try:
        return _parsed(parser, sequence)
    except (ValueError, OverflowError):
        return [events.Key(Keys.Ignore, None)]
