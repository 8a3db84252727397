"""Jupyter notebooks: the sources of their cells, without what running them printed and drew."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import replace

from lens_tui.files.decoding import decode, is_binary
from lens_tui.files.loaders.plain import PlainLoader
from lens_tui.files.outline import blocks_of, inline_tags
from lens_tui.types import Document, Heading, Span

ENDINGS = (".ipynb",)


class NotebookLoader:
    """Reads notebooks; each cell is a part, with a blank line between, and Markdown cells have the headings."""

    kind = "notebook"

    def reads(self, path: str, head: bytes) -> bool:
        """Whether the name ends as a notebook's and the head is text."""
        return path.lower().endswith(ENDINGS) and not is_binary(head)

    def load(self, path: str, data: bytes) -> Document:
        """Take the cells' sources out. What is no notebook is plain text, with a warning.

        Raises:
            FileUnreadable: The byte order mark is wrong.
        """
        decoded = decode(data)
        try:
            cells = list(_cells(json.loads(decoded.text)))
        except (ValueError, TypeError, RecursionError):
            document = PlainLoader().load(path, data)
            warning = "It is no notebook that can be read, so it was read as plain text."
            return replace(document, kind=self.kind, warnings=(*document.warnings, warning))
        parts: list[Span] = []
        headings: list[Heading] = []
        tags: list[str] = []
        pieces: list[str] = []
        at = 0
        for is_markdown, source in cells:
            if is_markdown:
                blocks = blocks_of(source)
                headings += [Heading(at + one.start, one.level, one.title) for one in blocks.headings]
                tags += inline_tags(source, 0, blocks.without_tags)
            parts.append((at, at + len(source)))
            pieces.append(source)
            at += len(source) + 2
        text = "\n\n".join(pieces)
        return Document(
            path=path,
            text=text,
            checksum=hashlib.sha256(data).hexdigest(),
            kind=self.kind,
            title=next((heading.title for heading in headings if heading.level == 1), ""),
            headings=tuple(headings),
            tags=tuple(dict.fromkeys(tags)),
            parts=tuple(parts),
            encoding=decoded.encoding,
            warnings=decoded.warnings,
        )


def _cells(notebook: object) -> Iterator[tuple[bool, str]]:
    """Whether each cell that is not blank is Markdown, and its source. Raises TypeError where it is no notebook."""
    if not isinstance(notebook, Mapping):
        raise TypeError
    cells = notebook.get("cells")
    if cells is None:
        # Format 3, before 2015.
        sheets = notebook.get("worksheets")
        cells = [cell for sheet in _listed(sheets) if isinstance(sheet, Mapping) for cell in _listed(sheet["cells"])]
    for cell in _listed(cells):
        if not isinstance(cell, Mapping):
            raise TypeError
        source = cell.get("source", cell.get("input", ""))
        text = source if isinstance(source, str) else "".join(str(line) for line in _listed(source))
        text = _plain(text).strip("\n")
        if text.strip():
            yield cell.get("cell_type") in ("markdown", "heading"), text


def _listed(value: object) -> list[object]:
    if not isinstance(value, list):
        raise TypeError
    return value


def _plain(text: str) -> str:
    """Line ends LF; lone surrogates, which JSON can name, U+FFFD."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
