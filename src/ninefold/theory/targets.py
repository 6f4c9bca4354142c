"""Who wins from the start at each target: the first player or the second."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from ninefold.errors import RulesError
from ninefold.rules import Ending, Rules
from ninefold.text import shorten
from ninefold.theory.oracle import limit_of
from ninefold.theory.value_runs import LostRooms
from ninefold.theory.work_budget import STRETCHES, Budget

_TOO_MANY = f"the winner changes more than {STRETCHES:,} times between those targets"


class Stretch(Struct, frozen=True):
    """Neighbouring targets, both ends included, at which the same player wins."""

    lowest: int
    highest: int
    first_wins: bool


def who_wins(rules: Rules, lowest: int, highest: int) -> list[Stretch]:
    """Return who wins at each target of a range, as stretches, ascending.

    The target of ``rules`` does not matter. The cost grows with the number of
    stretches, not with their lengths; too many raise ``TooLarge``.

    >>> from ninefold import Ending, Rules
    >>> for stretch in who_wins(Rules(Ending.REACH, 100), 2, 1000):
    ...     print(stretch)
    Stretch(lowest=2, highest=9, first_wins=True)
    Stretch(lowest=10, highest=18, first_wins=False)
    Stretch(lowest=19, highest=162, first_wins=True)
    Stretch(lowest=163, highest=324, first_wins=False)
    Stretch(lowest=325, highest=1000, first_wins=True)
    """
    for target in (lowest, highest):
        replace(rules, target=target)  # raises for an invalid target
    if highest < lowest:
        message = (
            f"give the lower target first: {shorten(highest)} to {shorten(lowest)}"
        )
        raise RulesError(message)
    lost = LostRooms(rules.multipliers)
    budget = Budget(STRETCHES, f"{_TOO_MANY}; choose a narrower range")
    stretches: list[Stretch] = []
    target = lowest
    while target <= highest:
        budget.spend(1)
        room = _room_at(rules, target)
        above = lost.run_at(room)[1] if room else 1
        last = min(_lowest_target(rules, above) - 1, highest)
        stretches.append(Stretch(target, last, not lost.has(room)))
        target = last + 1
    return stretches


def nearest_second_player_target(rules: Rules) -> int:
    """Return the target nearest to the rules' own at which the second player wins.

    It may be the rules' own. Of two equally near ones, it is the lower.

    >>> from ninefold import Ending, Rules
    >>> [nearest_second_player_target(Rules(Ending.REACH, n)) for n in (100, 200, 800)]
    [163, 200, 324]
    """
    lost = LostRooms(rules.multipliers)
    room = _room_at(rules, rules.target)
    if lost.has(room):
        return rules.target
    begins, ends = lost.run_at(room) if room else (0, 1)
    above = _lowest_target(rules, ends)
    below = _lowest_target(rules, begins) - 1
    # No target has a room below the first edge, and none is as low as the start.
    too_low = not begins or below <= rules.start
    if too_low or above - rules.target < rules.target - below:
        return above
    return below


def _room_at(rules: Rules, target: int) -> int:
    return limit_of(rules, target) // rules.start


def _lowest_target(rules: Rules, room: int) -> int:
    """Return the lowest target at which the start has at least this room."""
    limit = room * rules.start
    if rules.ending is Ending.EXACT:
        return limit
    if rules.ending is Ending.AVOID:
        return limit + 1
    return limit * rules.multipliers[-1] + 1
