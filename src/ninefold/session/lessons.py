"""Lessons: the coach, mental arithmetic and hints, as the players agreed on them."""

from __future__ import annotations

from msgspec import Struct

from ninefold.errors import SetupError

MOST_GIVE_BACKS = 1_000


class Lessons(Struct, frozen=True, forbid_unknown_fields=True):
    """What a person learns by while playing."""

    coach: bool = False
    """The coach says that a move gives the win away, before it counts."""
    give_backs: int = 3
    """How many such moves the coach gives back in each game."""
    mental: bool = False
    """Each product is asked for before it is shown."""
    hints: bool = True
    """Hints and reasons are given during a game."""

    def __post_init__(self) -> None:
        """Reject a number of moves that the coach never gives back."""
        if not 0 <= self.give_backs <= MOST_GIVE_BACKS:
            message = f"the coach gives back 0 to {MOST_GIVE_BACKS:,} moves a game"
            raise SetupError(message)

    def shared_with(self, other: Lessons) -> Lessons:
        """Return what both want."""
        return Lessons(
            coach=self.coach and other.coach,
            give_backs=min(self.give_backs, other.give_backs),
            mental=self.mental and other.mental,
            hints=self.hints and other.hints,
        )
