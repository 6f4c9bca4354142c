"""How a server is to be run, as a command line says it."""

from __future__ import annotations

from msgspec import Struct


class Serving(Struct, frozen=True):
    """What ``ninefold serve`` was told."""

    host: str
    port: int
    database: str | None
    public_url: str | None
    keep_days: int | None
    workers: int
    trusted_proxies: tuple[str, ...]


class Hosting(Struct, frozen=True):
    """Where ``ninefold host`` opens a server of its own."""

    host: str | None
    """None is the address by which the network knows this machine."""
    port: int | None
    """None is the one of last time, else the usual one, or any other that is free."""
