"""What one setting may be: its type and bounds, how it is read from a text, and what is said of one that cannot be."""

import difflib
import os
import types
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from lens_tui.errors import SettingsError
from lens_tui.options import Key

_WORDS = {str: "text", bool: "true or false", int: "a whole number", float: "a number"}
_LISTS = {str: "a list of text", int: "a list of whole numbers"}
_TRUE = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}


@dataclass(frozen=True, slots=True)
class Spec:
    """One setting: where it is kept, and what it may be."""

    key: Key
    place: tuple[str, ...]
    """Fields from the settings down to it, such as ``("chunking", "size")``."""
    kind: type
    """str, bool, int, float, tuple or dict."""
    part: type
    """What the parts of a tuple are; str elsewhere."""
    default: object
    """None where not set means: let the program choose."""


def specs_of(settings: object, above: tuple[str, ...] = ()) -> Iterator[Spec]:
    """The settings in a dataclass's annotations, those of dataclasses in it included; its values are the defaults."""
    hints = get_type_hints(type(settings), include_extras=True)
    for field in fields(settings):  # type: ignore[arg-type]  # a dataclass, by contract
        place, default, hint = (*above, field.name), getattr(settings, field.name), hints[field.name]
        if is_dataclass(default):
            yield from specs_of(default, place)
        elif get_origin(hint) is Annotated:
            kind, *rest = get_args(hint)
            key = next(part for part in rest if isinstance(part, Key))
            yield Spec(key, place, *_kinds(kind), default)


def _kinds(hint: Any) -> tuple[type, type]:
    """A type and that of its parts, ``| None`` left out."""
    if get_origin(hint) in (Union, types.UnionType):
        hint = next(one for one in get_args(hint) if one is not type(None))
    if get_origin(hint) is tuple:
        return tuple, get_args(hint)[0]
    return (dict if get_origin(hint) is Mapping else hint), str


def from_text(spec: Spec, text: str) -> object:
    """Read a variable or a flag in its setting's type; as it stands where it is none, so that ``checked`` refuses."""
    if spec.kind is bool:
        return _TRUE.get(text.strip().lower(), text)
    if spec.kind is tuple:
        between = spec.key.between or os.pathsep
        parts = text.replace(",", " ").split() if spec.part is int else text.split(None if between == " " else between)
        return [_number(part, spec.part) for part in parts if part]
    return _number(text, spec.kind)


def _number(text: str, kind: type) -> object:
    if kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            return text
    return text


def checked(spec: Spec, value: object, source: str, called: str = "") -> object:
    """The value in its setting's type.

    Args:
        spec: The setting.
        value: As a file, a variable or a flag gave it.
        source: Where it stands, for the message; empty for none.
        called: How the setting was named there; its key by default.

    Raises:
        SettingsError: It is of another type, out of its bounds or none of what it may be.
    """
    name = called or spec.key.name
    told = f"{source}: {name}".removeprefix(": ")
    if name.startswith("--"):
        return _bounded(spec, _typed(spec, value, told, f"{name} ", as_word=True), told)
    if source == spec.key.variable:
        return _bounded(spec, _typed(spec, value, told, f"{source}=", as_word=True), told)
    return _bounded(spec, _typed(spec, value, told, f"{name} = "), told)


def _typed(spec: Spec, value: object, told: str, before: str, *, as_word: bool = False) -> object:
    """The value in its type; an example of one stands after ``before``, as a shell's word or as a file's value."""
    plain = not isinstance(value, bool)
    if spec.kind is str and spec.key.or_number and plain and isinstance(value, int):
        return str(value)
    if spec.kind is float and plain and isinstance(value, int | float):
        return float(value)
    if spec.kind is tuple and isinstance(value, list | tuple) and all(type(part) is spec.part for part in value):
        return tuple(value)
    if spec.kind is dict and isinstance(value, dict) and all(isinstance(part, str) for part in value.values()):
        return dict(value)
    if spec.kind not in (tuple, dict) and type(value) is spec.kind:
        return value
    wanted = _LISTS[spec.part] if spec.kind is tuple else _WORDS.get(spec.kind, "a table of text")
    example = _example(spec, as_word=as_word)
    hint = f"Write it as {wanted}, such as: {before}{example}" if example else f"Write it as {wanted}."
    given = " ".join(map(str, value)) if as_word and isinstance(value, list) else value
    raise SettingsError(f"{told} must be {wanted}, not {given!r}.", hint=hint)


def _example(spec: Spec, *, as_word: bool) -> str | None:
    """A value that would be taken, as it is written where the refused one stands."""
    key = spec.key
    if spec.kind is tuple and spec.part is int:
        return '"1 2"' if as_word else "[1, 2]"
    if spec.kind is tuple:
        return '["…", "…"]' if key.between else '["drafts/", "*.log"]'
    if spec.kind in (int, float):
        usual = 10 if spec.kind is int else 0.5
        return f"{min(max(usual, key.low or 0), usual if key.high is None else key.high):g}"
    return {str: f'"{key.one_of[0] if key.one_of else "…"}"', bool: "true"}.get(spec.kind)


def _bounded(spec: Spec, value: object, told: str) -> object:
    key = spec.key
    if key.one_of and value not in key.one_of and value != spec.default:
        near = difflib.get_close_matches(str(value), key.one_of, 1)
        hint = f"Did you mean {near[0]}?" if near else f"Choose one of: {', '.join(key.one_of)}."
        raise SettingsError(f"{told} cannot be {value!r}; it is one of {', '.join(key.one_of)}.", hint=hint)
    for part in value if isinstance(value, tuple) else (value,):
        if isinstance(part, int | float) and not isinstance(part, bool):
            # Written so that a value that is no number at all (nan) is outside every bound.
            inside = (key.low is None or part >= key.low) and (key.high is None or part <= key.high)
            if not inside:
                bounds = f"from {key.low:g} to {key.high:g}" if key.high is not None else f"at least {key.low:g}"
                raise SettingsError(f"{told} is {part}; it must be {bounds}.", hint=f"Choose a number {bounds}.")
        if isinstance(part, str) and "\0" in part:
            raise SettingsError(f"{told} holds a zero byte.", hint="Write it without.")
    return value
