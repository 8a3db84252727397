"""Ollama going away at each stage of a question: quotes where nobody named a model, else the reason."""

from collections.abc import Sequence

import pytest

from lens_tui.cancel import CancelToken
from lens_tui.engine.service import Service
from lens_tui.requests import Ask, Event
from lens_tui.types import Answered, AnswerStep, AnswerText, AskRetrieved, Failed
from tests.engine.test_service import folder, opened, service
from tests.ollama.scripted import Reply, ScriptedOllama, chat_reply, scripted, text_line

__all__ = ["folder", "opened", "scripted", "service"]

pytestmark = pytest.mark.network

STAGES = ("before it is chosen", "after it was chosen", "while it is waited for")


def asked(service: Service, scripted: ScriptedOllama, model: str | None, *, goes: bool = False) -> list[Event]:
    """A question's events; with ``goes`` the server goes away when it has the request and before it says a word."""
    events: list[Event] = []
    request = Ask(question="When does the lease run until?", model=model, host=scripted.host)
    for event in service.handle(request, CancelToken()):
        events.append(event)
        if goes and isinstance(event, AnswerStep) and event.step.startswith(("loading", "reading")):
            scripted.stop()
    return events


def gone(service: Service, scripted: ScriptedOllama, stage: str, model: str | None) -> list[Event]:
    """Let the server go at this stage of a question. Returns the question's events."""
    if stage == "while it is waited for":
        scripted.play("/api/chat", Reply(late=60))
        return asked(service, scripted, model, goes=True)
    if stage == "after it was chosen":
        assert isinstance(asked(service, scripted, model)[-1], Answered)
    scripted.stop()
    return asked(service, scripted, model)


def answered(events: Sequence[Event]) -> Answered:
    assert isinstance(events[-1], Answered), events[-1]
    return events[-1]


@pytest.mark.parametrize("stage", STAGES)
def test_where_nobody_named_a_model_sentences_are_quoted_and_the_reason_is_said(
    service: Service, scripted: ScriptedOllama, stage: str
) -> None:
    last = answered(gone(service, scripted, stage, None))
    assert last.model is None
    assert last.citations
    assert any("Nothing answers" in note and "ollama serve" in note for note in last.notes)


@pytest.mark.parametrize("stage", STAGES)
def test_where_a_model_was_named_it_is_an_error_with_the_next_step(
    service: Service, scripted: ScriptedOllama, stage: str
) -> None:
    events = gone(service, scripted, stage, "cites")
    failed = events[-1]
    assert isinstance(failed, Failed)
    assert (failed.kind, failed.hint) == ("ModelUnreachable", "Start it with: ollama serve")
    assert not any(isinstance(event, Answered) for event in events)


@pytest.mark.parametrize("model", [None, "cites"])
def test_in_mid_answer_the_text_stays_and_the_error_follows(
    service: Service, scripted: ScriptedOllama, model: str | None
) -> None:
    scripted.play("/api/chat", Reply((text_line("The lease runs"),), end="drop"))
    events = asked(service, scripted, model)
    assert "".join(event.text for event in events if isinstance(event, AnswerText)) == "The lease runs"
    assert any(isinstance(event, AskRetrieved) for event in events)
    assert isinstance(events[-1], Failed)


def test_a_server_that_is_back_answers_the_next_question(service: Service, scripted: ScriptedOllama) -> None:
    assert answered(asked(service, scripted, None)).model == "cites:latest"
    scripted.stop()
    assert answered(asked(service, scripted, None)).model is None
    scripted.start()
    assert answered(asked(service, scripted, None)).model == "cites:latest"


def test_an_answer_of_a_million_characters_without_a_line_end_is_taken_whole(
    service: Service, scripted: ScriptedOllama
) -> None:
    piece = "word " * 819 + "[1] "
    scripted.play("/api/chat", chat_reply(*[piece] * 250))
    last = answered(asked(service, scripted, None))
    assert last.text == (piece * 250).strip()
    assert len(last.citations) == 250
