"""How much work a question may take. Work is counted, not timed.

A game within the bounds of ``Rules`` can still take hours to solve. So each kind of
work is counted in steps of its own, and a question that needs more than its budget
raises ``TooLarge``. The budgets are such that everything about one position takes
about a second in total; ``benchmarks/worst.py`` prints the seconds of the worst games
known.
"""

from __future__ import annotations

from ninefold.errors import TooLarge

LOST_STEPS = 4_000_000
"""To find the lost rooms; {2, 5, 7, 9}, the slowest set out of 2-9, takes 3.8
million. Distances have half as many."""
DISTANCE_STEPS = 150_000
"""To find how soon each move ends the game, from the distances of rooms; in EXACT
that can take many rooms. A step takes 1 microsecond, here and below."""
PRODUCT_STEPS = 30_000
"""To find whether a total can be reached."""
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
    """The steps left for a question; ``refusal`` is the error message when they end."""

    def __init__(self, steps: int, refusal: str) -> None:
        self.left = steps
        self._refusal = refusal

    def spend(self, steps: int) -> None:
        """Use up some steps; raise ``TooLarge`` if too few are left."""
        self.left -= steps
        if self.left < 0:
            raise TooLarge(self._refusal)
