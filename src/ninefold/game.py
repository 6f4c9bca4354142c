"""A game is a value: its rules and the moves made so far. Playing returns the next."""

from __future__ import annotations

from enum import Enum

from ninefold.errors import GameOver, NothingToUndo
from ninefold.rules import Reason, Rules
from ninefold.values import Value, hold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self


class Seat(Enum):
    """One of the two players."""

    ONE = 1
    TWO = 2

    @property
    def other(self) -> Seat:
        """The one across the table."""
        return Seat.TWO if self is Seat.ONE else Seat.ONE

    def __str__(self) -> str:
        """Name the seat for a person.

        >>> str(Seat.TWO)
        'Player 2'
        """
        return f"Player {self.value}"


class Outcome(Value):
    """Who won, and why the game ended."""

    __slots__ = __match_args__ = ("winner", "reason")
    winner: Seat
    reason: Reason

    def __init__(self, winner: Seat, reason: Reason) -> None:
        """Name the winner and the reason."""
        hold(self, "winner", winner)
        hold(self, "reason", reason)


class Game(Value):
    """A game at some point: who began, what was played, and what follows from it.

    >>> from ninefold import Ending, Rules
    >>> game = Game(Rules(Ending.REACH, 100)).play(5).play(6)
    >>> game.total, game.to_move
    (30, <Seat.ONE: 1>)
    >>> game.play(4).outcome
    Outcome(winner=<Seat.ONE: 1>, reason=<Reason.REACHED: 'reached'>)
    >>> game.play(1)
    Traceback (most recent call last):
    ninefold.errors.IllegalMove: 1 is not a multiplier here; choose one of 2-9
    """

    __match_args__ = ("rules", "moves", "first", "resigned")
    __slots__ = (*__match_args__, "outcome", "to_move", "total")
    rules: Rules
    moves: tuple[int, ...]
    first: Seat
    resigned: Seat | None
    total: int
    to_move: Seat
    """Whose turn it is; after the end, whose turn it would have been."""
    outcome: Outcome | None
    """How it ended, or None while it goes on."""

    def __init__(
        self,
        rules: Rules,
        moves: Iterable[int] = (),
        first: Seat = Seat.ONE,
        resigned: Seat | None = None,
    ) -> None:
        """Play the moves through, refusing whatever the rules refuse."""
        game = Game._at(rules, (), first, rules.start)
        for multiplier in moves:
            game = game.play(multiplier)
        if resigned is not None:
            game = game.resign(resigned)
        for name in Game.__slots__:
            hold(self, name, getattr(game, name))

    @classmethod
    def _at(cls, rules: Rules, moves: tuple[int, ...], first: Seat, total: int) -> Self:
        """Make a game whose moves and total are known to be right."""
        game = cls.__new__(cls)
        to_move = first.other if len(moves) % 2 else first
        verdict = rules.verdict(total)
        outcome = None
        if verdict is not None:
            mover = to_move.other
            winner = mover if verdict.mover_wins else to_move
            outcome = Outcome(winner, verdict.reason)
        hold(game, "rules", rules)
        hold(game, "moves", moves)
        hold(game, "first", first)
        hold(game, "resigned", None)
        hold(game, "total", total)
        hold(game, "to_move", to_move)
        hold(game, "outcome", outcome)
        return game

    def play(self, multiplier: int) -> Self:
        """Return the game after this move."""
        self._refuse_after_the_end()
        total = self.rules.after(self.total, multiplier)
        return self._at(self.rules, (*self.moves, multiplier), self.first, total)

    def resign(self, seat: Seat | None = None) -> Self:
        """Return the game given up, by whoever is to move unless a seat is named."""
        self._refuse_after_the_end()
        loser = seat or self.to_move
        game = self._at(self.rules, self.moves, self.first, self.total)
        hold(game, "resigned", loser)
        hold(game, "outcome", Outcome(loser.other, Reason.RESIGNED))
        return game

    def undo(self) -> Self:
        """Return the game before the last move, or before it was given up."""
        if self.resigned is not None:
            return self._at(self.rules, self.moves, self.first, self.total)
        if not self.moves:
            message = "no move has been made yet, so there is none to take back"
            raise NothingToUndo(message)
        *earlier, last = self.moves
        total = self.total // last
        return self._at(self.rules, tuple(earlier), self.first, total)

    def totals(self) -> list[int]:
        """Return every total of the game, the start first.

        >>> from ninefold import Ending, Rules
        >>> Game(Rules(Ending.AVOID, 1000), [5, 7, 3]).totals()
        [1, 5, 35, 105]
        """
        totals = [self.rules.start]
        for multiplier in self.moves:
            totals.append(self.rules.after(totals[-1], multiplier))
        return totals

    def _refuse_after_the_end(self) -> None:
        if self.outcome is not None:
            message = f"the game is over, {self.outcome.winner} has won; start another"
            raise GameOver(message)
