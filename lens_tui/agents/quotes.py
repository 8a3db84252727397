"""How excerpts are named and quoted for agents: refs that can be read back, and Markdown that is safe to show."""

import re
from typing import Any
from urllib.parse import quote, unquote

from lens_tui.errors import UsageError
from lens_tui.text.display import one_line, printable
from lens_tui.types import FileRow, SearchHit

_REF = re.compile(r"(.+)::chunk-([0-9]{1,9})@([0-9a-f]{12})", re.DOTALL)
_SURROGATE = re.compile("[\ud800-\udfff]")


def ref_of(hit: SearchHit) -> str:
    """Name a hit as ``path::heading::chunk-I@checksum12``: unique in the folder, and the same in every answer.

    What could not stand in one line of Markdown is written like ``%1B`` in the path. The heading has no ``::`` in it:
    it tells a reader where the excerpt stands, and names nothing that the rest does not.
    """
    whole = re.sub(r"%(?=[0-9A-Fa-f]{2})", "%25", hit.path)
    path = "".join(char if one_line(char) == char != "`" else quote(char, safe="") for char in whole)
    heading = re.sub(":{2,}", ":", one_line(" > ".join(hit.heading)).replace("`", "'")).lstrip(":")
    return f"{path}::{heading}::chunk-{hit.chunk}@{hit.id.partition('-')[0]}"


def ref_parts(ref: str) -> tuple[str, int, str]:
    """Path, index of the chunk and 12 hex digits of the checksum. Raises UsageError where it is no ref."""
    match = _REF.fullmatch(ref.strip())
    path = unquote(match[1].rpartition("::")[0]) if match else ""
    if match is None or not path:
        raise UsageError(
            f"This is no excerpt's ref: {one_line(ref[:200])}.",
            hint="Pass one as search_rag gives it: path::heading::chunk-0@0123456789ab.",
        )
    return path, int(match[2]), match[3]


def quoted(text: str) -> str:
    """A file's words as a Markdown quote, every line marked, so that none of them can pass for ours."""
    return "\n".join(f"> {row}".rstrip() for row in printable(text).split("\n"))


def quoted_hit(hit: SearchHit, ref: str) -> str:
    """A hit as Dialogoi shows it: id, score, file, start, end, tags, and the snippet as a quote."""
    tags = f"; tags: {one_line(', '.join(hit.tags))}" if hit.tags else ""
    place = f"file: {one_line(hit.path)}; start: {hit.start}; end: {hit.end}; lines: {hit.lines[0]}-{hit.lines[1]}"
    page = f"; page: {hit.page}" if hit.page is not None else ""
    snippet = hit.snippet.strip("\n")
    return f"{hit.rank}. id: `{ref}`\n   score: {hit.score:.2f}; {place}{page}{tags}\n\n{quoted(snippet)}"


def file_line(row: FileRow) -> str:
    """A file with its state as one line of a list."""
    chunks = f", {row.chunks:,} {'chunk' if row.chunks == 1 else 'chunks'}" if row.chunks else ""
    detail = f": {one_line(row.detail)}" if row.detail else ""
    return f"- {one_line(row.path)} ({row.state}{chunks}{detail})"


def well_formed(value: Any) -> Any:
    """The same builtins with lone surrogates, which JSON in UTF-8 cannot carry, replaced one for one."""
    match value:
        case str():
            return _SURROGATE.sub("\ufffd", value)
        case dict():
            return {well_formed(key): well_formed(item) for key, item in value.items()}
        case list() | tuple():
            return [well_formed(item) for item in value]
        case _:
            return value
