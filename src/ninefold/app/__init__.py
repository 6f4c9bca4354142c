"""The full-screen app: matches on this machine or on a server, puzzles, exploring.

::

    app            themes, keys that work everywhere
    theme          the colours, light and dark
    preferences    choices that are remembered
    environment    the store, chance, time and pace; tables on this machine
    announcements  what the table says: events, waiting, questions
    screens        one for each place; they decide
    widgets        each shows one thing; they report
"""

from __future__ import annotations

import secrets
from asyncio import sleep
from collections.abc import Awaitable, Callable
from datetime import tzinfo
from pathlib import Path
from time import monotonic

from ninefold.app.app import INTERRUPTED, NinefoldApp
from ninefold.app.environment import Environment
from ninefold.app.preferences import Memory, Preferences, ThemeName
from ninefold.app.theme import theme_for
from ninefold.store import Store

__all__ = [
    "INTERRUPTED",
    "Memory",
    "NinefoldApp",
    "Preferences",
    "make_app",
    "theme_for",
]

_SECONDS_TO_THINK = 0.8
_SEED_BITS = 32


def make_app(
    open_store: Callable[[], Store],
    *,
    seed: Callable[[], int] = lambda: secrets.randbits(_SEED_BITS),
    clock: Callable[[], float] = monotonic,
    think: Callable[[], Awaitable[object]] = lambda: sleep(_SECONDS_TO_THINK),
    motion: bool = True,
    theme: ThemeName = "dark",
    memory: Memory | None = None,
    zone: tzinfo | None = None,
    seats_folder: Callable[[], Path] = Path,
    server: str = "",
) -> NinefoldApp:
    """Make the app; ``run`` starts it.

    ``think`` is awaited before a level moves, so that its move is seen to happen.
    ``motion`` says whether anything moves. ``theme`` is taken until one is chosen, and
    ``memory`` remembers which. Seats that are taken online are kept in
    ``seats_folder``; ``server`` is offered for matches online.
    """
    environment = Environment(
        open_store=open_store,
        seed=seed,
        clock=clock,
        think=think,
        motion=motion,
        memory=memory or Memory(),
        zone=zone,
        seats_folder=seats_folder,
        server=server,
    )
    return NinefoldApp(environment, theme)
