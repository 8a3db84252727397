"""Fetching a model: progress added up over its layers, faults as sentences, cancelling, going on."""

import threading
from collections.abc import Iterator

import pytest

from lens_tui.cancel import CancelToken
from lens_tui.errors import AnswerCutShort, ModelError, ModelMissing, ModelUnreachable
from lens_tui.ollama.client import OllamaServer
from lens_tui.ollama.pulling import name_of, pull
from lens_tui.requests import Pulling
from tests.ollama.scripted import Reply, ScriptedOllama, error_reply, line

pytestmark = pytest.mark.network

MANIFEST = line(status="pulling manifest")
SUCCESS = line(status="success")
NO_NETWORK = (
    'pull model manifest: Get "https://registry.ollama.ai/v2/library/tiny/manifests/latest": dial tcp: lookup '
    "registry.ollama.ai on 127.0.0.11:53: no such host"
)


def layer(digest: str, total: int, completed: int | None = None) -> bytes:
    told = {} if completed is None else {"completed": completed}
    return line(status=f"pulling {digest}", digest=f"sha256:{digest}", total=total, **told)


@pytest.fixture
def server(scripted: ScriptedOllama) -> Iterator[OllamaServer]:
    server = OllamaServer(scripted.host)
    yield server
    server.close()


def pulled(server: OllamaServer, name: str = "tiny") -> list[Pulling]:
    return list(pull(server, name, cancel=CancelToken()))


def test_progress_is_the_sum_of_the_layers(scripted: ScriptedOllama, server: OllamaServer) -> None:
    lines = (MANIFEST, layer("aa", 1000), layer("aa", 1000, 600), layer("aa", 1000, 1000), layer("bb", 50, 20), SUCCESS)
    scripted.play("/api/pull", Reply(lines))
    steps = pulled(server)
    assert [(step.done, step.total) for step in steps] == [
        (0, 0), (0, 1000), (600, 1000), (1000, 1000), (1020, 1050), (1020, 1050),
    ]  # fmt: skip
    assert [step.step for step in steps][::5] == ["pulling manifest", "success"]
    assert scripted.asks("/api/pull")[0].body == {"model": "tiny", "stream": True}


def test_the_rate_is_that_of_the_last_seconds(scripted: ScriptedOllama, server: OllamaServer) -> None:
    times = iter([0.0, 1.0, 2.0, 10.0, 12.0])
    lines = (*(layer("aa", 9000, done) for done in (0, 1000, 2000, 3000)), SUCCESS)
    scripted.play("/api/pull", Reply(lines))
    rates = [step.rate for step in pull(server, "tiny", cancel=CancelToken(), clock=lambda: next(times))]
    assert rates == [0.0, 1000.0, 1000.0, 125.0, 100.0]


@pytest.mark.parametrize(
    ("words", "kind", "said"),
    [
        (NO_NETWORK, ModelUnreachable, "cannot reach its library"),
        ("pull model manifest: file does not exist", ModelMissing, "library has no tiny"),
        ("write /models/blobs/sha256-aa-partial: no space left on device", ModelError, "no space for tiny"),
        ("digest mismatch, file must be downloaded again: want sha256:aa, got sha256:bb", ModelError, "not be fetched"),
        ("max retries exceeded: unexpected EOF", ModelUnreachable, "cannot reach its library"),
    ],
)
def test_an_error_inside_the_stream_is_a_sentence_with_a_step(
    scripted: ScriptedOllama, server: OllamaServer, words: str, kind: type[ModelError], said: str
) -> None:
    scripted.play("/api/pull", Reply((MANIFEST, line(error=words))))
    with pytest.raises(kind, match=said) as caught:
        pulled(server)
    assert caught.value.hint
    assert len(scripted.asks("/api/pull")) == 1


def test_a_name_that_the_server_refuses_is_told_in_its_words(scripted: ScriptedOllama, server: OllamaServer) -> None:
    scripted.play("/api/pull", error_reply("invalid model name", 400))
    with pytest.raises(ModelError, match="invalid model name"):
        pulled(server, "a:b:c")


def test_a_pull_that_ends_without_success_was_cut_short(scripted: ScriptedOllama, server: OllamaServer) -> None:
    scripted.play("/api/pull", Reply((MANIFEST, layer("aa", 1000, 600)), end="drop"))
    with pytest.raises(AnswerCutShort):
        pulled(server)


def test_cancelling_closes_the_connection_and_the_next_pull_goes_on(
    scripted: ScriptedOllama, server: OllamaServer
) -> None:
    scripted.play("/api/pull", Reply((MANIFEST, layer("aa", 1000, 600)), end="silent"))
    cancel = CancelToken()
    seen = []
    for step in pull(server, "tiny", cancel=cancel):
        seen.append(step.done)
        if step.done:
            threading.Thread(target=cancel.cancel).start()
    assert seen == [0, 600]
    assert scripted.hung_up.wait(5)
    scripted.play("/api/pull", Reply((MANIFEST, layer("aa", 1000, 600), layer("aa", 1000, 1000), SUCCESS)))
    assert [step.done for step in pulled(server)] == [0, 600, 1000, 1000]


@pytest.mark.parametrize("typed", ["qwen3:4b", "  qwen3:4b ", "ollama pull qwen3:4b", "pull qwen3:4b"])
def test_a_name_may_be_typed_as_the_command_is(typed: str) -> None:
    assert name_of(typed) == "qwen3:4b"


@pytest.mark.parametrize("typed", ["", "  ", "two words", "\x1b[31m"])
def test_what_is_no_name_is_refused(typed: str) -> None:
    with pytest.raises(ModelError, match="no model's name"):
        name_of(typed)
