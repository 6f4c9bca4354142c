"""Lessons: the help that players agree on: coach, mental arithmetic and hints."""

from __future__ import annotations

from msgspec import Struct

from ninefold.errors import SetupError

MOST_GIVE_BACKS = 1_000


class Lessons(Struct, frozen=True, forbid_unknown_fields=True):
    """The help that a person wants during a game."""

    coach: bool = False
    """Whether the coach warns about a move that gives the win away."""
    give_backs: int = 3
    """How many second chances the coach gives in each game."""
    mental: bool = False
    """Whether players must answer each product before it is shown."""
    hints: bool = True
    """Whether hints and reasons are available during a game."""

    def __post_init__(self) -> None:
        """Raise ``SetupError`` for an impossible number of second chances."""
        if not 0 <= self.give_backs <= MOST_GIVE_BACKS:
            message = f"the coach gives 0 to {MOST_GIVE_BACKS:,} second chances a game"
            raise SetupError(message)

    def shared_with(self, other: Lessons) -> Lessons:
        """Return the lessons that both want."""
        return Lessons(
            coach=self.coach and other.coach,
            give_backs=min(self.give_backs, other.give_backs),
            mental=self.mental and other.mental,
            hints=self.hints and other.hints,
        )
