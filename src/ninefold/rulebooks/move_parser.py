"""Parses what players type for a move: a multiplier, or the reason it is rejected."""

from __future__ import annotations

import re
from enum import Enum

from ninefold.rules import Rules
from ninefold.text import BLANKS, is_digits, ungroup

_PASS = ("pass", "skip")
_TIMES = re.compile(r"^[xX×*][ \t]*(?=[0-9])")
"""The sign before the number of a move, as screens show it."""


class EntryProblem(Enum):
    """Why an entry is not a multiplier; the value names the moment in a rule book."""

    PASSING = "refused_pass"
    """Not in rule books: the same words in every game, as passing is never allowed."""
    EMPTY = "refused_empty"
    NOT_PLAIN_DIGITS = "refused_text"
    NO_MULTIPLIER = "refused_number"


def read_entry(entry: str, rules: Rules) -> int | EntryProblem:
    """Read an entry: a whole number in plain digits, with or without a × before it.

    >>> from ninefold import Ending, Rules
    >>> rules = Rules(Ending.REACH, 100)
    >>> read_entry(" 5 ", rules)
    5
    >>> read_entry("×5", rules)
    5
    >>> read_entry("5.0", rules)
    <EntryProblem.NOT_PLAIN_DIGITS: 'refused_text'>
    >>> read_entry("12", rules)
    <EntryProblem.NO_MULTIPLIER: 'refused_number'>
    """
    entry = ungroup(_TIMES.sub("", entry.strip(BLANKS)))
    if not entry:
        return EntryProblem.EMPTY
    if entry.lower() in _PASS:
        return EntryProblem.PASSING
    if not is_digits(entry):
        return EntryProblem.NOT_PLAIN_DIGITS
    digits = entry.lstrip("0")
    longest = len(str(rules.multipliers[-1]))
    if not digits or len(digits) > longest or int(digits) not in rules.multipliers:
        return EntryProblem.NO_MULTIPLIER
    return int(digits)
