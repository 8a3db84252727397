import json
import math
from dataclasses import fields
from typing import Any, get_args

import pytest

from lens_tui import errors, requests, wire
from lens_tui.errors import EngineError, LensError
from lens_tui.requests import Ask, Event, Found, IndexDone, Request, Search
from lens_tui.types import Answered, AnswerText, Failed, FileNote
from tests.fakes import lease_answered, lease_hit, lease_retrieved

EVENTS: list[Event] = [
    lease_retrieved(),
    lease_answered(),
    AnswerText(text='a "quoted"\nline\u2028 日本 \U0001f600'),
    Found(query="x", k=3, retriever="hybrid", hits=(lease_hit(),), notes=("why",)),
    Failed(message="no", hint="yes", kind="ModelMissing"),
]


def through(value: Any) -> Any:
    """What a peer reads of a value that was sent."""
    line = wire.pack(7, value)
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    id_, found = wire.unpack(line)
    assert id_ == 7
    return wire.request_from(found) if "request" in found else wire.event_from(found)


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.event)
def test_an_event_arrives_as_it_was_sent(event: Event) -> None:
    assert through(event) == event
    line = wire.pack(7, event)
    assert wire.read_event(line, wire.head_of(line).event) == event


@pytest.mark.parametrize("kind", get_args(Request), ids=lambda kind: kind.__name__)
def test_every_request_has_a_name_of_its_own_and_arrives(kind: type[Any]) -> None:
    made = {"query": "q", "question": "w", "path": "p.md", "action": "pause", "model": "m", "talk": 1}
    request = kind(**{f.name: made[f.name] for f in fields(kind) if f.name in made})
    assert through(request) == request


def test_no_two_nouns_share_a_name() -> None:
    for union, tag in ((Request, "request"), (Event, "event")):
        names = [kind.__dataclass_fields__[tag].default for kind in get_args(union)]
        assert len(set(names)) == len(names)


def test_json_is_one_line_however_many_the_text_has() -> None:
    text = wire.to_json(AnswerText(text="a\nb\r\n\x1b\x00"))
    assert "\n" not in text
    assert json.loads(text) == {"event": "text", "text": "a\nb\r\n\x1b\x00"}


@pytest.mark.parametrize("path", ["caf\udce9.md", "\ud800", "[red]\x1b[31m\n.md", "日記/\U0001f600.md"])
def test_any_file_name_survives_the_journey(path: str) -> None:
    done = IndexDone(
        files=1, chunks=1, vectors=0, vectors_pending=1, added=1, changed=0, removed=0, unchanged=0,
        left_out=(FileNote(path, "binary"),),
    )  # fmt: skip
    assert through(done) == done
    assert json.loads(wire.to_json(done))["left_out"][0]["path"] == path


def test_fields_that_a_newer_peer_added_are_ignored() -> None:
    line = b'{"id":1,"request":"search","query":"x","k":3,"mood":"good"}\n'
    assert wire.request_from(wire.unpack(line)[1]) == Search(query="x", k=3)


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"\n",
        b"not json",
        b"[1]",
        b'{"request":"search"}',
        b'{"id":"x"}',
        b'{"id":null}',
        b'{"id":1,"a":"\xff"}',
        b'{"id":1,"a":"\\ud800}',
        b'{"id":1e999}',
    ],
)
def test_a_line_that_is_none_is_an_engine_error(line: bytes) -> None:
    with pytest.raises(EngineError):
        wire.unpack(line)


@pytest.mark.parametrize(
    "found",
    [
        {"request": "fly"},
        {"request": None},
        {"request": ["search"]},
        {},
        {"request": "search"},
        {"request": "search", "query": 5},
        {"request": "search", "query": "x", "k": "many"},
        {"request": "search", "query": "x", "retriever": "crystal"},
    ],
)
def test_a_request_of_another_version_is_an_engine_error(found: dict[str, Any]) -> None:
    with pytest.raises(EngineError):
        wire.request_from(found)


def test_what_is_missing_is_named() -> None:
    with pytest.raises(EngineError, match="query"):
        wire.request_from({"request": "search"})


def test_a_stored_noun_is_read_back() -> None:
    stored = json.loads(wire.to_json(lease_answered()))
    assert wire.value_from(stored, Answered) == lease_answered()
    with pytest.raises(EngineError, match="Answered"):
        wire.value_from({"text": 5}, Answered)


KINDS = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, LensError)]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_an_error_crosses_with_its_class_sentence_and_step(kind: type[LensError]) -> None:
    arrived = wire.as_error(through(wire.as_failed(kind("It broke.", hint="Mend it."))))
    assert (type(arrived), arrived.message, arrived.hint) == (kind, "It broke.", "Mend it.")
    assert arrived.exit_code == kind.exit_code


@pytest.mark.parametrize("kind", ["FutureError", "Exception", "__doc__", "", "annotations"])
def test_an_error_of_another_version_is_a_plain_one(kind: str) -> None:
    assert type(wire.as_error(Failed(message="m", kind=kind))) is LensError


def test_a_request_needs_no_more_than_its_words() -> None:
    assert wire.request_from({"request": "ask", "question": "why?"}) == Ask(question="why?")


def test_a_number_arrives_exactly() -> None:
    found = Found(query="x", k=1, retriever="lexical", milliseconds=math.pi)
    arrived = through(found)
    assert isinstance(arrived, requests.Found)
    assert arrived.milliseconds == math.pi
