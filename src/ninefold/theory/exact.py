"""How EXACT ends: with the target itself, or with a move that passes it."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock

from ninefold.theory.budget import Budget
from ninefold.theory.products import without_factors_of
from ninefold.theory.runs import Steps

_ROOMS_KEPT = 8_192  # one answer may need thousands of them
_STEPS_FOR_A_ROOM = 8


class Finish:
    """Whether the winner can make the target exactly and lose no time by it.

    At a total that divides the target the room is the factor that is missing. Making
    the target saves the one move by which the loser would pass it, and nothing can
    save two: play that ends on the target, and one move more, is play that ends by
    passing it. So the target must be made without losing time: the winner has a
    quickest move after which it can be, and after every move that holds out longest
    it still can.

    Threads may share it; one at a time works rooms out.
    """

    __slots__ = ("_distances", "_known", "_multipliers", "_working")

    def __init__(self, multipliers: Sequence[int], distances: Steps) -> None:
        """Take the moves until somebody passes the limit, by room."""
        self._multipliers = tuple(multipliers)
        self._distances = distances
        self._known: dict[int, bool] = {}
        self._working = Lock()

    def is_exact(self, room: int, budget: Budget) -> bool:
        """Whether the quickest play from a room ends on the target."""
        found = self._known.get(room)
        if found is None:
            with self._working:
                found = self._work_out(room, budget)
        return found

    def _work_out(self, room: int, budget: Budget) -> bool:
        known = self._known
        if len(known) >= _ROOMS_KEPT:
            known.clear()
        known[1] = True
        if without_factors_of(room, self._multipliers) > 1:
            known[room] = False
        waiting = [] if room in known else [room]
        while waiting:
            at = waiting[-1]
            budget.spend(_STEPS_FOR_A_ROOM + len(self._multipliers))
            plies, after = self._distances.with_moves(at)
            wins = plies % 2 == 0
            moves = [
                m
                for m, left in after.items()
                if left == plies - 1 and (at % m == 0 or not wins)
            ]
            # The winner needs one move after which it can be; the loser, one after
            # which it cannot.
            can_be = [known.get(at // m) if at % m == 0 else False for m in moves]
            if wins in can_be:
                known[waiting.pop()] = wins
            elif None in can_be:
                waiting.append(at // moves[can_be.index(None)])
            else:
                known[waiting.pop()] = not wins and bool(moves)
        return known[room]
