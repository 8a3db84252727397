"""``lens-tui [FOLDER]``: the app, and the help that lists every command."""

import click

from lens_tui.cli import COMMANDS, Doors
from lens_tui.cli.commands import LensCommand, data_dir_option, host_option, show_version
from lens_tui.cli.opening import open_app


class FrontDoor(LensCommand):
    """The command without a name; its help lists the others."""

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Show both forms."""
        formatter.write_usage("lens-tui", "[FOLDER]  |  COMMAND …", "Usage: ")

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands and the examples."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))
        super().format_epilog(ctx, formatter)


@click.command(
    cls=FrontDoor,
    epilog="""\b
Examples:
  lens-tui ./notes
  lens-tui --model none ./notes
  lens-tui search ./notes "three months notice"
  lens-tui ask ./notes "When does the lease end?"

Each command has its own help: lens-tui ask --help. A folder named like a command is opened as ./search.""",
)
@click.argument("folder", default=".")
@click.option("--model", metavar="NAME", help="Chat model; none quotes instead of answering.")
@host_option
@click.option("--theme", metavar="NAME", help="Colours: lens-dark, lens-light, lens-ansi or one of yours.")
@data_dir_option
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=show_version,
    help="Show the version and leave.",
)
@click.pass_obj
def command(
    doors: Doors, folder: str, model: str | None, host: str | None, theme: str | None, data_dir: str | None
) -> int:
    """Talk with a folder of notes, papers or code; every sentence of an answer shows the line that it rests on.

    Opens the app on FOLDER, or on the current folder. Nothing leaves this machine unless --host names another one.
    """
    flags = {"model": model, "ollama.host": host, "theme": theme, "data_dir": data_dir}
    return open_app(folder, flags, doors)
