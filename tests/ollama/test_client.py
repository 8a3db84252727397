"""What is sent to a server, what is made of its answers, and how a wait is broken off."""

import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import pytest

from lens_tui.cancel import CancelToken
from lens_tui.errors import ModelMissing, ModelUnreachable
from lens_tui.ollama.client import OllamaChat, OllamaServer, Patience, Tries
from lens_tui.ollama.server import abilities_from
from lens_tui.types import ChatPiece, Prompt
from tests.ollama.scripted import Model, Reply, ScriptedOllama, chat_reply, last_line, text_line

pytestmark = pytest.mark.network

PROMPT = Prompt(system="the rules", user="the \ud800 question", excerpts=(), tokens=1912)


@pytest.fixture
def server(scripted: ScriptedOllama) -> Iterator[OllamaServer]:
    opened = OllamaServer(scripted.host, tries=Tries(count=1))
    yield opened
    opened.close()


def ask(chat: OllamaChat, cancel: CancelToken | None = None, num_ctx: int = 2048) -> list[ChatPiece]:
    return list(chat.stream(PROMPT, num_ctx=num_ctx, cancel=cancel or CancelToken()))


def test_a_chat_is_two_messages_that_must_not_be_cut(scripted: ScriptedOllama, server: OllamaServer) -> None:
    ask(OllamaChat(server, "cites", temperature=0.0, keep_alive="10m"), num_ctx=4096)
    (asked,) = scripted.asks("/api/chat")
    assert asked.body == {
        "model": "cites",
        "messages": [
            {"role": "system", "content": "the rules"},
            {"role": "user", "content": "the \ud800 question"},
        ],
        "stream": True,
        "truncate": False,
        "shift": False,
        "options": {"num_ctx": 4096, "temperature": 0.0},
        "keep_alive": "10m",
    }


@pytest.mark.parametrize(("given", "sent"), [("-1", -1), ("600", 600), ("1h30m", "1h30m"), ("", None)])
def test_how_long_a_model_stays_is_sent_as_ollama_reads_it(
    scripted: ScriptedOllama, server: OllamaServer, given: str, sent: object
) -> None:
    ask(OllamaChat(server, "cites", keep_alive=given))
    assert scripted.asks("/api/chat")[0].body.get("keep_alive") == sent


def test_thinking_is_switched_off_only_where_the_model_can_think(
    scripted: ScriptedOllama, server: OllamaServer
) -> None:
    scripted.models.append(Model("thinks:latest", capabilities=("completion", "thinking"), digest="22"))
    ask(OllamaChat(server, "cites"))
    ask(OllamaChat(server, "thinks"))
    assert [asked.body.get("think") for asked in scripted.asks("/api/chat")] == [None, False]


def test_thinking_that_comes_all_the_same_is_no_answer(scripted: ScriptedOllama, server: OllamaServer) -> None:
    reply = Reply((text_line("", "Hm"), text_line("<thi"), text_line("nk>well</think>\nYes"), last_line()))
    scripted.play("/api/chat", reply)
    pieces = ask(OllamaChat(server, "cites"))
    assert "".join(piece.thinking for piece in pieces) == "Hmwell"
    assert "".join(piece.text for piece in pieces) == "Yes"


def test_lines_may_be_cut_anywhere_and_hold_any_character(scripted: ScriptedOllama, server: OllamaServer) -> None:
    whole = text_line("日本\u2028語\x85 \u00e9") + last_line()
    raw = whole.decode("ascii").encode().decode("unicode_escape")
    assert "日" in raw
    utf8 = whole.replace(b"\\u65e5", "日".encode()).replace(b"\\u0085", "\x85".encode())
    scripted.play("/api/chat", Reply(tuple(utf8[at : at + 1] for at in range(len(utf8)))))
    assert "".join(piece.text for piece in ask(OllamaChat(server, "cites"))) == "日本\u2028語\x85 \u00e9"


def test_the_last_piece_has_the_counts(scripted: ScriptedOllama, server: OllamaServer) -> None:
    scripted.play("/api/chat", chat_reply("a", reason="length", read=77, wrote=5))
    last = ask(OllamaChat(server, "cites"))[-1]
    assert (last.prompt_tokens, last.answer_tokens, last.done_reason) == (77, 5, "length")


def test_the_step_tells_loading_and_then_reading(scripted: ScriptedOllama, server: OllamaServer) -> None:
    scripted.play("/api/chat", Reply((text_line("a"), last_line()), late=0.8))
    stream = OllamaChat(server, "cites").stream(PROMPT, num_ctx=4096, cancel=CancelToken())
    assert next(stream).step == "loading cites into memory"
    scripted.models[0].loaded = 4096
    assert next(stream).step == "reading 1,912 tokens"
    assert [piece.text for piece in stream] == ["a", ""]


def test_a_model_that_is_loaded_as_needed_is_reading_at_once(scripted: ScriptedOllama, server: OllamaServer) -> None:
    scripted.models[0].loaded = 2048
    assert ask(OllamaChat(server, "cites"))[0].step == "reading 1,912 tokens"


@pytest.mark.parametrize("reply", [Reply(late=30), Reply(end="silent"), Reply((text_line("a"),), end="silent")])
def test_cancelling_shuts_the_connection_at_any_moment(
    scripted: ScriptedOllama, server: OllamaServer, reply: Reply
) -> None:
    scripted.play("/api/chat", reply)
    cancel = CancelToken()
    threading.Timer(0.3, cancel.cancel).start()
    began = time.monotonic()
    ask(OllamaChat(server, "cites"), cancel)
    assert time.monotonic() - began < 2
    assert scripted.hung_up.wait(2)


def test_cancelling_while_a_connection_is_being_made_ends_at_once() -> None:
    with socket.create_server(("127.0.0.1", 0), backlog=0) as full:
        # Connections that nobody accepts fill the queue; on Linux the next one then waits to be made.
        waiting = [socket.socket() for _ in range(4)]
        for one in waiting:
            one.setblocking(False)
            one.connect_ex(full.getsockname())
        server = OllamaServer(f"127.0.0.1:{full.getsockname()[1]}", patience=Patience(connect=20))
        cancel = CancelToken()
        threading.Timer(0.3, cancel.cancel).start()
        began = time.monotonic()
        lines = list(server.stream("/api/chat", {"model": "cites"}, cancel=cancel, is_last=bool))
        assert set(lines) <= {None}
        assert 0.2 < time.monotonic() - began < 3
        server.close()
        for one in waiting:
            one.close()


def test_a_chat_that_is_cancelled_before_it_begins_asks_nothing(scripted: ScriptedOllama, server: OllamaServer) -> None:
    cancel = CancelToken()
    cancel.cancel()
    assert ask(OllamaChat(server, "cites"), cancel) == []
    assert scripted.asks("/api/chat") == []


def test_leaving_a_stream_shuts_its_connection(scripted: ScriptedOllama, server: OllamaServer) -> None:
    scripted.play("/api/chat", Reply((text_line("a"),), end="silent"))
    stream = OllamaChat(server, "cites").stream(PROMPT, num_ctx=2048, cancel=CancelToken())
    assert [next(stream).text, next(stream).text] == ["", "a"]
    stream.close()  # type: ignore[attr-defined]
    assert scripted.hung_up.wait(2)


def test_a_model_is_found_with_or_without_its_tag(server: OllamaServer) -> None:
    assert server.find("cites") == server.find("Cites:latest")
    with pytest.raises(ModelMissing):
        server.find("cites:4b")


def test_what_a_model_can_do_is_asked_once(scripted: ScriptedOllama, server: OllamaServer) -> None:
    server.models()
    server.models()
    assert len(scripted.asks("/api/show")) == 2
    scripted.models[0].digest = "33"
    server.models()
    assert len(scripted.asks("/api/show")) == 3


def test_a_model_that_is_listed_and_cannot_be_shown_can_do_nothing(
    scripted: ScriptedOllama, server: OllamaServer
) -> None:
    scripted.play("/api/show", Reply((b'{"error": "model \'cites\' not found"}',), 404))
    assert server.models()[0].capabilities == ()


def test_a_model_without_a_context_has_ollamas_own(scripted: ScriptedOllama, server: OllamaServer) -> None:
    scripted.models.append(Model("plain:latest", context=None, digest="44"))
    assert OllamaChat(server, "plain").context() == 4096


def test_a_model_without_details_is_listed_all_the_same(scripted: ScriptedOllama, server: OllamaServer) -> None:
    scripted.play("/api/show", Reply((b'{"capabilities": ["completion"]}',)))
    first = server.models()[0]
    assert (first.capabilities, first.context) == (("completion",), None)


@pytest.mark.parametrize(
    ("info", "ability"), [({"bert.pooling_type": 1}, "embedding"), ({"llama.context_length": 4096}, "completion")]
)
def test_an_older_server_that_tells_no_capabilities_is_understood(info: dict[str, int], ability: str) -> None:
    assert abilities_from({"model_info": info})[0] == (ability,)


def test_the_key_of_the_environment_is_sent(scripted: ScriptedOllama) -> None:
    server = OllamaServer(environment={"OLLAMA_HOST": scripted.host, "OLLAMA_API_KEY": "secret"})
    server.version()
    assert scripted.asked[-1].headers["authorization"] == "Bearer secret"
    server.close()


def test_a_path_in_the_address_goes_before_every_request(scripted: ScriptedOllama) -> None:
    server = OllamaServer(scripted.url + "/behind/", tries=Tries(count=1))
    scripted.play("/behind/api/version", Reply((b'{"version": "9"}',)))
    assert server.version() == "9"
    server.close()


def test_what_is_known_of_a_model_and_was_asked_ahead_is_not_asked_again(
    scripted: ScriptedOllama, server: OllamaServer
) -> None:
    info = server.find("cites")
    scripted.asked.clear()
    chat = OllamaChat(server, "cites", info=info)
    chat.prepare()
    assert (chat.context(), chat.loaded_context()) == (4096, None)
    assert [asked.path for asked in scripted.asked] == ["/api/ps"]


def test_a_fault_of_what_was_asked_ahead_is_told_to_who_needs_it(
    scripted: ScriptedOllama, server: OllamaServer
) -> None:
    chat = OllamaChat(server, "cites")
    scripted.stop()
    chat.prepare()
    with pytest.raises(ModelUnreachable):
        chat.loaded_context()


def test_importing_the_client_loads_neither_httpx_nor_ollama() -> None:
    code = (
        "import sys, lens_tui.ollama.client, lens_tui.ollama.models, lens_tui.index.embedding, "
        "lens_tui.answering.chat; lens_tui.ollama.client.OllamaServer('x'); "
        "print([m for m in ('httpx', 'ollama', 'numpy', 'pydantic') if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
