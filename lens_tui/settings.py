"""What a person can set, where it is read from, and where a folder's data lies.

A flag stands over the environment (``LENS_TUI_OLLAMA_HOST`` for ``ollama.host``), that over the folder's own choices
(kept with its index), that over ``settings.toml`` in the configuration directory. Nothing in an indexed folder is read.
"""

import difflib
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path

from lens_tui.errors import SettingsError

Value = str | int | float | bool | tuple[str, ...] | Mapping[str, str]


def _key(name: str, default: object, *, low: float | None = None, high: float | None = None, one_of: str = "") -> object:
    meta = {"key": name, "low": low, "high": high, "one_of": tuple(one_of.split())}
    if isinstance(default, dict):
        return field(default_factory=dict, metadata=meta)
    return field(default=default, metadata=meta)  # type: ignore[call-overload]


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be set. Empty strings mean: not set, let the program choose."""

    data_dir: str = _key("data_dir", "")  # type: ignore[assignment]
    """Where indexes and conversations are kept; empty for the platform's data directory."""
    model: str = _key("model", "")  # type: ignore[assignment]
    """Chat model asked for by name; ``none`` quotes."""
    embedder: str = _key("embedder", "")  # type: ignore[assignment]
    """Embedding model asked for by name; ``builtin`` for the built-in vectors."""
    ollama_host: str = _key("ollama.host", "")  # type: ignore[assignment]
    ollama_keep_alive: str = _key("ollama.keep_alive", "")  # type: ignore[assignment]
    """How long the server keeps a model loaded, in Ollama's own form (``10m``, ``-1``)."""
    ollama_temperature: float = _key("ollama.temperature", 0.0, low=0, high=2)  # type: ignore[assignment]
    chunk_strategy: str = _key("chunk.strategy", "paragraph", one_of="paragraph")  # type: ignore[assignment]
    chunk_size: int = _key("chunk.size", 220, low=1, high=8192)  # type: ignore[assignment]
    """Tokens a chunk holds at most, overlap included."""
    chunk_overlap: int = _key("chunk.overlap", 40, low=0, high=4096)  # type: ignore[assignment]
    """Tokens shared with the chunk before; under the size."""
    search_default_k: int = _key("search.default_k", 10, low=1, high=50)  # type: ignore[assignment]
    search_max_k: int = _key("search.max_k", 50, low=1, high=50)  # type: ignore[assignment]
    search_retriever: str = _key("search.retriever", "", one_of="lexical vector hybrid")  # type: ignore[assignment]
    search_title_weight: float = _key("search.title_weight", 2.0, low=0, high=10)  # type: ignore[assignment]
    vector: str = _key("vector", "chroma", one_of="chroma none")  # type: ignore[assignment]
    files_max_bytes: int = _key("files.max_bytes", 20_000_000, low=1)  # type: ignore[assignment]
    files_hidden: bool = _key("files.hidden", False)  # type: ignore[assignment]
    files_exclude: tuple[str, ...] = _key("files.exclude", ())  # type: ignore[assignment]
    """Patterns in .gitignore's form."""
    tokenizer: str = _key("tokenizer", "")  # type: ignore[assignment]
    """``cl100k_base`` or ``offline``; empty for the first where its vocabulary is at hand."""
    theme: str = _key("theme", "")  # type: ignore[assignment]
    signs: str = _key("signs", "auto", one_of="unicode ascii auto")  # type: ignore[assignment]
    background: str = _key("background", "auto", one_of="dark light auto")  # type: ignore[assignment]
    motion: str = _key("motion", "full", one_of="full none")  # type: ignore[assignment]
    mouse: bool = _key("mouse", True)  # type: ignore[assignment]
    editor: str = _key("editor", "")  # type: ignore[assignment]
    keys: Mapping[str, str] = _key("keys", {})  # type: ignore[assignment]
    """Key bindings by id, such as ``{"cite.next": "n,f8"}``."""


KEYS = {str(f.metadata["key"]): f.name for f in fields(Settings)}
"""The key a user writes → the field that holds it."""


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
        environment: Usually the process's own.
        folder_choices: Key → value of the folder's ``folder.json``.

    Raises:
        SettingsError: An unknown key, a wrong type or a value out of its bounds; it names source, key and remedy.
    """
    file = config_dir(environment) / "settings.toml"
    values = _from_file(file)
    for key, value in (folder_choices or {}).items():
        _set(values, key, value, "the folder's own choices")
    for key in KEYS:
        variable = "LENS_TUI_" + key.upper().replace(".", "_")
        if key != "keys" and variable in environment:
            _set(values, key, _from_text(key, environment[variable]), variable)
    for key, value in (flags or {}).items():
        if value is not None:
            _set(values, key, value, "the command line")
    settings = replace(Settings(), **values)  # type: ignore[arg-type]
    if settings.chunk_overlap >= settings.chunk_size:
        raise SettingsError(
            f"chunk.overlap ({settings.chunk_overlap}) must be smaller than chunk.size ({settings.chunk_size}).",
            hint="Choose an overlap of at most a quarter of the size, such as 220 and 40.",
        )
    if settings.search_default_k > settings.search_max_k:
        raise SettingsError(
            f"search.default_k ({settings.search_default_k}) is above search.max_k ({settings.search_max_k}).",
            hint="Lower search.default_k or raise search.max_k (at most 50).",
        )
    return settings


def _from_file(file: Path) -> dict[str, object]:
    try:
        raw = file.read_bytes()
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise SettingsError(f"{file} cannot be read: {error.strerror}.", hint="Mend its permissions.") from error
    try:
        text = raw.decode("utf-8")
        tree = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{file} is not TOML: {error}.", hint="Mend that line, or move the file away.") from error
    values: dict[str, object] = {}
    for key, value in _flat(tree):
        _set(values, key, value, f"{file}, line {_line_of(key, text)}")
    return values


def _flat(tree: Mapping[str, object], before: str = "") -> list[tuple[str, object]]:
    rows: list[tuple[str, object]] = []
    for name, value in tree.items():
        key = before + name
        if key == "keys" and isinstance(value, dict):
            rows.append((key, dict(_flat(value))))
        elif isinstance(value, dict) and key not in KEYS:
            rows.extend(_flat(value, key + "."))
        else:
            rows.append((key, value))
    return rows


def _line_of(key: str, text: str) -> int:
    """First line that assigns the key's last part (TOML's parser does not tell); 1 where none is found."""
    last = key.rpartition(".")[2]
    for number, line in enumerate(text.splitlines(), 1):
        name = line.partition("=")[0].strip().strip("\"'")
        if name in (key, last) or name.endswith("." + last) or line.strip() in (f"[{key}]", f"[{last}]"):
            return number
    return 1


def _set(values: dict[str, object], key: str, value: object, source: str) -> None:
    name = _known(key, source)
    values[name] = _checked(key, value, source)


def _known(key: str, source: str) -> str:
    if key in KEYS:
        return KEYS[key]
    near = difflib.get_close_matches(key, KEYS, 1, 0.4)
    hint = f"The nearest known key is {near[0]}." if near else f"Known keys: {', '.join(sorted(KEYS))}."
    raise SettingsError(f"{source}: there is no setting {key!r}.", hint=hint)


def _from_text(key: str, text: str) -> object:
    default = getattr(Settings(), KEYS[key])
    if isinstance(default, bool):
        return {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}.get(text.lower(), text)
    if isinstance(default, tuple):
        return [part for part in text.split(os.pathsep) if part]
    for kind in (int, float):
        if isinstance(default, kind):
            try:
                return kind(text)
            except ValueError:
                return text
    return text


def _checked(key: str, value: object, source: str) -> object:
    """Return the value in its field's type. Raises SettingsError naming the source."""
    spec = next(f for f in fields(Settings) if f.metadata["key"] == key)
    default = getattr(Settings(), spec.name)
    if isinstance(default, tuple) and isinstance(value, list | tuple) and all(isinstance(v, str) for v in value):
        return tuple(value)
    if isinstance(default, float) and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    if isinstance(default, dict) and isinstance(value, dict) and all(isinstance(v, str) for v in value.values()):
        return value
    if type(value) is not type(default):
        words = {str: "text", int: "a whole number", float: "a number", bool: "true or false", tuple: "a list of text"}
        wanted = words.get(type(default), "a table of text")
        raise SettingsError(f"{source}: {key} must be {wanted}, not {value!r}.", hint=f"Set it to {wanted}.")
    low, high, one_of = spec.metadata["low"], spec.metadata["high"], spec.metadata["one_of"]
    if one_of and value not in one_of and value != default:
        near = difflib.get_close_matches(str(value), one_of, 1)
        hint = f"Did you mean {near[0]}?" if near else f"Choose one of: {', '.join(one_of)}."
        raise SettingsError(f"{source}: {key} cannot be {value!r}; known are {', '.join(one_of)}.", hint=hint)
    if isinstance(value, int | float) and not isinstance(value, bool):
        below, above = low is not None and value < low, high is not None and value > high
        if below or above or value != value:
            bounds = f"from {low:g} to {high:g}" if high is not None else f"at least {low:g}"
            raise SettingsError(f"{source}: {key} is {value}; it must be {bounds}.", hint=f"Set it {bounds}.")
    return value
