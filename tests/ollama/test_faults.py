"""Every row of the fault table, shown by a scripted server on a real socket."""

import re
import socket
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from lens_tui.cancel import CancelToken
from lens_tui.errors import (
    AnswerCutShort,
    ModelError,
    ModelGarbled,
    ModelMissing,
    ModelOutOfMemory,
    ModelSlow,
    ModelUnfit,
    ModelUnreachable,
    PromptTooLong,
)
from lens_tui.ollama.client import OllamaChat, OllamaServer, Patience, Tries
from lens_tui.ollama.faults import QUOTED, quoted
from lens_tui.protocols import Cancel
from lens_tui.types import ChatPiece, Prompt
from tests.ollama.scripted import (
    Reply,
    ScriptedOllama,
    chat_reply,
    closed_port,
    error_reply,
    json_reply,
    last_line,
    line,
    text_line,
)

pytestmark = pytest.mark.network

QUICK = Patience(connect=5, reply=1.5, first=1.5, between=1.5, reading=1e9)
PROMPT = Prompt(system="s", user="u", excerpts=(), tokens=10)


class Waits:
    """Counts the waits between tries, and takes no time."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    def __call__(self, seconds: float, cancel: Cancel | None) -> None:
        self.seconds.append(seconds)


@pytest.fixture
def waits() -> Waits:
    return Waits()


@pytest.fixture
def server(scripted: ScriptedOllama, waits: Waits) -> Iterator[OllamaServer]:
    opened = OllamaServer(scripted.host, patience=QUICK, tries=Tries(sleep=waits, chance=lambda: 0.5))
    yield opened
    opened.close()


def ask(server: OllamaServer, name: str = "cites") -> list[ChatPiece]:
    return list(OllamaChat(server, name).stream(PROMPT, num_ctx=2048, cancel=CancelToken()))


def said(pieces: list[ChatPiece]) -> str:
    return "".join(piece.text for piece in pieces)


PAGE = b"<!DOCTYPE html><html><head><title>Welcome to nginx!</title></head></html>"
MEMORY = "model requires more system memory (5.6 GiB) than is available (3.1 GiB)"
TABLE: list[tuple[str, Reply, type[ModelError], str]] = [
    ("missing", error_reply("model 'cites' not found", 404), ModelMissing, "ollama pull cites"),
    ("missing, older words", error_reply('model "cites" not found, try pulling it first', 404), ModelMissing, "pull"),
    ("out of memory", error_reply(MEMORY, 500), ModelOutOfMemory, "smaller model"),
    ("out of memory on the card", error_reply("cudaMalloc failed: out of memory", 500), ModelOutOfMemory, "smaller"),
    ("no chat", error_reply('"cites" does not support chat', 400), ModelUnfit, "ollama list"),
    ("no thinking", error_reply('"cites" does not support thinking', 400), ModelUnfit, "another model"),
    ("too long", error_reply("the input length exceeds the context length", 400), PromptTooLong, "fewer excerpts"),
    ("refused", error_reply("invalid options: num_ctx", 400), ModelUnfit, "log"),
    ("a web page", Reply((PAGE,), 200), ModelGarbled, "proxy"),
    ("a web page with 404", Reply((PAGE,), 404), ModelGarbled, "proxy"),
    ("404 in plain text", Reply((b"404 page not found",), 404), ModelGarbled, "proxy"),
    ("405 in plain text", Reply((b"405 method not allowed",), 405), ModelGarbled, "proxy"),
    ("a redirect", Reply((), 302, {"Location": "http://192.0.2.1/login"}), ModelGarbled, "proxy"),
    ("access refused", Reply((b"no",), 401), ModelUnreachable, "OLLAMA_API_KEY"),
    ("garbage", Reply((b"\x00\xff\xfe garbage\n",), 200), ModelGarbled, "address"),
    ("JSON that is no object", Reply((b'[1, 2]\n"x"\n',), 200), ModelGarbled, "address"),
    ("an object of something else", Reply((b'{"hello": "world"}\n',), 200), ModelGarbled, "address"),
    ("no HTTP", Reply(raw=b"SSH-2.0-OpenSSH_9.6\r\n\r\n"), ModelGarbled, "address"),
    ("an empty body", Reply((), 200), AnswerCutShort, "ollama serve"),
    ("nothing at all", Reply(raw=b""), AnswerCutShort, "ollama serve"),
    ("a reset", Reply((), 200, end="reset"), AnswerCutShort, "ollama serve"),
    ("silence", Reply(late=30), ModelSlow, "smaller model"),
    ("silence of a model that may be lost", Reply(late=30), ModelSlow, "ollama stop"),
    ("silence after the head", Reply((), 200, end="silent"), ModelSlow, "smaller model"),
    ("an error in a 200", Reply((line(error="llama runner process has terminated"),)), AnswerCutShort, "log"),
    ("no memory, in a 200", Reply((line(error=MEMORY),)), ModelOutOfMemory, "smaller model"),
    ("an error that is an object", error_reply("x", 500), ModelError, "log"),
]


@pytest.mark.parametrize(("reply", "kind", "step"), [row[1:] for row in TABLE], ids=[row[0] for row in TABLE])
def test_each_fault_has_its_own_sentence_and_next_step(
    scripted: ScriptedOllama, server: OllamaServer, reply: Reply, kind: type[ModelError], step: str
) -> None:
    scripted.play("/api/chat", *[reply] * 3)
    with pytest.raises(ModelError) as caught:
        ask(server)
    assert type(caught.value) is kind
    assert step in caught.value.hint
    assert caught.value.message.endswith(".")
    assert caught.value.message.isprintable()


CUT: list[tuple[str, Reply, type[ModelError]]] = [
    ("closed", Reply((text_line("The lease"),), end="drop"), AnswerCutShort),
    ("ended without a last line", Reply((text_line("The lease"),)), AnswerCutShort),
    ("reset", Reply((text_line("The lease"), 0.1), end="reset"), AnswerCutShort),
    ("silent", Reply((text_line("The lease"),), end="silent"), ModelSlow),
    ("an error line", Reply((text_line("The lease"), line(error="unexpected EOF"))), AnswerCutShort),
    ("garbage", Reply((text_line("The lease"), b"{half a li\n")), ModelGarbled),
    ("half a line", Reply((text_line("The lease"), last_line()[:20])), ModelGarbled),
    ("a page", Reply((text_line("The lease"), PAGE)), ModelGarbled),
]


@pytest.mark.parametrize(("reply", "kind"), [row[1:] for row in CUT], ids=[row[0] for row in CUT])
def test_what_streamed_before_a_fault_has_arrived_and_is_not_asked_for_again(
    scripted: ScriptedOllama, server: OllamaServer, waits: Waits, reply: Reply, kind: type[ModelError]
) -> None:
    scripted.play("/api/chat", reply)
    pieces: list[ChatPiece] = []
    with pytest.raises(ModelError) as caught:
        pieces.extend(_each(server, pieces))
    assert type(caught.value) is kind
    assert said(pieces) == "The lease"
    assert len(scripted.asks("/api/chat")) == 1
    assert waits.seconds == []


def _each(server: OllamaServer, into: list[ChatPiece]) -> list[ChatPiece]:
    for piece in OllamaChat(server, "cites").stream(PROMPT, num_ctx=2048, cancel=CancelToken()):
        into.append(piece)
    return []


def test_a_server_that_is_down_is_unreachable_at_once(waits: Waits) -> None:
    server = OllamaServer(f"127.0.0.1:{closed_port()}", tries=Tries(sleep=waits))
    calls: list[Callable[[], object]] = [
        server.version,
        server.models,
        lambda: server.embed("words", ["x"]),
        lambda: ask(server),
    ]
    for call in calls:
        with pytest.raises(ModelUnreachable, match="Nothing answers") as caught:
            call()
        assert "ollama serve" in caught.value.hint
    assert waits.seconds == []
    server.close()


def test_a_name_that_nobody_knows_is_unreachable() -> None:
    server = OllamaServer("no-such-host.invalid", patience=QUICK)
    with pytest.raises(ModelUnreachable):
        server.version()
    server.close()


def test_a_fault_that_can_pass_is_tried_three_times_with_growing_waits(
    scripted: ScriptedOllama, server: OllamaServer, waits: Waits
) -> None:
    busy = error_reply("server busy, please try again. maximum pending requests exceeded", 503)
    scripted.play("/api/chat", busy, busy)
    pieces = ask(server)
    assert said(pieces) == "The lease ends on 31 March 2027 [1]."
    assert waits.seconds == [1.0, 2.0]
    assert [piece.step for piece in pieces if piece.step.startswith("trying again")]


def test_after_three_tries_the_fault_is_told(scripted: ScriptedOllama, server: OllamaServer, waits: Waits) -> None:
    scripted.play("/api/tags", *[Reply((b"bad gateway",), 502)] * 4)
    with pytest.raises(ModelError, match="502"):
        server.models()
    assert len(scripted.asks("/api/tags")) == 3
    assert waits.seconds == [1.0, 2.0]


def test_the_wait_between_tries_is_drawn_from_half_to_one_and_a_half() -> None:
    waits = Waits()
    for chance in (0.0, 1.0):
        Tries(sleep=waits, chance=lambda chance=chance: chance).wait(2, None)  # type: ignore[misc]
    assert waits.seconds == [1.0, 3.0]


def test_a_wait_between_tries_ends_when_cancelled(scripted: ScriptedOllama) -> None:
    server = OllamaServer(scripted.host, tries=Tries(base=30))
    scripted.play("/api/chat", error_reply("busy", 503))
    cancel = CancelToken()
    threading.Timer(0.3, cancel.cancel).start()
    began = time.monotonic()
    pieces = list(OllamaChat(server, "cites").stream(PROMPT, num_ctx=2048, cancel=cancel))
    assert said(pieces) == ""
    assert time.monotonic() - began < 5
    server.close()


@pytest.mark.parametrize("path", ["/api/version", "/api/tags", "/api/ps", "/api/show"])
@pytest.mark.parametrize("reply", [Reply((PAGE,)), Reply((b"garbage",)), json_reply([1]), json_reply(None)])
def test_a_list_that_is_none_is_garbled(
    scripted: ScriptedOllama, server: OllamaServer, path: str, reply: Reply
) -> None:
    scripted.play(path, reply)
    with pytest.raises(ModelGarbled):
        _ = server.version() if path == "/api/version" else server.models()


@pytest.mark.parametrize("path", ["/api/version", "/api/tags", "/api/ps"])
def test_an_object_that_lacks_what_was_asked_for_is_garbled(
    scripted: ScriptedOllama, server: OllamaServer, path: str
) -> None:
    scripted.play(path, json_reply({"models": 3}))
    with pytest.raises(ModelGarbled):
        _ = server.version() if path == "/api/version" else server.models()


def test_a_stream_that_is_cut_tells_after_how_long(scripted: ScriptedOllama) -> None:
    scripted.play("/api/chat", Reply((text_line("a"), 0.3, text_line("b"), 0.3, text_line("c")), end="drop"))
    server = OllamaServer(scripted.host)
    began = time.monotonic()
    with pytest.raises(AnswerCutShort) as caught:
        ask(server)
    told = re.search(r"closed the connection after (\d+) s", str(caught.value))
    assert told is not None
    assert 1 <= int(told[1]) <= round(time.monotonic() - began)
    server.close()


def test_a_redirect_is_never_followed(scripted: ScriptedOllama, server: OllamaServer) -> None:
    other = ScriptedOllama()
    for path in ("/api/version", "/api/tags", "/api/chat", "/api/embed"):
        scripted.play(path, Reply((), 307, {"Location": other.url + path}))
    for call in (server.version, server.models, lambda: ask(server), lambda: server.embed("words", ["x"])):
        with pytest.raises(ModelGarbled, match="redirect"):
            call()
    assert other.asked == []
    other.stop()


def test_a_proxy_of_the_environment_is_not_used_for_this_machine(
    scripted: ScriptedOllama, server: OllamaServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    proxy = ScriptedOllama()
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy", "HTTPS_PROXY"):
        monkeypatch.setenv(name, proxy.url)
    assert server.version() == "0.24.0"
    assert said(ask(server))
    assert proxy.asked == []
    proxy.stop()


def test_a_proxy_that_cannot_be_used_gets_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", "nonsense://nowhere")
    server = OllamaServer("192.0.2.1", patience=QUICK)
    with pytest.raises(ModelUnreachable, match="No connection"):
        server.version()
    server.close()


def test_words_of_a_server_are_printable_and_their_shortening_shows(
    scripted: ScriptedOllama, server: OllamaServer
) -> None:
    scripted.play("/api/chat", error_reply("\x1b]0;owned\x07" + "very long " * 100, 400))
    with pytest.raises(ModelUnfit) as caught:
        ask(server)
    assert "\x1b" not in caught.value.message
    assert "…" in caught.value.message
    assert len(caught.value.message) < QUOTED + 60


def test_quoting_leaves_short_words_as_they_are() -> None:
    assert quoted("two\n words") == "two words"
    assert len(quoted("x" * 500)) == QUOTED


def test_a_line_without_an_end_fills_no_memory(scripted: ScriptedOllama, server: OllamaServer) -> None:
    scripted.play("/api/chat", Reply((b"x" * 1_000_000,) * 9))
    with pytest.raises(ModelGarbled, match="without an end"):
        ask(server)


def test_a_certificate_that_is_none_is_told(scripted: ScriptedOllama) -> None:
    server = OllamaServer(f"https://{scripted.host}", patience=QUICK)
    with pytest.raises(ModelUnreachable, match=r"safe connection"):
        server.version()
    server.close()


def test_a_port_that_accepts_and_says_nothing_is_slow() -> None:
    with socket.create_server(("127.0.0.1", 0)) as mute:
        server = OllamaServer(f"127.0.0.1:{mute.getsockname()[1]}", patience=QUICK)
        with pytest.raises(ModelSlow):
            server.version()
        server.close()


def test_an_answer_after_a_while_of_loading_is_no_fault(scripted: ScriptedOllama, server: OllamaServer) -> None:
    late = chat_reply("Yes.")
    scripted.play("/api/chat", Reply(late.pieces, late=0.3))
    assert said(ask(server)) == "Yes."
