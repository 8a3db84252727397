"""The sieve for replies that come when the app already runs."""

import time
from collections.abc import Sequence

import pytest
from textual import constants, events
from textual._xterm_parser import XTermParser
from textual.message import Message

from lens_tui.tui.late import LATE_SECONDS, Sieve


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def keys(text: str) -> list[Message]:
    """The messages that Textual makes of what a terminal sends."""
    parser = XTermParser()
    found = list(parser.feed(text))
    time.sleep(constants.ESCAPE_DELAY + 0.02)
    return [*found, *parser.tick()]


def typed(messages: Sequence[Message], sieve: Sieve) -> str:
    passed = [each for message in messages for each in sieve.pass_on(message)]
    return "".join(message.character or "" for message in passed if isinstance(message, events.Key))


@pytest.mark.parametrize(
    "reply",
    [
        "\x1b]11;rgb:1414/1616/1b1b\x1b\\",
        "\x1b]11;rgb:ff/fa/f6\x07",
        "\x1b]11;rgba:0000/0000/0000/ffff\x1b\\",
        "\x1b[?62;22c",
        "\x1b[?6c",
        "\x1b]11;rgb:1414/1616/1b1b\x1b\\\x1b[5;6R\x1b[?62;22c",
        "\x1b]11;rgb:1414/1616/1b1b\x07\x1b[?1;2c",
    ],
)
def test_a_reply_is_dropped_and_what_stands_around_it_is_not(reply: str) -> None:
    sieve = Sieve(Clock())
    assert typed(keys("a"), sieve) + typed(keys(reply), sieve) + typed(keys("b"), sieve) == "ab"


@pytest.mark.parametrize("text", ["a^b", "[1] is right", "[?what", "]11;no", "^[x", "x^2 + y^2", "[?62;22x"])
def test_what_a_person_types_comes_through_whole_and_in_order(text: str) -> None:
    assert typed(keys(text), Sieve(Clock())) == text


def test_escape_is_never_held_back() -> None:
    passed = list(Sieve(Clock()).pass_on(events.Key("escape", "\x1b")))
    assert [getattr(message, "key", "") for message in passed] == ["escape"]


def test_after_a_while_no_key_is_held_back() -> None:
    clock = Clock()
    sieve = Sieve(clock)
    clock.now += LATE_SECONDS + 0.1
    assert typed(keys("["), sieve) == "["


def test_a_resize_passes_while_keys_are_held() -> None:
    sieve = Sieve(Clock())
    assert typed(keys("["), sieve) == ""
    news = events.AppFocus()
    assert list(sieve.pass_on(news)) == [news]
    assert typed(keys("x"), sieve) == "[x"
