"""``lens-tui eval FOLDER QUESTIONS.jsonl``: how well search does on a person's own questions."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lens_tui.cli import Doors, hits, output
from lens_tui.cli.commands import LensCommand, finding_options
from lens_tui.cli.opening import asking, checked_k, chosen_retriever, engine_of, settled
from lens_tui.cli.progress import ProgressLine
from lens_tui.errors import FileUnreadable, UsageError
from lens_tui.requests import FileText, OpenFile, Search
from lens_tui.types import Failed
from lens_tui.wire import as_error

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lens_tui.evaluation import Question, Target, Trial
    from lens_tui.protocols import Engine
    from lens_tui.types import Retriever

FAILED_SHOWN = 20
"""Failed questions that are printed for a person, and then how many more there are; JSON has every one."""


@click.command(
    cls=LensCommand,
    epilog="""\b
Examples:
  lens-tui eval ./notes questions.jsonl
  lens-tui eval ./notes questions.jsonl --retriever lexical --json | jq '.results.lexical["mrr@10"]'
\b
A line of QUESTIONS.jsonl is, for example:
  {"question": "When does the lease end?", "relevant": [{"path": "house/lease.md", "start": 120, "end": 180}]}
Without start and end the whole file is meant; "quote": "its words" serves instead of offsets.""",
)
@click.argument("folder")
@click.argument("questions", metavar="QUESTIONS.jsonl")
@click.option(
    "-k", type=int, metavar="N", help="A question has failed with nothing right in the first N.  [default: 10]"
)
@finding_options
@click.pass_obj
def command(
    doors: Doors,
    folder: str,
    questions: str,
    k: int | None,
    retriever: str | None,
    as_json: bool,
    data_dir: str | None,
) -> int:
    """Measure search on questions whose answers you know: recall, precision, MRR, nDCG and times.

    Every retriever that the index has is measured, side by side, unless one is named. - reads the questions from
    standard input.
    """
    from lens_tui.evaluation import failed, figures, parse_questions

    places, settings = settled(folder, {"data_dir": data_dir, "search.retriever": retriever})
    wanted = checked_k(k, settings.search_default_k, settings)
    asked = parse_questions(_lines(questions), "standard input" if questions == "-" else questions)
    with engine_of(doors, places, settings) as engine, ProgressLine() as line:
        retrievers = _retrievers(engine, line, chosen_retriever(settings))
        targets, notes = _targets(engine, asked)
        trials = {name: _tried(engine, name, asked, targets, line) for name in retrievers}
    best = list(trials)[-1]
    lost = [question.text for question in failed(trials[best], wanted)]
    results = {name: figures(tried) for name, tried in trials.items()}
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


def _retrievers(engine: "Engine", line: ProgressLine, named: "Retriever | None") -> "Sequence[Retriever]":
    """Bring the index up to date and name the retrievers to measure, the one that serves by default last."""
    with asking(engine, Search(query="up to date", k=1, retriever=named, plain=True)) as events:
        serves = hits.awaited(events, line).retriever
    if named is not None:
        return [named]
    return ["lexical", "vector", "hybrid"] if serves == "hybrid" else [serves]


def _targets(engine: "Engine", asked: "Sequence[Question]") -> "tuple[Mapping[int, Sequence[Target]], list[str]]":
    """Find every relevant item in the indexed texts; by the question's line, with sentences on those not found."""
    from lens_tui.evaluation import place

    text_of = _texts(engine)
    found: dict[int, Sequence[Target]] = {}
    notes: list[str] = []
    for question in asked:
        found[question.line], said = place(question, text_of)
        notes.extend(said)
    return found, notes


def _texts(engine: "Engine") -> Callable[[str], str | None]:
    known: dict[str, str | None] = {}

    def text_of(path: str) -> str | None:
        if path not in known:
            known[path] = _text(engine, path)
        return known[path]

    return text_of


def _text(engine: "Engine", path: str) -> str | None:
    """A file's text as the index has it, None where it is not indexed. Raises what else the engine says."""
    with asking(engine, OpenFile(path=path)) as events:
        for event in events:
            if isinstance(event, FileText):
                return event.text if event.chunks else None
            if isinstance(event, Failed):
                error = as_error(event)
                if isinstance(error, FileUnreadable):
                    return None
                raise error
    return None


def _tried(
    engine: "Engine",
    retriever: "Retriever",
    asked: "Sequence[Question]",
    targets: "Mapping[int, Sequence[Target]]",
    line: ProgressLine,
) -> "list[Trial]":
    from lens_tui.evaluation import DEPTH, Trial

    trials = []
    for done, question in enumerate(asked, 1):
        request = Search(query=question.text, k=DEPTH, retriever=retriever, fresh=False, plain=True)
        with asking(engine, request) as events:
            found = hits.awaited(events, line)
        trials.append(Trial(question, tuple(targets[question.line]), found.hits, found.milliseconds))
        line.show(f"asked {done:,} of {len(asked):,} questions by {retriever}")
    return trials


def _show(
    results: "Mapping[Retriever, Mapping[str, float]]", lost: Sequence[str], k: int, best: str, questions: int
) -> None:
    """Print one table, a measure a row and a retriever a column, then the failed questions."""
    from lens_tui.evaluation import TIMES

    output.write_line(f"{questions:,} questions".ljust(18) + "".join(name.rjust(10) for name in results))
    for measure in next(iter(results.values())):
        places = 1 if measure in TIMES else 3
        row = "".join(f"{figures[measure]:.{places}f}".rjust(10) for figures in results.values())
        output.write_line(measure.ljust(18) + row)
    if lost:
        output.write_line("")
        output.write_line(f"Nothing right in the first {k} ({best}), {len(lost):,} of {questions:,}:")
        for text in lost[:FAILED_SHOWN]:
            output.write_line("  " + " ".join(text.split()))
        if len(lost) > FAILED_SHOWN:
            output.write_line(f"  and {len(lost) - FAILED_SHOWN:,} more; --json has every one")
