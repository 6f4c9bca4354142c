"""Exact chances of any two ways to play against each other.

A game has few positions: 140 to reach 1,000. So the chance that one policy beats
another is a sum over them. A game with too many positions raises ``TooLarge``.

>>> from random import Random
>>> from ninefold import LEVELS, Ending, Rules
>>> rules = Rules(Ending.REACH, 100)
>>> planner, expert = (LEVELS[name].player(Random(1)) for name in ("planner", "expert"))
>>> matchup(rules, planner, expert)
Fraction(3, 5)
>>> best_response(rules, planner).second
Fraction(1, 2)
>>> best_response(rules, planner).exploitability
Fraction(1, 2)
>>> [(mistake.total, mistake.chance) for mistake in regret(rules, planner).mistakes]
[(1, Fraction(1, 2)), (2, Fraction(1, 4))]
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import lcm
from operator import mul
from random import Random
from typing import Protocol, runtime_checkable

from msgspec import Struct

from ninefold.errors import TheoryError, TooLarge
from ninefold.levels import LEVELS
from ninefold.rules import Rules
from ninefold.text import shorten
from ninefold.theory import all_positions, oracle_for

MOST_POSITIONS = 100_000
"""The most positions of a game; fewer if there are many multipliers or moves."""
_MOST_STEPS = 1_000_000
_BITS_IN_A_STEP = 1024
_WON, _LOST = range(2)
"""The indices for totals that end the game: the last mover has won, or lost."""


@runtime_checkable
class Policy(Protocol):
    """A way to play: the chance of each move, at any position of a game."""

    def distribution(self, rules: Rules, total: int) -> Mapping[int, Fraction]:
        """Return the chance of each move at a position."""


class BestResponse:
    """The policy that wins most against a given one, and how much it wins."""

    def __init__(
        self, rules: Rules, moves: Mapping[int, int], first: Fraction, second: Fraction
    ) -> None:
        self.rules = rules
        self.moves = moves
        """Its move at each position."""
        self.first = first
        """The chance that it wins when it starts."""
        self.second = second
        """The chance that it wins when the other policy starts."""

    @property
    def exploitability(self) -> Fraction:
        """What it gains over an even game in the mean of both seats; 0 at least.

        A win counts 1 and a loss -1, as OpenSpiel defines it. Where games are long it
        is close to 1 for any policy that errs; ``regret`` still tells those apart.
        """
        return self.first + self.second - 1

    def distribution(self, rules: Rules, total: int) -> dict[int, Fraction]:
        """Return its only move at a position of its game."""
        if rules != self.rules:
            message = "this best response is for other rules; compute one for these"
            raise TheoryError(message)
        return {self.moves[total]: Fraction(1)}


class Mistake(Struct, frozen=True):
    """A won position at which a policy may make a move that loses."""

    total: int
    chance: Fraction
    """The chance of a losing move."""
    moves: tuple[int, ...]
    """The losing moves that it may make, ascending."""
    winning_moves: tuple[int, ...]


class Regret(Struct, frozen=True):
    """Where a policy may give a won position away, and the cost."""

    won: int
    """The number of positions at which some move wins."""
    mistakes: tuple[Mistake, ...]
    """Ascending by total."""
    cost: Fraction
    """The chance that it loses against Perfect from the winning seat."""


def matchup(rules: Rules, one: Policy, two: Policy) -> Fraction:
    """Return the chance that ``one``, which starts, beats ``two``."""
    return Matchups(rules).matchup(one, two)


def best_response(rules: Rules, policy: Policy) -> BestResponse:
    """Return the policy that wins most against this one."""
    return Matchups(rules).best_response(policy)


def regret(rules: Rules, policy: Policy) -> Regret:
    """Return where a policy may give a won position away, and the cost."""
    return Matchups(rules).regret(policy)


class _Table(Struct, frozen=True):
    """A policy at every position.

    ``whole`` is the common denominator of its chances. A row of ``rows`` holds the
    numerators of a position's moves and the indices of the positions they lead to.
    """

    asked: dict[int, Mapping[int, Fraction]]
    whole: int
    rows: list[tuple[tuple[int, ...], tuple[int, ...]]]


class Matchups:
    """Matchups, best responses and regrets of several policies in one game.

    Each policy's ``distribution`` is called once per position. Chances are integers
    over one common denominator: that of all the policy's chances, to the power of the
    longest game. Each move divides by it once, without a remainder. A game with too
    many positions raises ``TooLarge``.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._tables: dict[Policy, _Table] = {}
        self._chances: dict[tuple[Policy, Policy], Fraction] = {}
        self._longest, total = 0, rules.start
        while total < rules.target:
            total *= rules.multipliers[0]
            self._longest += 1
        # The numerators of a long game are long numbers, slow to multiply.
        choices = len(rules.multipliers)
        steps = choices * (1 + self._longest * choices // _BITS_IN_A_STEP)
        found = all_positions(rules, min(MOST_POSITIONS, _MOST_STEPS // steps))
        if found is None:
            message = (
                "this game has too many positions for exact chances; choose a smaller"
                " target or fewer multipliers"
            )
            raise TooLarge(message)
        self.positions = found
        """Every position, ascending."""
        # Moves increase the total, so the highest positions are computed first.
        downward = found[::-1]
        place_of = {total: place for place, total in enumerate(downward, _LOST + 1)}

        def place(total: int) -> int:
            verdict = rules.verdict(total)
            if verdict is None:
                return place_of[total]
            return _WON if verdict.mover_wins else _LOST

        self._places = {
            total: {m: place(rules.after(total, m)) for m in rules.multipliers}
            for total in downward
        }

    def matchup(self, one: Policy, two: Policy) -> Fraction:
        """Return the chance that ``one``, which starts, beats ``two``."""
        if (one, two) not in self._chances:
            self._compare(one, two)
        return self._chances[one, two]

    def _compare(self, one: Policy, two: Policy) -> None:
        """Compute both chances: with ``one`` starting, and with ``two``."""
        mine, yours = self._table(one), self._table(two)
        whole = (mine.whole * yours.whole) ** -(-self._longest // 2)
        # For each place, the numerator of the win chance of the policy to move; the
        # rest is the other policy's.
        ones, twos = [0, whole], [0, whole]
        for (weights, places), (others, other_places) in zip(
            mine.rows, yours.rows, strict=True
        ):
            losing = sum(map(mul, weights, map(twos.__getitem__, places)))
            other_losing = sum(map(mul, others, map(ones.__getitem__, other_places)))
            ones.append(whole - losing // mine.whole)
            twos.append(whole - other_losing // yours.whole)
        self._chances[one, two] = Fraction(ones[-1], whole)
        self._chances[two, one] = Fraction(twos[-1], whole)

    def best_response(self, policy: Policy) -> BestResponse:
        """Return the policy that wins most against this one."""
        table = self._table(policy)
        whole = table.whole ** -(-self._longest // 2)
        mine, theirs = [0, whole], [0, whole]
        moves = {}
        for (total, leads), (weights, places) in zip(
            self._places.items(), table.rows, strict=True
        ):
            moves[total] = min(leads, key=lambda m: theirs[leads[m]])
            best = whole - theirs[leads[moves[total]]]
            losing = sum(map(mul, weights, map(mine.__getitem__, places)))
            mine.append(best)
            theirs.append(whole - losing // table.whole)
        second = whole - theirs[-1]
        return BestResponse(
            self.rules, moves, Fraction(mine[-1], whole), Fraction(second, whole)
        )

    def regret(self, policy: Policy) -> Regret:
        """Return where a policy may give a won position away, and the cost."""
        oracle = oracle_for(self.rules)
        begins = oracle.wins(self.rules.start)
        perfect = LEVELS["perfect"].player(Random(1))
        won, mistakes = 0, []
        for total, chances in sorted(self._table(policy).asked.items()):
            oracle.accept(total)
            winning = oracle.winning_moves(total)
            won += bool(winning)
            losing = {m: c for m, c in chances.items() if c and m not in winning}
            if winning and losing:
                chance = sum(losing.values(), Fraction())
                mistakes.append(Mistake(total, chance, tuple(sorted(losing)), winning))
        if begins:
            cost = 1 - self.matchup(policy, perfect)
        else:
            cost = self.matchup(perfect, policy)
        return Regret(won, tuple(mistakes), cost)

    def _table(self, policy: Policy) -> _Table:
        """Return the table of a policy, computed once."""
        if policy in self._tables:
            return self._tables[policy]
        asked = {t: policy.distribution(self.rules, t) for t in self._places}
        parts = [
            [chance.as_integer_ratio() for chance in each.values()]
            for each in asked.values()
        ]
        whole = lcm(*{parted for each in parts for _, parted in each})
        rows = []
        for (total, leads), chances, each in zip(
            self._places.items(), asked.values(), parts, strict=True
        ):
            weights = tuple([part * (whole // parted) for part, parted in each])
            odd = sum(weights) != whole or min(weights) < 0
            if odd or not chances.keys() <= leads.keys():
                message = (
                    f"at {shorten(total)} the policy's chances must cover legal"
                    " multipliers only and add up to 1; fix its distribution"
                )
                raise TheoryError(message)
            rows.append((weights, tuple([leads[m] for m in chances])))
        self._tables[policy] = _Table(asked, whole, rows)
        return self._tables[policy]
