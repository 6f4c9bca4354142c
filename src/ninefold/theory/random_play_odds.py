"""The exact chances of random play, against random or perfect play."""

from __future__ import annotations

from fractions import Fraction
from threading import Lock

from msgspec import Struct

from ninefold.rules import Ending, Rules
from ninefold.theory.oracle import Oracle
from ninefold.theory.work_budget import CHANCE_STEPS, Budget

_STEPS_FOR_A_ROOM = 8
_BITS_IN_A_STEP = 512  # a longer room takes longer to divide
_REFUSAL = "the game is too big to compute these chances; choose a smaller target"


class Odds(Struct, frozen=True):
    """The chances that the player to move wins, in three matchups.

    *First* is the player to move, *second* the other. A random player chooses each
    multiplier with equal chance.
    """

    both_random: Fraction
    """Both play at random."""
    first_perfect: Fraction
    """The first plays perfectly, the second at random."""
    second_perfect: Fraction
    """The first plays at random, the second perfectly."""


def odds(rules: Rules, total: int | None = None) -> Odds:
    """Return the chances of the player to move at a position, or at the start.

    >>> from ninefold import Ending, Rules
    >>> chances = odds(Rules(Ending.REACH, 100))
    >>> chances.both_random, chances.first_perfect, chances.second_perfect
    (Fraction(169455, 262144), Fraction(1, 1), Fraction(5, 32))
    """
    return Chances(Oracle(rules)).at(rules.start if total is None else total)


class Chances:
    """The chances at every position of one game, each computed once.

    Perfect play chooses the move with the best chance. At a won position that is a
    winning move, and the chance is 1; at a lost one it is the move after which a random
    opponent is most likely to slip.

    The chances depend on the room alone. That holds in EXACT too, where the target ends
    the game: facing it and having to pass it is as certain a loss. But nearly every
    reachable room has chances of its own, so all of them are visited: with the
    multipliers 2-9 there are 5,767 at 10^12, and 31,300 at 10^18. Games with too many
    raise ``TooLarge``. Threads may share it; one at a time computes rooms.
    """

    def __init__(self, oracle: Oracle) -> None:
        rules = oracle.rules
        self._oracle = oracle
        self._reach = rules.ending is Ending.REACH
        self._limit = rules.target - (rules.ending is not Ending.EXACT)
        # Chances are integers over one denominator: the number of multipliers to the
        # power of the longest game's moves. Each move divides by that number once,
        # without a remainder.
        room, moves = self._limit // rules.start, 0
        while room:
            room //= rules.multipliers[0]
            moves += 1
        self._whole = len(rules.multipliers) ** moves
        self._parts: dict[int, tuple[int, int, int]] = {}
        self._working = Lock()

    def at(self, total: int) -> Odds:
        """Return the chances of the player to move at a position."""
        self._oracle.check(total)
        room = self._limit // total
        with self._working:
            for missing in sorted(self._missing(room)):
                self._parts[missing] = self._work_out(missing)
            parts = self._parts[room]
        return Odds(*(Fraction(part, self._whole) for part in parts))

    def _missing(self, room: int) -> set[int]:
        """Return the rooms reachable from a room that are not computed yet."""
        known, multipliers = self._parts, self._oracle.rules.multipliers
        missing = {room} - known.keys()
        waiting = list(missing)
        budget = Budget(CHANCE_STEPS, _REFUSAL)
        while waiting:
            at = waiting.pop()
            length = 1 + at.bit_length() // _BITS_IN_A_STEP
            budget.spend((_STEPS_FOR_A_ROOM + len(multipliers)) * length)
            for m in multipliers:
                if m > at:
                    break
                after = at // m
                if after not in known and after not in missing:
                    missing.add(after)
                    waiting.append(after)
        return missing

    def _work_out(self, room: int) -> tuple[int, int, int]:
        multipliers, whole = self._oracle.rules.multipliers, self._whole
        choices = len(multipliers)
        inside = [self._parts[room // m] for m in multipliers if m <= room]
        passing = whole if self._reach else 0
        if not inside:
            return passing, passing, passing
        # A move swaps the players: the first becomes the second.
        randoms, firsts, seconds = zip(*inside, strict=True)
        best = whole - min(seconds)
        if len(inside) < choices:
            best = max(best, passing)
        sure = passing * (choices - len(inside)) + whole * len(inside)
        return (sure - sum(randoms)) // choices, best, (sure - sum(firsts)) // choices
