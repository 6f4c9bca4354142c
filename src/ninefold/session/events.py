"""What comes of a command: the facts that a surface tells."""

from __future__ import annotations

from msgspec import Struct

from ninefold.coach import Slip
from ninefold.game import Outcome, Seat
from ninefold.learning import Product


class Began(Struct, frozen=True):
    """A game begins."""

    first: Seat
    tossed: bool
    """Whether a toss decided who starts it."""
    is_retry: bool = False


class Seated(Struct, frozen=True):
    """A person has taken a seat."""

    seat: Seat
    name: str


class Answered(Struct, frozen=True):
    """A seat gave the product of its move before it was shown."""

    seat: Seat
    product: Product


class Moved(Struct, frozen=True):
    """A seat has moved."""

    seat: Seat
    multiplier: int
    total: int


class GivenBack(Struct, frozen=True):
    """The coach gave a move back."""

    multiplier: int | None
    """None where the log does not say which move it was."""
    left: int
    """How many more it gives back in this game."""


class TakeBackAsked(Struct, frozen=True):
    """A seat asks for its last move back."""

    seat: Seat


class TakeBackDeclined(Struct, frozen=True):
    """The move that a seat asked for stays."""

    seat: Seat


class Withdrawn(Struct, frozen=True):
    """A seat has withdrawn what it asked the other for."""

    seat: Seat


class TakenBack(Struct, frozen=True):
    """Moves were taken back."""

    moves: tuple[int, ...]
    total: int


class Resigned(Struct, frozen=True):
    """A seat has given up."""

    seat: Seat


class Ended(Struct, frozen=True):
    """The game is over."""

    outcome: Outcome


class Scored(Struct, frozen=True):
    """The score of a match of several games after one of them."""

    score: tuple[int, int]
    over: bool
    winner: Seat | None
    """Who has won the match; None while it goes on, and where it ended level."""


class RematchAsked(Struct, frozen=True):
    """A seat asks for another match of the same kind."""

    seat: Seat


Event = (
    Seated
    | Began
    | Answered
    | Moved
    | GivenBack
    | TakeBackAsked
    | TakeBackDeclined
    | Withdrawn
    | TakenBack
    | Resigned
    | Ended
    | Scored
    | RematchAsked
)


class ProductQuestion(Struct, frozen=True):
    """A question for the product that a move makes."""

    total: int
    multiplier: int


class LossQuestion(Struct, frozen=True):
    """A question of the rule book, about a loss that could be avoided."""

    multiplier: int


class SlipQuestion(Struct, frozen=True):
    """A question of the coach, about a move that gives the win away."""

    slip: Slip
    give_backs: int
    """How many moves the coach still gives back; with 0 there is no choice."""


Question = ProductQuestion | LossQuestion | SlipQuestion
