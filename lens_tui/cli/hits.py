"""How found excerpts are waited for and printed, for the commands that list them."""

import re
from collections.abc import Iterable, Iterator

from lens_tui.cli import output
from lens_tui.cli.progress import ProgressLine
from lens_tui.errors import EngineError, NothingFound
from lens_tui.requests import Event, Found, IndexProgress
from lens_tui.text.display import one_line, printable
from lens_tui.text.listing import listed
from lens_tui.types import Failed, SearchHit
from lens_tui.wire import as_error

INDENT = "    "
RANKS = {"lexical": "words", "vector": "vectors"}
"""Retriever → its name beside a rank; others keep their own."""
ALSO_NAMED = 5
"""Other places of the same passage that are named; ``--json`` has them all."""
ORDER = "Best first, by both ranks together: where each stands by words and by vectors."


def awaited(events: Iterable[Event], line: ProgressLine) -> Found:
    """Wait for what was found, showing how far the index is. Raises what the engine says has failed."""
    for event in events:
        if isinstance(event, IndexProgress):
            line.show_index(event)
        elif isinstance(event, Failed):
            raise as_error(event)
        elif isinstance(event, Found):
            return event
    raise EngineError("The engine ended before it had searched.", hint="Run the same command again.")


def show(found: Found, *, as_json: bool, explain: bool = False, by_ranks: bool = False, hint: str) -> int:
    """Print what was found. Raises NothingFound, after the JSON where that was asked for.

    Args:
        found: What the engine says.
        as_json: Whether JSON is wanted.
        explain: Whether why each hit ranks so is wanted.
        by_ranks: Whether ranks alone order the hits: they stand in the place of the score then.
        hint: The next step where nothing was found.
    """
    if as_json:
        output.write_json(
            {"query": found.query, "k": found.k, "retriever": found.retriever, "hits": found.hits, "notes": found.notes}
        )
    else:
        for hit in found.hits:
            _show_hit(hit, _ranks(hit) if by_ranks else f"{hit.score:.2f}", explain=explain)
    if not found.hits:
        first, *others = found.notes or ("Nothing was found.",)
        for note in others:
            output.say(note)
        raise NothingFound(first, hint=hint)
    if by_ranks and found.retriever == "hybrid" and not as_json:
        output.say(ORDER)
    for note in found.notes:
        output.say(note)
    return 0


def place(path: str, lines: tuple[int, int]) -> str:
    """Write a path with its lines as ``path:first-last``, ``path:line`` for a single one, on one row."""
    first, last = lines
    return f"{one_line(path)}:{first}" + (f"-{last}" if last > first else "")


def _ranks(hit: SearchHit) -> str:
    return ", ".join(f"{RANKS.get(name, one_line(name))} {one.rank}" for name, one in hit.why.items())


def _show_hit(hit: SearchHit, figure: str, *, explain: bool) -> None:
    page = f"  page {hit.page}" if hit.page is not None else ""
    heading = f"  {one_line(' > '.join(hit.heading))}" if hit.heading else ""
    output.write(f"{place(hit.path, hit.lines)}  {figure}{page}{heading}\n")
    for row in _with_marks(hit).splitlines():
        output.write(f"{INDENT}{row}\n")
    if hit.also:
        others = [place(one.path, (one.line or 1, one.line or 1)) for one in hit.also]
        output.write_line(f"{INDENT}also in {listed(others, ALSO_NAMED)}")
    if explain:
        for row in _reasons(hit):
            output.write_line(INDENT + one_line(row))
    output.write("\n")


def _reasons(hit: SearchHit) -> Iterator[str]:
    """Why a hit is where it is, a row each: words, order, score, and the place in each retriever."""
    why = hit.explain
    if why is not None and why.words:
        yield "words    " + ", ".join(word.told for word in why.words)
    if hit.why:
        yield "ranks    " + "; ".join(f"{name}: rank {one.rank}, {one.score:.2f}" for name, one in hit.why.items())
    if why is not None:
        yield f"order    {why.order}"
        yield f"score    {why.score}"


def _with_marks(hit: SearchHit) -> str:
    """The snippet, printable, its matched words bold where that can be shown."""
    snippet = printable(hit.snippet).strip("\n")
    words = {printable(hit.text[start:end]).strip() for start, end in hit.marks} - {""}
    if not words:
        return snippet
    # A snippet may fold white space, so its words are found again instead of counted.
    either = "|".join(r"\s+".join(map(re.escape, word.split())) for word in sorted(words, key=len, reverse=True))
    return re.sub(rf"(?<![A-Za-z0-9_])(?:{either})", lambda match: output.bold(match[0]), snippet)
