"""What comes of a command: the facts that a surface tells.

In JSON, the key ``type`` names the event, which is sent as it is.
"""

from __future__ import annotations

from msgspec import Struct

from ninefold.coach import Slip
from ninefold.game import Outcome, Seat
from ninefold.learning import Product


class _Event(Struct, frozen=True, tag_field="type", omit_defaults=True):
    pass


class Began(_Event, frozen=True, tag="began"):
    """A game begins."""

    first: Seat
    tossed: bool
    """Whether a toss decided who starts it."""
    is_retry: bool = False


class Seated(_Event, frozen=True, tag="seated"):
    """A person has taken a seat."""

    seat: Seat
    name: str


class Answered(_Event, frozen=True, tag="answered"):
    """A seat gave the product of its move before it was shown."""

    seat: Seat
    product: Product


class Moved(_Event, frozen=True, tag="moved"):
    """A seat has moved."""

    seat: Seat
    multiplier: int
    total: int


class GivenBack(_Event, frozen=True, tag="given_back"):
    """The coach gave a seat its move back."""

    seat: Seat
    left: int
    """How many more it gives back in this game."""
    multiplier: int | None = None
    """None where the log does not say which move it was."""


class TakeBackAsked(_Event, frozen=True, tag="takeback_asked"):
    """A seat asks for its last move back."""

    seat: Seat


class TakeBackDeclined(_Event, frozen=True, tag="takeback_declined"):
    """The move that a seat asked for stays."""

    seat: Seat


class Withdrawn(_Event, frozen=True, tag="withdrawn"):
    """A seat has withdrawn what it asked the other for."""

    seat: Seat


class TakenBack(_Event, frozen=True, tag="taken_back"):
    """Moves were taken back."""

    moves: tuple[int, ...]
    total: int


class Resigned(_Event, frozen=True, tag="resigned"):
    """A seat has given up."""

    seat: Seat


class Ended(_Event, frozen=True, tag="ended"):
    """The game is over."""

    outcome: Outcome


class Scored(_Event, frozen=True, tag="scored"):
    """The score of a match of several games after one of them."""

    score: tuple[int, int]
    over: bool
    winner: Seat | None
    """Who has won the match; None while it goes on, and where it ended level."""


class RematchAsked(_Event, frozen=True, tag="rematch_asked"):
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
