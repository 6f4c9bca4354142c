"""The perfect answer at any position, for any rules, and why it is so.

::

    budget    how much work a question may take
    room      a position comes down to one number
    runs      what follows from it is constant on runs of rooms, which repeat
    products  which totals are positions at all
    exact     how EXACT ends
    oracle    who wins, how, how soon
    chances   the chances of players who play at random
    design    which targets belong to whom
    ladder    why a total is lost, as data
    reasons   the same in sentences, for every surface
"""

from ninefold.theory.budget import Budget
from ninefold.theory.chances import Chances, Odds, odds
from ninefold.theory.design import (
    Stretch,
    nearest_second_player_target,
    openings,
    who_wins,
)
from ninefold.theory.ladder import Bust, Group, Ladder, Line, Rung
from ninefold.theory.oracle import Oracle, oracle_for
from ninefold.theory.reasons import Ended, Lost, Position, Won, explain
from ninefold.theory.room import Band

__all__ = [
    "Band",
    "Budget",
    "Bust",
    "Chances",
    "Ended",
    "Group",
    "Ladder",
    "Line",
    "Lost",
    "Odds",
    "Oracle",
    "Position",
    "Rung",
    "Stretch",
    "Won",
    "explain",
    "nearest_second_player_target",
    "odds",
    "openings",
    "oracle_for",
    "who_wins",
]
