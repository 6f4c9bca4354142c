"""Addresses that people send each other: of a match, and of a server."""

from __future__ import annotations

import re
from urllib.parse import SplitResult, urlsplit

from msgspec import Struct

from ninefold.errors import NotALink
from ninefold.text import excerpt

USUAL_PORT = 9009
"""Where a server is, unless told otherwise."""
_MATCH = re.compile(r"(?P<before>.*)/m/(?P<id>[A-Za-z0-9_-]{22})/?")
_LONGEST = 2_000


class MatchLink(Struct, frozen=True):
    """Where a match is: its server, and its id there."""

    server: str
    id: str

    def __str__(self) -> str:
        """Write it as it is sent."""
        return f"{self.server}/m/{self.id}"


def read_link(text: str) -> MatchLink:
    """Read the link of a match.

    >>> read_link("https://play.example.org/m/AAAAAAAAAAAAAAAAAAAAAA").server
    'https://play.example.org'
    >>> read_link("duel")
    Traceback (most recent call last):
    ninefold.errors.NotALink: 'duel' is no link to a match; paste one such as \
https://HOST/m/...
    """
    parts = _parts(text)
    found = None if parts is None else _MATCH.fullmatch(parts.path)
    if parts is None or found is None:
        message = (
            f"'{excerpt(text)}' is no link to a match; paste one such as"
            " https://HOST/m/..."
        )
        raise NotALink(message)
    return MatchLink(_address(parts, found["before"]), found["id"])


def read_server(text: str) -> str:
    """Read the address of a server.

    >>> read_server("http://localhost:9009/")
    'http://localhost:9009'
    """
    parts = _parts(text)
    if parts is None:
        message = (
            f"'{excerpt(text)}' is no address of a server; write one such as"
            " https://play.example.org"
        )
        raise NotALink(message)
    return _address(parts, parts.path)


def _parts(text: str) -> SplitResult | None:
    """Take an address apart; None if it is none."""
    text = text.strip()
    try:
        parts = urlsplit(text)
        is_web = parts.scheme in ("http", "https") and bool(parts.hostname)
        _ = parts.port  # refuses one that is no number
    except ValueError:
        return None
    if not is_web or len(text) > _LONGEST or parts.username is not None:
        return None
    return parts if text.isascii() and text.isprintable() and " " not in text else None


def _address(parts: SplitResult, path: str) -> str:
    return f"{parts.scheme}://{parts.netloc.lower()}{path.rstrip('/')}"
