"""Models through a folder's engine: listed with what they are used for, chosen for the folder, fetched."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from lens_tui.cancel import CancelToken
from lens_tui.engine.service import Service, open_service
from lens_tui.places import places_of, prepare
from lens_tui.requests import Ask, ChooseModel, ModelList, Models, Pulling, PullModel
from lens_tui.settings import Settings
from lens_tui.types import Answered, AskRetrieved
from tests.ollama.scripted import Model, Reply, ScriptedOllama, line, scripted

__all__ = ["scripted"]

pytestmark = pytest.mark.network

FIRST, SECOND = Model("first:latest"), Model("second:latest", loaded=8192)


@pytest.fixture
def opened(tmp_path: Path, scripted: ScriptedOllama) -> Iterator[Callable[[], Service]]:
    services: list[Service] = []
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "lease.md").write_text("The lease runs until 31 March 2027.", "utf-8")

    def open_one() -> Service:
        places = places_of(folder.resolve(), str(tmp_path / "data"))
        prepare(places)
        services.append(open_service(places, Settings(embedder="builtin", ollama_host=scripted.host)))
        return services[-1]

    yield open_one
    for service in services:
        service.close()


def events(service: Service, request: Any) -> list[Any]:
    return list(service.handle(request, CancelToken()))


def test_models_are_listed_with_what_answers_and_what_embeds(
    opened: Callable[[], Service], scripted: ScriptedOllama
) -> None:
    scripted.models[:] = [FIRST, SECOND]
    (listed,) = events(opened(), Models())
    assert isinstance(listed, ModelList)
    assert [(info.name, info.loaded) for info in listed.models] == [("first:latest", False), ("second:latest", True)]
    assert (listed.chat.name, listed.embedder.name) == ("second:latest", None)
    assert "loaded already" in listed.chat.why
    assert "built-in vectors" in listed.embedder.why
    assert listed.embedder.hint == "ollama pull embeddinggemma"


def test_a_choice_holds_for_the_folder_and_outlives_the_engine(
    opened: Callable[[], Service], scripted: ScriptedOllama
) -> None:
    scripted.models[:] = [FIRST, SECOND]
    service = opened()
    (chosen,) = events(service, ChooseModel(model="first:latest"))
    assert chosen.chat.name == "first:latest"
    service.close()
    service = opened()
    assert events(service, Models())[0].chat.name == "first:latest"
    answered = events(service, Ask(question="When does the lease end?"))[-1]
    assert isinstance(answered, Answered)
    assert answered.model == "first:latest"


def test_no_model_can_be_chosen_and_quotes(opened: Callable[[], Service], scripted: ScriptedOllama) -> None:
    service = opened()
    events(service, ChooseModel(model="none"))
    answered = events(service, Ask(question="When does the lease end?"))[-1]
    assert isinstance(answered, Answered)
    assert answered.model is None
    assert scripted.asks("/api/chat") == []


def test_keep_alive_and_temperature_reach_the_model(opened: Callable[[], Service], scripted: ScriptedOllama) -> None:
    events(opened(), Ask(question="When does the lease end?", keep_alive="10m", temperature=0.7))
    (asked,) = scripted.asks("/api/chat")
    assert asked.body["keep_alive"] == "10m"
    assert asked.body["options"]["temperature"] == 0.7


def test_a_model_that_was_fetched_is_on_the_list_at_once(
    opened: Callable[[], Service], scripted: ScriptedOllama
) -> None:
    scripted.models.clear()
    service = opened()
    assert events(service, Models())[0].chat.name is None
    scripted.play(
        "/api/pull", Reply((line(status="pulling aa", digest="aa", total=9, completed=9), line(status="success")))
    )
    scripted.models.append(FIRST)
    first, last, listed = events(service, PullModel(model="ollama pull first"))
    assert (first, last) == (
        Pulling(model="first", step="pulling aa", done=9, total=9),
        Pulling(model="first", step="success", done=9, total=9),
    )
    assert listed.chat.name == "first:latest"


def test_what_is_chosen_while_an_answer_comes_stands(opened: Callable[[], Service], scripted: ScriptedOllama) -> None:
    scripted.models[:] = [FIRST, SECOND]
    service = opened()
    for event in service.handle(Ask(question="When does the lease end?"), CancelToken()):
        if isinstance(event, AskRetrieved):
            events(service, ChooseModel(model="first:latest"))
    assert events(service, Models())[0].chat.name == "first:latest"
