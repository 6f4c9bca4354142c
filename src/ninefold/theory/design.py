"""For whoever makes a game: which targets belong to whom, and how to begin."""

from __future__ import annotations

from ninefold.errors import RulesError
from ninefold.numerals import shorten
from ninefold.rules import Ending
from ninefold.theory.oracle import Oracle
from ninefold.theory.room import limit_of
from ninefold.theory.runs import LostRooms
from ninefold.values import Value, hold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ninefold.rules import Rules


class Stretch(Value):
    """Neighbouring targets, both ends included, at which the same player wins."""

    __slots__ = __match_args__ = ("lowest", "highest", "first_wins")
    lowest: int
    highest: int
    first_wins: bool

    def __init__(self, lowest: int, highest: int, first_wins: bool) -> None:  # noqa: FBT001 - a field
        """Name both ends, and whether whoever moves first wins there."""
        hold(self, "lowest", lowest)
        hold(self, "highest", highest)
        hold(self, "first_wins", first_wins)


def openings(rules: Rules) -> tuple[int, ...]:
    """Return every first move that wins with the best play, ascending.

    >>> from ninefold import Ending, Rules
    >>> openings(Rules(Ending.AVOID, 1000))
    (2, 3)
    """
    return Oracle(rules).winning_moves(rules.start)


def who_wins(rules: Rules, lowest: int, highest: int) -> Iterator[Stretch]:
    """Yield who wins at each target of a range, as stretches, ascending.

    Only the target of the rules is exchanged. The cost goes with the number of
    stretches, not with their lengths.

    >>> from ninefold import Ending, Rules
    >>> for stretch in who_wins(Rules(Ending.REACH, 100), 2, 1000):
    ...     print(stretch)
    Stretch(lowest=2, highest=9, first_wins=True)
    Stretch(lowest=10, highest=18, first_wins=False)
    Stretch(lowest=19, highest=162, first_wins=True)
    Stretch(lowest=163, highest=324, first_wins=False)
    Stretch(lowest=325, highest=1000, first_wins=True)
    """
    rules.replace(target=lowest)  # refuses what is no target
    if highest < lowest:
        message = (
            "the targets go from the lower to the higher;"
            f" write {shorten(highest)} before {shorten(lowest)}"
        )
        raise RulesError(message)
    return _stretches(rules, lowest, highest)


def _stretches(rules: Rules, lowest: int, highest: int) -> Iterator[Stretch]:
    lost = LostRooms(rules.multipliers)
    target = lowest
    while target <= highest:
        room = _room_at(rules, target)
        above = lost.run_at(room)[1] if room else 1
        last = min(_lowest_target(rules, above) - 1, highest)
        yield Stretch(target, last, not lost.has(room))
        target = last + 1


def nearest_second_player_target(rules: Rules) -> int:
    """Return the target nearest to the rules' own at which the second player wins.

    It may be the rules' own. Of two as near, it is the lower: the shorter game.

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
    # The rooms below the first edge belong to no target, nor does the start itself.
    too_low = not begins or below <= rules.start
    if too_low or above - rules.target < rules.target - below:
        return above
    return below


def _room_at(rules: Rules, target: int) -> int:
    return limit_of(rules.replace(target=target)) // rules.start


def _lowest_target(rules: Rules, room: int) -> int:
    """Return the lowest target at which the start has at least this room."""
    limit = room * rules.start
    if rules.ending is Ending.EXACT:
        return limit
    if rules.ending is Ending.AVOID:
        return limit + 1
    return limit * rules.multipliers[-1] + 1
