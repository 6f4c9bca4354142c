"""Slips, as they happen: a won position given away, by you or by the other player.

The coach speaks where a win is given away and where one is to be had, and nowhere
else: in a lost position there is nothing to warn of. An oracle for the same rules, if
there is one at hand, saves work; rules that are too large for an exact answer are
refused with ``TooLarge``, as the oracle refuses them.
"""

from __future__ import annotations

from ninefold.coach.refutation import Refutation, refute
from ninefold.errors import GameOver
from ninefold.theory import Oracle, Position, Won, explain
from ninefold.values import Value, hold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ninefold.game import Game, Seat


class Slip(Value):
    """A move that gives a won position away: why it loses, and what wins instead."""

    __slots__ = __match_args__ = ("refutation", "better")
    refutation: Refutation
    better: Won

    def __init__(self, refutation: Refutation, better: Won) -> None:
        """Take what is wrong with the move, and the win that was there."""
        hold(self, "refutation", refutation)
        hold(self, "better", better)

    @property
    def multiplier(self) -> int:
        """The move that slips."""
        return self.refutation.multiplier

    @property
    def reason(self) -> str:
        """Why the move loses, in one sentence."""
        return self.refutation.short

    @property
    def warning(self) -> str:
        """What to say before the move counts; it does not tell what wins."""
        count = len(self.better.moves)
        wins = "One multiplier wins" if count == 1 else f"{count} multipliers win"
        return f"This gives the win away. {self.reason} {wins} here."


class Opportunity(Value):
    """A game that the other player, ``seat``, has just put into your hands."""

    __slots__ = __match_args__ = ("seat", "slip", "win")
    seat: Seat
    slip: Slip
    win: Won

    def __init__(self, seat: Seat, slip: Slip, win: Won) -> None:
        """Take who slipped, how, and the win that it allows."""
        hold(self, "seat", seat)
        hold(self, "slip", slip)
        hold(self, "win", win)


def gives_away(
    game: Game, multiplier: int, oracle: Oracle | None = None
) -> Slip | None:
    """Say whether a move would give a won position away, before it is played.

    >>> from ninefold import Ending, Game, Rules
    >>> game = Game(Rules(Ending.REACH, 1000))
    >>> print(gives_away(game, 7).warning)
    This gives the win away. ×7 makes 7, and from there the other player can hand over \
63 with ×9: whoever faces 56 to 111 loses. 3 multipliers win here.
    >>> gives_away(game, 5)

    In a position that is lost there is nothing to give away.

    >>> gives_away(game.play(5), 7)
    """
    if game.outcome is not None:
        message = "the game is over: no move can give it away; review it instead"
        raise GameOver(message)
    return slip_at(oracle or Oracle(game.rules), game.total, multiplier)


def opponent_slipped(game: Game, oracle: Oracle | None = None) -> Opportunity | None:
    """Say whether the last move gave a won position away to the player to move.

    >>> from ninefold import Ending, Game, Rules
    >>> game = Game(Rules(Ending.REACH, 1000))
    >>> found = opponent_slipped(game.play(7))
    >>> found.seat, found.win.move
    (<Seat.ONE: 1>, 9)
    >>> opponent_slipped(game.play(5))
    """
    if game.outcome is not None or not game.moves:
        return None
    before = game.undo()
    slip = slip_at(oracle or Oracle(game.rules), before.total, game.moves[-1])
    if slip is None or slip.refutation.then is None:
        return None
    return Opportunity(before.to_move, slip, slip.refutation.then)


def slip_at(oracle: Oracle, total: int, multiplier: int) -> Slip | None:
    """Return the slip that a move at a position is; None if it is none."""
    rules = oracle.rules
    rules.after(total, multiplier)  # refuses what is no move, in a lost position too
    # Reasons are looked for only where there is something to say: the first one may
    # take a second, where the rules are large.
    refutation = refute(oracle, total, multiplier) if oracle.wins(total) else None
    better = explain(Position(rules, total), oracle) if refutation else None
    if refutation is None or not isinstance(better, Won):
        return None
    return Slip(refutation, better)
