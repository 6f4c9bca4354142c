"""The shapes of JSON that records, exports and views share.

A shape holds what JSON holds, with the same keys. ``of`` makes one from a plain value,
and a method named for the value makes it again, which checks it.
"""

from __future__ import annotations

from typing import Annotated, Self, TypeAlias

from msgspec import Meta, Struct

from ninefold.game import Outcome, Seat
from ninefold.notation.record import make_rules
from ninefold.rules import MOST_DIGITS, Ending, Reason, Rules

_JSON_ROUNDS = 10**15
_MOST_DIGITS_OF_A_TOTAL = 2 * MOST_DIGITS

# Python's $ stands before a line feed too; the last part says that none follows.
_DIGITS = rf"^-?[0-9]{{1,{_MOST_DIGITS_OF_A_TOTAL}}}$(?!\n)"

Number: TypeAlias = Annotated[
    int | Annotated[str, Meta(pattern=_DIGITS)],
    Meta(
        title=f"a whole number of at most {_MOST_DIGITS_OF_A_TOTAL:,} digits",
        description="A string of digits where it has more than 15 of them.",
    ),
]
"""A whole number; ``int`` makes it one, in either of its forms."""


def json_number(number: int) -> Number:
    """Give a number the form it has in JSON: past 15 digits, digits in a string.

    Many readers of JSON round longer numbers without a word.

    >>> json_number(180), json_number(10**16)
    (180, '10000000000000000')
    """
    return number if abs(number) < _JSON_ROUNDS else str(number)


class RulesShape(Struct, frozen=True, forbid_unknown_fields=True):
    """The rules of a game."""

    ending: Ending
    target: Number
    multipliers: tuple[Number, ...]
    start: Number

    @classmethod
    def of(cls, rules: Rules) -> Self:
        """Make the shape of rules."""
        return cls(
            rules.ending,
            json_number(rules.target),
            tuple(map(json_number, rules.multipliers)),
            json_number(rules.start),
        )

    def rules(self, place: str = "rules") -> Rules:
        """Make the rules; a ``RecordError`` names the key, behind this place."""
        return make_rules(
            {part: f"{place}.{part}" for part in ("target", "multipliers", "start")},
            self.ending,
            int(self.target),
            map(int, self.multipliers),
            int(self.start),
        )


class OutcomeShape(Struct, frozen=True, forbid_unknown_fields=True):
    """Who won a game, and why it ended."""

    winner: Seat
    reason: Reason

    @classmethod
    def of(cls, outcome: Outcome) -> Self:
        """Make the shape of an outcome."""
        return cls(outcome.winner, outcome.reason)
