"""A review as a surface shows it: graded moves, and a summary in words.

``ninefold.coach.move_grades`` decides the grades.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from ninefold.coach import Grade, GradedMove, OnlyMoves, Resignation, Review
from ninefold.game import NAMES, Seat
from ninefold.rules import Rules
from ninefold.views.match_text import format_second_chances

GRADE_WORDS = {
    Grade.ONLY: "only move",
    Grade.GOOD: "good",
    Grade.SLIP: "slip",
    Grade.LOST: "lost anyway",
}


def format_grade(
    step: GradedMove, turning_point: GradedMove | Resignation | None
) -> str:
    """Format the grade of a move, with a mark for the turning point.

    >>> from ninefold import Ending, Game, Rules
    >>> from ninefold.coach import review
    >>> reviewed = review(Game.replay(Rules(Ending.REACH, 1000), [7, 9]))
    >>> [format_grade(step, reviewed.turning_point) for step in reviewed.steps]
    ['slip, turning point', 'good']
    """
    text = GRADE_WORDS[step.grade]
    return f"{text}, turning point" if step is turning_point else text


class GradedMoveView(Struct, frozen=True):
    """One move: player, totals before and after, and grade."""

    number: int
    player: Seat
    total: int
    multiplier: int
    makes: int
    grade: Grade
    grade_text: str
    """The grade in words, with a mark for the turning point."""
    winning_moves: tuple[int, ...]
    comment: str

    @classmethod
    def of(
        cls, step: GradedMove, turning_point: GradedMove | Resignation | None
    ) -> GradedMoveView:
        return cls(
            step.number,
            step.seat,
            step.total,
            step.multiplier,
            step.makes,
            step.grade,
            format_grade(step, turning_point),
            step.winning,
            step.comment,
        )


class ReviewView(Struct, frozen=True):
    """A review: every move graded, the turning point, and the better moves."""

    rules: Rules
    moves: tuple[GradedMoveView, ...]
    turning_point: int | None
    """The number of the last slip."""
    gave_up_a_win: bool
    """Whether someone resigned a won game."""
    ahead: Seat
    """Who wins with best play now, or who has won."""
    given_back: tuple[int, int]
    """How many second chances the coach gave to each seat."""
    story: str
    """The turning point, a resignation and the second chances, in sentences."""
    only_moves: tuple[OnlyMoves, OnlyMoves]

    @classmethod
    def of(
        cls,
        review: Review,
        names: Mapping[Seat, str] = NAMES,
        given_back: tuple[int, int] = (0, 0),
    ) -> ReviewView:
        """Return the view of a review; names default to Player 1 and Player 2."""
        turn, gave_up = review.turning_point, review.resignation
        return cls(
            rules=review.game.rules,
            moves=tuple(GradedMoveView.of(step, turn) for step in review.steps),
            turning_point=turn.number if isinstance(turn, GradedMove) else None,
            gave_up_a_win=gave_up is not None and gave_up.was_won,
            ahead=review.ahead,
            given_back=given_back,
            story=format_story(review, names, given_back),
            only_moves=(review.only_moves(Seat.ONE), review.only_moves(Seat.TWO)),
        )


def format_story(
    review: Review, names: Mapping[Seat, str], given_back: tuple[int, int]
) -> str:
    """Summarise a game: its turning point, and the second chances of the coach."""
    outcome = review.game.outcome
    sentences = [review.story(names)]
    for seat, count in zip(Seat, given_back, strict=True):
        went = "plays on"
        if outcome is not None:
            went = "won" if outcome.winner is seat else "lost"
        if count:
            sentences.append(f"{names[seat]} {went}{format_second_chances(count)}.")
    return " ".join(sentences)
