"""Bytes to text: which encoding a file is in, and whether it is text at all."""

import codecs
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lens_tui.errors import FileUnreadable

if TYPE_CHECKING:
    from charset_normalizer import CharsetMatch

HEAD = 8_192
"""First bytes by which binaries are told, as git does with 8,000."""

MOST_CONTROLS = 0.1
"""Share of control characters in the head above which a file is no text."""

SAMPLE = 65_536
"""Bytes that charset-normalizer is shown: it takes 0.1 s for them."""

RARE = 0.06
"""What Windows-1257 must read better by, measured on short French texts."""

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
"""UTF-32 before UTF-16, whose mark begins the same."""

_CONTROLS = bytes(set(range(0x20)) - set(b"\t\n\r\f\b\x0b\x1b"))

_ISO_2022_JP = re.compile(rb"\x1b\$[@B]|\x1b\(J")

_LEGACY = (
    "cp932 euc_jp gb18030 big5 cp949 cp1251 koi8_r koi8_u cp866 cp1252 cp1250 cp1253 cp1254 cp1255 cp1256 cp1257 "
    "cp1258 cp874 iso8859_2 iso8859_5 iso8859_7 iso8859_15 mac_roman cp437 cp850"
)
"""Encodings that charset-normalizer may choose from: those that files really come in."""

_LATIN = frozenset(("cp1250", "cp1252", "cp1254", "cp1257", "cp1258", "iso8859_2", "iso8859_15"))

_FOREIGN_LINE = re.compile(rb"[^\n]*[\x80-\xff][^\n]*")
_KANA = re.compile("[\u3041-\u30fe]")
_WIDE = re.compile("[\u2e80-\u9fff\uff00-\uffef]")
_UNSURE = re.compile("[\x80-\x9f\ue000-\uf8ff\ufffd]")
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Decoded:
    """A file's text, its line ends LF."""

    text: str
    encoding: str
    """Python's name of the codec."""
    warnings: tuple[str, ...] = ()


def is_binary(head: bytes) -> bool:
    """Whether a file with these first bytes (up to ``HEAD``) holds no text."""
    if any(head.startswith(mark) for mark, _ in _BOMS) or _bare_utf16(head):
        return False
    if b"\0" in head:
        return True
    return len(head) - len(head.translate(None, _CONTROLS)) > MOST_CONTROLS * len(head)


def decode(data: bytes) -> Decoded:
    """Decode a file's bytes: by its byte order mark, as UTF-8, else by what its bytes are most like.

    Raises:
        FileUnreadable: The byte order mark promises an encoding that the bytes are not in.
    """
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return _by_mark(data, encoding)
    bare = _bare_utf16(data[:HEAD])
    if bare and (text := _strict(data, bare)) is not None:
        return Decoded(_plain(text), bare)
    if _ISO_2022_JP.search(data[:SAMPLE]) and (text := _strict(data, "iso2022_jp")) is not None:
        return Decoded(_plain(text), "iso2022_jp")
    text = _strict(data, "utf-8")
    if text is not None:
        return Decoded(_plain(text), "utf-8")
    text = data.decode("utf-8", "replace")
    bad = text.count("\ufffd") - data.count(b"\xef\xbf\xbd")
    good = len(re.findall("[^\x00-\x7f]", text)) - bad
    if good >= 4 * bad:
        return Decoded(_plain(text), "utf-8", (replaced(bad, "UTF-8"),))
    return _legacy(data)


def _by_mark(data: bytes, encoding: str) -> Decoded:
    name = encoding.removesuffix("-sig")
    text = _strict(data, encoding)
    if text is not None:
        return Decoded(_plain(text), name)
    text = data.decode(encoding, "replace")
    bad = text.count("\ufffd")
    if bad * 4 > len(text):
        raise FileUnreadable(
            f"It begins as {name.upper()}, and is not in that encoding.",
            hint="Save it again as UTF-8.",
        )
    return Decoded(_plain(text), name, (replaced(bad, name.upper()),))


def replaced(bad: int, name: str) -> str:
    """Say how many places of a text are not in the encoding that the rest is in."""
    places = "1 place is" if bad == 1 else f"{bad:,} places are"
    return f"{places} not {name}, and shown as \ufffd."


def _plain(text: str) -> str:
    """Make line ends LF, and lone surrogates (some codecs let them through) U+FFFD."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _SURROGATE.sub("\ufffd", text)


def _strict(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except (UnicodeError, LookupError):
        return None


def _bare_utf16(head: bytes) -> str:
    """Codec of UTF-16 without a mark, told by its NULs, half of all bytes in Latin text; empty for anything else."""
    half = len(head) // 2
    if half < 2:
        return ""
    even, odd = head[0 : 2 * half : 2].count(0), head[1 : 2 * half : 2].count(0)
    if odd > 0.7 * half and even < 0.02 * half:
        return "utf-16-le"
    return "utf-16-be" if even > 0.7 * half and odd < 0.02 * half else ""


def _legacy(data: bytes) -> Decoded:
    """Decode what is neither Unicode: Japanese is told by its kana, the rest by charset-normalizer."""
    for encoding in [*_japanese(data), *_likely(data)]:
        text = _strict(data, encoding)
        if text is not None:
            warning = f"Its encoding is not told; it was read as {encoding}."
            return Decoded(_plain(text), encoding, (warning,))
    text = data.decode("cp1252", "replace")
    return Decoded(_plain(text), "cp1252", (replaced(text.count("\ufffd"), "Windows-1252"),))


def _japanese(data: bytes) -> list[str]:
    """``cp932`` or ``euc_jp`` where the sample decodes as such and reads like Japanese: a tenth of it kana."""
    best: list[tuple[float, str]] = []
    sample = _whole_lines(data)
    for encoding in ("cp932", "euc_jp"):
        text = _strict(sample, encoding)
        if text is None:
            continue
        foreign = sum(len(found) for found in re.findall("[^\x00-\x7f]+", text))
        kana, wide = len(_KANA.findall(text)), len(_WIDE.findall(text))
        if kana >= 0.1 * foreign and wide >= 0.8 * foreign and not _UNSURE.search(text):
            best.append((kana / foreign, encoding))
    return [encoding for _, encoding in sorted(best, reverse=True)]


def _likely(data: bytes) -> list[str]:
    """Encodings from the likeliest on, by what charset-normalizer makes of the lines that are not ASCII."""
    from charset_normalizer import from_bytes

    lines = _FOREIGN_LINE.findall(_whole_lines(data))
    sample = b"\n".join(lines)[:SAMPLE]
    matches = list(from_bytes(sample, cp_isolation=_LEGACY.split(), preemptive_behaviour=False))
    names = [match.encoding for match in matches]
    if names and names[0] in _LATIN:
        # Few accents read alike in all of Latin's encodings; the commonest of them by far is Windows-1252.
        latin = [match for match in matches if match.encoding in _LATIN]
        alike = max(latin, key=lambda match: (_likeness(match), "cp1252" in match.could_be_from_charset))
        names.insert(0, "cp1252" if "cp1252" in alike.could_be_from_charset else alike.encoding)
    return [*names, "cp1252", "latin_1"]


def _likeness(match: "CharsetMatch") -> float:
    """How like a language a Latin decoding reads. Baltic text is rare, and French in its encoding looks well-formed."""
    return match.coherence - match.chaos - (RARE if match.encoding == "cp1257" else 0.0)


def _whole_lines(data: bytes) -> bytes:
    """A sample that ends at a line's end, so that no character is cut: from the first line that is not ASCII."""
    foreign = re.search(rb"[\x80-\xff]", data)
    first = data.rfind(b"\n", 0, foreign.start()) + 1 if foreign and foreign.start() > SAMPLE // 2 else 0
    if len(data) - first <= SAMPLE:
        return data[first:]
    end = data.rfind(b"\n", first, first + SAMPLE)
    return data[first : end if end > first else first + SAMPLE]
