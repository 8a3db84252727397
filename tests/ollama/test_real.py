"""The client against a real Ollama, whose models' words are known beforehand."""

import threading
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from lens_tui.cancel import CancelToken
from lens_tui.errors import (
    AnswerCutShort,
    ModelMissing,
    ModelUnfit,
    ModelUnreachable,
    PromptTooLong,
    SettingsError,
    Stopped,
)
from lens_tui.index.embedding import OllamaEmbedder
from lens_tui.ollama.client import OllamaChat, OllamaServer, Tries
from lens_tui.ollama.models import choose_chat, choose_embedder
from lens_tui.ollama.pulling import pull
from lens_tui.types import ChatPiece, Prompt
from tests.ollama.real import CITES, ENDLESS, RealOllama

pytestmark = pytest.mark.ollama

ONCE = Tries(count=1)
ROOM = 32_768
"""Tokens that ``endless`` says before its context is full: at least half a minute of them."""


@pytest.fixture
def server(real_ollama: RealOllama) -> Iterator[OllamaServer]:
    opened = OllamaServer(real_ollama.host, tries=ONCE)
    yield opened
    opened.close()


def prompt(text: str = "When does the lease end?") -> Prompt:
    return Prompt(system="Answer.", user=text, excerpts=(), tokens=len(text))


def said(pieces: list[ChatPiece]) -> str:
    return "".join(piece.text for piece in pieces)


def ask(server: OllamaServer, name: str, text: str = "When?", num_ctx: int = 2048) -> list[ChatPiece]:
    return list(OllamaChat(server, name).stream(prompt(text), num_ctx=num_ctx, cancel=CancelToken()))


def test_the_server_tells_its_version(server: OllamaServer) -> None:
    assert server.version()[0].isdigit()


def test_every_model_is_listed_with_what_it_can_do(server: OllamaServer) -> None:
    found = {info.name: info for info in server.models()}
    assert found["cites:latest"].capabilities == ("completion",)
    assert found["words:latest"].capabilities == ("embedding",)
    assert "thinking" in found["thinks:latest"].capabilities
    assert found["long:latest"].context == 16_384
    assert found["cites:latest"].size > 1_000_000


def test_an_answer_streams_in_pieces_and_ends_with_the_counts(server: OllamaServer) -> None:
    pieces = ask(server, "cites")
    assert said(pieces) == "".join(CITES)
    assert len([piece for piece in pieces if piece.text]) > 5
    assert pieces[0].step
    assert pieces[-1].done_reason == "stop"
    assert pieces[-1].answer_tokens == len(CITES) + 1
    assert pieces[-1].prompt_tokens is not None
    assert pieces[-1].prompt_tokens > len("When?")


def test_a_model_is_said_to_be_loading_and_then_to_be_reading(server: OllamaServer) -> None:
    ask(server, "cites", num_ctx=1024)
    first = ask(server, "cites", num_ctx=4096)[0].step
    again = ask(server, "cites", num_ctx=4096)[0].step
    assert first == "loading cites into memory"
    assert again == "reading 5 tokens"


def test_the_context_in_force_is_what_was_asked_for(server: OllamaServer) -> None:
    chat = OllamaChat(server, "long")
    assert chat.context() == 16_384
    list(chat.stream(prompt(), num_ctx=8192, cancel=CancelToken()))
    assert chat.loaded_context() == 8192


def test_a_prompt_that_is_too_long_is_refused_and_not_cut(server: OllamaServer) -> None:
    with pytest.raises(PromptTooLong):
        ask(server, "cites", "word " * 3000, num_ctx=2048)


def begins_at_once(server: OllamaServer, name: str) -> bool:
    """Whether an answer begins within five seconds. A model has one place: another answer under way would hold it."""
    cancel = CancelToken()
    patience = threading.Timer(5, cancel.cancel)
    patience.start()
    begun = False
    for piece in OllamaChat(server, name).stream(prompt(), num_ctx=ROOM, cancel=cancel):
        if piece.text:
            begun = True
            cancel.cancel()
    patience.cancel()
    return begun


def test_cancelling_in_mid_stream_stops_the_server_too(
    real_ollama: RealOllama, server: OllamaServer, endless: str
) -> None:
    def cancelled_answer_leaves_the_model_free() -> bool:
        real_ollama.unload(endless)
        cancel = CancelToken()
        pieces: list[ChatPiece] = []
        for piece in OllamaChat(server, endless).stream(prompt(), num_ctx=ROOM, cancel=cancel):
            pieces.append(piece)
            if len(said(pieces)) > 100:
                cancel.cancel()
        assert said(pieces).startswith("".join(ENDLESS[:3]).lstrip())
        return begins_at_once(server, endless)

    # One in a hundred is lost by the server itself (see RealOllama.unload); a client that does not stop it loses all.
    assert any(cancelled_answer_leaves_the_model_free() for _ in range(3))


def test_cancelling_from_another_thread_ends_the_stream_at_once(server: OllamaServer, endless: str) -> None:
    cancel = CancelToken()
    timer = threading.Timer(0.5, cancel.cancel)
    timer.start()
    list(OllamaChat(server, endless).stream(prompt(), num_ctx=2048, cancel=cancel))
    timer.join()
    assert cancel.cancelled


def test_cancelling_before_the_first_word_ends_the_stream(server: OllamaServer, endless: str) -> None:
    cancel = CancelToken()
    began = time.monotonic()
    for piece in OllamaChat(server, endless).stream(prompt(), num_ctx=1024, cancel=cancel):
        assert piece.step
        cancel.cancel()
    assert time.monotonic() - began < 2


def test_closing_the_generator_frees_the_model(real_ollama: RealOllama, server: OllamaServer, endless: str) -> None:
    def closed_stream_leaves_the_model_free() -> bool:
        real_ollama.unload(endless)
        stream = OllamaChat(server, endless).stream(prompt(), num_ctx=ROOM, cancel=CancelToken())
        for piece in stream:
            if piece.text:
                break
        del stream, piece
        return begins_at_once(server, endless)

    assert any(closed_stream_leaves_the_model_free() for _ in range(3))


def test_thinking_inside_the_content_is_told_apart_from_the_answer(server: OllamaServer) -> None:
    pieces = ask(server, "thinks")
    assert "".join(piece.thinking for piece in pieces).strip() == "Let me look."
    assert said(pieces) == "The lease ends [1]."


def raw(server: OllamaServer, name: str, **fields: object) -> list[dict[str, Any]]:
    """The lines of a chat that asks for what the app never does."""
    asked = {"model": name, "messages": [{"role": "user", "content": "When?"}], **fields}
    lines = server.stream("/api/chat", asked, cancel=CancelToken(), is_last=lambda line: line["done"] is True)
    return [line for line in lines if line is not None]


def test_a_model_that_is_asked_to_think_does_so_apart_from_its_answer(server: OllamaServer) -> None:
    messages = [line["message"] for line in raw(server, "thinks", think=True)]
    assert "".join(message.get("thinking", "") for message in messages).strip() == "Let me look."
    assert "".join(message["content"] for message in messages).strip() == "The lease ends [1]."


def test_a_model_that_cannot_think_refuses_to(server: OllamaServer) -> None:
    with pytest.raises(ModelUnfit, match="does not support thinking"):
        raw(server, "cites", think=True)


def test_a_model_that_was_unloaded_is_loaded_for_the_next_question(server: OllamaServer) -> None:
    list(OllamaChat(server, "cites", keep_alive="0").stream(prompt(), num_ctx=2048, cancel=CancelToken()))
    until = time.monotonic() + 20
    while server.loaded("cites") is not None and time.monotonic() < until:
        time.sleep(0.02)
    assert server.loaded("cites") is None
    pieces = ask(server, "cites")
    assert pieces[0].step == "loading cites into memory"
    assert said(pieces) == "".join(CITES)


def test_a_model_that_is_not_there_is_missing(server: OllamaServer) -> None:
    with pytest.raises(ModelMissing) as caught:
        ask(server, "absent")
    assert "ollama pull absent" in caught.value.hint


def test_an_embedding_model_cannot_answer(server: OllamaServer) -> None:
    with pytest.raises(ModelUnfit):
        ask(server, "words")


def test_vectors_are_near_where_words_are_the_same(server: OllamaServer) -> None:
    rows = OllamaEmbedder(server, "words").passages(["the lease ends", "lease ends in march", "a cat and a dog"])
    assert rows.shape == (3, 256)
    assert rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    assert rows[0] @ rows[1] > rows[0] @ rows[2] + 0.3


def test_a_chat_model_is_refused_as_an_embedder(server: OllamaServer) -> None:
    with pytest.raises(ModelUnfit, match="cannot embed"):
        OllamaEmbedder(server, "cites").passages(["lease"])


def test_a_text_longer_than_the_context_is_embedded_in_parts_and_counted(server: OllamaServer) -> None:
    embedder = OllamaEmbedder(server, "words")
    long = "lease ends " * 600
    rows = embedder.passages(["cat", long, "lease ends"])
    assert embedder.averaged == 1
    assert rows[1] @ rows[2] > rows[1] @ rows[0] + 0.3


def test_embedding_can_be_stopped(server: OllamaServer) -> None:
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Stopped):
        OllamaEmbedder(server, "words").passages(["lease"], cancel)


def test_the_models_are_chosen_by_what_they_can_do(server: OllamaServer) -> None:
    chat = choose_chat(server, wanted=None, remembered="cites")
    assert chat.name == "cites:latest"
    assert choose_embedder(server, wanted="", remembered=None).name == "words:latest"


def test_a_runner_that_is_killed_in_mid_stream_cuts_the_answer_short(
    real_ollama: RealOllama, server: OllamaServer, endless: str
) -> None:
    chat = OllamaChat(server, endless)
    pieces: list[ChatPiece] = []

    def read() -> None:
        cancel = CancelToken()
        patience = threading.Timer(60, cancel.cancel)
        patience.start()
        try:
            for piece in chat.stream(prompt(), num_ctx=2048, cancel=cancel):
                pieces.append(piece)
                if piece.text and len(pieces) < 20:
                    real_ollama.kill_runner()
        finally:
            patience.cancel()

    with pytest.raises(AnswerCutShort):
        read()
    assert said(pieces)
    assert said(ask(server, "cites")) == "".join(CITES)


def test_a_server_may_go_and_come_back_between_two_questions(running_ollama: RealOllama) -> None:
    server = OllamaServer(running_ollama.host, tries=ONCE)
    assert said(ask(server, "cites")) == "".join(CITES)
    running_ollama.stop()
    with pytest.raises(ModelUnreachable) as caught:
        ask(server, "cites")
    assert "ollama serve" in caught.value.hint
    running_ollama.start()
    assert said(ask(server, "cites")) == "".join(CITES)
    server.close()


def test_a_server_that_ends_in_mid_stream_cuts_the_answer_short(running_ollama: RealOllama, endless: str) -> None:
    server = OllamaServer(running_ollama.host, tries=ONCE)
    pieces: list[ChatPiece] = []
    ending = threading.Thread(target=running_ollama.stop)

    def read() -> None:
        for piece in OllamaChat(server, endless).stream(prompt(), num_ctx=2048, cancel=CancelToken()):
            if piece.text and not said(pieces):
                ending.start()
            pieces.append(piece)

    with pytest.raises(AnswerCutShort):
        read()
    ending.join()
    server.close()


def test_a_model_that_stays_for_ever_is_listed_as_loaded(server: OllamaServer) -> None:
    list(OllamaChat(server, "cites", keep_alive="-1").stream(prompt(), num_ctx=2048, cancel=CancelToken()))
    assert server.find("cites").loaded_context == 2048
    list(OllamaChat(server, "cites", keep_alive="5m").stream(prompt(), num_ctx=2048, cancel=CancelToken()))


def test_an_unknown_keep_alive_is_told_as_a_fault_of_the_setting(server: OllamaServer) -> None:
    chat = OllamaChat(server, "cites", keep_alive="soon")
    with pytest.raises((ModelUnfit, SettingsError)) as caught:
        list(chat.stream(prompt(), num_ctx=2048, cancel=CancelToken()))
    assert "soon" in caught.value.message


def test_a_control_token_in_a_text_is_read_as_one_by_the_server(server: OllamaServer) -> None:
    plain = ask(server, "cites", "x" * 10)[-1].prompt_tokens or 0
    control = ask(server, "cites", "<|answer|>")[-1].prompt_tokens or 0
    assert (plain, control) == (plain, plain - 9)


def test_a_model_whose_library_cannot_be_reached_is_told_with_the_next_step(server: OllamaServer) -> None:
    with pytest.raises(ModelUnreachable, match="cannot reach its library") as caught:
        list(pull(server, "127.0.0.1:1/library/tiny", cancel=CancelToken()))
    assert "goes on from there" in caught.value.hint
