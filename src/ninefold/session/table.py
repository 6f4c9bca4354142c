"""The table: where a surface plays a match, on this machine or on a server.

A surface submits asks and shows the news that its listener receives: every command is
reported once and in order, whichever seat asked for it. News from another thread waits
in a queue until the surface shows it.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Annotated, Generic, Protocol, TypeVar

from msgspec import Meta, Struct

from ninefold.errors import NinefoldError
from ninefold.game import Seat
from ninefold.learning import Product
from ninefold.session.commands import Ask
from ninefold.session.events import Event
from ninefold.session.match_session import Session


class Update(Struct, frozen=True):
    """A command was stored: the session after it, and its events."""

    session: Session
    events: tuple[Event, ...]


class PresenceChanged(Struct, frozen=True):
    """Someone has connected or disconnected."""

    connected: tuple[bool, bool]
    """Whether each seat is connected."""
    watching: int
    """The number of spectators."""


class Disconnected(Struct, frozen=True):
    """The connection is lost; the table tries to reconnect."""


class TableClosed(Struct, frozen=True):
    """The host has left on purpose and stopped the server, perhaps for a while."""

    words: Annotated[str, Meta(max_length=200, title="at most 200 characters")]


class Reconnected(Struct, frozen=True):
    """The connection is back; missed updates follow."""


class UpdatesSkipped(Struct, frozen=True):
    """Too many updates to show one by one; carries the current session."""

    session: Session


class MatchGone(Struct, frozen=True):
    """The match can no longer be followed; carries the reason."""

    error: NinefoldError


News = (
    Update
    | PresenceChanged
    | Disconnected
    | TableClosed
    | Reconnected
    | UpdatesSkipped
    | MatchGone
)
Listener = Callable[[News], None]
MOST_NEWS = 256
"""The length of a queue of news."""
Other = TypeVar("Other")


class NewsQueue(Generic[Other]):
    """News waiting to be shown; any thread may call.

    Beyond ``MOST_NEWS``, only the latest of each kind stays, and one
    ``UpdatesSkipped`` replaces all updates. A surface may add ``Other`` news.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._waiting: list[News | Other] = []

    def __len__(self) -> int:
        return len(self._waiting)

    def put(self, news: News | Other) -> bool:
        """Add news; return whether the queue was empty."""
        with self._lock:
            is_first = not self._waiting
            self._waiting.append(news)
            if len(self._waiting) > MOST_NEWS:
                self._waiting = _latest(self._waiting)
            return is_first

    def take(self) -> list[News | Other]:
        """Return and remove all the news."""
        with self._lock:
            taken, self._waiting = self._waiting, []
            return taken


def _latest(waiting: list[News | Other]) -> list[News | Other]:
    """Return the latest news of each kind."""
    latest: dict[type, News | Other] = {}
    for news in waiting:
        entry, kind = news, type(news)
        if isinstance(news, Update | UpdatesSkipped):
            kind, entry = UpdatesSkipped, UpdatesSkipped(news.session)
        elif isinstance(news, Reconnected):
            kind = Disconnected
        latest.pop(kind, None)
        latest[kind] = entry
    return [*latest.values()]


class Table(Protocol):
    """A place from which a surface plays or watches a match."""

    @property
    def session(self) -> Session:
        """The current session, as far as it is known on this machine."""

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The local seats: both at one keyboard, none for a spectator."""

    @property
    def is_stored(self) -> bool:
        """Whether every command is stored on this machine."""

    def listen(self, listener: Listener) -> None:
        """Report news to a listener from now on, perhaps from another thread."""

    def submit(self, ask: Ask) -> None:
        """Submit an ask; return once its command is stored and reported.

        Raises ``QuestionOpen`` if a question must be answered first, and another
        ``NinefoldError`` if the ask is rejected.
        """

    def play_automatic_move(self) -> bool:
        """Play what needs no person: a level's move or the next game.

        Return False if there is nothing to play.
        """

    def precompute(self) -> None:
        """Compute the next automatic move in advance; any thread may call this."""

    def add_answer(self, product: Product, seconds: float, *, hinted: bool) -> None:
        """Store the answer to a product, for the learner at this table."""

    def close(self) -> None:
        """Leave the table: stop listening, and close what was opened."""
