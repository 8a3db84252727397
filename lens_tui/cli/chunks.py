"""``lens-tui chunks FILE``: how one file is cut, here and now; nothing is indexed."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lens_tui.cli import output
from lens_tui.cli.commands import LensCommand, json_option
from lens_tui.cli.cutting import chosen, cutting_options, demand_effect, strategies_in
from lens_tui.cli.sources import opened
from lens_tui.errors import FileUnreadable, UsageError
from lens_tui.settings import Settings, load_settings

if TYPE_CHECKING:
    from lens_tui.options import ChunkOptions
    from lens_tui.types import Document


@click.command(
    cls=LensCommand,
    epilog="""\b
Examples:
  lens-tui chunks README.md
  lens-tui chunks src/main.kt --strategy code --size 384 --json | jq .tokens
  lens-tui chunks paper.html --compare paragraph,hierarchical,recursive
  git show HEAD:notes.md | lens-tui chunks - --name notes.md
\b
Lists are written with spaces: --delimiters ". ! ?" --breaks "## ---" --levels "1 2".""",
)
@click.argument("file")
@click.option("--compare", metavar="S1,S2,…", help="Tell what each of these strategies makes of it, side by side.")
@click.option("--name", metavar="NAME", help="What standard input is called; its ending says what it is.")
@cutting_options
@json_option
def command(file: str, compare: str | None, name: str | None, as_json: bool, **cutting: Any) -> int:
    """Show how FILE is cut: every chunk with its borders, overlap and tokens, then statistics and warnings.

    Strategies and sizes are those of the settings where no flag says otherwise. - reads standard input.
    """
    settings = load_settings(chosen(cutting))
    strategies = [settings.chunking.strategy] if compare is None else strategies_in(compare)
    if compare is not None and cutting["strategy"] is not None:
        raise UsageError("--compare names the strategies itself.", hint="Leave --strategy out.")
    demand_effect(cutting, strategies)
    path = name or ("-" if file == "-" else Path(file).as_posix())
    with opened(file, settings.files_max_bytes, instead_of_a_folder="For a folder: lens-tui index {}") as (
        stream,
        large,
    ):
        if not large:
            document = _document(path, stream.read(), settings.chunking)
        elif compare is None:
            from lens_tui.cli.large import show_large

            show_large(stream, path, settings, as_json=as_json)
            return 0
        else:
            raise UsageError(
                f"{path} is above {settings.files_max_bytes:,} bytes, and a comparison holds the whole text.",
                hint="Set files.max_bytes above its size, or compare on a part of it.",
            )
    if compare is not None:
        from lens_tui.cli.comparing import show_comparison

        show_comparison(document, settings, strategies, as_json=as_json)
    else:
        _show(document, settings, as_json=as_json)
    return 0


def _show(document: "Document", settings: Settings, *, as_json: bool) -> None:
    from lens_tui.chunk_json import chunk_event, done_event, tallied
    from lens_tui.chunk_opening import open_chunker
    from lens_tui.cli.drawing import draw, sum_up
    from lens_tui.text.tokens import open_tokenizer
    from lens_tui.text.vocabularies import directories_of

    tokenizer = open_tokenizer(settings.tokenizer, directories_of(settings.data_dir))
    chunker, notes = open_chunker(settings, tokenizer)
    tokenizer.count("warm")  # so that the time told is that of cutting
    began = time.perf_counter()
    cut = chunker.chunk(document)
    spent = (time.perf_counter() - began) * 1000
    tally = tallied(cut.chunks)
    warnings = (*document.warnings, *cut.warnings)
    if as_json:
        for chunk in cut.chunks:
            output.write_json(chunk_event(chunk))
        done = done_event(
            tally,
            strategy=settings.chunking.strategy,
            told=chunker.told(document),
            tokenizer=tokenizer.name,
            milliseconds=spent,
            warnings=(*notes, *warnings),
        )
        output.write_json(done)
    else:
        before = document.body_start
        for chunk in cut.chunks:
            draw(chunk, tally.count, before)
            before = chunk.end
        sum_up(tally, chunker.told(document), tokenizer, spent, warnings)
    for note in notes:
        output.say(note)


def _document(path: str, data: bytes, options: "ChunkOptions") -> "Document":
    """Make of the bytes what is to be cut. Raises FileUnreadable where they hold no text."""
    from lens_tui.files.reading import document_of
    from lens_tui.types import FileNote

    document = document_of(path, data, kind=options.type or ("code" if options.language else ""))
    if isinstance(document, FileNote):
        raise FileUnreadable(f"{path} cannot be cut: {document.reason}.", hint="Name a file of text, or its --type.")
    return document
