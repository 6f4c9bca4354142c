"""Learning: multiplication facts, puzzles, and when they come back.

::

    facts     which facts a product exercises, and how well each is known
    puzzles   positions at which exactly one multiplier wins
    schedule  when a puzzle that was missed comes back
"""

from ninefold.learning.facts import (
    FACTS,
    Fact,
    Mastery,
    Product,
    Standing,
    facts_in,
    first_step,
    mastery,
    read_product,
)
from ninefold.learning.puzzles import (
    PUZZLE_LEVELS,
    Puzzle,
    PuzzleResult,
    check,
    make_puzzle,
    puzzle_at,
    read_puzzle,
)

__all__ = [
    "FACTS",
    "PUZZLE_LEVELS",
    "Fact",
    "Mastery",
    "Product",
    "Puzzle",
    "PuzzleResult",
    "Standing",
    "check",
    "facts_in",
    "first_step",
    "make_puzzle",
    "mastery",
    "puzzle_at",
    "read_product",
    "read_puzzle",
]
