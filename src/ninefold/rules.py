"""Rules: what a move does, when the game ends, and who wins then.

Nothing outside this module decides any of that: games, screens and theory ask it. The
bounds of numbers and sets are stated here too, and nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from itertools import islice, pairwise

from msgspec import Struct
from msgspec.structs import force_setattr

from ninefold.errors import IllegalMove, RulesError
from ninefold.text import excerpt, is_digits, quote_value, shorten, ungroup

MOST_DIGITS = 1_000
"""How long a number may be: a target, a start, a multiplier."""
MOST_TOTAL_DIGITS = 2 * MOST_DIGITS
"""How long a total may be: one below the target, times a multiplier."""
MOST_MULTIPLIERS = 100
"""How many multipliers a set may hold."""
SMALLEST_MULTIPLIER = 2
CLASSIC_MULTIPLIERS = tuple(range(2, 10))
_FIRST_TOO_LONG = 10**MOST_DIGITS


class Ending(Enum):
    """Which side of the target wins."""

    REACH = "reach"
    """Taking the total to the target or beyond wins."""
    AVOID = "avoid"
    """Taking the total to the target or beyond loses."""
    EXACT = "exact"
    """Making the target exactly wins; going beyond it loses."""


class Reason(Enum):
    """Why a game ended."""

    REACHED = "reached"
    EXACT = "exact"
    EXCEEDED = "exceeded"
    RESIGNED = "resigned"


class Verdict(Struct, frozen=True):
    """The rules' judgement of the seat that made a total which ends the game."""

    mover_wins: bool
    reason: Reason


class Rules(Struct, frozen=True, forbid_unknown_fields=True):
    """The rules of one game; raises ``RulesError`` if they do not make a game.

    The multipliers may be any iterable in any order, and become an ascending tuple.

    >>> Rules(Ending.REACH, 100).after(90, 2)
    180
    >>> Rules(Ending.REACH, 1)
    Traceback (most recent call last):
    ninefold.errors.RulesError: the target must be greater than the start (1); \
use 2 or more instead of 1
    """

    ending: Ending
    target: int
    multipliers: tuple[int, ...] = CLASSIC_MULTIPLIERS
    start: int = 1

    def __post_init__(self) -> None:
        """Check every part, and put the multipliers in ascending order."""
        if not isinstance(self.ending, Ending):
            choices = ", ".join(str(choice) for choice in Ending)
            given = quote_value(self.ending)
            message = f"the ending must be one of {choices}; not {given}"
            raise RulesError(message)
        check_start(self.start)
        _check_number("target", self.target, example=100)
        if self.target <= self.start:
            message = (
                f"the target must be greater than the start ({shorten(self.start)});"
                f" use {shorten(self.start + 1)} or more"
                f" instead of {shorten(self.target)}"
            )
            raise RulesError(message)
        force_setattr(self, "multipliers", check_multipliers(self.multipliers))

    def after(self, total: int, multiplier: int) -> int:
        """Return the total that a move makes; or raise ``IllegalMove``."""
        # 5.0 and True equal whole numbers, and would pass for them.
        if multiplier not in self.multipliers or type(multiplier) is not int:
            raise IllegalMove(multiplier, self.multipliers)
        return total * multiplier

    def verdict(self, total: int) -> Verdict | None:
        """Judge the seat that has made this total; None if the game continues.

        >>> Rules(Ending.EXACT, 100).verdict(180)
        Verdict(mover_wins=False, reason=<Reason.EXCEEDED: 'exceeded'>)
        >>> Rules(Ending.EXACT, 100).verdict(90)
        """
        if total < self.target:
            return None
        if self.ending is not Ending.EXACT:
            wins = self.ending is Ending.REACH
            return Verdict(mover_wins=wins, reason=Reason.REACHED)
        if total == self.target:
            return Verdict(mover_wins=True, reason=Reason.EXACT)
        return Verdict(mover_wins=False, reason=Reason.EXCEEDED)

    def wins_at_once(self, total: int, multiplier: int) -> bool:
        """Whether this move ends the game in favour of the seat that makes it."""
        verdict = self.verdict(self.after(total, multiplier))
        return verdict is not None and verdict.mover_wins

    def loses_at_once(self, total: int, multiplier: int) -> bool:
        """Whether this move ends the game against the seat that makes it."""
        verdict = self.verdict(self.after(total, multiplier))
        return verdict is not None and not verdict.mover_wins

    def loses_needlessly(self, total: int, multiplier: int) -> bool:
        """Whether this move loses at once, and another one would not.

        >>> rules = Rules(Ending.EXACT, 100)
        >>> rules.loses_needlessly(45, 9), rules.loses_needlessly(81, 9)
        (True, False)
        """
        return self.loses_at_once(total, multiplier) and not all(
            self.loses_at_once(total, other) for other in self.multipliers
        )


def _check_number(name: str, number: object, *, example: int) -> None:
    if type(number) is not int:
        message = (
            f"the {name} must be a whole number, such as {example};"
            f" not {quote_value(number)}"
        )
        raise RulesError(message)
    if abs(number) >= _FIRST_TOO_LONG:
        raise RulesError(_too_long(name))


def _too_long(name: str) -> str:
    return f"the {name} has more than {MOST_DIGITS:,} digits; use a shorter number"


def check_start(start: int) -> None:
    """Raise ``RulesError`` if a start is below 1 or too long."""
    _check_number("start", start, example=1)
    if start < 1:
        message = f"the start must be at least 1; use 1 instead of {shorten(start)}"
        raise RulesError(message)


def check_multipliers(multipliers: Iterable[int]) -> tuple[int, ...]:
    """Return multipliers in ascending order; raise ``RulesError`` for a bad set."""
    try:
        # One more than allowed is enough to reject a set, even an endless one.
        given = tuple(islice(multipliers, MOST_MULTIPLIERS + 1))
    except TypeError:
        message = (
            "the multipliers must be several whole numbers, such as 2, 3, 5;"
            f" not {quote_value(multipliers)}"
        )
        raise RulesError(message) from None
    if not given:
        message = "there must be at least one multiplier; use 2-9 for the usual ones"
        raise RulesError(message)
    _check_count(len(given))
    for multiplier in given:
        _check_number("multiplier", multiplier, example=2)
        if multiplier < SMALLEST_MULTIPLIER:
            message = (
                f"a multiplier must be at least {SMALLEST_MULTIPLIER}, or the total"
                f" would not grow; leave out {shorten(multiplier)}"
            )
            raise RulesError(message)
    ascending = tuple(sorted(given))
    for lower, upper in pairwise(ascending):
        if lower == upper:
            message = f"{shorten(lower)} is listed twice; list each multiplier once"
            raise RulesError(message)
    return ascending


def _check_count(count: int) -> None:
    if count > MOST_MULTIPLIERS:
        message = f"use at most {MOST_MULTIPLIERS} multipliers"
        raise RulesError(message)


def parse_number(text: str, name: str, example: int = 100) -> int:
    """Read a number that a person typed; errors use its ``name`` and an ``example``.

    >>> parse_number(" 100 ", "target"), parse_number("1,000", "target")
    (100, 1000)
    >>> parse_number("1e3", "target")
    Traceback (most recent call last):
    ninefold.errors.RulesError: the target must be a whole number in plain digits, \
such as 100; '1e3' is not
    """
    digits = ungroup(text.strip())
    if not digits:
        message = f"type a {name}, such as {shorten(example)}"
        raise RulesError(message)
    if not is_digits(digits):
        message = (
            f"the {name} must be a whole number in plain digits, such as"
            f" {shorten(example, grouped=False)}; '{excerpt(digits)}' is not"
        )
        raise RulesError(message)
    if len(digits.lstrip("0")) > MOST_DIGITS:
        raise RulesError(_too_long(name))
    return int(digits.lstrip("0") or "0")


def parse_multipliers(text: str) -> tuple[int, ...]:
    """Read multipliers as people type them: ``2-5``, ``2,3,5,7``, ``2-4, 9``.

    >>> parse_multipliers("2-4, 9")
    (2, 3, 4, 9)
    >>> parse_multipliers("5-2")
    Traceback (most recent call last):
    ninefold.errors.RulesError: the range 5-2 is backwards; use 2-5
    """
    if not text.strip():
        message = "type the multipliers, such as 2-9"
        raise RulesError(message)
    multipliers: list[int] = []
    parts = [part.strip() for part in text.split(",")]
    if "" in parts:
        raise RulesError(_missing_number(parts))
    for part in parts:
        first, dash, last = (piece.strip() for piece in part.partition("-"))
        ends = (first, last if dash else first)
        if not all(map(is_digits, ends)):
            message = (
                f"write multipliers like 2-5 or 2,3,5,7; '{excerpt(part)}' is neither"
            )
            raise RulesError(message)
        low, high = (parse_number(end, "multiplier") for end in ends)
        if low > high:
            lower, upper = shorten(high), shorten(low)
            message = f"the range {upper}-{lower} is backwards; use {lower}-{upper}"
            raise RulesError(message)
        _check_count(len(multipliers) + high - low + 1)
        multipliers.extend(range(low, high + 1))
    return check_multipliers(multipliers)


def _missing_number(parts: list[str]) -> str:
    """Return the message for multipliers with a number missing between commas."""
    if not any(parts):
        where = "nothing was given"
    elif not parts[-1]:
        where = "a number is missing after the last comma"
    elif not parts[0]:
        where = "a number is missing before the first comma"
    else:
        where = "a number is missing between two commas"
    return f"write multipliers like 2-5 or 2,3,5,7; {where}"


def vary(
    rules: Rules,
    *,
    target: str | None = None,
    multipliers: str | None = None,
    start: str | None = None,
) -> Rules:
    """Return rules changed by what a person typed; None leaves a part unchanged."""
    return Rules(
        rules.ending,
        rules.target if target is None else parse_number(target, "target"),
        rules.multipliers if multipliers is None else parse_multipliers(multipliers),
        rules.start if start is None else parse_number(start, "start"),
    )
