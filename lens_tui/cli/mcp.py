"""``lens-tui mcp FOLDER``: the folder as tools for agents, over stdin and stdout."""

import sys
from collections.abc import Callable

import click

from lens_tui.cli import Doors, output, unforeseen
from lens_tui.cli.commands import LensCommand, data_dir_option
from lens_tui.cli.opening import engine_of, settled
from lens_tui.cli.progress import ProgressLine
from lens_tui.errors import UsageError
from lens_tui.requests import IndexProgress, Status


@click.command(
    cls=LensCommand,
    epilog="""\b
Examples:
  lens-tui mcp ./notes
  claude mcp add notes -- lens-tui mcp ~/notes
  {"mcpServers": {"notes": {"command": "lens-tui", "args": ["mcp", "/home/me/notes"]}}}""",
)
@click.argument("folder")
@data_dir_option
@click.pass_obj
def command(doors: Doors, folder: str, data_dir: str | None) -> int:
    """Serve FOLDER to an MCP client: search_rag, read_excerpt, list_files, index_status.

    A client starts this itself and speaks to it over stdin and stdout, until it closes them. The index is brought up
    to date at once, and with each search. The app may be open on the same folder.
    """
    places, settings = settled(folder, {"data_dir": data_dir})
    if sys.stdin is None or sys.stdout is None:
        raise UsageError("An MCP client speaks over stdin and stdout, and one is closed.", hint="Start it with both.")
    with engine_of(doors, places, settings) as engine:
        # Half a second of imports follows, while the engine already looks at the folder.
        first = engine.start(Status(fresh=True))
        from lens_tui.mcp_server import FolderTools, serve

        if sys.stdin.isatty():
            output.say("An MCP client is to speak here, by stdin and stdout. Ctrl+C ends it.")
        tools = FolderTools(engine, places.folder, settings, show=Progress().show, unforeseen=unforeseen)
        serve(tools, first, output.say)
    return 0


class Progress:
    """How far the index is, on stderr, while calls wait for it: each wait that is short says nothing."""

    def __init__(self, begin: Callable[[], ProgressLine] = ProgressLine) -> None:
        """Show nothing yet; ``begin`` makes the line of one wait."""
        self._begin = begin
        self._line: ProgressLine | None = None

    def show(self, progress: IndexProgress | None) -> None:
        """Show a snapshot; None ends the wait and takes the line away."""
        if progress is not None:
            self._line = self._line or self._begin()
            self._line.show_index(progress)
        elif self._line is not None:
            self._line.wipe()
            self._line = None
