"""Which model is chosen, and what is said about it (product.md, 'Settings')."""

from collections.abc import Iterator

import pytest

from lens_tui.errors import ModelMissing, ModelUnfit, ModelUnreachable
from lens_tui.ollama.client import OllamaServer, Tries
from lens_tui.ollama.models import choose_chat, choose_embedder
from tests.ollama.scripted import Model, Reply, ScriptedOllama, closed_port

pytestmark = pytest.mark.network


@pytest.fixture
def scripted_models(scripted: ScriptedOllama) -> ScriptedOllama:
    scripted.models = [
        Model("words:latest", capabilities=("embedding",), digest="1"),
        Model("first:latest", capabilities=("completion", "tools"), digest="2"),
        Model("second:4b", capabilities=("completion",), digest="3"),
        Model("vectors:latest", capabilities=("embedding",), digest="4"),
    ]
    return scripted


@pytest.fixture
def server(scripted_models: ScriptedOllama) -> Iterator[OllamaServer]:
    opened = OllamaServer(scripted_models.host, tries=Tries(count=1))
    yield opened
    opened.close()


@pytest.fixture
def away() -> Iterator[OllamaServer]:
    opened = OllamaServer(f"127.0.0.1:{closed_port()}", tries=Tries(count=1))
    yield opened
    opened.close()


def test_the_model_asked_for_stands_over_all_others(scripted_models: ScriptedOllama, server: OllamaServer) -> None:
    scripted_models.models[1].loaded = 4096
    choice = choose_chat(server, wanted="second:4b", remembered="first")
    assert choice.name == "second:4b"
    assert "asked for" in choice.why
    assert choice.info is not None
    assert choice.reachable


def test_the_folders_last_model_stands_over_one_that_is_loaded(
    scripted_models: ScriptedOllama, server: OllamaServer
) -> None:
    scripted_models.models[1].loaded = 4096
    choice = choose_chat(server, wanted=None, remembered="second:4b")
    assert choice.name == "second:4b"
    assert "last time" in choice.why


@pytest.mark.parametrize("remembered", ["gone:latest", "words", None, ""])
def test_a_remembered_model_that_is_gone_or_unfit_names_nothing(
    scripted_models: ScriptedOllama, server: OllamaServer, remembered: str | None
) -> None:
    scripted_models.models[2].loaded = 4096
    choice = choose_chat(server, wanted=None, remembered=remembered)
    assert choice.name == "second:4b"
    assert "loaded already" in choice.why


def test_without_any_reason_the_first_that_can_answer_is_taken(server: OllamaServer) -> None:
    choice = choose_chat(server, wanted="", remembered=None)
    assert choice.name == "first:latest"
    assert "first on the server's list" in choice.why


def test_none_quotes_and_asks_no_server(scripted_models: ScriptedOllama, server: OllamaServer) -> None:
    assert choose_chat(server, wanted="none", remembered="first").name is None
    assert choose_chat(server, wanted=None, remembered="none").name is None
    assert scripted_models.asked == []


def test_a_wanted_model_that_is_missing_is_an_error_with_the_command(server: OllamaServer) -> None:
    with pytest.raises(ModelMissing) as caught:
        choose_chat(server, wanted="qwen3:4b", remembered=None)
    assert caught.value.hint == "Fetch it with: ollama pull qwen3:4b"


def test_a_wanted_model_that_only_embeds_is_refused(server: OllamaServer) -> None:
    with pytest.raises(ModelUnfit, match="cannot answer"):
        choose_chat(server, wanted="words", remembered=None)


def test_a_server_that_is_away_gives_no_model_and_the_commands(away: OllamaServer) -> None:
    choice = choose_chat(away, wanted=None, remembered="first")
    assert (choice.name, choice.reachable) == (None, False)
    assert choice.why == f"Nothing answers at {away.address}."
    assert choice.hint.splitlines() == ["ollama serve", "ollama pull qwen3:4b"]


def test_a_wanted_model_of_a_server_that_is_away_is_an_error(away: OllamaServer) -> None:
    with pytest.raises(ModelUnreachable):
        choose_chat(away, wanted="first", remembered=None)
    with pytest.raises(ModelUnreachable):
        choose_embedder(away, wanted="words", remembered=None)


def test_a_server_without_a_model_that_answers_is_told_which_to_pull(
    scripted_models: ScriptedOllama, server: OllamaServer
) -> None:
    scripted_models.models = scripted_models.models[:1]
    choice = choose_chat(server, wanted=None, remembered=None)
    assert (choice.name, choice.reachable, choice.hint) == (None, True, "ollama pull qwen3:4b")


def test_something_else_at_the_address_is_told_as_that(scripted_models: ScriptedOllama, server: OllamaServer) -> None:
    scripted_models.play("/api/ps", Reply((b"<html><title>Router</title></html>",), 404))
    choice = choose_chat(server, wanted=None, remembered=None)
    assert choice.name is None
    assert "Router" in choice.why
    assert "proxy" in choice.hint


def test_the_embedder_is_chosen_by_the_same_rule(scripted_models: ScriptedOllama, server: OllamaServer) -> None:
    assert choose_embedder(server, wanted="", remembered=None).name == "words:latest"
    scripted_models.models[3].loaded = 512
    assert choose_embedder(server, wanted="", remembered=None).name == "vectors:latest"
    assert choose_embedder(server, wanted="", remembered="words").name == "words:latest"
    assert choose_embedder(server, wanted="", remembered="ollama/words:latest@1").name == "words:latest"
    assert choose_embedder(server, wanted="words", remembered="vectors").name == "words:latest"


def test_the_built_in_vectors_can_be_asked_for_by_name(scripted_models: ScriptedOllama, server: OllamaServer) -> None:
    assert choose_embedder(server, wanted="builtin", remembered=None).name is None
    assert scripted_models.asked == []


def test_a_chat_model_is_refused_as_an_embedder(server: OllamaServer) -> None:
    with pytest.raises(ModelUnfit, match="cannot embed"):
        choose_embedder(server, wanted="first", remembered=None)
