"""Asking a person's questions of an index, and where in its texts the answers lie."""

from collections.abc import Callable, Mapping, Sequence

from lens_tui.cli import hits
from lens_tui.cli.opening import asking
from lens_tui.cli.progress import ProgressLine
from lens_tui.errors import FileUnreadable
from lens_tui.evaluation import DEPTH, Question, Target, Trial, place
from lens_tui.protocols import Engine
from lens_tui.requests import FileText, OpenFile, Search
from lens_tui.types import Failed, Retriever
from lens_tui.wire import as_error


def retrievers_of(engine: Engine, line: ProgressLine, named: Retriever | None) -> Sequence[Retriever]:
    """Bring the index up to date and name the retrievers to measure, the one that serves by default last."""
    with asking(engine, Search(query="up to date", k=1, retriever=named, plain=True)) as events:
        serves = hits.awaited(events, line).retriever
    if named is not None:
        return [named]
    return ["lexical", "vector", "hybrid"] if serves == "hybrid" else [serves]


def targets_in(engine: Engine, asked: Sequence[Question]) -> tuple[Mapping[int, Sequence[Target]], list[str]]:
    """Find every relevant item in the indexed texts; by the question's line, with sentences on those not found."""
    text_of = _texts(engine)
    found: dict[int, Sequence[Target]] = {}
    notes: list[str] = []
    for question in asked:
        found[question.line], said = place(question, text_of)
        notes.extend(said)
    return found, notes


def _texts(engine: Engine) -> Callable[[str], str | None]:
    known: dict[str, str | None] = {}

    def text_of(path: str) -> str | None:
        if path not in known:
            known[path] = _text(engine, path)
        return known[path]

    return text_of


def _text(engine: Engine, path: str) -> str | None:
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


def tried(
    engine: Engine,
    retriever: Retriever,
    asked: Sequence[Question],
    targets: Mapping[int, Sequence[Target]],
    line: ProgressLine,
) -> list[Trial]:
    """Ask every question once, as words only; what was found, with what should be."""
    trials = []
    for done, question in enumerate(asked, 1):
        request = Search(query=question.text, k=DEPTH, retriever=retriever, fresh=False, plain=True)
        with asking(engine, request) as events:
            found = hits.awaited(events, line)
        trials.append(Trial(question, tuple(targets[question.line]), found.hits, found.milliseconds))
        line.show(f"asked {done:,} of {len(asked):,} questions by {retriever}")
    return trials
