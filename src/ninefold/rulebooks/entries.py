"""Entries: text typed at the prompt, read as a multiplier or refused with a reason."""

from __future__ import annotations

from enum import Enum

from ninefold.rules import Rules
from ninefold.text import BLANKS, is_digits, ungroup


class Refusal(Enum):
    """Why an entry is no multiplier; the value names the moment in a rule book."""

    EMPTY = "refused_empty"
    NOT_PLAIN_DIGITS = "refused_text"
    NO_MULTIPLIER = "refused_number"


def read_entry(entry: str, rules: Rules) -> int | Refusal:
    """Read an entry: a whole number in plain digits, blanks around it ignored.

    >>> from ninefold import Ending, Rules
    >>> rules = Rules(Ending.REACH, 100)
    >>> read_entry(" 5 ", rules)
    5
    >>> read_entry("5.0", rules)
    <Refusal.NOT_PLAIN_DIGITS: 'refused_text'>
    >>> read_entry("12", rules)
    <Refusal.NO_MULTIPLIER: 'refused_number'>
    """
    entry = ungroup(entry.strip(BLANKS))
    if not entry:
        return Refusal.EMPTY
    if not is_digits(entry):
        return Refusal.NOT_PLAIN_DIGITS
    digits = entry.lstrip("0")
    longest = len(str(rules.multipliers[-1]))
    if not digits or len(digits) > longest or int(digits) not in rules.multipliers:
        return Refusal.NO_MULTIPLIER
    return int(digits)
