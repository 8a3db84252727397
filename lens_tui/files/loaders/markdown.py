"""Markdown: text with headings, front matter and tags."""

import hashlib

from lens_tui.files.decoding import decode, is_binary
from lens_tui.files.outline import blocks_of, front_matter, inline_tags, tags_in
from lens_tui.types import Document

ENDINGS = (".md", ".markdown", ".mdown", ".mkd", ".mkdn", ".mdx", ".qmd", ".rmd")


class MarkdownLoader:
    """Reads Markdown by CommonMark's rules, with tables."""

    kind = "markdown"

    def reads(self, path: str, head: bytes) -> bool:
        """Whether the name ends as Markdown's and the head is text."""
        return path.lower().endswith(ENDINGS) and not is_binary(head)

    def load(self, path: str, data: bytes) -> Document:
        """Decode and outline. Broken front matter stays text, with a warning."""
        decoded = decode(data)
        front = front_matter(decoded.text)
        blocks = blocks_of(decoded.text, front.body_start)
        named = front.data.get("title")
        title = str(named).strip() if isinstance(named, str | int | float) else ""
        if not title:
            title = next((heading.title for heading in blocks.headings if heading.level == 1), "")
        tags = (*tags_in(front.data), *inline_tags(decoded.text, front.body_start, blocks.without_tags))
        return Document(
            path=path,
            text=decoded.text,
            checksum=hashlib.sha256(data).hexdigest(),
            kind=self.kind,
            title=title,
            headings=blocks.headings,
            tags=tuple(dict.fromkeys(tags)),
            data=front.data,
            body_start=front.body_start,
            encoding=decoded.encoding,
            warnings=(*decoded.warnings, *front.warnings),
        )
