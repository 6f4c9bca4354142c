"""A game is a value: its rules and the moves made so far. Playing returns the next."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum
from typing import Self

from msgspec import Struct
from msgspec.structs import replace

from ninefold.errors import GameOver, MoveError, NothingToUndo, RulesError
from ninefold.rules import Reason, Rules
from ninefold.text import quote_value


class Seat(Enum):
    """One of the two who play."""

    ONE = 1
    TWO = 2

    @property
    def other(self) -> Seat:
        """The seat across the table."""
        return Seat.TWO if self is Seat.ONE else Seat.ONE

    def __str__(self) -> str:
        """Return the seat's name for people.

        >>> str(Seat.TWO)
        'Player 2'
        """
        return f"Player {self.value}"


NAMES = {seat: str(seat) for seat in Seat}
"""The names of players who have not given one."""


class Outcome(Struct, frozen=True, forbid_unknown_fields=True):
    """Who won, and why the game ended."""

    winner: Seat
    reason: Reason


class Turn(Struct, frozen=True):
    """One move of a game: by whom, at which total, and the total that it makes."""

    number: int
    """Counted from 1."""
    seat: Seat
    total: int
    multiplier: int
    makes: int


class Game(Struct, frozen=True):
    """A game at some point. ``start`` and ``replay`` make one that the rules allow.

    >>> from ninefold import Ending, Rules
    >>> game = Game.start(Rules(Ending.REACH, 100)).play(5).play(6)
    >>> game.total, game.to_move
    (30, <Seat.ONE: 1>)
    >>> game.play(4).outcome
    Outcome(winner=<Seat.ONE: 1>, reason=<Reason.REACHED: 'reached'>)
    >>> game.play(1)
    Traceback (most recent call last):
    ninefold.errors.IllegalMove: 1 is not a multiplier here; choose one of 2-9
    """

    rules: Rules
    first: Seat
    moves: tuple[int, ...]
    total: int
    outcome: Outcome | None = None
    """How it ended; None until then."""

    @classmethod
    def start(cls, rules: Rules, first: Seat = Seat.ONE) -> Self:
        """Return a game before its first move."""
        if not isinstance(rules, Rules):
            message = f"rules must be a Rules, not {quote_value(rules)}"
            raise RulesError(message)
        if not isinstance(first, Seat):
            message = f"first must be Seat.ONE or Seat.TWO, not {quote_value(first)}"
            raise RulesError(message)
        return cls(rules, first, (), rules.start)

    @classmethod
    def replay(
        cls,
        rules: Rules,
        moves: Iterable[int],
        first: Seat = Seat.ONE,
        resigned: Seat | None = None,
    ) -> Self:
        """Return the game after these moves; raise ``MoveError`` for an illegal one.

        >>> from ninefold import Ending, Rules
        >>> Game.replay(Rules(Ending.AVOID, 1000), [5, 7, 3]).total
        105
        """
        game = cls.start(rules, first)
        for multiplier in moves:
            game = game.play(multiplier)
        return game if resigned is None else game.resign(resigned)

    @property
    def to_move(self) -> Seat:
        """Whose turn it is; after the end, whose turn it would have been."""
        return self.first.other if len(self.moves) % 2 else self.first

    @property
    def legal_moves(self) -> tuple[int, ...]:
        """The multipliers that can be played now: all of them until the end."""
        return () if self.outcome is not None else self.rules.multipliers

    @property
    def resigned_by(self) -> Seat | None:
        """Who resigned, or None."""
        outcome = self.outcome
        if outcome is None or outcome.reason is not Reason.RESIGNED:
            return None
        return outcome.winner.other

    def play(self, multiplier: int) -> Self:
        """Return the game after this move."""
        if self.outcome is not None:
            raise _over(self.outcome)
        rules = self.rules
        total = rules.after(self.total, multiplier)
        moves = (*self.moves, multiplier)
        verdict = rules.verdict(total)
        if verdict is None:
            return type(self)(rules, self.first, moves, total)
        mover = self.to_move
        winner = mover if verdict.mover_wins else mover.other
        outcome = Outcome(winner, verdict.reason)
        return type(self)(rules, self.first, moves, total, outcome)

    def resign(self, seat: Seat | None = None) -> Self:
        """Return the game after a resignation, by default of the seat to move."""
        if self.outcome is not None:
            raise _over(self.outcome)
        loser = self.to_move if seat is None else seat
        if not isinstance(loser, Seat):
            message = f"seat must be Seat.ONE or Seat.TWO, not {quote_value(loser)}"
            raise MoveError(message)
        return replace(self, outcome=Outcome(loser.other, Reason.RESIGNED))

    def undo(self) -> Self:
        """Return the game before the last move, or before the resignation."""
        if self.resigned_by is not None:
            return replace(self, outcome=None)
        if not self.moves:
            message = "there is no move to take back yet"
            raise NothingToUndo(message)
        *moves, last = self.moves
        return type(self)(self.rules, self.first, tuple(moves), self.total // last)

    def turns(self) -> Iterator[Turn]:
        """Yield every move with its seat and its totals, the first move first.

        >>> from ninefold import Ending, Rules
        >>> game = Game.replay(Rules(Ending.AVOID, 1000), [5, 7, 3])
        >>> [(str(turn.seat), turn.makes) for turn in game.turns()]
        [('Player 1', 5), ('Player 2', 35), ('Player 1', 105)]
        """
        seat, total = self.first, self.rules.start
        for number, multiplier in enumerate(self.moves, start=1):
            makes = self.rules.after(total, multiplier)
            yield Turn(number, seat, total, multiplier, makes)
            seat, total = seat.other, makes


def _over(outcome: Outcome) -> GameOver:
    message = f"the game is over, {outcome.winner} has won; start another"
    return GameOver(message)
