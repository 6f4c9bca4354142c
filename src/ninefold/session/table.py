"""The table: a match at which one sits, whether it is played here or on a server.

Whoever decides for a table, this machine or a server, remembers the coach's warnings.

A surface asks with ``do`` and shows what it is told by the listener: every command is
reported there once and in order, whoever asked for it. News of another thread waits in
a queue until the surface shows it.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from threading import Lock
from typing import Annotated, Generic, Protocol, TypeVar

from msgspec import Meta, Struct

from ninefold.errors import NinefoldError, QuestionOpen
from ninefold.game import Seat
from ninefold.learning import Product
from ninefold.session.commands import Ask, Command
from ninefold.session.events import Event, SlipQuestion
from ninefold.session.match_session import Session


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

    words: Annotated[str, Meta(max_length=200, title="at most 200 characters")]


class Reconnected(Struct, frozen=True):
    """The connection is back; updates that were missed follow."""


class Skipped(Struct, frozen=True):
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
    | Skipped
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
        if isinstance(news, Update | Skipped):
            kind, kept = Skipped, Skipped(news.session)
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

    def do(self, ask: Ask) -> None:
        """Do what a seat asks for; return once the command is stored and reported.

        ``QuestionOpen`` carries a question to be answered first; any other
        ``NinefoldError`` says why it is refused.
        """

    def proceed(self) -> bool:
        """Do what needs no person, a level's move or the next game; False if none."""

    def prepare(self) -> None:
        """Find what ``proceed`` is to do, which may take long; any thread may call."""

    def add_answer(self, product: Product, seconds: float, *, hinted: bool) -> None:
        """Store the answer to a product, for the learner at this table."""

    def close(self) -> None:
        """Leave the table: stop listening, and close what was opened."""


class Warned(Struct, frozen=True):
    """The coach has warned: at which position, of which move, after which command.

    The position and the move are digests: both may be long.
    """

    position: str
    move: str
    revision: int


class CoachWarnings:
    """The warnings of the coach in a match, which no log holds.

    The coach speaks once at a position: an opinion on every move would reveal which of
    them wins. It repeats a warning only while nothing else has happened, because the
    question may have been lost on its way.
    """

    def __init__(self) -> None:
        self._warned: dict[str, Warned] = {}

    def add(self, warned: Warned) -> None:
        """Remember a warning, unless there was one at that position before."""
        self._warned.setdefault(warned.position, warned)

    def at(self, session: Session) -> Warned | None:
        """Return the warning at a session's position."""
        return self._warned.get(_digest(session.position))

    def decide(
        self, session: Session, seat: Seat, ask: Ask, *, coach: bool = True
    ) -> Command:
        """Decide as ``Session.decide`` does, and remember a warning.

        ``coach`` is false where the coach has no time to look.
        """
        warned, move = self.at(session), None
        if warned is not None:
            moves = session.setup.rules.multipliers
            move = next((m for m in moves if _digest(m) == warned.move), None)
            coach = coach and warned.revision == session.revision
        try:
            return session.decide(seat, ask, warned=move, coach=coach)
        except QuestionOpen as error:
            if isinstance(error.question, SlipQuestion):
                slip = error.question.slip.multiplier
                position = _digest(session.position)
                self.add(Warned(position, _digest(slip), session.revision))
            raise


def _digest(value: int | tuple[int, ...]) -> str:
    return sha256(str(value).encode()).hexdigest()[:16]
