"""The coach: a game looked back on, slips as they happen, puzzles, and facts.

::

    refutation  what is wrong with a move: what the other player can do then
    slips       a won position given away, by you or by the other player
    reviews     every move of a game graded, and where the game turned
    puzzles     positions at which exactly one multiplier wins
    facts       which multiplication facts are known, and which are shaky
"""

from ninefold.coach.facts import (
    FACTS,
    Fact,
    Mastery,
    Product,
    Standing,
    facts_in,
    mastery,
)
from ninefold.coach.puzzles import (
    PUZZLE_LEVELS,
    Attempt,
    Puzzle,
    check,
    levels_of,
    make_puzzle,
    puzzle_at,
    read_puzzle,
)
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
    "FACTS",
    "PUZZLE_LEVELS",
    "Attempt",
    "Fact",
    "Grade",
    "Mastery",
    "OnlyMoves",
    "Opportunity",
    "Product",
    "Puzzle",
    "Refutation",
    "Resignation",
    "Review",
    "Slip",
    "Standing",
    "Step",
    "check",
    "facts_in",
    "gives_away",
    "levels_of",
    "make_puzzle",
    "mastery",
    "opponent_slipped",
    "puzzle_at",
    "read_puzzle",
    "refute",
    "review",
]
