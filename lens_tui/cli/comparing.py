"""What several strategies make of one document, side by side."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from lens_tui.chunk_json import tallied
from lens_tui.chunk_opening import open_chunker
from lens_tui.chunking.comparing import cuts_in_functions, cuts_in_sentences
from lens_tui.cli import output
from lens_tui.settings import Settings
from lens_tui.text.display import one_line
from lens_tui.text.tokens import open_tokenizer
from lens_tui.text.vocabularies import directories_of
from lens_tui.types import Document

COLUMNS = {
    "count": "chunks",
    "smallest": "smallest",
    "average": "average",
    "largest": "largest",
    "cuts_in_sentences": "in sentences",
    "cuts_in_functions": "in functions",
    "milliseconds": "ms",
}
"""What is told of each strategy → how its column is headed."""


def show_comparison(document: Document, settings: Settings, strategies: Sequence[str], *, as_json: bool) -> None:
    """Cut a document by each strategy and print a table, or one object.

    Raises:
        ChunkingError: One of them is unknown, or cannot cut as asked.
    """
    tokenizer = open_tokenizer(settings.tokenizer, directories_of(settings.data_dir))
    choices = [replace(settings, chunking=replace(settings.chunking, strategy=name)) for name in strategies]
    opened = [open_chunker(choice, tokenizer) for choice in choices]
    results: dict[str, dict[str, Any]] = {}
    tokenizer.count("warm")  # so that the first one's time is that of cutting
    for name, (chunker, _) in zip(strategies, opened, strict=True):
        began = time.perf_counter()
        cut = chunker.chunk(document)
        spent = (time.perf_counter() - began) * 1000
        tally = tallied(cut.chunks)
        results[name] = {
            "told": chunker.told(document),
            "count": tally.count,
            "average": tally.average,
            "smallest": tally.smallest,
            "largest": tally.largest,
            "cuts_in_sentences": cuts_in_sentences(document, cut.chunks),
            "cuts_in_functions": cuts_in_functions(document, cut.chunks),
            "milliseconds": round(spent, 2),
            "warnings": list(cut.warnings),
        }
    if as_json:
        output.write_json({"path": document.path, "tokenizer": tokenizer.name, "results": results})
    else:
        _show(results)
    for note in dict.fromkeys(note for _, notes in opened for note in notes):
        output.say(note)


def _show(results: Mapping[str, Mapping[str, Any]]) -> None:
    heads = list(COLUMNS.values())
    width = max(len(name) for name in ("strategy", *results))
    output.write_line("strategy".ljust(width) + "".join(f"  {head}" for head in heads))
    for name, result in results.items():
        cells = (_cell(key, result[key]).rjust(len(head)) for key, head in COLUMNS.items())
        output.write_line(name.ljust(width) + "".join(f"  {cell}" for cell in cells))
    output.write_line("")
    for name, result in results.items():
        output.write_line(f"{name.ljust(width)}  {result['told']}")
        for warning in result["warnings"]:
            output.write_line(f"~ {name}: {one_line(warning)}")


def _cell(key: str, value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:,.1f}" if key in ("average", "milliseconds") else f"{value:,}"
