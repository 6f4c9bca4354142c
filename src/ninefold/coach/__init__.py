"""The coach: a game looked back on, and slips as they happen.

::

    refutation  what is wrong with a move: what the other player can do then
    slips       a won position given away, by you or by the other player
    reviews     every move of a game graded, and where the game turned
"""

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
    "Grade",
    "OnlyMoves",
    "Opportunity",
    "Refutation",
    "Resignation",
    "Review",
    "Slip",
    "Step",
    "gives_away",
    "opponent_slipped",
    "refute",
    "review",
]
