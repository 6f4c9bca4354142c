"""Addresses that people send each other: of a match, and of a server."""

from __future__ import annotations

import re
from ipaddress import IPv4Address, IPv6Address, ip_address
from urllib.parse import SplitResult, urlsplit

from msgspec import Struct

from ninefold.errors import InvalidLink
from ninefold.text import excerpt

USUAL_PORT = 9009
"""The default port of a server."""
PORT_FILE = "host.port"
"""The file, beside the games, with the port on which this machine hosted last."""
_MATCH = re.compile(r"(?P<before>.*)/m/(?P<id>[A-Za-z0-9_-]{22})/?")
_LONGEST = 2_000
_USUAL_PORTS = {"http": 80, "https": 443}


class MatchLink(Struct, frozen=True):
    """The address of a match: its server, and its id there."""

    server: str
    id: str

    def __str__(self) -> str:
        """Return the link to send to people."""
        return f"{self.server}/m/{self.id}"


def read_link(text: str) -> MatchLink:
    """Parse the link of a match; the scheme is optional.

    >>> read_link("https://play.example.org/m/AAAAAAAAAAAAAAAAAAAAAA").server
    'https://play.example.org'
    >>> read_link("192.168.1.7:9009/m/AAAAAAAAAAAAAAAAAAAAAA").server
    'http://192.168.1.7:9009'
    >>> read_link("duel")
    Traceback (most recent call last):
    ninefold.errors.InvalidLink: 'duel' is not a link to a match; paste one such as \
https://HOST/m/...
    """
    parts = _parts(text)
    found = None if parts is None else _MATCH.fullmatch(parts.path)
    if parts is None or found is None:
        message = (
            f"'{excerpt(text)}' is not a link to a match; paste one such as"
            " https://HOST/m/..."
        )
        raise InvalidLink(message)
    return MatchLink(_address(parts, found["before"]), found["id"])


def read_server(text: str) -> str:
    """Parse the address of a server; the scheme is optional.

    >>> read_server("http://localhost:9009/")
    'http://localhost:9009'
    >>> read_server("play.example.org")
    'https://play.example.org'
    >>> read_server("https://Play.Example.org:443")
    'https://play.example.org'
    """
    parts = _parts(text)
    if parts is None or "/m/" in parts.path:  # a link to a match, cut or too long
        message = (
            f"'{excerpt(text)}' is not a server address; use one such as"
            " https://play.example.org"
        )
        raise InvalidLink(message)
    return _address(parts, parts.path)


def is_local(url: str) -> bool:
    """Whether an address is that of this machine.

    >>> is_local("http://127.0.0.1:9009/m/"), is_local("http://[::1]:9009")
    (True, True)
    >>> is_local("http://localhost"), is_local("https://play.example.org")
    (True, False)
    """
    host = urlsplit(url).hostname or ""
    number = _number(host)
    if number is None:
        return f".{host}".endswith(".localhost")
    return number.is_loopback


def _parts(text: str) -> SplitResult | None:
    """Split an address into its parts; None if it is not one."""
    text = text.strip()
    try:
        parts = urlsplit(text if "://" in text else f"{_scheme(text)}://{text}")
        is_web = parts.scheme in ("http", "https") and bool(parts.hostname)
        _ = parts.port  # raises ValueError if it is not a port
    except ValueError:
        return None
    if not is_web or len(text) > _LONGEST or parts.username is not None:
        return None
    return parts if text.isascii() and text.isprintable() and " " not in text else None


def _scheme(text: str) -> str:
    """Return the scheme to assume for an address; "" if it is not one.

    A port or an IP address leads to ninefold itself, which speaks HTTP; a bare host
    name is that of a public server, which speaks HTTPS.
    """
    parts = urlsplit(f"//{text}")
    host = parts.hostname or ""
    if parts.port is not None or _number(host) is not None or host == "localhost":
        return "http"
    return "https" if "." in host else ""


def _number(host: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(host)
    except ValueError:
        return None


def _address(parts: SplitResult, path: str) -> str:
    """Return an address in canonical form."""
    host = parts.hostname or ""
    host = f"[{host}]" if ":" in host else host
    if parts.port not in (None, _USUAL_PORTS[parts.scheme]):
        host += f":{parts.port}"
    return f"{parts.scheme}://{host}{path.rstrip('/')}"
