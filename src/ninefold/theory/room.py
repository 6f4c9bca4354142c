"""The room: the one number that a position comes down to.

The *limit* is the largest total that can be handed over without giving the game
away at once, and the *room* is the largest factor that still fits under it. In all
three endings the first player to pass the limit has lost, so all three are one game:

- AVOID: the totals below the target are inside, so the limit is ``target - 1``;
- EXACT: the target itself is inside too; a player who faced it could only pass it;
- REACH: from a total whose product with the largest multiplier is the target or
  more, the next player wins; the limit is the largest total below all of those.

A move ``m`` takes room ``r`` to ``r // m``, and to 0 when it passes the limit:
dividing twice and dropping the rest each time is dividing once by the product.
"""

from __future__ import annotations

from msgspec import Struct

from ninefold.rules import Ending, Rules
from ninefold.text import shorten


class Band(Struct, frozen=True):
    """Neighbouring totals, from the lowest to the highest, both included.

    >>> str(Band(56, 111)), str(Band(5, 5)), 60 in Band(56, 111)
    ('56 to 111', '5', True)
    """

    lowest: int
    highest: int

    def __contains__(self, total: int) -> bool:
        return self.lowest <= total <= self.highest

    def __str__(self) -> str:
        """Name it in a sentence."""
        if self.lowest == self.highest:
            return shorten(self.lowest)
        return f"{shorten(self.lowest)} to {shorten(self.highest)}"


def limit_of(rules: Rules, target: int | None = None) -> int:
    """Return the limit: the player who makes a total above it has lost the game.

    ``target`` stands in for the rules' own.

    >>> from ninefold import Ending, Rules
    >>> [limit_of(Rules(ending, 1000)) for ending in Ending]
    [111, 999, 1000]
    """
    target = rules.target if target is None else target
    if rules.ending is Ending.EXACT:
        return target
    if rules.ending is Ending.AVOID:
        return target - 1
    return (target - 1) // rules.multipliers[-1]
