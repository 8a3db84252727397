"""An Ollama of our own on a real socket, for the faults that a real one cannot be made to show.

Without a script it serves its models as Ollama 0.24.0 does; ``play`` puts replies before that, one a request. A test
that uses it is marked ``network``; its conftest imports the fixture ``scripted``.
"""

import json
import socket
import struct
import threading
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal

import pytest

End = Literal["clean", "drop", "reset", "silent"]


@dataclass(frozen=True)
class Reply:
    """What one request gets."""

    pieces: tuple[bytes | float, ...] = ()
    """Parts of the body, each sent at once; a number is that many seconds of silence."""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=lambda: {"Content-Type": "application/x-ndjson"})
    end: End = "clean"
    """How it ends: properly, closed without its last chunk, reset, or never (until the client hangs up)."""
    raw: bytes | None = None
    """Sent as it is, in the place of a whole HTTP answer."""
    late: float = 0.0
    """Seconds before its first byte, as when a model is being loaded."""


@dataclass(frozen=True)
class Asked:
    """One request as it came."""

    method: str
    path: str
    body: dict[str, Any]
    headers: Mapping[str, str]


@dataclass
class Model:
    """A model that the scripted server has."""

    name: str
    says: tuple[str, ...] = ("The lease ends on 31 March 2027 [1].",)
    capabilities: tuple[str, ...] = ("completion",)
    context: int | None = 4096
    size: int = 2_400_952
    digest: str = "dc1c33eabcccccaa89222c69290722150c405ec5341391144bcf5dc6da46bbe1"
    loaded: int | None = None
    """The context that it is loaded with."""
    dimensions: int = 4
    longest: int = 1_000_000
    """Characters of a text that it embeds; a longer one is an error, as with ``truncate: false``."""


def json_reply(value: object, status: int = 200) -> Reply:
    """A reply of one JSON body."""
    return Reply((json.dumps(value).encode(),), status, {"Content-Type": "application/json"})


def error_reply(words: str, status: int) -> Reply:
    """Ollama's own way to refuse."""
    return json_reply({"error": words}, status)


def line(**fields: Any) -> bytes:
    """One line of a stream."""
    return json.dumps(fields).encode() + b"\n"


def text_line(text: str, thinking: str = "") -> bytes:
    """A line of a chat that carries a piece of text."""
    message = {"role": "assistant", "content": text} | ({"thinking": thinking} if thinking else {})
    return line(model="m", message=message, done=False)


def last_line(reason: str = "stop", read: int = 100, wrote: int = 12) -> bytes:
    """The last line of a chat."""
    message = {"role": "assistant", "content": ""}
    return line(model="m", message=message, done=True, done_reason=reason, prompt_eval_count=read, eval_count=wrote)


def chat_reply(*texts: str, reason: str = "stop", read: int = 100, wrote: int = 12, end: End = "clean") -> Reply:
    """A whole streamed chat."""
    return Reply((*map(text_line, texts), last_line(reason, read, wrote)), end=end)


class ScriptedOllama:
    """The server; ``host`` is its address in Ollama's form."""

    def __init__(self, models: Sequence[Model] = ()) -> None:
        self.models = list(models)
        self.asked: list[Asked] = []
        self.hung_up = threading.Event()
        """Set when a client closed the connection of a reply that was silent or still being sent."""
        self.stopping = threading.Event()
        self.lock = threading.Lock()
        self._played: dict[str, list[Reply]] = defaultdict(list)
        self._server: _Server | None = None
        self._port = 0
        self.start()

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self._port}"

    @property
    def url(self) -> str:
        return f"http://{self.host}"

    def play(self, path: str, *replies: Reply) -> None:
        """Give the next requests to ``path`` these replies, one each."""
        with self.lock:
            self._played[path].extend(replies)

    def asks(self, path: str) -> list[Asked]:
        """The requests to one path, in order."""
        with self.lock:
            return [asked for asked in self.asked if asked.path == path]

    def start(self) -> None:
        """Listen, on the port of last time where there was one."""
        self.stopping.clear()
        self._server = _Server(("127.0.0.1", self._port), _Handler)
        self._server.owner = self
        self._port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def stop(self) -> None:
        """Go away: connections that are open are dropped, later ones refused."""
        self.stopping.set()
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None

    def reply_to(self, asked: Asked) -> Reply:
        """The next played reply, else what Ollama would say."""
        with self.lock:
            self.asked.append(asked)
            played = self._played[asked.path]
            if played:
                return played.pop(0)
        return _ordinary(self, asked)

    def model(self, name: str) -> Model | None:
        """A model by its name, with or without ``:latest``."""
        return next((model for model in self.models if name in (model.name, model.name.removesuffix(":latest"))), None)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = True
    owner: ScriptedOllama


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_GET(self) -> None:
        self._serve(b"")

    def do_POST(self) -> None:
        self._serve(self.rfile.read(int(self.headers.get("Content-Length", 0))))

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Say nothing: the test asserts on what was asked."""

    def _serve(self, body: bytes) -> None:
        owner = self.server.owner
        fields = json.loads(body) if body else {}
        reply = owner.reply_to(Asked(self.command, self.path, fields, dict(self.headers)))
        self.close_connection = True
        try:
            self._send(reply)
        except OSError:
            owner.hung_up.set()

    def _send(self, reply: Reply) -> None:
        if reply.raw is not None:
            self.wfile.write(reply.raw)
            return
        if not self._silence(reply.late):
            return
        self.send_response(reply.status)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for piece in reply.pieces:
            if isinstance(piece, float | int):
                if not self._silence(piece):
                    return
            elif piece:
                self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
        self._finish(reply.end)

    def _finish(self, end: End) -> None:
        if end == "clean":
            self.wfile.write(b"0\r\n\r\n")
        elif end == "reset":
            # No lingering: the kernel answers with RST, as when a server's process is killed.
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()
        elif end == "silent":
            self._silence(60.0)

    def _silence(self, seconds: float) -> bool:
        """Wait; False where the client hung up or the server is stopped meanwhile."""
        owner = self.server.owner
        waited = 0.0
        self.connection.settimeout(0.02)
        while waited < seconds:
            if owner.stopping.is_set():
                return False
            try:
                if self.connection.recv(1, socket.MSG_PEEK) == b"":
                    owner.hung_up.set()
                    return False
            except TimeoutError:
                waited += 0.02
            except OSError:
                owner.hung_up.set()
                return False
        self.connection.settimeout(None)
        return True


def _ordinary(server: ScriptedOllama, asked: Asked) -> Reply:
    if asked.path == "/api/version":
        return json_reply({"version": "0.24.0"})
    if asked.path == "/api/tags":
        return json_reply({"models": [_row(model) for model in server.models]})
    if asked.path == "/api/ps":
        rows = [_row(model) | {"context_length": model.loaded} for model in server.models if model.loaded]
        return json_reply({"models": rows})
    model = server.model(str(asked.body.get("model", "")))
    if model is None:
        return error_reply(f"model '{asked.body.get('model')}' not found", 404)
    if asked.path == "/api/show":
        info = {} if model.context is None else {"llama.context_length": model.context}
        return json_reply({"capabilities": list(model.capabilities), "model_info": info})
    if asked.path == "/api/embed":
        return _embedded(model, asked.body)
    if asked.path == "/api/chat":
        if "completion" not in model.capabilities:
            return error_reply(f'"{model.name}" does not support chat', 400)
        model.loaded = asked.body["options"]["num_ctx"]
        return chat_reply(*model.says, wrote=len(model.says))
    return Reply((b"404 page not found",), 404, {"Content-Type": "text/plain"})


def _row(model: Model) -> dict[str, Any]:
    return {"name": model.name, "model": model.name, "size": model.size, "digest": model.digest}


def _embedded(model: Model, body: Mapping[str, Any]) -> Reply:
    """Vectors that tell a text's length and its first letters, so that their order can be checked."""
    texts = body["input"]
    if any(len(text) > model.longest for text in texts):
        return error_reply("the input length exceeds the context length", 400)
    rows = [[float(len(text)), *(float(ord(char)) for char in text.ljust(9)[: model.dimensions - 1])] for text in texts]
    return json_reply({"model": model.name, "embeddings": rows})


def broken(reply: Reply, end: End) -> Reply:
    """The same reply with another end."""
    return replace(reply, end=end)


def closed_port() -> int:
    """A port of this machine on which nothing listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@pytest.fixture
def scripted() -> Iterator[ScriptedOllama]:
    """A scripted server that has one chat model, ``cites``, and one that embeds, ``words``."""
    digest = "1b226e2802dbb772b5fc32a58f103ca1804ef7501331012de126ab22f67475ef"
    words = Model("words:latest", capabilities=("embedding",), context=512, digest=digest)
    server = ScriptedOllama([Model("cites:latest"), words])
    yield server
    server.stop()
