"""The coach's warnings in a match: one per position.

Whoever decides for a match, this machine or a server, remembers them: no log does.
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
        self._warned: dict[str, CoachWarning] = {}

    def add(self, warned: CoachWarning) -> None:
        """Remember a warning, unless there was one at that position before."""
        self._warned.setdefault(warned.position, warned)

    def remember(self, session: Session, move: int) -> None:
        """Remember a warning of a move at a session's position."""
        position = _digest(session.position)
        self.add(CoachWarning(position, _digest(move), session.revision))

    def at(self, session: Session) -> CoachWarning | None:
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
                self.remember(session, error.question.slip.multiplier)
            raise


def _digest(value: int | tuple[int, ...]) -> str:
    return sha256(str(value).encode()).hexdigest()[:16]
