"""Progress as data: what improved lately, and what is suggested."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from ninefold.coach.move_grades import OnlyMoves
from ninefold.learning import Activity, Answer
from ninefold.views.progress import GamesView, ProgressView

NOW = datetime(2026, 1, 31, 9, 30, tzinfo=UTC)
MOMENT = timedelta(microseconds=1)


def progress(
    *answers: Answer, over_time: dict[str, tuple[int, ...]] | None = None
) -> ProgressView:
    results = over_time or {}
    games = GamesView(
        played=sum(map(len, results.values())),
        won=sum(map(sum, results.values())),
        over_time=results,
        only_moves=OnlyMoves(0, 0),
        slips=0,
        people=(),
    )
    return ProgressView.of("Ada", answers, games, NOW)


def test_an_answer_of_exactly_four_weeks_ago_counts_as_recent() -> None:
    def improved(at: datetime) -> tuple[str, ...]:
        answer = Answer(
            item="7x8", given="56", right=True, at=at, activity=Activity.DRILL
        )
        return progress(answer).improved

    limit = NOW - timedelta(days=28)
    assert improved(limit) == ("7x8",)
    assert improved(limit - MOMENT) == ()


@pytest.mark.parametrize(
    ("results", "suggestion"),
    [
        ((1, 1), "Practise twelve items to see what you know."),
        ((1, 1, 1), "You beat beginner 3 of the last 3: try careful."),
        ((0, 1, 1, 1), "You beat beginner 3 of the last 4: try careful."),
        ((1, 1, 0, 1, 0), "Practise twelve items to see what you know."),
        ((0, 0), "Practise twelve items to see what you know."),
        ((0, 0, 0), "You lost the last 3 against beginner: try the coach."),
    ],
)
def test_another_level_is_suggested_after_three_games(
    results: tuple[int, ...], suggestion: str
) -> None:
    assert progress(over_time={"beginner": results}).suggestion == suggestion
