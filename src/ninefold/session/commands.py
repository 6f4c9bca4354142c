"""What can be done in a session. The log of a match is made of these.

A command states what was decided and nothing that follows from it, so that a log can
be replayed without asking anyone, and by a later version of the program too.
"""

from __future__ import annotations

from msgspec import Struct

from ninefold.game import Seat
from ninefold.session.setup import Lessons


class Sit(Struct, frozen=True):
    """A person takes a seat, in a match that people come to one by one."""

    seat: Seat
    name: str
    lessons: Lessons | None = None
    """What this person wants to learn by; None agrees to what was set up."""


class Move(Struct, frozen=True):
    """The seat to move plays a multiplier.

    The other fields answer what ``Session.question`` asks before a move counts.
    """

    multiplier: int
    answer: int | None = None
    """The product that was given before it was shown, in mental arithmetic."""
    accepts_loss: bool = False
    """The loss that the rule book asks about is meant."""
    despite_coach: bool = False
    """The coach has spoken, and the move stands."""


class GiveBack(Struct, frozen=True):
    """The coach gives a move back before it counts."""

    multiplier: int


class Undo(Struct, frozen=True):
    """Moves are taken back until a person is to move, or the seat that asked for it."""


class AskTakeBack(Struct, frozen=True):
    """A seat asks the other for its last move back."""

    seat: Seat


class DeclineTakeBack(Struct, frozen=True):
    """The move that was asked for stays."""


class Resign(Struct, frozen=True):
    """A seat gives the game up."""

    seat: Seat


class NextGame(Struct, frozen=True):
    """The next game of the match begins."""

    first: Seat


class AskRematch(Struct, frozen=True):
    """A seat asks the other for another match of the same kind."""

    seat: Seat


class Rematch(Struct, frozen=True):
    """Another match of the same kind begins."""

    first: Seat


class Retry(Struct, frozen=True):
    """A game begins again from some of its moves, as a match of its own."""

    moves: tuple[int, ...]


Command = (
    Sit
    | Move
    | GiveBack
    | Undo
    | AskTakeBack
    | DeclineTakeBack
    | Resign
    | NextGame
    | AskRematch
    | Rematch
    | Retry
)
