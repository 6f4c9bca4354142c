"""The perfect answer at any position, for any rules, and its reason.

::

    work_budget            how much work one question may take
    value_runs             functions of the room, constant on runs that repeat
    reachable_totals       which totals can be reached
    oracle                 who wins, how, how soon; the room that decides a position
    random_play_odds       the chances of players who play at random
    targets                which targets the first or the second player wins
    proof                  why a total is lost, as data
    explanation            why a position is won or lost: the reason, and its sentences
    explanation_sentences  the words for one step of a proof
"""

from ninefold.theory.explanation import Ended, Lost, Position, Won, explain
from ninefold.theory.oracle import Band, Oracle, oracle_for
from ninefold.theory.proof import Rung
from ninefold.theory.random_play_odds import Chances, Odds, odds
from ninefold.theory.reachable_totals import all_positions
from ninefold.theory.targets import (
    Stretch,
    nearest_second_player_target,
    who_wins,
)
from ninefold.theory.work_budget import Budget

__all__ = [
    "Band",
    "Budget",
    "Chances",
    "Ended",
    "Lost",
    "Odds",
    "Oracle",
    "Position",
    "Rung",
    "Stretch",
    "Won",
    "all_positions",
    "explain",
    "nearest_second_player_target",
    "odds",
    "oracle_for",
    "who_wins",
]
