"""Advice for a teacher who chooses a game: whether it is short or one-sided.

The answer is exact for children who take a win at once, avoid a loss at once, and play
at random otherwise. The level Careful plays like that.
"""

from __future__ import annotations

from contextlib import suppress
from random import Random

from msgspec import Struct

from ninefold.errors import TooLarge
from ninefold.levels import LEVELS
from ninefold.matchups import Matchups
from ninefold.rules import Ending, Rules
from ninefold.text import format_set, shorten
from ninefold.theory import all_positions
from ninefold.theory.reachable_totals import products_of

_MOST_POSITIONS = 5_000
"""A game with more of them is neither short nor decided by its start."""
_SHORT = 3
_USUALLY, _RARELY = 0.75, 0.25


class Course(Struct, frozen=True):
    """How a game goes between children."""

    moves: float
    """The mean number of moves."""
    first_wins: float
    """The chance that the player who starts wins."""


def can_be_won(rules: Rules) -> bool:
    """Whether the game can be won: whether moves can make a target to hit exactly."""
    if rules.ending is not Ending.EXACT:
        return True
    factor, rest = divmod(rules.target, rules.start)
    with suppress(TooLarge):
        return not rest and products_of(rules.multipliers).has(factor)
    return True


def course_of(rules: Rules) -> Course | None:
    """Return how a game goes between children; None if it is too large."""
    if all_positions(rules, _MOST_POSITIONS) is None:
        return None
    try:
        game = Matchups(rules)
    except TooLarge:
        return None
    child = LEVELS["careful"].player(Random(0))
    left: dict[int, float] = {}
    for total in reversed(game.positions):
        chances = child.distribution(rules, total)
        # A total that ends the game is no position.
        left[total] = 1 + sum(
            float(chance) * left.get(rules.after(total, move), 0)
            for move, chance in chances.items()
        )
    return Course(left[rules.start], float(game.matchup(child, child)))


def advise(rules: Rules) -> str:
    """Return a warning about a short or one-sided game; "" if there is none.

    >>> advise(Rules(Ending.REACH, 100))
    'About 3 moves; whoever begins usually wins.'
    >>> advise(Rules(Ending.REACH, 1000))
    ''
    """
    sentences = []
    if not can_be_won(rules):
        sentences.append(
            f"Nobody can make {shorten(rules.target)} from {shorten(rules.start)} with"
            f" {format_set(rules.multipliers)}; whoever passes it loses."
        )
    course = course_of(rules)
    clauses = [] if course is None else [_length(course), _advantage(course)]
    warning = "; ".join(filter(None, clauses))
    if warning:
        sentences.append(f"{warning[0].upper()}{warning[1:]}.")
    return " ".join(sentences)


def _length(course: Course) -> str:
    moves = round(course.moves)
    if moves > _SHORT:
        return ""
    return "one move" if moves == 1 else f"about {moves} moves"


def _advantage(course: Course) -> str:
    chance = course.first_wins
    if chance in (0, 1):
        return f"whoever begins always {'wins' if chance else 'loses'}"
    if chance >= _USUALLY:
        return "whoever begins usually wins"
    return "whoever begins usually loses" if chance <= _RARELY else ""
