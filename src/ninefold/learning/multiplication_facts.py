"""Multiplication facts, and which of them a product exercises.

A fact is a product of two numbers from 2 to 9, such as 7 × 8; 8 × 7 is the same fact,
so there are 36. A product in a game exercises the facts that are needed to compute it
digit by digit, as on paper: 45 × 7 exercises 5 × 7 and 4 × 7. The digits 0 and 1 need
no fact.
"""

from __future__ import annotations

from itertools import combinations_with_replacement

from msgspec import Struct
from msgspec.structs import force_setattr

DIGITS = range(2, 10)


class Fact(Struct, frozen=True):
    """A product of two numbers from 2 to 9, the smaller first.

    >>> print(Fact(8, 7))
    7 × 8
    """

    low: int
    high: int

    def __post_init__(self) -> None:
        if self.low > self.high:
            low, high = self.high, self.low
            force_setattr(self, "low", low)
            force_setattr(self, "high", high)

    def __str__(self) -> str:
        return f"{self.low} × {self.high}"

    @property
    def key(self) -> str:
        """The fact as the key of an item: ``7x8``."""
        return f"{self.low}x{self.high}"


FACTS = tuple(Fact(low, high) for low, high in combinations_with_replacement(DIGITS, 2))
"""All 36, row by row as in a times table."""


def facts_in(total: int, multiplier: int) -> tuple[Fact, ...]:
    """Return the facts that a product exercises, each once, from the right.

    >>> [str(fact) for fact in facts_in(7, 8)]
    ['7 × 8']
    >>> [str(fact) for fact in facts_in(45, 7)]
    ['5 × 7', '4 × 7']
    >>> facts_in(10, 7)
    ()
    """
    needed = (
        Fact(digit, factor)
        for factor in _digits(multiplier)
        for digit in _digits(total)
    )
    return tuple(dict.fromkeys(needed))


def _digits(number: int) -> list[int]:
    """Return the digits from 2 to 9, each once, from the right."""
    found = map(int, dict.fromkeys(reversed(str(number))))
    return [digit for digit in found if digit in DIGITS]
