"""A game is a value: its rules and the moves made so far. Playing returns the next."""

from __future__ import annotations

from enum import Enum

from ninefold.errors import GameOver, MoveError, NothingToUndo, RulesError
from ninefold.rules import Reason, Rules
from ninefold.shown import show_value
from ninefold.values import Value, hold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self


HUMAN = "human"
"""Who answers for a seat: a person. Anyone else is a level, by its name."""


class Seat(Enum):
    """One of the two players."""

    ONE = 1
    TWO = 2

    @property
    def other(self) -> Seat:
        """The one across the table."""
        return _TWO if self is _ONE else _ONE

    def __str__(self) -> str:
        """Name the seat for a person.

        >>> str(Seat.TWO)
        'Player 2'
        """
        return f"Player {self.value}"


_ONE, _TWO = Seat  # Python 3.11 takes longer to find Seat.ONE than to use it


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
    __slots__ = ("first", "moves", "outcome", "rules", "total")
    rules: Rules
    moves: tuple[int, ...]
    first: Seat
    total: int
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
        if not isinstance(rules, Rules):
            message = f"a game is played by Rules; not by {show_value(rules)}"
            raise RulesError(message)
        if not isinstance(first, Seat):
            message = f"who begins is Seat.ONE or Seat.TWO; not {show_value(first)}"
            raise RulesError(message)
        try:
            given = iter(moves)
        except TypeError:
            message = f"the moves are numbers, such as [5, 6]; not {show_value(moves)}"
            raise MoveError(message) from None
        self._stand(rules, (), first, rules.start)
        game = self
        for multiplier in given:
            game = game.play(multiplier)
        if resigned is not None:
            game = game.resign(resigned)
        if game is not self:
            for name in Game.__slots__:
                hold(self, name, getattr(game, name))

    def _stand(
        self, rules: Rules, moves: tuple[int, ...], first: Seat, total: int
    ) -> Self:
        """Hold these moves, known to be right and to make this total."""
        _hold_rules(self, rules)
        _hold_moves(self, moves)
        _hold_first(self, first)
        _hold_total(self, total)
        verdict = rules.verdict(total)
        if verdict is None:
            _hold_outcome(self, None)
        else:
            winner = self.to_move.other if verdict.mover_wins else self.to_move
            _hold_outcome(self, Outcome(winner, verdict.reason))
        return self

    def _with(self, moves: tuple[int, ...], total: int) -> Self:
        """Return this game with other moves, known to be right and to make a total."""
        game = _blank(type(self))
        return game._stand(self.rules, moves, self.first, total)  # noqa: SLF001 - a Game

    @property
    def to_move(self) -> Seat:
        """Whose turn it is; after the end, whose turn it would have been."""
        return self.first.other if len(self.moves) % 2 else self.first

    @property
    def resigned(self) -> Seat | None:
        """Who gave the game up, if anyone did."""
        outcome = self.outcome
        if outcome is None or outcome.reason is not Reason.RESIGNED:
            return None
        return outcome.winner.other

    def play(self, multiplier: int) -> Self:
        """Return the game after this move."""
        self._refuse_after_the_end()
        total = self.rules.after(self.total, multiplier)
        return self._with((*self.moves, multiplier), total)

    def resign(self, seat: Seat | None = None) -> Self:
        """Return the game given up, by whoever is to move unless a seat is named."""
        self._refuse_after_the_end()
        loser = self.to_move if seat is None else seat
        if not isinstance(loser, Seat):
            message = f"who gives up is Seat.ONE or Seat.TWO; not {show_value(loser)}"
            raise MoveError(message)
        game = self._with(self.moves, self.total)
        _hold_outcome(game, Outcome(loser.other, Reason.RESIGNED))
        return game

    def undo(self) -> Self:
        """Return the game before the last move, or before it was given up."""
        if self.resigned is not None:
            return self._with(self.moves, self.total)
        if not self.moves:
            message = "no move has been made yet, so there is none to take back"
            raise NothingToUndo(message)
        return self._with(self.moves[:-1], self.total // self.moves[-1])

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


# Every move makes a game, and a slot is set through its own descriptor in half the
# time that ``hold`` takes.
_blank = object.__new__
_hold_rules, _hold_moves, _hold_first, _hold_total, _hold_outcome = (
    vars(Game)[name].__set__ for name in ("rules", "moves", "first", "total", "outcome")
)
