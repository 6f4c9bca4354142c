"""The exact chances of players who play at random, against each other or perfection."""

from __future__ import annotations

from fractions import Fraction

from ninefold.errors import TooLarge
from ninefold.rules import Ending
from ninefold.theory.oracle import Oracle
from ninefold.values import Value, hold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ninefold.rules import Rules

MOST_ROOMS = 100_000
MOST_MOVES = 1_000_000


class Odds(Value):
    """The chances of the player to move, the *first* from here, in three match-ups."""

    __slots__ = __match_args__ = ("both_random", "first_perfect", "second_perfect")
    both_random: Fraction
    """The first wins, and each plays any multiplier with equal chance."""
    first_perfect: Fraction
    """The first wins, playing as well as can be against one who plays at random."""
    second_perfect: Fraction
    """The first wins, playing at random against one who plays as well as can be."""

    def __init__(
        self, both_random: Fraction, first_perfect: Fraction, second_perfect: Fraction
    ) -> None:
        """Name each chance that the first player wins."""
        hold(self, "both_random", both_random)
        hold(self, "first_perfect", first_perfect)
        hold(self, "second_perfect", second_perfect)


def odds(rules: Rules, total: int | None = None) -> Odds:
    """Return the chances of the player to move at a position, or at the start.

    >>> from ninefold import Ending, Rules
    >>> chances = odds(Rules(Ending.REACH, 100))
    >>> chances.both_random, chances.first_perfect, chances.second_perfect
    (Fraction(169455, 262144), Fraction(1, 1), Fraction(5, 32))
    """
    return Chances(Oracle(rules)).at(rules.start if total is None else total)


class Chances:
    """The chances at every position of one game, each worked out once.

    Whoever plays as well as can be plays the move after which its chance is best. At
    a won position that is a winning move, and the chance is 1; at a lost one it is
    the move that gives the other most occasion to err.

    The chances depend on the room alone, though in EXACT the target ends the game:
    there, facing it and having to pass it is as certain a loss. But nearly every room
    that moves lead to has its own, so all of them are visited: with the multipliers
    2-9 there are 5,767 at 10^12, in 0.04 s, and 31,300 at 10^18, in 0.3 s. Games with
    more than 100,000 such rooms, or 1,000,000 moves between them, are refused with
    ``TooLarge``.
    """

    __slots__ = ("_limit", "_oracle", "_parts", "_reach")

    def __init__(self, oracle: Oracle) -> None:
        """Take the game's oracle; nothing is worked out before it is asked for."""
        rules = oracle.rules
        self._oracle = oracle
        self._reach = rules.ending is Ending.REACH
        self._limit = rules.target - (rules.ending is not Ending.EXACT)
        # By room: how many moves can follow, and the three chances in parts of the
        # number of multipliers to that power. Whole numbers add up quickly.
        self._parts: dict[int, tuple[int, int, int, int]] = {}

    def at(self, total: int) -> Odds:
        """Return the chances of the player to move at a position."""
        self._oracle.check(total)
        room = self._limit // total
        for missing in sorted(self._missing(room)):
            self._parts[missing] = self._work_out(missing)
        depth, *parts = self._parts[room]
        whole = len(self._oracle.rules.multipliers) ** depth
        return Odds(*(Fraction(part, whole) for part in parts))

    def _missing(self, room: int) -> set[int]:
        """Return the rooms that moves lead to and that are not worked out yet."""
        known = self._parts
        missing = {room} - known.keys()
        waiting = list(missing)
        moves = 0
        while waiting:
            at = waiting.pop()
            moves += len(self._oracle.rules.multipliers)
            for m in self._oracle.rules.multipliers:
                if m > at:
                    break
                after = at // m
                if after not in known and after not in missing:
                    missing.add(after)
                    waiting.append(after)
            if len(missing) > MOST_ROOMS or moves > MOST_MOVES:
                message = (
                    f"the chances here depend on more than {MOST_ROOMS} rooms or"
                    f" {MOST_MOVES} moves; ask for a smaller target"
                )
                raise TooLarge(message)
        return missing

    def _work_out(self, room: int) -> tuple[int, int, int, int]:
        multipliers = self._oracle.rules.multipliers
        choices = len(multipliers)
        inside = [self._parts[room // m] for m in multipliers if m <= room]
        depth = 1 + max((after[0] for after in inside), default=0)
        below = choices ** (depth - 1)
        passing = below if self._reach else 0
        random = second = passing * (choices - len(inside))
        first = passing if len(inside) < choices else 0
        for after_depth, after_random, after_first, after_second in inside:
            # The players change places: what was the first's is the second's now.
            scale = choices ** (depth - 1 - after_depth)
            random += below - scale * after_random
            first = max(first, below - scale * after_second)
            second += below - scale * after_first
        return depth, random, choices * first, second
