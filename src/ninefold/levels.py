"""The computer's levels: four that err as people do, and one that never does.

A player has its own ``Random`` and chooses one multiplier at a time. It sees only the
game, so the same game and the same random state give the same move. Its
``distribution`` is the chance of each move; ``choose`` draws from it.

>>> from random import Random
>>> from ninefold import Ending, Game, Rules
>>> opponent = LEVELS["perfect"].player(Random(1))
>>> opponent.choose(Game.start(Rules(Ending.REACH, 1000)))
5
>>> LEVELS["expert"].player(Random(1)).distribution(Rules(Ending.REACH, 1000), 1)
{5: Fraction(19, 25), 3: Fraction(3, 25), 7: Fraction(3, 25)}
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from math import lcm
from random import Random

from msgspec import Struct

from ninefold.errors import GameOver, TooLarge
from ninefold.game import Game
from ninefold.rules import Rules
from ninefold.theory import Oracle, oracle_for

HUMAN = "human"
"""The kind of player that a person is; a level's kind is its name."""
BOT = "bot"
"""The kind of player that an external program is."""
BOT_PREFIX = f"{BOT}:"
"""The prefix of a bot's command line, where a player is named."""
_POSITIONS_KEPT = 4096
_SURE = Fraction(1)


class Lottery(Struct, frozen=True):
    """Moves to draw from, each with its chance.

    >>> third = Lottery.of({2: Fraction(1, 3), 5: Fraction(2, 3)})
    >>> third
    Lottery(moves=(2, 5), ends=(1, 3))
    >>> third.draw(Random(1))
    2
    """

    moves: tuple[int, ...]
    ends: tuple[int, ...]
    """For each move, the first lot after its own; the last is the number of lots."""

    @classmethod
    def of(cls, chances: Mapping[int, Fraction]) -> Lottery:
        lots = lcm(*(c.denominator for c in chances.values()))
        ends = accumulate(
            c.numerator * (lots // c.denominator) for c in chances.values()
        )
        return cls(tuple(chances), tuple(ends))

    def draw(self, rng: Random) -> int:
        """Draw a move; a single move uses no randomness."""
        if len(self.moves) == 1:
            return self.moves[0]
        return self.moves[bisect_right(self.ends, rng.randrange(self.ends[-1]))]


class Beginner:
    """Plays any multiplier at random; only stronger levels use the oracle."""

    def __init__(self, rng: Random, oracle: Oracle | None = None) -> None:
        self.rng = rng
        self._oracle = oracle
        self._lotteries: dict[tuple[Rules, int], Lottery] = {}

    def choose(self, game: Game) -> int:
        """Draw a multiplier for the seat to move from ``distribution``."""
        refuse_after_the_end(game)
        position = game.rules, game.total
        lottery = self._lotteries.get(position)
        if lottery is None:
            if len(self._lotteries) >= _POSITIONS_KEPT:
                self._lotteries.clear()
            lottery = Lottery.of(self.distribution(*position))
            self._lotteries[position] = lottery
        return lottery.draw(self.rng)

    def distribution(self, rules: Rules, total: int) -> dict[int, Fraction]:
        """Return the chance of each move that the level may make at a position.

        The total must be reachable and below the target, which is not checked.
        """
        candidates = self.candidates(rules, total)
        return dict.fromkeys(candidates, Fraction(1, len(candidates)))

    def candidates(self, rules: Rules, total: int) -> Sequence[int]:
        """Return the moves that look equally good to the level."""
        return rules.multipliers


class Careful(Beginner):
    """Looks one move ahead: takes a win, and avoids a loss."""

    def candidates(self, rules: Rules, total: int) -> Sequence[int]:
        """Return the moves that win at once, else those that do not lose at once."""
        winning, safe = _at_once(rules, total)
        return winning or safe or rules.multipliers


class Planner(Careful):
    """Looks two moves ahead: at its own move and the other player's reply."""

    def candidates(self, rules: Rules, total: int) -> Sequence[int]:
        """Return the moves that leave only losing replies, else no winning reply."""
        moves = super().candidates(rules, total)
        left = {m: rules.after(total, m) for m in moves}
        if any(rules.verdict(after) is not None for after in left.values()):
            return moves
        answers = {m: _at_once(rules, after) for m, after in left.items()}
        trapping = [m for m, (_, safe) in answers.items() if not safe]
        sound = [m for m, (winning, _) in answers.items() if not winning]
        return trapping or sound or moves


class Perfect(Planner):
    """Never makes a mistake.

    From a lost total, it plays the move after which the fewest replies win, and of
    those the one that lasts longest. If the rules are too large for an exact answer,
    it plays as ``Planner`` does until the end is near enough. An oracle for other
    rules than the game's is rejected.
    """

    def distribution(self, rules: Rules, total: int) -> dict[int, Fraction]:
        oracle = oracle_for(rules, self._oracle)
        oracle.accept(total)
        try:
            winning = oracle.winning_moves(total)
        except TooLarge:
            return super().distribution(rules, total)
        return self.answer(oracle, total, winning)

    def answer(
        self, oracle: Oracle, total: int, winning: Sequence[int]
    ) -> dict[int, Fraction]:
        """Return the chance of each move, given the winning ones."""
        return {_right_move(oracle, total, winning): _SURE}


class Expert(Perfect):
    """Knows which totals are lost, but slips.

    It slips most near the edge of a band, where a neighbouring multiplier looks as
    good, and far from the end of the game.
    """

    def answer(
        self, oracle: Oracle, total: int, winning: Sequence[int]
    ) -> dict[int, Fraction]:
        right = _right_move(oracle, total, winning)
        ending, safe = _at_once(oracle.rules, total)
        tempting = [m for m in safe if m not in winning]
        if not winning or not tempting or right in ending:
            return {right: _SURE}
        near = [m for m in tempting if m - 1 in winning or m + 1 in winning]
        slips = near or tempting
        chance = slip_chance(_plies(oracle, total), at_edge=bool(near))
        return {right: 1 - chance, **dict.fromkeys(slips, chance / len(slips))}


_SLIP = 4
_SLIP_AT_EDGE = 10
_SLIP_PER_MOVE = 2
_LONG = 10


def slip_chance(plies: int, *, at_edge: bool) -> Fraction:
    """Return how likely the expert is to slip, this many moves before the end.

    >>> [float(slip_chance(plies, at_edge=False)) for plies in (1, 5, 10, 99)]
    [0.06, 0.14, 0.24, 0.24]
    >>> slip_chance(5, at_edge=True)
    Fraction(6, 25)
    """
    per_cent = _SLIP + (_SLIP_AT_EDGE if at_edge else 0)
    return Fraction(per_cent + _SLIP_PER_MOVE * min(plies, _LONG), 100)


class Level(Struct, frozen=True):
    """A level: its name, its description, and the class of its player."""

    name: str
    character: str
    player: type[Beginner]

    @property
    def title(self) -> str:
        """The name of a seat that the level plays: ``Planner``."""
        return self.name.capitalize()


LEVELS = {
    level.name: level
    for level in (
        Level("beginner", "Plays anything that comes to mind.", Beginner),
        Level("careful", "Looks one move ahead: takes a win, avoids a loss.", Careful),
        Level(
            "planner", "Looks two moves ahead: its own move and your reply.", Planner
        ),
        Level(
            "expert", "Knows where every move loses, but slips now and then.", Expert
        ),
        Level("perfect", "Never makes a mistake.", Perfect),
    )
}
"""The levels by name, each stronger than the one before."""


@lru_cache(maxsize=_POSITIONS_KEPT)
def _at_once(rules: Rules, total: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the moves that win at once, and those that do not lose at once."""
    multipliers = rules.multipliers
    # A move that stays below the target neither wins nor loses: skip those.
    quiet = multipliers[: bisect_left(multipliers, -(-rules.target // total))]
    winning = tuple(
        [m for m in multipliers[len(quiet) :] if rules.wins_at_once(total, m)]
    )
    return winning, quiet + winning


def _right_move(oracle: Oracle, total: int, winning: Sequence[int]) -> int:
    """Return the best move, given the winning ones."""
    if not winning:
        return by_resistance(oracle, total)[0]
    try:
        return oracle.best_move(total)
    except TooLarge:
        return winning[len(winning) // 2]


def by_resistance(oracle: Oracle, total: int) -> list[int]:
    """Return the multipliers at a lost total, those hardest to answer first."""
    rules = oracle.rules

    def resistance(multiplier: int) -> tuple[bool, int, int]:
        """Return a sort key: first the hardest to answer, last what ends the game."""
        after = rules.after(total, multiplier)
        if rules.verdict(after) is not None:
            return (True, 0, 0)
        oracle.accept(after)
        answers = len(oracle.winning_moves(after))
        return (False, answers, -_plies(oracle, after))

    return sorted(rules.multipliers, key=resistance)


def _plies(oracle: Oracle, total: int) -> int:
    """Return the number of moves to the end; ``_LONG`` if it cannot be computed."""
    try:
        return oracle.distance(total)
    except TooLarge:
        return _LONG


def refuse_after_the_end(game: Game) -> None:
    """Raise ``GameOver`` if the game has ended."""
    if game.outcome is not None:
        message = "the game is over; start another"
        raise GameOver(message)
