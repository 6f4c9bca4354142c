"""What a record holds, and the checks that its three forms share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from ninefold.errors import MoveError, RecordError, RulesError
from ninefold.game import Game, Seat
from ninefold.rules import (
    Ending,
    Rules,
    check_multipliers,
    check_start,
    parse_number,
)
from ninefold.text import excerpt

ENDINGS = {ending.value: ending for ending in Ending}
NO_BOOK = "-"
SEATS = {str(seat.value): seat for seat in Seat}
_KEY_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789")


class Record(Struct, frozen=True):
    """A game, and the key of the rule book it was played by (empty if by none)."""

    game: Game
    book: str = ""

    def __post_init__(self) -> None:
        """Refuse a key that is not small letters, digits and hyphens."""
        if self.book and not is_key(self.book):
            place = "game"
            problem = f"'{excerpt(self.book)}' is no key; use a-z, 0-9 and hyphens"
            raise RecordError(place, problem)


def is_key(text: str) -> bool:
    """Whether a text can be a rule book's key."""
    return all(part and _KEY_CHARACTERS.issuperset(part) for part in text.split("-"))


def make_rules(
    places: Mapping[str, str],
    ending: Ending,
    target: int,
    multipliers: Iterable[int],
    start: int,
) -> Rules:
    """Make the rules of a record; a refusal names the place of what is wrong.

    There is a place for ``target``, for ``multipliers`` and for ``start``.
    """
    part = "multipliers"
    try:
        multipliers = check_multipliers(multipliers)
        part = "start"
        check_start(start)
        part = "target"
        return Rules(ending, target, multipliers, start)
    except RulesError as error:
        raise RecordError(places[part], str(error)) from None


def play_moves(rules: Rules, first: Seat, moves: Iterable[tuple[str, int]]) -> Game:
    """Play the moves of a record, each with its place, which a refusal names."""
    game = Game.start(rules, first)
    for place, multiplier in moves:
        try:
            game = game.play(multiplier)
        except MoveError as error:
            raise RecordError(place, str(error)) from None
    return game


def read_number(digits: str, name: str, place: str) -> int:
    """Read a number of a record; a refusal names the place."""
    try:
        return parse_number(digits, name)
    except RulesError as error:
        raise RecordError(place, str(error)) from None


def resign(game: Game, seat: Seat, place: str) -> Game:
    """Give the game of a record up; a refusal names the place."""
    try:
        return game.resign(seat)
    except MoveError as error:
        raise RecordError(place, str(error)) from None
