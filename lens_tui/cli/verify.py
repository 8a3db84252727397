"""``lens-tui verify [FOLDER] FILE``: claims judged by excerpts, or a text's citations by a folder, without a model."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lens_tui.cli import Doors, output
from lens_tui.cli.commands import LensCommand, data_dir_option, json_option
from lens_tui.cli.failing import check, fail_on, fail_on_option
from lens_tui.cli.hits import place
from lens_tui.cli.opening import asking, engine_of, settled
from lens_tui.cli.wording import counted
from lens_tui.errors import FileUnreadable, UsageError
from lens_tui.requests import FileText, OpenFile
from lens_tui.text.display import one_line
from lens_tui.types import Excerpt, Failed, Lines, Span, Verdict
from lens_tui.wire import as_error

if TYPE_CHECKING:
    from lens_tui.protocols import Engine
    from lens_tui.text.exported import Listed

SHOWN = 100
"""Characters of a claim that are shown to a person."""
NAMED = 10
"""Sentences without a citation that are named, and then how many more there are."""


@dataclass(frozen=True, slots=True)
class Row:
    """One judged claim, as ``--json`` writes it."""

    span: Span | None
    """In the excerpt."""
    verdict: Verdict
    why: str


@dataclass(frozen=True, slots=True)
class CitedRow:
    """One judged citation of a text."""

    span: Span | None
    """In the file's text."""
    verdict: Verdict
    why: str
    number: int
    claim: Span
    """In the text that was given."""
    path: str | None
    lines: Lines | None


@click.command(
    cls=LensCommand,
    epilog="""\b
Examples:
  lens-tui verify --json claims.jsonl
  lens-tui verify ./notes answer.md --fail-on contradicted,invented
  lens-tui ask ./notes "When does the lease end?" | lens-tui verify ./notes -
\b
A line of claims.jsonl is, for example:
  {"claim": "The lease ends on 13 March.", "excerpt": "The lease runs until 31 March 2027."}
A text for a folder cites [1], [2], and each of its answers ends in its list of sources, as answers are exported:
  Sources:
  [1] house/lease.md:9-14""",
)
@click.argument("words", nargs=-1, metavar="[FOLDER] FILE")
@fail_on_option
@json_option
@data_dir_option
@click.pass_obj
def command(doors: Doors, words: tuple[str, ...], failing: str | None, as_json: bool, data_dir: str | None) -> int:
    """Judge claims: supported, weak, contradicted or invented, with the sentence that bears them out or says otherwise.

    Without FOLDER, FILE holds a claim and an excerpt a line; with it, a text whose citations are looked up in the
    folder's files. - reads standard input. Whatever the verdicts, it ends with 0, unless --fail-on names them.
    """
    unwanted = fail_on(failing)
    if not 1 <= len(words) <= 2:
        raise UsageError(
            "verify takes a FILE, or a FOLDER and a FILE.", hint="See its forms with: lens-tui verify --help"
        )
    text = _read(words[-1])
    if len(words) == 1:
        verdicts = _judge_rows(text, _name(words[-1]), as_json=as_json)
    else:
        verdicts = _judge_text(text, words[0], doors, data_dir, as_json=as_json)
    check(verdicts, unwanted)
    return 0


def _name(file: str) -> str:
    return "standard input" if file == "-" else file


def _read(file: str) -> str:
    if file == "-":
        return output.read_stdin("claims")
    try:
        return Path(file).read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    except FileNotFoundError as error:
        raise UsageError(f"There is no file {file}.", hint="See the forms with: lens-tui verify --help") from error
    except IsADirectoryError as error:
        raise UsageError(
            f"{file} is a folder; verify judges a file.", hint=f"Name both: lens-tui verify {file} answer.md"
        ) from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{file} is not UTF-8 text.", hint="Save it as UTF-8.") from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise FileUnreadable(
            f"{file} cannot be read: {reason}.", hint="Mend its permissions, or name another."
        ) from error


def _judge_rows(text: str, name: str, *, as_json: bool) -> list[Verdict]:
    """Judge a claim and an excerpt a line. Raises UsageError for a line that is neither, before any is judged."""
    from lens_tui.answering.verify import judge_text

    pairs = [_pair(row, f"Line {line} of {name}") for line, row in enumerate(text.split("\n"), 1) if row.strip()]
    if not pairs:
        raise UsageError(f"{name} holds no claims.", hint="See its form with: lens-tui verify --help")
    verdicts: list[Verdict] = []
    for claim, excerpt in pairs:
        judged = judge_text(claim, excerpt)
        verdicts.append(judged.verdict)
        row = Row(judged.line.span if judged.line else None, judged.verdict, judged.why)
        if as_json:
            output.write_json(row)
        else:
            _show(row.verdict, claim, row.why, excerpt[slice(*row.span)] if row.span else "")
    return verdicts


def _pair(row: str, where: str) -> tuple[str, str]:
    hint = 'A line is: {"claim": "…", "excerpt": "…"}'
    try:
        found = json.loads(row)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{where} is not JSON.", hint=hint) from error
    if not isinstance(found, dict):
        raise UsageError(f"{where} is not an object with a claim and an excerpt.", hint=hint)
    for key in ("claim", "excerpt"):
        if not isinstance(found.get(key), str):
            raise UsageError(f"{where} has no text as its {key}.", hint=hint)
    if not found["claim"].strip():
        raise UsageError(f"{where} has an empty claim.", hint=hint)
    return _well_formed(found["claim"]), _well_formed(found["excerpt"])


def _well_formed(text: str) -> str:
    """The text with ``?`` for each half of a character that JSON can write and nothing can print."""
    return text.encode("utf-8", "replace").decode()


def _judge_text(text: str, folder: str, doors: Doors, data_dir: str | None, *, as_json: bool) -> list[Verdict]:
    """Judge the citations of a text's answers, each by the files that are listed below it."""
    from lens_tui.text.exported import read_answers

    answers = read_answers(text)
    places, settings = settled(folder, {"data_dir": data_dir})
    texts: dict[str, FileText | str] = {}
    with engine_of(doors, places, settings) as engine:
        held = [(answer.span, *_excerpts(engine, answer.sources, texts)) for answer in answers]
    verdicts: list[Verdict] = []
    uncited: list[Span] = []
    for span, excerpts, missing in held:
        rows, bare = _judge_answer(text, span, excerpts, missing)
        for row in rows:
            if as_json:
                output.write_json(row)
            else:
                where = place(row.path, row.lines) if row.path and row.lines else ""
                _show(row.verdict, f"[{row.number}] {text[slice(*row.claim)]}", row.why, where)
        for number in sorted(missing.keys() - {row.number for row in rows}):
            output.say(f"[{number}], which nothing cites: {missing[number]}.")
        verdicts += [row.verdict for row in rows]
        uncited += bare
    _tell_uncited(uncited, text, cited=bool(verdicts))
    return verdicts


def _judge_answer(
    text: str, span: Span, excerpts: Sequence[Excerpt], missing: Mapping[int, str]
) -> tuple[list[CitedRow], list[Span]]:
    """The judged citations of one answer of a text, and its sentences that have none, counted in the text."""
    from lens_tui.answering.citations import cite

    start = span[0]
    citations, uncited = cite(text[slice(*span)], excerpts)
    rows: list[CitedRow] = []
    for citation in citations:
        why = missing.get(citation.number, f"there is no source {citation.number}")
        if citation.verdict != "invented":
            why = citation.why or ""
        claim = (citation.claim[0] + start, citation.claim[1] + start)
        verdict = citation.verdict or "weak"
        rows.append(CitedRow(citation.span, verdict, why, citation.number, claim, citation.path, citation.lines))
    return rows, [(first + start, last + start) for first, last in uncited]


def _tell_uncited(uncited: Sequence[Span], text: str, *, cited: bool) -> None:
    if not cited:
        output.say("Nothing in the text is cited.")
        return
    if not uncited:
        return
    output.say(f"{counted(len(uncited), 'sentence')} {'has' if len(uncited) == 1 else 'have'} no citation:")
    for start, end in uncited[:NAMED]:
        line = text.count("\n", 0, start) + 1
        output.say(f"    line {line:,}: {_shortened(text[start:end])}")
    if len(uncited) > NAMED:
        output.say(f"    and {len(uncited) - NAMED:,} more")


def _excerpts(
    engine: "Engine", listed: "Sequence[Listed]", texts: dict[str, FileText | str]
) -> tuple[list[Excerpt], dict[int, str]]:
    """What an answer rests on, and by number why a source of its list is not there; ``texts`` are those read so far."""
    excerpts: list[Excerpt] = []
    missing: dict[int, str] = {}
    for source in listed:
        if source.path not in texts:
            texts[source.path] = _file(engine, source.path)
        held = texts[source.path]
        if isinstance(held, str):
            missing[source.number] = held
            continue
        cut = _cut(held, source)
        if cut is None:
            missing[source.number] = f"{one_line(source.path)} has only {counted(len(_rows(held)), 'line')}"
        else:
            excerpts.append(cut)
            missing.pop(source.number, None)
    return excerpts, missing


def _file(engine: "Engine", path: str) -> FileText | str:
    """A file as the engine reads it, or why it cannot. Raises what else the engine says."""
    with asking(engine, OpenFile(path=path)) as events:
        for event in events:
            if isinstance(event, FileText):
                return event
            if isinstance(event, Failed):
                error = as_error(event)
                if isinstance(error, FileUnreadable):
                    return error.message.rstrip(".")
                raise error
    return f"{one_line(path)} was not read"


def _cut(file: FileText, source: "Listed") -> Excerpt | None:
    """The listed lines of a file; None where it has fewer."""
    rows = _rows(file)
    first, last = source.lines or (1, len(rows))
    if not 1 <= first <= len(rows):
        return None
    last = min(last, len(rows))
    start = sum(len(row) + 1 for row in rows[: first - 1])
    text = "\n".join(rows[first - 1 : last])
    return Excerpt(source.number, source.path, start, start + len(text), (first, last), (), text, (0, 0), file.checksum)


def _rows(file: FileText) -> list[str]:
    """The lines of a file; none begins after its last line end."""
    return file.text.removesuffix("\n").split("\n")


def _show(verdict: Verdict, claim: str, why: str, where: str) -> None:
    output.write_line(f"{verdict}: {_shortened(claim)}")
    output.write_line(f"    {one_line(why)}")
    if where:
        output.write_line(f"    {one_line(where)}")


def _shortened(claim: str) -> str:
    words = " ".join(claim.split())
    return words if len(words) <= SHOWN else words[: SHOWN - 1] + "…"
