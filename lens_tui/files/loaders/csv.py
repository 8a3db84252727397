"""Tables as text, with commas, semicolons, tabs or bars between the cells: the rows, and the names of the columns."""

from dataclasses import replace

from lens_tui.files.decoding import is_binary
from lens_tui.files.loaders.plain import PlainLoader
from lens_tui.text.tables import ENDINGS, names_of, rows_of
from lens_tui.types import Document, Heading


class CsvLoader:
    """Reads tables; each row is a part, and the names of the columns, where there are any, the heading of all rows."""

    kind = "csv"

    def reads(self, path: str, head: bytes) -> bool:
        """Whether the name ends as a table's and the head is text."""
        return path.lower().endswith(ENDINGS) and not is_binary(head)

    def load(self, path: str, data: bytes) -> Document:
        """Decode, and find the rows. Raises FileUnreadable where the byte order mark is wrong."""
        document = PlainLoader().load(path, data)
        rows = tuple(rows_of(document.text))
        names = names_of(document.text, rows)
        headings = (Heading(rows[1][0], 1, names),) if names else ()
        return replace(document, kind=self.kind, parts=rows, headings=headings)
