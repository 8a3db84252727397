"""Everything that a model's server can do wrong, as one of ``errors.py``'s sentences with its next step.

Three doors: ``from_status`` for an answer that is not 200, ``from_line`` for an error inside a 200 stream and
``from_transport`` for what the connection itself did. What a server wrote is quoted printable and shortened, and the
shortening shows.
"""

import json
import re

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
from lens_tui.ollama.address import is_local
from lens_tui.text.display import one_line

QUOTED = 200
"""Characters of a server's own words that a message carries; what is left out shows as ``…``."""

PASSING = frozenset({408, 425, 429, 500, 502, 503, 504})
"""Statuses after which the same request can succeed: busy, or its runner died and is started again (500)."""

_MEMORY = re.compile(r"more system memory|out of memory|unable to allocate|not enough memory|insufficient memory", re.I)
_MISSING = re.compile(r"model .*not found|try pulling it first|no such model", re.I | re.S)
_TOO_LONG = re.compile(
    r"exceeds? .{0,40}(context|maximum)|context (length|window) exceeded|prompt too long", re.I | re.S
)
_UNFIT = re.compile(r"does not support|not supported by this model|this model does not", re.I)
_PULL = re.compile(r"pull model manifest|max retries exceeded|registry|digest mismatch|download stalled", re.I)
_REQUEST = re.compile(r'pull model manifest: |max retries exceeded: |(?:Get|Head) "[^"]*": ')
_ABSENT = re.compile(r"file does not exist|not found|manifest unknown", re.I)
_OFFLINE = re.compile(r"dial tcp|no such host|lookup |timeout|refused|unreachable|TLS|EOF|reset|proxyconnect", re.I)
_FULL = re.compile(r"no space left|disk quota", re.I)
_ENDED = re.compile(r"unexpected EOF|connection reset|broken pipe|runner .*(terminated|exited|stopped)|forcibly", re.I)


def quoted(words: str) -> str:
    """A server's words on one line, printable, at most ``QUOTED`` characters; what is left out shows as ``…``."""
    line = one_line(" ".join(words.split()))
    return line if len(line) <= QUOTED else line[: QUOTED - 1] + "…"


def words_of(body: bytes) -> str | None:
    """The ``error`` that a JSON body carries, None where the body is not Ollama's JSON."""
    try:
        fields = json.loads(body)
    except ValueError:
        return None
    error = fields.get("error") if isinstance(fields, dict) else None
    if isinstance(error, dict):
        error = error.get("message")
    return error if isinstance(error, str) else None


def unreachable(address: str) -> ModelUnreachable:
    """Nothing answers at the address."""
    return ModelUnreachable(f"Nothing answers at {address}.", hint=_start(address))


def missing(name: str) -> ModelMissing:
    """The server does not have the model."""
    return ModelMissing(f"Ollama does not have {quoted(name)}.", hint=f"Fetch it with: ollama pull {quoted(name)}")


def garbled(address: str, what: str) -> ModelGarbled:
    """The server sent something that is not Ollama's protocol; ``what`` describes it."""
    return ModelGarbled(
        f"{address} answered with {what}, which is not what Ollama sends.",
        hint="Check that the address is Ollama's own and not a proxy's or another program's.",
    )


def cut_short(seconds: float | None = None) -> AnswerCutShort:
    """The stream stopped before its last line."""
    after = f" after {seconds:.0f} s" if seconds is not None else ""
    return AnswerCutShort(
        f"Ollama closed the connection{after}.", hint="Ask again; if nothing answers then, start it with: ollama serve"
    )


def slow(address: str, seconds: float, *, model: str = "") -> ModelSlow:
    """Silence for longer than allowed.

    Ollama 0.24 can lose a model whose answer was stopped between two quick words: it then waits until it is unloaded.
    """
    return ModelSlow(
        f"{address} has been silent for {seconds:.0f} s.",
        hint="Ask again, choose a smaller model, or ask with fewer excerpts (-k 4)."
        + (f" If it stays silent: ollama stop {quoted(model)}" if model else ""),
    )


def from_pull(words: str, *, model: str) -> ModelError:
    """The fault that ends a pull, in Ollama's own words; what it has fetched it keeps."""
    said = quoted(_REQUEST.sub("", words)).rstrip(".")
    if _ABSENT.search(words):
        return ModelMissing(
            f"Ollama's library has no {quoted(model)}.", hint="See the names at https://ollama.com/library."
        )
    if _FULL.search(words):
        return ModelError(
            f"There is no space for {quoted(model)}: {said}.", hint="Free some, then pull again: it goes on from there."
        )
    if _OFFLINE.search(words):
        return ModelUnreachable(
            f"Ollama cannot reach its library: {said}.",
            hint="Mend the network of the machine that it runs on, then pull again: it goes on from there.",
        )
    return ModelError(f"{quoted(model)} could not be fetched: {said}.", hint="Pull again: it goes on from there.")


def from_words(words: str, *, model: str, address: str, status: int | None = None) -> ModelError:
    """The fault that Ollama's own ``error`` text tells of; ``status`` None means that it came inside a stream."""
    said = quoted(words)
    if _MEMORY.search(words):
        return ModelOutOfMemory(
            f"There is not enough memory for {model or 'the model'}: {said}.".replace("..", "."),
            hint="Choose a smaller model, or close programs that use memory.",
        )
    if _TOO_LONG.search(words):
        return PromptTooLong(
            f"The text is longer than {model or 'the model'} can read: {said}.",
            hint="Ask a shorter question, ask with fewer excerpts (-k 4), or choose a model with a longer context.",
        )
    if status in (None, 500) and (_PULL.search(words) or _FULL.search(words)):
        return from_pull(words, model=model)
    if _MISSING.search(words) and status in (None, 404):
        return missing(model)
    if _UNFIT.search(words):
        return ModelUnfit(f"{model} cannot do this: {said}.", hint="Choose another model; see them with: ollama list")
    if status is None or _ENDED.search(words):
        return AnswerCutShort(f"Ollama broke off: {said}.", hint="Ask again; what went wrong stands in Ollama's log.")
    kind = ModelUnfit if 400 <= status < 500 and status not in PASSING else ModelError
    return kind(f"Ollama refused ({status}): {said}.", hint="See Ollama's log, or update it; then ask again.")


def from_status(status: int, body: bytes, *, model: str, address: str, location: str = "") -> ModelError:
    """The fault that an answer other than 200 tells of."""
    if 300 <= status < 400:
        return garbled(address, f"a redirect to {quoted(location) or 'nowhere'}")
    words = words_of(body)
    if words is not None:
        return from_words(words, model=model, address=address, status=status)
    if status in (401, 403, 407):
        return ModelUnreachable(
            f"{address} refuses access ({status}).", hint="Give your key in OLLAMA_API_KEY, or check the address."
        )
    if status in PASSING and status != 500:
        return ModelError(f"{address} cannot serve now ({status}): {described(body)}.", hint=_start(address))
    return garbled(address, f"{described(body)} ({status})")


def from_line(line: bytes, *, model: str, address: str) -> ModelError:
    """The fault of a line in a 200 stream: its ``error``, or that it is no JSON object at all."""
    words = words_of(line)
    if words is not None:
        return from_words(words, model=model, address=address)
    return garbled(address, described(line))


def from_transport(error: BaseException, *, address: str, waited: float, begun: bool) -> ModelError:
    """The fault that an httpx error tells of.

    Args:
        error: What httpx raised.
        address: The server's.
        waited: Seconds since the request was sent, or since the last byte.
        begun: Whether the response had begun: what breaks later was cut short.
    """
    import httpx

    if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout | httpx.ProxyError | httpx.PoolTimeout):
        if "certificate" in str(error).lower() or "ssl" in str(error).lower():
            return ModelUnreachable(
                f"No safe connection to {address}: {quoted(str(error))}.",
                hint="Check the certificate, or write http:// where the server has none.",
            )
        return unreachable(address)
    if isinstance(error, httpx.ReadTimeout | httpx.WriteTimeout):
        return slow(address, waited)
    if isinstance(error, httpx.DecodingError):
        return garbled(address, "bytes that cannot be unpacked")
    if isinstance(error, httpx.RemoteProtocolError) and not begun and "disconnected" not in str(error):
        return garbled(address, "no HTTP")
    if isinstance(error, httpx.TransportError):
        return cut_short(waited) if begun else _hung_up(address)
    return ModelGarbled(f"The request to {address} failed: {quoted(str(error))}.", hint=_start(address))


def passes(fault: ModelError) -> bool:
    """Whether the same request can succeed a moment later.

    A dropped connection, a runner that died and a busy server (a plain ``ModelError``) pass. A server that is not
    there, a model that is missing or does not fit stay so, and silence has been waited for already.
    """
    return isinstance(fault, AnswerCutShort) or type(fault) is ModelError


def described(body: bytes) -> str:
    """What a body that is not Ollama's JSON looks like, in a few words."""
    text = body[:4096].decode("utf-8", "replace").strip()
    if not text:
        return "nothing"
    if re.match(r"(<!doctype|<html|<\?xml)", text, re.I):
        title = re.search(r"<title[^>]*>(.*?)</title>", text, re.I | re.S)
        return f"a web page ({quoted(title[1])})" if title and title[1].strip() else "a web page"
    return f"“{quoted(text)[:80]}”" if len(quoted(text)) <= 80 else f"“{quoted(text)[:79]}…”"


def _hung_up(address: str) -> ModelError:
    return AnswerCutShort(f"{address} closed the connection without an answer.", hint=_start(address))


def _start(address: str) -> str:
    if is_local(address):
        return "Start it with: ollama serve"
    return "Check that the address is right and that Ollama runs there (ollama serve)."
