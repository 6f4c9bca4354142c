"""The numbers that a learner sees, and the text that a person sees."""

from __future__ import annotations

from collections.abc import Sequence
from math import log2
from typing import TypeAlias

from ninefold.rl.arguments import check_choice
from ninefold.rl.extras import required_by
from ninefold.rl.places import Places
from ninefold.rules import Rules
from ninefold.text import format_set, shorten

with required_by(__name__):
    import numpy as np
    from gymnasium.spaces import Box, Discrete

_ZERO = ord("0")


class Digits:
    """The total and the target in decimal digits, the most significant first."""

    def __init__(self, games: Sequence[Rules]) -> None:
        self.width = len(str(_last_total(games)))
        self.space = Box(0, 9, (2, self.width), np.int8)

    def observe(self, rules: Rules, total: int) -> np.ndarray:
        """Return both numbers, padded with zeros to one width."""
        digits = str(total).zfill(self.width) + str(rules.target).zfill(self.width)
        rows = np.frombuffer(digits.encode(), np.int8).reshape(2, self.width)
        return rows - np.int8(_ZERO)


class Logarithms:
    """The logarithms of the total and the target, to base 2."""

    def __init__(self, games: Sequence[Rules]) -> None:
        highest = np.float32(log2(_last_total(games)))
        self.space = Box(np.float32(0), highest, (2,), np.float32)

    def observe(self, rules: Rules, total: int) -> np.ndarray:
        """Return both logarithms."""
        return np.array([log2(total), log2(rules.target)], np.float32)


class Index:
    """The number of the position; the last one for every end."""

    def __init__(self, games: Sequence[Rules]) -> None:
        table = Places(games, ", or observation='digits'")
        self.totals = table.totals[: table.positions]
        self.space = Discrete(table.positions + 1)
        self._numbers = dict(zip(games, table.numbers, strict=True))

    def observe(self, rules: Rules, total: int) -> int:
        """Return the number of a position."""
        return self._numbers[rules].get(total, len(self.totals))


Observation: TypeAlias = Digits | Logarithms | Index

_KINDS: dict[str, type[Observation]] = {
    "digits": Digits,
    "log": Logarithms,
    "index": Index,
}
ARRAYS = ("digits", "log")


def observation_from(
    name: str, games: Sequence[Rules], allowed: Sequence[str] = tuple(_KINDS)
) -> Observation:
    """Return the observation of that name; raise ``SetupError`` for another."""
    check_choice("observation", name, allowed)
    return _KINDS[name](games)


def render(mode: str | None, rules: Rules, total: int) -> str | None:
    """Return a position as a line of text, or print it, as the mode says.

    >>> from ninefold import Ending
    >>> render("ansi", Rules(Ending.REACH, 1000), 45)
    'total 45; reach 1,000 with 2-9'
    """
    target, multipliers = shorten(rules.target), format_set(rules.multipliers)
    text = f"total {shorten(total)}; {rules.ending.value} {target} with {multipliers}"
    if mode == "human":
        print(text)  # noqa: T201 - this mode is for a person at a terminal
    return text if mode == "ansi" else None


def _last_total(games: Sequence[Rules]) -> int:
    """Return a bound of all totals: the highest position times the largest move."""
    return max((rules.target - 1) * rules.multipliers[-1] for rules in games)
