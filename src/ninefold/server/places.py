"""Where a server is: the port it listens on, its address, and its names."""

from __future__ import annotations

import socket
from contextlib import ExitStack
from ipaddress import ip_address
from urllib.parse import urlsplit

from msgspec import Struct

from ninefold.errors import NinefoldError

_BACKLOG = 2_048
_ELSEWHERE = ("192.0.2.1", 9)
"""An address that nobody has, in the range kept for examples."""


class Place(Struct, frozen=True):
    """Where a server listens."""

    host: str
    port: int
    """0 takes any that is free."""


def listen(place: Place) -> socket.socket:
    """Open the port; refuse one that cannot be had with a sentence."""
    try:
        family, _, _, _, address = socket.getaddrinfo(
            place.host, place.port, type=socket.SOCK_STREAM
        )[0]
        opened = _opened(family, address)
    except OSError as error:
        problem = error.strerror or str(error)
        message = (
            f"{place.host}:{place.port} cannot be listened on ({problem});"
            " choose another --host or --port"
        )
        raise NinefoldError(message) from error
    opened.setblocking(False)  # noqa: FBT003 - so it is called
    return opened


def _opened(family: int, address: tuple[object, ...]) -> socket.socket:
    with ExitStack() as closing:
        opened = closing.enter_context(socket.socket(family))
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        opened.bind(address)
        opened.listen(_BACKLOG)
        closing.pop_all()  # all is well, so it stays open
    return opened


def url_of(listening: socket.socket) -> str:
    """Return the address that a browser opens; on the network, where there is one."""
    host, port = listening.getsockname()[:2]
    return url_at(own_address() if ip_address(host).is_unspecified else host, port)


def url_at(host: str, port: int) -> str:
    """Write an address; a long one (IPv6) stands in brackets.

    >>> url_at("127.0.0.1", 80), url_at("::1", 80)
    ('http://127.0.0.1:80', 'http://[::1]:80')
    """
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def is_loopback(listening: socket.socket) -> bool:
    """Whether this machine alone reaches it."""
    return ip_address(listening.getsockname()[0]).is_loopback


def own_address(elsewhere: tuple[str, int] = _ELSEWHERE) -> str:
    """Return the address by which the network knows this machine.

    Nothing is sent: the system is only asked by which way it would be.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        try:
            asked.connect(elsewhere)
        except OSError:  # there is no network
            return "127.0.0.1"
        return str(asked.getsockname()[0])


def known_hosts(public_url: str | None) -> tuple[str, ...]:
    """Return the names that requests may ask for; numbers need none."""
    own = socket.gethostname().lower()
    names = ["localhost", own, f"{own.partition('.')[0]}.local"]
    if public_url is not None:
        parts = urlsplit(public_url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            message = "--public-url is an address such as https://play.example.org"
            raise NinefoldError(message)
        names.append(parts.hostname)
    return tuple(names)
