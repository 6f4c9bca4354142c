"""What a player types at the prompt: read as a multiplier, or refused with a reason."""

from __future__ import annotations

from enum import Enum

from ninefold.numerals import is_plain, read, write
from ninefold.shown import show_entry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ninefold.rules import Rules

__all__ = ["Refusal", "read_entry", "show_entry"]

_BLANKS = " \t\r\n"


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
    entry = entry.strip(_BLANKS)
    if not entry:
        return Refusal.EMPTY
    if not is_plain(entry):
        return Refusal.NOT_PLAIN_DIGITS
    digits = entry.lstrip("0")
    longest = len(write(rules.multipliers[-1]))
    if not digits or len(digits) > longest or read(digits) not in rules.multipliers:
        return Refusal.NO_MULTIPLIER
    return read(digits)
