"""How chunks are drawn for a person: a rule with what is known of each, then its text, what it repeats set apart."""

import shutil
import sys
from collections.abc import Sequence

from lens_tui.chunk_json import Tally
from lens_tui.cli import output
from lens_tui.cli.wording import counted
from lens_tui.protocols import Tokenizer
from lens_tui.text.display import one_line, printable
from lens_tui.types import Chunk

OWN, REPEATED = "│ ", "┆ "
WIDEST = 100
"""Columns of a rule at most."""


def draw(chunk: Chunk, count: int | None, before: int) -> None:
    """Draw one chunk of ``count`` (None where that is not known yet); the text up to ``before`` was drawn already."""
    output.write(_rule(chunk, count) + "\n")
    if chunk.context:
        output.write(output.dim(_rows(chunk.context, "≡ ")))
    repeated = chunk.text[: max(0, min(before, chunk.end) - chunk.start)]
    if repeated:
        output.write(output.dim(_rows(repeated, REPEATED)))
    output.write(_rows(chunk.text[len(repeated) :].removeprefix("\n"), OWN))


def _rule(chunk: Chunk, count: int | None) -> str:
    number = f"{chunk.index + 1:,}" + (f" of {count:,}" if count is not None else "")
    first, last = chunk.lines
    facts = [number, counted(chunk.tokens, "token"), f"lines {first}–{last}" if last > first else f"line {first}"]
    if chunk.page is not None:
        facts.append(f"page {chunk.page}")
    if chunk.level is not None:
        facts.append(f"level {chunk.level}")
    if chunk.heading:
        facts.append(" > ".join(chunk.heading))
    left = f"── {one_line(' · '.join(facts))} "
    right = f" shares {chunk.overlap_before:,} ──" if chunk.overlap_before else "──"
    width = min(WIDEST, shutil.get_terminal_size().columns if output.is_terminal(sys.stdout) else WIDEST)
    return output.bold(left + "─" * max(2, width - len(left) - len(right)) + right)


def _rows(text: str, sign: str) -> str:
    return "".join(f"{sign}{row}\n" for row in printable(text).rstrip("\n").split("\n"))


def sum_up(tally: Tally, told: str, tokenizer: Tokenizer, milliseconds: float, warnings: Sequence[str]) -> None:
    """Print what chunks come to, then the warnings."""
    average = counted(round(tally.average or 0), "token")
    sizes = f", {average} on average, {tally.smallest:,} to {tally.largest:,}" if tally.count else ""
    output.write_line(f"{counted(tally.count, 'chunk')}{sizes}")
    counting = tokenizer.name if tokenizer.exact else f"{tokenizer.name} (estimated)"
    output.write_line(f"{told}, counted by {counting}, in {milliseconds:,.1f} ms")
    for warning in warnings:
        output.write_line(f"~ {one_line(warning)}")
