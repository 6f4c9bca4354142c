"""Self-play of many games at once, in NumPy.

>>> from random import Random
>>> import numpy as np
>>> from ninefold import Ending, Rules
>>> batch = Batch(Rules(Ending.REACH, 100), 3)
>>> batch.play(np.array([0, 6, 7]))
(array([False, False, False]), array([False, False, False]))
>>> [batch.totals[place] for place in batch.places]
[2, 8, 9]
"""

from __future__ import annotations

from ninefold.rl.arguments import check_size
from ninefold.rl.extras import required_by
from ninefold.rl.places import Places, check_actions
from ninefold.rules import Rules

with required_by(__name__):
    import numpy as np


class Batch:
    """``size`` games of the same rules, in which every call plays one move.

    A game that has ended ignores its next action and starts again. Rules with too many
    positions for a table raise ``TooLarge``.
    """

    def __init__(self, rules: Rules, size: int) -> None:
        size = check_size("size", size)
        table = Places((rules,))
        self.rules = rules
        self.totals = table.totals
        """The total of each place: first the positions, ascending, then the ends."""
        self._choices = len(rules.multipliers)
        # A place is stored as the index of its row in a table of one dimension.
        ends = np.full(
            (len(table.totals) - table.positions, self._choices), table.starts
        )
        self._after = np.concatenate((table.after, ends)).ravel() * self._choices
        self._first_end = table.positions * self._choices
        self._first_won = table.first_won * self._choices
        self._rows = np.zeros(size, np.intp) + table.starts * self._choices
        self._moves = np.empty_like(self._rows)

    @property
    def places(self) -> np.ndarray:
        """Where each game is: an index of ``totals``."""
        return self._rows // self._choices

    def play(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Play a move in each game; return which have ended, and which the mover won.

        If one action is not legal, ``MoveError`` is raised and no game moves.
        """
        checked = check_actions(actions, len(self._rows), self._choices)
        np.add(self._rows, checked, out=self._moves)
        # They are in range: clip writes at once, raise would write to a copy first.
        self._after.take(self._moves, out=self._rows, mode="clip")
        return self._rows >= self._first_end, self._rows >= self._first_won
