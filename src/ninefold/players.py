"""The computer's levels: they err as people do, up to one that never does.

A player has its own ``Random`` and chooses one multiplier at a time. It sees the game
and nothing else, so the same game and the same chance give the same move.

>>> from random import Random
>>> from ninefold import Ending, Game, Rules
>>> opponent = LEVELS["perfect"].player(Random(1))
>>> opponent.choose(Game.start(Rules(Ending.REACH, 1000)))
5
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from msgspec import Struct

from ninefold.errors import GameOver, TooLarge
from ninefold.game import Game
from ninefold.rules import Rules
from ninefold.theory import Oracle, oracle_for

HUMAN = "human"
"""The player of a seat that a person plays; any other is the name of a level."""
BOT = "bot:"
"""Begins the player of a seat that a program plays; its command line follows."""


class Beginner:
    """Plays anything, by ``rng``; an oracle for the rules saves other levels work."""

    def __init__(self, rng: Random, oracle: Oracle | None = None) -> None:
        self.rng = rng
        self._oracle = oracle

    def choose(self, game: Game) -> int:
        """Choose a multiplier for the seat to move."""
        _refuse_after_the_end(game)
        return self.rng.choice(self.candidates(game.rules, game.total))

    def candidates(self, rules: Rules, total: int) -> Sequence[int]:
        """Return the moves that look equally good to it."""
        return rules.multipliers


class Careful(Beginner):
    """Sees its own next move: takes a win, and avoids a loss."""

    def candidates(self, rules: Rules, total: int) -> Sequence[int]:
        """Return the moves that win at once; else those that do not lose at once."""
        winning = [m for m in rules.multipliers if rules.wins_at_once(total, m)]
        safe = [m for m in rules.multipliers if not rules.loses_at_once(total, m)]
        return winning or safe or rules.multipliers


class Planner(Careful):
    """Looks one answer further: at what the other player could do at once."""

    def candidates(self, rules: Rules, total: int) -> Sequence[int]:
        """Return the moves that trap the other, else those that hand over no win."""
        moves = super().candidates(rules, total)
        left = {m: rules.after(total, m) for m in moves}
        if any(rules.verdict(after) is not None for after in left.values()):
            return moves
        trapping = [
            m
            for m in moves
            if all(rules.loses_at_once(left[m], answer) for answer in rules.multipliers)
        ]
        sound = [
            m
            for m in moves
            if not any(
                rules.wins_at_once(left[m], answer) for answer in rules.multipliers
            )
        ]
        return trapping or sound or moves


class Perfect(Planner):
    """Never makes a mistake.

    When it is lost, it plays the move after which the fewest answers still win, and
    of those the one that holds out longest. Where the rules are too large for an exact
    answer, it plans as ``Planner`` does until the end is near enough. With an oracle
    it plays by the oracle's rules, and refuses a game by others.
    """

    def choose(self, game: Game) -> int:
        _refuse_after_the_end(game)
        oracle = oracle_for(game.rules, self._oracle)
        oracle.accept(game.total)
        try:
            winning = oracle.winning_moves(game.total)
        except TooLarge:
            return super().choose(game)
        return self.answer(oracle, game.total, winning)

    def answer(self, oracle: Oracle, total: int, winning: Sequence[int]) -> int:
        """Choose a multiplier, knowing which ones win."""
        if not winning:
            return by_resistance(oracle, total)[0]
        try:
            return oracle.best_move(total)
        except TooLarge:
            return winning[len(winning) // 2]


class Expert(Perfect):
    """Knows which totals are lost, but slips.

    Slips come mostly where a band's edge is near, for there a neighbouring multiplier
    looks as good, and in games that are still long.
    """

    def answer(self, oracle: Oracle, total: int, winning: Sequence[int]) -> int:
        right = super().answer(oracle, total, winning)
        rules = oracle.rules
        tempting = [
            m
            for m in rules.multipliers
            if m not in winning and not rules.loses_at_once(total, m)
        ]
        if not winning or not tempting or rules.wins_at_once(total, right):
            return right
        near = [m for m in tempting if m - 1 in winning or m + 1 in winning]
        chance = slip_chance(_plies(oracle, total), at_edge=bool(near))
        if self.rng.random() >= chance:
            return right
        return self.rng.choice(near or tempting)


_SLIP = 0.04
_SLIP_AT_EDGE = 0.10
_SLIP_PER_MOVE = 0.02
_LONG = 10


def slip_chance(plies: int, *, at_edge: bool) -> float:
    """Return how likely the expert slips, this many moves before the end.

    >>> [round(slip_chance(plies, at_edge=False), 2) for plies in (1, 5, 10, 99)]
    [0.06, 0.14, 0.24, 0.24]
    >>> round(slip_chance(5, at_edge=True), 2)
    0.24
    """
    chance = _SLIP + (_SLIP_AT_EDGE if at_edge else 0)
    return chance + _SLIP_PER_MOVE * min(plies, _LONG)


class Level(Struct, frozen=True):
    """A level: its name, its character, and a function that makes its player."""

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
        Level(
            "careful", "Sees its own next move: takes a win, avoids a loss.", Careful
        ),
        Level("planner", "Sees its own next move and your answer to it.", Planner),
        Level("expert", "Knows which totals are lost, but slips now and then.", Expert),
        Level("perfect", "Never makes a mistake.", Perfect),
    )
}
"""The levels by name, each stronger than the one before."""


def by_resistance(oracle: Oracle, total: int) -> list[int]:
    """Return the multipliers at a lost total, those hardest to answer first."""
    rules = oracle.rules

    def resistance(multiplier: int) -> tuple[bool, int, int]:
        """Rank a move, lowest best: goes on, few winning answers, a long way to go."""
        after = rules.after(total, multiplier)
        if rules.verdict(after) is not None:
            return (True, 0, 0)
        oracle.accept(after)
        answers = len(oracle.winning_moves(after))
        return (False, answers, -_plies(oracle, after))

    return sorted(rules.multipliers, key=resistance)


def _plies(oracle: Oracle, total: int) -> int:
    """Return the moves to the end; where they cannot be counted there are many."""
    try:
        return oracle.distance(total)
    except TooLarge:
        return _LONG


def _refuse_after_the_end(game: Game) -> None:
    if game.outcome is not None:
        message = "the game is over: nobody is to move; start another"
        raise GameOver(message)
