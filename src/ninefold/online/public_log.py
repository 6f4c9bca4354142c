"""The log of a match as everybody may read it, and its digest.

Two things are hidden: the seed of chance, and which move the coach gave back.
"""

from __future__ import annotations

from hashlib import sha256

import msgspec
from msgspec.structs import replace

from ninefold.session import Command, GiveBack, Setup


def public_setup(setup: Setup) -> Setup:
    """Return a set-up as everybody may see it: chance is the server's alone."""
    return replace(setup, seed=None)


def public_command(command: Command) -> Command:
    """Return a command as everybody may see it.

    The move that the coach gave back would show the other seat what to avoid.
    """
    return GiveBack() if isinstance(command, GiveBack) else command


def first_head(setup: Setup) -> str:
    """Return the digest of a log without commands."""
    return _digest(msgspec.json.encode(public_setup(setup)))


def next_head(head: str, command: Command) -> str:
    """Return the digest of a log after another command."""
    return _digest(head.encode() + msgspec.json.encode(public_command(command)))


def _digest(data: bytes) -> str:
    return sha256(data).hexdigest()[:16]
