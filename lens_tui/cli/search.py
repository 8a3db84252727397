"""``lens-tui search FOLDER QUERY``: ranked excerpts."""

import inspect
from collections.abc import Mapping
from itertools import pairwise

import click

from lens_tui.cli import Doors, hits, output
from lens_tui.cli.commands import WordsCommand, finding_options
from lens_tui.cli.opening import asking, checked_k, checked_words, chosen_retriever, engine_of, settled
from lens_tui.cli.progress import ProgressLine
from lens_tui.cli.wording import command_line
from lens_tui.requests import Search
from lens_tui.types import Retriever

ORDERED_BY: Mapping[Retriever, str] = {
    "lexical": "BM25 over the words",
    "vector": "the vectors' cosine",
    "hybrid": "BM25 and the vectors' cosine together",
}
"""What each retriever orders by, as a person is told whose hits' scores do not fall."""


@click.command(
    cls=WordsCommand,
    epilog="""\b
In QUERY, beside its words:
  "exact words"   stand in the excerpt as they are
  -word           does not
  path:drafts/    the path begins so; * is any characters: path:*.txt
  type:md         the file's ending, or its kind: type:md,txt type:code
  tag:idea        a tag of the file, or one under it such as idea:new
A - before a filter or a quote turns it round. Of several paths or types one is
enough, tags must all be there. Filters alone list what passes, by path.

\b
Examples:
  lens-tui search ./notes "three months notice"
  lens-tui search ./notes "-draft lease" -k 3
  lens-tui search ./notes 'path:letters/ type:md tag:house "three months"'
  echo "notice period" | lens-tui search ./notes - --json | jq .hits[0].path""",
)
@click.argument("folder")
@click.argument("query")
@click.option("-k", type=int, metavar="N", help="How many excerpts, 1 to 50.  [default: 10]")
@click.option("--explain", is_flag=True, help="Say why each excerpt is where it is, and what the score means.")
@click.option("--section", is_flag=True, help="Show the section of up to 8,000 characters that each excerpt stands in.")
@finding_options
@click.pass_obj
def command(
    doors: Doors,
    folder: str,
    query: str,
    k: int | None,
    retriever: str | None,
    explain: bool,
    section: bool,
    as_json: bool,
    data_dir: str | None,
) -> int:
    """Find the excerpts of FOLDER that fit QUERY best: path, lines, score from 0 to 1, and the matching text.

    The word after FOLDER is always the query; - reads it from standard input. The index is brought up to date first.
    """
    places, settings = settled(folder, {"data_dir": data_dir, "search.retriever": retriever})
    wanted = checked_k(k, settings.search_default_k, settings)
    words = checked_words(output.read_stdin("query") if query == "-" else query, "query")
    request = Search(query=words, k=wanted, retriever=chosen_retriever(settings), explain=explain, section=section)
    with engine_of(doors, places, settings) as engine, ProgressLine() as line, asking(engine, request) as events:
        found = hits.awaited(events, line)
    left_out = command_line("index", folder, data_dir)
    hint = f"Try fewer or other words. Which files are left out, and why, is told by: {left_out}"
    code = hits.show(found, as_json=as_json, explain=explain, hint=hint)
    if explain and not as_json:
        _explain()
    elif not as_json and any(one.score < other.score for one, other in pairwise(found.hits)):
        output.say(
            f"In the order of {ORDERED_BY[found.retriever]}, not of the score; --explain says how both come about."
        )
    return code


def _explain() -> None:
    """Print what a score means, in the words of the room that gives it; each hit has said how its own comes about."""
    from lens_tui.index import ranking

    _, begins, rest = inspect.cleandoc(ranking.__doc__ or "").partition("The score is absolute")
    output.write(f"{begins}{rest}\n")
