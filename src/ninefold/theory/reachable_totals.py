"""Which numbers are products of the multipliers, each taken any number of times.

The multipliers are divided out one after the other, from the largest down, each as
often as possible; the last one must leave 1. Two observations keep that short. A
multiplier with a factor that no smaller one has must remove all of that factor, so
its count is known. And if a power of it is a product of smaller ones, fewer than that
power are enough; so with 2-9 none of 9, 8, 6 and 4 is ever needed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import gcd

from msgspec import Struct

from ninefold.errors import TooLarge
from ninefold.rules import MOST_DIGITS, Rules
from ninefold.theory.work_budget import PRODUCT_STEPS, Budget

_HIGHEST_POWER = 12  # of a multiplier that is tried for being a product of others
_STEPS_FOR_POWERS = 200
_REFUSAL = (
    "these multipliers share too many factors to tell whether that total can be"
    " reached; choose a smaller total"
)


class Products:
    """The products of some multipliers.

    >>> [n for n in range(1, 100) if Products([4, 6]).has(n)]
    [1, 4, 6, 16, 24, 36, 64, 96]

    A number of 1,000 digits takes 0.1 ms with 2-9. Sets of many multipliers with many
    common factors can take far longer, and raise ``TooLarge``.
    """

    def __init__(self, multipliers: Sequence[int]) -> None:
        """Compute how many of each multiplier are ever needed."""
        needed: list[_Factor] = []
        for multiplier in sorted(multipliers):
            smaller = [factor.number for factor in needed]
            factor = _Factor(
                multiplier,
                without_factors_of(multiplier, smaller),
                _enough_of(multiplier, needed),
            )
            if factor.enough != 1:
                needed.insert(0, factor)
        self._needed = needed
        self._multipliers = multipliers

    def has(self, number: int) -> bool:
        """Whether a number, 1 or more, is such a product; 1 is the empty one."""
        searches = any(factor.alone == 1 for factor in self._needed)
        if searches and without_factors_of(number, self._multipliers) > 1:
            return False
        return _is_product(number, self._needed, Budget(PRODUCT_STEPS, _REFUSAL))


products_of = lru_cache(maxsize=64)(Products)
"""Products of some multipliers, worked out once for many games."""


class _Factor(Struct, frozen=True):
    """A multiplier, and what it shares with the smaller multipliers.

    ``alone`` is its largest divisor without a prime factor of a smaller multiplier.
    ``enough`` is its least power that is a product of smaller ones, so that only lower
    powers are needed; None if not known.
    """

    number: int
    alone: int
    enough: int | None

    def leave(self, number: int) -> Iterator[int]:
        """Yield what can be left of a number divided by powers of this multiplier."""
        if self.alone > 1:
            _, left = divide_out(number, self.number)
            return iter([left] if gcd(left, self.alone) == 1 else [])
        lefts: list[int] = []
        rest = 0
        while not rest and len(lefts) != self.enough:
            lefts.append(number)
            number, rest = divmod(number, self.number)
        # If many may be needed, many are more likely to leave a product than few.
        return iter(lefts) if self.enough else reversed(lefts)


def divide_out(number: int, factor: int) -> tuple[int, int]:
    """Return how often a factor divides a number, and the rest.

    >>> divide_out(1000, 10), divide_out(12, 5)
    ((3, 1), (0, 12))
    """
    quotient, rest = divmod(number, factor)
    if rest:
        return 0, number
    # The square divides half as often, so that few divisions are enough.
    pairs, left = divide_out(quotient, factor * factor)
    quotient, rest = divmod(left, factor)
    return (2 * pairs + 1, left) if rest else (2 * pairs + 2, quotient)


def without_factors_of(number: int, others: Sequence[int]) -> int:
    """Return a number without the factors that it has in common with others.

    >>> without_factors_of(2**5 * 3**7 * 5, [4, 6])
    5
    """
    for other in others:
        while (common := gcd(number, other)) > 1:
            _, number = divide_out(number, common)
    return number


def _enough_of(number: int, smaller: Sequence[_Factor]) -> int | None:
    """Return the first power of a number that is a product; None if not found soon."""
    budget = Budget(_STEPS_FOR_POWERS, _REFUSAL)
    power = 1
    for times in range(1, _HIGHEST_POWER + 1):
        power *= number
        if power >= 10**MOST_DIGITS:
            return None
        try:
            if _is_product(power, smaller, budget):
                return times
        except TooLarge:
            return None
    return None


def _is_product(number: int, factors: Sequence[_Factor], budget: Budget) -> bool:
    """Whether dividing by multipliers, tried in this order, can leave 1."""
    tried: set[tuple[int, int]] = set()
    ways = [iter((number,))]
    while ways:
        left = next(ways[-1], None)
        if left is None:
            ways.pop()
        elif left == 1:
            return True
        elif len(ways) <= len(factors) and (len(ways), left) not in tried:
            budget.spend(1)
            tried.add((len(ways), left))
            ways.append(factors[len(ways) - 1].leave(left))
    return False


def all_positions(rules: Rules, most: int) -> tuple[int, ...] | None:
    """Return every position of a game, ascending; None if there are more than ``most``.

    >>> from ninefold import Ending, Rules
    >>> all_positions(Rules(Ending.EXACT, 12, (2, 3)), most=7)
    (1, 2, 3, 4, 6, 8, 9)
    """
    found = {rules.start}
    waiting = [rules.start]
    while waiting:
        total = waiting.pop()
        for multiplier in rules.multipliers:
            after = rules.after(total, multiplier)
            if rules.verdict(after) is not None:
                break  # a larger multiplier ends the game too
            if after not in found:
                found.add(after)
                waiting.append(after)
        if len(found) > most:
            return None
    return tuple(sorted(found))
