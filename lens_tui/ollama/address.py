"""Where the model's server is: every form of address that Ollama itself takes, made one URL."""

import ipaddress
import re

from lens_tui.errors import SettingsError
from lens_tui.text.display import one_line

DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 11434
"""What ``ollama serve`` listens on unless it is told otherwise."""

PORTS = {"http": 80, "https": 443}
"""The port of a URL that names none; an address without a scheme has Ollama's own."""

ANYWHERE = {"0.0.0.0": DEFAULT_HOST, "::": "::1"}
"""What a server binds to serve every network, and where a client on the same machine finds it."""

_LABEL = re.compile(r"(?!-)[A-Za-z0-9_-]{1,63}(?<!-)")
_HINT = "Write host, host:port, :port or a URL, such as 127.0.0.1:11434."


def address_of(host: str) -> str:
    """Turn a host, host:port, :port or URL into a URL without a slash at its end; empty means this machine.

    The rules are those of Ollama's ``envconfig.Host``, save that a port that is none is refused and not replaced.

    Raises:
        SettingsError: It cannot be an address.
    """
    given = host.strip().strip("\"'").strip()
    scheme, found, rest = given.partition("://")
    if not found:
        scheme, rest = "http", given
    scheme = scheme.lower()
    if scheme not in PORTS:
        raise _impossible(host, f"{_shown(scheme)}:// is neither http:// nor https://")
    if re.search(r"[\s\x00-\x1f\x7f?#]", rest):
        raise _impossible(host, "it holds a space, a control character, ? or #")
    hostport, _, path = rest.partition("/")
    if "@" in hostport:
        raise _impossible(host, "it holds a user name or password, which would be shown on the screen")
    name, port = _split(host, hostport)
    number = _port(host, port, PORTS[scheme] if found else DEFAULT_PORT)
    path = path.strip("/")
    return f"{scheme}://{_name(host, name)}:{number}" + (f"/{path}" if path else "")


def is_local(address: str) -> bool:
    """Whether a URL made by ``address_of`` leads to this machine, so that nothing leaves it."""
    name = address.partition("://")[2].partition("/")[0].rpartition(":")[0].strip("[]").partition("%")[0]
    try:
        found = ipaddress.ip_address(name)
    except ValueError:
        return name.lower().rstrip(".") == "localhost" or name.lower().endswith(".localhost")
    mapped = getattr(found, "ipv4_mapped", None)
    return found.is_loopback or bool(mapped and mapped.is_loopback)


def _split(host: str, hostport: str) -> tuple[str, str]:
    """Name and port, either empty where it is not given."""
    if hostport.startswith("["):
        name, closed, after = hostport[1:].partition("]")
        if not closed or (after and not after.startswith(":")):
            raise _impossible(host, "its brackets do not close around an IPv6 address")
        return name, after[1:]
    if hostport.count(":") > 1:
        return hostport, ""
    name, _, port = hostport.partition(":")
    return name, port


def _port(host: str, port: str, default: int) -> int:
    if not port:
        return default
    if not port.isascii() or not port.isdigit() or not 0 < int(port[:6]) < 65536:
        raise _impossible(host, f"{_shown(port)} is no port from 1 to 65535")
    return int(port)


def _name(host: str, name: str) -> str:
    if not name:
        return DEFAULT_HOST
    name = ANYWHERE.get(name, name)
    bare, _, zone = name.partition("%")
    try:
        found = ipaddress.ip_address(bare)
    except ValueError:
        if ":" in name:
            raise _impossible(host, f"{_shown(name)} is no IPv6 address") from None
        return _host_name(host, name)
    if found.version == 4:
        return name
    return f"[{ANYWHERE.get(str(found), str(found))}{'%' + zone if zone else ''}]"


def _host_name(host: str, name: str) -> str:
    try:
        ascii_name = name if name.isascii() else name.encode("idna").decode("ascii")
    except UnicodeError:
        raise _impossible(host, f"{_shown(name)} is no host name") from None
    labels = ascii_name.rstrip(".").split(".")
    numeric = all(label.isdigit() for label in labels)
    if len(ascii_name) > 253 or numeric or not all(_LABEL.fullmatch(label) for label in labels):
        raise _impossible(host, f"{_shown(name)} is no host name")
    return ascii_name


def _impossible(host: str, why: str) -> SettingsError:
    return SettingsError(f"The Ollama address {_shown(host)!r} cannot be one: {why}.", hint=_HINT)


def _shown(text: str) -> str:
    return one_line(text if len(text) <= 80 else text[:79] + "…")
