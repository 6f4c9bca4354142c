"""What a record holds, and the checks that its three forms share."""

from __future__ import annotations

from ninefold.errors import MoveError, RecordError, RulesError
from ninefold.game import Game, Seat
from ninefold.rules import Ending, Rules, check_multipliers, check_start
from ninefold.shown import show_entry
from ninefold.values import Value, hold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

ENDINGS = {ending.value: ending for ending in Ending}
NO_BOOK = "-"
SEATS = {str(seat.value): seat for seat in Seat}
_KEY_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789")


class Record(Value):
    """A game, and the key of the rule book it was played by (empty if by none)."""

    __slots__ = __match_args__ = ("game", "book")
    game: Game
    book: str

    def __init__(self, game: Game, book: str = "") -> None:
        """Take a key of small letters, digits and hyphens."""
        if book and not is_key(book):
            place = "game"
            problem = f"'{show_entry(book)}' is no key; use a-z, 0-9 and hyphens"
            raise RecordError(place, problem)
        hold(self, "game", game)
        hold(self, "book", book)


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


def play_moves(
    rules: Rules, first: Seat, moves: Iterable[int], place: Callable[[int], str]
) -> Game:
    """Play the moves of a record; a refusal names the place of the move."""
    game = Game(rules, first=first)
    for number, multiplier in enumerate(moves):
        try:
            game = game.play(multiplier)
        except MoveError as error:
            raise RecordError(place(number), str(error)) from None
    return game


def resign(game: Game, seat: Seat, place: str) -> Game:
    """Give the game of a record up; a refusal names the place."""
    try:
        return game.resign(seat)
    except MoveError as error:
        raise RecordError(place, str(error)) from None
