"""The computer's levels: they err as people do, up to one that never does.

>>> from random import Random
>>> from ninefold import Ending, Game, Rules
>>> opponent = LEVELS["perfect"].player(Random(1))
>>> opponent.choose(Game.start(Rules(Ending.REACH, 1000)))
5
"""

from __future__ import annotations

from ninefold.players.levels import HUMAN, LEVELS, Level, Player

__all__ = ["HUMAN", "LEVELS", "Level", "Player"]
