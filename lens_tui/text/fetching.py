"""Fetches a vocabulary over the network, when a person says so: the one thing that lens-tui itself ever downloads."""

import threading
import urllib.error
import urllib.request
from collections.abc import Callable
from http.client import HTTPException

from lens_tui.errors import LensError, TokenizerError
from lens_tui.text.vocabularies import LARGEST

SILENCE_SECONDS = 15.0
"""Longest wait for an answer, or for its next bytes."""

WHOLE_SECONDS = 120.0
"""Longest download: 1.7 MB at 14 kB/s. It bounds what no time-out of a socket does, such as looking up a name."""

PIECE = 65_536


def fetched(
    address: str,
    *,
    show: Callable[[int], None] = lambda done: None,
    silence_seconds: float = SILENCE_SECONDS,
    whole_seconds: float = WHOLE_SECONDS,
) -> bytes:
    """Download what lies at an address, in a thread that is left behind where it does not end in time.

    Args:
        address: ``https://…`` or ``http://…``.
        show: Told how many bytes are there, now and then.
        silence_seconds: See SILENCE_SECONDS.
        whole_seconds: See WHOLE_SECONDS.

    Raises:
        TokenizerError: It cannot be had, or not in time, or is larger than any vocabulary.
    """
    if not address.startswith(("https://", "http://")):
        raise TokenizerError(f"{address} is no web address.", hint="Write it with https:// before it.")
    got: list[bytes] = []
    failed: list[LensError] = []
    over = threading.Event()

    def work() -> None:
        try:
            with urllib.request.urlopen(address, timeout=silence_seconds) as response:
                while not over.is_set() and (data := response.read(PIECE)):
                    got.append(data)
                    if sum(map(len, got)) > LARGEST:
                        raise TokenizerError(
                            f"What lies at {address} is larger than any vocabulary.", hint="Check the address."
                        )
                if response.length and not over.is_set():
                    raise _unfetched(address, "it broke off")
        except LensError as error:
            failed.append(error)
        except (OSError, HTTPException, ValueError) as error:
            failed.append(_unfetched(address, _reason(error)))
        finally:
            over.set()

    threading.Thread(target=work, name="fetch", daemon=True).start()
    waited = 0.0
    while not over.wait(0.1):
        waited += 0.1
        show(sum(map(len, got)))
        if waited >= whole_seconds:
            over.set()
            raise _unfetched(address, f"it took longer than {whole_seconds:g} s")
    if failed:
        raise failed[0]
    return b"".join(got)


def _unfetched(address: str, reason: str) -> TokenizerError:
    return TokenizerError(
        f"{address} cannot be fetched: {reason}.",
        hint="Without it sizes are estimated. From another machine: lens-tui tokenizer import FILE",
    )


def _reason(error: Exception) -> str:
    if isinstance(error, urllib.error.HTTPError):
        return f"the server says {error.code}"
    inner = getattr(error, "reason", None) or error
    if isinstance(inner, TimeoutError):
        return "nothing came in time"
    return getattr(inner, "strerror", None) or str(inner) or type(inner).__name__
