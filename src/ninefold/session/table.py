"""The table: a match at which one sits, whether it is played here or on a server.

A surface asks with ``do`` and shows what it is told by the listener: every command is
reported there once and in order, whoever asked for it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from msgspec import Struct

from ninefold.errors import NinefoldError
from ninefold.game import Seat
from ninefold.learning import Product
from ninefold.session.commands import Asked
from ninefold.session.events import Event
from ninefold.session.session import Session


class Update(Struct, frozen=True):
    """A command was stored: the session after it, and the events that came of it."""

    session: Session
    events: tuple[Event, ...]


class PresenceChanged(Struct, frozen=True):
    """Somebody has connected or disconnected."""

    here: tuple[bool, bool]
    """Whether each seat is connected."""
    watching: int
    """How many spectators there are."""


class Disconnected(Struct, frozen=True):
    """The connection is lost; the table tries to connect again."""


class TableClosed(Struct, frozen=True):
    """The host has left on purpose, and the server with them; it may come back."""

    words: str


class Reconnected(Struct, frozen=True):
    """The connection is back; updates that were missed follow."""


class RolledBack(Struct, frozen=True):
    """The server was set back to an earlier copy; the match stands so."""

    session: Session


class MatchGone(Struct, frozen=True):
    """The match cannot be followed any more."""

    error: NinefoldError


News = (
    Update
    | PresenceChanged
    | Disconnected
    | TableClosed
    | Reconnected
    | RolledBack
    | MatchGone
)
Listener = Callable[[News], None]


class Table(Protocol):
    """A match at which one sits."""

    @property
    def session(self) -> Session:
        """The match as far as it is known here."""

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats played from here: both at one keyboard, none for a spectator."""

    @property
    def is_stored(self) -> bool:
        """Whether everything that was played is stored on this machine."""

    def listen(self, listener: Listener) -> None:
        """Report news to a listener from now on; it may be called from any thread."""

    def do(self, asked: Asked) -> None:
        """Do what a seat asks for; return once the command is stored and reported.

        ``QuestionOpen`` carries a question to be answered first; any other
        ``NinefoldError`` says why it is refused.
        """

    def proceed(self) -> bool:
        """Do what needs no person, a level's move or the next game; False if none."""

    def add_answer(self, product: Product, seconds: float, *, hinted: bool) -> None:
        """Store the answer to a product, for the learner at this table."""

    def close(self) -> None:
        """Leave the table: stop listening, and close what was opened."""
