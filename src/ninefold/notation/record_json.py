"""A record: a game and its rule book. The record as JSON, and what both forms check."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated, Literal, Self, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from ninefold.errors import MoveError, RecordError
from ninefold.game import Game, Outcome, Seat
from ninefold.notation.codec import decode, encode
from ninefold.rules import Ending, Rules
from ninefold.text import excerpt, shorten

ENDINGS = {ending.value: ending for ending in Ending}
_KEY = "[a-z0-9]+(-[a-z0-9]+)*"

BookKey: TypeAlias = Annotated[
    str,
    Meta(
        pattern=f"^{_KEY}$",
        title="a rule book's key",
        description="Small letters, digits and hyphens.",
    ),
]


class Record(Struct, frozen=True):
    """A game, and the key of its rule book ("" for none)."""

    game: Game
    book: str = ""

    def __post_init__(self) -> None:
        """Raise ``RecordError`` for a key that is not valid."""
        if self.book and not is_key(self.book):
            place, book = "game", excerpt(self.book)
            problem = f"'{book}' is not a valid key; use a-z, 0-9 and hyphens"
            raise RecordError(place, problem)


def is_key(text: str) -> bool:
    """Whether a text is a valid key: small letters, digits and hyphens."""
    return re.fullmatch(_KEY, text) is not None


def play_moves(rules: Rules, first: Seat, moves: Iterable[tuple[str, int]]) -> Game:
    """Play the moves of a record, each given with the place that an error names."""
    game = Game.start(rules, first)
    for place, multiplier in moves:
        try:
            game = game.play(multiplier)
        except MoveError as error:
            raise RecordError(place, str(error)) from None
    return game


def resign(game: Game, seat: Seat, place: str) -> Game:
    """Resign the game of a record; an error names the place."""
    try:
        return game.resign(seat)
    except MoveError as error:
        raise RecordError(place, str(error)) from None


# As JSON; ``docs/json.md`` lists every key


class RecordShape(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A game, finished or not: its rules, who starts, the moves, total and outcome.

    The total and the outcome follow from the moves; if present, they are checked.
    """

    ninefold: Annotated[Literal[1], Meta(title="version 1")]
    game: BookKey | None = None
    rules: Rules
    first: Seat
    moves: tuple[int, ...]
    """In order; may be empty."""
    resigned: Seat | None = None
    total: int | UnsetType = UNSET
    outcome: Outcome | UnsetType | None = UNSET
    """None during a game; checked when it is read."""

    @classmethod
    def of(cls, record: Record) -> Self:
        """Return the JSON structure of a record, with every key."""
        game = record.game
        return cls(
            ninefold=1,
            game=record.book or None,
            rules=game.rules,
            first=game.first,
            moves=game.moves,
            resigned=game.resigned_by,
            total=game.total,
            outcome=game.outcome,
        )

    def record(self) -> Record:
        """Return the record; a ``RecordError`` names the key that breaks the rules."""
        moves = ((f"moves[{n}]", move) for n, move in enumerate(self.moves))
        game = play_moves(self.rules, self.first, moves)
        if self.resigned is not None:
            game = resign(game, self.resigned, "resigned")
        self._check_result(game)
        return Record(game, self.game or "")

    def _check_result(self, game: Game) -> None:
        if self.total is not UNSET and self.total != game.total:
            place, problem = "total", f"the moves give {shorten(game.total)}"
            raise RecordError(place, problem)
        if self.outcome is not UNSET and self.outcome != game.outcome:
            place, problem = "outcome", f"the moves give {encode(game.outcome)}"
            raise RecordError(place, problem)


def write_json(record: Record) -> str:
    """Write a record as a JSON object on one line."""
    return encode(RecordShape.of(record))


def read_json(text: str) -> Record:
    """Read a record written by ``write_json``; an error names the wrong key."""
    return decode(text, RecordShape).record()
