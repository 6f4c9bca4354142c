"""The coach: hints, slips as they happen, and a game looked back on.

::

    hints   a hint in steps: the idea, the totals to aim for, the move
    slips   a won position given away, and what refutes the move
    review  every move of a game graded, and where the game turned
"""

from ninefold.coach.hints import TOO_FAR, Hint, hints, why
from ninefold.coach.move_grades import (
    Grade,
    OnlyMoves,
    Resignation,
    Review,
    Step,
    review,
    try_review,
)
from ninefold.coach.slips import (
    Refutation,
    Slip,
    gives_away,
    opponent_slipped,
    refute,
)

__all__ = [
    "TOO_FAR",
    "Grade",
    "Hint",
    "OnlyMoves",
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
    "try_review",
    "why",
]
