"""Multiplication facts: which of them a product exercises, and how well they are known.

A fact is a product of two numbers from 2 to 9, such as 7 × 8; 8 × 7 is the same one,
so there are 36. A product in a game exercises the facts that are needed to work it out
digit by digit, as on paper: 45 × 7 exercises 5 × 7 and 4 × 7. The digits 0 and 1 need
no fact. An answer counts for all its facts: a wrong product does not show which of
them went wrong.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from itertools import combinations_with_replacement

from msgspec import Struct
from msgspec.structs import force_setattr

from ninefold.rules import MOST_TOTAL_DIGITS
from ninefold.text import BLANKS, is_digits, join_words, shorten, ungroup

_DIGITS = range(2, 10)
_LATELY = 3
_TEN = 10
_MOST_PARTS = 4  # more of them are no help any more
_LONGEST_PRODUCT = MOST_TOTAL_DIGITS


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


FACTS = tuple(
    Fact(low, high) for low, high in combinations_with_replacement(_DIGITS, 2)
)
"""All 36, in the order of a table read row by row."""


class Product(Struct, frozen=True):
    """A multiplication problem, and the answer given to it."""

    total: int
    multiplier: int
    answer: int
    hinted: bool = False
    """Whether the answer was shown first."""

    @property
    def right(self) -> bool:
        """Whether the answer is the product."""
        return self.answer == self.total * self.multiplier

    @property
    def known(self) -> bool:
        """Whether the answer is right and was not shown first."""
        return self.right and not self.hinted

    @property
    def correction(self) -> str:
        """The product, and its parts where they help, in one sentence.

        >>> print(Product(45, 7, 305).correction)
        45 × 7 is 315, because 40 × 7 is 280 and 5 × 7 is 35.
        """
        whole = _worked_out(self.total, self.multiplier)
        digits = str(self.total)
        places = range(len(digits) - 1, -1, -1)
        parts = [
            int(digit) * 10**place
            for digit, place in zip(digits, places, strict=True)
            if digit != "0"
        ]
        if not 1 < len(parts) <= _MOST_PARTS:
            return f"{whole}."
        steps = join_words([_worked_out(part, self.multiplier) for part in parts])
        return f"{whole}, because {steps}."


def read_product(text: str) -> int | None:
    """Read a product that was typed in digits; None if it is none.

    >>> read_product(" 4,860 "), read_product("4,86"), read_product("many")
    (4860, None, None)
    """
    digits = ungroup(text.strip(BLANKS))
    if not is_digits(digits) or len(digits) > _LONGEST_PRODUCT:
        return None
    return int(digits)


def _worked_out(total: int, multiplier: int) -> str:
    product = shorten(total * multiplier)
    return f"{shorten(total)} × {shorten(multiplier)} is {product}"


def first_step(total: int, multiplier: int) -> str:
    """Say how to begin to work a product out, without saying what it is.

    >>> print(first_step(63, 6))
    60 × 6 is 360; then 3 × 6.
    >>> print(first_step(7, 8), first_step(7, 9), first_step(40, 3), sep=" / ")
    7 × 4 is 28; then twice that. / 7 × 8 is 56; then 7 more. / 4 × 3 is 12; then ten \
times that.
    >>> print(first_step(7, 2))
    It is 7 + 7.
    """
    leading = 10 ** (len(str(total)) - 1)
    rest = total % leading
    if rest:
        step = _worked_out(total - rest, multiplier)
        return f"{step}; then {shorten(rest)} × {shorten(multiplier)}."
    if total % _TEN == 0:
        return f"{_worked_out(total // _TEN, multiplier)}; then ten times that."
    half, odd = divmod(multiplier, 2)
    if odd:
        return f"{_worked_out(total, multiplier - 1)}; then {total} more."
    if half == 1:
        return f"It is {total} + {total}."
    return f"{_worked_out(total, half)}; then twice that."


def facts_in(total: int, multiplier: int) -> tuple[Fact, ...]:
    """Return the facts that a product exercises, each once, in the order of use.

    >>> [str(fact) for fact in facts_in(7, 8)]
    ['7 × 8']
    >>> [str(fact) for fact in facts_in(45, 7)]
    ['5 × 7', '4 × 7']
    >>> facts_in(10, 7)
    ()
    """
    needed = (
        Fact(int(digit), int(factor))
        for factor in reversed(str(multiplier))
        for digit in reversed(str(total))
        if int(digit) in _DIGITS and int(factor) in _DIGITS
    )
    return tuple(dict.fromkeys(needed))


class Standing(Enum):
    """How well a fact is known."""

    KNOWN = "known"
    """Right each of the last three times."""
    SHAKY = "shaky"
    """Wrong at least once in the last three times."""
    NEW = "new"
    """Never wrong of late, but met less than three times."""


class Mastery(Struct, frozen=True):
    """How well one fact is known: ``right`` of the ``asked`` times."""

    fact: Fact
    standing: Standing
    right: int
    asked: int


def mastery(log: Iterable[Product]) -> dict[Fact, Mastery]:
    """Return how well each of the 36 facts is known, from answers, oldest first.

    >>> log = [Product(7, 8, 56), Product(7, 8, 56), Product(45, 7, 305)]
    >>> found = mastery(log)
    >>> found[Fact(7, 8)].standing, found[Fact(5, 7)].standing
    (<Standing.NEW: 'new'>, <Standing.SHAKY: 'shaky'>)
    """
    answers: dict[Fact, list[bool]] = {fact: [] for fact in FACTS}
    for product in log:
        for fact in facts_in(product.total, product.multiplier):
            answers[fact].append(product.known)
    return {
        fact: Mastery(fact, _standing(given), sum(given), len(given))
        for fact, given in answers.items()
    }


def _standing(given: list[bool]) -> Standing:
    lately = given[-_LATELY:]
    if not all(lately):
        return Standing.SHAKY
    return Standing.KNOWN if len(lately) == _LATELY else Standing.NEW
