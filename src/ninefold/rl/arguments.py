"""The rules, actions and opponents that every environment accepts."""

from __future__ import annotations

from collections.abc import Iterable
from operator import index
from typing import Any

from ninefold.errors import MoveError, RulesError
from ninefold.rules import Ending, Rules, check_multipliers, parse_multipliers
from ninefold.text import quote_value

_ENDINGS = {ending.value: ending for ending in Ending}


def rules_from(
    ending: Ending | str, target: int, multipliers: Iterable[int] | str, start: int
) -> Rules:
    """Return the rules of these arguments, or raise ``RulesError``.

    An ending may be given by its name, multipliers as people type them.

    >>> rules_from("avoid", 500, "2-3, 7", 1) == Rules(Ending.AVOID, 500, (2, 3, 7))
    True
    >>> rules_from("win", 500, "2-9", 1)
    Traceback (most recent call last):
    ninefold.errors.RulesError: the ending must be 'reach', 'avoid' or 'exact'; \
not 'win'
    """
    named = _ENDINGS.get(ending) if isinstance(ending, str) else ending
    if not isinstance(named, Ending):
        message = (
            f"the ending must be 'reach', 'avoid' or 'exact'; not {quote_value(ending)}"
        )
        raise RulesError(message)
    if isinstance(multipliers, str):
        checked = parse_multipliers(multipliers)
    elif isinstance(multipliers, Iterable):
        checked = check_multipliers(map(as_int, multipliers))
    else:
        checked = check_multipliers(multipliers)
    return Rules(named, as_int(target), checked, as_int(start))


def games_from(
    ending: Ending | str,
    target: int | Iterable[int],
    multipliers: Iterable[int] | str,
    start: int,
) -> tuple[Rules, ...]:
    """Return the rules of each target: one integer or several."""
    given = as_int(target)
    is_one = isinstance(given, str) or not isinstance(given, Iterable)
    targets = [given] if is_one else given
    games = tuple([rules_from(ending, each, multipliers, start) for each in targets])
    if not games:
        message = "there must be at least one target, such as 1,000"
        raise RulesError(message)
    return games


def multiplier_of(action: object, multipliers: tuple[int, ...]) -> int:
    """Return the multiplier of an action: its index among them.

    >>> multiplier_of(7, (2, 3, 4, 5, 6, 7, 8, 9))
    9
    >>> multiplier_of(True, (2, 3, 4, 5, 6, 7, 8, 9))
    Traceback (most recent call last):
    ninefold.errors.MoveError: an action is a whole number from 0 to 7; not True
    """
    number = as_int(action)
    if type(number) is int and 0 <= number < len(multipliers):
        return multipliers[number]
    message = (
        f"an action is a whole number from 0 to {len(multipliers) - 1};"
        f" not {quote_value(action)}"
    )
    raise MoveError(message)


def as_int(value: Any) -> Any:  # noqa: ANN401 - any other value is rejected by its user
    """Return one of NumPy's whole numbers as an ``int``; other values unchanged."""
    if isinstance(value, bool):
        return value
    try:
        return index(value)
    except TypeError:
        return value
