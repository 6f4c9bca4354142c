"""Asks, what a seat requests, and commands, what was decided.

``Session.decide`` turns an ask into a command, or rejects it. The log of a match
consists of commands.

A command contains the decision and nothing that follows from it, so that a log can be
replayed without asking anyone, and by later versions too. In JSON, the key ``do``
names the type of an ask or a command.
"""

from __future__ import annotations

from msgspec import Struct

from ninefold.game import Seat
from ninefold.session.coach_settings import Lessons


class _Named(
    Struct, frozen=True, tag_field="do", forbid_unknown_fields=True, omit_defaults=True
):
    pass


class Sit(_Named, frozen=True, tag="sit"):
    """A person takes a seat, in a match that players join one by one."""

    seat: Seat
    name: str
    lessons: Lessons | None = None
    """The lessons this person wants; None agrees to those of the setup."""


class Move(_Named, frozen=True, tag="move"):
    """The seat to move plays a multiplier.

    The other fields answer the questions of ``Session.question``.
    """

    multiplier: int
    answer: int | None = None
    """In mental arithmetic, the player's product, before it is shown."""
    accepts_loss: bool = False
    """Whether the player means a loss that the rule book questions."""
    despite_coach: bool = False
    """Whether the player makes the move despite the coach's warning."""
    helped: bool = False
    """Whether the product was answered with help, or revealed."""


class GiveBack(_Named, frozen=True, tag="give-back"):
    """The player uses a second chance: the coach gives a move back before it counts."""

    multiplier: int | None = None
    """None in a log that both seats read: it would reveal a move to avoid."""


class Undo(_Named, frozen=True, tag="undo"):
    """Take moves back until it is the turn of the seat that asked, or of a person."""


class AskTakeBack(_Named, frozen=True, tag="ask-take-back"):
    """A seat asks the other for its last move back."""

    seat: Seat


class DeclineTakeBack(_Named, frozen=True, tag="decline-take-back"):
    """The request for a take-back is declined."""


class Resign(_Named, frozen=True, tag="resign"):
    """A seat resigns the game."""

    seat: Seat
    reason: str = ""
    """How the bot of the seat failed, if it did."""


class NextGame(_Named, frozen=True, tag="next-game"):
    """The next game of the match starts."""

    first: Seat


class Withdraw(_Named, frozen=True, tag="withdraw"):
    """A seat cancels its own request for a take-back or a rematch."""

    seat: Seat


class AskRematch(_Named, frozen=True, tag="ask-rematch"):
    """A seat asks the other for a rematch: another match with the same setup."""

    seat: Seat


class Rematch(_Named, frozen=True, tag="rematch"):
    """A rematch starts."""

    first: Seat


class Retry(_Named, frozen=True, tag="retry"):
    """A game continues from some of its moves, as a new match of a single game."""

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
    """Take the seat's last move back, or request that if the other seat must agree."""


class AllowTakeBack(_Named, frozen=True, tag="allow-take-back"):
    """Allow the take-back that the other seat requests."""


class CancelRequest(_Named, frozen=True, tag="withdraw"):
    """Cancel the seat's own request for a take-back or a rematch."""


class ResignGame(_Named, frozen=True, tag="resign"):
    """Resign the game."""


class StartNextGame(_Named, frozen=True, tag="next-game"):
    """Start the next game of the match."""


class RequestRematch(_Named, frozen=True, tag="rematch"):
    """Start a rematch, or request one if the other seat must still agree."""


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
"""The asks without parameters."""

RemoteAsk = Move | GiveBack | PlainAsk
"""The asks that a server accepts."""

Ask = RemoteAsk | Resign | Retry
"""All asks; the last two only for a match on one's own machine."""
