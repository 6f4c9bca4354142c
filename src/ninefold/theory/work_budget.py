"""How much work a question may take. Work is counted, not timed.

A game within the bounds of ``Rules`` can still take hours to answer. So each kind of
work is counted in steps of its own, and a question that takes more of them than it is
granted is refused with ``TooLarge``. The counts are such that all there is to know of
one position takes about a second together; ``benchmarks/worst.py`` prints the seconds
of the worst games known.
"""

from __future__ import annotations

from ninefold.errors import TooLarge

LOST_STEPS = 4_000_000
"""To find the lost rooms; {2, 5, 7, 9}, the slowest set out of 2-9, takes 3.8
million. Distances are granted half as many."""
DISTANCE_STEPS = 150_000
"""To find how soon each move ends the game, from the distances of rooms; in EXACT
that can take many rooms. A step takes 1 microsecond, here and below."""
PRODUCT_STEPS = 30_000
"""To find whether moves lead to a total."""
CHANCE_STEPS = 550_000
"""To find the chances; with 2-9 that is enough up to 10^18."""
CHAIN_STEPS = 400_000
"""For one whole proof; with 2-9 that is enough at any target."""
REVIEW_STEPS = 250_000
"""To explain all the slips of one game."""
STRETCHES = 10_000
"""The most stretches of targets in a table."""
PUZZLE_STEPS = 720_000
"""To search positions for a puzzle: 20,000 of them with 2-9."""


class Budget:
    """Steps that may still be taken for a question; ``refusal`` says why no more."""

    def __init__(self, steps: int, refusal: str) -> None:
        self.left = steps
        self._refusal = refusal

    def spend(self, steps: int) -> None:
        """Take some steps, or refuse with ``TooLarge`` if too few are left."""
        self.left -= steps
        if self.left < 0:
            raise TooLarge(self._refusal)
