"""Ratings of contestants from who beat whom.

The model is that of Bradley and Terry: the odds that one wins are e to the difference
of their strengths, here plus what going first is worth. Strengths are in Elo: 400 more
make the odds ten times as good.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, log, sqrt

from msgspec import Struct

_ELO = 400 / log(10)
_SPREAD = 1000 / _ELO
"""The standard deviation of strengths that is assumed before any game: it is wide, and
keeps the strength of someone who always wins from being infinite."""
_Z = 1.959964  # 95 % of a normal distribution lies within so many deviations
_WIDEST = 400
"""Elo: with a larger margin, the odds of a game may be off by more than tenfold."""
_CLOSE = 1e-9
_MOST_STEPS = 100


class Rating(Struct, frozen=True):
    """A strength in Elo, and the interval that holds it with 95 % confidence."""

    elo: float
    low: float
    high: float

    @property
    def margin(self) -> float:
        """How far the interval goes to either side."""
        return (self.high - self.low) / 2

    @property
    def is_vague(self) -> bool:
        """Whether too few games were played for a meaningful rating."""
        return self.margin > _WIDEST


def rate(
    count: int, games: Mapping[tuple[int, int], tuple[int, int]]
) -> tuple[list[Rating], Rating]:
    """Rate contestants, with mean 0; return that, and what going first is worth.

    ``games`` maps (first, second) to the games that each of them won.

    >>> ratings, begin = rate(2, {(0, 1): (30, 10), (1, 0): (20, 20)})
    >>> [round(each.elo) for each in ratings], round(begin.elo)
    ([48, -48], 95)
    """
    strengths = [0.0] * (count + 1)  # the last is what going first is worth
    for _ in range(_MOST_STEPS):
        slope, curvature = _derivatives(strengths, games)
        covariance = _inverse(curvature)
        step = [sum(map(float.__mul__, row, slope)) for row in covariance]
        # A longer step than this would leave the region where the curvature holds.
        scale = min(1.0, 2 / max(map(abs, step), default=1.0)) if any(step) else 1.0
        strengths = [
            old + scale * new for old, new in zip(strengths, step, strict=True)
        ]
        if max(map(abs, step)) < _CLOSE:
            break
    # Games say nothing about the mean, which is fixed at 0: remove its variance.
    of_mean = [_SPREAD**2 / count] * count + [0.0]
    spreads = [_Z * sqrt(covariance[i][i] - each) for i, each in enumerate(of_mean)]
    *ratings, begin = (
        Rating(_ELO * middle, _ELO * (middle - spread), _ELO * (middle + spread))
        for middle, spread in zip(strengths, spreads, strict=True)
    )
    return ratings, begin


def _derivatives(
    strengths: Sequence[float], games: Mapping[tuple[int, int], tuple[int, int]]
) -> tuple[list[float], list[list[float]]]:
    """Return the slope of the log-likelihood, and minus its second derivatives."""
    size = len(strengths)
    slope = [-strength / _SPREAD**2 for strength in strengths]
    curvature = [[(i == j) / _SPREAD**2 for j in range(size)] for i in range(size)]
    for (first, second), (won, lost) in games.items():
        signs = {first: 1, second: -1, size - 1: 1}
        chance = 1 / (1 + exp(-sum(strengths[i] * sign for i, sign in signs.items())))
        weight = (won + lost) * chance * (1 - chance)
        for i, sign in signs.items():
            slope[i] += sign * (won - (won + lost) * chance)
            for j, other in signs.items():
                curvature[i][j] += sign * other * weight
    return slope, curvature


def _inverse(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    """Invert a matrix that is positive definite, so needs no pivots."""
    size = len(matrix)
    rows = [
        [*row, *((i == j) * 1.0 for j in range(size))] for i, row in enumerate(matrix)
    ]
    for i in range(size):
        pivot = rows[i] = [each / rows[i][i] for each in rows[i]]
        for j, row in enumerate(rows):
            if i != j and row[i]:
                rows[j] = [a - row[i] * b for a, b in zip(row, pivot, strict=True)]
    return [row[size:] for row in rows]
