"""Downloading when told: what comes, what is refused, and that it never hangs."""

import socket
import time
from collections.abc import Iterator

import pytest

from lens_tui.errors import TokenizerError
from lens_tui.text.fetching import fetched
from lens_tui.text.vocabularies import LARGEST
from tests.text.serving import served

pytestmark = pytest.mark.network


@pytest.fixture
def server() -> Iterator[str]:
    with served() as address:
        yield address


@pytest.fixture
def silent() -> Iterator[str]:
    """An address that takes connections and never says anything, as a silent proxy does."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"


def test_what_lies_at_the_address_comes(server: str) -> None:
    assert fetched(f"{server}/words") == b"words"


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/missing", "the server says 404"),
        ("/short", "it broke off"),
        ("/endless", "larger than any vocabulary"),
    ],
)
def test_what_goes_wrong_is_a_sentence_with_a_next_step(server: str, path: str, said: str) -> None:
    with pytest.raises(TokenizerError, match=said) as caught:
        fetched(server + path)
    assert caught.value.hint


def test_an_answer_that_never_comes_is_not_awaited(silent: str) -> None:
    began = time.monotonic()
    with pytest.raises(TokenizerError, match="nothing came in time"):
        fetched(silent, silence_seconds=0.2)
    with pytest.raises(TokenizerError, match="longer than"):
        fetched(silent, silence_seconds=60, whole_seconds=0.3)
    assert time.monotonic() - began < 30


def test_a_server_that_is_not_there_is_told() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with pytest.raises(TokenizerError, match="Connection refused"):
        fetched(f"http://127.0.0.1:{port}/x")


@pytest.mark.parametrize("address", ["file:///etc/passwd", "ftp://x", "x"])
def test_only_web_addresses_are_fetched(address: str) -> None:
    with pytest.raises(TokenizerError, match="is no web address"):
        fetched(address)


def test_the_largest_vocabulary_fits() -> None:
    assert LARGEST > 3_700_000
