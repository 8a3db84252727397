"""Conversations through a folder's engine: what is kept of a turn, lists, other conversations, texts to take away."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lens_tui.cancel import CancelToken
from lens_tui.engine.service import Service, open_service
from lens_tui.errors import UsageError
from lens_tui.places import places_of, prepare
from lens_tui.requests import (
    Ask,
    EditTalk,
    ExportTalk,
    LastTalk,
    ListTalks,
    NewTalk,
    OpenTalk,
    Talk,
    TalkList,
    TalkText,
)
from lens_tui.settings import Settings
from tests.ollama.scripted import ScriptedOllama, scripted

__all__ = ["scripted"]

pytestmark = pytest.mark.network

LEASE = "The lease runs until 31 March 2027 and renews by one year."


@pytest.fixture
def service(tmp_path: Path, scripted: ScriptedOllama) -> Iterator[Service]:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "lease.md").write_text(LEASE, "utf-8")
    places = places_of(folder.resolve(), str(tmp_path / "data"))
    prepare(places)
    service = open_service(places, Settings(embedder="builtin", ollama_host=scripted.host))
    yield service
    service.close()


def last(service: Service, request: Any) -> Any:
    return list(service.handle(request, CancelToken()))[-1]


def ask(service: Service, question: str, **options: Any) -> None:
    last(service, Ask(question=question, keep=True, **options))


def test_what_the_model_was_sent_is_kept_with_its_turn(service: Service, scripted: ScriptedOllama) -> None:
    ask(service, "When does the lease end?")
    talk = last(service, LastTalk())
    assert isinstance(talk, Talk)
    sent = talk.conversation.turns[0].sent
    assert sent is not None
    (asked,) = scripted.asks("/api/chat")
    assert [message["content"] for message in asked.body["messages"]] == [sent.system, sent.user]
    assert asked.body["options"]["num_ctx"] == sent.context_tokens
    (excerpt,) = sent.excerpts
    assert sent.user[excerpt.start : excerpt.end] == f"[1] lease.md#chunk-0\n{LEASE}"
    assert 0 < excerpt.tokens < sent.user_tokens


def test_no_history_is_ever_sent(service: Service, scripted: ScriptedOllama) -> None:
    ask(service, "What about the zebra?")
    ask(service, "When does the lease end?")
    second = scripted.asks("/api/chat")[1]
    assert len(second.body["messages"]) == 2
    assert "zebra" not in json.dumps(second.body)


def test_of_quotes_nothing_was_sent(service: Service) -> None:
    ask(service, "When does the lease end?", model="none")
    assert last(service, LastTalk()).conversation.turns[0].sent is None


def test_a_question_goes_on_in_the_conversation_that_was_opened(service: Service) -> None:
    ask(service, "When does the lease end?")
    first = last(service, LastTalk()).conversation.id
    assert last(service, NewTalk()).conversation.turns == ()
    ask(service, "And the deposit?")
    listed = last(service, ListTalks())
    assert isinstance(listed, TalkList)
    assert [row.title for row in listed.talks] == ["And the deposit", "When does the lease end"]
    assert len(last(service, OpenTalk(talk=first)).conversation.turns) == 1
    ask(service, "By when?", talk=first)
    assert [turn.question for turn in last(service, LastTalk()).conversation.turns][-1] == "By when?"


def test_editing_answers_with_the_list_that_is_shown(service: Service) -> None:
    ask(service, "When does the lease end?")
    talk = last(service, LastTalk()).conversation.id
    assert last(service, EditTalk(talk=talk, title="Flat", query="flat")).talks[0].title == "Flat"
    assert last(service, EditTalk(talk=talk, deleted=True)).talks == ()
    with pytest.raises(UsageError, match="was deleted"):
        last(service, OpenTalk(talk=talk))
    assert last(service, EditTalk(talk=talk, deleted=False)).total == 1


def test_a_conversation_is_given_as_a_text(service: Service) -> None:
    ask(service, "When does the lease end?")
    talk = last(service, LastTalk()).conversation.id
    text = last(service, ExportTalk(talk=talk))
    assert isinstance(text, TalkText)
    assert text.text.startswith("# When does the lease end\n\n## When does the lease end?\n")
    assert "[1] lease.md:1-1" in text.text
    fields = json.loads(last(service, ExportTalk(talk=talk, form="json")).text)
    assert [event["event"] for event in fields["turns"][0]["events"]] == ["retrieved", "sent", "answered"]
