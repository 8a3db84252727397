"""``lens-tui eval FOLDER QUESTIONS.jsonl``: how well search does on a person's own questions."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lens_tui.cli import Doors, output
from lens_tui.cli.commands import LensCommand, finding_options
from lens_tui.cli.cutting import strategies_in
from lens_tui.cli.opening import checked_k, chosen_retriever, engine_of, settled
from lens_tui.cli.progress import ProgressLine
from lens_tui.cli.wording import counted
from lens_tui.errors import UsageError

if TYPE_CHECKING:
    from lens_tui.evaluation import Trial

FAILED_SHOWN = 20
"""Failed questions that are printed for a person, and then how many more there are; JSON has every one."""


@click.command(
    cls=LensCommand,
    epilog="""\b
Examples:
  lens-tui eval ./notes questions.jsonl
  lens-tui eval ./notes questions.jsonl --retriever lexical --json | jq '.results.lexical["mrr@10"]'
  lens-tui eval ./notes questions.jsonl --chunking paragraph,sentence,recursive
\b
A line of QUESTIONS.jsonl is, for example:
  {"question": "When does the lease end?", "relevant": [{"path": "house/lease.md", "start": 120, "end": 180}]}
Without start and end the whole file is meant; "quote": "its words" serves instead of offsets.
\b
Beside the usual measures, in characters:
  char_recall@4000  how much of what is relevant stands in the first 4,000 that the hits hold
  iou@5             what the first five hits and the relevant text share, over all that both hold""",
)
@click.argument("folder")
@click.argument("questions", metavar="QUESTIONS.jsonl")
@click.option(
    "-k", type=int, metavar="N", help="A question has failed with nothing right in the first N.  [default: 10]"
)
@click.option(
    "--chunking",
    metavar="S1,S2,…",
    help="Cut the folder by each of these strategies, in indexes of their own that are thrown away, and compare them.",
)
@finding_options
@click.pass_obj
def command(
    doors: Doors,
    folder: str,
    questions: str,
    k: int | None,
    chunking: str | None,
    retriever: str | None,
    as_json: bool,
    data_dir: str | None,
) -> int:
    """Measure search on questions whose answers you know: recall, precision, MRR, nDCG and times.

    With an embedding model lexical, vector and hybrid are measured side by side; without one lexical alone, and the
    built-in vectors with --retriever vector. - reads the questions from standard input.
    """
    from lens_tui.cli.asked import retrievers_of, targets_in, tried
    from lens_tui.evaluation import RANKED, failed, figures, parse_questions

    places, settings = settled(folder, {"data_dir": data_dir, "search.retriever": retriever})
    wanted = checked_k(k, settings.search_default_k, settings)
    asked = parse_questions(_lines(questions), "standard input" if questions == "-" else questions)
    trials: Mapping[str, Sequence[Trial]]
    if chunking is not None:
        from lens_tui.cli.eval_chunking import by_strategy

        trials, notes = by_strategy(doors, places, settings, strategies_in(chunking), asked)
    else:
        with engine_of(doors, places, settings) as engine, ProgressLine() as line:
            retrievers = retrievers_of(engine, line, chosen_retriever(settings))
            targets, notes = targets_in(engine, asked)
            trials = {name: tried(engine, name, asked, targets, line) for name in retrievers}
    results = {name: figures(tried) for name, tried in trials.items()}
    best = list(trials)[-1] if chunking is None else max(results, key=lambda name: results[name][f"ndcg@{RANKED}"])
    lost = [question.text for question in failed(trials[best], wanted)]
    if as_json:
        output.write_json({"questions": len(asked), "k": wanted, "results": results, "failed": lost, "notes": notes})
    else:
        _show(results, lost, wanted, best, len(asked))
    for note in notes:
        output.say(note)
    return 0


def _lines(name: str) -> Sequence[str]:
    if name == "-":
        return output.read_stdin("questions").splitlines()
    try:
        return Path(name).read_text("utf-8-sig").splitlines()
    except FileNotFoundError as error:
        raise UsageError(f"There is no file {name}.", hint="See its form with: lens-tui eval --help") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{name} is not UTF-8 text.", hint="Save the questions as UTF-8.") from error
    except OSError as error:
        raise UsageError(f"{name} cannot be read: {error.strerror}.", hint="Name a file of questions.") from error


def _show(results: Mapping[str, Mapping[str, float]], lost: Sequence[str], k: int, best: str, questions: int) -> None:
    """Print one table, a measure a row and a retriever or strategy a column, then the failed questions."""
    from lens_tui.evaluation import TIMES

    width = max(10, *(len(name) + 2 for name in results))
    output.write_line(counted(questions, "question").ljust(18) + "".join(name.rjust(width) for name in results))
    for measure in next(iter(results.values())):
        places = 1 if measure in TIMES else 3
        row = "".join(f"{figures[measure]:.{places}f}".rjust(width) for figures in results.values())
        output.write_line(measure.ljust(18) + row)
    if lost:
        output.write_line("")
        output.write_line(f"Nothing right in the first {k} ({best}), {len(lost):,} of {questions:,}:")
        for text in lost[:FAILED_SHOWN]:
            output.write_line("  " + " ".join(text.split()))
        if len(lost) > FAILED_SHOWN:
            output.write_line(f"  and {len(lost) - FAILED_SHOWN:,} more; --json has every one")
