"""What a player types at the prompt: read as a multiplier, or refused with a reason."""

from __future__ import annotations

from enum import Enum

from ninefold.numerals import is_plain, read, write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ninefold.rules import Rules

_BLANKS = " \t\r\n"
_SHOWN_CHARACTERS = 40


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


def show_entry(entry: str) -> str:
    r"""Make an entry fit to print: nothing a terminal would act on, never a screenful.

    >>> show_entry("\x1b[2J")
    '\\x1b[2J'
    >>> show_entry("9" * 10_000)
    '999999999999999999999999... (10000 characters)'
    """
    entry = entry.strip(_BLANKS)
    if len(entry) > _SHOWN_CHARACTERS:
        start = show_entry(entry[: _SHOWN_CHARACTERS * 3 // 5])
        return f"{start}... ({len(entry)} characters)"
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in entry)
