"""Every form of address that Ollama takes, and those that can be none."""

import pytest

from lens_tui.errors import SettingsError
from lens_tui.ollama.client import OllamaServer, address_of, is_local


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("", "http://127.0.0.1:11434"),
        ("  ", "http://127.0.0.1:11434"),
        ("localhost", "http://localhost:11434"),
        ("1.2.3.4", "http://1.2.3.4:11434"),
        ("1.2.3.4:5678", "http://1.2.3.4:5678"),
        (":5678", "http://127.0.0.1:5678"),
        ("http://1.2.3.4", "http://1.2.3.4:80"),
        ("https://1.2.3.4", "https://1.2.3.4:443"),
        ("HTTPS://example.com:8443/", "https://example.com:8443"),
        ("example.com/ollama/", "http://example.com:11434/ollama"),
        ("https://example.com/a/b", "https://example.com:443/a/b"),
        ("0.0.0.0", "http://127.0.0.1:11434"),
        ("http://0.0.0.0:8080", "http://127.0.0.1:8080"),
        ("::1", "http://[::1]:11434"),
        ("[::1]:5678", "http://[::1]:5678"),
        ("[::]", "http://[::1]:11434"),
        ("[::0]:5678", "http://[::1]:5678"),
        ("https://[fe80::1]", "https://[fe80::1]:443"),
        ('"1.2.3.4:5678"', "http://1.2.3.4:5678"),
        ("my_box.local", "http://my_box.local:11434"),
        ("bücher.example", "http://xn--bcher-kva.example:11434"),
    ],
)
def test_every_form_that_ollama_takes_becomes_a_url(host: str, address: str) -> None:
    assert address_of(host) == address
    assert address_of(address) == address


@pytest.mark.parametrize(
    "host",
    [
        "ftp://example.com",
        "example.com:port",
        "example.com:0",
        "example.com:65536",
        "example.com:99999999999999999999",
        "example.com:-1",
        "two words",
        "a\nb",
        "user:secret@example.com",
        "http://user@example.com:11434",
        "[::1",
        "[::1]x",
        "1.2.3.4.5:80:90",
        "1.2.3.400",
        "-bad-.example",
        "a..b",
        "exa mple.com",
        "example.com?x=1",
        "x" * 300,
        "\x1b[31mred",
    ],
)
def test_an_impossible_address_gets_one_printable_sentence_and_a_next_step(host: str) -> None:
    with pytest.raises(SettingsError) as caught:
        address_of(host)
    assert caught.value.message.isprintable()
    assert len(caught.value.message) < 250
    assert caught.value.hint
    assert caught.value.exit_code == 2


def test_the_environment_is_asked_where_no_address_is_given() -> None:
    assert OllamaServer(environment={"OLLAMA_HOST": ":5678"}).address == "http://127.0.0.1:5678"
    assert OllamaServer("1.2.3.4", environment={"OLLAMA_HOST": ":5678"}).address == "http://1.2.3.4:11434"
    with pytest.raises(SettingsError):
        OllamaServer(environment={"OLLAMA_HOST": "a b"})


@pytest.mark.parametrize(
    "host", ["", "127.0.0.5", "localhost", "[::1]", "0.0.0.0", "LOCALHOST:80", "[::ffff:127.0.0.1]"]
)
def test_an_address_of_this_machine_is_local(host: str) -> None:
    assert is_local(address_of(host))


@pytest.mark.parametrize("host", ["1.2.3.4", "example.com", "https://localhost.example.com", "[2001:db8::1]"])
def test_any_other_address_is_not(host: str) -> None:
    assert not is_local(address_of(host))
