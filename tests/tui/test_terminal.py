"""What a terminal is asked and what is made of its answers, over real pseudo-terminals."""

import os
import pty
import select
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from lens_tui.settings import Settings
from lens_tui.tui.signs import ASCII, UNICODE
from lens_tui.tui.terminal import PROBE, REPLY_SECONDS, Asking, Terminal, brightness, colours_of, is_utf8

WAYS = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LC_ALL": "C.UTF-8"}
DARK, LIGHT = b"\x1b]11;rgb:1414/1616/1b1b\x1b\\", b"\x1b]11;rgb:ff/fa/f6\x07"
NARROW, WIDE = b"\x1b[5;6R", b"\x1b[5;11R"
ATTRIBUTES = b"\x1b[?62;22c"

Pty = tuple[int, int]


@pytest.fixture
def wires() -> Iterator[Pty]:
    """The terminal's end and the program's end of a pseudo-terminal."""
    master, slave = pty.openpty()
    yield master, slave
    os.close(master)
    os.close(slave)


def heard(master: int, until: bytes, seconds: float = 5.0) -> bytes:
    """What the program writes, up to and with ``until``."""
    text, end = b"", time.monotonic() + seconds
    while until not in text and time.monotonic() < end:
        if select.select([master], [], [], 0.05)[0]:
            try:
                text += os.read(master, 4096)
            except OSError:  # Linux says so where nobody holds the other end any more
                break
    return text


def asked(
    wires: Pty, reply: bytes, *, settings: Settings | None = None, environment: Mapping[str, str] = WAYS
) -> tuple[Terminal, bytes]:
    """Ask a terminal that answers with ``reply``."""
    master, slave = wires
    asking = Asking(settings or Settings(), environment=environment, keyboard=slave, screen=slave)
    question = heard(master, b"\x1b[c", 0.3)
    os.write(master, reply)
    return asking.read(), question


def test_a_light_terminal_of_narrow_signs_is_seen(wires: Pty) -> None:
    terminal, question = asked(wires, LIGHT + NARROW + ATTRIBUTES)
    assert terminal == Terminal("light", 1 << 24, UNICODE, "", True)
    assert question.index(b"]11;?") < question.index(b"[6n") < question.index(b"[c")


def test_a_dark_terminal_that_draws_signs_wide_gets_ascii(wires: Pty) -> None:
    terminal, _ = asked(wires, DARK + WIDE + ATTRIBUTES)
    assert (terminal.background, terminal.signs) == ("dark", ASCII)


def test_the_probe_is_concealed_and_wiped(wires: Pty) -> None:
    _, question = asked(wires, ATTRIBUTES)
    before, _, after = question.partition(PROBE.encode())
    assert before.endswith(b"\x1b[8m")
    assert b"\x1b[0m\r\x1b[K" in after


def test_a_terminal_that_says_only_what_it_is_gets_dark_and_unicode_at_once(wires: Pty) -> None:
    began = time.monotonic()
    terminal, _ = asked(wires, ATTRIBUTES)
    assert time.monotonic() - began < REPLY_SECONDS
    assert terminal == Terminal("dark", 1 << 24, UNICODE, "", True)


def test_a_silent_terminal_costs_a_second_and_may_still_answer(wires: Pty) -> None:
    began = time.monotonic()
    terminal, _ = asked(wires, b"")
    assert REPLY_SECONDS <= time.monotonic() - began < REPLY_SECONDS + 0.5
    assert terminal == Terminal("dark", 1 << 24, UNICODE, "", False)


def test_what_came_before_the_silence_counts(wires: Pty) -> None:
    terminal, _ = asked(wires, LIGHT + b"\x1b[5;")
    assert (terminal.background, terminal.answered, terminal.typed) == ("light", False, "")


def test_replies_in_pieces_are_put_together(wires: Pty) -> None:
    master, slave = wires
    asking = Asking(Settings(), environment=WAYS, keyboard=slave, screen=slave)
    reply = LIGHT + WIDE + ATTRIBUTES

    def drip() -> None:
        for place in range(len(reply)):
            os.write(master, reply[place : place + 1])
            time.sleep(0.005)

    speaker = threading.Thread(target=drip)
    speaker.start()
    terminal = asking.read()
    speaker.join()
    assert terminal == Terminal("light", 1 << 24, ASCII, "", True)


def test_what_the_person_typed_meanwhile_is_kept_and_keys_are_not(wires: Pty) -> None:
    terminal, _ = asked(wires, b"wh" + DARK + b"en " + NARROW + b"\x1b[A\x1bOPd\r" + "日".encode() + ATTRIBUTES)
    assert terminal.typed == "when d日"


def test_the_terminal_does_not_echo_replies_and_gets_its_modes_back(wires: Pty) -> None:
    master, slave = wires
    before = termios.tcgetattr(slave)
    asking = Asking(Settings(), environment=WAYS, keyboard=slave, screen=slave)
    assert not termios.tcgetattr(slave)[3] & termios.ECHO
    heard(master, b"\x1b[c")
    os.write(master, DARK + NARROW + ATTRIBUTES)
    asking.read()
    assert termios.tcgetattr(slave) == before
    assert not select.select([master], [], [], 0.1)[0]


@pytest.mark.parametrize(
    ("settings", "asks"),
    [
        (Settings(background="light"), (False, True)),
        (Settings(signs="ascii"), (True, False)),
        (Settings(background="dark", signs="unicode"), (False, False)),
    ],
)
def test_what_is_set_is_not_asked(wires: Pty, settings: Settings, asks: tuple[bool, bool]) -> None:
    terminal, question = asked(wires, LIGHT + WIDE + ATTRIBUTES, settings=settings)
    assert (b"]11;?" in question, b"[6n" in question) == asks
    assert (b"\x1b[c" in question) == any(asks)
    if settings.background != "auto":
        assert terminal.background == settings.background
    if settings.signs != "auto":
        assert terminal.signs is (ASCII if settings.signs == "ascii" else UNICODE)


@pytest.mark.parametrize("term", ["linux", "dumb", ""])
def test_terminals_that_would_print_the_question_are_not_asked(wires: Pty, term: str) -> None:
    terminal, question = asked(wires, b"", environment={**WAYS, "TERM": term})
    assert question == b""
    assert terminal.answered
    assert terminal.signs is (ASCII if term == "linux" else UNICODE)


def test_a_locale_without_utf8_gets_ascii_and_is_not_probed(wires: Pty) -> None:
    terminal, question = asked(wires, DARK + ATTRIBUTES, environment={**WAYS, "LC_ALL": "de_DE.ISO-8859-1"})
    assert terminal.signs is ASCII
    assert b"[6n" not in question


def test_nothing_is_asked_where_the_keyboard_is_a_pipe(wires: Pty) -> None:
    master, slave = wires
    reading, writing = os.pipe()
    asking = Asking(Settings(), environment=WAYS, keyboard=reading, screen=slave)
    assert asking.read().answered
    assert not select.select([master], [], [], 0.1)[0]
    os.close(reading)
    os.close(writing)


def test_nothing_is_asked_where_the_screen_is_a_file(wires: Pty, tmp_path: Path) -> None:
    _, slave = wires
    with (tmp_path / "err.log").open("w") as screen:
        assert Asking(Settings(), environment=WAYS, keyboard=slave, screen=screen.fileno()).read().answered
    assert (tmp_path / "err.log").read_bytes() == b""


def test_a_keyboard_that_is_gone_is_no_error() -> None:
    assert Asking(Settings(), environment=WAYS, keyboard=99, screen=99).read().background == "dark"


@pytest.mark.parametrize(
    ("environment", "colours"),
    [
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, 1 << 24),
        ({"TERM": "xterm-256color"}, 256),
        ({"TERM": "tmux-256color"}, 256),
        ({"TERM": "xterm-kitty"}, 1 << 24),
        ({"TERM": "xterm"}, 16),
        ({"TERM": "linux"}, 16),
        ({"TERM": "dumb", "COLORTERM": "truecolor"}, 0),
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor", "NO_COLOR": "1"}, 0),
        ({"TERM": "xterm-256color", "NO_COLOR": ""}, 256),
        ({}, 0),
    ],
)
def test_colours_are_what_the_environment_promises(environment: Mapping[str, str], colours: int) -> None:
    assert colours_of(environment) == colours


@pytest.mark.parametrize(
    ("colour", "bright"), [((b"0", b"0", b"0"), 0.0), ((b"ffff", b"ff", b"f"), 1.0), ((b"8000", b"8000", b"8000"), 0.5)]
)
def test_brightness_counts_digits_of_any_number(colour: tuple[bytes, bytes, bytes], bright: float) -> None:
    assert brightness(*colour) == pytest.approx(bright, abs=0.001)


def test_the_locale_is_read_in_its_order() -> None:
    assert is_utf8({"LC_ALL": "C.UTF-8", "LANG": "C"})
    assert not is_utf8({"LC_ALL": "C", "LANG": "en_GB.UTF-8"})
    assert is_utf8({"LANG": "ja_JP.utf8"})


def test_asking_does_not_load_textual() -> None:
    code = "import sys, lens_tui.tui.terminal; print([m for m in ('textual', 'rich') if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


APP = """
import sys
from textual.app import App
from textual.widgets import Input
from lens_tui.settings import Settings
from lens_tui.tui.late import PatientDriver
from lens_tui.tui.terminal import Asking

asking = Asking(Settings())
terminal = asking.read()


class Typed(App):
    ENABLE_COMMAND_PALETTE = False

    def compose(self):
        yield Input(value=terminal.typed, select_on_focus=False)

    def on_input_submitted(self, event):
        self.exit(event.value)


print(terminal.answered, repr(Typed(driver_class=None if terminal.answered else PatientDriver).run()), flush=True)
"""


def run_app(talk: Callable[[int], None]) -> str:
    """Run a real app in a real terminal; ``talk`` is the terminal. Returns what the app got."""
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", APP],
        stdin=slave,
        stderr=slave,
        stdout=subprocess.PIPE,
        env={**os.environ, **WAYS, "TEXTUAL_ANIMATIONS": "none"},
        start_new_session=True,
    )
    os.close(slave)
    try:
        talk(master)
        while process.poll() is None:
            # What the app draws is taken, or it would block.
            heard(master, b"never", 0.05)
        out, _ = process.communicate(timeout=20)
    finally:
        process.kill()
        process.wait()
    os.close(master)
    return out.decode().strip()


@pytest.mark.parametrize("late", [DARK + NARROW + ATTRIBUTES, LIGHT + WIDE + ATTRIBUTES])
def test_late_replies_are_not_typed_into_the_app(late: bytes) -> None:
    def talk(master: int) -> None:
        heard(master, b"\x1b[?1049h", 10)
        time.sleep(0.5)
        os.write(master, b"a" + late)
        time.sleep(0.5)
        os.write(master, b"b^c\r")

    assert run_app(talk) == "False 'ab^c'"


def test_early_replies_leave_what_was_typed_for_the_app() -> None:
    def talk(master: int) -> None:
        heard(master, b"\x1b[c", 10)
        os.write(master, b"hi" + DARK + NARROW + ATTRIBUTES)
        heard(master, b"\x1b[?1049h", 10)
        time.sleep(0.5)
        os.write(master, b" there\r")

    assert run_app(talk) == "True 'hi there'"
