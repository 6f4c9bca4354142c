"""The table: a match at which one sits, whether it is played here or on a server.

A surface asks with ``do`` and shows what it is told by the listener: every command is
reported there once and in order, whoever asked for it. News of another thread waits in
a queue until the surface shows it.
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
    """A command was stored: the session after it, and the events that came of it."""

    session: Session
    events: tuple[Event, ...]


class PresenceChanged(Struct, frozen=True):
    """Somebody has connected or disconnected."""

    connected: tuple[bool, bool]
    """Whether each seat is connected."""
    watching: int
    """How many spectators there are."""


class Disconnected(Struct, frozen=True):
    """The connection is lost; the table tries to connect again."""


class TableClosed(Struct, frozen=True):
    """The host has left on purpose, and the server with them; it may come back."""

    words: Annotated[str, Meta(max_length=200, title="at most 200 characters")]


class Reconnected(Struct, frozen=True):
    """The connection is back; updates that were missed follow."""


class UpdatesSkipped(Struct, frozen=True):
    """More happened than is shown one by one; the match stands so."""

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
    | UpdatesSkipped
    | MatchGone
)
Listener = Callable[[News], None]
MOST_NEWS = 256
"""How much news waits to be shown."""
Other = TypeVar("Other")


class NewsQueue(Generic[Other]):
    """News that waits to be shown, however much of it comes; any thread may call.

    Where more than ``MOST_NEWS`` waits, the latest of each kind stays, and how the
    match stands takes the place of its updates. A surface may have ``Other`` news.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._waiting: list[News | Other] = []

    def __len__(self) -> int:
        return len(self._waiting)

    def put(self, news: News | Other) -> bool:
        """Add news; whether none waited before."""
        with self._lock:
            is_first = not self._waiting
            self._waiting.append(news)
            if len(self._waiting) > MOST_NEWS:
                self._waiting = _latest(self._waiting)
            return is_first

    def take(self) -> list[News | Other]:
        """Return all the news that waits, and let it wait no longer."""
        with self._lock:
            taken, self._waiting = self._waiting, []
            return taken


def _latest(waiting: list[News | Other]) -> list[News | Other]:
    """Return the latest news of each kind."""
    latest: dict[type, News | Other] = {}
    for news in waiting:
        kept, kind = news, type(news)
        if isinstance(news, Update | UpdatesSkipped):
            kind, kept = UpdatesSkipped, UpdatesSkipped(news.session)
        elif isinstance(news, Reconnected):
            kind = Disconnected
        latest.pop(kind, None)
        latest[kind] = kept
    return [*latest.values()]


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

    def submit(self, ask: Ask) -> None:
        """Do what a seat asks for; return once the command is stored and reported.

        ``QuestionOpen`` carries a question to be answered first; any other
        ``NinefoldError`` says why it is refused.
        """

    def play_automatic_move(self) -> bool:
        """Do what needs no person, a level's move or the next game; False if none."""

    def precompute(self) -> None:
        """Compute the next automatic move in advance; any thread may call this."""

    def add_answer(self, product: Product, seconds: float, *, hinted: bool) -> None:
        """Store the answer to a product, for the learner at this table."""

    def close(self) -> None:
        """Leave the table: stop listening, and close what was opened."""
