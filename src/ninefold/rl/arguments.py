"""The rules, actions and opponents that every environment accepts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

from ninefold.errors import (
    MoveError,
    PositionError,
    RulesError,
    SetupError,
    TheoryError,
)
from ninefold.levels import LEVELS
from ninefold.matchups import Policy
from ninefold.rules import Ending, Rules, check_multipliers, parse_multipliers
from ninefold.text import format_set, quote_value, shorten
from ninefold.theory.reachable_totals import products_of

SEATS = (1, 2, "drawn")
_ROUNDING = 1e-9


def games_from(
    ending: Ending | str,
    target: int | Iterable[int],
    multipliers: Iterable[int] | str,
    start: int,
) -> tuple[Rules, ...]:
    """Return the rules of each target: one integer or several.

    An ending may be given by its name, multipliers as people type them. Arguments that
    make no game raise ``RulesError`` or ``SetupError``.

    >>> games_from("avoid", 500, "2-3, 7", 1) == (Rules(Ending.AVOID, 500, (2, 3, 7)),)
    True
    """
    name = ending.value if isinstance(ending, Ending) else ending
    check_choice("ending", name, [each.value for each in Ending])
    factors, targets = plain(multipliers), plain(target)
    if isinstance(factors, str):
        factors = parse_multipliers(factors)
    elif isinstance(factors, Iterable):
        factors = map(plain, factors)
    numbers, first = check_multipliers(factors), plain(start)
    if isinstance(targets, str) or not isinstance(targets, Iterable):
        targets = [targets]
    games = tuple([Rules(Ending(name), plain(n), numbers, first) for n in targets])
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
    number = plain(action)
    if type(number) is int and 0 <= number < len(multipliers):
        return multipliers[number]
    message = (
        f"an action is a whole number from 0 to {len(multipliers) - 1};"
        f" not {quote_value(action)}"
    )
    raise MoveError(message)


def plain(value: Any) -> Any:  # noqa: ANN401 - any other value is rejected by its user
    """Return a number or an array of NumPy, or of PyTorch, as plain ones of Python.

    Other values are returned unchanged.
    """
    return value.tolist() if hasattr(value, "tolist") else value


def check_choice(name: str, value: object, choices: Sequence[object]) -> None:
    """Raise ``SetupError`` unless an argument is one of its ``choices``.

    >>> check_choice("seat", 3, (1, 2, "drawn"))
    Traceback (most recent call last):
    ninefold.errors.SetupError: seat must be 1, 2 or 'drawn'; not 3
    """
    # True equals 1, and would pass for it.
    if not any(type(value) is type(each) and value == each for each in choices):
        *others, last = map(repr, choices)
        allowed = f"{', '.join(others)} or {last}" if others else last
        message = f"{name} must be {allowed}; not {quote_value(value)}"
        raise SetupError(message)


def check_size(name: str, size: object) -> int:
    """Return a number of games; raise ``SetupError`` if it is not at least 1."""
    number = plain(size)
    if type(number) is not int or number < 1:
        message = f"{name} must be a whole number from 1; not {quote_value(size)}"
        raise SetupError(message)
    return number


def check_total(games: Sequence[Rules], total: object) -> int:
    """Return a total that is a position of all games; raise ``PositionError``."""
    rules = min(games, key=lambda each: each.target)
    number = plain(total)
    if type(number) is int and rules.start <= number < rules.target:
        factor, rest = divmod(number, rules.start)
        if not rest and products_of(rules.multipliers).has(factor):
            return number
    problem = (
        f"choose a total below {shorten(rules.target)} that can be reached from"
        f" {shorten(rules.start)} with {format_set(rules.multipliers)}"
    )
    raise PositionError(total, problem)


def opponent_from(
    opponent: Policy | str, games: Sequence[Rules], seat: int | str
) -> Policy:
    """Return the policy that a learner plays against; raise ``SetupError``."""
    check_choice("seat", seat, SEATS)
    rules = min(games, key=lambda each: each.target)
    highest = rules.after(rules.start, rules.multipliers[-1])
    if seat != 1 and rules.verdict(highest) is not None:
        message = (
            "the opponent could end this game before your first move; use seat=1, or a"
            f" target above {shorten(highest)}"
        )
        raise SetupError(message)
    if isinstance(opponent, Policy):
        return opponent
    check_choice("an opponent that is not a policy", opponent, tuple(LEVELS))
    return LEVELS[opponent].player(Random(0))  # only its distribution is used


def chances_of(policy: Policy, rules: Rules, total: int) -> dict[int, float]:
    """Return the chance of each move at a position; raise ``TheoryError``."""
    chances = policy.distribution(rules, total)
    weights = {move: float(chance) for move, chance in chances.items() if chance}
    adds_up = abs(sum(weights.values()) - 1) < _ROUNDING and min(weights.values()) > 0
    if not adds_up or not weights.keys() <= set(rules.multipliers):
        message = (
            f"at {shorten(total)} the policy's chances must cover legal multipliers"
            " only and add up to 1; fix its distribution"
        )
        raise TheoryError(message)
    return weights
