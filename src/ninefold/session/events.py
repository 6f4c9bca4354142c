"""Events, the results of a command that a surface shows; and questions before a move.

In JSON, the key ``type`` names the type of an event.
"""

from __future__ import annotations

from msgspec import Struct

from ninefold.coach import Slip
from ninefold.game import Outcome, Seat
from ninefold.learning import Product


class _Event(Struct, frozen=True, tag_field="type", omit_defaults=True):
    pass


class Began(_Event, frozen=True, tag="began"):
    """A game has started."""

    first: Seat
    tossed: bool
    """Whether a toss decided who starts."""
    is_retry: bool = False


class Seated(_Event, frozen=True, tag="seated"):
    """A person has taken a seat."""

    seat: Seat
    name: str


class Answered(_Event, frozen=True, tag="answered"):
    """A seat has answered the product of its move in mental arithmetic."""

    seat: Seat
    product: Product


class Moved(_Event, frozen=True, tag="moved"):
    """A seat has moved."""

    seat: Seat
    multiplier: int
    total: int


class GivenBack(_Event, frozen=True, tag="given_back"):
    """A seat has used a second chance: the coach gave its move back."""

    seat: Seat
    left: int
    """How many second chances are left in this game."""
    multiplier: int | None = None
    """The move; None if the log does not reveal it."""


class TakeBackAsked(_Event, frozen=True, tag="takeback_asked"):
    """A seat asks to take its last move back."""

    seat: Seat


class TakeBackDeclined(_Event, frozen=True, tag="takeback_declined"):
    """The take-back that a seat requested was declined."""

    seat: Seat


class Withdrawn(_Event, frozen=True, tag="withdrawn"):
    """A seat has cancelled its own request for a take-back or a rematch."""

    seat: Seat


class TakenBack(_Event, frozen=True, tag="taken_back"):
    """Moves were taken back."""

    moves: tuple[int, ...]
    total: int


class Resigned(_Event, frozen=True, tag="resigned"):
    """A seat has resigned."""

    seat: Seat


class Ended(_Event, frozen=True, tag="ended"):
    """The game is over."""

    outcome: Outcome


class Scored(_Event, frozen=True, tag="scored"):
    """A game of a match of several games has ended: the score."""

    score: tuple[int, int]
    over: bool
    winner: Seat | None
    """Who has won the match; None until it is over, and if it ended level."""


class RematchAsked(_Event, frozen=True, tag="rematch_asked"):
    """A seat asks for a rematch."""

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
    """Mental arithmetic asks for the product of a move."""

    total: int
    multiplier: int


class LossQuestion(Struct, frozen=True):
    """The rule book asks whether an avoidable loss is meant."""

    multiplier: int


class SlipQuestion(Struct, frozen=True):
    """The coach warns about a slip, and offers a second chance."""

    slip: Slip
    give_backs: int
    """How many second chances are left; with 0 there is no choice."""


Question = ProductQuestion | LossQuestion | SlipQuestion
