"""What the terminal is: its background, the width of its signs, its colours; asked before Textual is imported.

The questions go out, Textual is imported meanwhile, and the replies are read after; device attributes are asked last,
because every terminal answers those and answers in order. Nothing is asked where the settings decide, or where input
or screen is no terminal.
"""

import contextlib
import locale
import os
import re
import select
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from lens_tui.settings import Settings
from lens_tui.tui.signs import Signs, signs_for

try:
    import termios
except ImportError:  # Windows has none, and nothing is asked there
    termios = None  # type: ignore[assignment]

REPLY_SECONDS = 1.0
"""Longest wait for the last reply, counted from the question: twice a slow link's way there and back."""
PROBE = "│◐≠▌…"
"""Signs of ambiguous width whose cells are counted, concealed and wiped at once."""
MUTE = ("", "dumb", "unknown", "linux")
"""Values of TERM where nothing is asked: the Linux console would print the question."""
NAMED_TRUE_COLOUR = ("kitty", "ghostty", "alacritty", "wezterm", "foot", "direct")
"""Parts of TERM that promise 24-bit colour where COLORTERM is lost, as over SSH."""

_BACKGROUND = re.compile(rb"\x1b\]11;rgba?:([0-9a-fA-F]+)/([0-9a-fA-F]+)/([0-9a-fA-F]+)[^\x07\x1b]*(?:\x07|\x1b\\)")
_CURSOR = re.compile(rb"\x1b\[\d+;(\d+)R")
_ATTRIBUTES = re.compile(rb"\x1b\[\?[\d;]*c")
_SEQUENCE = re.compile(rb"\x1b(?:\][^\x07\x1b]*(?:\x07|\x1b\\|\Z)|\[[0-?]*[ -/]*(?:[@-~]|\Z)|O.|.|\Z)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Terminal:
    """What is known of the terminal, settings included."""

    background: Literal["dark", "light"]
    colours: int
    """0 where none are wanted (NO_COLOR) or there are none, else 16, 256 or 16,777,216."""
    signs: Signs
    typed: str = ""
    """Characters that the person typed meanwhile: they belong in the question."""
    answered: bool = True
    """False where a reply may still come; ``late.py`` then keeps it from being typed into the app."""


class Asking:
    """Questions under way. ``read`` them once, or ``close``; until then the terminal does not echo."""

    def __init__(
        self,
        settings: Settings,
        *,
        environment: Mapping[str, str] = os.environ,
        keyboard: int = 0,
        screen: int = 2,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Send the questions that the settings leave open.

        Args:
            settings: ``background`` and ``signs`` other than ``auto`` are not asked for.
            environment: TERM, COLORTERM, NO_COLOR and the locale's variables.
            keyboard: File descriptor that replies come from.
            screen: File descriptor that Textual draws on: standard error.
            clock: Seconds.
        """
        self._settings = settings
        self._environment = environment
        self._keyboard = keyboard
        self._clock = clock
        self._began = clock()
        self._modes: list[Any] | None = None
        self._question = self._open_question()
        if not self._question or not self._quiet(screen):
            self._question = ""

    def _open_question(self) -> str:
        settings, term = self._settings, self._environment.get("TERM", "")
        if term in MUTE:
            return ""
        question = "\x1b]11;?\x1b\\" if settings.background == "auto" else ""
        if settings.signs == "auto" and is_utf8(self._environment):
            question += f"\r\x1b[8m{PROBE}\x1b[6n\x1b[0m\r\x1b[K"
        return question + "\x1b[c" if question else ""

    def _quiet(self, screen: int) -> bool:
        """Switch echo off and ask. Returns whether the question went out."""
        if termios is None or not (os.isatty(self._keyboard) and os.isatty(screen)):
            return False
        try:
            self._modes = termios.tcgetattr(self._keyboard)
            still = [*self._modes]
            still[3] &= ~(termios.ECHO | termios.ICANON)
            termios.tcsetattr(self._keyboard, termios.TCSANOW, still)
            os.write(screen, self._question.encode())
        except (OSError, termios.error):
            self.close()
            return False
        return True

    def read(self) -> Terminal:
        """Wait for the replies, at most ``REPLY_SECONDS`` since they were asked for, and judge them."""
        heard = b""
        try:
            while self._question and not _ATTRIBUTES.search(heard):
                left = self._began + REPLY_SECONDS - self._clock()
                if left <= 0 or not select.select([self._keyboard], [], [], left)[0]:
                    break
                piece = os.read(self._keyboard, 4096)
                if not piece:
                    break
                heard += piece
        except (OSError, ValueError):
            heard = b""
        finally:
            self.close()
        return self._judged(heard)

    def close(self) -> None:
        """Give the terminal its own modes back."""
        if self._modes is not None:
            with contextlib.suppress(OSError, termios.error):
                termios.tcsetattr(self._keyboard, termios.TCSANOW, self._modes)
            self._modes = None

    def _judged(self, heard: bytes) -> Terminal:
        settings, term = self._settings, self._environment.get("TERM", "")
        background: Literal["dark", "light"] = "light" if settings.background == "light" else "dark"
        if settings.background == "auto" and (seen := _BACKGROUND.search(heard)):
            background = "light" if brightness(seen[1], seen[2], seen[3]) > 0.5 else "dark"
        column = _CURSOR.search(heard)
        wide = column is not None and int(column[1]) > len(PROBE) + 1
        return Terminal(
            background=background,
            colours=colours_of(self._environment),
            signs=signs_for(settings.signs, wide=wide, utf8=is_utf8(self._environment), term=term),
            typed="".join(filter(str.isprintable, _SEQUENCE.sub(b"", heard).decode("utf-8", "ignore"))),
            answered=not self._question or bool(_ATTRIBUTES.search(heard)),
        )


def brightness(red: bytes, green: bytes, blue: bytes) -> float:
    """How bright a colour of one to four hex digits a part is, 0 to 1 (ITU-R BT.709)."""
    parts = [int(part, 16) / ((1 << 4 * len(part)) - 1) for part in (red, green, blue)]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def colours_of(environment: Mapping[str, str]) -> int:
    """How many colours to draw with: 0, 16, 256 or 16,777,216, from NO_COLOR, COLORTERM and TERM."""
    term = environment.get("TERM", "")
    if environment.get("NO_COLOR") or term in ("", "dumb", "unknown"):
        return 0
    if environment.get("COLORTERM", "").lower() in ("truecolor", "24bit"):
        return 1 << 24
    if any(name in term for name in NAMED_TRUE_COLOUR):
        return 1 << 24
    return 256 if "256color" in term else 16


def is_utf8(environment: Mapping[str, str]) -> bool:
    """Whether the locale's characters are UTF-8; the platform's word where no variable says."""
    for name in ("LC_ALL", "LC_CTYPE", "LANG"):
        if value := environment.get(name):
            return "utf8" in value.lower().replace("-", "")
    return locale.getpreferredencoding(False).lower().replace("-", "") == "utf8"
