"""The JSON that engine, command line and agents speak: ``types.py`` and ``requests.py`` values as JSON lines.

A line is one value with two more fields on a socket: ``id`` (of the request it belongs to) and, on requests,
``request``, on replies ``event``. Unknown fields are ignored, missing ones are named. Id 0 belongs to the connection
itself: ``hello`` and ``welcome``, ``ready`` or ``error``, ``bye``; ``cancel`` and ``end`` carry a request's id.
"""

import json
from typing import Any, get_args

import msgspec

from lens_tui import errors
from lens_tui.errors import EngineError, LensError
from lens_tui.requests import Event, Request
from lens_tui.types import Failed

WIRE_VERSION = 2
"""Raised by one whenever an older peer could misread a message. Hello, Welcome and Bye keep their fields for ever."""

_REQUESTS: dict[str, type[Any]] = {cls.__dataclass_fields__["request"].default: cls for cls in get_args(Request)}
_EVENTS: dict[str, type[Any]] = {cls.__dataclass_fields__["event"].default: cls for cls in get_args(Event)}


class Hello(msgspec.Struct, frozen=True, tag_field="request", tag="hello"):
    """The first line that a face sends."""

    program: str
    """The face's ``lens_tui.__version__``."""
    wire: int
    """Its WIRE_VERSION."""
    folder: str
    data: str
    """The index that it means; an engine of another one refuses."""


class Cancel(msgspec.Struct, frozen=True, tag_field="request", tag="cancel"):
    """Stop the request with this line's id; its stream still ends by itself."""


class Welcome(msgspec.Struct, frozen=True, tag_field="event", tag="welcome"):
    """The engine's first line, sent before its index is open."""

    program: str
    wire: int
    pid: int
    leaving: bool = False
    """It is on its way out, to make room for a newer program or because nobody was left: ask again in a moment."""


class Ready(msgspec.Struct, frozen=True, tag_field="event", tag="ready"):
    """The index is open, requests are taken. A Failed in its place says why it could not be opened."""


class End(msgspec.Struct, frozen=True, tag_field="event", tag="end"):
    """Nothing more comes for this line's id."""


class Bye(msgspec.Struct, frozen=True, tag_field="event", tag="bye"):
    """The engine leaves on purpose."""

    reason: str
    """A sentence."""


class Head(msgspec.Struct, frozen=True):
    """What tells where a line belongs."""

    id: int
    request: str = ""
    event: str = ""


def to_json(value: object) -> str:
    """One line of JSON, without its line end. ``value`` is any noun, or builtins made of them."""
    return _encode(value).decode("utf-8")


def to_builtins(value: object) -> Any:
    """The same noun as dictionaries and lists, for a face that adds or leaves out fields."""
    return msgspec.to_builtins(value)


def pack(id_: int, value: object) -> bytes:
    """A line for the socket: ``id`` and the value's fields. ``value`` is an object with at least one field or tag."""
    return b'{"id":%d,' % id_ + _encode(value)[1:] + b"\n"


def unpack(line: bytes) -> tuple[int, dict[str, Any]]:
    """Read a socket's line as (id, fields). Raises EngineError where it is not one."""
    try:
        fields = _decode(line, dict[str, Any])
        return int(fields.pop("id")), fields
    except (msgspec.MsgspecError, KeyError, TypeError, ValueError) as error:
        raise EngineError(f"A message on the engine's socket cannot be read: {_said(error)}.") from error


def head_of(line: bytes) -> Head:
    """Read only where a line belongs; 5 ms for 20 MB. Raises EngineError where it is no line of this wire."""
    try:
        return _decode(line, Head)  # type: ignore[no-any-return]
    except (msgspec.MsgspecError, TypeError, ValueError) as error:
        raise EngineError(f"A message on the engine's socket cannot be read: {_said(error)}.") from error


def read(line: bytes, kind: type[Any]) -> Any:
    """Read a line as a value of ``kind``. Raises EngineError where it is not one."""
    try:
        return _decode(line, kind)
    except (msgspec.MsgspecError, TypeError, ValueError) as error:
        raise EngineError(f"A {kind.__name__} on the engine's socket cannot be read: {_said(error)}.") from error


def read_event(line: bytes, event: str) -> Event:
    """Read a line whose head names ``event``. Raises EngineError for one of another version."""
    return read(line, _kind(_EVENTS, event, "event"))  # type: ignore[no-any-return]


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
        raise EngineError(f"A {kind.__name__} cannot be read: {_said(error)}.") from error


def as_failed(error: LensError) -> Failed:
    """An error as the event that crosses processes."""
    return Failed(message=error.message, hint=error.hint, kind=type(error).__name__)


def as_error(failed: Failed) -> LensError:
    """The error that an event tells of, in its own class, exit code and all; LensError where the class is unknown."""
    kind = getattr(errors, failed.kind, None)
    if not (isinstance(kind, type) and issubclass(kind, LensError)):
        kind = LensError
    return kind(failed.message, hint=failed.hint)


def _build(known: dict[str, type[Any]], fields: dict[str, Any], tag: str) -> Any:
    return value_from(fields, _kind(known, fields.get(tag), tag))


def _kind(known: dict[str, type[Any]], name: object, tag: str) -> type[Any]:
    if not isinstance(name, str) or name not in known:
        raise EngineError(f"The engine's peer sent the unknown {tag} {name!r}.", hint="Close every lens-tui and retry.")
    return known[name]


def _encode(value: object) -> bytes:
    try:
        return msgspec.json.encode(value)
    except UnicodeEncodeError:
        # A file name that is not UTF-8 holds lone surrogates, which msgspec refuses and JSON can escape.
        return json.dumps(msgspec.to_builtins(value), separators=(",", ":")).encode("ascii")


def _decode(line: bytes, kind: Any) -> Any:
    try:
        return msgspec.json.decode(line, type=kind)
    except msgspec.ValidationError:
        raise
    except msgspec.DecodeError:
        if b"\\ud" not in line.lower():
            raise
        return msgspec.convert(json.loads(line), kind)


def _said(error: Exception) -> str:
    return str(error).rstrip(".") or type(error).__name__
