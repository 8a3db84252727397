"""How words become commands: click parses, and its complaints are told in this program's own form."""

import difflib
import importlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lens_tui import __version__
from lens_tui.cli import COMMANDS, output
from lens_tui.errors import UsageError

if TYPE_CHECKING:
    from lens_tui.cli import Doors


class LensCommand(click.Command):
    """A command whose help goes through our own stdout, so that a closed pipe ends it quietly too."""

    def get_help_option(self, ctx: click.Context) -> click.Option:
        """Return ``--help`` (and ``-h``)."""

        def show(context: click.Context, _: click.Parameter, wanted: bool) -> None:
            if wanted and not context.resilient_parsing:
                output.write(context.get_help() + "\n")
                context.exit()

        return click.Option(
            ["-h", "--help"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=show,
            help="Show this and leave.",
        )


class WordsCommand(LensCommand):
    """A command whose second word is a person's own (QUERY, QUESTION) and may begin with ``-``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Hide the word after FOLDER from the parser, so that it is never taken for an option."""
        name = [param.name for param in self.params if isinstance(param, click.Argument)][1]
        place = self._own_word(args)
        if place is None or name is None:
            return super().parse_args(ctx, args)
        rest = super().parse_args(ctx, [*args[:place], "word", *args[place + 1 :]])
        ctx.params[name] = args[place]
        return rest

    def _own_word(self, args: Sequence[str]) -> int | None:
        """Index of the word after FOLDER; None where there is none, or where ``--`` has made everything plain words."""
        takes_value = {
            opt for param in self.params if isinstance(param, click.Option) for opt in param.opts if not param.is_flag
        }
        place = 0
        while place < len(args):
            word = args[place]
            if word == "--":
                return None
            if not word.startswith("-") or word == "-":
                # A conventional ``--`` after FOLDER does no harm; alone it is the query.
                after = place + 1
                plain = after + 1 < len(args) and args[after] == "--"
                return None if plain or after >= len(args) else after
            place += 2 if word in takes_value else 1
        return None


def run_command(words: list[str], doors: "Doors") -> int:
    """Parse and run. Returns the exit code.

    Raises:
        UsageError: What click could not make sense of, with the next step.
        LensError: Whatever the command raises.
    """
    name = words[0] if words[0] in COMMANDS else None
    if name is None and not words[0].startswith("-"):
        from lens_tui.cli.opening import refuse_missing

        refuse_missing(words[0])
    module = importlib.import_module(f"lens_tui.cli.{name or 'app'}")
    command: click.Command = module.command
    try:
        with command.make_context(
            f"lens-tui {name}" if name else "lens-tui", words[1:] if name else words, obj=doors
        ) as ctx:
            code = command.invoke(ctx)
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.UsageError as error:
        raise _own_usage_error(error, name, words) from error
    return code if isinstance(code, int) else 0


def show_version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    """Print the version and leave."""
    if wanted and not context.resilient_parsing:
        output.write(f"lens-tui {__version__}\n")
        context.exit()


def json_option(function: Any) -> Any:
    """Add ``--json``."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON.")(function)


def data_dir_option(function: Any) -> Any:
    """Add ``--data-dir``."""
    return click.option("--data-dir", metavar="DIR", help="Where indexes and conversations are kept.")(function)


def host_option(function: Any) -> Any:
    """Add ``--host``."""
    return click.option("--host", metavar="ADDRESS", help="Ollama's address, in any form that Ollama takes.")(function)


def retriever_option(function: Any) -> Any:
    """Add ``--retriever``."""
    return click.option("--retriever", metavar="NAME", help="lexical, vector or hybrid.")(function)


def finding_options(function: Any) -> Any:
    """Add what every command that searches a folder takes: ``--retriever``, ``--json`` and ``--data-dir``."""
    return retriever_option(json_option(data_dir_option(function)))


def _own_usage_error(error: click.UsageError, name: str | None, words: Sequence[str]) -> UsageError:
    help_line = f"lens-tui {name} --help" if name else "lens-tui --help"
    message = error.format_message().rstrip(".")
    hint = f"See: {help_line}"
    if isinstance(error, click.NoSuchOption):
        message = f"There is no option {error.option_name}"
        known = [opt for param in error.ctx.command.get_params(error.ctx) for opt in param.opts] if error.ctx else []
        near = difflib.get_close_matches(error.option_name, [opt for opt in known if opt.startswith("-")], 1)
        if near:
            hint = f"Did you mean {near[0]}? See: {help_line}"
    elif isinstance(error, click.MissingParameter) and name and Path(name).is_dir():
        hint = f"To open the folder of that name: lens-tui ./{name}. For the command, see: {help_line}"
    elif "extra argument" in message and name in ("search", "ask"):
        hint = f'Put the words in quotes: lens-tui {name} FOLDER "…", options after them. See: {help_line}'
    return UsageError(f"{message}.", hint=hint)
