"""Text that nobody vouches for, made fit for a screen or a terminal's scrollback."""

import re

_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u061c\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb\ud800-\udfff]"
)
_PICTURES = {code: chr(0x2400 + code) for code in range(0x20)} | {0x7F: "\u2421"}


def printable(text: str) -> str:
    """Replace every character that could steer a terminal by one visible character of one column.

    Tabs and line ends stay; C0 controls become their control pictures (escape is ``␛``), C1 controls, bidirectional
    overrides and lone surrogates become ``\ufffd``. One character for one, so offsets hold.
    """
    return _UNSAFE.sub(lambda match: _PICTURES.get(ord(match[0]), "\ufffd"), text)


def one_line(text: str) -> str:
    """Make ``text`` printable on one row: line ends and tabs too become their pictures. Offsets hold."""
    return printable(text).replace("\n", "\u240a").replace("\t", "\u2409")
