"""Games looked back on: listed and reviewed."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from msgspec import Struct

from ninefold.coach import Grade, OnlyMoves, Resignation, Review, Step
from ninefold.game import NAMES, Seat
from ninefold.notation import write_line
from ninefold.rules import Rules
from ninefold.store import GameRow
from ninefold.views.match_text import write_given_back

GRADE_WORDS = {
    Grade.ONLY: "only move",
    Grade.GOOD: "good",
    Grade.SLIP: "slip",
    Grade.LOST: "lost anyway",
}


def write_grade(step: Step, turning_point: Step | Resignation | None) -> str:
    """Write what a move was worth, and whether the game turned there.

    >>> from ninefold import Ending, Game, Rules
    >>> from ninefold.coach import review
    >>> reviewed = review(Game.replay(Rules(Ending.REACH, 1000), [7, 9]))
    >>> [write_grade(step, reviewed.turning_point) for step in reviewed.steps]
    ['slip, it turned', 'good']
    """
    words = GRADE_WORDS[step.grade]
    return f"{words}, it turned" if step is turning_point else words


class HistoryRow(Struct, frozen=True):
    """One game, over or not, of a match."""

    match: str
    match_number: int
    """Which match of those under this id it belongs to: a rematch is the next one."""
    number: int
    """Which game of the match it is, from 1."""
    game: str
    rules: Rules
    record: str
    total: int
    names: tuple[str, str]
    players: tuple[str, str]
    """Who sat at each seat: ``human``, ``bot``, or a level."""
    begun_at: datetime
    ended_at: datetime | None
    winner: Seat | None
    reason: str | None
    """``reached``, ``exact``, ``exceeded`` or ``resigned``."""
    failure: str
    """Why a bot gave the game up; empty where none did."""
    score: tuple[int, int]
    """The match's score after this game."""
    is_retry: bool
    """Whether it is another try at a game that was played before."""

    @classmethod
    def of(cls, row: GameRow) -> HistoryRow:
        return cls(
            match=row.match_id,
            match_number=row.match_number,
            number=row.number,
            game=row.book,
            rules=row.rules,
            record=write_line(row.record()),
            total=row.total,
            names=row.names,
            players=(row.setup.player(Seat.ONE), row.setup.player(Seat.TWO)),
            begun_at=row.begun_at,
            ended_at=row.ended_at,
            winner=row.winner,
            reason=row.reason,
            failure=row.failure,
            score=row.score,
            is_retry=row.is_retry,
        )


class GradedMove(Struct, frozen=True):
    """One move: by whom, from which total to which, and what it was worth."""

    number: int
    player: Seat
    total: int
    multiplier: int
    makes: int
    grade: Grade
    grade_text: str
    """The grade in words, and whether the game turned there."""
    winning_moves: tuple[int, ...]
    comment: str

    @classmethod
    def of(cls, step: Step, turning_point: Step | Resignation | None) -> GradedMove:
        return cls(
            step.number,
            step.seat,
            step.total,
            step.multiplier,
            step.makes,
            step.grade,
            write_grade(step, turning_point),
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
    given_back: tuple[int, int]
    """How many moves the coach gave back to each seat."""
    story: str
    """Where the game turned, who resigned, what the coach gave back, in words."""
    only_moves: tuple[OnlyMoves, OnlyMoves]

    @classmethod
    def of(
        cls,
        review: Review,
        names: Mapping[Seat, str] = NAMES,
        given_back: tuple[int, int] = (0, 0),
    ) -> ReviewView:
        """Show a review; names default to Player 1 and Player 2."""
        turn, gave_up = review.turning_point, review.resignation
        return cls(
            rules=review.game.rules,
            moves=tuple(GradedMove.of(step, turn) for step in review.steps),
            turning_point=turn.number if isinstance(turn, Step) else None,
            gave_up_a_win=gave_up is not None and gave_up.was_won,
            ahead=review.ahead,
            given_back=given_back,
            story=tell_story(review, names, given_back),
            only_moves=(review.only_moves(Seat.ONE), review.only_moves(Seat.TWO)),
        )


def tell_story(
    review: Review, names: Mapping[Seat, str], given_back: tuple[int, int]
) -> str:
    """Say how a game went: where it turned, and what the coach gave back."""
    outcome = review.game.outcome
    told = [review.story(names)]
    for seat, count in zip(Seat, given_back, strict=True):
        went = "plays on"
        if outcome is not None:
            went = "won" if outcome.winner is seat else "lost"
        if count:
            told.append(f"{names[seat]} {went}{write_given_back(count)}.")
    return " ".join(told)
