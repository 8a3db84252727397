"""The flags that say how files are cut: one for each option, under its own name, for every command that cuts."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from lens_tui.errors import UsageError
from lens_tui.settings import CHUNKING, SPECS, is_directory
from lens_tui.values import Spec, checked, from_text

METAVARS = {str: "TEXT", int: "N", float: "X", tuple: "LIST"}

FLAGS: Mapping[str, Spec] = {SPECS[key].place[-1]: SPECS[key] for key in (*CHUNKING, "embedder")}
"""Field of ChunkOptions, and what makes the vectors → its setting, in the order of the help."""


def flag(name: str) -> str:
    """How an option is written on a command line: ``--overlap-both``."""
    return "--" + name.replace("_", "-")


def cutting_options(function: Any) -> Any:
    """Add every flag that says how files are cut; the command gets their texts as keywords (see ``chosen``)."""
    for name, spec in reversed(list(FLAGS.items())):
        function = _option(name, spec)(function)
    return function


def _option(name: str, spec: Spec) -> Any:
    if spec.kind is bool:
        word = flag(name)
        return click.option(f"{word}/--no-{word[2:]}", name, default=None, help=_sentence(spec))
    metavar = "NAME" if spec.key.one_of else METAVARS[spec.kind]
    return click.option(flag(name), name, metavar=metavar, help=_sentence(spec))


def _sentence(spec: Spec) -> str:
    key, about = spec.key, spec.key.about.replace("`", "")
    if key.one_of:
        about += f": {', '.join(key.one_of)}"
    elif key.high is not None:
        about += f", {key.low:g} to {key.high:g}"
    return f"{about[0].upper()}{about[1:]}."


def chosen(given: Mapping[str, Any]) -> dict[str, object]:
    """The flags that were given, as settings: key → value.

    Raises:
        SettingsError: One is of the wrong type or out of its bounds.
    """
    values: dict[str, object] = {}
    for name, text in given.items():
        if text is not None:
            spec = FLAGS[name]
            value = text if isinstance(text, bool) else from_text(spec, text)
            if name == "embedder" and is_directory(text):
                # By its whole path: the engine that opens it stands elsewhere.
                value = str(Path(text).expanduser().absolute())
            values[spec.key.name] = checked(spec, value, "", flag(name))
    return values


def demand_effect(given: Mapping[str, Any], strategies: Sequence[str]) -> None:
    """Raise UsageError for a flag that none of the strategies takes: it would have no effect."""
    from lens_tui.chunking import FOR_ALL, STRATEGIES

    known = [name for name in strategies if name in STRATEGIES]
    taken = FOR_ALL.union(("embedder",), *(STRATEGIES[name].takes for name in known))
    idle = [name for name, text in given.items() if text is not None and name not in taken]
    if known and idle:
        takes = ", ".join(flag(name) for name in FLAGS if name in taken - FOR_ALL)
        raise UsageError(f"{' and '.join(known)} would make no use of {flag(idle[0])}.", hint=f"It takes: {takes}.")


def strategies_in(words: str) -> list[str]:
    """The strategies of a list such as ``paragraph,sentence``, each once. Raises UsageError where there is none."""
    strategies = [part.strip() for part in words.split(",") if part.strip()]
    if not strategies:
        raise UsageError(
            "Which strategies are to be compared?", hint="Name them, such as: paragraph,sentence,recursive"
        )
    return list(dict.fromkeys(strategies))
