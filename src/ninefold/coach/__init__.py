"""The coach: hints, slips as they happen, and a game looked back on.

::

    hints       what to look for, in steps; who wins from here, and why
    refutation  what is wrong with a move: what the other player can do then
    slips       a won position given away, by you or by the other player
    reviews     every move of a game graded, and where the game turned
"""

from ninefold.coach.hints import TOO_FAR, Hint, hints, why
from ninefold.coach.refutation import Refutation, refute
from ninefold.coach.reviews import (
    Grade,
    OnlyMoves,
    Resignation,
    Review,
    Step,
    review,
)
from ninefold.coach.slips import Opportunity, Slip, gives_away, opponent_slipped

__all__ = [
    "TOO_FAR",
    "Grade",
    "Hint",
    "OnlyMoves",
    "Opportunity",
    "Refutation",
    "Resignation",
    "Review",
    "Slip",
    "Step",
    "gives_away",
    "hints",
    "opponent_slipped",
    "refute",
    "review",
    "why",
]
