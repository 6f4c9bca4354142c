"""Exact chances between any two ways to play one of these games.

A game has few positions: 140 to reach 1,000. So the chance that one policy beats
another is a sum over them, not a sample of games. In a game with too many positions
to visit, games are sampled, and the answer says so.

>>> from random import Random
>>> from ninefold import LEVELS, Ending, Rules
>>> rules = Rules(Ending.REACH, 100)
>>> planner, expert = (LEVELS[name].player(Random(1)) for name in ("planner", "expert"))
>>> matchup(rules, planner, expert)
Matchup(chance=Fraction(3, 5), games=None)
>>> best_response(rules, planner).second
Fraction(1, 2)
>>> [(mistake.total, mistake.chance) for mistake in regret(rules, planner).mistakes]
[(1, Fraction(1, 2)), (2, Fraction(1, 4))]
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import lcm, sqrt
from operator import mul
from random import Random
from typing import Protocol

from msgspec import Struct

from ninefold.errors import TheoryError, TooLarge
from ninefold.players import LEVELS, Lottery
from ninefold.rules import Rules
from ninefold.text import shorten
from ninefold.theory import all_positions, oracle_for

MOST_POSITIONS = 100_000
"""A game of more is sampled; of fewer, where there are many multipliers or moves."""
_MOST_STEPS = 1_000_000
_BITS_IN_A_STEP = 1024
_SAMPLED_MOVES = 40_000
"""In all games together; fewer where there are many multipliers to look at."""
_WON, _LOST = range(2)
"""The places of totals at which the last mover has won, or lost."""


class Policy(Protocol):
    """A way to play: the chance of each move, at any position of a game."""

    def distribution(self, rules: Rules, total: int) -> Mapping[int, Fraction]:
        """Return the moves it may make at a position, and their chances."""


class Matchup(Struct, frozen=True):
    """The chance that the policy which begins beats the other one."""

    chance: Fraction
    games: int | None = None
    """How many games it was estimated from; None where it is exact."""

    @property
    def error(self) -> float:
        """The standard error of an estimate; 0 of an exact chance."""
        if self.games is None:
            return 0.0
        # With a win and a loss added, so that a few games won by one side prove little.
        share = (float(self.chance) * self.games + 1) / (self.games + 2)
        return sqrt(share * (1 - share) / self.games)


class BestResponse:
    """The policy that wins most against a given one, and how much it wins."""

    def __init__(
        self, rules: Rules, moves: Mapping[int, int], first: Fraction, second: Fraction
    ) -> None:
        self.rules = rules
        self.moves = moves
        """Its move at each position."""
        self.first = first
        """The chance that it wins when it begins."""
        self.second = second
        """The chance that it wins when the other begins."""

    def distribution(self, rules: Rules, total: int) -> dict[int, Fraction]:
        """Return the one move that it makes at a position of its game."""
        if rules != self.rules:
            message = "this best response is for other rules; find one for these"
            raise TheoryError(message)
        return {self.moves[total]: Fraction(1)}


class Mistake(Struct, frozen=True):
    """A won position at which a policy may make a move that loses."""

    total: int
    chance: Fraction
    """How likely it makes one."""
    moves: tuple[int, ...]
    """The losing moves that it may make."""
    winning_moves: tuple[int, ...]


class Regret(Struct, frozen=True):
    """Where a policy may give a won position away, and what that costs."""

    won: int
    """At how many positions some move wins."""
    mistakes: tuple[Mistake, ...]
    """Ascending by total."""
    cost: Fraction
    """The chance to win that it gives up against perfect, in the seat that can win."""
    games: int | None = None
    """How many games the positions are of, and the cost is estimated from; None where
    every position is looked at."""


def matchup(rules: Rules, one: Policy, two: Policy) -> Matchup:
    """Return the chance that the policy which begins, ``one``, beats the other."""
    return Matchups(rules).matchup(one, two)


def best_response(rules: Rules, policy: Policy) -> BestResponse:
    """Return the policy that wins most against this one.

    A game with too many positions is refused with ``TooLarge``.
    """
    return Matchups(rules).best_response(policy)


def regret(rules: Rules, policy: Policy) -> Regret:
    """Return where a policy may give a won position away, and what that costs."""
    return Matchups(rules).regret(policy)


class _Table(Struct, frozen=True):
    """A policy at every position: chances as parts of a whole, and where moves lead."""

    asked: dict[int, Mapping[int, Fraction]]
    whole: int
    rows: list[tuple[tuple[int, ...], tuple[int, ...]]]


class Matchups:
    """The same answers about one game, for several policies.

    Each policy is asked once at each position. Chances are whole numbers over one
    common denominator: that of all the policy's chances, to the power of the longest
    game. Each move divides by it once, without a rest. ``seed`` decides which games
    are sampled.
    """

    def __init__(self, rules: Rules, *, seed: int = 1) -> None:
        self.rules = rules
        self._seed = seed
        self._tables: dict[Policy, _Table] = {}
        self._chances: dict[tuple[Policy, Policy], Fraction] = {}
        self._longest, total = 0, rules.start
        while total < rules.target:
            total *= rules.multipliers[0]
            self._longest += 1
        # The parts of a long game are long numbers, and take longer to multiply.
        choices = len(rules.multipliers)
        steps = choices * (1 + self._longest * choices // _BITS_IN_A_STEP)
        found = all_positions(rules, min(MOST_POSITIONS, _MOST_STEPS // steps))
        self.positions = found
        """Every position, ascending; None where there are too many."""
        # Moves lead upward, so the highest positions come first.
        downward = found[::-1] if found else ()
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

    def matchup(self, one: Policy, two: Policy) -> Matchup:
        """Return the chance that the policy which begins, ``one``, beats the other."""
        if self.positions is None:
            return self._sample(one, two)[0]
        if (one, two) not in self._chances:
            self._compare(one, two)
        return Matchup(self._chances[one, two])

    def _compare(self, one: Policy, two: Policy) -> None:
        """Find the chances of both, whoever begins."""
        mine, yours = self._table(one), self._table(two)
        whole = (mine.whole * yours.whole) ** -(-self._longest // 2)
        # The chance of the policy to move at each place, in parts of the whole. What
        # it cannot win, the other does.
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
        if self.positions is None:
            message = (
                "a best response visits every position, and this game has too many;"
                " choose a smaller target or fewer multipliers"
            )
            raise TooLarge(message)
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
        """Return where a policy may give a won position away, and what that costs."""
        oracle = oracle_for(self.rules)
        begins = oracle.wins(self.rules.start)
        perfect = LEVELS["perfect"].player(Random(self._seed))
        pair = (policy, perfect) if begins else (perfect, policy)
        if self.positions is None:
            played, met = self._sample(*pair)
            asked = {t: policy.distribution(self.rules, t) for t in met}
        else:
            played, asked = self.matchup(*pair), self._table(policy).asked
        won, mistakes = 0, []
        for total, chances in sorted(asked.items()):
            oracle.accept(total)
            winning = oracle.winning_moves(total)
            won += bool(winning)
            losing = {m: c for m, c in chances.items() if c and m not in winning}
            if winning and losing:
                chance = sum(losing.values(), Fraction())
                mistakes.append(Mistake(total, chance, tuple(sorted(losing)), winning))
        cost = 1 - played.chance if begins else played.chance
        return Regret(won, tuple(mistakes), cost, played.games)

    def _table(self, policy: Policy) -> _Table:
        """Ask a policy at every position."""
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
                    f"at {shorten(total)} the chances of a policy must belong to"
                    " multipliers of the game and add up to 1; correct its distribution"
                )
                raise TheoryError(message)
            rows.append((weights, tuple([leads[m] for m in chances])))
        self._tables[policy] = _Table(asked, whole, rows)
        return self._tables[policy]

    def _sample(self, one: Policy, two: Policy) -> tuple[Matchup, set[int]]:
        """Play games; return how often ``one`` won, and the positions in them."""
        rules, rng = self.rules, Random(self._seed)
        met: set[int] = set()
        games = won = moves = 0
        most = _SAMPLED_MOVES // (1 + len(rules.multipliers) ** 2 // 100)
        while moves < most:
            total, begun = rules.start, moves
            to_move, waiting = one, two
            while (verdict := rules.verdict(total)) is None:
                met.add(total)
                lottery = Lottery.of(to_move.distribution(rules, total))
                total = rules.after(total, lottery.draw(rng))
                to_move, waiting = waiting, to_move
                moves += 1
            games += 1
            won += verdict.mover_wins == bool((moves - begun) % 2)
        return Matchup(Fraction(won, games), games), met
