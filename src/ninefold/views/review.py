"""A game, every move of it graded."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from ninefold.coach import Grade, OnlyMoves, Review, Step
from ninefold.game import Seat
from ninefold.rules import Rules

GRADE_WORDS = {
    Grade.ONLY: "only move",
    Grade.GOOD: "good",
    Grade.SLIP: "slip",
    Grade.LOST: "lost anyway",
}


class GradedMove(Struct, frozen=True):
    """One move: by whom, from which total to which, and what it was worth."""

    number: int
    player: Seat
    total: int
    multiplier: int
    makes: int
    grade: Grade
    winning_moves: tuple[int, ...]
    comment: str

    @classmethod
    def of(cls, step: Step) -> GradedMove:
        return cls(
            step.number,
            step.seat,
            step.total,
            step.multiplier,
            step.makes,
            step.grade,
            step.winning,
            step.comment,
        )


class ReviewView(Struct, frozen=True):
    """A review: how every move was graded, where the game turned, what was better."""

    rules: Rules
    moves: tuple[GradedMove, ...]
    turning_point: int | None
    """The number of the last slip."""
    gave_up_a_win: bool
    ahead: Seat
    """Who wins with best play now, or who has won."""
    story: str
    """Where the game turned, in words."""
    resignation: str | None
    """A judgement of the resignation, in words."""
    only_moves: tuple[OnlyMoves, OnlyMoves]

    @classmethod
    def of(cls, review: Review, names: Mapping[Seat, str] | None = None) -> ReviewView:
        """Show a review; names default to Player 1 and Player 2."""
        turn, gave_up = review.turning_point, review.resignation
        return cls(
            rules=review.game.rules,
            moves=tuple(map(GradedMove.of, review.steps)),
            turning_point=turn.number if isinstance(turn, Step) else None,
            gave_up_a_win=gave_up is not None and gave_up.was_won,
            ahead=review.ahead,
            story=review.story(names),
            resignation=None if gave_up is None else gave_up.comment(names),
            only_moves=(review.only_moves(Seat.ONE), review.only_moves(Seat.TWO)),
        )
