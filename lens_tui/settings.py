"""What a person can set, and which source wins where several set it.

A flag stands over the environment (``LENS_TUI_OLLAMA_HOST`` for ``ollama.host``), that over the folder's own choices
(kept with its index), that over ``settings.toml`` in the configuration directory. Nothing in an indexed folder is read.
"""

import difflib
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any

from lens_tui import options
from lens_tui.errors import SettingsError
from lens_tui.options import ChunkOptions, Key
from lens_tui.values import Spec, checked, from_text, specs_of


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be set. Empty strings mean: not set, let the program choose."""

    data_dir: Annotated[str, Key("data_dir", "where indexes and conversations are kept")] = ""
    model: Annotated[str, Key("model", "chat model asked for by name; `none` quotes")] = ""
    embedder: Annotated[str, Key("embedder", "embedding model, or a directory with one; `builtin` needs none")] = ""
    ollama_host: Annotated[str, Key("ollama.host", "Ollama's address: host, host:port, :port or a URL")] = ""
    ollama_keep_alive: Annotated[
        str, Key("ollama.keep_alive", "how long a model stays loaded, such as `10m` or `-1`")
    ] = ""
    ollama_temperature: Annotated[float, Key("ollama.temperature", "how freely a model words its answers", 0, 2)] = 0.0
    chunking: ChunkOptions = options.DEFAULTS
    """How files are cut; every key under ``chunk``."""
    search_default_k: Annotated[int, Key("search.default_k", "hits of a search", 1, 50)] = 10
    search_max_k: Annotated[int, Key("search.max_k", "most hits that may be asked for", 1, 50)] = 50
    search_retriever: Annotated[
        str, Key("search.retriever", "words, vectors or both", one_of=("lexical", "vector", "hybrid"))
    ] = ""
    search_title_weight: Annotated[
        float, Key("search.title_weight", "how much titles and headings count beside the text", 0, 10)
    ] = 3.0
    vector: Annotated[str, Key("vector", "where vectors are kept", one_of=("chroma", "none"))] = "chroma"
    files_max_bytes: Annotated[int, Key("files.max_bytes", "size above which a file is left out", 1)] = 20_000_000
    files_hidden: Annotated[bool, Key("files.hidden", "read hidden files too")] = False
    files_exclude: Annotated[
        tuple[str, ...], Key("files.exclude", "patterns in `.gitignore`'s form that leave files out")
    ] = ()
    tokenizer: Annotated[
        str, Key("tokenizer", "what counts tokens: `cl100k_base` or another encoding, `offline`, a `tokenizer.json`")
    ] = ""
    theme: Annotated[str, Key("theme", "colours, by the name of a theme file")] = ""
    signs: Annotated[str, Key("signs", "what signs are drawn with", one_of=("unicode", "ascii", "auto"))] = "auto"
    background: Annotated[str, Key("background", "the terminal's background", one_of=("dark", "light", "auto"))] = (
        "auto"
    )
    motion: Annotated[str, Key("motion", "`none` shows answers sentence by sentence", one_of=("full", "none"))] = "full"
    mouse: Annotated[bool, Key("mouse", "`false` leaves the mouse to the terminal")] = True
    editor: Annotated[str, Key("editor", "command that opens a file; `$VISUAL`, then `$EDITOR` where not set")] = ""
    keys: Annotated[Mapping[str, str], Key("keys", 'keys by id, such as `keys."cite.next" = "n,f8"`')] = field(
        default_factory=dict
    )


DEFAULTS = Settings()

SPECS: Mapping[str, Spec] = {spec.key.name: spec for spec in specs_of(DEFAULTS)}
"""The key a user writes → what it may be and where it is kept; in the order of the README's table."""

CHUNKING = tuple(key for key, spec in SPECS.items() if spec.place[0] == "chunking")
"""The keys that say how files are cut."""

MAKES_THE_INDEX = (*CHUNKING, "tokenizer", "embedder", "vector")
"""The keys that an index depends on: what is set when its engine opens it holds for every face."""


def is_directory(embedder: str) -> bool:
    """Whether an embedder is named by a directory, and not by a model's name: such as ``~/models/minilm``."""
    return embedder.startswith((os.sep, "~", "."))


def config_dir(environment: Mapping[str, str] = os.environ) -> Path:
    """Directory of ``settings.toml`` and ``themes/``; ``LENS_TUI_CONFIG_DIR`` moves it."""
    if chosen := environment.get("LENS_TUI_CONFIG_DIR"):
        return Path(chosen)
    import platformdirs

    return Path(platformdirs.user_config_dir("lens-tui"))


def load_settings(
    flags: Mapping[str, object] | None = None,
    *,
    environment: Mapping[str, str] = os.environ,
    folder_choices: Mapping[str, object] | None = None,
) -> Settings:
    """Read every source in its order of precedence.

    Args:
        flags: Key → value of the command line; None values are taken as not given.
        environment: Usually the process's own; an empty variable counts as not set.
        folder_choices: Key → value of the folder's ``folder.json``.

    Raises:
        SettingsError: An unknown key, a wrong type or a value out of its bounds; it names source, key and remedy.
    """
    values = _from_file(config_dir(environment) / "settings.toml")
    choices = dict(folder_choices or {})
    if (flags or {}).get(CHUNKING[0]) is not None:
        choices = {key: value for key, value in choices.items() if key not in CHUNKING}
    if any(key in CHUNKING for key in choices):
        # A folder's way to cut is one choice: sizes that were meant for another strategy are no part of it.
        values = {key: value for key, value in values.items() if key not in CHUNKING}
    for key, value in choices.items():
        _set(values, key, value, "The folder's own choices")
    if host := environment.get("OLLAMA_HOST"):
        # The asker's own address, not that of whoever started the engine.
        values.setdefault("ollama.host", host)
    for key, spec in SPECS.items():
        if spec.kind is not dict and (text := environment.get(spec.key.variable)):
            _set(values, key, from_text(spec, text), spec.key.variable)
    for key, value in (flags or {}).items():
        if value is not None:
            _set(values, key, value, "The command line")
    return _fitting(_settings(values))


def _settings(values: Mapping[str, Any]) -> Settings:
    """Put values where their keys say."""
    parts = {spec.place: values[key] for key, spec in SPECS.items() if key in values}
    chunking = {place[1]: value for place, value in parts.items() if place[0] == "chunking"}
    plain = {place[0]: value for place, value in parts.items() if len(place) == 1}
    return replace(DEFAULTS, chunking=replace(DEFAULTS.chunking, **chunking), **plain)


def value_of(settings: Settings, key: str) -> object:
    """What a key is set to."""
    value: object = settings
    for name in SPECS[key].place:
        value = getattr(value, name)
    return value


def made_of(settings: Settings) -> dict[str, object]:
    """What is set of the keys that an index depends on; the strategy always, so that it is never empty."""
    values = {key: value_of(settings, key) for key in MAKES_THE_INDEX}
    return {key: value for key, value in values.items() if key == CHUNKING[0] or value != SPECS[key].default}


def made_otherwise(made: Mapping[str, object], settings: Settings) -> Iterator[str]:
    """Sentences on what an index is made of (``made_of``; nothing where there is none) that settings say otherwise."""
    for key in MAKES_THE_INDEX if made else ():
        wanted = value_of(settings, key)
        kept = made.get(key, SPECS[key].default)
        kept = tuple(kept) if isinstance(kept, list) else kept
        if kept != wanted:
            when = "that counts once every lens-tui on this folder is closed"
            if key in CHUNKING:
                when += ", or at once with the flags of: lens-tui index --help"
            yield f"The index is made with {key} {_told(kept)}, not {_told(wanted)} as your settings say; {when}."


def _told(value: object) -> str:
    return "not set" if value in (None, "", ()) else str(value)


def set_keys(chunking: ChunkOptions) -> dict[str, object]:
    """Options that differ from the defaults, by key, as a folder keeps them as its own choice; the strategy always."""
    settings = replace(DEFAULTS, chunking=chunking)
    values = {key: value_of(settings, key) for key in CHUNKING}
    return {key: value for key, value in values.items() if key == CHUNKING[0] or value != SPECS[key].default}


def _fitting(settings: Settings) -> Settings:
    """Return the settings if they fit together. Raises SettingsError where one contradicts another."""
    if settings.search_default_k > settings.search_max_k:
        raise SettingsError(
            f"search.default_k ({settings.search_default_k}) is above search.max_k ({settings.search_max_k}).",
            hint="Lower search.default_k or raise search.max_k (at most 50).",
        )
    return settings


def _from_file(file: Path) -> dict[str, Any]:
    try:
        raw = file.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        raise SettingsError(
            f"{file} cannot be read: {error.strerror}.", hint="Mend its permissions, or move it away."
        ) from error
    import tomllib  # 5 ms that a person without a settings file does not wait

    try:
        # Editors of one system put a mark before the text, and TOML's grammar does not know it.
        text = raw.decode("utf-8-sig")
        tree = tomllib.loads(text)
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise SettingsError(f"{file}, line {line}: this is not UTF-8.", hint="Save the file as UTF-8.") from error
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{file} is not TOML: {error}.", hint="Mend that line, or move the file away.") from error
    except RecursionError as error:
        raise SettingsError(f"{file} is nested too deeply to be settings.", hint="Move the file away.") from error
    values: dict[str, Any] = {}
    for key, value in _flat(tree):
        _set(values, key, value, f"{file}, line {line_of(key, text)}")
    return values


def _flat(tree: Mapping[str, object], before: str = "") -> Iterator[tuple[str, object]]:
    """Keys with dots and their values; ``keys`` stays one table, its own names flat."""
    for name, value in tree.items():
        key = before + name
        if key == "keys" and isinstance(value, dict):
            yield key, dict(_flat(value))
        elif isinstance(value, dict) and key not in SPECS and value:
            yield from _flat(value, key + ".")
        else:
            yield key, value


def line_of(key: str, text: str) -> int:
    """Line of a TOML text that sets a key, since TOML's parser does not tell; 1 where none is found.

    A line that only opens the key's table, or a table above it, counts where no line sets the key itself.
    """
    table, nearest = "", 1
    for number, line in enumerate(text.splitlines(), 1):
        bare = line.strip()
        if bare.startswith("["):
            table = _dotted(bare.partition("]")[0].strip("[ "))
            named = table
        elif "=" in bare and not bare.startswith("#"):
            named = f"{table}.{_dotted(bare.partition('=')[0])}".lstrip(".")
        else:
            continue
        if named == key:
            return number
        if key.startswith(named + ".") or named.startswith(key + "."):
            nearest = number
    return nearest


def _dotted(name: str) -> str:
    """A TOML key without quotes and spaces around its dots."""
    return ".".join(part.strip().strip("\"'") for part in name.split("."))


def _set(values: dict[str, Any], key: str, value: object, source: str) -> None:
    if key not in SPECS:
        near = difflib.get_close_matches(key, SPECS, 1, 0.4)
        hint = f"The nearest known key is {near[0]}." if near else f"Known keys: {', '.join(sorted(SPECS))}."
        raise SettingsError(f"{source}: there is no setting {key!r}.", hint=hint)
    values[key] = checked(SPECS[key], value, source)
