"""A walk as a page shows it, whose games are played move by move.

Nothing of it is stored: what was entered leads to the same place again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from ninefold.learning import Play, Response, Walk
from ninefold.learning.walk import LEARNER
from ninefold.rules import parse_number
from ninefold.session import Event, Lessons, Move, ResignGame, Session, Setup
from ninefold.views.practice import say_response

RESIGN = "resign"
"""What is entered to resign a game."""

Shown = tuple[Session, Sequence[Event]]
"""A game, and what has just happened in it."""


def begin_game(wanted: Play, like: Setup, seed: int) -> Shown:
    """Begin a game against a level, by the rule book of another set-up."""
    setup = replace(
        like,
        rules=wanted.rules,
        first=wanted.first,
        names=(str(LEARNER), wanted.level.capitalize()),
        levels=(None, wanted.level),
        seed=seed,
        lessons=Lessons(hints=False),
    )
    session, events = Session.start(setup), tuple[Event, ...]()
    for multiplier in wanted.opening:
        session, events = session.accept(Move(multiplier))
    return session, events


class Replay:
    """A walk that is led by entries: answers and, in a game, multipliers."""

    def __init__(
        self,
        walk: Walk,
        entries: Iterable[str],
        like: Setup | None = None,
        seed: int = 0,
    ) -> None:
        """Walk as far as the entries lead.

        ``like`` names the rule book of the games; a walk without games needs none.
        """
        self.walk = walk
        self.shown: list[str | Shown] = []
        """What came of the last entry: sentences and games, in their order."""
        self.answers: list[Response] = []
        """What is to be stored of it."""
        self.right: bool | None = None
        """Whether it was right; None where it was no answer."""
        self._like, self._seed = like, seed
        self._session: Session | None = None
        self._continue()
        for entry in entries:
            self._enter(entry)

    def _enter(self, entry: str) -> None:
        self.shown, self.answers, self.right = [], [], None
        if self._session is not None:
            ask = ResignGame() if entry == RESIGN else _move(entry)
            self._show(*self._session.accept(self._session.decide(LEARNER, ask)))
            return
        entered = self.walk.enter(entry).entered
        if entered is not None:
            self.shown.append(" ".join(say_response(entered)))
            self.right = entered.right
        self._continue()

    def _continue(self) -> None:
        """Show what follows at this place of the walk."""
        state = self.walk.state
        self.shown += state.said
        self.answers += state.answers
        if state.play is not None and self._like is not None:
            self._seed += 1  # so that a level plays another game
            self._show(*begin_game(state.play, self._like, self._seed))

    def _show(self, session: Session, events: Sequence[Event]) -> None:
        """Show a game after a move, and after what the level answers."""
        self.shown.append((session, events))
        while session.game.outcome is None and (reply := session.automatic_command()):
            session, events = session.accept(reply)
            self.shown.append((session, events))
        self._session = session
        if session.game.outcome is not None:
            self._session = None
            self.walk.played(session.game)
            self._continue()


def _move(entry: str) -> Move:
    """Read a multiplier; nobody asks whether a loss is meant, as the keys tell it."""
    return Move(parse_number(entry, "multiplier"), accepts_loss=True)
