"""Which numbers are products of the multipliers, each taken any number of times.

Numbers are split into a *base* first: factors of the multipliers that have nothing
in common with each other, such as 2, 3, 5, 7 for 2-9, and 2, 3 for {4, 6}. They need
not be primes, so multipliers of any size can be split. A number is then its powers
of each, and making it from the multipliers is paying a bill with some kinds of coin.
"""

from __future__ import annotations

from functools import lru_cache
from math import gcd

from ninefold.errors import TooLarge

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import NoReturn

    Powers = tuple[int, ...]

MOST_STEPS = 100_000

_ONE_DIGIT = 1 << 30
_SOME_TIMES = 12  # how often a coin is tried for being worth some of the others
_FEW = 32  # multipliers; among more, none is looked at for what others can stand for
_FEW_STEPS = 1000
_MOST_POWERS = 1_000_000


class Products:
    """The products of some multipliers.

    >>> [n for n in range(1, 100) if Products([4, 6]).has(n)]
    [1, 4, 6, 16, 24, 36, 64, 96]

    A number of 1,000 digits takes 0.1 ms or less with every set out of 2-9. Sets of
    many multipliers that share their factors crosswise can take far longer, and are
    refused with ``TooLarge`` after a second at most.
    """

    __slots__ = ("_base", "_coins")

    def __init__(self, multipliers: Sequence[int]) -> None:
        """Find the base, and which multipliers are no products of others."""
        self._base = [Factor(factor) for factor in _coprime_base(multipliers)]
        self._coins: list[_Coin] | None = None
        known = set(multipliers)
        if all(factor.factor in known for factor in self._base):
            return  # each power is paid for by itself
        if len(multipliers) * len(self._base) > _MOST_POWERS:
            _refuse()
        needed: list[Powers] = []
        few = len(multipliers) <= _FEW
        for multiplier in sorted(multipliers):
            powers = self._powers(multiplier) or ()
            if not (few and _surely_payable(powers, _coins(needed))):
                needed.append(powers)
        # The widest coins come first: what they leave open is soon settled.
        needed.sort(key=lambda powers: (-sum(map(bool, powers)), -sum(powers)))
        self._coins = _coins(needed)
        if few:
            for i, coin in enumerate(self._coins):
                coin.enough = _enough_of(coin.powers, self._coins[i + 1 :])

    def has(self, number: int) -> bool:
        """Whether a number, 1 or more, is such a product; 1 is the empty one."""
        powers = self._powers(number)
        if powers is None or self._coins is None:
            return powers is not None
        return _payable(powers, self._coins)

    def _powers(self, number: int) -> Powers | None:
        """Return the power of each of the base, or None if more is left over."""
        powers = []
        for factor in self._base:
            power, number = factor.divide_out(number)
            powers.append(power)
        return tuple(powers) if number == 1 else None


@lru_cache(maxsize=64)
def products_of(multipliers: tuple[int, ...]) -> Products:
    """Return the products of some multipliers, worked out once for many games."""
    return Products(multipliers)


def _coprime_base(numbers: Iterable[int]) -> list[int]:
    """Split numbers until no two parts have a factor in common."""
    base: list[int] = []
    waiting = sorted(numbers, reverse=True)
    while waiting:
        number = waiting.pop()
        for i, part in enumerate(base):
            common = gcd(number, part)
            if common > 1:
                if common < part:
                    base[i] = common
                    waiting.append(part // common)
                if common < number:
                    waiting.append(number // common)
                break
        else:
            base.append(number)
    return sorted(base)


class Factor:
    """A factor, 2 or more, that is divided out of numbers."""

    __slots__ = ("_step", "_steps", "factor")

    def __init__(self, factor: int) -> None:
        """Take the factor."""
        self.factor = factor
        # Dividing by what fits into one digit of Python's is quickest.
        self._step = 1
        while factor ** (self._step + 1) < _ONE_DIGIT:
            self._step += 1
        self._steps = [factor**self._step]

    def divide_out(self, number: int) -> tuple[int, int]:
        """Return how often the factor divides a number, and what is left."""
        if self.factor == 2:  # noqa: PLR2004 - the number is written with it
            power = (number & -number).bit_length() - 1
            return power, number >> power
        # Steps that double while they fit, then each once more on the way back.
        steps, size = self._steps, 0
        power = 0
        while True:
            quotient, rest = divmod(number, steps[size])
            if rest:
                break
            number = quotient
            power += self._step << size
            size += 1
            if size == len(steps):
                steps.append(steps[-1] ** 2)
        while size:
            size -= 1
            quotient, rest = divmod(number, steps[size])
            if not rest:
                number = quotient
                power += self._step << size
        # Less than the first step is left, and what that leaves over shows how much.
        left, rest = 1, number % steps[0]
        while rest % self.factor == 0:
            rest //= self.factor
            left *= self.factor
            power += 1
        return power, number // left


class _Coin:
    """A multiplier by its powers, and what is known of the coins after it.

    ``enough`` of it can be exchanged for those; 0 if that is not known. ``alone`` is
    a power that none of those pays, which settles how many of this one are needed.
    """

    __slots__ = ("alone", "enough", "powers")

    def __init__(self, powers: Powers, alone: int | None) -> None:
        self.powers = powers
        self.alone = alone
        self.enough = 0

    def leave(self, bill: Powers) -> Iterator[Powers]:
        """Yield what is left of a bill for each number of this coin."""
        most = min(b // c for b, c in zip(bill, self.powers, strict=True) if c)
        counts: Iterable[int] = range(most, -1, -1)
        if self.alone is not None:
            count, rest = divmod(bill[self.alone], self.powers[self.alone])
            counts = [] if rest or count > most else [count]
        elif self.enough:
            counts = range(min(most, self.enough - 1) + 1)
        for count in counts:
            yield tuple([b - count * c for b, c in zip(bill, self.powers, strict=True)])


def _coins(coins: Sequence[Powers]) -> list[_Coin]:
    """Say of each coin what those after it do not pay."""
    found: list[_Coin] = []
    paid: set[int] = set()
    for powers in reversed(coins):
        pays = {i for i, power in enumerate(powers) if power}
        found.append(_Coin(powers, min(pays - paid, default=None)))
        paid |= pays
    return found[::-1]


def _enough_of(powers: Powers, others: Sequence[_Coin]) -> int:
    """Return how many of a coin others can stand for, so that fewer do; 0 if none."""
    for times in range(1, _SOME_TIMES + 1):
        if _surely_payable(tuple([times * power for power in powers]), others):
            return times
    return 0


def _surely_payable(bill: Powers, coins: Sequence[_Coin]) -> bool:
    """Whether some coins are soon found to make a bill; False where it takes long."""
    try:
        return _payable(bill, coins, _FEW_STEPS)
    except TooLarge:
        return False


def _payable(bill: Powers, coins: Sequence[_Coin], most: int = MOST_STEPS) -> bool:
    """Whether some coins make a bill exactly, in each of its powers.

    One coin after the other pays some of it. What is left is tried once.
    """
    if not any(bill):
        return True
    tried: set[tuple[int, Powers]] = set()
    ways = [coin.leave(bill) for coin in coins[:1]]
    while ways:
        for left in ways[-1]:
            if not any(left):
                return True
            if len(ways) < len(coins) and (len(ways), left) not in tried:
                tried.add((len(ways), left))
                ways.append(coins[len(ways)].leave(left))
                break
        else:
            ways.pop()
        if len(tried) > most:
            _refuse()
    return False


def _refuse() -> NoReturn:
    message = (
        "these multipliers share too many factors to tell whether moves lead to that"
        " total; ask for a smaller total, or play to it"
    )
    raise TooLarge(message)
