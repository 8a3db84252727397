"""Vectors from an Ollama server: in order, of length 1, and nothing cut."""

import threading
import time
from collections.abc import Iterator

import numpy as np
import pytest

from lens_tui.cancel import CancelToken
from lens_tui.errors import (
    ModelGarbled,
    ModelMissing,
    ModelOutOfMemory,
    ModelUnfit,
    ModelUnreachable,
    PromptTooLong,
    Stopped,
)
from lens_tui.index.embedding import BATCH, SAME_SECONDS, OllamaEmbedder
from lens_tui.ollama.client import OllamaServer, Tries
from tests.ollama.scripted import Model, Reply, ScriptedOllama, closed_port, json_reply, scripted

__all__ = ["scripted"]
pytestmark = pytest.mark.network


@pytest.fixture
def server(scripted: ScriptedOllama) -> Iterator[OllamaServer]:
    opened = OllamaServer(scripted.host, tries=Tries(count=1))
    yield opened
    opened.close()


@pytest.fixture
def embedder(server: OllamaServer) -> OllamaEmbedder:
    return OllamaEmbedder(server, "words")


def test_vectors_come_in_order_and_have_length_one(scripted: ScriptedOllama, embedder: OllamaEmbedder) -> None:
    texts = [f"{number:04} lease" for number in range(2 * BATCH + 3)]
    rows = embedder.passages(texts)
    assert rows.shape == (len(texts), 4)
    assert rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-6)
    assert np.array_equal(rows[BATCH + 1], embedder.query(texts[BATCH + 1])[0])
    sizes = [len(asked.body["input"]) for asked in scripted.asks("/api/embed")]
    assert sizes == [BATCH, BATCH, 3, 1]
    assert all(asked.body["truncate"] is False for asked in scripted.asks("/api/embed"))


def test_no_texts_give_no_vectors_of_the_right_length(embedder: OllamaEmbedder) -> None:
    assert embedder.passages([]).shape == (0, 4)
    assert embedder.dimensions == 4


def test_the_name_holds_the_models_digest(scripted: ScriptedOllama, server: OllamaServer) -> None:
    assert OllamaEmbedder(server, "words").name == "ollama/words:latest@1b226e2802db"
    scripted.models[1].digest = "ffff0000ffff0000"
    assert OllamaEmbedder(server, "words").name == "ollama/words:latest@ffff0000ffff"


def test_an_embedder_known_by_its_name_needs_no_server_to_tell_it() -> None:
    away = OllamaServer(f"127.0.0.1:{closed_port()}", tries=Tries(count=1))
    embedder = OllamaEmbedder(away, "ollama/words:latest@1b226e2802db")
    assert embedder.name == "ollama/words:latest@1b226e2802db"
    assert embedder.model == "words:latest"
    with pytest.raises(ModelUnreachable):
        embedder.query("lease")
    away.close()


def test_a_model_that_was_changed_under_its_name_is_not_used(scripted: ScriptedOllama, server: OllamaServer) -> None:
    embedder = OllamaEmbedder(server, "ollama/words:latest@1b226e2802db")
    scripted.models[1].digest = "ffff0000ffff0000"
    with pytest.raises(ModelUnfit, match="not the model any more"):
        embedder.query("lease")


def test_a_model_that_is_pulled_anew_while_it_is_in_use_is_found_out(scripted: ScriptedOllama) -> None:
    later = 0.0
    server = OllamaServer(scripted.host, tries=Tries(count=1), clock=lambda: time.monotonic() + later)
    embedder = OllamaEmbedder(server, "words")
    embedder.query("lease")
    scripted.models[1].digest = "ffff0000ffff0000"
    embedder.query("lease")
    later = SAME_SECONDS
    with pytest.raises(ModelUnfit, match="not the model any more"):
        embedder.query("lease")
    server.close()


def test_a_known_family_gets_its_words_before_a_query_and_tells_those_around_a_passage(
    scripted: ScriptedOllama, server: OllamaServer
) -> None:
    scripted.models[1].name = "nomic-embed-text:latest"
    embedder = OllamaEmbedder(server, "nomic-embed-text")
    assert embedder.frame == "search_document: {text}"
    embedder.query("lease {text}")
    embedder.passages(["search_document: It ends."])
    sent = [text for asked in scripted.asks("/api/embed") for text in asked.body["input"]]
    assert sent == ["search_query: lease {text}", "search_document: It ends."]


def test_what_a_known_model_reads_is_known_without_asking(scripted: ScriptedOllama, server: OllamaServer) -> None:
    english, every = OllamaEmbedder(server, "all-minilm"), OllamaEmbedder(server, "bge-m3")
    texts = {
        "when does it end": True,
        "賃貸の期限": False,
        "когда": False,
        "1,000": True,
        "wann endet der Vertrag": False,
    }
    assert {text: english.knows(text) for text in texts} == texts
    assert all(every.knows(text) for text in texts)
    assert scripted.asks("/api/embed") == []


def test_an_unknown_model_is_asked_once_for_each_script_that_it_meets(
    scripted: ScriptedOllama, embedder: OllamaEmbedder
) -> None:
    scripted.models[1].dimensions = 5
    assert embedder.knows("when does it end")
    assert scripted.asks("/api/embed") == []
    assert not embedder.knows("когда")
    right = json_reply({"embeddings": np.eye(5).tolist()})
    scripted.play("/api/embed", right, right)
    assert embedder.knows("賃貸の期限")
    assert embedder.knows("電車はなぜ")
    assert not embedder.knows("почему")
    assert len(scripted.asks("/api/embed")) == 4


def test_a_long_text_is_embedded_in_parts_averaged_and_counted(
    scripted: ScriptedOllama, embedder: OllamaEmbedder
) -> None:
    scripted.models[1].longest = 100
    long = "word " * 100
    rows = embedder.passages(["short", long, "also short"])
    assert rows.shape == (3, 4)
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-6)
    assert embedder.averaged == 1
    sent = [text for asked in scripted.asks("/api/embed") for text in asked.body["input"] if len(text) <= 100]
    assert "".join(text for text in sent if "short" not in text) == long
    assert np.array_equal(rows[2], embedder.query("also short")[0])


def test_the_context_is_known_once_the_server_was_asked(scripted: ScriptedOllama, server: OllamaServer) -> None:
    scripted.models[1].context = 512
    embedder = OllamaEmbedder(server, "words")
    assert embedder.window is None
    _ = embedder.name
    assert embedder.window == 512
    scripted.models[1].loaded = 256
    loaded = OllamaEmbedder(server, "words")
    _ = loaded.name
    assert loaded.window == 256


def test_a_model_that_takes_nothing_is_told_as_too_short(scripted: ScriptedOllama, embedder: OllamaEmbedder) -> None:
    scripted.models[1].longest = 1
    with pytest.raises(PromptTooLong):
        embedder.query("lease")


def test_a_chat_model_and_a_missing_one_are_refused(server: OllamaServer) -> None:
    with pytest.raises(ModelUnfit, match="cannot embed"):
        OllamaEmbedder(server, "cites").query("x")
    with pytest.raises(ModelMissing):
        OllamaEmbedder(server, "absent").query("x")


GARBLED = {
    "none": json_reply({}),
    "too few": json_reply({"embeddings": [[1.0, 0.0]]}),
    "of two lengths": json_reply({"embeddings": [[1.0, 0.0], [1.0]]}),
    "of no length": json_reply({"embeddings": [[], []]}),
    "zeros": json_reply({"embeddings": [[0.0, 0.0], [1.0, 0.0]]}),
    "words": json_reply({"embeddings": [["a", "b"], ["c", "d"]]}),
    "nulls": json_reply({"embeddings": [[None, 1.0], [1.0, 0.0]]}),
    "endless": Reply((b'{"embeddings": [[1e999, 1.0], [1.0, 0.0]]}',)),
    "no numbers": Reply((b'{"embeddings": [[NaN, 1.0], [1.0, 0.0]]}',)),
    "a page": Reply((b"<html></html>",)),
}


@pytest.mark.parametrize("reply", GARBLED.values(), ids=GARBLED)
def test_vectors_that_are_none_are_garbled(scripted: ScriptedOllama, embedder: OllamaEmbedder, reply: Reply) -> None:
    scripted.play("/api/embed", reply)
    with pytest.raises(ModelGarbled):
        embedder.passages(["a", "b"])


def test_an_error_inside_a_200_is_told_as_what_it_is(scripted: ScriptedOllama, embedder: OllamaEmbedder) -> None:
    scripted.play("/api/embed", json_reply({"error": "model requires more system memory (5 GiB) than is available"}))
    with pytest.raises(ModelOutOfMemory):
        embedder.query("a")


def test_vectors_of_another_length_than_before_are_garbled(scripted: ScriptedOllama, embedder: OllamaEmbedder) -> None:
    embedder.query("a")
    scripted.models[1] = Model("words:latest", capabilities=("embedding",), dimensions=3)
    with pytest.raises(ModelGarbled, match="vectors of 3 values after 4"):
        embedder.query("a")


def test_a_wait_for_vectors_is_broken_off_when_cancelled(scripted: ScriptedOllama, embedder: OllamaEmbedder) -> None:
    scripted.play("/api/embed", Reply(late=30))
    cancel = CancelToken()
    threading.Timer(0.2, cancel.cancel).start()
    with pytest.raises(Stopped):
        embedder.passages(["a"], cancel)
    assert scripted.hung_up.wait(2)
