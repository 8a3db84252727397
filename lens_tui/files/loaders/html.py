"""HTML: the words that a browser would show, by block, with headings, rows and preformatted lines; navigation last."""

import codecs
import hashlib
import re
from collections.abc import Container, Iterator
from typing import TYPE_CHECKING

from lens_tui.files.decoding import Decoded, decode, is_binary
from lens_tui.types import Document, Heading

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

ENDINGS = (".html", ".htm", ".xhtml", ".xht")

_HEADINGS = {f"h{level}": level for level in range(1, 7)}

_UNSEEN = frozenset(
    ("head", "script", "style", "template", "noscript", "svg", "math", "iframe", "object", "canvas", "audio", "video")
)
"""Elements whose text nobody reads."""

_PARAGRAPHS = frozenset(
    (
        *_HEADINGS,
        *("p", "div", "section", "article", "main", "header", "footer", "nav", "aside", "address", "blockquote"),
        *("ul", "ol", "dl", "table", "pre", "figure", "form", "fieldset", "details", "hr", "body"),
    )
)
"""Elements with a blank line before and after."""

_LINES = frozenset(("li", "tr", "dt", "dd", "br", "option", "caption", "figcaption", "summary", "legend", "textarea"))
"""Elements that begin a line, and after which one begins."""

_CELLS = frozenset(("td", "th"))
_LAST = "nav"
"""What is read after everything else: links to other pages, which stand before the text that a reader came for."""

_MARKS = frozenset(("- ", "| ", " | "))

LONGEST_SIGN = 2
"""Characters of what stands for a link to a heading, such as ``¶`` and ``#``, or a picture and what makes it one."""

MOST_NESTED = 4_000
"""Elements one in another; the parser looks through all that are open at each, which takes seconds beyond that."""

_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9-]*)[^<>]*>")
_ENDLESS = frozenset(
    (
        *("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"),
        *("p", "li", "dt", "dd", "td", "th", "tr", "thead", "tbody", "tfoot", "option", "body", "html", "head"),
    )
)
"""Elements that need no end tag."""

_SPACE = re.compile(r"[ \t\n\r\f]+")
_CHARSET = re.compile(rb"""charset\s*=\s*["']?([\w.:-]+)""", re.IGNORECASE)


class HtmlLoader:
    """Reads web pages; nothing that they name is fetched."""

    kind = "html"

    def reads(self, path: str, head: bytes) -> bool:
        """Whether the name ends as a page's and the head is text."""
        return path.lower().endswith(ENDINGS) and not is_binary(head)

    def load(self, path: str, data: bytes) -> Document:
        """Take the text out; anything can be parsed. Raises FileUnreadable where the byte order mark is wrong."""
        decoded = _decoded(data)
        page, title, warnings = _Page(), "", decoded.warnings
        if _nested(decoded.text) > MOST_NESTED:
            page.write(_TAG.sub(" ", decoded.text))
            warnings = (
                *warnings,
                "Its elements are nested too deeply, so its tags were left out without reading them.",
            )
        else:
            title = _read(decoded.text, page)
        return Document(
            path=path,
            text=page.text(),
            checksum=hashlib.sha256(data).hexdigest(),
            kind=self.kind,
            title=title or next((heading.title for heading in page.headings if heading.level == 1), ""),
            headings=tuple(page.headings),
            encoding=decoded.encoding,
            warnings=warnings,
        )


def _nested(text: str) -> int:
    """How deep elements are nested, at most."""
    depth = deepest = 0
    for closes, name in _TAG.findall(text):
        if name.lower() not in _ENDLESS:
            depth = max(0, depth - 1) if closes else depth + 1
            deepest = max(deepest, depth)
    return deepest


def _read(text: str, page: "_Page") -> str:
    """Have a page read; return its title."""
    from selectolax.lexbor import LexborHTMLParser

    tree = LexborHTMLParser(text.replace("\0", "\ufffd"))
    root = tree.body or tree.root
    if root is not None:
        page.read(root)
    named = tree.css_first("head > title")
    return " ".join(named.text().split()) if named is not None else ""


class _Page:
    """The text of a page, as far as it is read."""

    def __init__(self) -> None:
        self.headings: list[Heading] = []
        self._pieces: list[str] = []
        self._length = 0
        self._breaks = 0
        """Line breaks that are due before the next word."""
        self._space = False
        """Whether a space is due before the next word."""
        self._kept = 0
        """Elements around in which line breaks are kept."""
        self._blank = ""
        """White space that is due before the next word where it is kept."""
        self._cells = 0
        """Cells of the row at hand."""
        self._heading: tuple[int, int, int] | None = None
        """Of the heading at hand: its level, its place among the pieces, and where it begins; -1: not yet known."""

    def text(self) -> str:
        """All that was read."""
        return "".join(self._pieces)

    def read(self, root: "LexborNode") -> None:
        """Read an element and all in it, however deep; its navigation after the rest, each in order."""
        last: list[LexborNode] = []
        self._read(root, last)
        for node in last:
            self._read(node, [])

    def _read(self, root: "LexborNode", last: list["LexborNode"]) -> None:
        """Read an element but for navigation in it, which is put into ``last``, unless it is navigation itself."""
        for node, enters in _walk(root, () if root.tag == _LAST else (_LAST,)):
            tag = node.tag or ""
            if tag == "-text":
                if self._heading is None or not _is_permalink(node):
                    self.write(node.text_content or "")
            elif tag == _LAST and root.tag != _LAST:
                self._part(tag)
                if enters:
                    last.append(node)
            elif enters:
                self._enter(tag)
            else:
                self._leave(tag)

    def _enter(self, tag: str) -> None:
        self._part(tag)
        if tag in _HEADINGS and self._heading is None:
            self._heading = (_HEADINGS[tag], len(self._pieces), -1)
        elif tag == "li":
            self._word("- ")
        elif tag == "tr":
            self._cells = 0
        elif tag in _CELLS:
            if self._cells:
                self._breaks = 0
            self._word(" | " if self._cells else "| ")
            self._cells += 1
        elif tag in ("pre", "textarea"):
            self._kept += 1

    def _leave(self, tag: str) -> None:
        if tag in _HEADINGS and self._heading is not None:
            level, place, start = self._heading
            title = " ".join("".join(self._pieces[place:]).split())
            if title and start >= 0:
                self.headings.append(Heading(start, level, title))
            self._heading = None
        elif tag == "tr" and self._cells:
            self._breaks = self._cells = 0
            self._word(" |")
        elif tag in ("pre", "textarea"):
            self._kept, self._blank = self._kept - 1, ""
        self._part(tag)

    def _part(self, tag: str) -> None:
        """Begin a new line where the element does, but not after the mark of an item or a cell."""
        if self._pieces and self._pieces[-1] in _MARKS:
            return
        if tag in _PARAGRAPHS:
            self._breaks, self._blank = 2, ""
        elif tag in _LINES:
            self._breaks, self._blank = max(self._breaks, 1), ""

    def write(self, text: str) -> None:
        """Write text; white space in it counts as one space where line breaks are not kept."""
        if self._kept:
            self._keep(text)
            return
        words = _SPACE.sub(" ", text)
        if words.startswith(" "):
            self._space = True
        inner = words.strip(" ")
        if inner:
            self._word(inner)
            self._space = words.endswith(" ")

    def _keep(self, text: str) -> None:
        """Write preformatted text as it is, but for line breaks beside those of blocks."""
        text = self._blank + text
        if self._breaks:
            text = text.lstrip("\n")
        kept = text.rstrip()
        self._blank = text[len(kept) :]
        if kept:
            self._space = False
            self._word(kept)

    def _word(self, words: str) -> None:
        if self._pieces and self._breaks:
            self._append("\n" * self._breaks)
        elif self._pieces and self._space and not self._pieces[-1].endswith(" "):
            self._append(" ")
        self._breaks, self._space = 0, False
        if self._heading is not None and self._heading[2] < 0:
            level, _, _ = self._heading
            self._heading = (level, len(self._pieces), self._length)
        self._append(words)

    def _append(self, text: str) -> None:
        self._pieces.append(text)
        self._length += len(text)


def _is_permalink(node: "LexborNode") -> bool:
    """Whether a text in a heading is the sign of a link to the heading itself, as most documentation has it."""
    link = node.parent
    if link is None or link.tag != "a" or not (link.attributes.get("href") or "").startswith("#"):
        return False
    sign = (node.text_content or "").strip()
    return len(sign) <= LONGEST_SIGN and not any(map(str.isalnum, sign))


def _walk(root: "LexborNode", closed: Container[str]) -> Iterator[tuple["LexborNode", bool]]:
    """Every element that is seen, entered (True) and left (False), and every text, in order; without recursion.

    What is in ``closed`` elements is passed over.
    """
    node: LexborNode | None = root
    depth = 0
    while node is not None:
        tag = node.tag
        below = None
        if tag == "-text" or tag not in _UNSEEN:
            yield node, True
            below = node.first_child if tag != "-text" and tag not in closed else None
        if below is not None:
            node, depth = below, depth + 1
            continue
        if tag != "-text" and tag not in _UNSEEN:
            yield node, False
        while depth and node.next is None:
            node, depth = node.parent, depth - 1
            if node is None:
                return
            yield node, False
        node = node.next if depth else None


def _decoded(data: bytes) -> Decoded:
    """Decode as UTF-8 or by a mark, else as the page says itself, else by what it is most like."""
    decoded = decode(data)
    named = _CHARSET.search(data[:1024])
    if decoded.encoding.startswith("utf") or named is None:
        return decoded
    try:
        codec = codecs.lookup(named[1].decode("ascii")).name
        # Browsers read this name as Windows' larger set.
        codec = "cp1252" if codec == "iso8859-1" else codec
        text = data.decode(codec)
    except (LookupError, ValueError):
        return decoded
    return Decoded(text.replace("\r\n", "\n").replace("\r", "\n"), codec)
