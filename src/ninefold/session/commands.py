"""Asks and commands: what a seat wants, and what was decided.

A seat asks; ``Session.decide`` makes a command of it, or refuses it. The log of a match
is made of commands.

A command states the decision and nothing that follows from it, so that a log can be
replayed without asking anyone, and by a later version of the program too. In JSON, the
key ``do`` names the ask or the command, which are sent and stored as they are.
"""

from __future__ import annotations

from msgspec import Struct

from ninefold.game import Seat
from ninefold.session.lessons import Lessons


class _Named(
    Struct, frozen=True, tag_field="do", forbid_unknown_fields=True, omit_defaults=True
):
    pass


class Sit(_Named, frozen=True, tag="sit"):
    """A person takes a seat, in a match that people come to one by one."""

    seat: Seat
    name: str
    lessons: Lessons | None = None
    """What this person wants to learn by; None agrees to what was set up."""


class Move(_Named, frozen=True, tag="move"):
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
    helped: bool = False
    """The answer was given with help, or told."""


class GiveBack(_Named, frozen=True, tag="give-back"):
    """The coach gives a move back before it counts."""

    multiplier: int | None = None
    """None in a log that both seats read: it would name a move to avoid."""


class Undo(_Named, frozen=True, tag="undo"):
    """Moves are taken back until a person is to move, or the seat that asked for it."""


class AskTakeBack(_Named, frozen=True, tag="ask-take-back"):
    """A seat asks the other for its last move back."""

    seat: Seat


class DeclineTakeBack(_Named, frozen=True, tag="decline-take-back"):
    """The request for a move back is declined: the move stays."""


class Resign(_Named, frozen=True, tag="resign"):
    """A seat gives the game up."""

    seat: Seat
    reason: str = ""
    """Why, where a program plays the seat and has failed."""


class NextGame(_Named, frozen=True, tag="next-game"):
    """The next game of the match begins."""

    first: Seat


class Withdraw(_Named, frozen=True, tag="withdraw"):
    """A seat withdraws what it asked the other for: a move back, or a rematch."""

    seat: Seat


class AskRematch(_Named, frozen=True, tag="ask-rematch"):
    """A seat asks the other for another match of the same kind."""

    seat: Seat


class Rematch(_Named, frozen=True, tag="rematch"):
    """Another match of the same kind begins."""

    first: Seat


class Retry(_Named, frozen=True, tag="retry"):
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
    | Withdraw
    | Rematch
    | Retry
)


class TakeBack(_Named, frozen=True, tag="take-back"):
    """Take the seat's last move back: done at once where nobody need agree."""


class AllowTakeBack(_Named, frozen=True, tag="allow-take-back"):
    """Allow the other seat to take its move back."""


class CancelRequest(_Named, frozen=True, tag="withdraw"):
    """Cancel the seat's own request for a move back, or for a rematch."""


class ResignGame(_Named, frozen=True, tag="resign"):
    """Resign the game."""


class StartNextGame(_Named, frozen=True, tag="next-game"):
    """Start the next game of the match."""


class RequestRematch(_Named, frozen=True, tag="rematch"):
    """Request a rematch, or agree to one: done at once where nobody need agree."""


PlainAsk = (
    TakeBack
    | AllowTakeBack
    | DeclineTakeBack
    | CancelRequest
    | ResignGame
    | StartNextGame
    | RequestRematch
)
PLAIN_ASKS: tuple[PlainAsk, ...] = (
    TakeBack(),
    AllowTakeBack(),
    DeclineTakeBack(),
    CancelRequest(),
    ResignGame(),
    StartNextGame(),
    RequestRematch(),
)
"""Everything that a seat may ask for beside a move."""

RemoteAsk = Move | GiveBack | PlainAsk
"""Everything that a seat may ask a server for."""

Ask = RemoteAsk | Resign | Retry
"""Everything that a seat may ask for; the last two only at home."""
