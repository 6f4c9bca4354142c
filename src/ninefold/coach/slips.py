"""Slips, as they happen: a won position given away, by you or by the other player.

The coach speaks where a win is given away and where one is to be had, and nowhere
else: in a lost position there is nothing to warn of. An oracle for the same rules, if
there is one at hand, saves work; one for other rules is refused with ``TheoryError``.
Rules that are too large for an exact answer are refused with ``TooLarge``, as the
oracle refuses them.
"""

from __future__ import annotations

from msgspec import Struct

from ninefold.coach.refutation import Refutation, refute
from ninefold.errors import GameOver
from ninefold.game import Game, Seat
from ninefold.theory import Budget, Oracle, Position, Won, explain, oracle_for

_STEPS_FOR_A_SLIP = 250


class Slip(Struct, frozen=True):
    """A move that gives a won position away: why it loses, and what wins instead."""

    refutation: Refutation
    better: Won

    @property
    def multiplier(self) -> int:
        """The move that slips."""
        return self.refutation.multiplier

    @property
    def reason(self) -> str:
        """Why the move loses, in a sentence or two."""
        return self.refutation.short

    @property
    def warning(self) -> str:
        """What to say before the move counts; it does not tell what wins."""
        count = len(self.better.moves)
        wins = "One multiplier wins" if count == 1 else f"{count} multipliers win"
        return f"This gives the win away. {self.reason} {wins} here."


class Opportunity(Struct, frozen=True):
    """A game that the other player, ``seat``, has just put into your hands."""

    seat: Seat
    slip: Slip
    win: Won


def gives_away(
    game: Game, multiplier: int, oracle: Oracle | None = None
) -> Slip | None:
    """Say whether a move would give a won position away, before it is played.

    >>> from ninefold import Ending, Game, Rules
    >>> game = Game.start(Rules(Ending.REACH, 1000))
    >>> print(gives_away(game, 7).warning)
    This gives the win away. ×7 makes 7. Then the other player can leave 56 to 111, \
where every move loses. 3 multipliers win here.
    >>> gives_away(game, 5)

    In a position that is lost there is nothing to give away.

    >>> gives_away(game.play(5), 7)
    """
    if game.outcome is not None:
        message = "the game is over: no move can give it away; review it instead"
        raise GameOver(message)
    return slip_at(oracle_for(game.rules, oracle), game.total, multiplier)


def opponent_slipped(game: Game, oracle: Oracle | None = None) -> Opportunity | None:
    """Say whether the last move gave a won position away to the player to move.

    >>> from ninefold import Ending, Game, Rules
    >>> game = Game.start(Rules(Ending.REACH, 1000))
    >>> found = opponent_slipped(game.play(7))
    >>> found.seat, found.win.move
    (<Seat.ONE: 1>, 9)
    >>> opponent_slipped(game.play(5))
    """
    oracle = oracle_for(game.rules, oracle)
    if game.outcome is not None or not game.moves:
        return None
    before = game.undo()
    slip = slip_at(oracle, before.total, game.moves[-1])
    if slip is None or slip.refutation.then is None:
        return None
    return Opportunity(before.to_move, slip, slip.refutation.then)


def slip_at(
    oracle: Oracle, total: int, multiplier: int, budget: Budget | None = None
) -> Slip | None:
    """Return the slip that a move at a position is; None if it is none.

    A budget may be given that several explanations share.
    """
    rules = oracle.rules
    rules.after(total, multiplier)  # refuses what is no move, in a lost position too
    # Reasons are looked for only where there is something to say: the first one may
    # take a second, where the rules are large.
    if not oracle.wins(total):
        return None
    if budget is not None:
        budget.spend(_STEPS_FOR_A_SLIP)
    refutation = refute(oracle, total, multiplier, budget)
    better = explain(Position(rules, total), oracle, budget) if refutation else None
    if refutation is None or not isinstance(better, Won):
        return None
    return Slip(refutation, better)
