"""The JSON that engine, command line and agents speak: ``types.py`` and ``requests.py`` values as JSON lines.

A line is one value with two more fields on a socket: ``id`` (of the request it belongs to) and, on requests,
``request``, on replies ``event``. Unknown fields are ignored, missing ones are named.
"""

from typing import Any, get_args

import msgspec

from lens_tui.errors import EngineError
from lens_tui.requests import Event, Request

WIRE_VERSION = 1
"""Raised by one whenever an older peer could misread a message."""

_REQUESTS: dict[str, type[Any]] = {cls.__dataclass_fields__["request"].default: cls for cls in get_args(Request)}
_EVENTS: dict[str, type[Any]] = {cls.__dataclass_fields__["event"].default: cls for cls in get_args(Event)}


def to_json(value: object) -> str:
    """One line of JSON, without its line end. ``value`` is any noun, or builtins made of them."""
    return msgspec.json.encode(value).decode("utf-8")


def to_builtins(value: object) -> Any:
    """The same noun as dictionaries and lists, for a face that adds or leaves out fields."""
    return msgspec.to_builtins(value)


def pack(id_: int, value: object) -> bytes:
    """A line for the socket: the value's fields and ``id``."""
    return msgspec.json.encode({"id": id_, **msgspec.to_builtins(value)}) + b"\n"


def unpack(line: bytes) -> tuple[int, dict[str, Any]]:
    """Read a socket's line as (id, fields). Raises EngineError where it is not one."""
    try:
        fields = msgspec.json.decode(line, type=dict[str, Any])
        return int(fields.pop("id")), fields
    except (msgspec.MsgspecError, KeyError, TypeError, ValueError) as error:
        raise EngineError(f"A message on the engine's socket cannot be read: {error}.") from error


def request_from(fields: dict[str, Any]) -> Request:
    """Build the request that the fields describe. Raises EngineError for one of another version."""
    return _build(_REQUESTS, fields, "request")  # type: ignore[no-any-return]


def event_from(fields: dict[str, Any]) -> Event:
    """Build the event that the fields describe. Raises EngineError for one of another version."""
    return _build(_EVENTS, fields, "event")  # type: ignore[no-any-return]


def value_from(fields: Any, kind: type[Any]) -> Any:
    """Build a noun of ``kind`` from builtins, such as a stored Answered. Raises EngineError where it does not fit."""
    try:
        return msgspec.convert(fields, kind)
    except msgspec.MsgspecError as error:
        raise EngineError(f"A stored {kind.__name__} cannot be read: {error}.") from error


def _build(known: dict[str, type[Any]], fields: dict[str, Any], tag: str) -> Any:
    name = fields.get(tag)
    if name not in known:
        raise EngineError(f"The engine's peer sent the unknown {tag} {name!r}.", hint="Close every lens-tui and retry.")
    return value_from(fields, known[name])
