"""What a move does, when the game ends, and who wins then.

Nothing outside this module decides any of that: games, screens and theory ask it.
"""

from __future__ import annotations

from enum import Enum
from itertools import pairwise

from ninefold.errors import IllegalMove, RulesError
from ninefold.numerals import is_plain, read, shorten
from ninefold.shown import show_entry, show_value
from ninefold.values import Value, hold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

SMALLEST_MULTIPLIER = 2
CLASSIC_MULTIPLIERS = tuple(range(2, 10))
MOST_MULTIPLIERS = 10_000
"""How many multipliers a written set may stand for: past that it is a slip."""


class Ending(Enum):
    """Which side of the target wins."""

    REACH = "reach"
    """Whoever takes the total to the target or beyond wins."""
    AVOID = "avoid"
    """Whoever takes the total to the target or beyond loses."""
    EXACT = "exact"
    """Whoever makes the target exactly wins; whoever goes beyond it loses."""


class Reason(Enum):
    """Why a game ended."""

    REACHED = "reached"
    EXACT = "exact"
    EXCEEDED = "exceeded"
    RESIGNED = "resigned"


class Verdict(Value):
    """What the rules say of whoever has just made a total that ends the game."""

    __slots__ = __match_args__ = ("mover_wins", "reason")
    mover_wins: bool
    reason: Reason

    def __init__(self, mover_wins: bool, reason: Reason) -> None:  # noqa: FBT001 - a field
        """Say whether the mover wins, and why the game is over."""
        hold(self, "mover_wins", mover_wins)
        hold(self, "reason", reason)


_REACHED_AND_WON = Verdict(mover_wins=True, reason=Reason.REACHED)
_REACHED_AND_LOST = Verdict(mover_wins=False, reason=Reason.REACHED)
_HIT_EXACTLY = Verdict(mover_wins=True, reason=Reason.EXACT)
_EXCEEDED = Verdict(mover_wins=False, reason=Reason.EXCEEDED)

_AT_TARGET = {
    Ending.REACH: _REACHED_AND_WON,
    Ending.AVOID: _REACHED_AND_LOST,
    Ending.EXACT: _HIT_EXACTLY,
}
_BEYOND_TARGET = _AT_TARGET | {Ending.EXACT: _EXCEEDED}


class Rules(Value):
    """One game's rules; whatever makes no game is refused.

    >>> Rules(Ending.REACH, 100).after(90, 2)
    180
    >>> Rules(Ending.REACH, 1)
    Traceback (most recent call last):
    ninefold.errors.RulesError: the target must be above the start, which is 1; \
write 2 or more instead of 1
    """

    __match_args__ = ("ending", "target", "multipliers", "start")
    __slots__ = (*__match_args__, "_at_target", "_beyond_target")
    ending: Ending
    target: int
    multipliers: tuple[int, ...]
    start: int
    _at_target: Verdict
    _beyond_target: Verdict

    def __init__(
        self,
        ending: Ending,
        target: int,
        multipliers: Iterable[int] = CLASSIC_MULTIPLIERS,
        start: int = 1,
    ) -> None:
        """Check everything; the multipliers may come in any order."""
        if not isinstance(ending, Ending):
            choices = ", ".join(str(choice) for choice in Ending)
            message = f"the ending must be one of {choices}; not {show_value(ending)}"
            raise RulesError(message)
        check_start(start)
        _check_whole("target", target, example=100)
        if target <= start:
            message = (
                f"the target must be above the start, which is {shorten(start)};"
                f" write {shorten(start + 1)} or more instead of {shorten(target)}"
            )
            raise RulesError(message)
        hold(self, "ending", ending)
        hold(self, "target", target)
        hold(self, "multipliers", check_multipliers(multipliers))
        hold(self, "start", start)
        hold(self, "_at_target", _AT_TARGET[ending])
        hold(self, "_beyond_target", _BEYOND_TARGET[ending])

    def after(self, total: int, multiplier: int) -> int:
        """Return the total that a move makes; refuse what is no multiplier here."""
        # 5.0 and True equal whole numbers, and would pass for them.
        if multiplier not in self.multipliers or type(multiplier) is not int:
            raise IllegalMove(multiplier, self.multipliers)
        return total * multiplier

    def verdict(self, total: int) -> Verdict | None:
        """Judge whoever has just made this total; None while the game goes on.

        >>> Rules(Ending.EXACT, 100).verdict(180)
        Verdict(mover_wins=False, reason=<Reason.EXCEEDED: 'exceeded'>)
        >>> Rules(Ending.EXACT, 100).verdict(90)
        """
        if total < self.target:
            return None
        return self._at_target if total == self.target else self._beyond_target

    def wins_at_once(self, total: int, multiplier: int) -> bool:
        """Whether this move ends the game in favour of whoever makes it."""
        verdict = self.verdict(self.after(total, multiplier))
        return verdict is not None and verdict.mover_wins

    def loses_at_once(self, total: int, multiplier: int) -> bool:
        """Whether this move ends the game against whoever makes it."""
        verdict = self.verdict(self.after(total, multiplier))
        return verdict is not None and not verdict.mover_wins


def _check_whole(name: str, number: object, *, example: int) -> None:
    if type(number) is not int:
        message = (
            f"the {name} must be a whole number, such as {example};"
            f" not {show_value(number)}"
        )
        raise RulesError(message)


def check_start(start: int) -> None:
    """Refuse what no total can start at."""
    _check_whole("start", start, example=1)
    if start < 1:
        message = f"the start must be at least 1; write 1 instead of {shorten(start)}"
        raise RulesError(message)


def check_multipliers(multipliers: Iterable[int]) -> tuple[int, ...]:
    """Return multipliers in ascending order, or refuse them."""
    try:
        given = tuple(multipliers)
    except TypeError:
        message = (
            "the multipliers must be several whole numbers, such as 2, 3, 5;"
            f" not {show_value(multipliers)}"
        )
        raise RulesError(message) from None
    if not given:
        message = "there must be at least one multiplier; write 2-9 for the usual ones"
        raise RulesError(message)
    for multiplier in given:
        _check_whole("multiplier", multiplier, example=2)
        if multiplier < SMALLEST_MULTIPLIER:
            message = (
                f"a multiplier must be at least {SMALLEST_MULTIPLIER}, or the total"
                f" would not grow; leave out {shorten(multiplier)}"
            )
            raise RulesError(message)
    ascending = tuple(sorted(given))
    for lower, upper in pairwise(ascending):
        if lower == upper:
            message = f"each multiplier stands once; write {shorten(lower)} only once"
            raise RulesError(message)
    return ascending


def parse_multipliers(text: str) -> tuple[int, ...]:
    """Read multipliers as people write them: ``2-5``, ``2,3,5,7``, ``2-4, 9``.

    >>> parse_multipliers("2-4, 9")
    (2, 3, 4, 9)
    >>> parse_multipliers("5-2")
    Traceback (most recent call last):
    ninefold.errors.RulesError: in the multipliers, 5-2 goes down; write 2-5
    """
    multipliers: list[int] = []
    parts = [part.strip() for part in text.split(",")]
    if "" in parts:
        raise RulesError(_missing_number(parts))
    for part in parts:
        ends = [end.strip() for end in part.split("-")]
        if len(ends) > 2 or not all(map(is_plain, ends)):  # noqa: PLR2004 - a range
            message = (
                "multipliers are written like 2-5 or like 2,3,5,7;"
                f" '{show_entry(part)}' is neither"
            )
            raise RulesError(message)
        low, high = read(ends[0]), read(ends[-1])
        if low > high:
            lower, upper = shorten(high), shorten(low)
            message = (
                f"in the multipliers, {upper}-{lower} goes down; write {lower}-{upper}"
            )
            raise RulesError(message)
        if len(multipliers) + high - low >= MOST_MULTIPLIERS:
            message = f"a set holds at most {MOST_MULTIPLIERS} multipliers; name fewer"
            raise RulesError(message)
        multipliers.extend(range(low, high + 1))
    return check_multipliers(multipliers)


def _missing_number(parts: list[str]) -> str:
    """Say where a number is missing between commas."""
    if not any(parts):
        where = "no number is there"
    elif not parts[-1]:
        where = "a number is missing after the last comma"
    elif not parts[0]:
        where = "a number is missing before the first comma"
    else:
        where = "a number is missing between two commas"
    return f"multipliers are written like 2-5 or like 2,3,5,7; {where}"
