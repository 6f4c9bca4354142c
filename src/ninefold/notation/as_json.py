"""A game as JSON, for programs. ``docs/records.md`` describes every key."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from msgspec import UNSET, Meta, Struct, UnsetType

from ninefold.errors import RecordError
from ninefold.game import Game, Seat
from ninefold.notation.codec import decode, encode
from ninefold.notation.content import Record, play_moves, resign
from ninefold.notation.shapes import (
    BookKey,
    Number,
    OutcomeShape,
    RulesShape,
    json_number,
)
from ninefold.text import shorten


class RecordShape(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A game, finished or not: its rules, who began, the moves, and how it stands.

    The total and the outcome follow from the moves; where they are there, they are
    checked.
    """

    ninefold: Annotated[Literal[1], Meta(title="version 1")]
    game: BookKey | None = None
    rules: RulesShape
    first: Seat
    moves: tuple[Number, ...]
    resigned: Seat | None = None
    total: Number | UnsetType = UNSET
    outcome: OutcomeShape | UnsetType | None = UNSET

    @classmethod
    def of(cls, record: Record) -> Self:
        """Make the shape of a record, with every key."""
        game = record.game
        return cls(
            ninefold=1,
            game=record.book or None,
            rules=RulesShape.of(game.rules),
            first=game.first,
            moves=tuple(map(json_number, game.moves)),
            resigned=game.resigned,
            total=json_number(game.total),
            outcome=_outcome(game),
        )

    def record(self) -> Record:
        """Play the moves; a ``RecordError`` names the key of what the rules refuse."""
        moves = ((f"moves[{n}]", int(move)) for n, move in enumerate(self.moves))
        game = play_moves(self.rules.rules(), self.first, moves)
        if self.resigned is not None:
            game = resign(game, self.resigned, "resigned")
        self._check_result(game)
        return Record(game, self.game or "")

    def _check_result(self, game: Game) -> None:
        if self.total is not UNSET and int(self.total) != game.total:
            place, problem = "total", f"the moves make it {shorten(game.total)}"
            raise RecordError(place, problem)
        outcome = _outcome(game)
        if self.outcome is not UNSET and self.outcome != outcome:
            place, problem = "outcome", f"the moves make it {encode(outcome)}"
            raise RecordError(place, problem)


def _outcome(game: Game) -> OutcomeShape | None:
    return OutcomeShape.of(game.outcome) if game.outcome else None


def write_json(record: Record) -> str:
    """Write a record as a JSON object on one line."""
    return encode(RecordShape.of(record))


def read_json(text: str) -> Record:
    """Read a record written by ``write_json``; refuse anything else with the key."""
    return decode(text, RecordShape).record()
