"""``lens-tui ask FOLDER QUESTION``: a grounded answer as it is written, then its sources."""

from collections.abc import Collection
from dataclasses import dataclass, field

import click

from lens_tui.cli import Doors, output, verdicts
from lens_tui.cli.commands import WordsCommand, finding_options, host_option
from lens_tui.cli.failing import check, fail_on, fail_on_option
from lens_tui.cli.opening import asking, checked_k, checked_words, chosen_retriever, engine_of, settled
from lens_tui.cli.progress import ProgressLine
from lens_tui.cli.wording import counted
from lens_tui.errors import CheckFailed, EngineError, LensError, NothingFound, Stopped
from lens_tui.requests import Ask, Event, IndexProgress
from lens_tui.text.display import printable
from lens_tui.text.exported import listed
from lens_tui.types import Answered, AnswerStep, AnswerText, AskRetrieved, Failed, Verdict
from lens_tui.wire import as_error

DEFAULT_K = 8
"""Excerpts that an answer rests on, from product.md's command table."""


@click.command(
    cls=WordsCommand,
    epilog="""\b
Examples:
  lens-tui ask ./notes "When does the lease end?"
  lens-tui ask ./notes "What did we promise?" --model none
  lens-tui ask ./notes "Summarize the lease" --fail-on contradicted,invented
  cat question.txt | lens-tui ask ./notes - --json | jq -r 'select(.event == "answered").text'""",
)
@click.argument("folder")
@click.argument("question")
@click.option("-k", type=int, metavar="N", help="How many hits the answer may rest on, 1 to 50.  [default: 8]")
@click.option("--model", metavar="NAME", help="Chat model; none quotes instead of answering.")
@host_option
@fail_on_option
@finding_options
@click.pass_obj
def command(
    doors: Doors,
    folder: str,
    question: str,
    k: int | None,
    model: str | None,
    host: str | None,
    failing: str | None,
    retriever: str | None,
    as_json: bool,
    data_dir: str | None,
) -> int:
    """Answer QUESTION from FOLDER: the text as it comes, then the sources that it cites.

    Without a chat model the best sentences are quoted word for word. The word after FOLDER is always the question; -
    reads it from standard input. The index is brought up to date first.
    """
    teller = _Teller(as_json)
    try:
        unwanted = fail_on(failing)
        flags = {"data_dir": data_dir, "search.retriever": retriever, "model": model, "ollama.host": host}
        places, settings = settled(folder, flags)
        request = Ask(
            question=checked_words(output.read_stdin("question") if question == "-" else question, "question"),
            k=checked_k(k, min(DEFAULT_K, settings.search_max_k), settings),
            model=settings.model or None,
            host=settings.ollama_host,
            keep_alive=settings.ollama_keep_alive,
            temperature=settings.ollama_temperature,
            retriever=chosen_retriever(settings),
        )
        with engine_of(doors, places, settings) as engine, asking(engine, request) as events, teller.line:
            for event in events:
                teller.tell(event)
        return teller.end(unwanted)
    except KeyboardInterrupt as stop:
        teller.break_off()
        raise _stopped() from stop
    except LensError as error:
        if as_json and not teller.failed and not isinstance(error, CheckFailed | NothingFound):
            output.write_json({"event": "error", "message": error.message, "hint": error.hint})
        raise


@dataclass
class _Teller:
    """Writes an answer's events in order, and judges at the end how it went."""

    as_json: bool
    line: ProgressLine = field(default_factory=ProgressLine)
    retrieved: AskRetrieved | None = None
    answered: Answered | None = None
    failed: Failed | None = None
    written: str = ""

    def tell(self, event: Event) -> None:
        """Write one event."""
        match event:
            case IndexProgress():
                self.line.show_index(event)
            case AnswerStep():
                if event.step and not self.written:
                    self.line.show(event.step)
            case AskRetrieved():
                self.retrieved = event
                self._json(event)
            case AnswerText():
                self.line.wipe()
                self.written += event.text
                self._json(event)
                if not self.as_json:
                    output.write(printable(event.text))
            case Answered():
                self.line.wipe()
                self.answered = event
                self._json(event)
                if not self.as_json:
                    self._close(event)
            case Failed():
                self.line.wipe()
                self.failed = event
                self._json(event)
                if not self.as_json and self.answered is None:
                    self._end_row()
            case _:
                pass

    def end(self, failing: Collection[Verdict]) -> int:
        """Say what a person should know, and return the exit code.

        Raises:
            LensError: What failed, that it was stopped, that a verdict is one of ``failing``, that nothing was found.
        """
        self._say_notes()
        if self.failed is not None:
            raise as_error(self.failed)
        if self.answered is None:
            raise EngineError("The engine ended in mid-answer.", hint="Ask again; what arrived stands above.")
        if self.answered.stopped:
            raise _stopped()
        check((citation.verdict for citation in self.answered.citations), failing)
        if self.retrieved is not None and not self.retrieved.hits:
            raise NothingFound("Nothing in the folder fits the question.", hint="Ask in other words.")
        return 0

    def break_off(self) -> None:
        """Leave no half a row behind where the person stopped the answer."""
        self.line.wipe()
        if not self.as_json:
            self._end_row()

    def _json(self, event: object) -> None:
        if self.as_json:
            output.write_json(event)

    def _end_row(self) -> None:
        if self.written and not self.written.endswith("\n"):
            output.write("\n")

    def _close(self, answered: Answered) -> None:
        """End the text, then list what it cites in the form of an exported answer."""
        if answered.text.startswith(self.written):
            output.write(printable(answered.text[len(self.written) :]))
            self.written = answered.text
        self._end_row()
        cited = {citation.number for citation in answered.citations if citation.path is not None}
        excerpts = [e for e in (self.retrieved.excerpts if self.retrieved else ()) if e.number in cited]
        if excerpts:
            output.write("\nSources:\n\n")
        for excerpt in excerpts:
            output.write(f"{listed(excerpt)}\n")

    def _say_notes(self) -> None:
        notes = [*(self.retrieved.notes if self.retrieved else ()), *(self.answered.notes if self.answered else ())]
        for note in dict.fromkeys(notes):
            output.say(note)
        if self.answered is None or self.as_json:
            return
        excerpts = self.retrieved.excerpts if self.retrieved else ()
        if places := verdicts.carrying(self.answered.citations, excerpts):
            output.say(places)
        if self.answered.model is not None:
            for sentence in verdicts.told(self.answered.citations, self.answered.uncited):
                output.say(sentence)
            output.say(self._cost(self.answered))

    def _cost(self, answered: Answered) -> str:
        """What the answer took: ``qwen3:4b, 6 of 8 excerpts, 1,912 of 4,096 tokens, 8 s.``."""
        excerpts = len(self.retrieved.excerpts) if self.retrieved else 0
        fitted = f"{excerpts - answered.left_out:,} of " if answered.left_out else ""
        parts = [str(answered.model), fitted + counted(excerpts, "excerpt")]
        if answered.prompt_tokens is not None and answered.context_tokens is not None:
            used = answered.prompt_tokens + (answered.answer_tokens or 0)
            parts.append(f"{used:,} of {answered.context_tokens:,} tokens")
        return ", ".join([*parts, f"{answered.seconds:.1f} s."])


def _stopped() -> Stopped:
    return Stopped("Stopped; what had arrived stands above.", hint="The same command asks again.")
