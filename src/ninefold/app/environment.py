"""Everything that the app takes from outside: the store, chance, time and pace."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import tzinfo
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct

from ninefold.app.preferences import Memory
from ninefold.errors import NinefoldError
from ninefold.session import Setup
from ninefold.store import LogWriter, Store, StoredMatch

if TYPE_CHECKING:
    from ninefold.online.seats import KeptSeats

T = TypeVar("T")

SURFACE = "app"
"""What the store calls this surface."""
_MATCHES_LOOKED_THROUGH = 20


class Environment(Struct, frozen=True):
    """What every screen is given."""

    open_store: Callable[[], Store]
    seed: Callable[[], int]
    clock: Callable[[], float]
    """Seconds, to measure how long an answer takes."""
    think: Callable[[], Awaitable[object]]
    """What is waited for while a level seems to think."""
    motion: bool
    """Whether a hop draws itself."""
    memory: Memory
    """Where choices are remembered."""
    zone: tzinfo | None
    """The zone that times are shown in; None for the machine's own."""
    seats_folder: Callable[[], Path]
    """Where the seats are kept that were taken online."""
    server: str
    """The address of the server that is offered first; empty where there is none."""

    @property
    def seats(self) -> KeptSeats:
        """The seats that were taken online."""
        from ninefold.online.seats import KeptSeats

        return KeptSeats(self.seats_folder())

    def read(
        self, query: Callable[[Store], T], notice: Callable[[str], None]
    ) -> T | None:
        """Ask the store; where it cannot be read, say so and return None."""
        try:
            with self.open_store() as store:
                found = query(store)
                for each in store.take_notices():
                    notice(each)
        except NinefoldError as error:
            notice(sentence(error))
            return None
        return found

    def keeper(
        self, notice: Callable[[str], None], kept: StoredMatch | None = None
    ) -> LogWriter:
        """Return a keeper for a new session, or for one that is kept already."""
        return LogWriter(
            self.open_store,
            notice,
            surface=SURFACE,
            match_id=None if kept is None else kept.id,
            revision=0 if kept is None else kept.session.revision,
        )


def latest_setup(store: Store, *, against_level: bool) -> Setup | None:
    """Return the set-up of the latest match with a level, or of people alone."""
    for row in store.history(limit=_MATCHES_LOOKED_THROUGH):
        if any(row.levels) is against_level:
            return store.match(row.match_id).setup
    return None


def sentence(error: Exception) -> str:
    """Write an error as a sentence.

    >>> sentence(ValueError("the target must be above the start"))
    'The target must be above the start.'
    """
    message = str(error)
    return f"{message[:1].upper()}{message[1:]}."
