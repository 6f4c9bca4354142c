"""The coach's warnings in a match: one per position.

The machine that decides for a match, this one or a server, remembers them in memory.
"""

from __future__ import annotations

from hashlib import sha256

from msgspec import Struct

from ninefold.errors import QuestionOpen
from ninefold.game import Seat
from ninefold.session.commands import Ask, Command
from ninefold.session.events import SlipQuestion
from ninefold.session.match_session import Session


class CoachWarning(Struct, frozen=True):
    """A warning: the position, the move it is about, and the revision of the match.

    The position and the move are digests, because both may be long.
    """

    position: str
    move: str
    revision: int


class CoachWarnings:
    """The coach's warnings in a match, which the log does not contain.

    There is one per position: more would reveal which move wins. A warning is repeated
    only while nothing else has happened, because the question may have been lost in
    transit.
    """

    def __init__(self) -> None:
        self._warned: dict[str, CoachWarning] = {}

    def add(self, warned: CoachWarning) -> None:
        """Remember a warning, unless there is one at that position already."""
        self._warned.setdefault(warned.position, warned)

    def remember(self, session: Session, move: int) -> None:
        """Remember a warning about a move at a session's position."""
        position = _digest(session.position)
        self.add(CoachWarning(position, _digest(move), session.revision))

    def at(self, session: Session) -> CoachWarning | None:
        """Return the warning at a session's position, or None."""
        return self._warned.get(_digest(session.position))

    def decide(
        self, session: Session, seat: Seat, ask: Ask, *, coach: bool = True
    ) -> Command:
        """Call ``Session.decide`` with the warning here, and remember a new one.

        With ``coach=False`` the coach does not look.
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
                self.remember(session, error.question.slip.multiplier)
            raise


def _digest(value: int | tuple[int, ...]) -> str:
    return sha256(str(value).encode()).hexdigest()[:16]
