"""The coach: hints, slips as they happen, and reviews.

::

    hints        a hint in steps: the idea, the totals to aim for, the move
    slips        moves that give a won position away, and their refutation
    move_grades  the review: every move graded, and the turning point
"""

from ninefold.coach.hints import TOO_FAR, Hint, hints, why
from ninefold.coach.move_grades import (
    Grade,
    GradedMove,
    OnlyMoves,
    Resignation,
    Review,
    review,
    try_review,
)
from ninefold.coach.slips import (
    Refutation,
    Slip,
    find_opportunity,
    find_slip,
    refute,
)

__all__ = [
    "TOO_FAR",
    "Grade",
    "GradedMove",
    "Hint",
    "OnlyMoves",
    "Refutation",
    "Resignation",
    "Review",
    "Slip",
    "find_opportunity",
    "find_slip",
    "hints",
    "refute",
    "review",
    "try_review",
    "why",
]
