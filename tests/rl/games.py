"""The games that every environment is checked with."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import strategies as st
from msgspec import structs

from ninefold import Ending, Rules

NAME = "ninefold.rl.gymnasium_env:ninefold/Ninefold-v0"

ARGUMENTS: dict[str, dict[str, Any]] = {
    "reach": {},
    "avoid": {"ending": "avoid"},
    "exact": {"ending": "exact"},
    "another start": {"start": 7},
    "one multiplier": {"multipliers": [3]},
    "logarithms": {"observation": "log"},
    "several targets": {"target": range(100, 1100, 100)},
}
"""Of games that every environment can play."""
HUGE: dict[str, dict[str, Any]] = {
    "huge": {"target": 10**999},
    "many multipliers": {"target": 10**30, "multipliers": "2-50"},
}
"""Of games that need no table of their positions."""

small_rules = st.builds(
    lambda ending, above, multipliers, start: Rules(
        ending, start * multipliers[-1] + above, multipliers, start
    ),
    st.sampled_from(Ending),
    st.integers(1, 400),
    st.sets(st.integers(2, 12), min_size=1, max_size=8).map(sorted).map(tuple),
    st.integers(1, 5),
)
"""Rules of games that the first move does not end."""


def arguments_of(rules: Rules) -> dict[str, Any]:
    """Return the arguments from which an environment makes these rules."""
    return structs.asdict(rules)


def numbers(digits: np.ndarray) -> list[int]:
    """Return the total and the target of an observation of digits."""
    return [int("".join(map(str, row))) for row in digits]


class Scripted:
    """A policy whose move follows from the total."""

    def distribution(self, rules: Rules, total: int) -> Mapping[int, Fraction]:
        return {self.move(rules, total): Fraction(1)}

    def move(self, rules: Rules, total: int) -> int:
        return rules.multipliers[total % 7 % len(rules.multipliers)]


class Weighted:
    """A policy with the same weights at every position."""

    def __init__(self, *weights: Fraction | float) -> None:
        self.weights = weights

    def distribution(self, rules: Rules, total: int) -> Mapping[int, Any]:
        return dict(zip(range(2, 10), self.weights, strict=False))
