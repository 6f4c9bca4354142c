"""Slips: moves that give a won position away, and why.

The coach speaks only when a win is given away, and when the other player has just
given one away: in a lost position there is nothing to warn about. Passing an oracle for
the same rules saves work; one for other rules raises ``TheoryError``. Rules that are
too large for an exact answer raise ``TooLarge``.
"""

from __future__ import annotations

from msgspec import Struct

from ninefold.errors import GameOver
from ninefold.game import Game, Seat
from ninefold.rules import Ending, Rules
from ninefold.text import shorten
from ninefold.theory import Band, Budget, Oracle, Position, Won, explain, oracle_for
from ninefold.theory.explanation_sentences import times

_STEPS_FOR_A_SLIP = 250


class Refutation(Struct, frozen=True):
    """A move that loses against best play, and how.

    The move ``multiplier`` at ``total`` makes the total ``makes``. ``then`` says how
    the other player wins from there; it is None if the move ends the game.
    """

    rules: Rules
    total: int
    multiplier: int
    makes: int
    then: Won | None

    @property
    def lands(self) -> Band | None:
        """The band that the reply leaves; None if there is no reply, or it wins."""
        ahead = None if self.then is None else self.then.ahead
        return None if ahead is None else ahead.band

    @property
    def short(self) -> str:
        """The consequence in two short sentences that a multiplication can check.

        They name the band that the other player can leave, but not the move: the other
        player may be reading, and has to find it.
        """
        made, target = shorten(self.makes), shorten(self.rules.target)
        move = times(self.multiplier)
        if self.then is None:
            if self.makes == self.rules.target:
                return f"{move} reaches {target} and loses at once."
            return f"{move} makes {made}, past {target}, and loses at once."
        then = f"{move} makes {made}. Then the other player can"
        if self.lands is not None:
            return f"{then} leave {self.lands}, where every move loses."
        exact = self.rules.ending is Ending.EXACT
        return f"{then} {'make exactly' if exact else 'reach'} {target} at once."


def refute(
    oracle: Oracle, total: int, multiplier: int, budget: Budget | None = None
) -> Refutation | None:
    """Return why a move loses; None if it wins.

    Several explanations may share a ``budget``.

    >>> from ninefold import Ending, Rules
    >>> oracle = Oracle(Rules(Ending.REACH, 1000))
    >>> print(refute(oracle, 1, 7).short)
    ×7 makes 7. Then the other player can leave 56 to 111, where every move loses.
    >>> refute(oracle, 1, 5)
    """
    rules = oracle.rules
    made = rules.after(total, multiplier)
    if multiplier in oracle.winning_moves(total):
        return None
    reason = None
    if rules.verdict(made) is None:
        oracle.accept(made)
        reason = explain(Position(rules, made), oracle, budget)
    then = reason if isinstance(reason, Won) else None
    return Refutation(rules, total, multiplier, made, then)


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
        """The warning before the move counts; it does not reveal the winning move."""
        return f"That gives the win away. {self.reason} {self.winners}"

    @property
    def winners(self) -> str:
        """How many moves win instead, in a sentence."""
        count = len(self.better.moves)
        return "One move wins here." if count == 1 else f"{count} moves win here."


class Opportunity(Struct, frozen=True):
    """A win that the other player, ``seat``, has just given away to you."""

    seat: Seat
    slip: Slip
    win: Won


def find_slip(game: Game, multiplier: int, oracle: Oracle | None = None) -> Slip | None:
    """Return the slip that a move would be; None if it is not a slip.

    >>> from ninefold import Ending, Game, Rules
    >>> game = Game.start(Rules(Ending.REACH, 1000))
    >>> print(find_slip(game, 7).warning)
    That gives the win away. ×7 makes 7. Then the other player can leave 56 to 111, \
where every move loses. 3 moves win here.
    >>> find_slip(game, 5)

    In a lost position there is nothing to give away.

    >>> find_slip(game.play(5), 7)
    """
    if game.outcome is not None:
        message = "the game is over: no move can give it away; review it instead"
        raise GameOver(message)
    return slip_at(oracle_for(game.rules, oracle), game.total, multiplier)


def find_opportunity(game: Game, oracle: Oracle | None = None) -> Opportunity | None:
    """Return the win that the last move gave away; None if it was not a slip.

    >>> from ninefold import Ending, Game, Rules
    >>> game = Game.start(Rules(Ending.REACH, 1000))
    >>> found = find_opportunity(game.play(7))
    >>> found.seat, found.win.move
    (<Seat.ONE: 1>, 9)
    >>> find_opportunity(game.play(5))
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
    """Return the slip that a move at a position is; None if it is not a slip.

    Several explanations may share a ``budget``.
    """
    rules = oracle.rules
    rules.after(total, multiplier)  # raises for an illegal move, in a lost position too
    # Explain only if the move is a slip: with large rules, the first explanation may
    # take a second.
    if not oracle.wins(total):
        return None
    if budget is not None:
        budget.spend(_STEPS_FOR_A_SLIP)
    refutation = refute(oracle, total, multiplier, budget)
    better = explain(Position(rules, total), oracle, budget) if refutation else None
    if refutation is None or not isinstance(better, Won):
        return None
    return Slip(refutation, better)
