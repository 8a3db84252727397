"""``lens-tui tokenizer``: what counts tokens, and how its vocabulary is fetched or taken from a file."""

from pathlib import Path

import click

from lens_tui.cli import output
from lens_tui.cli.commands import LensCommand, data_dir_option, json_option
from lens_tui.cli.progress import ProgressLine
from lens_tui.errors import UsageError
from lens_tui.settings import Settings, load_settings
from lens_tui.text.display import one_line

ACTIONS = ("fetch", "import")


@click.command(
    cls=LensCommand,
    epilog="""\b
Examples:
  lens-tui tokenizer
  lens-tui tokenizer fetch
  lens-tui tokenizer fetch o200k_base
  lens-tui tokenizer import cl100k_base.tiktoken""",
)
@click.argument("action", required=False, metavar="[ACTION")
@click.argument("what", required=False, metavar="[WHAT]]")
@click.option("--from", "address", metavar="ADDRESS", help="Fetch it from here, such as a mirror; https://…")
@json_option
@data_dir_option
def command(action: str | None, what: str | None, address: str | None, as_json: bool, data_dir: str | None) -> int:
    """Tell which tokenizer counts, whether its counts are exact, and where its vocabulary lies.

    fetch downloads a vocabulary (cl100k_base where none is named), import FILE takes one that lies here; both check
    what it is by its SHA-256 and keep it with lens-tui's data. Nothing is ever fetched unless you say so.
    """
    settings = load_settings({"data_dir": data_dir})
    if action is None:
        _tell(settings, as_json=as_json)
        return 0
    if action not in ACTIONS:
        raise UsageError(f"tokenizer cannot {action}.", hint="It tells, or: tokenizer fetch, tokenizer import FILE")
    kept = _fetch(what, address, settings) if action == "fetch" else _import(what, settings)
    output.say(f"kept in {one_line(str(kept))}")
    _tell(settings, as_json=as_json)
    return 0


def _tell(settings: Settings, *, as_json: bool) -> None:
    from lens_tui.text.tokens import CL100K, OFFLINE, open_tokenizer
    from lens_tui.text.vocabularies import VOCABULARIES, directories_of, find_vocabulary

    directories = directories_of(settings.data_dir)
    tokenizer = open_tokenizer(settings.tokenizer, directories)
    vocabulary: str | None = None
    if tokenizer.name in VOCABULARIES:
        vocabulary = str(find_vocabulary(VOCABULARIES[tokenizer.name], directories))
    elif tokenizer.name != OFFLINE:
        vocabulary = str(Path(settings.tokenizer).expanduser())
    if as_json:
        output.write_json({"tokenizer": tokenizer.name, "exact": tokenizer.exact, "vocabulary": vocabulary})
    elif tokenizer.exact:
        output.write_line(f"{tokenizer.name}, exact")
        output.write_line(f"its vocabulary is {one_line(vocabulary or '')}")
    else:
        output.write_line(f"{tokenizer.name}: an estimate of {CL100K.name}'s count, which needs no vocabulary")
        if not settings.tokenizer:
            output.say("For exact counts: lens-tui tokenizer fetch")


def _fetch(name: str | None, address: str | None, settings: Settings) -> Path:
    from lens_tui.text.fetching import fetched
    from lens_tui.text.vocabularies import VOCABULARIES, own_directory, taken_in

    vocabulary = VOCABULARIES.get(name or next(iter(VOCABULARIES)))
    if vocabulary is None:
        raise UsageError(f"There is no vocabulary {name}.", hint=f"Known are {', '.join(VOCABULARIES)}.")
    with ProgressLine() as line:
        data = fetched(
            address or vocabulary.address,
            show=lambda done: line.show(f"fetching {vocabulary.name}: {done / 1_000_000:.1f} MB"),
        )
    return taken_in(data, own_directory(settings.data_dir), {vocabulary.name: vocabulary})


def _import(file: str | None, settings: Settings) -> Path:
    from lens_tui.cli.sources import opened
    from lens_tui.text.vocabularies import LARGEST, own_directory, taken_in

    if file is None:
        raise UsageError("Which file is to be imported?", hint="Name it: lens-tui tokenizer import FILE")
    with opened(file, LARGEST, instead_of_a_folder="Name the .tiktoken file in {}.") as (stream, _):
        data = stream.read(LARGEST + 1)
    return taken_in(data, own_directory(settings.data_dir))
