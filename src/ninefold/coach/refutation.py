"""What is wrong with a move: what the other player can do then."""

from __future__ import annotations

from msgspec import Struct

from ninefold.rules import Ending, Rules
from ninefold.text import shorten
from ninefold.theory import Band, Budget, Oracle, Position, Won, explain
from ninefold.theory.sentences import times


class Refutation(Struct, frozen=True):
    """A move that loses against best play, and how.

    The move ``multiplier`` at ``total`` makes the total ``makes``. If that ends the
    game, ``then`` is None; else it says how the other player wins from there. If the
    reply does not end the game, ``lands`` holds the total that it hands over and its
    neighbours, at all of which the player to move loses.
    """

    rules: Rules
    total: int
    multiplier: int
    makes: int
    then: Won | None
    lands: Band | None

    @property
    def short(self) -> str:
        """Say the consequence in two short sentences that a multiplication can check.

        They name the band that the other player can leave, and not the move: finding
        that move is the other's task, who may be listening.
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
    """Say what comes of a move that loses; None for one that wins.

    A budget may be given that several explanations share.

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
    lands = None
    if then is not None and then.rung is not None:
        lands = oracle.band_at(then.leaves)
    return Refutation(rules, total, multiplier, made, then, lands)
