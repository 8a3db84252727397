"""An Ollama server: what it has, and its answers as they come. Explicit time-outs, and no other address, ever."""

import json
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from lens_tui.errors import ModelError, ModelMissing, ModelUnfit, ModelUnreachable, Stopped
from lens_tui.ollama import faults
from lens_tui.ollama.address import address_of, is_local
from lens_tui.ollama.exchange import Exchange, Head, HungUp
from lens_tui.ollama.patience import PATIENCE, TRIES, Patience, Tries
from lens_tui.protocols import Cancel
from lens_tui.types import ModelInfo

if TYPE_CHECKING:
    import httpx
    import ollama

    from lens_tui.protocols import Vectors

T = TypeVar("T")

TICK_SECONDS = 0.25
"""How often a wait looks up, to say what is being waited for."""

LONGEST_LINE = 8_000_000
"""Bytes of one line of a stream. Ollama's are under a kilobyte; a server that sends none would fill the memory."""


class OllamaServer:
    """The server at one address. Thread-safe; makes no connection before it is asked something, and keeps none."""

    def __init__(
        self,
        host: str = "",
        *,
        environment: Mapping[str, str] = os.environ,
        patience: Patience = PATIENCE,
        tries: Tries = TRIES,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Take the address: ``host``, else the environment's OLLAMA_HOST, else Ollama's own default.

        Raises:
            SettingsError: It cannot be an address.
        """
        self.address = address_of(host.strip() or environment.get("OLLAMA_HOST", ""))
        self._key = environment.get("OLLAMA_API_KEY", "").strip()
        self.patience = patience
        self.tries = tries
        self.clock = clock
        self._lock = threading.Lock()
        self._ollama: ollama.Client | None = None
        self._http: httpx.Client | None = None
        self._known: dict[str, tuple[tuple[str, ...], int | None]] = {}
        """Digest → capabilities and context: they cannot change under it."""

    @property
    def local(self) -> bool:
        """Whether the server is on this machine, so that nothing leaves it."""
        return is_local(self.address)

    def absent(self) -> bool:
        """Whether nothing listens at an address of this machine: known in a millisecond, before HTTP is loaded.

        False of any other address, which only a request can tell.
        """
        if not self.local:
            return False
        host, _, port = self.address.partition("://")[2].partition("/")[0].rpartition(":")
        try:
            socket.create_connection((host.strip("[]"), int(port)), timeout=self.patience.connect).close()
        except OSError:
            return True
        return False

    def version(self) -> str:
        """The server's version, such as ``0.24.0``. Raises ModelError."""
        got = self._ask(lambda: self._clients()[1].get("/api/version").json())
        version = got.get("version") if isinstance(got, dict) else None
        if not isinstance(version, str):
            raise faults.garbled(self.address, faults.described(json.dumps(got).encode()))
        return faults.quoted(version)

    def models(self) -> tuple[ModelInfo, ...]:
        """Every model that the server has, in its own order (newest first). Raises ModelError."""
        loaded = self._loaded()
        return tuple(self._info(row, loaded) for row in self._rows())

    def find(self, name: str) -> ModelInfo:
        """One model; ``:latest`` may be left out of its name.

        Raises:
            ModelMissing: The server does not have it.
            ModelError: Anything else.
        """
        return self._info(self._row(name), self._loaded())

    def digest(self, name: str) -> str:
        """SHA-256 of the model's manifest, in hex: another one is another model. Raises as ``find``."""
        return str(self._row(name).digest or "")

    def loaded(self, name: str, *, again: bool = True) -> int | None:
        """The context that a model is loaded with, None where it is not. Without ``again`` it is asked once only.

        Raises:
            ModelError: The server did not tell.
        """
        return self._loaded(again).get(full_name(name))

    def embed(self, model: str, texts: Sequence[str], cancel: Cancel | None = None) -> "Vectors":
        """Vectors of the texts, in order, rows of length 1; shape (texts, dimensions). Nothing is ever cut.

        Raises:
            PromptTooLong: One of the texts is longer than the model's context.
            ModelGarbled: Not one vector a text, or values that are no numbers.
            Stopped: It was cancelled.
            ModelError: Anything else.
        """
        from lens_tui.ollama.vectors import vectors_from

        done = 0
        while True:
            try:
                body = self._whole("/api/embed", {"model": model, "input": list(texts), "truncate": False}, cancel)
                return vectors_from(body, len(texts), model=model, address=self.address)
            except ModelError as fault:
                done += 1
                if not self.tries.again(fault, done, cancel):
                    if cancel is not None and cancel.cancelled:
                        raise _stopped() from fault
                    raise

    def stream(
        self,
        path: str,
        fields: Mapping[str, Any],
        *,
        cancel: Cancel,
        is_last: Callable[[dict[str, Any]], bool],
        first_seconds: float | None = None,
        between_seconds: float | None = None,
    ) -> Iterator[dict[str, Any] | None]:
        """Send one request on a model and yield None, then its lines; before the first None every ``TICK_SECONDS``.

        Sent once; ends quietly when cancelled, and closing the generator makes the server stop too.

        Raises:
            ModelError: As faults.py tells; AnswerCutShort where no line came that ``is_last``.
        """
        model = str(fields["model"])
        exchange = self._send(path, fields)
        silence = (first_seconds or self.patience.first, between_seconds or self.patience.between)
        withdraw = cancel.on_cancel(exchange.hang_up)
        rest, done = b"", False
        began = self.clock()
        try:
            yield None
            for piece in self._bytes(exchange, model, silence):
                if piece is None:
                    yield None
                    continue
                *lines, rest = (rest + piece).split(b"\n")
                if len(rest) > LONGEST_LINE:
                    raise faults.garbled(self.address, "a line without an end")
                for line in filter(bytes.strip, lines):
                    said = self._line(line, model)
                    done = done or is_last(said)
                    yield said
            if rest.strip():
                said = self._line(rest, model)
                done = done or is_last(said)
                yield said
            if not done:
                raise faults.cut_short(self.clock() - began)
        except HungUp:
            return
        finally:
            withdraw()
            exchange.hang_up()

    def close(self) -> None:
        """Let go of both clients; a later call makes new ones."""
        with self._lock:
            held, self._ollama, self._http = (self._ollama, self._http), None, None
        for client in held:
            if client is not None:
                client.close()

    def _line(self, line: bytes, model: str) -> dict[str, Any]:
        try:
            fields = json.loads(line)
        except ValueError:
            fields = None
        if not isinstance(fields, dict) or "error" in fields:
            raise faults.from_line(line, model=model, address=self.address)
        return fields

    def _whole(self, path: str, fields: Mapping[str, Any], cancel: Cancel | None) -> bytes:
        exchange = self._send(path, fields)
        withdraw = cancel.on_cancel(exchange.hang_up) if cancel else lambda: None
        try:
            silence = (self.patience.first, self.patience.between)
            pieces = self._bytes(exchange, str(fields["model"]), silence)
            return b"".join(piece for piece in pieces if piece)
        except HungUp:
            raise _stopped() from None
        finally:
            withdraw()
            exchange.hang_up()

    def _send(self, path: str, fields: Mapping[str, Any]) -> Exchange:
        import httpx

        longest = max(self.patience.first, self.patience.between)
        # The waits are counted where they can be told; this one only ends a thread that nobody listens to any more.
        timeout = httpx.Timeout(longest * 10, connect=self.patience.connect)
        # ASCII only, so that a lone surrogate in a question travels as an escape and not as an error.
        return Exchange(self._clients()[1], path, json.dumps(fields).encode("ascii"), timeout)

    def _bytes(self, exchange: Exchange, model: str, silence: tuple[float, float]) -> Iterator[bytes | None]:
        """The body's bytes of a 200 answer; None at each tick before the first. Raises ModelError and HungUp.

        ``silence`` is how many seconds of it are allowed before the first byte, and after it.
        """
        head: Head | None = None
        error_body = b""
        begun = False
        began = last = self.clock()
        while True:
            allowed = silence[begun]
            try:
                news = exchange.next(min(TICK_SECONDS, allowed))
            except TimeoutError:
                if self.clock() - last >= allowed:
                    raise faults.slow(self.address, self.clock() - last, model=model) from None
                if not begun:
                    yield None
                continue
            except HungUp:
                raise
            except Exception as error:
                raise self._fault(error, waited=self.clock() - began, begun=head is not None) from error
            if isinstance(news, Head):
                head = news
            elif news is None or head is None:
                break
            elif head.status != 200:
                error_body += news
            else:
                begun, last = True, self.clock()
                yield news
        if head is not None and head.status != 200:
            raise faults.from_status(head.status, error_body, model=model, address=self.address, location=head.location)

    def _rows(self) -> Sequence[Any]:
        return [row for row in self._ask(lambda: self._clients()[0].list()).models if row.model]

    def _row(self, name: str) -> Any:
        for row in self._rows():
            if full_name(row.model) == full_name(name):
                return row
        raise faults.missing(name)

    def _loaded(self, again: bool = True) -> dict[str, int]:
        rows = self._ask(lambda: self._clients()[0].ps(), again).models
        return {full_name(row.model): row.context_length or 0 for row in rows if row.model}

    def _info(self, row: Any, loaded: Mapping[str, int]) -> ModelInfo:
        name = full_name(row.model)
        capabilities, context = self._abilities(str(row.digest or row.model), row.model)
        return ModelInfo(
            name=row.model,
            size=int(row.size or 0),
            capabilities=capabilities,
            context=context,
            loaded=name in loaded,
            loaded_context=loaded.get(name) or None,
        )

    def _abilities(self, digest: str, name: str) -> tuple[tuple[str, ...], int | None]:
        """Capabilities and context; nothing for a model that the server lists and cannot show (it is damaged)."""
        if digest not in self._known:
            try:
                self._known[digest] = abilities_from(self._ask(lambda: self._shown(name)))
            except (ModelMissing, ModelUnfit):
                return (), None
        return self._known[digest]

    def _shown(self, name: str) -> dict[str, Any]:
        """The answer of ``/api/show``. The client's own type for it refuses a model without ``model_info``."""
        shown = self._clients()[1].post("/api/show", content=json.dumps({"model": name})).json()
        if not isinstance(shown, dict):
            raise ValueError("no object")
        return shown

    def _ask(self, call: Callable[[], T], again: bool = True) -> T:
        """Make a call that needs no model, and turn whatever goes wrong into a ModelError."""
        done = 0
        while True:
            began = self.clock()
            try:
                return call()
            except ModelError as error:
                fault = error
            except Exception as error:  # noqa: BLE001  (the client raises errors of four libraries)
                fault = self._fault(error, waited=self.clock() - began, begun=False)
                fault.__cause__ = error
            done += 1
            if not again or not self.tries.again(fault, done, None):
                raise fault

    def _fault(self, error: Exception, *, waited: float, begun: bool) -> ModelError:
        if isinstance(error, ModelError):
            return error
        if isinstance(error, ConnectionError):
            return faults.unreachable(self.address)
        if isinstance(error, ValueError | AttributeError | TypeError):
            return faults.garbled(self.address, "something other than its JSON")
        return faults.from_transport(error, address=self.address, waited=waited, begun=begun)

    def _clients(self) -> "tuple[ollama.Client, httpx.Client]":
        with self._lock:
            if self._ollama is None or self._http is None:
                self._ollama, self._http = self._open()
            return self._ollama, self._http

    def _open(self) -> "tuple[ollama.Client, httpx.Client]":
        import ssl

        import httpx
        import ollama

        headers = {"content-type": "application/json"}
        if self._key:
            headers["authorization"] = f"Bearer {self._key}"
        arguments: dict[str, Any] = {
            "headers": headers,
            "timeout": httpx.Timeout(self.patience.reply, connect=self.patience.connect),
            "follow_redirects": False,
            "trust_env": not self.local,  # a proxy leads away from this machine
            "limits": httpx.Limits(max_keepalive_connections=0),  # each request's socket is its own to shut down
            "event_hooks": {"response": [self._check]},
            # Over http: there is no TLS, and loading every certificate takes longer than all the rest.
            "verify": self.address.startswith("https:") or ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT),
        }
        try:
            return ollama.Client(self.address, **arguments), httpx.Client(base_url=self.address, **arguments)
        except (ImportError, ValueError, httpx.InvalidURL) as error:
            raise ModelUnreachable(
                f"No connection to {self.address} can be made: {faults.quoted(str(error))}.",
                hint="Check the address and the proxy that is set in the environment (HTTP_PROXY, ALL_PROXY).",
            ) from error

    def _check(self, response: "httpx.Response") -> None:
        """Raise the fault of an answer that is not 200, before the client makes a sentence of its own of it."""
        if response.status_code == 200 or response.request.extensions.get("trace"):  # an Exchange's: read by its caller
            return
        response.read()
        asked = response.request.content
        model = str(json.loads(asked).get("model", "")) if asked else ""
        raise faults.from_status(
            response.status_code,
            response.content,
            model=model,
            address=self.address,
            location=response.headers.get("location", ""),
        )


def abilities_from(shown: Mapping[str, Any]) -> tuple[tuple[str, ...], int | None]:
    """Capabilities and context in an answer of ``/api/show``.

    Ollama before 0.6.4 tells no capabilities: there a model embeds where its file says how tokens are pooled.
    """
    info = shown.get("model_info") or {}
    contexts = [value for key, value in info.items() if key.endswith(".context_length") and isinstance(value, int)]
    told = shown.get("capabilities")
    if told is None:
        told = ["embedding" if any(key.endswith(".pooling_type") for key in info) else "completion"]
    return tuple(map(str, told)), contexts[0] if contexts else None


def _stopped() -> Stopped:
    return Stopped("The embedding was stopped.", hint="It goes on where it was when it is started again.")


def full_name(name: str) -> str:
    """A model's name with its tag, in lower case: ``:latest`` where it names none."""
    folded = name.strip().lower()
    return folded if ":" in folded.rpartition("/")[2] else f"{folded}:latest"
