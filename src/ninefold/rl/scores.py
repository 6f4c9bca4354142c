"""Exact scores of a learner: its policy in one game, its regret in games of any size.

A learner is ``act(rules, totals) -> weights``: it is asked about many totals of a game
at once, and returns an array with a row for each total and a weight for each
multiplier; the weights of a row need not add up to 1. The totals are Python integers of
any size: NumPy's 64 bits are too few for most.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import islice
from math import hypot, sqrt
from statistics import fmean, stdev

from msgspec import Struct

from ninefold.errors import SetupError, TheoryError
from ninefold.matchups import Matchups, Policy
from ninefold.rl.arguments import chances_of
from ninefold.rl.extras import required_by
from ninefold.rl.splits import GAMES, POSITIONS, SPLITS, Sample, kinds_of, samples
from ninefold.rules import Rules
from ninefold.text import format_set, quote_value, shorten

with required_by(__name__):
    import numpy as np

Act = Callable[[Rules, Sequence[int]], object]
PARTS = 2**20
"""Chances made from weights are multiples of 1 / ``PARTS``."""


class WeightedPolicy(Struct, frozen=True, eq=False):
    """A policy for one game: at each position, how many ``PARTS`` each move has."""

    rules: Rules
    parts: dict[int, list[int]]

    def distribution(self, rules: Rules, total: int) -> dict[int, Fraction]:
        """Return the chance of each move at a position of its game."""
        if rules != self.rules:
            message = "this policy was made for other rules; make one for these"
            raise TheoryError(message)
        moves = zip(rules.multipliers, self.parts[total], strict=True)
        return {m: Fraction(part, PARTS) for m, part in moves if part}


def policy_from(rules: Rules, learner: Act | Policy) -> WeightedPolicy:
    """Return the policy of a learner in one game, for ``ninefold.matchups``.

    The learner is asked once, about all positions. Each chance is rounded to a multiple
    of 1 / 2^20, and all those at a position add up to exactly 1.
    """
    totals = Matchups(rules).positions
    exact = _shares(_act_of(learner), rules, totals) * PARTS
    parts = np.floor(exact).astype(np.int64)
    missing = PARTS - parts.sum(axis=1, keepdims=True)
    # The shares that lost most in rounding get one part more.
    rank = np.argsort(np.argsort(parts - exact, axis=1, kind="stable"), axis=1)
    parts += rank < missing
    return WeightedPolicy(rules, dict(zip(totals, parts.tolist(), strict=True)))


class Row(Struct, frozen=True):
    """The regret of a learner at positions of games of one size."""

    multipliers: tuple[int, ...]
    digits: int
    """The number of digits of the targets."""
    positions: int
    regret: float
    """The weight on losing moves, the mean over all positions."""
    error: float
    """The standard error of the regret, from the differences between games."""
    random: float
    """The regret of random play."""


class Report(Struct, frozen=True):
    """The regrets of a learner on a split. As text it is a Markdown table."""

    split: str
    rows: tuple[Row, ...]

    @property
    def score(self) -> float:
        """The mean over the rows of 1 - regret / random: 1 for perfect play."""
        return 1 - fmean(row.regret / row.random for row in self.rows)

    @property
    def error(self) -> float:
        """The standard error of the score."""
        return hypot(*(row.error / row.random for row in self.rows)) / len(self.rows)

    def __str__(self) -> str:
        lines = ["| " + " | ".join(Row.__struct_fields__) + " |"]
        lines.append("| ---" + " | ---:" * (len(Row.__struct_fields__) - 1) + " |")
        lines += [
            f"| {format_set(row.multipliers)} | {row.digits} | {row.positions:,}"
            f" | {row.regret:.3f} | {row.error:.3f} | {row.random:.3f} |"
            for row in self.rows
        ]
        score = f"Score on {self.split}: {self.score:.3f} ± {self.error:.3f}"
        return "\n".join([*lines, "", score])


def judge(learner: Act | Policy, split: str = "test") -> Report:
    """Return the regrets of a learner, or of a policy, at the positions of a split.

    From ``train``, which is endless, it takes the first samples of seed 0, as many as
    ``dev`` has.
    """
    kinds, act = kinds_of(split), _act_of(learner)
    games = [_regrets(act, sample) for sample in _judged(split)]
    rows = []
    for place, kind in enumerate(kinds):
        regrets, random = zip(*games[place :: len(kinds)], strict=True)
        error = stdev(regrets) / sqrt(GAMES)
        means = fmean(regrets), error, fmean(random)
        rows.append(Row(*kind, GAMES * POSITIONS, *means))
    return Report(split, tuple(rows))


@lru_cache(maxsize=len(SPLITS))
def _judged(split: str) -> list[Sample]:
    """Return the samples that a learner is judged at, drawn once."""
    return list(islice(samples(split), GAMES * len(kinds_of(split))))


def _regrets(act: Act, sample: Sample) -> tuple[float, float]:
    """Return the regret of a learner in one game, and that of random play."""
    multipliers = sample.rules.multipliers
    losing = np.array(
        [[m not in winning for m in multipliers] for winning in sample.winning_moves]
    )
    shares = _shares(act, sample.rules, sample.totals)
    return float((shares * losing).sum(axis=1).mean()), float(losing.mean())


def _act_of(learner: Act | Policy) -> Act:
    """Return a learner as it is, and a policy as a learner."""
    if not isinstance(learner, Policy):
        if callable(learner):
            return learner
        message = (
            "a learner is a function act(rules, totals), or a policy, which has a"
            f" distribution; not {quote_value(learner)}"
        )
        raise SetupError(message)
    policy = learner

    def act(rules: Rules, totals: Sequence[int]) -> list[list[float]]:
        rows = []
        for total in totals:
            chances = chances_of(policy, rules, total)
            rows.append([chances.get(m, 0) for m in rules.multipliers])
        return rows

    return act


def _shares(act: Act, rules: Rules, totals: Sequence[int]) -> np.ndarray:
    """Return the weights of a learner; the row of each total adds up to 1."""
    shape = len(totals), len(rules.multipliers)
    given = act(rules, totals)
    try:
        weights = np.asarray(given, dtype=np.float64)
    except (OverflowError, TypeError, ValueError):
        weights = np.empty(0)
    if weights.shape != shape:
        message = (
            f"act must return an array of floats with {shape[0]} rows, one for each"
            f" total, and {shape[1]} columns, one for each multiplier"
        )
        raise TheoryError(message)
    most = weights.max(axis=1)
    valid = (weights >= 0).all(axis=1) & (most > 0) & np.isfinite(most)
    if not valid.all():
        total = totals[int(valid.argmin())]
        message = (
            f"at {shorten(total)} the weights must be finite numbers of 0 or more, and"
            " not all 0; fix what act returns"
        )
        raise TheoryError(message)
    scaled = weights / most[:, np.newaxis]  # so that no sum overflows
    return scaled / scaled.sum(axis=1, keepdims=True)
